#include "time/source/taint.h"

#include <algorithm>

#include "isa/semantic.h"
#include "isa/wave.h"

namespace lockstep {
namespace {

bool is_load(Cost cost) {
  return cost == Cost::vmem_load || cost == Cost::vmem_image || cost == Cost::smem_load ||
         cost == Cost::lds_load;
}

// Whether a register that a store or atomic reads is only data to it, no part of an address.
bool is_only_data(const Instruction& in, RegisterFile file, u32 index) {
  if (in.addressing == Addressing::image) return false;
  bool data = false;
  for (u32 i = 0; i < in.operand.size(); ++i) {
    const Operand& operand = in.operand[i];
    const bool vector = operand.kind == OperandKind::vector, scalar = operand.kind == OperandKind::scalar;
    if (!vector && !scalar) continue;
    if (file != (vector ? RegisterFile::vector : RegisterFile::scalar)) continue;
    if (index < operand.index || index - operand.index >= operand.registers) continue;
    // The fourth and fifth are scalar parts of an address, or further rows to store.
    if (i == 1 || ((i == 3 || i == 4) && scalar)) return false;
    data = true;
  }
  return data;
}

bool is_exec(const RegisterRange& range) {
  if (range.file == RegisterFile::exec) return true;
  return range.file == RegisterFile::scalar && range.first <= scalar_register::exec_hi &&
         range.first + range.count > scalar_register::exec_lo;
}

}  // namespace

TaintRules::TaintRules(const Module& module, const Program& program, const AdvanceRules& advance) {
  const bool merges_masks = module.target->isa == IsaFamily::ptx;
  const std::vector<Instruction>& code = module.code.instructions;
  steps_.resize(code.size());
  for (u32 i = 0; i < code.size(); ++i) {
    const Instruction& in = code[i];
    const u8 bits = advance.bits[i];
    Step& step = steps_[i];
    step.first = static_cast<u32>(ranges_.size());
    if (in.meaning == nullptr) continue;
    step.counts = in.meaning->role == Role::counted_barrier;
    if (step.counts) idle_ = false;
    const Combining combining = in.meaning->combining;
    const bool memory = in.meaning->shape == Shape::memory;
    if (memory) {
      step.flow = combining != Combining::none ? Flow::atomic : is_load(in.cost) ? Flow::load : Flow::store;
      step.constant = in.cost == Cost::smem_load || in.policy.has(AccessPolicy::read_only);
    }
    // The order of a group's atomics on its local memory is a matter of time, too.
    step.source = (bits & (advance::timed | advance::ordered)) != 0 || combining != Combining::none;
    step.leaves = combining != Combining::none && !commutes(combining);
    step.merges = merges_masks;
    RegisterUse use;
    module.isa->register_use(program, in, use);
    step.indexed = use.indexed;
    for (const bool written : {false, true}) {
      for (const RegisterRange& range : use.ranges()) {
        if (range.written != written) continue;
        if (!written && (step.flow == Flow::store || step.flow == Flow::atomic) && !is_exec(range)) {
          // One by one: neighbours that mean different things are told as one range.
          for (u32 r = range.first; r < range.first + range.count; ++r) {
            ranges_.push_back({{range.file, false, r, 1}, !is_only_data(in, range.file, r)});
            ++step.reads;
          }
          continue;
        }
        if (written) step.steers = step.steers || is_exec(range);
        const bool address = step.flow == Flow::load && !is_exec(range);
        ranges_.push_back({range, !written && (address || (bits & advance::branch) != 0)});
        ++(written ? step.writes : step.reads);
      }
    }
    idle_ = idle_ && !step.leaves && (!step.source || step.writes == 0);
  }
}

void WaveTaint::begin() {
  std::fill(rows_.begin(), rows_.end(), u8{0});
  std::fill(scalars_.begin(), scalars_.end(), u8{0});
  condition_ = exec_ = any_ = 0;
  lanes_ = 0;
  findings_ = {};
}

u8 WaveTaint::of(const RegisterRange& range) const {
  if (range.file == RegisterFile::condition) return condition_;
  if (range.file == RegisterFile::exec) return exec_;
  const std::vector<u8>& file = range.file == RegisterFile::vector ? rows_ : scalars_;
  u8 taint = 0;
  const std::size_t end = std::min<std::size_t>(file.size(), range.first + range.count);
  for (std::size_t i = range.first; i < end; ++i) taint |= file[i];
  return taint;
}

void WaveTaint::set(const RegisterRange& range, u8 taint, bool whole) {
  if (range.file == RegisterFile::condition) {
    condition_ = taint;
    return;
  }
  if (range.file == RegisterFile::exec) {
    exec_ = taint;
    return;
  }
  const bool vector = range.file == RegisterFile::vector;
  std::vector<u8>& file = vector ? rows_ : scalars_;
  if (taint == 0 && range.first >= file.size()) return;
  if (file.size() < range.first + range.count) file.resize(range.first + range.count, 0);
  for (u32 i = range.first; i < range.first + range.count; ++i) file[i] = whole ? taint : file[i] | taint;
}

void WaveTaint::step(const TaintRules& rules, u32 instruction, u64 active) {
  const TaintRules::Step& step = rules.steps_[instruction];
  lanes_ |= active;
  findings_.steered = findings_.steered || step.counts;
  u8 taint = 0, steering = 0;
  if (any_ != 0) {
    for (u32 i = 0; i < step.reads; ++i) {
      const TaintRules::Range& range = rules.ranges_[step.first + i];
      const u8 one = of(range.registers);
      taint |= one;
      if (range.steers || step.steers) steering |= one;
    }
    // Which registers are meant could depend on any.
    if (step.indexed) steering |= any_;
  }
  using Flow = TaintRules::Flow;
  const bool stores = step.flow == Flow::store || step.flow == Flow::atomic;
  if (stores && ((taint & time) != 0 || step.leaves)) findings_.stored = true;
  // What a load found is known by where, not by what the address came from: that steers already.
  if (step.flow == Flow::load) taint = step.constant ? 0 : loaded;
  if (step.flow == Flow::atomic) taint = loaded;
  if (step.source) taint |= time;
  findings_.steered = findings_.steered || (steering & time) != 0;
  findings_.steered_by_load = findings_.steered_by_load || (steering & loaded) != 0;
  if (taint == 0 && any_ == 0) return;
  any_ |= taint;
  // Inactive lanes keep what they held, of some ISAs those of a mask, too.
  const bool whole = (lanes_ & ~active) == 0;
  for (u32 i = 0; i < step.writes; ++i) {
    const RegisterRange& range = rules.ranges_[step.first + step.reads + i].registers;
    const bool one_for_all = range.file != RegisterFile::vector && !step.merges;
    set(range, taint, whole || one_for_all);
  }
}

}  // namespace lockstep
