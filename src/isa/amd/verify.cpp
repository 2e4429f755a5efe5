// Source of the limits: LLVM, "User Guide for AMDGPU Backend": Kernel Descriptor
// (GRANULATED_WORKITEM_VGPR_COUNT, GRANULATED_WAVEFRONT_SGPR_COUNT, ACCUM_OFFSET), Kernel Arguments and the
// value kinds of the code objects' metadata.
#include "isa/amd/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/amd/control.h"
#include "isa/amd/register_use.h"
#include "isa/amd/table.h"
#include "isa/amd/text.h"
#include "isa/semantic.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

constexpr u32 most_vector_registers = 256, most_scalar_registers = scalar_register::vcc_lo;
// Whoever counts rows begins with those of the work-item's ids.
constexpr u32 least_rows = 3;
// Functions may serve waves of both widths. Masks of 64 lanes lie in pairs that begin at even numbers: the
// first register of one tells whether the pair exists.
constexpr u32 mask_width = 32;

bool has_unified_registers(const Target& target) {
  return (generation_of(target) & (gfx90a | gfx940)) != 0;
}

void set_registers(const Target& target, u32 lanes, KernelDescriptor& descriptor) {
  const u32 granules = (descriptor.resources1 & 63) + 1;
  if (has_unified_registers(target)) {
    const u32 all = 8 * granules, offset = 4 * ((descriptor.resources3 & 63) + 1);
    descriptor.vector_registers = std::min({offset, all, most_vector_registers});
    descriptor.accumulation_registers = std::min(all - descriptor.vector_registers, most_vector_registers);
  } else {
    descriptor.vector_registers =
        std::min((target.major >= 10 && lanes == 32 ? 8 : 4) * granules, most_vector_registers);
    descriptor.accumulation_registers =
        (generation_of(target) & gfx908) != 0 ? descriptor.vector_registers : 0;
  }
  const u32 scalar_granules = ((descriptor.resources1 >> 6) & 15) + 1;
  descriptor.scalar_registers = target.major >= 10  ? most_scalar_registers
                                : target.major == 9 ? (scalar_granules + 1) / 2 * 16
                                                    : scalar_granules * 8;
}

// What of a kernel's registers a piece of code needs: one more than the highest that it names.
struct Reach {
  u32 vector = 0, accumulation = 0, scalar = 0;
  bool known = false;

  void add(const RegisterRange& range) {
    const u32 end = range.first + range.count;
    if (range.file == RegisterFile::vector && range.first < accumulation_base) {
      vector = std::max(vector, end);
    } else if (range.file == RegisterFile::vector) {
      accumulation = std::max(accumulation, end - accumulation_base);
    } else if (range.file == RegisterFile::scalar) {
      // Registers with names lie behind those with numbers; FLAT_SCRATCH and XNACK_MASK are among the last.
      const bool numbered = range.first < scalar_register::flat_scratch_lo || end > scalar_registers;
      if (numbered) scalar = std::max(scalar, end);
    }
  }
  void add(const Reach& other) {
    vector = std::max(vector, other.vector);
    accumulation = std::max(accumulation, other.accumulation);
    scalar = std::max(scalar, other.scalar);
  }
};

// The addresses that scalar code makes from s_getpc_b64 and constants.
std::optional<u64> computed_address(const Code& code, u32 jump, u32 first_of_function) {
  const Operand& source = code.instructions[jump].operand[1];
  if (source.kind != OperandKind::scalar) return std::nullopt;
  constexpr u32 most_looked_at = 24;
  u64 low_sum = 0, high_sum = 0;
  for (u32 i = jump; i-- > first_of_function && jump - i <= most_looked_at;) {
    const Instruction& in = code.instructions[i];
    if (in.cost == Cost::branch) return std::nullopt;
    const Operand& result = in.operand[0];
    if (result.kind != OperandKind::scalar) continue;
    const u32 end = result.index + result.registers;
    if (end <= source.index || result.index >= source.index + 2) continue;
    const std::string_view name = in.meaning->name;
    if (name == "getpc_b64" && result.index == source.index)
      return in.address + in.size + low_sum + (high_sum << 32);
    const bool adds = name.starts_with("s_add_") || name.starts_with("s_addc_");
    const bool same = in.operand[1].kind == OperandKind::scalar && in.operand[1].index == result.index;
    if (!adds || !same || in.operand[2].kind != OperandKind::immediate || result.registers != 1)
      return std::nullopt;
    (result.index == source.index ? low_sum : high_sum) += static_cast<u32>(in.operand[2].value);
  }
  return std::nullopt;
}

class CodeCheck {
 public:
  CodeCheck(const Module& module, std::span<const u32> functions, const std::string& name)
      : code_(module.code),
        functions_(functions),
        name_(name),
        reach_(module.code.instructions.size()),
        seen_by_(module.code.instructions.size(), 0) {}

  Status check(Program& program, KernelDescriptor& descriptor, u32 number);

 private:
  const Reach& reach_of(u32 index) {
    Reach& reach = reach_[index];
    if (reach.known) return reach;
    reach.known = true;
    RegisterUse use;
    register_use(code_.instructions[index], mask_width, use);
    for (const RegisterRange& range : use.ranges()) reach.add(range);
    return reach;
  }
  const Reach& reach_of_all() {
    if (all_.known) return all_;
    for (u32 i = 0; i < reach_.size(); ++i) all_.add(reach_of(i));
    all_.known = true;
    return all_;
  }
  u32 function_of(u32 index) const {
    const auto behind = std::upper_bound(functions_.begin(), functions_.end(), index);
    return behind == functions_.begin() ? 0 : *(behind - 1);
  }
  bool begins_function(u32 index) const {
    return std::binary_search(functions_.begin(), functions_.end(), index);
  }
  Diagnostic at(u32 index, const Program& program, std::string code, std::string message,
                std::string hint) const;
  Status fits(u32 index, const Program& program, const KernelDescriptor& descriptor);
  Diagnostic too_high(u32 index, const Program& program, const KernelDescriptor& descriptor) const;
  // Where control goes behind an instruction; false where its target is no instruction.
  bool follow(u32 index, std::vector<u32>& next);

  const Code& code_;
  std::span<const u32> functions_;
  const std::string& name_;
  std::vector<Reach> reach_;
  std::vector<u32> seen_by_;  // by instruction: the last kernel that reaches it, counted from 1
  Reach all_;
  bool goes_anywhere_ = false;  // of the kernel at hand: it jumps to what is known when it runs
};

Diagnostic CodeCheck::at(u32 index, const Program& program, std::string code, std::string message,
                         std::string hint) const {
  const SourcePosition position = code_.position(index);
  Diagnostic diagnostic{std::move(code), {name_, 0, 0}, std::move(message), std::move(hint)};
  if (position.line != 0) diagnostic.place = {code_.files[position.file], position.line, position.column};
  diagnostic.message += fmt::format("\n  kernel '{}'\n  instruction at {:#x}: {}", program.name,
                                    code_.instructions[index].address, code_.text[index]);
  return diagnostic;
}

Diagnostic CodeCheck::too_high(u32 index, const Program& program, const KernelDescriptor& descriptor) const {
  RegisterUse use;
  register_use(code_.instructions[index], mask_width, use);
  for (const RegisterRange& range : use.ranges()) {
    Reach one;
    one.add(range);
    const auto tell = [&](u32 last, u32 limit, char letter, const char* kind, const char* directive) {
      return at(
          index, program, "register-range",
          fmt::format("register {}{} does not exist: the kernel has {} {} registers{}", letter, last, limit,
                      kind, limit == 0 ? "" : fmt::format(", {0}0 to {0}{1}", letter, limit - 1)),
          directive);
    };
    if (one.vector > descriptor.vector_registers)
      return tell(one.vector - 1, descriptor.vector_registers, 'v', "vector",
                  ".amdhsa_next_free_vgpr in the kernel's descriptor says how many there are");
    if (one.accumulation > descriptor.accumulation_registers)
      return tell(
          one.accumulation - 1, descriptor.accumulation_registers, 'a', "accumulation",
          ".amdhsa_next_free_vgpr and .amdhsa_accum_offset in the kernel's descriptor say how many there "
          "are");
    if (one.scalar > descriptor.scalar_registers)
      return tell(one.scalar - 1, descriptor.scalar_registers, 's', "scalar",
                  ".amdhsa_next_free_sgpr in the kernel's descriptor says how many there are");
  }
  return at(index, program, "register-range", "a register of the instruction does not exist", "");
}

Status CodeCheck::fits(u32 index, const Program& program, const KernelDescriptor& descriptor) {
  const Reach& reach = reach_of(index);
  if (reach.vector <= descriptor.vector_registers &&
      reach.accumulation <= descriptor.accumulation_registers &&
      reach.scalar <= descriptor.scalar_registers) {
    return Success{};
  }
  return too_high(index, program, descriptor);
}

bool CodeCheck::follow(u32 index, std::vector<u32>& next) {
  const Instruction& in = code_.instructions[index];
  const Continuation after = continuation_of(in);
  if (after.to_target) {
    if (in.target == no_instruction) return false;
    next.push_back(in.target);
  }
  if (after.to_register) {
    const std::optional<u64> address = computed_address(code_, index, function_of(index));
    const u64 bytes = address ? *address - code_.text_address : ~u64{0};
    const u32 target = bytes % 4 == 0 && bytes / 4 < code_.index_of_word.size()
                           ? code_.index_of_word[bytes / 4]
                           : no_instruction;
    if (target == no_instruction) {
      goes_anywhere_ = true;
    } else {
      next.push_back(target);
    }
  }
  if (after.to_next && index + in.slots < code_.instructions.size()) {
    // Behind a call that never returns stands the next function: what of it is no part of this one counts as
    // something that may be reached.
    if (begins_function(index + in.slots)) {
      goes_anywhere_ = true;
    } else {
      next.push_back(index + in.slots);
    }
  }
  return true;
}

Status CodeCheck::check(Program& program, KernelDescriptor& descriptor, u32 number) {
  goes_anywhere_ = false;
  Reach reached;
  std::vector<u32> left{program.entry}, next;
  seen_by_[program.entry] = number;
  while (!left.empty()) {
    const u32 index = left.back();
    left.pop_back();
    if (const Status fit = fits(index, program, descriptor); !fit) return fit.error();
    reached.add(reach_of(index));
    next.clear();
    if (!follow(index, next)) {
      return at(index, program, "bad-jump",
                fmt::format("a branch to {:#x}, where no instruction is",
                            code_.instructions[index].operand[1].value),
                "");
    }
    for (const u32 one : next) {
      if (seen_by_[one] == number) continue;
      seen_by_[one] = number;
      left.push_back(one);
    }
  }
  // Where it may reach anything, waves have rows for it: a jump that the kernel's registers are too few for
  // computes nonsense, as on hardware, and harms nobody.
  if (goes_anywhere_) reached.add(reach_of_all());
  if (reached.vector > most_vector_registers || reached.accumulation > most_vector_registers ||
      reached.scalar > scalar_registers) {
    return Diagnostic{
        "register-range",
        {name_, 0, 0},
        fmt::format("the code that kernel '{}' may reach names registers that no GPU has", program.name),
        ""};
  }
  descriptor.rows = std::max({least_rows, descriptor.vector_registers, reached.vector});
  if (reached.accumulation != 0)
    descriptor.rows = accumulation_base + std::max(reached.accumulation, descriptor.accumulation_registers);
  return Success{};
}

u32 whole_granules(u32 registers, u32 granule) {
  return (registers + granule - 1) / granule * granule;
}

// Metadata that speaks of fewer registers than the descriptor allocates would give a wrong occupancy.
void correct_needs(const Target& target, const KernelDescriptor& descriptor, KernelNeeds& needs) {
  const bool unified = has_unified_registers(target);
  const u32 granule = unified || (target.major >= 10 && needs.wave_lanes == 32) ? 8 : 4;
  const u32 allocated = granule * ((descriptor.resources1 & 63) + 1);
  const u32 said =
      unified ? needs.vector_registers : std::max(needs.vector_registers, needs.accumulation_registers);
  if (whole_granules(said, granule) < allocated && allocated > granule) needs.vector_registers = allocated;
  needs.unified_registers = unified;
}

}  // namespace

Status verify_code(Module& module, std::span<const std::shared_ptr<KernelDescriptor>> descriptors,
                   std::span<const u32> functions, const std::string& name) {
  CodeCheck check(module, functions, name);
  for (u32 i = 0; i < descriptors.size(); ++i) {
    Program& program = module.programs[i];
    set_registers(*module.target, program.needs.wave_lanes, *descriptors[i]);
    correct_needs(*module.target, *descriptors[i], program.needs);
    const Status checked = check.check(program, *descriptors[i], i + 1);
    if (!checked) return checked.error();
  }
  return Success{};
}

}  // namespace lockstep::amd
