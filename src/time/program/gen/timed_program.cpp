#include "time/program/gen/timed_program.h"

#include <algorithm>
#include <bit>

#include "isa/gen/compute.h"
#include "isa/gen/message.h"
#include "isa/gen/register_use.h"
#include "isa/gen/wave.h"
#include "isa/semantic.h"
#include "machine/machine.h"
#include "time/program/cost_reader.h"
#include "time/program/dependences.h"
#include "time/program/gen/scoreboard.h"

namespace lockstep {
namespace {

using gen::bytes_of;
using gen::Operation;
using gen::Source;
using gen::Where;

// Units beside the arithmetic pipes.
constexpr u8 send_unit = 1;

// What an instruction of a kind takes: its pipe for each register of its widest operand, and its result
// beyond that.
struct Kind {
  u16 cycles = 2, latency = 8;
};

struct GenCosts {
  Kind full, product, wide, f64, math, power, quotient;
  u16 accumulator = 4, flag = 12;  // latencies of results that go there
  u16 send = 1;                    // of a message for each register of its payload
};

GenCosts read_costs(CostReader& get) {
  GenCosts costs;
  const auto kind = [&get](std::string_view name) {
    return Kind{get(fmt::format("timing.eu.{}_cycles", name)),
                get(fmt::format("timing.eu.{}_result_cycles", name))};
  };
  costs.full = kind("full");
  costs.product = kind("product");
  costs.wide = kind("wide");
  costs.f64 = kind("f64");
  costs.math = kind("math");
  costs.power = kind("power");
  costs.quotient = kind("quotient");
  costs.accumulator = get("timing.eu.accumulator_result_cycles");
  costs.flag = get("timing.eu.flag_result_cycles");
  costs.send = get("timing.eu.send_cycles");
  return costs;
}

bool is_dword(const Source& source) {
  return source.place == Where::none || bytes_of(source.type) >= 4;
}

const Kind& kind_of(const GenCosts& costs, const Instruction& in, const Operation& operation) {
  switch (in.cost) {
    case Cost::valu_transcendental:
      if (in.meaning == &gen::power_meaning() || in.meaning == &gen::division_meaning()) return costs.power;
      if (in.meaning->division == Division::whole) return costs.quotient;
      return costs.math;
    case Cost::valu_f64_add:
    case Cost::valu_f64_mul:
      return costs.f64;
    case Cost::valu_half:
      return costs.wide;
    case Cost::valu_quarter:
      // With words a product takes no longer than a sum.
      return is_dword(operation.source[0]) && is_dword(operation.source[1]) ? costs.product : costs.full;
    default:
      return costs.full;
  }
}

// Registers that the widest operand has, read or written.
u32 registers_of(const Operation& operation) {
  u32 bytes = operation.result.place == Where::none
                  ? 0
                  : (operation.lanes - 1u) * std::max<u32>(operation.result.step, 1) +
                        bytes_of(operation.result.type);
  for (u32 i = 0; i < operation.sources; ++i) {
    const Source& source = operation.source[i];
    if (source.scalar() || source.place == Where::immediate) continue;
    bytes = std::max(bytes, operation.lanes * bytes_of(source.type));
  }
  return std::max(1u, (bytes + gen::file::register_bytes - 1) / gen::file::register_bytes);
}

u32 moved_bytes(const gen::Message& message) {
  using enum gen::Message::Kind;
  const gen::PayloadRegisters registers = gen::registers_of(message);
  switch (message.kind) {
    case scattered_read:
    case scattered_write:
      return u32{message.lanes} * message.element * message.count;
    case block_read:
    case block_write:
      return u32{message.count} * 16;
    case typed_write:
      return gen::file::register_bytes * static_cast<u32>(std::popcount(message.mask));
    case typed_read:
    case sample:
      return gen::file::register_bytes * message.registers;
    default:
      return gen::file::register_bytes * std::max(registers.data, registers.response);
  }
}

class GenBuilder {
 public:
  GenBuilder(const GenCosts& costs, const Module& module, const gen::GenProgram& program, u64 code_address)
      : costs_(costs), code_(module.code.instructions), program_(program), code_address_(code_address) {}

  std::vector<TimedOp> ops() {
    std::vector<TimedOp> ops;
    ops.reserve(code_.size());
    for (const Instruction& in : code_) ops.push_back(op_of(in));
    find_dependences(ops);
    return ops;
  }

 private:
  const Operation& operation_of(const Instruction& in) const { return (*program_.operations)[in.detail]; }

  TimedOp op_of(const Instruction& in) const {
    const Operation& operation = operation_of(in);
    TimedOp op;
    op.address = code_address_ + in.address;
    op.size = in.size;
    op.cost = in.cost;
    switch (in.cost) {
      case Cost::vmem_load:
      case Cost::vmem_store:
      case Cost::vmem_atomic:
      case Cost::vmem_image:
      case Cost::lds_load:
      case Cost::lds_store:
      case Cost::lds_atomic:
        message(in, operation, op);
        break;
      case Cost::branch:
        op.pipe = Pipe::branch;
        op.cycles = 1;
        break;
      case Cost::message:
        op.pipe = Pipe::branch;
        op.cycles = send(operation, op);
        break;
      case Cost::wait:  // a fence: what the thread has stored is where others see it
        op.most_outstanding[static_cast<std::size_t>(WaitCounter::store)] = 0;
        op.most_outstanding[static_cast<std::size_t>(WaitCounter::load)] = 0;
        op.most_outstanding[static_cast<std::size_t>(WaitCounter::local)] = 0;
        break;
      case Cost::nop:
        op.argument = 1;
        break;
      case Cost::barrier:
      case Cost::end:
        break;
      default:
        arithmetic(in, operation, op);
    }
    return op;
  }

  void arithmetic(const Instruction& in, const Operation& operation, TimedOp& op) const {
    op.pipe = Pipe::vector;
    op.cycles = static_cast<u16>(kind_of(costs_, in, operation).cycles * registers_of(operation));
    if (in.cost == Cost::valu_transcendental || in.cost == Cost::valu_f64_add ||
        in.cost == Cost::valu_f64_mul)
      op.flags |= TimedOp::second_pipe;
  }

  // The thread's way to what its unit shares is taken for the payload.
  u16 send(const Operation& operation, TimedOp& op) const {
    const gen::PayloadRegisters payload = gen::registers_of(operation.message);
    op.unit = send_unit;
    op.unit_cycles = static_cast<u16>(std::max(1u, costs_.send * (payload.addresses + payload.data)));
    return op.unit_cycles;
  }

  void message(const Instruction& in, const Operation& operation, TimedOp& op) const {
    const bool local = in.addressing == Addressing::local;
    op.pipe = local ? Pipe::local_memory : Pipe::vector_memory;
    op.cycles = send(operation, op);
    op.moved_bytes = static_cast<u16>(moved_bytes(operation.message));
    const bool store = in.cost == Cost::vmem_store || in.cost == Cost::lds_store;
    const bool atomic = in.cost == Cost::vmem_atomic || in.cost == Cost::lds_atomic;
    if (store) op.flags |= TimedOp::memory_store;
    if (atomic) op.flags |= TimedOp::memory_atomic;
    const bool returns = operation.responds && !store;
    if (returns && atomic) op.flags |= TimedOp::memory_returns;
    const bool sampler = in.cost == Cost::vmem_image;
    if (sampler) op.flags |= TimedOp::image;
    // The first level is the sampler's: data ports have none.
    if (!local && !sampler) op.flags |= TimedOp::bypasses_near;
    op.counters = static_cast<u8>(local     ? counter_bit(WaitCounter::local)
                                  : sampler ? counter_bit(WaitCounter::sample)
                                  : returns ? counter_bit(WaitCounter::load)
                                            : counter_bit(WaitCounter::store));
  }

  // Cycles from the producer's issue to that of an instruction that needs what it writes to the file.
  u32 result_cycles(u32 producer, const TimedOp& op, const RegisterRange& range) const {
    if (op.pipe != Pipe::vector) return 0;
    const Instruction& in = code_[producer];
    const u32 latency = range.file == RegisterFile::scalar ? costs_.flag
                        : range.first >= gen::vector_number::accumulator
                            ? costs_.accumulator
                            : kind_of(costs_, in, operation_of(in)).latency;
    return op.cycles + latency;
  }

  void find_dependences(std::vector<TimedOp>& ops) const {
    std::vector<bool> entry(code_.size() + 1);
    for (const Instruction& in : code_) {
      if (in.cost != Cost::branch) continue;
      const Operation& operation = operation_of(in);
      entry[operation.jump] = entry[operation.other_jump] = true;
    }
    Writers writers, readers;
    for (u32 i = 0; i < code_.size(); ++i) {
      if (entry[i]) writers.clear(), readers.clear();
      RegisterUse use;
      gen::register_use(code_[i], program_, use);
      TimedOp& op = ops[i];
      for (const RegisterRange& range : use.ranges()) {
        if (range.file == RegisterFile::exec) continue;
        for (u32 r = range.first; r < range.first + range.count; ++r) {
          const u32 writer = writers.of(range.file, r);
          if (writer != Writers::none)
            add_dependence(op, i - writer, result_cycles(writer, ops[writer], {range.file, false, r, 1}), 1);
          // A message's payload is read bit by bit.
          const u32 reader = range.written ? readers.of(range.file, r) : Writers::none;
          if (reader != Writers::none) add_dependence(op, i - reader, ops[reader].unit_cycles, 1);
        }
      }
      for (const RegisterRange& range : use.ranges()) {
        if (range.file == RegisterFile::exec) continue;
        if (range.written) {
          writers.write(range, i);
        } else if (op.unit == send_unit) {
          readers.write(range, i);
        }
      }
      if (op.pipe == Pipe::branch || op.cost == Cost::end) writers.clear(), readers.clear();
    }
  }

  const GenCosts& costs_;
  std::span<const Instruction> code_;
  const gen::GenProgram& program_;
  const u64 code_address_;
};

}  // namespace

Expected<TimedProgram> timed_program_gen(const Machine& machine, const Module& module, u64 code_address) {
  CostReader get{machine, {}};
  const GenCosts costs = read_costs(get);
  if (!get.missing.empty()) return get.diagnostic();
  TimedProgram timed;
  if (module.programs.empty()) return timed;
  const auto& program = static_cast<const gen::GenProgram&>(*module.programs[0].isa);
  timed.ops = GenBuilder(costs, module, program, code_address).ops();
  find_message_waits(module, program, timed.ops);
  return timed;
}

}  // namespace lockstep
