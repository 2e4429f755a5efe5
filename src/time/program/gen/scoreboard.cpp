#include "time/program/gen/scoreboard.h"

#include <algorithm>
#include <bit>
#include <deque>

#include "isa/gen/control.h"
#include "isa/gen/operation.h"
#include "isa/gen/register_use.h"
#include "isa/gen/wave.h"
#include "isa/semantic.h"

namespace lockstep {
namespace {

// A wait counter holds so many operations; an older one counts as this old.
constexpr u8 oldest = 60, nothing = 0xFF;

// By counter and general register: how many messages of the counter were sent behind the one that will write
// the register. The least of all ways that lead to an instruction.
class Pending {
 public:
  Pending() { age_.fill(nothing); }

  u8& at(u32 counter, u32 number) { return age_[counter * gen::file::registers + number]; }

  // True where that changes anything.
  bool merge(const Pending& other) {
    bool changed = false;
    for (std::size_t i = 0; i < age_.size(); ++i) {
      if (other.age_[i] >= age_[i]) continue;
      age_[i] = other.age_[i];
      changed = true;
    }
    return changed;
  }

  // No more than `most` messages of the counter are on their way: those before them have come back.
  void wait(u32 counter, u8 most) {
    for_each(counter, [most](u8& age) {
      if (age != nothing && age >= most) age = nothing;
    });
  }
  void send(u32 counter) {
    for_each(counter, [](u8& age) {
      if (age < oldest) ++age;
    });
  }

 private:
  template <class F>
  void for_each(u32 counter, F function) {
    for (u32 r = 0; r < gen::file::registers; ++r) function(at(counter, r));
  }
  std::array<u8, wait_counter_count * gen::file::registers> age_;
};

class Analysis {
 public:
  Analysis(const Module& module, const gen::GenProgram& program, std::vector<TimedOp>& ops)
      : code_(module.code.instructions),
        program_(program),
        ops_(ops),
        before_(code_.size()),
        reached_(code_.size()),
        waits_(code_.size()),
        entry_(code_.size() + 1) {
    for (u32 i = 0; i < code_.size(); ++i) {
      if (is(i, gen::call_meaning())) returns_to_.push_back(i + 1);
      if (ends_line(i)) entry_[i + 1] = true;
      if (code_[i].cost != Cost::branch) continue;
      jumps_anywhere_ = jumps_anywhere_ || jumps_by_register(i);
      const gen::Operation& operation = (*program_.operations)[code_[i].detail];
      entry_[operation.jump] = entry_[operation.other_jump] = true;
    }
    for (const Program& one : module.programs) entry_[one.entry] = true;
  }

  void run(std::span<const Program> programs) {
    for (const Program& program : programs) enter(program.entry, Pending());
    for (u32 i = 0; jumps_anywhere_ && i < code_.size(); ++i) {
      if (entry_[i]) enter(i, Pending());
    }
    while (!work_.empty()) {
      const u32 at = work_.front();
      work_.pop_front();
      waits_[at] = false;
      Pending state = before_[at];
      // Along a straight line until nothing new comes of it.
      for (u32 i = at;; ++i) {
        step(i, state, false);
        if (ends_line(i)) {
          leave(i, state);
          break;
        }
        if (i + 1 >= code_.size()) break;
        if (entry_[i + 1]) {
          enter(i + 1, state);
          break;
        }
      }
    }
    // Now that it is known how lines are come to, what is waited for in them.
    for (u32 at = 0; at < code_.size(); ++at) {
      if (!reached_[at]) continue;
      Pending state = before_[at];
      for (u32 i = at;; ++i) {
        step(i, state, true);
        if (ends_line(i) || i + 1 >= code_.size() || entry_[i + 1]) break;
      }
    }
  }

 private:
  bool is(u32 at, const Semantic& meaning) const { return code_[at].meaning == &meaning; }
  // Where to is not known: it waits for all that is on its way.
  bool jumps_by_register(u32 at) const {
    return is(at, gen::jump_meaning()) && (*program_.operations)[code_[at].detail].sources != 0;
  }
  bool ends_line(u32 at) const { return code_[at].cost == Cost::branch || code_[at].cost == Cost::end; }

  void enter(u32 at, const Pending& state) {
    if (at >= code_.size()) return;
    const bool changed = before_[at].merge(state) || !reached_[at];
    reached_[at] = true;
    if (!changed || waits_[at]) return;
    waits_[at] = true;
    work_.push_back(at);
  }

  void leave(u32 at, const Pending& state) {
    if (code_[at].cost == Cost::end) return;
    const gen::Operation& operation = (*program_.operations)[code_[at].detail];
    if (is(at, gen::return_meaning())) {
      for (const u32 back : returns_to_) enter(back, state);
      return;
    }
    if (!jumps_by_register(at)) {
      enter(operation.jump, state);
      enter(operation.other_jump, state);
    }
    if (!is(at, gen::jump_meaning()) || operation.predicated) enter(at + 1, state);
  }

  void step(u32 at, Pending& state, bool notes) {
    TimedOp& op = ops_[at];
    RegisterUse use;
    gen::register_use(code_[at], program_, use);
    std::array<u8, wait_counter_count> most;
    most.fill(nothing);
    for (const RegisterRange& range : use.ranges()) {
      if (range.file != RegisterFile::vector) continue;
      const u32 end = std::min(range.first + range.count, gen::file::registers);
      for (u32 r = range.first; r < end; ++r) {
        for (u32 c = 0; c < wait_counter_count; ++c) most[c] = std::min(most[c], state.at(c, r));
      }
    }
    if (code_[at].cost == Cost::branch && jumps_by_register(at)) most.fill(0);
    for (u32 c = 0; c < wait_counter_count; ++c) {
      if (most[c] != nothing) state.wait(c, most[c]);
      if (notes) op.most_outstanding[c] = std::min(op.most_outstanding[c], most[c]);
    }
    for (u32 bits = op.counters; bits != 0; bits &= bits - 1) {
      const u32 counter = static_cast<u32>(std::countr_zero(bits));
      state.send(counter);
      if (notes) op.most_outstanding[counter] = std::min(op.most_outstanding[counter], oldest);
      for (const RegisterRange& range : use.ranges()) {
        if (range.file != RegisterFile::vector || !range.written) continue;
        const u32 end = std::min(range.first + range.count, gen::file::registers);
        for (u32 r = range.first; r < end; ++r) state.at(counter, r) = 0;
      }
    }
  }

  std::span<const Instruction> code_;
  const gen::GenProgram& program_;
  std::vector<TimedOp>& ops_;
  std::vector<Pending> before_;  // of instructions that lines begin with
  std::vector<bool> reached_, waits_, entry_;
  std::deque<u32> work_;
  std::vector<u32> returns_to_;
  bool jumps_anywhere_ = false;
};

}  // namespace

void find_message_waits(const Module& module, const gen::GenProgram& program, std::vector<TimedOp>& ops) {
  Analysis(module, program, ops).run(module.programs);
}

}  // namespace lockstep
