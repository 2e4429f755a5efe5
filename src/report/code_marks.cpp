#include "report/code_marks.h"

#include <algorithm>
#include <map>
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

static CodeMarks marks_of(const Code& code) {
  const std::size_t count = code.instructions.size();
  CodeMarks marks{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count)};
  std::set<std::pair<u32, u32>> lines;
  const auto line_of = [&](u32 i) {
    const SourcePosition at = code.position(i);
    return std::pair<u32, u32>(at.file, at.line);
  };
  for (u32 i = 0; i < count; ++i) {
    const Instruction& in = code.instructions[i];
    if (in.meaning == nullptr) continue;
    marks.converts[i] = converts(in);
    marks.doubles[i] = is_double(in.cost) || marks.converts[i];
    marks.divides[i] = in.meaning->division == Division::whole;
    if (in.meaning->division == Division::begins && code.position(i).line != 0) lines.insert(line_of(i));
  }
  for (u32 i = 0; i < count && !lines.empty(); ++i) {
    if (is_vector_arithmetic(code.instructions[i].cost) && lines.contains(line_of(i)))
      marks.divides[i] = true;
  }
  return marks;
}

const CodeMarks& code_marks(const Module& module) {
  return module.derived.get<CodeMarks>([&] { return marks_of(module.code); });
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
