#include "report/code_marks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "count/counts.h"
#include "isa/register_use.h"
#include "isa/semantic.h"

namespace lockstep {
namespace {

bool moves(const Semantic& meaning) {
  return meaning.flow == Flow::move || meaning.flow == Flow::move_pairs;
}

bool converts(const Instruction& in) {
  const Semantic& meaning = *in.meaning;
  const bool of_floats = (meaning.result == Kind::f64 && meaning.source[0] == Kind::f32) ||
                         (meaning.result == Kind::f32 && meaning.source[0] == Kind::f64);
  if (meaning.sources == 1 && of_floats) return true;
  // Where types belong to operands, a move that the f64 units do is one.
  return moves(meaning) && in.cost == Cost::valu_f64_add;
}

bool is_double(Cost cost) {
  return cost == Cost::valu_f64_add || cost == Cost::valu_f64_mul || cost == Cost::valu_f64_transcendental ||
         cost == Cost::valu_f64_convert;
}

bool is_memory(Cost cost) {
  return cost == Cost::vmem_load || cost == Cost::vmem_store || cost == Cost::vmem_atomic ||
         cost == Cost::lds_load || cost == Cost::lds_store || cost == Cost::lds_atomic;
}

}  // namespace

using Line = std::pair<u32, u32>;  // file, line

static Line line_of(const Code& code, u32 i) {
  const SourcePosition at = code.position(i);
  return {at.file, at.line};
}

namespace {

// Where divisions begin with a reciprocal of a float: of the vector arithmetic of these lines, what depends
// on the reciprocal, up to four instructions of integers behind the second choice, and up to three cheap
// instructions in front whose results nothing else reads. By the order of the code, each register's value is
// that of the last instruction in front that writes it. A reciprocal that the compiler has moved in front of
// a loop has no line: what depends on it may be of any.
class Quotients {
 public:
  Quotients(const Module& module, const std::set<Line>& lines)
      : module_(module), code_(module.code.instructions), marked_(code_.size()), readers_(code_.size()) {
    of_line_.resize(code_.size());
    for (u32 i = 0; i < code_.size(); ++i)
      of_line_[i] = is_vector_arithmetic(code_[i].cost) && lines.contains(line_of(module.code, i));
  }

  std::vector<bool> find() {
    for (u32 i = 0; i < code_.size(); ++i) {
      if (code_[i].meaning != nullptr) step(i);
    }
    constexpr u32 most_in_front = 3;
    for (u32 round = 0; round < most_in_front; ++round) in_front();
    return std::move(marked_);
  }

 private:
  using Place = std::pair<RegisterFile, u32>;
  struct Value {
    u32 writer = 0;
    u32 converted = 0;      // of an integer that became a float: how many instructions behind
    bool part = false;      // of a quotient that is not done
    bool moved = false;     // its reciprocal has no line
    bool in_front = false;  // the line of its reciprocal, of a number of 64 bits, divides nothing
    // Its reciprocal is shared with another line: where it is used for the first time, everything else of
    // that quotient is of this line.
    std::optional<Line> used;
    u32 choices = 0;  // that were made for it
    u32 behind = 0;   // instructions since the last of these
  };

  void step(u32 i) {
    const Semantic& meaning = *code_[i].meaning;
    RegisterUse use;
    module_.isa->register_use(module_.programs.front(), code_[i], use);
    Value made;
    made.writer = i;
    const Line here = line_of(module_.code, i);
    for (const RegisterRange& range : use.ranges()) {
      for (u32 k = 0; !range.written && k < range.count; ++k) {
        const auto found = values_.find({range.file, range.first + k});
        if (found == values_.end()) continue;
        const Value& value = found->second;
        readers_[value.writer].push_back(i);
        made.converted = std::max(made.converted, value.converted);
        if (!value.part) continue;
        made.moved |= value.moved;
        made.in_front |= value.in_front;
        // A quotient that is done may be what the next one divides: the one that has more to come counts.
        const bool fresher = !made.part || value.choices < made.choices;
        if (fresher) {
          made.choices = value.choices;
          made.behind = value.behind;
          made.used = value.used;
        } else if (value.choices == made.choices) {
          made.behind = std::max(made.behind, value.behind);
          if (value.used && (!made.used || *value.used == here)) made.used = value.used;
        }
        made.part = true;
      }
    }
    const bool from_integer = meaning.sources == 1 && meaning.result == Kind::f32 &&
                              (meaning.source[0] == Kind::u32 || meaning.source[0] == Kind::i32);
    // One of 64 bits begins with the sum of its halves.
    constexpr u32 most_converted = 2;
    const bool begins = meaning.division == Division::begins;
    made.moved |= begins && module_.code.position(i).line == 0;
    const bool of_two_words = made.converted != 0 && code_[i].cost == Cost::valu_transcendental;
    made.in_front |= of_two_words && !of_line_[i];
    made.part |= begins || of_two_words;
    if (made.converted != 0) ++made.converted;
    if (from_integer) made.converted = 1;
    if (made.converted > most_converted) made.converted = 0;
    // A sign, or the remainder that a quotient leaves: what comes behind the choices.
    constexpr u32 most_choices = 2, most_behind = 4;
    if (made.choices >= most_choices) {
      ++made.behind;
      made.part &= made.behind <= most_behind && meaning.result != Kind::f32;
    }
    if (meaning.flow == Flow::select) ++made.choices;
    const bool vector = is_vector_arithmetic(code_[i].cost);
    if (made.part && !begins && !of_line_[i] && !made.used && made.choices == 0 && vector && here.second != 0)
      made.used = here;
    const bool shared = made.used && *made.used == here;
    made.part &= of_line_[i] || ((made.moved || made.in_front || shared) && vector);
    marked_[i] = made.part && (of_line_[i] || made.moved || shared);
    for (const RegisterRange& range : use.ranges()) {
      for (u32 k = 0; range.written && k < range.count; ++k) values_[{range.file, range.first + k}] = made;
    }
  }

  void in_front() {
    const std::vector<bool> before = marked_;
    for (u32 i = 0; i < code_.size(); ++i) {
      if (before[i] || !of_line_[i] || code_[i].cost != Cost::valu_full || readers_[i].empty()) continue;
      marked_[i] = std::ranges::all_of(readers_[i], [&](u32 reader) { return before[reader]; });
    }
  }

  const Module& module_;
  const std::vector<Instruction>& code_;
  std::vector<bool> of_line_, marked_;
  std::vector<std::vector<u32>> readers_;
  std::map<Place, Value> values_;
};

}  // namespace

// Short loops that read lane after lane and touch no memory, close in front of an atomic of their source line
// whose old value nobody takes: with that each lane would need its own part of what they put together.
static std::vector<bool> lane_loops(const Module& module) {
  constexpr u32 longest = 24, in_front = 32;
  const Code& code = module.code;
  const std::vector<Instruction>& all = code.instructions;
  std::vector<bool> found(all.size());
  if (module.programs.empty()) return found;
  const auto returns = [&](const Instruction& in) {
    RegisterUse use;
    module.isa->register_use(module.programs.front(), in, use);
    return std::ranges::any_of(use.ranges(), &RegisterRange::written);
  };
  for (u32 end = 0; end < all.size(); ++end) {
    if (all[end].cost != Cost::branch || all[end].target >= end || end - all[end].target > longest) continue;
    const Line line = line_of(code, end);
    bool reads_lanes = false, only_this = line.second != 0;
    for (u32 i = all[end].target; i <= end; ++i) {
      reads_lanes |= all[i].cost == Cost::valu_cross_lane;
      only_this &= !is_memory(all[i].cost) && (line_of(code, i) == line || code.position(i).line == 0);
    }
    bool atomic = false;
    for (u32 i = end; i < all.size() && i <= end + in_front; ++i) {
      const bool one = all[i].cost == Cost::vmem_atomic || all[i].cost == Cost::lds_atomic;
      atomic |= one && line_of(code, i) == line && !returns(all[i]);
    }
    if (!reads_lanes || !only_this || !atomic) continue;
    std::fill(found.begin() + all[end].target, found.begin() + end + 1, true);
  }
  return found;
}

static CodeMarks marks_of(const Module& module) {
  const Code& code = module.code;
  const std::size_t count = code.instructions.size();
  CodeMarks marks{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count),
                  lane_loops(module)};
  std::set<Line> lines, lines_of_floats;
  bool any_moved = false;
  for (u32 i = 0; i < count; ++i) {
    const Instruction& in = code.instructions[i];
    if (in.meaning == nullptr) continue;
    marks.converts[i] = converts(in);
    marks.doubles[i] = is_double(in.cost) || marks.converts[i];
    marks.divides[i] = in.meaning->division == Division::whole;
    if (in.meaning->division != Division::begins) continue;
    if (code.position(i).line == 0) {
      any_moved |= in.meaning->source[0] == Kind::f32;
      continue;
    }
    (in.meaning->source[0] == Kind::f32 ? lines_of_floats : lines).insert(line_of(code, i));
  }
  for (u32 i = 0; i < count && !lines.empty(); ++i) {
    if (is_vector_arithmetic(code.instructions[i].cost) && lines.contains(line_of(code, i)))
      marks.divides[i] = true;
  }
  if ((lines_of_floats.empty() && !any_moved) || module.programs.empty()) return marks;
  const std::vector<bool> quotients = Quotients(module, lines_of_floats).find();
  for (u32 i = 0; i < count; ++i) marks.divides[i] = marks.divides[i] || quotients[i];
  return marks;
}

const CodeMarks& code_marks(const Module& module) {
  return module.derived.get<CodeMarks>([&] { return marks_of(module); });
}

std::vector<bool> double_accesses(const Module& module, const Program& program, const CodeMarks& marks) {
  const std::vector<Instruction>& code = module.code.instructions;
  std::vector<bool> found(code.size());
  std::map<std::pair<RegisterFile, u32>, u32> writer;
  for (u32 i = 0; i < code.size(); ++i) {
    if (code[i].meaning == nullptr) continue;
    RegisterUse use;
    module.isa->register_use(program, code[i], use);
    const bool passes_on = moves(*code[i].meaning) && !marks.doubles[i];
    u32 value = i;  // whose value this instruction's results are
    const auto each = [&](bool written, auto&& see) {
      for (const RegisterRange& range : use.ranges()) {
        if (range.written != written || range.file != RegisterFile::vector) continue;
        for (u32 k = 0; k < range.count; ++k) see(std::pair(range.file, range.first + k));
      }
    };
    each(false, [&](const auto& place) {
      const auto from = writer.find(place);
      if (from == writer.end()) return;
      if (passes_on) value = from->second;
      if (marks.doubles[i]) found[from->second] = found[from->second] || !marks.doubles[from->second];
      const bool made = marks.doubles[from->second] && code[from->second].meaning->result != Kind::f32;
      if (made && is_memory(code[i].cost)) found[i] = true;
    });
    each(true, [&](const auto& place) { writer[place] = value; });
  }
  for (u32 i = 0; i < code.size(); ++i) found[i] = found[i] && is_memory(code[i].cost);
  return found;
}

}  // namespace lockstep
