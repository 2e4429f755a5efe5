#include "time/program/amd/timed_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/amd/control.h"
#include "isa/amd/format.h"
#include "isa/amd/matrix_form.h"
#include "isa/amd/register_use.h"
#include "isa/semantic.h"
#include "machine/machine.h"
#include "time/program/cost_reader.h"
#include "time/program/dependences.h"

namespace lockstep {
namespace {

// Which keys say what a class of vector instruction costs.
struct CostKey {
  Cost cost;
  std::string_view key;
};
constexpr CostKey cost_keys[] = {
    {Cost::valu_full, "full"},
    {Cost::valu_half, "i64_shift"},
    {Cost::valu_quarter, "quarter"},
    {Cost::valu_f32_fma, "f32_fma"},
    {Cost::valu_packed_f32, "packed_f32"},
    {Cost::valu_convert, "convert"},
    {Cost::valu_division, "division"},
    {Cost::valu_i64_mad, "i64_mad"},
    {Cost::valu_swap, "swap"},
    {Cost::valu_transcendental, "transcendental"},
    {Cost::valu_f64_add, "f64_add"},
    {Cost::valu_f64_mul, "f64_fma"},
    {Cost::valu_f64_transcendental, "f64_transcendental"},
    {Cost::valu_f64_convert, "f64_convert"},
    {Cost::valu_f16, "f16"},
    {Cost::valu_dot, "dot"},
    {Cost::valu_cross_lane, "cross_lane"},
};

// Which key says how long a matrix instruction holds the matrix unit, the first that the machine has.
// Products of one block of elements of up to 16 bits have keys of their own from CDNA 3 on.
std::array<std::string_view, 2> matrix_keys(const amd::MatrixForm& form) {
  using enum amd::MatrixElement;
  const bool large = form.rows == 32, small = form.rows == 4;
  if (form.of_rdna) {
    const u32 bits = form.element == bits4 ? 2 : form.element == bits8 ? 1 : 0;
    constexpr std::string_view dense[] = {"wmma_16bit", "wmma_8bit", "wmma_4bit"};
    constexpr std::string_view sparse[] = {"swmmac_16bit", "swmmac_8bit", "swmmac_4bit"};
    return {form.sparse ? sparse[bits] : dense[bits]};
  }
  if (form.sparse) return {large ? "smfmac_32x32" : "smfmac_16x16"};
  if (form.element == f64) return {small ? "mfma_f64_4x4" : "mfma_f64_16x16"};
  const std::string_view any = large ? "mfma_32x32" : small ? "mfma_4x4" : "mfma_16x16";
  if (form.element == f32 || form.blocks > 1 || small) return {any};
  return {large ? "mfma_short_32x32" : "mfma_short_16x16", any};
}

// What the machine says, read once.
struct Costs {
  std::array<u16, static_cast<std::size_t>(Cost::count)> issue{}, result{};
  u32 turn = 4;
  bool overlaps = false;  // a wave goes on before its vector instruction's result is there
  bool own_unit = false;  // transcendentals have a unit beside the ALU
  u16 transcendental_unit = 0;
  u16 to_scalar = 16;  // from a vector instruction's issue + hold to a scalar reader's issue
  u16 salu = 4, salu_result = 4, saveexec = 8;
  u16 smem = 4, smem_x8 = 8, smem_x16 = 16;
  u32 major = 9;
  u8 most_load = 62, most_local = 14;
  bool co_issues_f32_fma = false;
  bool pairs_f32_fma = false;  // both halves of a wave of 64 in one pass
  // Matrix instructions: cycles for which they keep the vector ALU too (0: for all of theirs), from their
  // last cycle to a reader that does not add to the sum within the unit, whether the ALU may go on beside
  // them.
  u16 matrix_valu = 0, matrix_result = 0;
  bool beside_f32 = true, beside_f64 = true;
  const Machine* machine = nullptr;
};

Expected<Costs> read_costs(const Machine& machine) {
  CostReader get{machine, {}};
  Costs costs;
  costs.machine = &machine;
  costs.major = machine.target->major;
  costs.turn = get("timing.issue.turn_cycles");
  costs.own_unit = integer_or(machine, "timing.valu.transcendental_unit_cycles", 0) != 0;
  costs.transcendental_unit =
      static_cast<u16>(integer_or(machine, "timing.valu.transcendental_unit_cycles", 0));
  for (const CostKey& one : cost_keys) {
    // Packed f32 and dot products are of some targets only.
    const std::string key = fmt::format("timing.valu.issue_cycles.{}", one.key);
    const bool optional = one.cost == Cost::valu_packed_f32 || one.cost == Cost::valu_dot ||
                          one.cost == Cost::valu_swap || one.cost == Cost::valu_i64_mad;
    const auto at = static_cast<std::size_t>(one.cost);
    costs.issue[at] = optional && !has(machine, key) ? 0 : get(key);
    const std::string result = fmt::format("timing.valu.result_cycles.{}", one.key);
    costs.result[at] = static_cast<u16>(integer_or(machine, result, costs.issue[at]));
    costs.overlaps |= costs.result[at] > costs.issue[at];
  }
  costs.co_issues_f32_fma = integer_or(machine, "timing.valu.co_issues_f32_fma", 0) != 0;
  costs.pairs_f32_fma = integer_or(machine, "timing.valu.pairs_f32_fma", 0) != 0;
  costs.matrix_valu = static_cast<u16>(integer_or(machine, "timing.matrix.valu_cycles", 0));
  costs.matrix_result = static_cast<u16>(integer_or(machine, "timing.matrix.result_cycles", 0));
  costs.beside_f32 = integer_or(machine, "timing.matrix.beside_valu_f32", 1) != 0;
  costs.beside_f64 = integer_or(machine, "timing.matrix.beside_valu_f64", 1) != 0;
  costs.to_scalar = get("timing.valu.to_scalar_cycles");
  costs.salu = get("timing.salu.issue_cycles");
  costs.salu_result = static_cast<u16>(costs.salu + get("timing.salu.latency_cycles"));
  costs.saveexec = get("timing.salu.saveexec_cycles");
  costs.smem = get("timing.smem.issue_cycles");
  costs.smem_x8 = get("timing.smem.issue_cycles_x8");
  costs.smem_x16 = get("timing.smem.issue_cycles_x16");
  costs.most_load = costs.major >= 9 ? 62 : 14;
  costs.most_local = costs.major >= 10 ? 62 : 14;
  if (!get.missing.empty()) return get.diagnostic();
  return costs;
}

Pipe pipe_of(Cost cost) {
  switch (cost) {
    case Cost::salu:
      return Pipe::scalar;
    case Cost::smem_load:
    case Cost::smem_store:
    case Cost::smem_time:
      return Pipe::scalar_memory;
    case Cost::vmem_load:
    case Cost::vmem_store:
    case Cost::vmem_atomic:
    case Cost::vmem_image:
      return Pipe::vector_memory;
    case Cost::lds_load:
    case Cost::lds_store:
    case Cost::lds_atomic:
    case Cost::lds_permute:
      return Pipe::local_memory;
    case Cost::branch:
    case Cost::message:
      return Pipe::branch;
    case Cost::barrier:
    case Cost::wait:
    case Cost::nop:
    case Cost::hint:
    case Cost::sleep:
    case Cost::end:
      return Pipe::internal;
    default:
      return Pipe::vector;
  }
}

// The counters that an operation raises, by the generation's rules.
// Source: LLVM AMDGPUUsage, "Memory Model"; "RDNA 4 Instruction Set Architecture", 5.
u8 counters_of(const Instruction& in, const TimedOp& op, u32 major) {
  const bool flat = in.addressing == Addressing::flat && op.pipe == Pipe::vector_memory &&
                    (op.flags & TimedOp::cache_control) == 0;
  u32 counters = 0;
  switch (op.pipe) {
    case Pipe::scalar_memory:
      counters = counter_bit(major >= 12 ? WaitCounter::scalar : WaitCounter::local);
      break;
    case Pipe::local_memory:
      counters = counter_bit(WaitCounter::local);
      break;
    case Pipe::vector_memory: {
      const bool answers =
          (op.flags & (TimedOp::memory_store)) == 0 &&
          ((op.flags & TimedOp::memory_atomic) == 0 || (op.flags & TimedOp::memory_returns) != 0);
      if (major >= 12 && (op.flags & TimedOp::image) != 0 && answers) {
        counters = counter_bit(WaitCounter::sample);
      } else if (major >= 10 && !answers) {
        counters = counter_bit(WaitCounter::store);
      } else {
        counters = counter_bit(WaitCounter::load);
      }
      if (flat) counters |= counter_bit(WaitCounter::local);
      break;
    }
    default:
      break;
  }
  return static_cast<u8>(counters);
}

void set_waits(const Instruction& in, TimedOp& op) {
  const amd::WaitCounts counts = amd::WaitCounts::unpack(in);
  const auto set = [&op](WaitCounter counter, u8 most) {
    op.most_outstanding[static_cast<std::size_t>(counter)] = most;
  };
  set(WaitCounter::load, counts.vector);
  set(WaitCounter::store, counts.stores);
  set(WaitCounter::local, counts.local);
  set(WaitCounter::scalar, counts.scalar);
  set(WaitCounter::sample, counts.samples);
}

bool is_saveexec(const Instruction& in) {
  return in.cost == Cost::salu && in.meaning != nullptr && (in.meaning->implied & implies::writes_exec) != 0;
}

Diagnostic not_timed(Cost cost) {
  return {"not-timed",
          {},
          fmt::format("instructions of the class {} are not modelled on this GPU", name(cost)),
          "run without timing (--functional)"};
}

// The matrix unit works for the cycles of the form; the vector ALU is free earlier where the form allows it.
Status set_matrix(const Costs& costs, const Instruction& in, TimedOp& op) {
  const std::optional<amd::MatrixForm> form = amd::matrix_form(in, *costs.machine->target);
  if (!form) return not_timed(in.cost);
  std::string key;
  for (const std::string_view one : matrix_keys(*form)) {
    key = fmt::format("timing.matrix.cycles.{}", one);
    if (one.empty() || has(*costs.machine, key)) break;
  }
  if (!has(*costs.machine, key)) return not_timed(in.cost);
  op.unit_cycles = static_cast<u16>(integer(*costs.machine, key));
  const bool beside = form->element == amd::MatrixElement::f64   ? costs.beside_f64
                      : form->element == amd::MatrixElement::f32 ? costs.beside_f32
                                                                 : true;
  op.cycles = beside && costs.matrix_valu != 0 ? std::min(costs.matrix_valu, op.unit_cycles) : op.unit_cycles;
  op.flags |= TimedOp::matrix;
  return Success{};
}

Expected<TimedOp> timed_op(const Costs& costs, const Instruction& in, u64 code_address, u32 wave_lanes) {
  const Cost cost = in.cost;
  TimedOp op;
  op.address = code_address + in.address;
  op.size = in.size;
  op.cost = cost;
  op.pipe = pipe_of(cost);
  if (cost == Cost::cache_control) {
    op.pipe = in.amd.format == amd::Format::smem ? Pipe::scalar_memory : Pipe::vector_memory;
    op.flags |= TimedOp::cache_control;
  }
  const auto at = static_cast<std::size_t>(cost);
  switch (op.pipe) {
    case Pipe::vector:
      if (costs.overlaps) op.flags |= TimedOp::passes_on;
      if (cost == Cost::valu_matrix) {
        const Status set = set_matrix(costs, in, op);
        if (!set) return set.error();
        break;
      }
      if (cost == Cost::gds || costs.issue[at] == 0) return not_timed(cost);
      op.cycles = costs.issue[at];
      // Where a wave takes several turns on a SIMD, the file states the cycles of the whole wave (GCN); where
      // it goes on behind its instructions, those of one pass.
      if (costs.overlaps && !(cost == Cost::valu_f32_fma && costs.pairs_f32_fma && wave_lanes == 64))
        op.flags |= TimedOp::per_pass;
      if (cost == Cost::valu_f32_fma && costs.co_issues_f32_fma) op.flags |= TimedOp::co_issues;
      if (costs.own_unit && cost == Cost::valu_transcendental) {
        op.flags |= TimedOp::transcendental;
        op.unit_cycles = costs.transcendental_unit;
      }
      break;
    case Pipe::scalar:
      op.cycles = is_saveexec(in) ? costs.saveexec : costs.salu;
      break;
    case Pipe::scalar_memory: {
      const u32 registers = in.operand[0].registers;
      op.cycles = registers > 8 ? costs.smem_x16 : registers > 4 ? costs.smem_x8 : costs.smem;
      if (cost == Cost::smem_time) op.flags |= TimedOp::clock_read;
      if (cost == Cost::smem_store) op.flags |= TimedOp::memory_store;
      break;
    }
    case Pipe::vector_memory:
    case Pipe::local_memory:
      op.cycles = 1;
      if (cost == Cost::vmem_store || cost == Cost::lds_store) op.flags |= TimedOp::memory_store;
      if (cost == Cost::vmem_atomic || cost == Cost::lds_atomic) op.flags |= TimedOp::memory_atomic;
      if (in.flags & Instruction::returns) op.flags |= TimedOp::memory_returns;
      if (cost == Cost::vmem_image) op.flags |= TimedOp::image;
      if (cost == Cost::lds_permute) op.flags |= TimedOp::crossbar;
      // A group's compute units on RDNA have a nearest cache each.
      if (in.policy.cached >= (costs.major >= 10 ? Scope::group : Scope::cluster))
        op.flags |= TimedOp::bypasses_near;
      if (in.policy.cached >= Scope::device) op.flags |= TimedOp::device_wide;
      if (in.policy.reuse == Reuse::streaming || in.policy.reuse == Reuse::last_use)
        op.flags |= TimedOp::streaming;
      break;
    case Pipe::branch:
      op.cycles = 4;
      break;
    default:
      // Each repetition of s_nop takes a turn.
      if (cost == Cost::nop)
        op.argument = static_cast<u16>(((static_cast<u32>(in.offset) & 15) + 1) * costs.turn);
      if (amd::sets_priority(in)) {
        op.flags |= TimedOp::set_priority;
        op.argument = static_cast<u16>(in.offset & 3);
      }
      // s_sleep: about 64 cycles times its operand.
      if (cost == Cost::sleep) op.argument = static_cast<u16>(64 * (static_cast<u32>(in.offset) & 127));
      break;
  }
  if (cost == Cost::wait) set_waits(in, op);
  op.counters = counters_of(in, op, costs.major);
  for (u32 c = 0; c < wait_counter_count; ++c) {
    if ((op.counters >> c & 1) == 0) continue;
    const bool local = c == static_cast<u32>(WaitCounter::local);
    op.most_outstanding[c] = local ? costs.most_local : costs.most_load;
  }
  return op;
}

// Cycles from the issue of `producer` to the first in which `consumer` may issue; 0 where nothing but the
// order of issue keeps it (memory has its counters). `in_unit`: the consumer adds to the matrix that the
// producer makes.
u32 result_cycles(const Costs& costs, const TimedOp& producer, const TimedOp& consumer, bool in_unit) {
  switch (producer.pipe) {
    case Pipe::vector: {
      if (producer.cost == Cost::valu_matrix)
        return u32{producer.unit_cycles} + (in_unit ? 0u : costs.matrix_result);
      if (consumer.pipe == Pipe::vector) {
        const u32 cycles = costs.result[static_cast<std::size_t>(producer.cost)];
        return costs.overlaps ? cycles : 0;
      }
      const bool scalar = consumer.pipe == Pipe::scalar || consumer.pipe == Pipe::scalar_memory ||
                          consumer.pipe == Pipe::branch;
      if (costs.overlaps) {
        const u32 cycles = costs.result[static_cast<std::size_t>(producer.cost)];
        return scalar ? std::max<u32>(cycles, costs.to_scalar) : cycles;
      }
      return 0;
    }
    case Pipe::scalar:
      return costs.salu_result;
    default:
      return 0;
  }
}

void find_dependences(const Costs& costs, std::span<const Instruction> code, u32 lanes,
                      std::vector<TimedOp>& ops) {
  std::vector<bool> entry(code.size() + 1);
  for (const Instruction& in : code) {
    if (in.cost == Cost::branch && in.target < code.size()) entry[in.target] = true;
  }
  Writers writers;
  // A vector instruction's mask or scalar result is on its way to the scalar side for some cycles more.
  const bool delays_scalars = !costs.overlaps;
  // The parts of a packet issue together, with the first of them.
  u32 packets = 0;
  std::vector<u32> number(code.size()), first_of(code.size());
  for (u32 i = 0; i < code.size(); ++i) {
    const bool follows = (ops[i].flags & TimedOp::second_half) != 0;
    first_of[i] = follows ? first_of[i - 1] : i;
    number[i] = packets += follows ? 0 : 1;
  }
  for (u32 i = 0; i < code.size(); ++i) {
    if (entry[i]) writers.clear();
    const Instruction& in = code[i];
    RegisterUse use;
    amd::register_use(in, lanes, use);
    TimedOp& op = ops[first_of[i]];
    for (const RegisterRange& range : use.ranges()) {
      if (range.written) continue;
      for (u32 r = range.first; r < range.first + range.count; ++r) {
        const u32 writer = writers.of(range.file, r);
        if (writer == Writers::none || number[writer] == number[i]) continue;
        const TimedOp& producer = ops[writer];
        u32 cycles = result_cycles(costs, producer, op, amd::accumulates_on(code[writer], in));
        if (delays_scalars && producer.pipe == Pipe::vector && op.pipe != Pipe::vector &&
            range.file != RegisterFile::vector) {
          cycles = u32{producer.cycles} + costs.to_scalar;
        }
        if (cycles != 0) add_dependence(op, number[i] - number[writer], cycles, costs.turn);
      }
    }
    for (const RegisterRange& range : use.ranges()) {
      if (range.written) writers.write(range, i);
    }
    if (op.pipe == Pipe::branch || op.cost == Cost::end) writers.clear();
  }
}

}  // namespace

Expected<TimedProgram> timed_program_amd(const Machine& machine, const Program& program,
                                         std::span<const Instruction> code, u64 code_address) {
  const Expected<Costs> costs = read_costs(machine);
  if (!costs) return costs.error();
  TimedProgram timed;
  timed.ops.reserve(code.size());
  for (const Instruction& in : code) {
    const Expected<TimedOp> op = timed_op(*costs, in, code_address, program.needs.wave_lanes);
    if (!op) return op.error();
    timed.ops.push_back(*op);
  }
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (code[i].slots > 1) timed.ops[i].parts = code[i].slots;
    for (u32 half = 1; half < code[i].slots && i + half < code.size(); ++half)
      timed.ops[i + half].flags |= TimedOp::second_half;
  }
  find_dependences(*costs, code, program.needs.wave_lanes, timed.ops);
  return timed;
}

}  // namespace lockstep
