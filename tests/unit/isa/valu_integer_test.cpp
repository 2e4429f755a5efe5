// Vector integer arithmetic over edge values, against definitions written with wide integers and loops over
// bits.
#include <algorithm>
#include <functional>

#include "amd_step.h"

namespace lockstep::amd {
namespace {

using Wide = __int128;

Wide sext(u32 value, int bits) {
  const Wide field = value & ((Wide{1} << bits) - 1);
  return field >= (Wide{1} << (bits - 1)) ? field - (Wide{1} << bits) : field;
}
Wide s32(u32 value) {
  return sext(value, 32);
}
Wide s16(u32 value) {
  return sext(value, 16);
}
u32 clamped(Wide value, Wide low, Wide high) {
  return static_cast<u32>(std::min(std::max(value, low), high));
}
u32 clamped_u32(Wide value) {
  return clamped(value, 0, 0xFFFFFFFF);
}
u32 clamped_i32(Wide value) {
  return clamped(value, -(Wide{1} << 31), (Wide{1} << 31) - 1);
}
u32 short_of(Wide value) {
  return static_cast<u32>(value & 0xFFFF);
}
// The bits [first, first + width) of a value that goes on above bit 31 as `fill`.
u32 field(u32 value, u32 first, u32 width, bool fill) {
  u32 result = 0;
  for (u32 i = 0; i < width; ++i) {
    const bool bit = first + i < 32 ? ((value >> (first + i)) & 1) != 0 : fill;
    if (bit) result |= 1u << i;
  }
  return result;
}
u32 byte_sum(u32 a, u32 b, bool masked) {
  u32 sum = 0;
  for (int i = 0; i < 32; i += 8) {
    const int x = static_cast<int>((a >> i) & 255), y = static_cast<int>((b >> i) & 255);
    if (masked && y == 0) continue;
    sum += static_cast<u32>(std::abs(x - y));
  }
  return sum;
}
u32 median(std::array<Wide, 3> list) {
  std::sort(list.begin(), list.end());
  return static_cast<u32>(list[1]);
}

using Definition = std::function<u32(u32, u32, u32)>;
struct Case {
  const char* text;  // result v3, sources v0, v1, v2
  Definition definition;
};

// All triples of edge values, 64 at a time.
void check(const Case& c) {
  Stepper step;
  const Instruction in = step.decoded(c.text);
  if (in.run == nullptr) return;
  const std::size_t n = edge_values.size();
  std::size_t next = 0;
  while (next < n * n * n) {
    for (u32 lane = 0; lane < 64; ++lane) {
      const std::size_t k = (next + lane) % (n * n * n);
      step.wave.row(0)[lane] = edge_values[k % n];
      step.wave.row(1)[lane] = edge_values[k / n % n];
      step.wave.row(2)[lane] = edge_values[k / n / n];
      step.wave.row(3)[lane] = 0xABCD0000;
    }
    step.run(in);
    for (u32 lane = 0; lane < 64; ++lane) {
      const u32 a = step.wave.row(0)[lane], b = step.wave.row(1)[lane], d = step.wave.row(2)[lane];
      ASSERT_EQ(step.wave.row(3)[lane], c.definition(a, b, d))
          << c.text << std::hex << " v0=" << a << " v1=" << b << " v2=" << d;
    }
    next += 64;
  }
}

TEST(ValuInteger, Sums) {
  const Case cases[] = {
      {"v_add_u32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(a) + b); }},
      {"v_sub_u32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(a) - b); }},
      {"v_subrev_u32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(b) - a); }},
      {"v_add_i32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(s32(a) + s32(b)); }},
      {"v_sub_i32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(s32(a) - s32(b)); }},
      {"v_add_u32_e64 v3, v0, v1 clamp", [](u32 a, u32 b, u32) { return clamped_u32(Wide(a) + b); }},
      {"v_sub_u32_e64 v3, v0, v1 clamp", [](u32 a, u32 b, u32) { return clamped_u32(Wide(a) - b); }},
      {"v_subrev_u32_e64 v3, v0, v1 clamp", [](u32 a, u32 b, u32) { return clamped_u32(Wide(b) - a); }},
      {"v_add_i32 v3, v0, v1 clamp", [](u32 a, u32 b, u32) { return clamped_i32(s32(a) + s32(b)); }},
      {"v_sub_i32 v3, v0, v1 clamp", [](u32 a, u32 b, u32) { return clamped_i32(s32(a) - s32(b)); }},
      {"v_add3_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(Wide(a) + b + c); }},
      {"v_xad_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(Wide(a ^ b) + c); }},
      {"v_lshl_add_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32((Wide(a) << (b % 32)) + c); }},
      {"v_add_lshl_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32((Wide(a) + b) << (c % 32)); }},
  };
  for (const Case& c : cases) check(c);
}

TEST(ValuInteger, Products) {
  const auto u24 = [](u32 a) { return Wide(a & 0xFFFFFF); };
  const auto i24 = [](u32 a) { return sext(a, 24); };
  const Case cases[] = {
      {"v_mul_lo_u32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(a) * b); }},
      {"v_mul_hi_u32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(a) * b >> 32); }},
      {"v_mul_hi_i32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(s32(a) * s32(b) >> 32); }},
      {"v_mul_u32_u24_e32 v3, v0, v1", [&](u32 a, u32 b, u32) { return u32(u24(a) * u24(b)); }},
      {"v_mul_i32_i24_e32 v3, v0, v1", [&](u32 a, u32 b, u32) { return u32(i24(a) * i24(b)); }},
      {"v_mul_hi_u32_u24_e32 v3, v0, v1", [&](u32 a, u32 b, u32) { return u32(u24(a) * u24(b) >> 32); }},
      {"v_mul_hi_i32_i24_e32 v3, v0, v1", [&](u32 a, u32 b, u32) { return u32(i24(a) * i24(b) >> 32); }},
      {"v_mad_u32_u24 v3, v0, v1, v2", [&](u32 a, u32 b, u32 c) { return u32(u24(a) * u24(b) + c); }},
      {"v_mad_i32_i24 v3, v0, v1, v2", [&](u32 a, u32 b, u32 c) { return u32(i24(a) * i24(b) + s32(c)); }},
      {"v_mad_u32_u24 v3, v0, v1, v2 clamp",
       [&](u32 a, u32 b, u32 c) { return clamped_u32(u24(a) * u24(b) + c); }},
      {"v_mad_i32_i24 v3, v0, v1, v2 clamp",
       [&](u32 a, u32 b, u32 c) { return clamped_i32(i24(a) * i24(b) + s32(c)); }},
      {"v_mad_u32_u16 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(Wide(a & 0xFFFF) * (b & 0xFFFF) + c); }},
      {"v_mad_i32_i16 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(s16(a) * s16(b) + s32(c)); }},
      {"v_mad_i32_i16 v3, v0, v1, v2 clamp",
       [](u32 a, u32 b, u32 c) { return clamped_i32(s16(a) * s16(b) + s32(c)); }},
  };
  for (const Case& c : cases) check(c);
}

TEST(ValuInteger, Order) {
  const Case cases[] = {
      {"v_min_u32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return std::min(a, b); }},
      {"v_max_u32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return std::max(a, b); }},
      {"v_min_i32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(std::min(s32(a), s32(b))); }},
      {"v_max_i32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(std::max(s32(a), s32(b))); }},
      {"v_min3_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }},
      {"v_max3_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }},
      {"v_min3_i32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(std::min({s32(a), s32(b), s32(c)})); }},
      {"v_max3_i32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(std::max({s32(a), s32(b), s32(c)})); }},
      {"v_med3_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return median({a, b, c}); }},
      {"v_med3_i32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return median({s32(a), s32(b), s32(c)}); }},
  };
  for (const Case& c : cases) check(c);
}

TEST(ValuInteger, Bits) {
  const auto count = [](u32 a) {
    u32 n = 0;
    for (int i = 0; i < 32; ++i) n += (a >> i) & 1;
    return n;
  };
  const Case cases[] = {
      {"v_mov_b32_e32 v3, v0", [](u32 a, u32, u32) { return a; }},
      {"v_not_b32_e32 v3, v0", [](u32 a, u32, u32) { return 0xFFFFFFFF - a; }},
      {"v_and_b32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return a & b; }},
      {"v_or_b32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return a | b; }},
      {"v_xor_b32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return a ^ b; }},
      {"v_or3_b32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return a | b | c; }},
      {"v_and_or_b32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return (a & b) | c; }},
      {"v_bfi_b32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) {
         u32 result = 0;
         for (int i = 0; i < 32; ++i) result |= (((a >> i) & 1 ? b : c) >> i & 1) << i;
         return result;
       }},
      {"v_lshlrev_b32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(b) << (a % 32)); }},
      {"v_lshrrev_b32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(Wide(b) >> (a % 32)); }},
      {"v_ashrrev_i32_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return u32(s32(b) >> (a % 32)); }},
      {"v_lshl_or_b32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(Wide(a) << (b % 32)) | c; }},
      {"v_bfe_u32 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return field(a, b % 32, c % 32, false); }},
      {"v_bfe_i32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) {
         const u32 width = c % 32;
         return width == 0 ? 0 : u32(sext(field(a, b % 32, width, a >> 31), static_cast<int>(width)));
       }},
      {"v_bfm_b32 v3, v0, v1",
       [](u32 a, u32 b, u32) { return u32(((Wide{1} << (a % 32)) - 1) << (b % 32)); }},
      {"v_bfrev_b32_e32 v3, v0",
       [](u32 a, u32, u32) {
         u32 result = 0;
         for (int i = 0; i < 32; ++i) result |= ((a >> i) & 1) << (31 - i);
         return result;
       }},
      {"v_bcnt_u32_b32 v3, v0, v1", [&](u32 a, u32 b, u32) { return u32(Wide(count(a)) + b); }},
      {"v_ffbh_u32_e32 v3, v0",
       [](u32 a, u32, u32) {
         for (u32 i = 0; i < 32; ++i) {
           if (a >> (31 - i) & 1) return i;
         }
         return 0xFFFFFFFF;
       }},
      {"v_ffbl_b32_e32 v3, v0",
       [](u32 a, u32, u32) {
         for (u32 i = 0; i < 32; ++i) {
           if (a >> i & 1) return i;
         }
         return 0xFFFFFFFF;
       }},
      {"v_ffbh_i32_e32 v3, v0",
       [](u32 a, u32, u32) {
         for (u32 i = 1; i < 32; ++i) {
           if ((a >> (31 - i) & 1) != a >> 31) return i;
         }
         return 0xFFFFFFFF;
       }},
      {"v_alignbit_b32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(((Wide(a) << 32) + b) >> (c % 32)); }},
      {"v_alignbyte_b32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(((Wide(a) << 32) + b) >> (c % 4 * 8)); }},
  };
  for (const Case& c : cases) check(c);
}

TEST(ValuInteger, Bytes) {
  const Case cases[] = {
      {"v_sad_u8 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(Wide(byte_sum(a, b, false)) + c); }},
      {"v_sad_u8 v3, v0, v1, v2 clamp",
       [](u32 a, u32 b, u32 c) { return clamped_u32(Wide(byte_sum(a, b, false)) + c); }},
      {"v_msad_u8 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return u32(Wide(byte_sum(a, b, true)) + c); }},
      {"v_sad_hi_u8 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32(Wide(byte_sum(a, b, false)) * 65536 + c); }},
      {"v_sad_u16 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) {
         const Wide low = Wide(a % 65536) - b % 65536, high = Wide(a / 65536) - b / 65536;
         return u32((low < 0 ? -low : low) + (high < 0 ? -high : high) + c);
       }},
      {"v_sad_u32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) { return u32((a > b ? Wide(a) - b : Wide(b) - a) + c); }},
      {"v_lerp_u8 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) {
         u32 result = 0;
         for (int i = 0; i < 32; i += 8) {
           result |= (((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) / 2) << i;
         }
         return result;
       }},
      {"v_perm_b32 v3, v0, v1, v2",
       [](u32 a, u32 b, u32 c) {
         const u8 bytes[] = {u8(b), u8(b >> 8), u8(b >> 16), u8(b >> 24),
                             u8(a), u8(a >> 8), u8(a >> 16), u8(a >> 24)};
         u32 result = 0;
         for (int i = 0; i < 32; i += 8) {
           const u32 selector = c >> i & 255;
           u32 byte = 0xFF;
           if (selector < 8) byte = bytes[selector];
           if (selector >= 8 && selector < 12) byte = bytes[(selector - 8) * 2 + 1] >= 0x80 ? 0xFF : 0;
           if (selector == 12) byte = 0;
           result |= byte << i;
         }
         return result;
       }},
  };
  for (const Case& c : cases) check(c);
}

// Selectors 0 to 15 one by one: the edge values above hold few of them.
TEST(ValuInteger, PermSelectors) {
  Stepper step;
  step.fill(0, 0x80706050);  // bytes 7 to 4
  step.fill(1, 0x4030A010);  // bytes 3 to 0
  for (u32 lane = 0; lane < 64; ++lane) step.wave.row(2)[lane] = lane % 16;
  step.run("v_perm_b32 v3, v0, v1, v2");
  const u32 expected[16] = {0x10, 0xA0, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80,
                            0xFF, 0,    0,    0xFF, 0,    0xFF, 0xFF, 0xFF};
  for (u32 lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(step.wave.row(3)[lane], (expected[lane] | 0x10101000u)) << "selector " << lane;
  }
}

TEST(ValuInteger, Halves) {
  const u32 kept = 0xABCD0000;  // gfx9's instructions with op_sel keep the upper half
  const Case cases[] = {
      {"v_add_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(Wide(a) + b); }},
      {"v_sub_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(Wide(a) - b); }},
      {"v_subrev_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(Wide(b) - a); }},
      {"v_add_u16_e64 v3, v0, v1 clamp",
       [](u32 a, u32 b, u32) { return clamped(Wide(a & 0xFFFF) + (b & 0xFFFF), 0, 65535); }},
      {"v_sub_u16_e64 v3, v0, v1 clamp",
       [](u32 a, u32 b, u32) { return clamped(Wide(a & 0xFFFF) - (b & 0xFFFF), 0, 65535); }},
      {"v_mul_lo_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(Wide(a) * b); }},
      {"v_min_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return std::min(a & 0xFFFF, b & 0xFFFF); }},
      {"v_max_u16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return std::max(a & 0xFFFF, b & 0xFFFF); }},
      {"v_min_i16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(std::min(s16(a), s16(b))); }},
      {"v_max_i16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(std::max(s16(a), s16(b))); }},
      {"v_lshlrev_b16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(Wide(b) << (a % 16)); }},
      {"v_lshrrev_b16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return (b & 0xFFFF) >> (a % 16); }},
      {"v_ashrrev_i16_e32 v3, v0, v1", [](u32 a, u32 b, u32) { return short_of(s16(b) >> (a % 16)); }},
      {"v_mad_legacy_u16 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return short_of(Wide(a) * b + c); }},
      {"v_mad_legacy_i16 v3, v0, v1, v2", [](u32 a, u32 b, u32 c) { return short_of(Wide(a) * b + c); }},
      {"v_mad_u16 v3, v0, v1, v2", [&](u32 a, u32 b, u32 c) { return kept | short_of(Wide(a) * b + c); }},
      {"v_mad_i16 v3, v0, v1, v2", [&](u32 a, u32 b, u32 c) { return kept | short_of(Wide(a) * b + c); }},
      {"v_add_i16 v3, v0, v1", [&](u32 a, u32 b, u32) { return kept | short_of(Wide(a) + b); }},
      {"v_sub_i16 v3, v0, v1 clamp",
       [&](u32 a, u32 b, u32) { return kept | (clamped(s16(a) - s16(b), -32768, 32767) & 0xFFFF); }},
      {"v_min3_i16 v3, v0, v1, v2",
       [&](u32 a, u32 b, u32 c) { return kept | short_of(std::min({s16(a), s16(b), s16(c)})); }},
      {"v_max3_u16 v3, v0, v1, v2",
       [&](u32 a, u32 b, u32 c) { return kept | short_of(std::max({a & 0xFFFF, b & 0xFFFF, c & 0xFFFF})); }},
      {"v_med3_i16 v3, v0, v1, v2",
       [&](u32 a, u32 b, u32 c) { return kept | (median({s16(a), s16(b), s16(c)}) & 0xFFFF); }},
      {"v_add_i16 v3, v0, v1 op_sel:[1,0,0]",
       [&](u32 a, u32 b, u32) { return kept | short_of(Wide(a >> 16) + b); }},
      {"v_add_i16 v3, v0, v1 op_sel:[0,0,1]", [](u32 a, u32 b, u32) { return short_of(Wide(a) + b) << 16; }},
  };
  for (const Case& c : cases) check(c);
}

// Carry chains: value and mask, for every carry in.
TEST(ValuInteger, Carries) {
  struct Chain {
    const char* text;
    std::function<Wide(Wide, Wide, Wide)> exact;
  };
  const Chain chains[] = {
      {"v_add_co_u32_e32 v3, vcc, v0, v1", [](Wide a, Wide b, Wide) { return a + b; }},
      {"v_sub_co_u32_e32 v3, vcc, v0, v1", [](Wide a, Wide b, Wide) { return a - b; }},
      {"v_subrev_co_u32_e32 v3, vcc, v0, v1", [](Wide a, Wide b, Wide) { return b - a; }},
      {"v_addc_co_u32_e32 v3, vcc, v0, v1, vcc", [](Wide a, Wide b, Wide c) { return a + b + c; }},
      {"v_subb_co_u32_e32 v3, vcc, v0, v1, vcc", [](Wide a, Wide b, Wide c) { return a - b - c; }},
      {"v_subbrev_co_u32_e32 v3, vcc, v0, v1, vcc", [](Wide a, Wide b, Wide c) { return b - a - c; }},
  };
  const u64 carry_in = 0xAAAAAAAAAAAAAAAA;
  for (const Chain& chain : chains) {
    Stepper step;
    const Instruction in = step.decoded(chain.text);
    for (const u32 a : edge_values) {
      for (std::size_t first = 0; first < edge_values.size(); ++first) {
        for (u32 lane = 0; lane < 64; ++lane) {
          step.wave.row(0)[lane] = a;
          step.wave.row(1)[lane] = edge_values[(first + lane / 2) % edge_values.size()];
          step.wave.row(3)[lane] = 77;
        }
        step.wave.write_mask(scalar_register::vcc_lo, carry_in);
        step.wave.set_exec(0xFFFFFFFF0FFFFFFF);
        step.run(in);
        const u64 vcc = step.wave.read_mask(scalar_register::vcc_lo);
        for (u32 lane = 0; lane < 64; ++lane) {
          if (lane >= 28 && lane < 32) {
            ASSERT_EQ(step.wave.row(3)[lane], 77u) << chain.text;
            ASSERT_EQ(vcc >> lane & 1, 0u) << chain.text << ": inactive lanes give 0";
            continue;
          }
          const Wide exact = chain.exact(a, step.wave.row(1)[lane], carry_in >> lane & 1);
          ASSERT_EQ(step.wave.row(3)[lane], u32(exact)) << chain.text;
          ASSERT_EQ((vcc >> lane & 1) != 0, exact < 0 || exact > 0xFFFFFFFF) << chain.text;
        }
      }
    }
  }
}

TEST(ValuInteger, CarryClampSaturates) {
  Stepper step;
  step.fill(0, 0xFFFFFFFF);
  step.fill(1, 1);
  step.run("v_add_co_u32_e64 v3, s[4:5], v0, v1 clamp");
  EXPECT_EQ(step.wave.row(3)[63], 0xFFFFFFFF);
  EXPECT_EQ(step.wave.read_scalar64(4), ~u64{0});
  step.run("v_sub_co_u32_e64 v3, s[4:5], v1, v0 clamp");
  EXPECT_EQ(step.wave.row(3)[0], 0u);
  EXPECT_EQ(step.wave.read_scalar64(4), ~u64{0});
}

TEST(ValuInteger, QuadSums) {
  Stepper step;
  // v[0:1]: bytes 1 to 8; v2: reference; v[4:7]: accumulators.
  step.fill(0, 0x04030201);
  step.fill(1, 0x08070605);
  step.fill(2, 0x00010203);
  step.fill(4, 0x00020001);
  step.fill(5, 0xFFFF0003);
  step.fill(6, 6);
  step.fill(7, 0xFFFFFFFF);
  // Window i is i+1 .. i+4. Against 3, 2, 1, 0 (lowest byte first) the sums of differences are
  //   |1-3|+|2-2|+|3-1|+|4-0| = 8, then 1+1+3+5 = 10, 0+2+4+6 = 12, 1+3+5+7 = 16;
  // without the byte whose reference is 0: 4, 5, 6, 9.
  step.run("v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]");
  EXPECT_EQ(step.wave.row(8)[5], 0x000C0009u);
  EXPECT_EQ(step.wave.row(9)[5], 0x000F000Fu);
  step.run("v_mqsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]");
  EXPECT_EQ(step.wave.row(8)[5], 0x00070005u);
  EXPECT_EQ(step.wave.row(9)[5], 0x00080009u);
  step.run("v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5] clamp");
  EXPECT_EQ(step.wave.row(9)[5], 0xFFFF000Fu);
  step.fill(4, 1);
  step.fill(5, 2);
  step.run("v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[4:7]");
  EXPECT_EQ(step.wave.row(8)[63], 5u);
  EXPECT_EQ(step.wave.row(9)[63], 7u);
  EXPECT_EQ(step.wave.row(10)[63], 12u);
  EXPECT_EQ(step.wave.row(11)[63], 8u);
}

TEST(ValuInteger, Select) {
  Stepper step;
  step.fill(0, 10);
  step.fill(1, 20);
  step.fill(3, 30);
  step.wave.write_mask(scalar_register::vcc_lo, 0x8000000000000001);
  step.wave.set_exec(0xFFFFFFFFFFFFFF0F);
  step.run("v_cndmask_b32_e32 v3, v0, v1, vcc");
  EXPECT_EQ(step.wave.row(3)[0], 20u);
  EXPECT_EQ(step.wave.row(3)[1], 10u);
  EXPECT_EQ(step.wave.row(3)[4], 30u) << "an inactive lane keeps its value";
  EXPECT_EQ(step.wave.row(3)[63], 20u);
}

TEST(ValuInteger, OlderNames) {
  Stepper old("gfx803");
  old.fill(0, 0xFFFFFFFF);
  old.fill(1, 2);
  old.run("v_add_u32_e32 v3, vcc, v0, v1");  // gfx8: with a carry out
  EXPECT_EQ(old.wave.row(3)[0], 1u);
  EXPECT_EQ(old.wave.read_mask(scalar_register::vcc_lo), ~u64{0});
  Stepper oldest("gfx601");
  oldest.fill(0, 3);
  oldest.fill(1, 33);
  oldest.run("v_lshl_b32_e32 v3, v0, v1");
  EXPECT_EQ(oldest.wave.row(3)[0], 6u);
  oldest.run("v_sub_i32_e32 v3, vcc, v0, v1");
  EXPECT_EQ(oldest.wave.row(3)[0], 0u - 30u);
  EXPECT_EQ(oldest.wave.read_mask(scalar_register::vcc_lo), ~u64{0});
  Stepper rdna("gfx1030", 32);
  rdna.fill(0, 1);
  rdna.fill(1, 2);
  rdna.run("v_sub_nc_u32_e32 v3, v0, v1");
  EXPECT_EQ(rdna.wave.row(3)[31], 0xFFFFFFFF);
  rdna.run("v_sub_co_ci_u32_e32 v3, vcc_lo, v0, v1, vcc_lo");
  EXPECT_EQ(rdna.wave.read_scalar(106), 0xFFFFFFFF);
}

}  // namespace
}  // namespace lockstep::amd
