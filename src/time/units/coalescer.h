// The address unit: it takes the addresses of a group of lanes at a time and makes one request for each cache
// line that these touch (S2: on GCN 16 consecutive work-items are evaluated together).
#pragma once
#include <span>

#include "isa/outcome.h"
#include "time/units/load_passes.h"

namespace lockstep {

struct LineAccess {
  u64 address = 0;      // of the line's first byte
  u64 bytes = 0;        // which granules of it are touched: bit i for bytes from i * (line / 64) on
  u64 hot_address = 0;  // atomics: the address that most lanes share
  u8 lanes = 0;
  u8 most_same = 0;    // atomics: lanes at hot_address
  u8 idle_before = 0;  // cycles of the unit for groups without lanes in front of this request
  u8 cycles = 1;       // of the unit for the request itself
};

inline constexpr u32 most_line_accesses = 320;  // 64 lanes of up to 16 bytes, each crossing lines

struct Coalesced {
  u32 lines = 0;
  u32 idle_after = 0;  // groups without lanes behind the last request
};

// A group's request whose bytes follow one another without a gap takes one cycle; one with gaps takes a
// cycle for each window of `window_bytes` that it touches (0: also one cycle). With `passes` the group's
// requests take the cycles of its passes instead, together. `out` has room for most_line_accesses.
// `line_bytes` is 32, 64 or 128.
Coalesced coalesce(const Access& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes,
                   u32 window_bytes, std::span<LineAccess> out, const LoadPasses* passes = nullptr);

// How many lines that makes, and nothing else of them; quicker.
u32 count_lines(const Access& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes);

// Lane i of `lanes` accesses `bytes` from base + i * stride on.
struct StridedAccess {
  u64 base = 0, stride = 0;
  u32 bytes = 4;
  u64 lanes = 0;
};

// The same as coalesce for loads and stores whose addresses do not fall from lane to lane; quicker. How many
// lanes touch a line is not told.
Coalesced coalesce_strided(const StridedAccess& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes,
                           u32 window_bytes, std::span<LineAccess> out, const LoadPasses* passes = nullptr);

// The lanes [first, first + 16) of a wave where half a wave is evaluated together: an access to memory is a
// segment of 32, 64 or 128 bytes, which `out` says by the granules of its line of 128 bytes.
//   segments  the segment of the lowest lane that still waits serves all lanes that lie in it; it is made
//   smaller as
//             long as only one half of it is used
//   in order  lane k touches word k of an aligned segment of as many words as half a wave has lanes, or every
//             lane is served on its own
// Source: CUDA C Programming Guide 4.2, F.3.2. Loads and stores only. Returns how many there are.
inline constexpr u32 half_wave = 16, smallest_segment = 32, largest_segment = 128;
enum class HalfWaves : u8 { none, segments, in_order };
u32 coalesce_half(const Access& access, u64 lanes, u32 first, HalfWaves rule, std::span<LineAccess> out);

// Transactions that a wave's access to global, private or image memory makes, and the fewest that could move
// as many bytes.
struct Transactions {
  u32 made = 0, ideal = 0;
};
Transactions count_segments(const Access& access, u32 wave_lanes, HalfWaves rule);

}  // namespace lockstep
