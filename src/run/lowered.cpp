#include "run/lowered.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "time/program/nv/lower.h"
#include "time/program/nv/text.h"

namespace lockstep {

Expected<std::string> lowered_text(const Module& module, const Program& program) {
  if (module.target->isa != IsaFamily::ptx) {
    return Diagnostic{
        "not-lowered",
        {},
        fmt::format("the code of {} is the hardware's own: there is nothing to lower", module.target->name),
        "--lowered is for NVIDIA's GPUs"};
  }
  const auto lowered = lower_kernel(module, program);
  if (!lowered) return lowered.error();
  return print_lowered(*lowered, [&](u32 from) {
    const SourcePosition position = module.code.position(from);
    const std::string where = position.line == 0
                                  ? std::string{}
                                  : fmt::format("{}:{}: ", module.code.files[position.file], position.line);
    return where + module.code.text[from];
  });
}

std::vector<std::pair<u32, std::string>> lowered_lines(const Module& module, const Program& program) {
  std::vector<std::pair<u32, std::string>> lines;
  if (module.target->isa != IsaFamily::ptx) return lines;
  const auto lowered = lower_kernel(module, program);
  if (!lowered) return lines;
  for (const LoweredInstruction& one : lowered->instructions)
    lines.emplace_back(one.from, print_lowered(one));
  return lines;
}

// What .maxnreg says of the kernel; as many as a work-item can have where it says nothing.
static u32 most_registers(std::string_view ptx, std::string_view kernel) {
  constexpr u32 most = 255;
  const std::string entry = ".entry " + std::string(kernel) + "(";
  const std::size_t begin = ptx.find(entry);
  if (begin == ptx.npos) return most;
  const std::string_view head = ptx.substr(begin, ptx.find('{', begin) - begin);
  constexpr std::string_view word = ".maxnreg";
  const std::size_t at = head.find(word);
  if (at == head.npos) return most;
  u32 said = 0;
  const std::size_t digits = head.find_first_of("0123456789", at + word.size());
  if (digits != head.npos) std::from_chars(head.data() + digits, head.data() + head.size(), said);
  return said == 0 ? most : std::min(said, most);
}

void count_lowered_registers(Module& module, std::string_view ptx) {
  // More would take longer to lower than the figure is worth: the values that live at once stay the estimate.
  constexpr u32 most_instructions = 1 << 14;
  if (module.target->isa != IsaFamily::ptx) return;
  if (module.code.instructions.size() > most_instructions) return;
  for (Program& program : module.programs) {
    const auto lowered = lower_kernel(module, program);
    if (lowered)
      program.needs.vector_registers = std::min(lowered->registers, most_registers(ptx, program.name));
  }
}

}  // namespace lockstep
