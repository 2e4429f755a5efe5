#include "time/program/nv/text.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;

std::string register_text(const O& o) {
  const auto named = [&](std::string_view prefix, u32 zero, std::string_view zero_name) {
    if (o.index == zero) return std::string(zero_name);
    if (o.width == 1) return fmt::format("{}{}", prefix, o.index);
    return fmt::format("{0}{1}:{0}{2}", prefix, o.index, o.index + o.width - 1);
  };
  switch (o.file) {
    case File::general:
      return named("R", O::zero_register, "RZ");
    case File::uniform:
      return named("UR", O::zero_uniform, "URZ");
    case File::predicate:
      return named("P", O::true_predicate, "PT");
    case File::uniform_predicate:
      return named("UP", O::true_predicate, "UPT");
    default:
      return {};
  }
}

std::string text_of(const O& o, i32 offset) {
  std::string text;
  switch (o.file) {
    case File::constant:
      text = o.index == O::zero_register ? fmt::format("c[{:#x}][{:#x}]", o.bank, o.value)
                                         : fmt::format("c[{:#x}][R{}+{:#x}]", o.bank, o.index, o.value);
      if (o.width != 1) text += fmt::format(":{}", o.width);
      break;
    case File::immediate:
      text = fmt::format("{:#x}", o.value);
      break;
    case File::special:
      text = name(static_cast<LoweredSpecial>(o.index));
      break;
    case File::barrier:
      text = fmt::format("B{}", o.index);
      break;
    case File::region:
      text = fmt::format("`({})", o.index);
      break;
    default:
      text = register_text(o);
  }
  if ((o.modifiers & O::absolute) != 0) text = "|" + text + "|";
  if ((o.modifiers & O::negate) != 0) text = "-" + text;
  if ((o.modifiers & O::complement) != 0) text = "!" + text;
  if ((o.modifiers & O::reuse) != 0) text += ".reuse";
  if ((o.modifiers & O::wide) != 0) text += ".64";
  if ((o.modifiers & O::address) != 0) {
    if (offset != 0)
      text += fmt::format("{}{:#x}", offset < 0 ? "+-" : "+", offset < 0 ? -i64{offset} : i64{offset});
    text = "[" + text + "]";
  }
  return text;
}

}  // namespace

std::string print_lowered(const LoweredInstruction& in) {
  const LoweredControl& c = in.control;
  std::string text = "[B";
  for (u32 i = 0; i < 6; ++i) text += (c.wait_mask >> i & 1) != 0 ? static_cast<char>('0' + i) : '-';
  const auto barrier = [](u8 which) { return which > 5 ? std::string("-") : std::to_string(which); };
  text += fmt::format(":R{}:W{}:{}:S{:02}] ", barrier(c.read_barrier), barrier(c.write_barrier),
                      c.yield ? "Y" : "-", c.stall);
  if (in.guard.file != File::none) text += "@" + text_of(in.guard, 0) + " ";
  text += info(in.opcode).mnemonic;
  text += in.modifiers;
  const char* between = " ";
  for (const O& o : in.destination) {
    if (o.file == File::none) continue;
    text += between + text_of(o, in.offset);
    between = ", ";
  }
  bool any = in.destination[1].file != File::none;  // else the second result would look like a source
  for (const O& o : in.source) any = any || o.file != File::none;
  if (any) text += " <-";
  between = " ";
  for (const O& o : in.source) {
    if (o.file == File::none) continue;
    text += between + text_of(o, in.offset);
    between = ", ";
  }
  text += fmt::format("; # from {}", in.from);
  if (in.carries_access) text += fmt::format(" # access {}", in.access);
  if (in.access_bytes != 0) text += fmt::format(" # bytes {}", in.access_bytes);
  if (in.spill_word != LoweredInstruction::no_word) text += fmt::format(" # spill {}", in.spill_word);
  if (in.one_lane) text += " # lane 1";
  if (in.every != 1) text += fmt::format(" # every {}", in.every);
  if (in.routine) text += " # routine 1";
  if (in.slow_way != LoweredInstruction::no_slow_way) text += fmt::format(" # slow {}", in.slow_way);
  return text;
}

std::string print_lowered(const LoweredProgram& program,
                          const std::function<std::string(u32 from)>& comment) {
  std::string text =
      fmt::format(".lowered {} {}\n.registers {}\n.uniform {}\n.predicates {}\n.spilled {}\n.bytes {}\n",
                  program.kernel, program.target, program.registers, program.uniform_registers,
                  program.predicates, program.spilled_bytes, program.code_bytes);
  for (const LoweredRegion& region : program.regions) {
    text +=
        fmt::format(".region {} {}{}{}\n", region.first, region.count, region.predicated ? " predicated" : "",
                    region.unrolled > 1 ? fmt::format(" unrolled {}", region.unrolled) : "");
    for (u32 i = region.begin; i < region.end; ++i) {
      text += "  " + print_lowered(program.instructions[i]);
      const std::string said = comment ? comment(program.instructions[i].from) : std::string{};
      if (!said.empty()) text += "  // " + said;
      text += "\n";
    }
  }
  for (const LoweredGuarded& guarded : program.guarded)
    text += fmt::format(".guarded {} {}\n", guarded.first, guarded.count);
  for (const LoweredBranch& branch : program.branches) {
    text += fmt::format(".branch {}", branch.branch);
    for (const u32 region : branch.if_taken) text += fmt::format(" taken {}", region);
    for (const u32 region : branch.if_not_taken) text += fmt::format(" not_taken {}", region);
    text += "\n";
  }
  return text;
}

}  // namespace lockstep
