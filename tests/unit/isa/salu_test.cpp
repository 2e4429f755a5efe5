// Scalar instructions over edge values, against definitions written with wide integers and loops over bits:
// value and condition code.
#include <functional>
#include <optional>

#include "amd_step.h"

namespace lockstep::amd {
namespace {

using Wide = __int128;

Wide s32(u32 value) {
  return value >= 0x80000000u ? Wide(value) - (Wide{1} << 32) : Wide(value);
}
Wide s64(u64 value) {
  return value >> 63 ? Wide(value) - (Wide{1} << 64) : Wide(value);
}
bool fits32(Wide value) {
  return value >= -(Wide{1} << 31) && value < (Wide{1} << 31);
}

struct Result {
  u64 value;
  std::optional<bool> scc;  // nothing: SCC stays as it was
};
Result nonzero(u64 value) {
  return {value, value != 0};
}
Result nonzero32(Wide value) {
  return nonzero(static_cast<u32>(value));
}

// Sources s[4:5] and s[6:7], result s[8:9] or s8.
struct Case {
  const char* text;
  std::function<Result(u64 a, u64 b, bool scc)> definition;
  bool wide = false;  // 64-bit result
};

constexpr u64 wide_edges[] = {0,
                              1,
                              2,
                              0x3F,
                              0x40,
                              0x1F0004,  // field of 31 bits from bit 4
                              0x200000,  // of 32 bits from bit 0
                              0x400008,  // of 64 bits from bit 8
                              0x7F0000,  // of 127 bits
                              0x00100010,
                              0x7FFFFFFF,
                              0x80000000,
                              0xFFFFFFFF,
                              0x100000000,
                              0x8000000080000000,
                              0x123456789ABCDEF0,
                              0x7FFFFFFFFFFFFFFF,
                              0x8000000000000000,
                              0xFFFFFFFF00000000,
                              0xFFFFFFFFFFFFFFFE,
                              0xFFFFFFFFFFFFFFFF};

void check(const Case& c) {
  Stepper step;
  const Instruction in = step.decoded(c.text);
  if (in.run == nullptr) return;
  for (const u64 a : wide_edges) {
    for (const u64 b : wide_edges) {
      for (const bool scc : {false, true}) {
        step.wave.write_scalar64(4, a);
        step.wave.write_scalar64(6, b);
        step.wave.write_scalar64(8, 0x5555AAAA5555AAAA);
        step.wave.scc = scc;
        step.run(in);
        const Result expected = c.definition(a, b, scc);
        const u64 value = c.wide ? step.wave.read_scalar64(8) : step.wave.read_scalar(8);
        ASSERT_EQ(value, c.wide ? expected.value : static_cast<u32>(expected.value))
            << c.text << std::hex << " a=" << a << " b=" << b << " scc=" << scc;
        ASSERT_EQ(step.wave.scc, expected.scc.value_or(scc))
            << c.text << std::hex << " a=" << a << " b=" << b << " scc=" << scc;
        if (!c.wide) {
          ASSERT_EQ(step.wave.read_scalar(9), 0x5555AAAAu) << c.text;
        }
      }
    }
  }
}

u32 lo(u64 value) {
  return static_cast<u32>(value);
}

TEST(Salu, Sums) {
  const Case cases[] = {
      {"s_add_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(a + b), Wide(lo(a)) + lo(b) > 0xFFFFFFFF}; }},
      {"s_sub_u32 s8, s4, s6", [](u64 a, u64 b, bool) { return Result{lo(a - b), lo(b) > lo(a)}; }},
      {"s_add_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(a + b), !fits32(s32(lo(a)) + s32(lo(b)))}; }},
      {"s_sub_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(a - b), !fits32(s32(lo(a)) - s32(lo(b)))}; }},
      {"s_addc_u32 s8, s4, s6",
       [](u64 a, u64 b, bool c) { return Result{lo(a + b + c), Wide(lo(a)) + lo(b) + c > 0xFFFFFFFF}; }},
      {"s_subb_u32 s8, s4, s6",
       [](u64 a, u64 b, bool c) { return Result{lo(a - b - c), Wide(lo(a)) - lo(b) - c < 0}; }},
      {"s_addk_i32 s8, 0x8000", [](u64, u64, bool) { return Result{lo(0x5555AAAA - 0x8000u), false}; }},
      {"s_lshl1_add_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(a * 2 + b), Wide(lo(a)) * 2 + lo(b) > 0xFFFFFFFF}; }},
      {"s_lshl4_add_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(a * 16 + b), Wide(lo(a)) * 16 + lo(b) > 0xFFFFFFFF}; }},
      {"s_mul_i32 s8, s4, s6", [](u64 a, u64 b, bool) { return Result{lo(a * b), {}}; }},
      {"s_mul_hi_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(u64(Wide(lo(a)) * lo(b) >> 32)), {}}; }},
      {"s_mul_hi_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{lo(u64(s32(lo(a)) * s32(lo(b)) >> 32)), {}}; }},
      {"s_mulk_i32 s8, 0xffff", [](u64, u64, bool) { return Result{lo(0u - 0x5555AAAAu), {}}; }},
      {"s_abs_i32 s8, s4",
       [](u64 a, u64, bool) { return nonzero32(s32(lo(a)) < 0 ? -s32(lo(a)) : s32(lo(a))); }},
      // The difference wraps around before its sign is taken: |0x7fffffff - 0x80000000| is 1.
      {"s_absdiff_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) {
         const Wide difference = s32(lo(a - b));
         return nonzero32(difference < 0 ? -difference : difference);
       }},
      {"s_min_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) {
         return s32(lo(a)) < s32(lo(b)) ? Result{lo(a), true} : Result{lo(b), false};
       }},
      {"s_min_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return lo(a) < lo(b) ? Result{lo(a), true} : Result{lo(b), false}; }},
      {"s_max_i32 s8, s4, s6",
       [](u64 a, u64 b, bool) {
         return s32(lo(a)) > s32(lo(b)) ? Result{lo(a), true} : Result{lo(b), false};
       }},
      {"s_max_u32 s8, s4, s6",
       [](u64 a, u64 b, bool) { return lo(a) > lo(b) ? Result{lo(a), true} : Result{lo(b), false}; }},
  };
  for (const Case& c : cases) check(c);
}

TEST(Salu, Moves) {
  const Case cases[] = {
      {"s_mov_b32 s8, s4", [](u64 a, u64, bool) { return Result{lo(a), {}}; }},
      {"s_mov_b64 s[8:9], s[4:5]", [](u64 a, u64, bool) { return Result{a, {}}; }, true},
      {"s_movk_i32 s8, 0x8001", [](u64, u64, bool) { return Result{0xFFFF8001, {}}; }},
      {"s_cmov_b32 s8, s4", [](u64 a, u64, bool scc) { return Result{scc ? lo(a) : 0x5555AAAA, {}}; }},
      {"s_cmov_b64 s[8:9], s[4:5]",
       [](u64 a, u64, bool scc) { return Result{scc ? a : 0x5555AAAA5555AAAA, {}}; }, true},
      {"s_cmovk_i32 s8, 0x7fff", [](u64, u64, bool scc) { return Result{scc ? 0x7FFFu : 0x5555AAAAu, {}}; }},
      {"s_cselect_b32 s8, s4, s6", [](u64 a, u64 b, bool scc) { return Result{scc ? lo(a) : lo(b), {}}; }},
      {"s_cselect_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool scc) { return Result{scc ? a : b, {}}; },
       true},
      {"s_pack_ll_b32_b16 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{(a % 65536) + (b % 65536) * 65536, {}}; }},
      {"s_pack_lh_b32_b16 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{(a % 65536) + (lo(b) / 65536) * 65536ull, {}}; }},
      {"s_pack_hh_b32_b16 s8, s4, s6",
       [](u64 a, u64 b, bool) { return Result{(lo(a) / 65536) + (lo(b) / 65536) * 65536ull, {}}; }},
      {"s_sext_i32_i8 s8, s4",
       [](u64 a, u64, bool) { return Result{lo(a % 256 < 128 ? a % 256 : a % 256 - 256), {}}; }},
      {"s_sext_i32_i16 s8, s4",
       [](u64 a, u64, bool) { return Result{lo(a % 65536 < 32768 ? a % 65536 : a % 65536 - 65536), {}}; }},
  };
  for (const Case& c : cases) check(c);
}

TEST(Salu, LogicAndShifts) {
  const Case cases[] = {
      {"s_not_b32 s8, s4", [](u64 a, u64, bool) { return nonzero(lo(~a)); }},
      {"s_and_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a & b)); }},
      {"s_or_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a | b)); }},
      {"s_xor_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a ^ b)); }},
      {"s_andn2_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a & ~b)); }},
      {"s_orn2_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a | ~b)); }},
      {"s_nand_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(~(a & b))); }},
      {"s_nor_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(~(a | b))); }},
      {"s_xnor_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(~(a ^ b))); }},
      {"s_not_b64 s[8:9], s[4:5]", [](u64 a, u64, bool) { return nonzero(~a); }, true},
      {"s_and_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(a & b); }, true},
      {"s_or_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(a | b); }, true},
      {"s_xor_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(a ^ b); }, true},
      {"s_andn2_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(a & ~b); }, true},
      {"s_orn2_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(a | ~b); }, true},
      {"s_nand_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(~(a & b)); }, true},
      {"s_nor_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(~(a | b)); }, true},
      {"s_xnor_b64 s[8:9], s[4:5], s[6:7]", [](u64 a, u64 b, bool) { return nonzero(~(a ^ b)); }, true},
      {"s_lshl_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a << (b % 32))); }},
      {"s_lshr_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero(lo(a) >> (b % 32)); }},
      {"s_ashr_i32 s8, s4, s6", [](u64 a, u64 b, bool) { return nonzero32(s32(lo(a)) >> (b % 32)); }},
      {"s_lshl_b64 s[8:9], s[4:5], s6", [](u64 a, u64 b, bool) { return nonzero(a << (b % 64)); }, true},
      {"s_lshr_b64 s[8:9], s[4:5], s6", [](u64 a, u64 b, bool) { return nonzero(a >> (b % 64)); }, true},
      {"s_ashr_i64 s[8:9], s[4:5], s6",
       [](u64 a, u64 b, bool) { return nonzero(static_cast<u64>(s64(a) >> (b % 64))); }, true},
  };
  for (const Case& c : cases) check(c);
}

// The field of `width` bits from `first`, of a number of `bits` bits that its sign (or 0) continues.
u64 field(u64 value, u32 first, u32 width, bool is_signed, u32 bits) {
  const bool above = is_signed && (value >> (bits - 1) & 1) != 0;
  u64 result = 0;
  bool last = false;
  for (u32 i = 0; i < bits; ++i) {
    const u32 at = first + i;
    const bool bit = at < bits ? (value >> at & 1) != 0 : above;
    if (i < width) last = bit;
    const bool filled = i < width ? bit : is_signed && width > 0 && last;
    if (filled) result |= u64{1} << i;
  }
  return result;
}
template <class T>
T ones(u32 width, u32 first) {
  T result = 0;
  for (u32 i = 0; i < width; ++i) {
    if (first + i < sizeof(T) * 8) result |= T{1} << (first + i);
  }
  return result;
}
u32 count(u64 value, u32 bits, bool what) {
  u32 n = 0;
  for (u32 i = 0; i < bits; ++i) n += ((value >> i & 1) != 0) == what;
  return n;
}
u32 from_bottom(u64 value, u32 bits, bool what) {
  for (u32 i = 0; i < bits; ++i) {
    if (((value >> i & 1) != 0) == what) return i;
  }
  return 0xFFFFFFFF;
}
u32 from_top(u64 value, u32 bits, bool what) {
  for (u32 i = 0; i < bits; ++i) {
    if (((value >> (bits - 1 - i) & 1) != 0) == what) return i;
  }
  return 0xFFFFFFFF;
}
u64 reversed(u64 value, u32 bits) {
  u64 result = 0;
  for (u32 i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}
u64 quads(u64 value, u32 bits, bool whole) {
  u64 result = 0;
  for (u32 i = 0; i < bits; i += 4) {
    if ((value >> i & 15) != 0) result |= whole ? u64{15} << i : u64{1} << (i / 4);
  }
  return result;
}

TEST(Salu, BitFields) {
  const auto width = [](u64 b) { return static_cast<u32>(b >> 16 & 127); };
  const Case cases[] = {
      {"s_bfe_u32 s8, s4, s6",
       [&](u64 a, u64 b, bool) { return nonzero(field(lo(a), b % 32, width(b), false, 32)); }},
      {"s_bfe_i32 s8, s4, s6",
       [&](u64 a, u64 b, bool) { return nonzero(field(lo(a), b % 32, width(b), true, 32)); }},
      {"s_bfe_u64 s[8:9], s[4:5], s6",
       [&](u64 a, u64 b, bool) { return nonzero(field(a, b % 64, width(b), false, 64)); }, true},
      {"s_bfe_i64 s[8:9], s[4:5], s6",
       [&](u64 a, u64 b, bool) { return nonzero(field(a, b % 64, width(b), true, 64)); }, true},
      {"s_bfm_b32 s8, s4, s6", [](u64 a, u64 b, bool) { return Result{ones<u32>(a % 32, b % 32), {}}; }},
      {"s_bfm_b64 s[8:9], s4, s6", [](u64 a, u64 b, bool) { return Result{ones<u64>(a % 64, b % 64), {}}; },
       true},
      {"s_brev_b32 s8, s4", [](u64 a, u64, bool) { return Result{reversed(lo(a), 32), {}}; }},
      {"s_brev_b64 s[8:9], s[4:5]", [](u64 a, u64, bool) { return Result{reversed(a, 64), {}}; }, true},
      {"s_bcnt0_i32_b32 s8, s4", [](u64 a, u64, bool) { return nonzero(count(a, 32, false)); }},
      {"s_bcnt1_i32_b32 s8, s4", [](u64 a, u64, bool) { return nonzero(count(a, 32, true)); }},
      {"s_bcnt0_i32_b64 s8, s[4:5]", [](u64 a, u64, bool) { return nonzero(count(a, 64, false)); }},
      {"s_bcnt1_i32_b64 s8, s[4:5]", [](u64 a, u64, bool) { return nonzero(count(a, 64, true)); }},
      {"s_ff0_i32_b32 s8, s4", [](u64 a, u64, bool) { return Result{from_bottom(a, 32, false), {}}; }},
      {"s_ff1_i32_b32 s8, s4", [](u64 a, u64, bool) { return Result{from_bottom(a, 32, true), {}}; }},
      {"s_ff0_i32_b64 s8, s[4:5]", [](u64 a, u64, bool) { return Result{from_bottom(a, 64, false), {}}; }},
      {"s_ff1_i32_b64 s8, s[4:5]", [](u64 a, u64, bool) { return Result{from_bottom(a, 64, true), {}}; }},
      {"s_flbit_i32_b32 s8, s4", [](u64 a, u64, bool) { return Result{from_top(a, 32, true), {}}; }},
      {"s_flbit_i32_b64 s8, s[4:5]", [](u64 a, u64, bool) { return Result{from_top(a, 64, true), {}}; }},
      {"s_flbit_i32 s8, s4",
       [](u64 a, u64, bool) { return Result{from_top(a, 32, (a >> 31 & 1) == 0), {}}; }},
      {"s_flbit_i32_i64 s8, s[4:5]",
       [](u64 a, u64, bool) { return Result{from_top(a, 64, a >> 63 == 0), {}}; }},
      {"s_bitset0_b32 s8, s4", [](u64 a, u64, bool) { return Result{0x5555AAAA & ~(u64{1} << a % 32), {}}; }},
      {"s_bitset1_b32 s8, s4", [](u64 a, u64, bool) { return Result{0x5555AAAA | u64{1} << a % 32, {}}; }},
      {"s_bitset0_b64 s[8:9], s4",
       [](u64 a, u64, bool) { return Result{0x5555AAAA5555AAAA & ~(u64{1} << a % 64), {}}; }, true},
      {"s_bitset1_b64 s[8:9], s4",
       [](u64 a, u64, bool) { return Result{0x5555AAAA5555AAAA | u64{1} << a % 64, {}}; }, true},
      {"s_wqm_b32 s8, s4", [](u64 a, u64, bool) { return nonzero(quads(a, 32, true)); }},
      {"s_wqm_b64 s[8:9], s[4:5]", [](u64 a, u64, bool) { return nonzero(quads(a, 64, true)); }, true},
      {"s_quadmask_b32 s8, s4", [](u64 a, u64, bool) { return nonzero(quads(a, 32, false)); }},
      {"s_quadmask_b64 s[8:9], s[4:5]", [](u64 a, u64, bool) { return nonzero(quads(a, 64, false)); }, true},
      {"s_bitreplicate_b64_b32 s[8:9], s4",
       [](u64 a, u64, bool) {
         u64 result = 0;
         for (u32 i = 0; i < 64; ++i) result |= (a >> (i / 2) & 1) << i;
         return Result{result, {}};
       },
       true},
  };
  for (const Case& c : cases) check(c);
}

// Comparisons: SCC only; s8 stays.
TEST(Salu, Comparisons) {
  const auto same = [](bool scc) { return Result{0x5555AAAA, scc}; };
  const Case cases[] = {
      {"s_cmp_eq_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) == lo(b)); }},
      {"s_cmp_lg_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) != lo(b)); }},
      {"s_cmp_gt_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(s32(lo(a)) > s32(lo(b))); }},
      {"s_cmp_ge_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(s32(lo(a)) >= s32(lo(b))); }},
      {"s_cmp_lt_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(s32(lo(a)) < s32(lo(b))); }},
      {"s_cmp_le_i32 s4, s6", [&](u64 a, u64 b, bool) { return same(s32(lo(a)) <= s32(lo(b))); }},
      {"s_cmp_eq_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) == lo(b)); }},
      {"s_cmp_lg_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) != lo(b)); }},
      {"s_cmp_gt_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) > lo(b)); }},
      {"s_cmp_ge_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) >= lo(b)); }},
      {"s_cmp_lt_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) < lo(b)); }},
      {"s_cmp_le_u32 s4, s6", [&](u64 a, u64 b, bool) { return same(lo(a) <= lo(b)); }},
      {"s_cmp_eq_u64 s[4:5], s[6:7]", [&](u64 a, u64 b, bool) { return same(a == b); }},
      {"s_cmp_lg_u64 s[4:5], s[6:7]", [&](u64 a, u64 b, bool) { return same(a != b); }},
      {"s_bitcmp0_b32 s4, s6", [&](u64 a, u64 b, bool) { return same((a >> b % 32 & 1) == 0); }},
      {"s_bitcmp1_b32 s4, s6", [&](u64 a, u64 b, bool) { return same((a >> b % 32 & 1) == 1); }},
      {"s_bitcmp0_b64 s[4:5], s6", [&](u64 a, u64 b, bool) { return same((a >> b % 64 & 1) == 0); }},
      {"s_bitcmp1_b64 s[4:5], s6", [&](u64 a, u64 b, bool) { return same((a >> b % 64 & 1) == 1); }},
      // The constant is signed against i32 and unsigned against u32.
      {"s_cmpk_eq_i32 s4, 0xffff", [&](u64 a, u64, bool) { return same(lo(a) == 0xFFFFFFFF); }},
      {"s_cmpk_lg_i32 s4, 0x1", [&](u64 a, u64, bool) { return same(lo(a) != 1); }},
      {"s_cmpk_gt_i32 s4, 0x8000", [&](u64 a, u64, bool) { return same(s32(lo(a)) > -32768); }},
      {"s_cmpk_ge_i32 s4, 0xfffe", [&](u64 a, u64, bool) { return same(s32(lo(a)) >= -2); }},
      {"s_cmpk_lt_i32 s4, 0x7fff", [&](u64 a, u64, bool) { return same(s32(lo(a)) < 32767); }},
      {"s_cmpk_le_i32 s4, 0xffff", [&](u64 a, u64, bool) { return same(s32(lo(a)) <= -1); }},
      {"s_cmpk_eq_u32 s4, 0x3f", [&](u64 a, u64, bool) { return same(lo(a) == 63); }},
      {"s_cmpk_lg_u32 s4, 0x2", [&](u64 a, u64, bool) { return same(lo(a) != 2); }},
      {"s_cmpk_gt_u32 s4, 0xffff", [&](u64 a, u64, bool) { return same(lo(a) > 65535); }},
      {"s_cmpk_ge_u32 s4, 0x8000", [&](u64 a, u64, bool) { return same(lo(a) >= 32768); }},
      {"s_cmpk_lt_u32 s4, 0xffff", [&](u64 a, u64, bool) { return same(lo(a) < 65535); }},
      {"s_cmpk_le_u32 s4, 0x40", [&](u64 a, u64, bool) { return same(lo(a) <= 64); }},
  };
  for (const Case& c : cases) check(c);
}

TEST(Salu, SaveExec) {
  struct SaveCase {
    const char* text;
    u64 exec;  // afterwards, from source 0x3 and EXEC 0x5
    bool keeps_new;
  };
  const SaveCase cases[] = {
      {"s_and_saveexec_b64 s[8:9], s[4:5]", 0x1, false},
      {"s_or_saveexec_b64 s[8:9], s[4:5]", 0x7, false},
      {"s_xor_saveexec_b64 s[8:9], s[4:5]", 0x6, false},
      {"s_andn2_saveexec_b64 s[8:9], s[4:5]", 0x2, false},
      {"s_andn1_saveexec_b64 s[8:9], s[4:5]", 0x4, false},
      {"s_orn2_saveexec_b64 s[8:9], s[4:5]", 0xFFFFFFFFFFFFFFFB, false},
      {"s_orn1_saveexec_b64 s[8:9], s[4:5]", 0xFFFFFFFFFFFFFFFD, false},
      {"s_nand_saveexec_b64 s[8:9], s[4:5]", 0xFFFFFFFFFFFFFFFE, false},
      {"s_nor_saveexec_b64 s[8:9], s[4:5]", 0xFFFFFFFFFFFFFFF8, false},
      {"s_xnor_saveexec_b64 s[8:9], s[4:5]", 0xFFFFFFFFFFFFFFF9, false},
      {"s_andn1_wrexec_b64 s[8:9], s[4:5]", 0x4, true},
      {"s_andn2_wrexec_b64 s[8:9], s[4:5]", 0x2, true},
  };
  for (const SaveCase& c : cases) {
    Stepper step;
    step.wave.write_scalar64(4, 3);
    step.wave.set_exec(5);
    step.run(c.text);
    EXPECT_EQ(step.wave.exec(), c.exec) << c.text;
    EXPECT_EQ(step.wave.read_scalar64(8), c.keeps_new ? c.exec : 5) << c.text;
    EXPECT_TRUE(step.wave.scc) << c.text;
  }
  Stepper none;
  none.wave.write_scalar64(4, 2);
  none.wave.set_exec(1);
  none.wave.scc = true;
  none.run("s_and_saveexec_b64 s[4:5], s[4:5]");  // source and result in one register
  EXPECT_EQ(none.wave.exec(), 0u);
  EXPECT_EQ(none.wave.read_scalar64(4), 1u);
  EXPECT_FALSE(none.wave.scc);
  Stepper half("gfx1030", 32);
  half.wave.write_scalar(4, 6);
  half.wave.set_exec(0xFFFFFFFF);
  half.run("s_andn2_saveexec_b32 s8, s4");
  EXPECT_EQ(half.wave.exec(), 0u);
  EXPECT_FALSE(half.wave.scc);
  half.run("s_or_saveexec_b32 s8, s4");
  EXPECT_EQ(half.wave.exec(), 6u);
  EXPECT_EQ(half.wave.read_scalar(8), 0u);
}

}  // namespace
}  // namespace lockstep::amd
