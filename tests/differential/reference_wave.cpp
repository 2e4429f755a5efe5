// References for what lanes of one wave of 64 do together, and for AMD's own bit instructions. Sources: AMD,
// "Vega" Instruction Set Architecture, chapters 6.6 (DPP), 12.9-12.11 and 12.13 (VOP instructions, DS lane
// operations); Khronos, OpenCL 2.0 Extension Specification, cl_khr_subgroups.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "reference.h"

namespace lockstep::corpus {
namespace {

constexpr u32 items = 256;
constexpr u32 wave_lanes = 64;

// Calls function(first item of the wave) for each wave.
template <class Function>
void for_each_wave(Function function) {
  for (u32 base = 0; base < items; base += wave_lanes) {
    function(base);
  }
}

template <class Predicate>
u64 ballot(u32 base, Predicate predicate) {
  u64 votes = 0;
  for (u32 lane = 0; lane < wave_lanes; ++lane) {
    votes |= static_cast<u64>(predicate(base + lane)) << lane;
  }
  return votes;
}

void shuffle(const Case& test, Contents& contents) {
  const i32* a = elements<i32>(test, contents, "a");
  i32* out = elements<i32>(test, contents, "out");
  for_each_wave([&](u32 base) {
    const u64 negative = ballot(base, [&](u32 i) { return a[i] < 0; });
    const u64 odd = ballot(base, [&](u32 i) { return (a[i] & 1) != 0; });
    const u64 odd_and_second = ballot(base, [&](u32 i) { return (a[i] & 3) == 3; });
    i32 listed = 0;
    for (u32 lane = 0; lane < wave_lanes; ++lane) {
      listed += (a[base + lane] & 12) == 4 ? a[base + lane] & 255 : 0;
    }
    for (u32 lane = 0; lane < wave_lanes; ++lane) {
      i32* o = out + base + lane;
      o[0] = static_cast<i32>(lane);
      o[256] = a[base + (lane * 7 + 3) % wave_lanes];
      o[512] = a[base + (lane ^ 21)];
      o[768] = a[base + (lane ^ 5)];
      o[1024] = a[base + (lane ^ 3)];
      o[1280] = a[base + 17];
      o[1536] = a[base];
      o[1792] = static_cast<i32>(negative);
      o[2048] = static_cast<i32>(negative >> 32);
      o[2304] = std::popcount(negative & ((1ull << lane) - 1));
      const bool active = ((odd >> lane) & 1) != 0;
      o[2560] =
          active ? a[base + static_cast<u32>(std::countr_zero(odd))] ^ std::popcount(odd_and_second) : -1;
      o[2816] = static_cast<i32>(lane) + listed;
    }
  });
}

struct Dpp {
  i32 (*source)(i32 lane);  // the lane that is read, or -1
  u32 rows;
  u32 banks;
  bool zero;  // a missing source reads as 0 instead of keeping the old value
  bool plus_x;
};

i32 within_row(i32 lane, i32 from) {
  return from >= 0 && from / 16 == lane / 16 ? from : -1;
}

void dpp(const Case& test, Contents& contents) {
  const i32* a = elements<i32>(test, contents, "a");
  i32* out = elements<i32>(test, contents, "out");
  const Dpp table[13] = {
      {[](i32 l) { return l ^ 3; }, 15, 15, false, false},
      {[](i32 l) { return (l & ~3) | ((l + 1) & 3); }, 15, 15, false, false},
      {[](i32 l) { return within_row(l, l + 1); }, 15, 15, false, false},
      {[](i32 l) { return l % 16 >= 3 ? l - 3 : -1; }, 15, 15, true, false},
      {[](i32 l) { return (l & ~15) | ((l - 6) & 15); }, 15, 15, false, false},
      {[](i32 l) { return l < 63 ? l + 1 : -1; }, 15, 15, false, false},
      {[](i32 l) { return l - 1; }, 15, 15, true, false},
      {[](i32 l) { return (l - 1) & 63; }, 15, 15, false, false},
      {[](i32 l) { return l ^ 15; }, 15, 15, false, false},
      {[](i32 l) { return l ^ 7; }, 15, 15, false, false},
      {[](i32 l) { return (l & ~15) - 1; }, 10, 15, false, false},
      {[](i32 l) { return l >= 32 ? 31 : -1; }, 12, 15, false, false},
      {[](i32 l) { return l % 16 >= 1 ? l - 1 : -1; }, 15, 5, false, true},
  };
  for_each_wave([&](u32 base) {
    for (u32 row = 0; row < 13; ++row) {
      const Dpp& each = table[row];
      for (i32 lane = 0; lane < static_cast<i32>(wave_lanes); ++lane) {
        const i32 x = a[base + static_cast<u32>(lane)];
        const i32 from = each.source(lane);
        const bool enabled =
            ((each.rows >> (lane / 16)) & 1) != 0 && ((each.banks >> (lane % 16 / 4)) & 1) != 0;
        i32 result = ~x;
        if (enabled && from >= 0) {
          result = a[base + static_cast<u32>(from)];
        } else if (enabled && each.zero) {
          result = 0;
        }
        out[row * items + base + static_cast<u32>(lane)] =
            each.plus_x ? static_cast<i32>(static_cast<u32>(result) + static_cast<u32>(x)) : result;
      }
    }
  });
}

void subgroups(const Case& test, Contents& contents) {
  const i32* a = elements<i32>(test, contents, "a");
  const f32* f = elements<f32>(test, contents, "f");
  i32* out = elements<i32>(test, contents, "out");
  f32* g = elements<f32>(test, contents, "g");
  for_each_wave([&](u32 base) {
    const i32* x = a + base;
    i32 sum = 0;
    i64 scaled = 0;
    u32 unsigned_max = 0;
    for (u32 lane = 0; lane < wave_lanes; ++lane) {
      sum += x[lane];
      scaled += static_cast<i64>(x[lane]) * 100000;
      unsigned_max = std::max(unsigned_max, static_cast<u32>(x[lane]));
    }
    const i32 low = *std::min_element(x, x + wave_lanes);
    const i32 high = *std::max_element(x, x + wave_lanes);
    i32 running = 0;
    i32 running_max = std::numeric_limits<i32>::min();
    i32 running_min = std::numeric_limits<i32>::max();
    f32 running_low = std::numeric_limits<f32>::infinity();
    u64 running_id = 0;
    for (u32 lane = 0; lane < wave_lanes; ++lane) {
      const u32 i = base + lane;
      i32* o = out + i;
      o[1024] = running;
      o[1536] = running_min;
      running += x[lane];
      running_max = std::max(running_max, x[lane]);
      running_min = std::min(running_min, x[lane]);
      running_low = std::min(running_low, f[i]);
      running_id += i;
      o[0] = sum;
      o[256] = low;
      o[512] = high;
      o[768] = running;
      o[1280] = running_max;
      o[1792] = x[11];
      o[2048] = (low > -990 ? 1 : 0) + (high > 990 ? 2 : 0);
      o[2304] = 64;
      o[2560] = static_cast<i32>(base / wave_lanes % 2);
      o[2816] = static_cast<i32>(lane);
      o[3072] = 2 + 100 * 64;
      o[3328] = static_cast<i32>(scaled);
      o[3584] = static_cast<i32>(unsigned_max);
      o[3840] = static_cast<i32>(running_id);
      g[i] = *std::max_element(f + base, f + base + wave_lanes);
      g[i + 256] = running_low;
      g[i + 512] = f[base + 63];
    }
  });
}

// Groups of 24 work-items, each one sub-group.
void partial_subgroups(const Case& test, Contents& contents) {
  constexpr u32 all = 96, lanes = 24;
  const i64* a = elements<i64>(test, contents, "a");
  const f64* f = elements<f64>(test, contents, "f");
  i64* out = elements<i64>(test, contents, "out");
  f64* g = elements<f64>(test, contents, "g");
  for (u32 base = 0; base < all; base += lanes) {
    const i64* x = a + base;
    i64 total = 0, before = 0, sixth = 0, high = std::numeric_limits<i64>::min();
    for (u32 lane = 0; lane < lanes; ++lane) total += x[lane];
    for (u32 lane = 0; lane < 5; ++lane) sixth += x[lane];
    u64 unsigned_high = 0;
    u32 unsigned_low = std::numeric_limits<u32>::max();
    f64 real_high = -std::numeric_limits<f64>::infinity();
    for (u32 lane = 0; lane < lanes; ++lane) {
      i64* o = out + base + lane;
      high = std::max(high, x[lane]);
      unsigned_low = std::min(unsigned_low, static_cast<u32>(x[lane]));
      o[0] = total;
      o[all] = *std::min_element(x, x + lanes);
      o[2 * all] = high;
      o[3 * all] = before;
      o[4 * all] = static_cast<i64>(unsigned_high);
      o[5 * all] = static_cast<i32>(x[23]);
      o[6 * all] = lane + 1000 + 10000 * lanes;
      o[7 * all] = 1 + 2;
      o[8 * all] = 0;
      o[9 * all] = sixth;
      o[10 * all] = unsigned_low;
      before += x[lane];
      o[11 * all] = before;
      unsigned_high = std::max(unsigned_high, static_cast<u64>(x[lane]));
      f64* r = g + base + lane;
      r[0] = *std::min_element(f + base, f + base + lanes);
      r[all] = static_cast<f32>(*std::max_element(f + base, f + base + lanes));
      r[2 * all] = real_high;
      r[3 * all] = f[base + 7];
      r[4 * all] = lane * (lane + 1) / 2;
      real_high = std::max(real_high, f[base + lane]);
    }
  }
}

u32 byte_of(u32 x, u32 index) {
  return (x >> (8 * index)) & 255;
}
u32 distance(u32 x, u32 y) {
  return x > y ? x - y : y - x;
}

void builtins(const Case& test, Contents& contents) {
  const u32* a = elements<u32>(test, contents, "a");
  const u32* b = elements<u32>(test, contents, "b");
  const u32* c = elements<u32>(test, contents, "c");
  const f32* f = elements<f32>(test, contents, "f");
  u32* out = elements<u32>(test, contents, "out");
  f32* g = elements<f32>(test, contents, "g");
  for (u32 i = 0; i < items; ++i) {
    const u32 x = a[i];
    const u32 y = b[i];
    const u32 z = c[i];
    const u64 pair = static_cast<u64>(x) << 32 | y;
    const u32 offset = y & 31;
    const u32 width = z & 31;
    const u32 mask = (1u << width) - 1;
    u32* o = out + i;
    o[0] = (x >> offset) & mask;
    const u32 field = static_cast<u32>(static_cast<i32>(x) >> offset) & mask;
    o[256] = width != 0 && ((field >> (width - 1)) & 1) != 0 ? field | ~mask : field;
    o[512] = static_cast<u32>(pair >> (z & 31));
    o[768] = static_cast<u32>(pair >> (8 * (z & 3)));
    u32 permuted = 0;
    u32 sum = 0;
    u32 masked = 0;
    u32 average = 0;
    u32 reversed = 0;
    for (u32 k = 0; k < 4; ++k) {
      permuted |= static_cast<u32>((pair >> (8 * (byte_of(z, k) & 7))) & 255) << (8 * k);
      const u32 d = distance(byte_of(x, k), byte_of(y, k));
      sum += d;
      masked += byte_of(y, k) != 0 ? d : 0;
      average |= ((byte_of(x, k) + byte_of(y, k) + (byte_of(z, k) & 1)) >> 1) << (8 * k);
    }
    for (u32 k = 0; k < 32; ++k) {
      reversed |= ((x >> k) & 1) << (31 - k);
    }
    o[1024] = permuted;
    o[1280] = z + sum;
    o[1536] = z + distance(x & 0xffff, y & 0xffff) + distance(x >> 16, y >> 16);
    o[1792] = z + masked;
    o[2048] = average;
    o[2304] = (sum << 16) + z;
    const bool negative_normal = (x >> 31) != 0 && std::isnormal(std::bit_cast<f32>(x));
    const u32 small = z & 0x807fffffu;
    const bool negative_subnormal = (small >> 31) != 0 && (small << 1) != 0;
    o[2560] = (negative_normal ? 1u : 0u) | (negative_subnormal ? 2u : 0u);
    const u32 at = 8 * (y & 3);
    o[2816] = (x & ~(255u << at)) | (z >> 24) << at;
    o[3072] = reversed;
    const f32 p = f[i];
    const f32 q = f[(i + 1) & 255];
    const f32 r = f[(i + 2) & 255];
    g[i] = std::max(std::min(p, q), std::min(std::max(p, q), r));
    g[i + 256] = std::min(p - std::floor(p), 0x1.fffffep-1f);
    int exponent = 0;
    g[i + 512] = std::frexp(q, &exponent);
    std::frexp(r, &exponent);
    g[i + 768] = static_cast<f32>(exponent);
  }
}

// OpenCL 1.2, 6.12.1: "if dimindx is not valid, returns 1" for sizes and counts, 0 for ids and offsets.
void beyond(const Case& test, Contents& contents) {
  u32* out = elements<u32>(test, contents, "out");
  for (u32 item = 0; item < 64; ++item, out += 8) {
    out[0] = out[1] = out[2] = out[3] = out[6] = 1;
    out[4] = out[5] = 0;
    out[7] = 10 + 100 + 1000;
  }
}

}  // namespace

std::vector<NamedReference> wave_references() {
  return {{"wave_shuffle", shuffle},
          {"work_items_beyond", beyond},
          {"wave_dpp", dpp},
          {"wave_subgroups", subgroups},
          {"wave_subgroups_partial", partial_subgroups},
          {"amd_builtins", builtins}};
}

}  // namespace lockstep::corpus
