#include "time/program/nv/timed_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "machine/machine.h"
#include "time/program/cost_reader.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/lower.h"
#include "time/program/nv/older.h"
#include "time/program/nv/operands.h"
#include "time/program/nv/routine.h"

namespace lockstep {
namespace {

using L = LoweredOpcode;
using P = LoweredPipe;

// Units beside a sub-partition's port, as TimedOp numbers them.
constexpr u8 unit_of_pipe(P pipe) {
  return static_cast<u8>(static_cast<u8>(pipe) + 1);
}
// Of the second of a pair that goes to the same unit as the first: the lanes that only pairs reach.
constexpr u8 second_alu = unit_of_pipe(P::count), second_fma = second_alu + 1;
static_assert(second_fma < TimedOp::units);

// What the machine says, read once.
struct Costs {
  // Cycles that an instruction of a full warp holds its unit; 0: no unit of its own.
  std::array<u16, static_cast<std::size_t>(P::count)> interval{};
  u16 mufu = 1, convert = 1, count_bits = 1, find_bits = 1, f64 = 1, special = 1, shuffle = 1, match = 1;
  u16 reduce = 1, reduce_interval = 0;
  u16 conversion = 0;  // the interval of conversions, bit counts and searches, before Volta
  u16 f64_share = 0;   // the interval of f64 of a partition among those that share the unit
  u16 wide_product = 2;
  u16 wide_product_issue = 1, wide_address = 1;
  u16 fence_group = 1, fence_device = 1, fence_system = 1;
  u8 branch_taken = 1;
  // A YIELD, and one beside lanes that wait: to its warp's next instruction, to its SIMD's next YIELD.
  struct Yield {
    u16 stall = 0, interval = 0;
  };
  std::array<Yield, 2> yield{};
  u32 tensor_multiplies = 0;    // of f16 in a cycle and sub-partition
  bool one_multiplier = false;  // integer multiply-add and f32 are one unit
  bool one_f64_unit = false;    // the sub-partitions share it
  u32 register_banks = 2;
  u16 product = 0;  // result of a 32-bit product where that is no single pass
  u16 second_alu = 0, second_fma = 0;
  bool global_loads_bypass = false;  // the first level
};

Expected<Costs> read_costs(const Machine& machine) {
  CostReader get{machine, {}};
  Costs costs;
  const bool older = machine.target->compute_capability() < 70;
  const auto or_else = [&](std::string_view key, u64 value) {
    return static_cast<u16>(integer_or(machine, key, value));
  };
  const auto interval = [&](P pipe) {
    costs.interval[static_cast<std::size_t>(pipe)] = get(fmt::format("timing.pipe.{}_cycles", name(pipe)));
  };
  for (const P pipe : {P::alu, P::fma, P::fma_heavy, P::half, P::fp64, P::xu}) interval(pipe);
  const u16 alu = costs.interval[static_cast<std::size_t>(P::alu)];
  if (older) {
    costs.interval[static_cast<std::size_t>(P::shift)] = or_else("timing.pipe.shift_cycles", alu);
    costs.interval[static_cast<std::size_t>(P::compare)] = or_else("timing.pipe.compare_cycles", alu);
    costs.second_alu = or_else("timing.pipe.second_alu_cycles", 0);
    costs.second_fma = or_else("timing.pipe.second_fma_cycles", 0);
    costs.product = or_else("timing.result.product_cycles", 0);
    costs.register_banks = or_else("timing.issue.register_banks", 0);
    costs.global_loads_bypass = integer_or(machine, "l1.global_loads", 0) == 0;
  } else {
    interval(P::uniform);
    costs.tensor_multiplies = get("timing.pipe.tensor_multiplies");
    costs.match = get("timing.result.match_cycles");
    costs.reduce = get("timing.result.redux_cycles");
    costs.reduce_interval = or_else("timing.pipe.redux_cycles", 0);
    costs.yield = {
        Costs::Yield{or_else("timing.yield.cycles", 0), or_else("timing.yield.interval_cycles", 0)},
        Costs::Yield{or_else("timing.yield.waiting_cycles", 0),
                     or_else("timing.yield.waiting_interval_cycles", 0)}};
  }
  costs.branch_taken = static_cast<u8>(get("timing.branch.taken_cycles"));
  costs.one_multiplier = !older && integer(machine, "compute.lanes_per_simd") < 32;
  costs.wide_product = static_cast<u16>(integer_or(machine, "timing.pipe.wide_product_cycles", 2));
  costs.wide_product_issue = or_else("timing.issue.wide_product_cycles", 1);
  costs.wide_address = or_else("timing.issue.wide_address_cycles", 1);
  costs.one_f64_unit = integer_or(machine, "timing.pipe.fp64_shared", 0) != 0;
  costs.conversion = or_else("timing.pipe.convert_cycles", costs.interval[static_cast<std::size_t>(P::xu)]);
  costs.f64_share = static_cast<u16>(costs.interval[static_cast<std::size_t>(P::fp64)] *
                                     (costs.one_f64_unit ? integer(machine, "compute.simds_per_unit") : 1));
  costs.mufu = get("timing.result.mufu_cycles");
  costs.convert = get("timing.result.convert_cycles");
  costs.count_bits = get("timing.result.popc_cycles");
  costs.find_bits = get("timing.result.flo_cycles");
  costs.f64 = get("timing.result.f64_cycles");
  costs.special = get("timing.result.s2r_cycles");
  costs.shuffle = get("timing.result.shuffle_cycles");
  costs.fence_group = get("timing.result.fence_group_cycles");
  costs.fence_device = get("timing.result.fence_device_cycles");
  costs.fence_system = get("timing.result.fence_system_cycles");
  if (!get.missing.empty()) return get.diagnostic();
  return costs;
}

// Multiply-adds of one matrix instruction, from its shape (".16816": 16 x 8 x 16).
u32 matrix_multiplies(std::string_view modifiers) {
  for (const auto& [shape, count] : {std::pair<std::string_view, u32>{"884", 256},
                                     {"1684", 512},
                                     {"1688", 1024},
                                     {"16816", 2048},
                                     {"16832", 4096},
                                     {"16864", 8192},
                                     {"168128", 16384},
                                     {"168256", 32768},
                                     {"88128", 8192},
                                     {"8816", 1024},
                                     {"8832", 2048}}) {
    std::string_view rest = modifiers;
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view word = rest.substr(0, rest.find('.'));
      if (word == shape) return count;
      rest.remove_prefix(word.size());
    }
  }
  return 2048;
}

// The same in those of f16: tf32 goes at half their rate, f64 at a sixteenth, integers of 8 and 4 bits and
// single bits at twice, four and sixteen times (NVIDIA's whitepapers on A100 and H100: peak rates).
u32 matrix_work(L opcode, std::string_view modifiers) {
  const u32 multiplies = matrix_multiplies(modifiers);
  if (opcode == L::dmma) return multiplies * 16;
  if (opcode == L::bmma) return multiplies / 16;
  if (opcode == L::imma) return multiplies / (modifiers == ".16864" || modifiers == ".8832" ? 4 : 2);
  return modifiers.ends_with(".TF32") ? multiplies * 2 : multiplies;
}

u16 result_cycles(const Costs& costs, L opcode, std::string_view modifiers) {
  switch (opcode) {
    case L::mufu:
    case L::fchk:
      return costs.mufu;
    case L::f2f:
    case L::f2i:
    case L::i2f:
    case L::i2i:
    case L::frnd:
      return costs.convert;
    case L::popc:
      return costs.count_bits;
    case L::flo:
    case L::brev:
      return costs.find_bits;
    case L::dadd:
    case L::dmul:
    case L::dfma:
    case L::dsetp:
    case L::dset:
    case L::dmnmx:
      return costs.f64;
    case L::imad:
    case L::imad_hi:
    case L::imad_wide:
    case L::imul:
    case L::imul_hi:
      return costs.product;
    case L::shfl:
    case L::movm:
      return costs.shuffle;
    case L::redux:
      return costs.reduce;
    case L::match:
      return costs.match;
    case L::membar:
      return modifiers.find("CTA") != std::string_view::npos   ? costs.fence_group
             : modifiers.find("SYS") != std::string_view::npos ? costs.fence_system
                                                               : costs.fence_device;
    default:
      return costs.special;
  }
}

struct Kind {
  Pipe pipe = Pipe::vector;
  Cost cost = Cost::valu_full;
  u32 flags = 0;
};

// How the core treats it, and as what it is counted.
Kind kind_of(const LoweredInstruction& in) {
  constexpr u32 front = TimedOp::through_front;
  constexpr u32 store = TimedOp::memory_store | front, load = TimedOp::memory_returns | front;
  constexpr u32 atomic = TimedOp::memory_atomic | front;
  switch (in.opcode) {
    case L::ldg:
    case L::ld:
    case L::ldl:
      return {Pipe::vector_memory, Cost::vmem_load, load};
    case L::ldgsts:
      return {Pipe::vector_memory, Cost::vmem_load, front};
    case L::stg:
    case L::st:
    case L::stl:
      return {Pipe::vector_memory, Cost::vmem_store, store};
    case L::atom:
    case L::atomg:
      return {Pipe::vector_memory, Cost::vmem_atomic, atomic | TimedOp::memory_returns};
    case L::red:
      return {Pipe::vector_memory, Cost::vmem_atomic, atomic};
    case L::tex:
    case L::suld:
      return {Pipe::vector_memory, Cost::vmem_image, load | TimedOp::image};
    case L::sust:
      return {Pipe::vector_memory, Cost::vmem_image, store | TimedOp::image};
    case L::lds:
    case L::ldsm:
      return {Pipe::local_memory, Cost::lds_load, load};
    case L::sts:
      return {Pipe::local_memory, Cost::lds_store, store};
    case L::atoms:
    case L::ldslk:
      return {Pipe::local_memory, Cost::lds_atomic, atomic | TimedOp::memory_returns};
    case L::ldc:
      return {Pipe::scalar_memory, Cost::smem_load, front};
    case L::shfl:
      return {Pipe::local_memory, Cost::lds_permute, front | TimedOp::crossbar};
    case L::bar:
      return {Pipe::branch, Cost::barrier, front};
    case L::exit:
    case L::kill:
      return {Pipe::branch, Cost::end, 0};
    case L::bra:
    case L::brx:
    case L::jmp:
    case L::call:
    case L::ret:
      return {Pipe::branch, Cost::branch, 0};
    default:
      break;
  }
  switch (info(in.opcode).pipe) {
    case P::fma:
      return {Pipe::vector, Cost::valu_f32_fma, 0};
    case P::fma_heavy:
      return {Pipe::vector, Cost::valu_quarter, 0};
    case P::half:
      return {Pipe::vector, Cost::valu_f16, 0};
    case P::fp64:
      return {Pipe::vector, in.opcode == L::dadd ? Cost::valu_f64_add : Cost::valu_f64_mul, 0};
    case P::xu:
      return {Pipe::vector, Cost::valu_transcendental, 0};
    case P::tensor:
      return {Pipe::vector, Cost::valu_matrix, 0};
    case P::uniform:
      return {Pipe::scalar, Cost::salu, 0};
    case P::lsu:
      return {Pipe::branch, Cost::message, front};
    case P::branch:
    case P::control:
      return {Pipe::branch, Cost::nop, 0};
    default:
      return {Pipe::vector, Cost::valu_full, 0};
  }
}

// The unit that an instruction goes to.
P pipe_of(const LoweredInstruction& in, u32 capability) {
  const P pipe = info(in.opcode).pipe;
  if (capability >= 70) return pipe;
  switch (in.opcode) {
    case L::shf:
      return P::shift;
    case L::isetp:
    case L::fsetp:
    case L::fset:
    case L::imnmx:
    case L::fmnmx:
      return P::compare;
    default:
      return pipe;
  }
}

// What a YIELD costs.
void cost_yield(const Costs::Yield& yield, TimedOp& op) {
  op.stall = std::max(op.stall, static_cast<u8>(std::min<u16>(yield.stall, 0xFF)));
  if (yield.interval == 0) return;
  op.unit = unit_of_pipe(P::branch);  // no other instruction's
  op.unit_cycles = yield.interval;
}

TimedOp timed_op(const Costs& costs, const LoweredInstruction& in, const Instruction& ptx, u32 capability) {
  TimedOp op;
  const Kind kind = kind_of(in);
  op.instruction = in.from;
  op.size = static_cast<u8>(lowering::instruction_bytes(capability));
  op.pipe = kind.pipe;
  op.cost = kind.cost;
  op.flags = kind.flags;
  if (in.one_lane) op.flags |= TimedOp::one_lane;
  if (in.opcode == L::atoms) {
    if (in.modifiers == ".POPC.INC.32") op.flags |= TimedOp::shares_words;
    if (in.modifiers == ".CAS") op.flags |= TimedOp::two_turns;
    if (in.modifiers == lowering::tries_again) op.argument = 1;
    if (in.destination[0].index == LoweredOperand::zero_register) op.flags &= ~u32{TimedOp::memory_returns};
  }
  op.cycles = 1;
  const auto pair_as_address = [](const LoweredOperand& o) {
    return (o.modifiers & LoweredOperand::address) != 0 && o.file == LoweredOperand::File::general &&
           o.width == 2;
  };
  if (costs.wide_address > 1 && std::ranges::any_of(in.source, pair_as_address)) {
    op.cycles = costs.wide_address;
    op.flags |= TimedOp::holds_arithmetic;
  }
  if (in.opcode == L::match) op.argument = 1;
  op.stall = std::max<u8>(1, in.control.stall);
  if (capability < 70 && in.control.stall == 0) op.flags |= TimedOp::pairs;
  // The way past a routine for extreme exponents is a branch that is taken.
  if (in.opcode == L::bra && in.source[0].file == LoweredOperand::File::none)
    op.stall = std::max(op.stall, costs.branch_taken);
  if (in.opcode == L::ret && in.routine) op.stall = std::max(op.stall, costs.branch_taken);
  if (in.opcode == L::yield) cost_yield(costs.yield[0], op);
  op.every = std::max<u8>(1, in.every);
  op.wait_mask = in.control.wait_mask;
  const auto barrier = [](u8 number) {
    return number == LoweredControl::no_barrier ? TimedOp::no_barrier : number;
  };
  op.write_barrier = barrier(in.control.write_barrier);
  op.read_barrier = barrier(in.control.read_barrier);
  op.result_cycles = result_cycles(costs, in.opcode, in.modifiers);
  P pipe = pipe_of(in, capability);
  if (pipe == P::fma_heavy && costs.one_multiplier) pipe = P::fma;
  // From and to types of 64 bits as fast as f64 arithmetic where that is slower.
  const bool converts = capability < 70 && pipe == P::xu && in.opcode != L::mufu;
  const bool wide = in.destination[0].width == 2 || in.source[0].width == 2;
  if (converts && wide && costs.f64_share > costs.conversion) pipe = P::fp64;
  if (pipe == P::tensor) {
    op.unit = unit_of_pipe(pipe);
    op.unit_cycles =
        static_cast<u16>(std::max(1u, matrix_work(in.opcode, in.modifiers) / costs.tensor_multiplies));
  } else if (costs.interval[static_cast<std::size_t>(pipe)] != 0) {
    op.unit = unit_of_pipe(pipe);
    op.unit_cycles =
        converts && pipe == P::xu ? costs.conversion : costs.interval[static_cast<std::size_t>(pipe)];
    if (pipe == P::fp64 && costs.one_f64_unit) op.flags |= TimedOp::unit_shared;
    if (capability >= 70 && (in.opcode == L::imad_wide || in.opcode == L::imad_hi))
      op.unit_cycles = std::max(op.unit_cycles, costs.wide_product);
  }
  if (in.opcode == L::redux && costs.reduce_interval != 0) {
    op.unit = unit_of_pipe(P::lsu);  // no other of the queue's instructions has a unit
    op.unit_cycles = costs.reduce_interval;
  }
  if (in.carries_access) {
    op.flags |= TimedOp::carries_access;
    op.access = in.access;
    op.access_bytes = in.access_bytes;
  }
  if (in.spill_word != LoweredInstruction::no_word) {
    op.access = TimedOp::spilled;
    op.argument = static_cast<u16>(std::min(in.spill_word, 0xFFFFu));
    const LoweredOperand& data = in.opcode == L::stl ? in.source[1] : in.destination[0];
    op.access_bytes = static_cast<u8>(4 * data.width);
  }
  const bool plain_load = in.opcode == L::ldg || in.opcode == L::ld;
  if (ptx.policy.cached >= Scope::cluster || (capability < 70 && plain_load && costs.global_loads_bypass &&
                                              !ptx.policy.has(AccessPolicy::read_only)))
    op.flags |= TimedOp::bypasses_near;
  // What no cache keeps at all.
  if (capability < 20 && plain_load) op.flags |= TimedOp::uncached;
  if (ptx.policy.reuse == Reuse::streaming || ptx.policy.reuse == Reuse::last_use)
    op.flags |= TimedOp::streaming;
  return op;
}

// What an instruction's operands cost beside its neighbours' from Volta on.
void collect_operands(const Costs& costs, std::span<const LoweredInstruction> code, std::span<TimedOp> ops) {
  // Twice, since most regions that count are loops: what the end leaves in the banks.
  OperandWindow window;
  std::vector<u16> waits(code.size());
  for (u32 turn = 0; turn < 2; ++turn) {
    OperandCaches caches;
    const TimedOp* before = nullptr;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (ops[i].pipe != Pipe::vector) continue;
      // While this warp stalls others read theirs, but a pipe that is as narrow for them leaves gaps.
      const bool same_pipe = before != nullptr && ops[i].unit != 0 && ops[i].unit == before->unit;
      waits[i] = window.waits(code[i], costs.register_banks, caches,
                              same_pipe ? std::max<u32>(1, before->unit_cycles) : 1);
      before = &ops[i];
    }
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (ops[i].pipe == Pipe::vector) {
      ops[i].cycles = static_cast<u16>(1 + waits[i]);
      if (ops[i].unit_cycles != 0) ops[i].unit_cycles += waits[i];
    }
    if (code[i].opcode == L::imad_wide) ops[i].cycles = std::max(ops[i].cycles, costs.wide_product_issue);
  }
}

// What depends on an instruction's neighbours, before Volta.
void finish_region(const Costs& costs, std::span<const LoweredInstruction> code, std::span<TimedOp> ops,
                   u32 capability) {
  // Twice, since most regions that count are loops: what the end leaves waiting.
  OperandQueues queues;
  for (u32 turn = 0; turn < 2 && costs.register_banks != 0; ++turn) {
    OperandCaches caches;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (ops[i].pipe != Pipe::vector) continue;
      ops[i].cycles = queues.cycles(code[i], costs.register_banks, caches);
      if (code[i].control.stall > 2) caches = {};  // other warps issue meanwhile
    }
  }
  for (std::size_t i = 1; i < code.size(); ++i) {
    if ((ops[i - 1].flags & TimedOp::pairs) == 0 || ops[i].unit != ops[i - 1].unit) continue;
    const bool alu = ops[i].unit == unit_of_pipe(P::alu), fma = ops[i].unit == unit_of_pipe(P::fma);
    const u16 cycles = alu ? costs.second_alu : fma ? costs.second_fma : u16{0};
    if (cycles == 0) continue;
    ops[i].second_unit = alu ? second_alu : second_fma;
    ops[i].second_unit_cycles = cycles;
  }
  if (!lowering::has_scoreboard(capability)) return;
  auto waits = lowering::dependences_of(code, capability);
  for (std::size_t i = 0; i < code.size(); ++i) {
    // The latest to come are those that count.
    std::ranges::sort(waits[i], [](const lowering::Dependence& a, const lowering::Dependence& b) {
      return i64{a.cycles} - a.distance > i64{b.cycles} - b.distance;
    });
    for (const lowering::Dependence& d : waits[i]) {
      if (d.distance > TimedOp::most_distance || ops[i].dependences == TimedOp::most_dependences) continue;
      ops[i].dependence[ops[i].dependences++] = {static_cast<u8>(d.distance), static_cast<u16>(d.cycles)};
    }
  }
}

// Behind the branches to routines for rare operands what these issue, where lanes go there. Routines lie
// behind the code. Instead of a YIELD a dearer one beside lanes that wait.
void add_routines(const Costs& costs, std::span<const Instruction> code,
                  std::span<const LoweredInstruction> lowered, u32 capability, u64 address,
                  TimedProgram& timed) {
  std::vector<TimedOp> ops;
  u32 next = 0;  // of the ops that there were
  const auto take_until = [&](u32 end) {
    for (; next < end; ++next) {
      ops.push_back(timed.ops[next]);
      const LoweredInstruction& in = lowered[next];
      if (in.opcode == L::yield && in.from < code.size() && slow_way_of(code[in.from]) == SlowWay::yield) {
        ops.push_back(ops.back());
        std::prev(ops.end(), 2)->every = TimedOp::unless_slow;
        ops.back().every = TimedOp::when_slow;
        cost_yield(costs.yield[1], ops.back());
      }
      if (in.slow_way >= code.size()) continue;
      u64 place = address;
      for (lowering::RoutineStep& step : lowering::routine_of(slow_way_of(code[in.slow_way]), capability)) {
        step.instruction.from = in.slow_way;
        TimedOp op = timed_op(costs, step.instruction, code[in.slow_way], capability);
        op.address = place;
        place += op.size;
        op.every = TimedOp::when_slow;
        op.stall = step.stall != 0 ? step.stall : static_cast<u8>(std::min<u16>(op.result_cycles, 0xFF));
        if (step.taken) op.stall = std::max(op.stall, costs.branch_taken);
        ops.push_back(op);
      }
    }
  };
  for (TimedRegion& region : timed.regions) {
    take_until(region.begin);
    region.begin = static_cast<u32>(ops.size());
    take_until(region.end);
    region.end = static_cast<u32>(ops.size());
  }
  take_until(static_cast<u32>(timed.ops.size()));
  timed.ops = std::move(ops);
}

}  // namespace

Expected<TimedProgram> timed_program_nv(const Machine& machine, std::span<const Instruction> code,
                                        const LoweredProgram& lowered, u64 code_address) {
  const Expected<Costs> costs = read_costs(machine);
  if (!costs) return costs.error();
  TimedProgram timed;
  timed.instructions = static_cast<u32>(code.size());
  timed.vector_registers = lowered.registers;
  timed.spilled_words = lowered.spilled_bytes / 4;
  timed.ops.reserve(lowered.instructions.size());
  const u32 capability = machine.target->compute_capability();
  for (const LoweredInstruction& in : lowered.instructions) {
    timed.ops.push_back(timed_op(*costs, in, code[in.from], capability));
    timed.ops.back().address = code_address + lowering::code_offset(timed.ops.size() - 1, capability);
  }
  for (u32 i = 0; i < timed.ops.size(); ++i) {
    const LoweredInstruction& in = lowered.instructions[i];
    if (in.opcode != L::bra || in.source[0].file != LoweredOperand::File::region) continue;
    const LoweredRegion& to = lowered.regions[in.source[0].index];
    const u32 target = code[in.from].target;
    timed.ops[i].argument = target < to.first || target >= to.first + to.count;
  }
  for (const LoweredRegion& region : lowered.regions) {
    const auto of_region = [&](auto& all) {
      return std::span(all).subspan(region.begin, region.end - region.begin);
    };
    if (capability >= 70) {
      collect_operands(*costs, of_region(lowered.instructions), of_region(timed.ops));
    } else {
      finish_region(*costs, of_region(lowered.instructions), of_region(timed.ops), capability);
    }
  }
  // What is executed at issue is so with the op that has the access, else with the instruction's first.
  std::vector<u32> performer(code.size(), TimedProgram::none);
  for (u32 i = 0; i < timed.ops.size(); ++i) {
    if (timed.ops[i].access == TimedOp::spilled) continue;
    u32& who = performer[timed.ops[i].instruction];
    const bool carries = (timed.ops[i].flags & TimedOp::carries_access) != 0;
    if (who == TimedProgram::none || (carries && (timed.ops[who].flags & TimedOp::carries_access) == 0))
      who = i;
  }
  for (const u32 who : performer) {
    if (who != TimedProgram::none) timed.ops[who].flags |= TimedOp::performs;
  }
  timed.region_of.assign(code.size() + 1, TimedProgram::none);
  timed.bypass_of.assign(code.size() + 1, TimedProgram::none);
  for (const LoweredRegion& region : lowered.regions) {
    TimedRegion made{region.first, region.count, region.begin, region.end, TimedRegion::no_op};
    for (u32 i = region.begin; i < region.end; ++i) {
      timed.ops[i].waits_every = region.unrolled;
      if ((timed.ops[i].every > 1 || region.unrolled > 1) && made.counter == TimedRegion::no_op)
        made.counter = timed.counters++;
    }
    for (u32 i = region.first; i < region.first + region.count; ++i)
      timed.region_of[i] = static_cast<u32>(timed.regions.size());
    timed.regions.push_back(made);
  }
  add_routines(*costs, code, lowered.instructions, capability,
               code_address + lowering::code_offset(timed.ops.size(), capability), timed);
  if (!lowered.guarded.empty()) timed.goes_on_at.assign(code.size(), TimedProgram::none);
  for (const LoweredGuarded& guarded : lowered.guarded) {
    const u32 end = guarded.first + guarded.count;
    for (u32 i = guarded.first - 1; i < end; ++i) timed.goes_on_at[i] = end;
  }
  for (const LoweredBranch& branch : lowered.branches) {
    timed.bypass_of[branch.branch] = static_cast<u32>(timed.bypasses.size());
    timed.bypasses.push_back({branch.if_taken, branch.if_not_taken});
  }
  return timed;
}

Expected<TimedProgram> timed_program_nv(const Machine& machine, const Module& module, const Program& program,
                                        std::span<const u8> cuts, u64 code_address) {
  const Expected<LoweredProgram> lowered = lower_kernel(module, program, cuts);
  if (!lowered) return lowered.error();
  return timed_program_nv(machine, module.code.instructions, *lowered, code_address);
}

}  // namespace lockstep
