// 16-bit integers of the vector ALU. Until gfx9 most of them clear bits 31:16 of the result; those that gfx9
// added, with op_sel, and all of them from RDNA on leave these bits as they are.
// Source: "Vega Instruction Set Architecture" and "RDNA 2 Instruction Set Architecture", chapters VOP2 and
// VOP3; which instruction clears the upper half: LLVM, GCNSubtarget::zeroesHigh16BitsOfDest.
#include "isa/amd/integer_meanings.h"
#include "isa/amd/valu_integer.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct MadU16 {
  static constexpr std::string_view name = "mad_u16";
  static constexpr Flow flow = Flow::carries_up;
  static u16 apply(u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); }
  static u16 apply_clamp(u16 a, u16 b, u16 c) { return saturated<u16>(i64{a} * b + c); }
};
struct MadI16 {
  static constexpr std::string_view name = "mad_i16";
  static constexpr Flow flow = Flow::carries_up;
  static i16 apply(i16 a, i16 b, i16 c) { return static_cast<i16>(i32{a} * b + c); }
  static i16 apply_clamp(i16 a, i16 b, i16 c) { return saturated<i16>(i32{a} * b + c); }
};
// Products of 16 bits, sums of 32.
struct MadU32U16 {
  static constexpr std::string_view name = "mad_u32_u16";
  static u32 apply(u16 a, u16 b, u32 c) { return u32{a} * b + c; }
  static u32 apply_clamp(u16 a, u16 b, u32 c) { return saturated<u32>(u64{a} * b + c); }
};
struct MadI32I16 {
  static constexpr std::string_view name = "mad_i32_i16";
  static i32 apply(i16 a, i16 b, i32 c) { return wrap_add(i32{a} * b, c); }
  static i32 apply_clamp(i16 a, i16 b, i32 c) { return saturated<i32>(i64{a} * b + c); }
};

}  // namespace

std::span<const Row> valu_short_rows() {
  constexpr u32 old = gfx8to9;
  constexpr u32 late = gfx11 | gfx12;
  static constexpr Row rows[] = {
      {"v_add_u16", &semantic<Add<u16>>, Cost::valu_f16, old},
      {"v_sub_u16", &semantic<Sub<u16>>, Cost::valu_f16, old},
      {"v_subrev_u16", &semantic<Subrev<u16>>, Cost::valu_f16, old},
      {"v_mul_lo_u16", &semantic<MulLo<u16>>, Cost::valu_f16, old},
      {"v_min_u16", &semantic<Min<u16>>, Cost::valu_f16, old},
      {"v_min_i16", &semantic<Min<i16>>, Cost::valu_f16, old},
      {"v_max_u16", &semantic<Max<u16>>, Cost::valu_f16, old},
      {"v_max_i16", &semantic<Max<i16>>, Cost::valu_f16, old},
      {"v_lshlrev_b16", &semantic<Lshlrev<u16, u16>>, Cost::valu_f16, old},
      {"v_lshrrev_b16", &semantic<Lshrrev<u16, u16>>, Cost::valu_f16, old},
      {"v_ashrrev_i16", &semantic<Ashrrev<i16, u16>>, Cost::valu_f16, old},
      {"v_mad_u16", &semantic<MadU16>, Cost::valu_f16, gfx8},
      {"v_mad_i16", &semantic<MadI16>, Cost::valu_f16, gfx8},
      {"v_mad_legacy_u16", &semantic<MadU16>, Cost::valu_f16, gfx9},
      {"v_mad_legacy_i16", &semantic<MadI16>, Cost::valu_f16, gfx9},

      {"v_mad_u16", &semantic<MadU16>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_mad_i16", &semantic<MadI16>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_add_i16", &semantic<Add<i16>>, Cost::valu_f16, gfx9, keeps_high_half},
      {"v_sub_i16", &semantic<Sub<i16>>, Cost::valu_f16, gfx9, keeps_high_half},
      {"v_min3_u16", &semantic<Min3<u16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_min3_i16", &semantic<Min3<i16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_max3_u16", &semantic<Max3<u16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_max3_i16", &semantic<Max3<i16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_med3_u16", &semantic<Med3<u16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_med3_i16", &semantic<Med3<i16>>, Cost::valu_f16, gfx9up, keeps_high_half},
      {"v_mad_u32_u16", &semantic<MadU32U16>, Cost::valu_full, gfx9up},
      {"v_mad_i32_i16", &semantic<MadI32I16>, Cost::valu_full, gfx9up},

      {"v_add_nc_u16", &semantic<Add<u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_sub_nc_u16", &semantic<Sub<u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_add_nc_i16", &semantic<Add<i16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_sub_nc_i16", &semantic<Sub<i16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_mul_lo_u16", &semantic<MulLo<u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_min_u16", &semantic<Min<u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_min_i16", &semantic<Min<i16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_max_u16", &semantic<Max<u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_max_i16", &semantic<Max<i16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_lshlrev_b16", &semantic<Lshlrev<u16, u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_lshrrev_b16", &semantic<Lshrrev<u16, u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_ashrrev_i16", &semantic<Ashrrev<i16, u16>>, Cost::valu_f16, rdna, keeps_high_half},
      {"v_mov_b16", &semantic<Mov<u16>>, Cost::valu_full, late, keeps_high_half},
      {"v_not_b16", &semantic<Not<u16>>, Cost::valu_full, late, keeps_high_half},
      {"v_and_b16", &semantic<And<u16>>, Cost::valu_full, late, keeps_high_half},
      {"v_or_b16", &semantic<Or<u16>>, Cost::valu_full, late, keeps_high_half},
      {"v_xor_b16", &semantic<Xor<u16>>, Cost::valu_full, late, keeps_high_half},
      {"v_cndmask_b16", &semantic<Cndmask<u16>>, Cost::valu_full, late, keeps_high_half},
  };
  return rows;
}

}  // namespace lockstep::amd
