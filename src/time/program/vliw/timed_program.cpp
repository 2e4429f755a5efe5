#include "time/program/vliw/timed_program.h"

#include "isa/semantic.h"
#include "isa/vliw/control.h"
#include "isa/vliw/wave.h"
#include "machine/machine.h"
#include "time/program/cost_reader.h"

namespace lockstep {
namespace {

using vliw::RowLayout;
namespace packet_detail = vliw::packet_detail;

struct VliwCosts {
  u16 issue = 4;   // that a packet holds its SIMD
  u16 result = 8;  // from a packet to the next one of its wave
  // From a clause's last instruction to the first of the next clause; of these, what is left when the
  // control flow has come to the next clause.
  u16 switching = 40, begin = 32;
};

bool is_packet(const Instruction& in) {
  return in.meaning == &vliw::packet() && in.cost != Cost::vmem_store;
}

bool is_fetch(const Instruction& in) {
  return in.cost == Cost::vmem_load || in.cost == Cost::vmem_image;
}

bool is_local(Cost cost) {
  return cost == Cost::lds_load || cost == Cost::lds_store || cost == Cost::lds_atomic;
}

// Whether the row is a place of local memory's return queue.
bool is_queue(const RowLayout& layout, const Operand& operand) {
  return operand.kind == OperandKind::vector && operand.index - layout.queue(0) < RowLayout::most_queued;
}

class VliwBuilder {
 public:
  VliwBuilder(const VliwCosts& costs, std::span<const Instruction> code, u64 code_address)
      : costs_(costs), code_(code), code_address_(code_address) {}

  // A kernel with atomics or stores of less than a word has all of its stores go by the path of those
  // (CompletePath).
  void begin(const Program& program) {
    by_words_ = false;
    for (u32 at = program.entry; at < program.end; at += code_[at].slots) {
      const Instruction& in = code_[at];
      by_words_ |= in.cost == Cost::vmem_atomic || (in.cost == Cost::vmem_store && in.slots > 1);
    }
  }

  void add(u32 at, const RowLayout& layout, std::vector<TimedOp>& ops) {
    const Instruction& in = code_[at];
    TimedOp op;
    op.address = code_address_ + in.address;
    op.size = in.size;
    op.cost = in.cost;
    op.parts = in.slots;
    const u32 next = at + in.slots;
    if (is_packet(in)) {
      packet(in, layout, op);
      if (next >= code_.size() || !is_packet(code_[next])) {
        op.flags |= TimedOp::ends_clause;
        queued_ = taken_ = 0;
      }
    } else if (is_fetch(in)) {
      op.pipe = Pipe::vector_memory;
      op.cycles = 1;
      op.counters = counter_bit(WaitCounter::load);
      if (!in.policy.has(AccessPolicy::read_only)) op.flags |= TimedOp::bypasses_near | TimedOp::uncached;
    } else {
      control(in, op);
    }
    ops.push_back(op);
    // They issue with it.
    for (u32 part = 1; part < in.slots; ++part) {
      ops.push_back(op);
      ops.back().flags = TimedOp::second_half;
    }
  }

 private:
  void packet(const Instruction& in, const RowLayout& layout, TimedOp& op) {
    op.slots = static_cast<u8>(packet_detail::operations(in.detail));
    if (in.cost == Cost::barrier) return;  // the wave leaves its clause until all have come
    op.pipe = Pipe::vector;
    op.cycles = costs_.issue;
    op.stall = static_cast<u8>(costs_.result);
    op.flags |= TimedOp::in_clause;
    if (is_local(in.cost)) op.flags |= TimedOp::moves_local;
    if (in.cost == Cost::lds_store) op.flags |= TimedOp::memory_store;
    if (in.cost == Cost::lds_atomic) op.flags |= TimedOp::memory_atomic;
    // Values come to the queue in order: a packet that takes one waits until no more are on their way than
    // were asked for behind it.
    u32 taken = 0, queued = 0;
    for (u32 part = 1; part < in.slots; ++part) {
      const Instruction& one = (&in)[part];
      for (std::size_t i = 1; i < one.operand.size(); ++i) taken += is_queue(layout, one.operand[i]);
      queued += one.addressing == Addressing::local && is_queue(layout, one.operand[0]);
    }
    taken_ += taken;
    if (taken != 0)
      op.most_outstanding[static_cast<std::size_t>(WaitCounter::local)] = static_cast<u8>(queued_ - taken_);
    if (queued != 0) {
      op.flags |= TimedOp::memory_returns;
      op.counters = counter_bit(WaitCounter::local);
      queued_ += queued;
    }
  }

  // LLVM sets every control-flow instruction's barrier bit: it waits for the fetches before it.
  void control(const Instruction& in, TimedOp& op) {
    op.most_outstanding[static_cast<std::size_t>(WaitCounter::load)] = 0;
    switch (in.cost) {
      case Cost::vmem_store:
      case Cost::vmem_atomic:
        op.pipe = Pipe::vector_memory;
        op.cycles = 1;
        op.stall = static_cast<u8>(costs_.switching);
        op.flags |= in.cost == Cost::vmem_store ? TimedOp::memory_store : TimedOp::memory_atomic;
        if (in.cost == Cost::vmem_store && by_words_) op.flags |= TimedOp::by_words;
        if (in.flags & Instruction::returns) {
          op.flags |= TimedOp::memory_returns;
          op.counters = counter_bit(WaitCounter::load);
        }
        break;
      case Cost::hint:
        op.pipe = Pipe::branch;
        op.cycles = costs_.begin;
        break;
      case Cost::branch:
        op.pipe = Pipe::branch;
        op.cycles = costs_.switching;
        break;
      default:
        break;
    }
  }

  const VliwCosts& costs_;
  std::span<const Instruction> code_;
  const u64 code_address_;
  bool by_words_ = false;
  u32 queued_ = 0, taken_ = 0;  // values of the return queue, since the clause began
};

}  // namespace

Expected<TimedProgram> timed_program_vliw(const Machine& machine, const Module& module, u64 code_address) {
  CostReader get{machine, {}};
  VliwCosts costs;
  costs.issue = get("timing.packet.issue_cycles");
  costs.result = get("timing.packet.result_cycles");
  costs.switching = get("timing.clause.switch_cycles");
  if (!get.missing.empty()) return get.diagnostic();
  costs.begin = static_cast<u16>(costs.switching - costs.result);
  const std::span<const Instruction> code = module.code.instructions;
  TimedProgram timed;
  timed.ops.reserve(code.size());
  VliwBuilder builder(costs, code, code_address);
  for (const Program& program : module.programs) {
    const RowLayout& layout = static_cast<const vliw::VliwProgram&>(*program.isa).layout;
    builder.begin(program);
    for (u32 at = program.entry; at < program.end; at += code[at].slots) builder.add(at, layout, timed.ops);
  }
  LOCKSTEP_ASSERT(timed.ops.size() == code.size(), "every instruction is part of a kernel");
  return timed;
}

}  // namespace lockstep
