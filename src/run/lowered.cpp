#include "run/lowered.h"

#include <fmt/format.h>

#include <algorithm>

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

// More would take longer to lower than the figure is worth: the values that live at once stay the estimate.
constexpr u32 most_lowered = 1 << 14;

static void count_registers(const Module& module, Program& program) {
  const auto lowered = lower_kernel(module, program);
  if (!lowered) return;
  program.needs.vector_registers = lowered->registers;
  program.needs.spilled_bytes = lowered->spilled_bytes;
}

void count_lowered_registers(Module& module) {
  if (module.target->isa != IsaFamily::ptx || module.code.instructions.size() > most_lowered) return;
  for (Program& program : module.programs) count_registers(module, program);
}

void count_registers_in_large_module(Module& module, const Program& kernel) {
  if (module.target->isa != IsaFamily::ptx || module.code.instructions.size() <= most_lowered ||
      kernel.end - kernel.entry > most_lowered)
    return;
  count_registers(module, module.programs[static_cast<std::size_t>(&kernel - module.programs.data())]);
}

}  // namespace lockstep
