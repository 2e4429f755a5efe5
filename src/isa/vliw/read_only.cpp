#include "isa/vliw/read_only.h"

#include <optional>

#include "isa/semantic.h"
#include "isa/vliw/control.h"
#include "isa/vliw/register_use.h"

namespace lockstep::vliw {
namespace {

constexpr int most_passes = 16;
constexpr u32 most_pointers = 64;

// By row: a bit for each pointer that its values may come from.
using State = std::vector<u64>;

void join(State& state, const State& other) {
  for (std::size_t i = 0; i < state.size(); ++i) state[i] |= other[i];
}

// Follows pointers through the structured control flow: what lanes hold that did not take a way is joined
// where they come back.
class Follower {
 public:
  Follower(std::vector<Built>& code, const RowLayout& layout, std::span<const Parameter> parameters)
      : code_(code), layout_(layout) {
    for (const Parameter& parameter : parameters) {
      const bool constant = parameter.kind == ParameterKind::constant_pointer;
      if (!constant && parameter.kind != ParameterKind::global_pointer) continue;
      const u32 dword = parameter.offset / 4;
      if (dword >= pointer_.size()) pointer_.resize(dword + 1);
      pointer_[dword] = u64{1} << (pointers_ % most_pointers);
      const bool kept = constant || (parameter.read_only && parameter.is_restrict && !parameter.is_volatile);
      if (!kept) changed_ |= pointer_[dword];
      ++pointers_;
    }
  }

  void run() {
    if (pointers_ == 0) return;
    loops_.assign(code_.size(), {});
    for (int pass = 0; pass < most_passes; ++pass) {
      again_ = false;
      if (!follow()) return;
      if (again_) continue;
      for (const std::size_t fetch : read_only_) code_[fetch].in.policy.flags |= AccessPolicy::read_only;
      return;
    }
  }

 private:
  struct Open {
    State before, joined;
    std::size_t loop = 0;
    bool is_loop = false;
  };

  // False where the control flow is not nested as compilers nest it.
  bool follow() {
    rows_.assign(layout_.rows(), 0);
    open_.clear();
    read_only_.clear();
    for (std::size_t at = 0; at < code_.size(); at += code_[at].in.slots) {
      const Instruction& in = code_[at].in;
      if (in.meaning == &packet()) {
        for (u32 part = 1; part < in.slots; ++part) move(code_[at + part].in);
        if (!after(packet_detail::after(in.cost == Cost::vmem_store ? 0 : in.detail))) return false;
      } else if (in.cost == Cost::vmem_load) {
        const u64 from = rows_[in.operand[1].index];
        if (from != 0 && (from & changed_) == 0) read_only_.push_back(at);
        for (u32 i = 0; i < in.operand[0].registers; ++i) rows_[in.operand[0].index + i] = 0;
      } else if (!control_flow(in, at)) {
        return false;
      }
    }
    return true;
  }

  void move(const Instruction& in) {
    RegisterUse use;
    Instruction alone = in;
    alone.slots = 1;
    register_use(alone, layout_, use);
    u64 from = 0;
    const bool memory = in.meaning->shape == Shape::memory;
    for (const RegisterRange& range : use.ranges()) {
      if (range.written || memory) continue;
      for (u32 i = range.first; i < range.first + range.count; ++i) {
        if (range.file == RegisterFile::vector) from |= rows_[i];
        if (range.file == RegisterFile::scalar && i - fixed_scalar::constants < pointer_.size())
          from |= pointer_[i - fixed_scalar::constants];
      }
    }
    const bool some_lanes = in.guard != 0 || in.meaning == &write_relative();
    for (const RegisterRange& range : use.ranges()) {
      if (!range.written || range.file != RegisterFile::vector) continue;
      for (u32 i = range.first; i < range.first + range.count; ++i)
        rows_[i] = some_lanes ? rows_[i] | from : from;
    }
  }

  void push(std::size_t loop, bool is_loop) { open_.push_back({rows_, rows_, loop, is_loop}); }
  bool pop(u32 count) {
    for (; count > 0; --count) {
      if (open_.empty() || open_.back().is_loop) return false;
      join(rows_, open_.back().joined);
      open_.pop_back();
    }
    return true;
  }
  bool turn() {
    if (open_.empty() || open_.back().is_loop) return false;
    join(open_.back().joined, rows_);
    rows_ = open_.back().before;
    return true;
  }
  bool leave_loop() {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (!open->is_loop) continue;
      join(open->joined, rows_);
      return true;
    }
    return false;
  }

  bool after(After after) {
    switch (after) {
      case After::nothing:
        return true;
      case After::pop:
        return pop(1);
      case After::pop2:
        return pop(2);
      case After::else_:
        return turn();
      case After::break_:
      case After::continue_:
        return leave_loop();
    }
    return true;
  }

  bool control_flow(const Instruction& in, std::size_t at) {
    if (in.meaning == &control(Step::push) || in.meaning == &control(Step::push_clause)) {
      push(0, false);
    } else if (in.meaning == &control(Step::else_)) {
      return turn();
    } else if (in.meaning == &control(Step::pop)) {
      return pop(in.detail);
    } else if (in.meaning == &control(Step::loop_start)) {
      if (!loops_[at].empty()) join(rows_, loops_[at]);
      push(at, true);
    } else if (in.meaning == &control(Step::loop_break) || in.meaning == &control(Step::loop_continue)) {
      return leave_loop();
    } else if (in.meaning == &control(Step::loop_end)) {
      if (open_.empty() || !open_.back().is_loop) return false;
      join(rows_, open_.back().joined);
      State& turns = loops_[open_.back().loop];
      again_ = again_ || turns != rows_;
      turns = rows_;
      open_.pop_back();
    }
    return true;
  }

  std::vector<Built>& code_;
  const RowLayout& layout_;
  std::vector<u64> pointer_;  // by dword of the constant buffer
  u32 pointers_ = 0;
  u64 changed_ = 0;  // those through which the launch may write
  State rows_;
  std::vector<Open> open_;
  std::vector<State> loops_;  // by a loop's start: what its last turn left
  bool again_ = false;
  std::vector<std::size_t> read_only_;
};

}  // namespace

void mark_read_only(std::vector<Built>& code, const RowLayout& layout,
                    std::span<const Parameter> parameters) {
  Follower(code, layout, parameters).run();
}

}  // namespace lockstep::vliw
