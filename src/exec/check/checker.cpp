#include "exec/check/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/check/step.h"
#include "exec/group.h"
#include "isa/register_use.h"

namespace lockstep {

using check::Action;
using check::Origin;
using check::WaveShadow;

RunChecker::RunChecker(const PreparedLaunch& launch, const CheckSelection& selection, ViolationLog* log)
    : launch_(launch), selection_(selection), log_(log), memory_(launch.memory()) {
  if (selection_.values) memory_.track_written();
  const Code& code = launch.module().code;
  code_ = code.instructions.data();
  ptx_ = launch.module().target->vendor == Vendor::nvidia;
  bytes_ = launch.module().isa->byte_registers;
  packets_ = launch.module().target->isa == IsaFamily::r600;
  rules_.reserve(code.instructions.size());
  for (const Instruction& instruction : code.instructions) {
    check::Rule rule = ptx_ ? check::rule_of_ptx(instruction) : check::rule_of(instruction);
    if (bytes_ != nullptr && rule.action == Action::nothing) rule.action = Action::bytes;
    if (packets_ && instruction.addressing == Addressing::image) set_image_rows(instruction, rule);
    // PTX lets lanes come apart, and those that have ended stay away; OpenCL C does not.
    const bool barriers = selection_.barriers && (!ptx_ || launch.module().opencl_c);
    const bool wanted = rule.action == Action::barrier  ? barriers
                        : rule.action == Action::memory ? selection_.values || selection_.bounds
                                                        : selection_.values;
    if (!wanted) rule.action = Action::nothing;
    rules_.push_back(rule);
    if (instruction.meaning == nullptr) continue;
    indexes_registers_ = indexes_registers_ || instruction.meaning->role == Role::index_registers;
  }
  if (bytes_ != nullptr && selection_.values) {
    byte_reach_.resize(code.instructions.size());
    for (u32 i = 0; i < byte_reach_.size(); ++i)
      if (code.instructions[i].meaning != nullptr)
        bytes_->reach(launch.program(), code.instructions[i], byte_reach_[i]);
  }
  ranges_.resize(code.instructions.size());
  target_major_ = launch.module().target->major;
  const LaunchState& state = launch.state();
  text_begin_ = state.image_address + (code.text_address - launch.module().image.address);
  text_end_ = text_begin_ + code.index_of_word.size() * 4;
}

void RunChecker::set_image_rows(const Instruction& in, check::Rule& rule) const {
  RegisterUse use;
  launch_.module().isa->register_use(launch_.program(), in, use);
  rule.address_rows = rule.result_rows = 0;
  for (u32 i = 0; i < 4; ++i) {
    const auto bit = [&](bool is) { return static_cast<u8>(is ? 1u << i : 0u); };
    rule.address_rows |= bit(use.reads(RegisterFile::vector, in.operand[1].index + i));
    rule.result_rows |= bit(use.writes(RegisterFile::vector, in.operand[0].index + i));
  }
}

u32 RunChecker::index_of(const Instruction& instruction) const {
  return static_cast<u32>(&instruction - code_);
}

WaveShadow& RunChecker::shadow_of(WaveState& wave) const {
  return static_cast<WaveShadow&>(*wave.checked);
}

void RunChecker::begin(std::span<WaveState> waves) {
  // Where the ISA does not say, all registers count as defined.
  const auto first_registers = launch_.module().isa->first_registers;
  const FirstRegisters first = first_registers != nullptr
                                   ? first_registers(launch_.state())
                                   : FirstRegisters{~u32{0}, scalar_register::flat_scratch_lo};
  if (!selection_.values) return;
  std::shared_ptr<std::vector<u8>> local;
  for (WaveState& wave : waves) {
    if (wave.checked == nullptr) wave.checked = std::make_unique<WaveShadow>();
    WaveShadow& shadow = shadow_of(wave);
    const u32 rows = bytes_ != nullptr ? 0 : wave.vector_rows();
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
    shadow.keeps_predicates = ptx_;
    shadow.predicates.clear();
    shadow.condition = true;
    shadow.condition_origin = {};
    if (bytes_ != nullptr) {
      shadow.bytes.begin(bytes_->places);
      shadow.bytes.define(0, ByteUnits::unit_bytes * first.vector_rows);
      shadow.bytes.define(bytes_->set_up_at, bytes_->set_up_bytes);
      shadow.bytes.settle(shadow.bytes.units);
    }
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
  const Module& module = launch_.module();
  const u64 image = launch_.state().image_address;
  if (const ModuleVariable* variable =
          image == 0 ? nullptr : module.variable_at(origin.address - image + module.image.address))
    return fmt::format("the value was loaded{} from the variable '{}', byte {}, which nothing wrote{}", from,
                       variable->name, origin.address - image + module.image.address - variable->address,
                       variable->awaits_host ? " (it has no initial value, and the host gave it none)" : "");
  const auto allocation = memory_.find(origin.address, 1);
  if (!allocation) return fmt::format("the value was loaded{}", from);
  return fmt::format("the value was loaded{} from '{}', byte {}, which nothing wrote", from, allocation->name,
                     origin.address - allocation->address);
}

void RunChecker::violate(const WaveState& wave, u32 index, StepContext& context, const Fault& fault,
                         std::string note) {
  if (log_ == nullptr) {
    context.raise(fault);
    note_ = std::move(note);
    return;
  }
  if (!log_->wanted(fault_code(fault.kind), index)) return;
  note_ = std::move(note);
  log_->keep(describe_fault(launch_, wave, index, fault, this));
}

void RunChecker::raise_undefined(Step& step, FaultKind kind, u32 lane, const Origin& origin) {
  Fault fault;
  fault.kind = kind;
  fault.lane = lane;
  switch (step.in.cost) {
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
  violate(step.wave, step.index, step.context, fault, describe(origin));
}

void RunChecker::check_barrier(Step& step) {
  const WaveState& wave = step.wave;
  const u64 missing = wave.valid_lanes & ~wave.exec();
  if (missing == 0) return;
  Fault fault;
  fault.kind = FaultKind::divergent_barrier;
  fault.lane = static_cast<u32>(std::countr_zero(missing));
  violate(wave, step.index, step.context, fault,
          fmt::format("{} of the wave's {} work-items do not execute this barrier, this one among them",
                      std::popcount(missing), std::popcount(wave.valid_lanes)));
}

void RunChecker::before(WaveState& wave, const Instruction& instruction, StepContext& context) {
  if (packets_ && instruction.slots > 1) return;  // part() follows
  if (instruction.slots == 2 && selection_.values) return follow_pair(wave, instruction, context);
  follow(wave, instruction, context);
}

void RunChecker::part(WaveState& wave, const Instruction& instruction, StepContext& context) {
  follow(wave, instruction, context);
}

// Both instructions of a packet read before either writes: the second must not see the first one's result.
void RunChecker::follow_pair(WaveState& wave, const Instruction& first, StepContext& context) {
  WaveShadow& shadow = shadow_of(wave);
  const u32 row = first.operand[0].index;
  const bool keeps = first.operand[0].kind == OperandKind::vector && row < shadow.undefined_lanes.size();
  std::vector<u32> bits[2];
  u64 lanes[2] = {0, 0};
  Origin origin[2];
  const auto begin = shadow.bits.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * shadow.lanes);
  const auto take = [&](u32 i) {
    bits[i].assign(begin, begin + shadow.lanes);
    lanes[i] = shadow.undefined_lanes[row];
    origin[i] = shadow.row_origin[row];
  };
  const auto put = [&](u32 i) {
    std::copy(bits[i].begin(), bits[i].end(), begin);
    shadow.undefined_lanes[row] = lanes[i];
    shadow.row_origin[row] = origin[i];
  };
  if (keeps) take(0);
  follow(wave, first, context);
  if (keeps) {
    take(1);
    put(0);
  }
  follow(wave, *(&first + 1), context);
  if (keeps) put(1);
}

void RunChecker::follow(WaveState& wave, const Instruction& instruction, StepContext& context) {
  const u32 index = index_of(instruction);
  if (rules_[index].action == Action::nothing) return;
  if (indexes_registers_ && selection_.values) {
    Instruction room;
    return follow_as(wave, index, launch_.module().isa->indexed(wave, instruction, room), context);
  }
  follow_as(wave, index, instruction, context);
}

void RunChecker::follow_as(WaveState& wave, u32 index, const Instruction& in, StepContext& context) {
  const check::Rule& rule = rules_[index];
  if (!selection_.values) {
    // Bounds or barriers alone: no registers are followed.
    static WaveShadow nobody;
    Step step{wave, nobody, in, rule, index, context, wave.exec() & wave.all_lanes()};
    if (rule.action == Action::memory) return check_scalar_address(step);
    return check_barrier(step);
  }
  WaveShadow& shadow = shadow_of(wave);
  u64 active = wave.exec() & wave.all_lanes();
  if (in.guard != 0) {
    const u64 guard = wave.read_mask(in.guard_register);
    active &= in.guard == 1 ? guard : ~guard;
  }
  Step step{wave, shadow, in, rule, index, context, active};
  const u64 doubt =
      packets_ && in.guard != 0 ? shadow.mask_bits(in.guard_register) & wave.exec() & wave.valid_lanes : 0;
  if (doubt != 0) return carry_doubt(step, doubt);
  carry(step);
}

void RunChecker::carry(Step& step) {
  const Instruction& in = step.in;
  WaveState& wave = step.wave;
  WaveShadow& shadow = step.shadow;
  const check::Rule& rule = step.rule;
  if (bytes_ != nullptr && rule.action != Action::barrier) {
    shadow.accesses = 0;
    return carry_bytes(step);
  }
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
        raise_undefined(step, FaultKind::undefined_branch, step.first_lane(), shadow.condition_origin);
        shadow.condition = false;
      }
      return;
    case Action::branch_vcc: {
      // One bit that is surely set decides.
      const u64 undefined = shadow.mask_bits(scalar_register::vcc_lo);
      if (undefined != 0 && (wave.read_mask(scalar_register::vcc_lo) & ~undefined) == 0) {
        const u32 half = static_cast<u32>(undefined) != 0 ? 0 : 1;
        raise_undefined(step, FaultKind::undefined_branch, static_cast<u32>(std::countr_zero(undefined)),
                        shadow.scalar_origin[scalar_register::vcc_lo + half]);
        shadow.set_mask(scalar_register::vcc_lo, 0, {});
      }
      return;
    }
    case Action::branch_predicate: {
      const u64 all = shadow.mask_bits(in.guard_register), undefined = all & wave.exec();
      if (undefined == 0) return;
      raise_undefined(step, FaultKind::undefined_branch, static_cast<u32>(std::countr_zero(undefined)),
                      shadow.origin_of_scalar(in.guard_register));
      shadow.set_mask(in.guard_register, all & ~undefined, {});
      return;
    }
    case Action::jump:
      if (in.operand[1].kind == OperandKind::scalar && shadow.scalar_bits64(in.operand[1].index) != 0) {
        raise_undefined(step, FaultKind::undefined_branch, step.first_lane(),
                        shadow.scalar_origin[in.operand[1].index]);
      }
      if (in.operand[0].kind == OperandKind::none) {
        if (!shadow.calls.empty()) shadow.calls.pop_back();
      } else if (shadow.calls.size() < check::most_calls) {
        shadow.calls.push_back(step.index);
      }
      return define_result(step);
    case Action::barrier:
      return check_barrier(step);
    case Action::read_indexed_row:
      return carry_read_indexed(step);
    case Action::write_indexed_row:
      return carry_write_indexed(step);
    default:
      return carry_cross_lane(step);
  }
}

}  // namespace lockstep
