#include "exec/check/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/check/step.h"

namespace lockstep {

using check::Action;
using check::Origin;
using check::WaveShadow;

namespace {
constexpr std::size_t most_calls = 1024;  // remembered for messages
}

RunChecker::RunChecker(const PreparedLaunch& launch) : launch_(launch), memory_(launch.memory()) {
  memory_.track_written();
  const Code& code = launch.module().code;
  code_ = code.instructions.data();
  rules_.reserve(code.instructions.size());
  for (const Instruction& instruction : code.instructions) {
    rules_.push_back(check::rule_of(instruction));
    if (instruction.meaning == nullptr) continue;
    const std::string_view name = instruction.meaning->name;
    indexes_registers_ = indexes_registers_ || name.find("movrel") != std::string_view::npos ||
                         name == "set_gpr_idx_on" || name == "setreg_b32";
  }
  ranges_.resize(code.instructions.size());
  target_major_ = launch.module().target->major;
  const LaunchState& state = launch.state();
  text_begin_ = state.image_address + (code.text_address - launch.module().image.address);
  text_end_ = text_begin_ + code.index_of_word.size() * 4;
}

u32 RunChecker::index_of(const Instruction& instruction) const {
  return static_cast<u32>(&instruction - code_);
}

WaveShadow& RunChecker::shadow_of(WaveState& wave) const {
  return static_cast<WaveShadow&>(*wave.checked);
}

void RunChecker::begin(std::span<WaveState> waves) {
  const FirstRegisters first = launch_.module().isa->first_registers(launch_.state());
  std::shared_ptr<std::vector<u8>> local;
  for (WaveState& wave : waves) {
    if (wave.checked == nullptr) wave.checked = std::make_unique<WaveShadow>();
    WaveShadow& shadow = shadow_of(wave);
    const u32 rows = wave.vector_rows();
    shadow.lanes = wave.lanes;
    shadow.bits.assign(std::size_t{rows} * wave.lanes, ~u32{0});
    shadow.undefined_lanes.assign(rows, ~u64{0});
    std::fill_n(shadow.undefined_lanes.begin(), std::min(first.vector_rows, rows), u64{0});
    shadow.row_origin.assign(rows, {});
    // VCC and the registers that a program may name; apertures, trap temporaries, M0 and EXEC are set up.
    shadow.scalar.fill(0);
    for (u32 i = first.scalars; i < scalar_register::flat_scratch_lo; ++i) shadow.scalar[i] = ~u32{0};
    shadow.scalar[scalar_register::vcc_lo] = shadow.scalar[scalar_register::vcc_hi] = ~u32{0};
    shadow.scalar_origin.fill({});
    shadow.condition = true;
    shadow.condition_origin = {};
    shadow.private_memory.assign(wave.private_bytes_per_lane * wave.lanes, 0xFF);
    if (local == nullptr) {
      local = shadow.local_memory != nullptr ? shadow.local_memory : std::make_shared<std::vector<u8>>();
      local->assign(wave.local.size(), 0xFF);
    }
    shadow.local_memory = local;
    shadow.private_origin.clear();
    shadow.calls.clear();
  }
}

u32 RunChecker::place(const WaveState& wave, u32 instruction) const {
  const Code& code = launch_.module().code;
  if (wave.checked == nullptr || code.position(instruction).line != 0) return instruction;
  const std::vector<u32>& calls = static_cast<const WaveShadow&>(*wave.checked).calls;
  const auto shown =
      std::find_if(calls.rbegin(), calls.rend(), [&](u32 call) { return code.position(call).line != 0; });
  return shown != calls.rend() ? *shown : instruction;
}

std::string RunChecker::describe(const Origin& origin) const {
  const Code& code = launch_.module().code;
  if (origin.instruction == Origin::unwritten) return "the value is of a register that nothing wrote";
  const SourcePosition position = code.position(origin.instruction);
  std::string from;
  if (position.line != 0) from = fmt::format(" at {}:{}", code.files[position.file], position.line);
  switch (origin.space) {
    case Space::local:
      return fmt::format("the value was loaded{} from byte {} of local memory, which nothing wrote", from,
                         origin.address);
    case Space::private_memory:
      return fmt::format(
          "the value was loaded{} from private memory that nothing wrote (a variable or array "
          "without an initial value)",
          from);
    default:
      break;
  }
  const auto allocation = memory_.find(origin.address, 1);
  if (!allocation) return fmt::format("the value was loaded{}", from);
  return fmt::format("the value was loaded{} from '{}', byte {}, which nothing wrote", from, allocation->name,
                     origin.address - allocation->address);
}

void RunChecker::raise_undefined(StepContext& context, FaultKind kind, const Instruction& instruction,
                                 u32 lane, const Origin& origin) {
  Fault fault;
  fault.kind = kind;
  fault.lane = lane;
  switch (instruction.cost) {
    case Cost::vmem_store:
    case Cost::lds_store:
    case Cost::smem_store:
      fault.access = AccessKind::store;
      break;
    case Cost::vmem_atomic:
    case Cost::lds_atomic:
      fault.access = AccessKind::atomic;
      break;
    default:
      break;
  }
  context.raise(fault);
  note_ = describe(origin);
}

void RunChecker::before(WaveState& wave, const Instruction& instruction, StepContext& context) {
  const u32 index = index_of(instruction);
  const check::Rule& rule = rules_[index];
  if (rule.action == Action::nothing) return;
  Instruction room;
  const Instruction* in = &instruction;
  if (indexes_registers_) in = &launch_.module().isa->indexed(wave, instruction, room);
  WaveShadow& shadow = shadow_of(wave);
  Step step{wave, shadow, *in, rule, index, context, wave.exec() & wave.all_lanes()};
  switch (rule.action) {
    case Action::lanes:
      return carry_lanes(step);
    case Action::halves:
      return carry_halves(step);
    case Action::scalar:
      return carry_scalar(step);
    case Action::combine_exec:
      return carry_exec(step);
    case Action::opaque:
      return define_result(step);
    case Action::memory:
      shadow.accesses = 0;
      return check_address(step);
    case Action::branch_scc:
      if (shadow.condition) {
        raise_undefined(context, FaultKind::undefined_branch, *in, step.first_lane(),
                        shadow.condition_origin);
      }
      return;
    case Action::branch_vcc: {
      // One bit that is surely set decides.
      const u64 undefined = shadow.mask_bits(scalar_register::vcc_lo);
      if (undefined != 0 && (wave.read_mask(scalar_register::vcc_lo) & ~undefined) == 0) {
        const u32 half = static_cast<u32>(undefined) != 0 ? 0 : 1;
        raise_undefined(context, FaultKind::undefined_branch, *in,
                        static_cast<u32>(std::countr_zero(undefined)),
                        shadow.scalar_origin[scalar_register::vcc_lo + half]);
      }
      return;
    }
    case Action::jump:
      if (in->operand[1].kind == OperandKind::scalar && shadow.scalar_bits64(in->operand[1].index) != 0) {
        raise_undefined(context, FaultKind::undefined_branch, *in, step.first_lane(),
                        shadow.scalar_origin[in->operand[1].index]);
        return;
      }
      if (in->operand[0].kind == OperandKind::none) {
        if (!shadow.calls.empty()) shadow.calls.pop_back();
      } else if (shadow.calls.size() < most_calls) {
        shadow.calls.push_back(index);
      }
      return define_result(step);
    case Action::barrier: {
      const u64 missing = wave.valid_lanes & ~wave.exec();
      if (missing == 0) return;
      Fault fault;
      fault.kind = FaultKind::divergent_barrier;
      fault.lane = static_cast<u32>(std::countr_zero(missing));
      context.raise(fault);
      note_ = fmt::format("{} of the wave's {} work-items do not execute this barrier, this one among them",
                          std::popcount(missing), std::popcount(wave.valid_lanes));
      return;
    }
    default:
      return carry_cross_lane(step);
  }
}

}  // namespace lockstep
