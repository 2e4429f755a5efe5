// Bits of the vector ALU: logic, shifts, bit fields, counts, moves, selection.
// Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3; names of the other generations from
// the manuals of GCN3, RDNA 2 and RDNA 3 and LLVM's assembler.
#include "isa/amd/integer_meanings.h"
#include "isa/amd/valu_integer.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct Xnor {
  static constexpr std::string_view name = "xnor_b32";
  static constexpr Flow flow = Flow::bit_xnor;
  static u32 apply(u32 a, u32 b) { return ~(a ^ b); }
};
struct Or3 {
  static constexpr std::string_view name = "or3_b32";
  static constexpr Flow flow = Flow::bit_or3;
  static u32 apply(u32 a, u32 b, u32 c) { return a | b | c; }
};
struct Xor3 {
  static constexpr std::string_view name = "xor3_b32";
  static constexpr Flow flow = Flow::bit_xor3;
  static u32 apply(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
};
struct AndOr {
  static constexpr std::string_view name = "and_or_b32";
  static constexpr Flow flow = Flow::and_or;
  static u32 apply(u32 a, u32 b, u32 c) { return (a & b) | c; }
};
struct Bfi {
  static constexpr std::string_view name = "bfi_b32";
  static constexpr Flow flow = Flow::insert_field;
  static u32 apply(u32 mask, u32 inside, u32 outside) { return (mask & inside) | (~mask & outside); }
};

// The count is in bits 4:0.
struct LshlOr {
  static constexpr std::string_view name = "lshl_or_b32";
  static constexpr Flow flow = Flow::shift_or;
  static u32 apply(u32 a, u32 count, u32 c) { return (a << (count & 31)) | c; }
};

struct BfeU32 {
  static constexpr std::string_view name = "bfe_u32";
  static constexpr Flow flow = Flow::extract;
  static u32 apply(u32 a, u32 offset, u32 width) { return (a >> (offset & 31)) & low_bits32(width); }
};
struct BfeI32 {
  static constexpr std::string_view name = "bfe_i32";
  static constexpr Flow flow = Flow::extract_signed;
  static i32 apply(i32 a, u32 offset, u32 width) {
    return sign_extended32(static_cast<u32>(a >> (offset & 31)), width & 31);
  }
};
struct Bfm {
  static constexpr std::string_view name = "bfm_b32";
  static u32 apply(u32 width, u32 offset) { return low_bits32(width) << (offset & 31); }
};
struct Bfrev {
  static constexpr std::string_view name = "bfrev_b32";
  static constexpr Flow flow = Flow::reverse_bits;
  static u32 apply(u32 a) { return reversed_bits(a); }
};
struct Bcnt {
  static constexpr std::string_view name = "bcnt_u32_b32";
  static u32 apply(u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; }
};
struct FfbhU32 {
  static constexpr std::string_view name = "ffbh_u32";
  static i32 apply(u32 a) { return first_one_from_top(a); }
};
struct FfbhI32 {
  static constexpr std::string_view name = "ffbh_i32";
  static i32 apply(u32 a) { return first_unlike_sign(a); }
};
struct FfblB32 {
  static constexpr std::string_view name = "ffbl_b32";
  static i32 apply(u32 a) { return first_one_from_bottom(a); }
};

}  // namespace

std::span<const Row> valu_bits_rows() {
  static constexpr Row rows[] = {
      {"v_mov_b32", &semantic<Mov<u32>>, Cost::valu_full},
      {"v_accvgpr_read_b32", &semantic<Mov<u32>>, Cost::valu_full, cdna},
      {"v_accvgpr_write_b32", &semantic<Mov<u32>>, Cost::valu_full, cdna},
      {"v_accvgpr_mov_b32", &semantic<Mov<u32>>, Cost::valu_full, gfx90a | gfx940},
      {"v_mov_b64", &semantic<Mov<u64>>, Cost::valu_half, gfx940},
      {"v_cndmask_b32", &semantic<Cndmask<u32>>, Cost::valu_full},

      {"v_not_b32", &semantic<Not<u32>>, Cost::valu_full},
      {"v_and_b32", &semantic<And<u32>>, Cost::valu_full},
      {"v_or_b32", &semantic<Or<u32>>, Cost::valu_full},
      {"v_xor_b32", &semantic<Xor<u32>>, Cost::valu_full},
      {"v_xnor_b32", &semantic<Xnor>, Cost::valu_full, gfx906 | cdna | rdna},
      {"v_or3_b32", &semantic<Or3>, Cost::valu_full, gfx9up},
      {"v_xor3_b32", &semantic<Xor3>, Cost::valu_full, rdna},
      {"v_and_or_b32", &semantic<AndOr>, Cost::valu_full, gfx9up},
      {"v_bfi_b32", &semantic<Bfi>, Cost::valu_full},

      {"v_lshlrev_b32", &semantic<Lshlrev<u32, u32>>, Cost::valu_full},
      {"v_lshrrev_b32", &semantic<Lshrrev<u32, u32>>, Cost::valu_full},
      {"v_ashrrev_i32", &semantic<Ashrrev<i32, u32>>, Cost::valu_full},
      {"v_lshl_b32", &semantic<Lshl<u32>>, Cost::valu_full, gfx6 | gfx7},
      {"v_lshr_b32", &semantic<Lshr<u32>>, Cost::valu_full, gfx6 | gfx7},
      {"v_ashr_i32", &semantic<Ashr<i32>>, Cost::valu_full, gfx6 | gfx7},
      {"v_lshl_or_b32", &semantic<LshlOr>, Cost::valu_full, gfx9up},

      {"v_bfe_u32", &semantic<BfeU32>, Cost::valu_full},
      {"v_bfe_i32", &semantic<BfeI32>, Cost::valu_full},
      {"v_bfm_b32", &semantic<Bfm>, Cost::valu_full},
      {"v_bfrev_b32", &semantic<Bfrev>, Cost::valu_full},
      {"v_bcnt_u32_b32", &semantic<Bcnt>, Cost::valu_full},
      {"v_ffbh_u32", &semantic<FfbhU32>, Cost::valu_full, gfx6to9 | gfx10 | gfx103},
      {"v_ffbh_i32", &semantic<FfbhI32>, Cost::valu_full, gfx6to9 | gfx10 | gfx103},
      {"v_ffbl_b32", &semantic<FfblB32>, Cost::valu_full, gfx6to9 | gfx10 | gfx103},
      {"v_clz_i32_u32", &semantic<FfbhU32>, Cost::valu_full, gfx11 | gfx12},
      {"v_cls_i32", &semantic<FfbhI32>, Cost::valu_full, gfx11 | gfx12},
      {"v_ctz_i32_b32", &semantic<FfblB32>, Cost::valu_full, gfx11 | gfx12},
  };
  return rows;
}

}  // namespace lockstep::amd
