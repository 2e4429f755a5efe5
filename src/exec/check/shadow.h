// What the checker knows about registers and memory beside their contents: which bits nobody wrote.
#pragma once
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <vector>

#include "exec/check/byte_shadow.h"
#include "exec/check/origin.h"
#include "isa/outcome.h"
#include "isa/wave.h"

namespace lockstep::check {

inline constexpr u32 scalar_registers = scalar_register::first_free;

// One wave's registers and private memory, bit for bit; and its group's local memory.
struct WaveShadow : CheckerWaveState {
  u32 lanes = 64;
  // Undefined bits by row and lane; of a lane that `undefined_lanes` does not name they mean nothing.
  std::vector<u32> bits;
  std::vector<u64> undefined_lanes;  // by row
  std::array<u32, scalar_registers> scalar{};
  struct Predicate {
    u32 undefined = 0;  // by lane
    Origin origin;
  };
  bool keeps_predicates = false;      // PTX
  std::vector<Predicate> predicates;  // from scalar_registers on, as far as one was undefined
  bool condition = false;             // the scalar condition code is undefined
  std::vector<Origin> row_origin;
  std::array<Origin, scalar_registers> scalar_origin;
  Origin condition_origin;
  ByteShadow bytes;                      // where registers are bytes, instead of rows and scalars
  std::vector<u8> private_memory;        // as the memory lies: lanes interleaved by dwords, but on Intel's
  std::map<u64, Origin> private_origin;  // by dword: where undefined bits that were stored there came from
  std::shared_ptr<std::vector<u8>> local_memory;
  std::vector<u32> calls;  // the instructions that called the functions at hand, the outermost first
  u32 accesses = 0;        // of the instruction at hand
  u64 image_lanes = 0;     // whose texels, of the image load at hand, nothing wrote
  u64 image_served = 0;    // that had texels of it

  u32 undefined(u32 row, u32 lane) const {
    return ((undefined_lanes[row] >> lane) & 1) != 0 ? bits[std::size_t{row} * lanes + lane] : 0;
  }
  void set(u32 row, u32 lane, u32 undefined) {
    const u64 bit = u64{1} << lane;
    if (undefined == 0) {
      undefined_lanes[row] &= ~bit;
    } else {
      undefined_lanes[row] |= bit;
      bits[std::size_t{row} * lanes + lane] = undefined;
    }
  }
  // Lanes with undefined bits in any of the rows.
  u64 any_lanes(u32 row, u32 count) const {
    u64 result = 0;
    for (u32 i = row; i < row + count && i < undefined_lanes.size(); ++i) result |= undefined_lanes[i];
    return result;
  }
  void define_lanes(u32 row, u32 count, u64 which) {
    for (u32 i = row; i < row + count && i < undefined_lanes.size(); ++i) undefined_lanes[i] &= ~which;
  }

  // Scalars beyond the architectural ones (the null register) are always defined, but for PTX's predicates.
  u32 scalar_bits(u32 index) const {
    if (index < scalar_registers) return scalar[index];
    const u32 at = index - scalar_registers;
    return at < predicates.size() ? predicates[at].undefined : 0;
  }
  const Origin& origin_of_scalar(u32 index) const {
    return index < scalar_registers ? scalar_origin[index] : predicates[index - scalar_registers].origin;
  }
  u64 scalar_bits64(u32 index) const { return scalar_bits(index) | u64{scalar_bits(index + 1)} << 32; }
  void set_scalar(u32 index, u32 undefined, const Origin& origin) {
    if (index >= scalar_registers) return set_predicate(index - scalar_registers, undefined, origin);
    scalar[index] = undefined;
    if (undefined != 0) scalar_origin[index] = origin;
  }
  void set_predicate(u32 at, u32 undefined, const Origin& origin) {
    if (!keeps_predicates || (undefined == 0 && at >= predicates.size())) return;
    if (at >= predicates.size()) predicates.resize(at + 1);
    predicates[at].undefined = undefined;
    if (undefined != 0) predicates[at].origin = origin;
  }
  u64 mask_bits(u32 index) const { return lanes == 64 ? scalar_bits64(index) : scalar_bits(index); }
  void set_mask(u32 index, u64 undefined, const Origin& origin) {
    set_scalar(index, static_cast<u32>(undefined), origin);
    if (lanes == 64) set_scalar(index + 1, static_cast<u32>(undefined >> 32), origin);
  }
};

// All of a wave's lanes, the usual case, without looking for the next one: the compiler unrolls and
// vectorises.
template <class F>
inline void for_lanes(u64 lanes, F function) {
  if (lanes == ~u64{0}) {
    for (u32 lane = 0; lane < 64; ++lane) function(lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<u32>(std::countr_zero(lanes)));
}

// Whether the lanes, of which there are some, lie side by side in memory, in their order.
inline bool in_a_row(const Access& access, u64 lanes) {
  const u32 first = static_cast<u32>(std::countr_zero(lanes));
  const u32 count = static_cast<u32>(std::popcount(lanes));
  if (std::countr_one(lanes >> first) != static_cast<int>(count)) return false;
  const u64* address = access.address.data() + first;
  const u64 begin = address[0], bytes = access.bytes;
  if (address[count - 1] != begin + bytes * (count - 1)) return false;
  u64 wrong = 0;
  for (u32 i = 0; i < count; ++i) wrong |= address[i] ^ (begin + bytes * i);
  return wrong == 0;
}

}  // namespace lockstep::check
