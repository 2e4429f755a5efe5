// Which registers an instruction reads and writes: one record for every ISA, filled by its room
// (IsaInterface::register_use). Loading, the checker and timing ask it.
//
// A register counts as written where at least one lane of it may change; lanes that EXEC, a guard or a DPP
// mask leave out keep what they held. It counts as read, too, where what it held in a lane that is written
// shows in the result: the other half of a register after a 16-bit load, the sum that a v_mac adds to.
#pragma once
#include <array>
#include <span>

#include "base/assert.h"
#include "base/types.h"

namespace lockstep {

enum class RegisterFile : u8 {
  vector,     // rows of lanes, as WaveState::row numbers them (AMD: accumulation registers from 256 on)
  scalar,     // wave-wide values, as WaveState numbers them: AMD's VCC, M0 and EXEC too; NVIDIA's predicates
  condition,  // AMD's SCC: one bit, number 0
  exec,       // the lanes that run, where the ISA numbers them among no registers (NVIDIA): number 0
};

struct RegisterRange {
  RegisterFile file = RegisterFile::vector;
  bool written = false;  // else read
  u32 first = 0, count = 0;

  bool holds(RegisterFile which, u32 index) const {
    return file == which && index >= first && index - first < count;
  }
};

class RegisterUse {
 public:
  // Enough for a matrix instruction whose fragments lie in registers one by one.
  static constexpr u32 most_ranges = 64;

  // Where indexed() of the ISA's interface has to be asked with a wave: the ranges of vector and scalar
  // operands move by an index that only the wave knows (movrel, a return that gives registers back).
  bool indexed = false;
  // Where registers lie one behind the other from the first row on: 32-bit words of a vector register, and
  // the word of the first scalar register that is no other ISA's. 0: rows of lanes, and the wave's scalars.
  u32 vector_words = 0, first_scalar_word = 0;

  std::span<const RegisterRange> ranges() const { return {range_.data(), count_}; }
  bool reads(RegisterFile file, u32 index) const { return any(file, index, false); }
  bool writes(RegisterFile file, u32 index) const { return any(file, index, true); }

  void read(RegisterFile file, u32 first, u32 count) { add(file, first, count, false); }
  void write(RegisterFile file, u32 first, u32 count) { add(file, first, count, true); }

 private:
  bool any(RegisterFile file, u32 index, bool written) const {
    for (const RegisterRange& range : ranges()) {
      if (range.written == written && range.holds(file, index)) return true;
    }
    return false;
  }
  void add(RegisterFile file, u32 first, u32 count, bool written) {
    if (count == 0) return;
    for (u32 i = 0; i < count_; ++i) {
      RegisterRange& old = range_[i];
      if (old.file != file || old.written != written) continue;
      if (first >= old.first && first + count <= old.first + old.count) return;
      if (first == old.first + old.count) {
        old.count += count;
        return;
      }
    }
    LOCKSTEP_ASSERT(count_ < most_ranges,
                    "an instruction's registers lie in fewer ranges than the record holds");
    range_[count_++] = {file, written, first, count};
  }

  std::array<RegisterRange, most_ranges> range_;
  u32 count_ = 0;
};

}  // namespace lockstep
