// A wave's architectural state: registers as rows of lanes. Nothing here knows a cycle.
#pragma once
#include <array>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/types.h"

namespace lockstep {

enum class RegisterFile : u8;
struct WaveState;

inline constexpr u32 most_lanes = 64;

// A row of temporary lane values.
template <class T>
struct alignas(64) Row {
  Row() {}  // leaves the lanes as they are: clearing them would cost more than most instructions
  std::array<T, most_lanes> lane;
  T* data() { return lane.data(); }
  const T* data() const { return lane.data(); }
};

// Scalar register numbers that every part of the code shares; the first 128 follow AMD's operand numbering.
// Other ISAs put their wave-wide values (predicates) from `first_free` on.
namespace scalar_register {
inline constexpr u32 flat_scratch_lo = 102, xnack_mask_lo = 104, vcc_lo = 106, vcc_hi = 107, m0 = 124,
                     exec_lo = 126, exec_hi = 127, first_free = 128;
}

struct AlignedDelete {
  void operator()(u32* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

// State that only one ISA has (a reconvergence stack, say).
struct IsaWaveState {
  virtual ~IsaWaveState() = default;
  virtual std::unique_ptr<IsaWaveState> clone() const = 0;
  // Equal for equal states, so that a wave that is where it was before is known again.
  virtual u64 fingerprint() const = 0;
  // The dwords of a register that is no row of lanes; none where there is no such register. False where the
  // ISA's registers are rows and scalars.
  virtual bool read_dwords(const WaveState& /*wave*/, RegisterFile /*file*/, u32 /*index*/,
                           std::vector<u32>& /*dwords*/) const {
    return false;
  }
};

// State that the waves of one group share and only one ISA has (counts of named barriers).
struct IsaGroupState {
  virtual ~IsaGroupState() = default;
  virtual std::shared_ptr<IsaGroupState> clone() const = 0;
  // Equal for states that let the group's waves do the same.
  virtual u64 fingerprint() const = 0;
};

// What the checker of a checked run keeps about a wave.
struct CheckerWaveState {
  virtual ~CheckerWaveState() = default;
};

// The members that every step reads come first and fill one cache line: a timed run visits another wave with
// each step, and all resident waves' states are larger than the host's nearer caches.
struct WaveState {
 private:
  std::unique_ptr<u32[], AlignedDelete> vector_;
  std::vector<u32> scalar_;
  bool mask_stale_ = true;

 public:
  bool scc = false;        // AMD's scalar condition code
  bool ieee_mode = true;   // AMD: min and max quiet signalling NaNs
  bool dx10_clamp = true;  // AMD: clamp turns NaN into 0
  // Rounding and denormals, laid out as AMD's MODE register: bits 1:0 rounding of f32, 3:2 of f16 and f64 (0
  // nearest even, 1 +inf, 2 -inf, 3 zero), 5:4 denormals of f32, 7:6 of f16 and f64 (bit 0 inputs kept, bit 1
  // results kept).
  u32 mode = ieee_mode_bits;
  static constexpr u32 ieee_mode_bits = 0xF0;
  u32 lanes = 64;        // the program's wave width
  u32 pc = 0;            // index of the next instruction
  u64 instructions = 0;  // executed so far

 private:
  u64 exec_ = 0;

 public:
  u64 valid_lanes = 0;  // lanes that hold a work-item
  // Rows that the quick way was no good for, one after the other (shapes.h), and for how many more it is not
  // tried.
  u8 quick_failures = 0, quick_skips = 0;

  u32 group = 0;           // linear work-group number in the launch
  u32 index_in_group = 0;  // this wave's number in its group
  u32 slot = 0;            // resident slot: which piece of private memory it has
  u64 private_base = 0;    // device address of the wave's private memory; lanes interleaved by dwords
  u64 private_bytes_per_lane = 0;
  std::span<u8> local;  // the group's local memory
  u64 code_base = 0;    // added to an address in the module's image gives the device address
  std::unique_ptr<IsaWaveState> isa;
  std::shared_ptr<IsaGroupState> group_state;  // made by the group's first wave, then given to the others
  std::unique_ptr<CheckerWaveState> checked;   // absent from unchecked runs

  // Makes room for `vector_rows` rows and `scalars` scalar registers, all zero.
  void allocate(u32 lane_count, u32 vector_rows, u32 scalars);
  u32 vector_rows() const { return vector_rows_; }

  u32* row(u32 index) { return vector_.get() + std::size_t{index} * lanes; }
  const u32* row(u32 index) const { return vector_.get() + std::size_t{index} * lanes; }

  u32 scalars() const { return static_cast<u32>(scalar_.size()); }
  u32 read_scalar(u32 index) const { return scalar_[index]; }
  u64 read_scalar64(u32 index) const { return scalar_[index] | (u64{scalar_[index + 1]} << 32); }
  void write_scalar(u32 index, u32 value) {
    scalar_[index] = value;
    if (index - scalar_register::exec_lo < 2) take_exec();
  }
  void write_scalar64(u32 index, u64 value) {
    write_scalar(index, static_cast<u32>(value));
    write_scalar(index + 1, static_cast<u32>(value >> 32));
  }
  // A mask of lanes lies in one scalar register for waves of 32 and in two for waves of 64.
  u64 read_mask(u32 index) const { return lanes == 64 ? read_scalar64(index) : read_scalar(index); }
  void write_mask(u32 index, u64 value) {
    if (lanes == 64) {
      write_scalar64(index, value);
    } else {
      write_scalar(index, static_cast<u32>(value));
    }
  }

  // The lanes that run. AMD's programs see them as two scalar registers as well, and may write those.
  u64 exec() const { return exec_; }
  void set_exec(u64 mask) {
    exec_ = mask;
    scalar_[scalar_register::exec_lo] = static_cast<u32>(mask);
    scalar_[scalar_register::exec_hi] = static_cast<u32>(mask >> 32);
    mask_stale_ = true;
  }
  u64 all_lanes() const { return lanes == 64 ? ~u64{0} : (u64{1} << lanes) - 1; }

  // exec() as a row: all ones in active lanes, zero elsewhere. Rebuilt only after the mask was written.
  const u32* mask_row() {
    if (mask_stale_) rebuild_mask();
    return mask_.data();
  }

 private:
  void take_exec() {
    exec_ = read_scalar64(scalar_register::exec_lo);
    mask_stale_ = true;
  }
  void rebuild_mask();

  u32 vector_rows_ = 0;
  Row<u32> mask_;
};

}  // namespace lockstep
