#include "report/code_marks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "count/counts.h"
#include "isa/register_use.h"
#include "isa/semantic.h"

namespace lockstep {
namespace {

bool starts(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [text](std::string_view name) { return text.starts_with(name); });
}

bool converts(const Instruction& in) {
  const Semantic& meaning = *in.meaning;
  const bool of_floats = (meaning.result == Kind::f64 && meaning.source[0] == Kind::f32) ||
                         (meaning.result == Kind::f32 && meaning.source[0] == Kind::f64);
  if (meaning.sources == 1 && of_floats) return true;
  // Where types belong to operands, a move that the f64 units do is one.
  return meaning.name == "mov" && in.cost == Cost::valu_f64_add;
}

bool is_double(Cost cost) {
  return cost == Cost::valu_f64_add || cost == Cost::valu_f64_mul || cost == Cost::valu_f64_transcendental ||
         cost == Cost::valu_f64_convert;
}

bool is_memory(Cost cost) {
  return cost == Cost::vmem_load || cost == Cost::vmem_store || cost == Cost::vmem_atomic ||
         cost == Cost::lds_load || cost == Cost::lds_store || cost == Cost::lds_atomic;
}

// One instruction that divides: PTX's, Intel's extended mathematics.
bool divides(std::string_view name) {
  return starts(name, {"div.s", "div.u", "rem.s", "rem.u", "math.iqot", "math.irem"});
}

// The reciprocal that LLVM begins the division of integers with, and nothing else.
bool begins_division(std::string_view text) {
  return starts(text, {"v_rcp_iflag_f32"}) || text.find("RECIP_UINT") != std::string_view::npos;
}

}  // namespace

CodeMarks code_marks(const Code& code) {
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
    marks.divides[i] = divides(in.meaning->name);
    if (i < code.text.size() && begins_division(code.text[i]) && code.position(i).line != 0)
      lines.insert(line_of(i));
  }
  for (u32 i = 0; i < count && !lines.empty(); ++i) {
    if (is_vector_arithmetic(code.instructions[i].cost) && lines.contains(line_of(i)))
      marks.divides[i] = true;
  }
  return marks;
}

std::vector<bool> double_accesses(const Module& module, const Program& program, const CodeMarks& marks) {
  const std::vector<Instruction>& code = module.code.instructions;
  std::vector<bool> found(code.size());
  std::map<std::pair<RegisterFile, u32>, u32> writer;
  for (u32 i = 0; i < code.size(); ++i) {
    if (code[i].meaning == nullptr) continue;
    RegisterUse use;
    module.isa->register_use(program, code[i], use);
    const bool moves = code[i].meaning->name.find("mov") != std::string_view::npos && !marks.doubles[i];
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
      if (moves) value = from->second;
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
