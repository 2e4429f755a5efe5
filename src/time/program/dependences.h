// Dependences within a straight line of instructions, found when a timed program is made: who wrote a
// register last, and the few of an op's dependences that bind.
#pragma once
#include <array>
#include <vector>

#include "isa/register_use.h"
#include "time/program/timed_op.h"

namespace lockstep {

// Follows the latest writer of each register through a straight line.
class Writers {
 public:
  static constexpr u32 none = ~u32{0};
  void clear() { ++stamp_; }
  void write(const RegisterRange& range, u32 at) {
    for (u32 i = range.first; i < range.first + range.count; ++i) {
      if (Entry* entry = find(range.file, i)) *entry = {stamp_, at};
    }
  }
  // The instruction that wrote the register, or none in this straight line.
  u32 of(RegisterFile file, u32 index) {
    const Entry* entry = find(file, index);
    return entry != nullptr && entry->stamp == stamp_ ? entry->at : none;
  }

 private:
  struct Entry {
    u64 stamp = 0;
    u32 at = 0;
  };
  Entry* find(RegisterFile file, u32 index) {
    std::vector<Entry>& entries = files_[static_cast<std::size_t>(file)];
    if (index >= 1024) return nullptr;
    if (index >= entries.size()) entries.resize(index + 1);
    return &entries[index];
  }
  std::array<std::vector<Entry>, 4> files_;
  u64 stamp_ = 1;
};

// The op may not issue before `cycles` cycles after the one `distance` back, where the order of issue, one
// every `turn` cycles, does not see to it. An op has room for a few: what binds least goes.
void add_dependence(TimedOp& op, u32 distance, u32 cycles, u32 turn);

}  // namespace lockstep
