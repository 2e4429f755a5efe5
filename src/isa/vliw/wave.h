// What only a VLIW wave has: the stack of masks, and where registers lie.
#pragma once
#include <memory>
#include <vector>

#include "isa/program.h"
#include "isa/wave.h"

namespace lockstep::vliw {

// Scalars beside the constant buffer's: masks of lanes, where isa/amd's numbering has masks too.
namespace fixed_scalar {
inline constexpr u32 scratch_mask = 104;                   // between the parts of one operation
inline constexpr u32 execution_mask = 102;                 // of a PRED_SET, until its clause ends
inline constexpr u32 predicate = scalar_register::vcc_lo;  // PredicateBit
inline constexpr u32 constants =
    scalar_register::first_free;  // CB0: implicit parameters, then the kernel's own
}  // namespace fixed_scalar

// Rows: four for each general register, x to w; behind them these.
struct RowLayout {
  u32 general = 0;  // registers of four rows

  static constexpr u32 most_queued = 8, materialized_rows = 16;
  u32 row(u32 index, u32 channel) const { return 4 * index + channel; }
  // The write buffers of a packet and of the one before: what PV and PS read where no register holds it.
  u32 written(u32 parity, u32 slot) const { return 4 * general + 5 * parity + slot; }
  u32 queue(u32 number) const { return 4 * general + 10 + number % most_queued; }
  u32 address() const { return 4 * general + 10 + most_queued; }
  u32 materialized(u32 number) const { return address() + 1 + number % materialized_rows; }
  u32 rows() const { return address() + 1 + materialized_rows; }
};

// What a number in an instruction stands for: the place of a parameter's word in the constant buffer, or the
// bits of a constant sampler.
struct Binding {
  u32 number = 0;
  bool is_value = false;
  u32 value = 0;  // bytes from the buffer's begin, or the bits
};

struct VliwProgram final : IsaProgram {
  std::vector<Binding> images, targets, samplers;
  RowLayout layout;
  u32 constants = 0;      // dwords of CB0 that a wave can have as scalars
  u32 hidden_offset = 0;  // of the dimensions and the NDRange's offset, bytes
  // Pointers from here on mean a work-item's own memory, where it has any.
  u32 private_pointer = 0;
  // Pointers within this stretch mean the program's tables, bytes of its image.
  u32 tables_begin = 0, tables_end = 0;
};

struct VliwWave final : IsaWaveState {
  struct Loop {
    u64 entered = 0, broken = 0, continued = 0;
    std::size_t depth = 0;  // of the stack
  };
  // The innermost loop apart from those around it: each turn looks at it.
  class Loops {
   public:
    bool empty() const { return !within_; }
    Loop& back() { return innermost_; }
    const Loop& back() const { return innermost_; }
    void push_back(const Loop& loop) {
      if (within_) around_.push_back(innermost_);
      innermost_ = loop;
      within_ = true;
    }
    void pop_back() {
      within_ = !around_.empty();
      if (!within_) return;
      innermost_ = around_.back();
      around_.pop_back();
    }
    void clear() {
      around_.clear();
      within_ = false;
    }
    // From the outermost on.
    template <class Use>
    void for_each(Use&& use) const {
      for (const Loop& loop : around_) use(loop);
      if (within_) use(innermost_);
    }

   private:
    Loop innermost_;
    bool within_ = false;
    std::vector<Loop> around_;
  };
  Loops loops;
  std::vector<u64> stack;
  u64 arguments_address = 0;
  u32 constants = 0;  // dwords of the constant buffer that the wave has as scalars
  u32 private_pointer = 0, tables_begin = 0, tables_end = 0;  // as VliwProgram's
  const VliwProgram* program = nullptr;

  // Lanes that have left the innermost loop or its turn.
  u64 suspended() const { return loops.empty() ? 0 : loops.back().broken | loops.back().continued; }
  std::unique_ptr<IsaWaveState> clone() const override { return std::make_unique<VliwWave>(*this); }
  u64 fingerprint() const override;
};

inline VliwWave& vliw(WaveState& wave) {
  return static_cast<VliwWave&>(*wave.isa);
}
inline const VliwWave& vliw(const WaveState& wave) {
  return static_cast<const VliwWave&>(*wave.isa);
}

// The constant buffer begins with these (R600's implicit parameters): groups, work-items, the group's size,
// three dwords each. The kernel's own parameters follow, then dimensions, offsets and the pointer to printf's
// buffer.
inline constexpr u32 implicit_bytes = 36;
inline constexpr u32 hidden_bytes = 20;

}  // namespace lockstep::vliw
