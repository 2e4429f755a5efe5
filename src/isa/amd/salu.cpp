// The scalar ALU: SOP1, SOP2, SOPK and SOPC, without what reads or writes the program counter, EXEC or the
// hardware registers (control*.cpp). When an instruction changes SCC, its result is Flagged; else SCC stays.
// Source: "Vega Instruction Set Architecture", chapters SOP1, SOP2, SOPK, SOPC; other generations' names from
// the manuals of RDNA 2, RDNA 3 and RDNA 4 and LLVM's assembler.
#include "isa/amd/salu.h"

#include <vector>

namespace lockstep::amd {
namespace {

// A shape for the many whose condition code is "result is not 0".
template <class T>
constexpr Flagged<T> nonzero(T value) {
  return {value, value != 0};
}

struct Scalar {
  static constexpr Shape shape = Shape::scalar;
};

template <class T>
struct Mov : Scalar {
  static constexpr std::string_view name = sizeof(T) == 8 ? "s_mov_b64" : "s_mov_b32";
  static constexpr Flow flow = Flow::move;
  static T apply(T a) { return a; }
};
// The old value is the last source (Row flag `accumulates`).
template <class T>
struct Cmov : Scalar {
  static constexpr std::string_view name = sizeof(T) == 8 ? "s_cmov_b64" : "s_cmov_b32";
  static constexpr Flow flow = Flow::scalar_move_if;
  static T apply(T a, bool scc, T old) { return scc ? a : old; }
};
struct Cmovk : Scalar {
  static constexpr std::string_view name = "s_cmovk_i32";
  static constexpr Flow flow = Flow::scalar_move_if;
  static i32 apply(i16 a, bool scc, i32 old) { return scc ? a : old; }
};
template <class T>
struct Cselect : Scalar {
  static constexpr std::string_view name = sizeof(T) == 8 ? "s_cselect_b64" : "s_cselect_b32";
  static constexpr Flow flow = Flow::scalar_select;
  static T apply(T a, T b, bool scc) { return scc ? a : b; }
};

// Sums: SCC is the carry of the unsigned names and the overflow of the signed ones.
constexpr bool add_overflows(i32 a, i32 b) {
  return i64{a} + b != wrap_add(a, b);
}
constexpr bool sub_overflows(i32 a, i32 b) {
  return i64{a} - b != wrap_sub(a, b);
}
struct AddU32 : Scalar {
  static constexpr std::string_view name = "s_add_u32";
  static constexpr Flow flow = Flow::carries_up;
  static Flagged<u32> apply(u32 a, u32 b) { return {a + b, a + b < a}; }
};
struct SubU32 : Scalar {
  static constexpr std::string_view name = "s_sub_u32";
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static Flagged<u32> apply(u32 a, u32 b) { return {a - b, a < b}; }
};
struct AddI32 : Scalar {
  static constexpr std::string_view name = "s_add_i32";
  static constexpr Flow flow = Flow::carries_up;
  static Flagged<i32> apply(i32 a, i32 b) { return {wrap_add(a, b), add_overflows(a, b)}; }
};
struct SubI32 : Scalar {
  static constexpr std::string_view name = "s_sub_i32";
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static Flagged<i32> apply(i32 a, i32 b) { return {wrap_sub(a, b), sub_overflows(a, b)}; }
};
struct AddcU32 : Scalar {
  static constexpr std::string_view name = "s_addc_u32";
  static constexpr Flow flow = Flow::carries_up;
  static Flagged<u32> apply(u32 a, u32 b, bool scc) {
    const u64 sum = u64{a} + b + scc;
    return {static_cast<u32>(sum), sum >> 32 != 0};
  }
};
struct SubbU32 : Scalar {
  static constexpr std::string_view name = "s_subb_u32";
  static constexpr Flow flow = Flow::carries_up;
  static Flagged<u32> apply(u32 a, u32 b, bool scc) { return {a - b - scc, a < u64{b} + scc}; }
};
struct Addk : Scalar {
  static constexpr std::string_view name = "s_addk_i32";
  static constexpr Flow flow = Flow::carries_up;
  static Flagged<i32> apply(i16 a, i32 old) { return AddI32::apply(old, a); }
};
struct AddNoCarry : Scalar {
  static constexpr std::string_view name = "s_add_u64";
  static constexpr Flow flow = Flow::carries_up;
  static u64 apply(u64 a, u64 b) { return a + b; }
};
struct SubNoCarry : Scalar {
  static constexpr std::string_view name = "s_sub_u64";
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static u64 apply(u64 a, u64 b) { return a - b; }
};
template <int count>
struct LshlAdd : Scalar {
  static constexpr std::array<std::string_view, 5> names{"", "s_lshl1_add_u32", "s_lshl2_add_u32",
                                                         "s_lshl3_add_u32", "s_lshl4_add_u32"};
  static constexpr std::string_view name = names[count];
  static Flagged<u32> apply(u32 a, u32 b) {
    const u64 sum = (u64{a} << count) + b;
    return {static_cast<u32>(sum), sum >> 32 != 0};
  }
};
struct Abs : Scalar {
  static constexpr std::string_view name = "s_abs_i32";
  static Flagged<i32> apply(i32 a) { return nonzero(a < 0 ? wrap_sub(0, a) : a); }
};
// The absolute value of the wrapped difference, not the wrapped absolute value of the difference.
struct Absdiff : Scalar {
  static constexpr std::string_view name = "s_absdiff_i32";
  static Flagged<i32> apply(i32 a, i32 b) { return Abs::apply(wrap_sub(a, b)); }
};
struct MulI32 : Scalar {
  static constexpr std::string_view name = "s_mul_i32";
  static constexpr Flow flow = Flow::multiply;
  static u32 apply(u32 a, u32 b) { return a * b; }
};
struct MulHiU32 : Scalar {
  static constexpr std::string_view name = "s_mul_hi_u32";
  static u32 apply(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
};
struct MulHiI32 : Scalar {
  static constexpr std::string_view name = "s_mul_hi_i32";
  static i32 apply(i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }
};
struct MulU64 : Scalar {
  static constexpr std::string_view name = "s_mul_u64";
  static constexpr Flow flow = Flow::multiply;
  static u64 apply(u64 a, u64 b) { return a * b; }
};
struct Mulk : Scalar {
  static constexpr std::string_view name = "s_mulk_i32";
  static constexpr Flow flow = Flow::multiply;
  static i32 apply(i16 a, i32 old) { return wrap_mul(a, old); }
};
// SCC says whether the first source was chosen.
template <class T>
struct Min : Scalar {
  static constexpr std::string_view name = std::is_signed_v<T> ? "s_min_i32" : "s_min_u32";
  static Flagged<T> apply(T a, T b) { return {least(a, b), a < b}; }
};
template <class T>
struct Max : Scalar {
  static constexpr std::string_view name = std::is_signed_v<T> ? "s_max_i32" : "s_max_u32";
  static Flagged<T> apply(T a, T b) { return {greatest(a, b), a > b}; }
};
// From RDNA 3 on the first source also counts as chosen when both are equal.
template <class T>
struct MaxFirst : Scalar {
  static constexpr std::string_view name = std::is_signed_v<T> ? "s_max_first_i32" : "s_max_first_u32";
  static Flagged<T> apply(T a, T b) { return {greatest(a, b), a >= b}; }
};

// Packing of halves.
struct PackLL : Scalar {
  static constexpr std::string_view name = "s_pack_ll_b32_b16";
  static constexpr Flow flow = Flow::pack_low_low;
  static u32 apply(u32 a, u32 b) { return (a & 0xFFFF) | b << 16; }
};
struct PackLH : Scalar {
  static constexpr std::string_view name = "s_pack_lh_b32_b16";
  static constexpr Flow flow = Flow::pack_low_high;
  static u32 apply(u32 a, u32 b) { return (a & 0xFFFF) | (b & 0xFFFF0000); }
};
struct PackHL : Scalar {
  static constexpr std::string_view name = "s_pack_hl_b32_b16";
  static constexpr Flow flow = Flow::pack_high_low;
  static u32 apply(u32 a, u32 b) { return a >> 16 | b << 16; }
};
struct PackHH : Scalar {
  static constexpr std::string_view name = "s_pack_hh_b32_b16";
  static constexpr Flow flow = Flow::pack_high_high;
  static u32 apply(u32 a, u32 b) { return a >> 16 | (b & 0xFFFF0000); }
};
struct SextI8 : Scalar {
  static constexpr std::string_view name = "s_sext_i32_i8";
  static constexpr Flow flow = Flow::extend;
  static constexpr u8 extend_bits = 8;
  static constexpr bool extend_signed = true;
  static i32 apply(u32 a) { return static_cast<i8>(a); }
};
struct SextI16 : Scalar {
  static constexpr std::string_view name = "s_sext_i32_i16";
  static constexpr Flow flow = Flow::extend;
  static constexpr u8 extend_bits = 16;
  static constexpr bool extend_signed = true;
  static i32 apply(i16 a) { return a; }
};

}  // namespace

std::span<const Row> salu_arithmetic_rows() {
  constexpr u32 late = gfx11 | gfx12;
  static constexpr Row rows[] = {
      {"s_mov_b32", &semantic<Mov<u32>>, Cost::salu},
      {"s_mov_b64", &semantic<Mov<u64>>, Cost::salu},
      {"s_movk_i32", &semantic<SextI16>, Cost::salu},
      {"s_cmov_b32", &semantic<Cmov<u32>>, Cost::salu, every, accumulates},
      {"s_cmov_b64", &semantic<Cmov<u64>>, Cost::salu, every, accumulates},
      {"s_cmovk_i32", &semantic<Cmovk>, Cost::salu, every, accumulates},
      {"s_cselect_b32", &semantic<Cselect<u32>>, Cost::salu},
      {"s_cselect_b64", &semantic<Cselect<u64>>, Cost::salu},

      {"s_add_u32", &semantic<AddU32>, Cost::salu},
      {"s_sub_u32", &semantic<SubU32>, Cost::salu},
      {"s_add_i32", &semantic<AddI32>, Cost::salu},
      {"s_sub_i32", &semantic<SubI32>, Cost::salu},
      {"s_addc_u32", &semantic<AddcU32>, Cost::salu},
      {"s_subb_u32", &semantic<SubbU32>, Cost::salu},
      {"s_addk_i32", &semantic<Addk>, Cost::salu, every, accumulates},
      {"s_add_co_u32", &semantic<AddU32>, Cost::salu, gfx12},
      {"s_sub_co_u32", &semantic<SubU32>, Cost::salu, gfx12},
      {"s_add_co_i32", &semantic<AddI32>, Cost::salu, gfx12},
      {"s_sub_co_i32", &semantic<SubI32>, Cost::salu, gfx12},
      {"s_add_co_ci_u32", &semantic<AddcU32>, Cost::salu, gfx12},
      {"s_sub_co_ci_u32", &semantic<SubbU32>, Cost::salu, gfx12},
      {"s_addk_co_i32", &semantic<Addk>, Cost::salu, gfx12, accumulates},
      {"s_add_nc_u64", &semantic<AddNoCarry>, Cost::salu, gfx12},
      {"s_sub_nc_u64", &semantic<SubNoCarry>, Cost::salu, gfx12},
      {"s_lshl1_add_u32", &semantic<LshlAdd<1>>, Cost::salu, gfx9up},
      {"s_lshl2_add_u32", &semantic<LshlAdd<2>>, Cost::salu, gfx9up},
      {"s_lshl3_add_u32", &semantic<LshlAdd<3>>, Cost::salu, gfx9up},
      {"s_lshl4_add_u32", &semantic<LshlAdd<4>>, Cost::salu, gfx9up},
      {"s_abs_i32", &semantic<Abs>, Cost::salu},
      {"s_absdiff_i32", &semantic<Absdiff>, Cost::salu},
      {"s_mul_i32", &semantic<MulI32>, Cost::salu},
      {"s_mul_hi_u32", &semantic<MulHiU32>, Cost::salu, gfx9up},
      {"s_mul_hi_i32", &semantic<MulHiI32>, Cost::salu, gfx9up},
      {"s_mul_u64", &semantic<MulU64>, Cost::salu, gfx12},
      {"s_mulk_i32", &semantic<Mulk>, Cost::salu, every, accumulates},
      {"s_min_u32", &semantic<Min<u32>>, Cost::salu},
      {"s_min_i32", &semantic<Min<i32>>, Cost::salu},
      {"s_max_u32", &semantic<Max<u32>>, Cost::salu, every & ~late},
      {"s_max_i32", &semantic<Max<i32>>, Cost::salu, every & ~late},
      {"s_max_u32", &semantic<MaxFirst<u32>>, Cost::salu, late},
      {"s_max_i32", &semantic<MaxFirst<i32>>, Cost::salu, late},

      {"s_pack_ll_b32_b16", &semantic<PackLL>, Cost::salu, gfx9up},
      {"s_pack_lh_b32_b16", &semantic<PackLH>, Cost::salu, gfx9up},
      {"s_pack_hl_b32_b16", &semantic<PackHL>, Cost::salu, late},
      {"s_pack_hh_b32_b16", &semantic<PackHH>, Cost::salu, gfx9up},
      {"s_sext_i32_i8", &semantic<SextI8>, Cost::salu},
      {"s_sext_i32_i16", &semantic<SextI16>, Cost::salu},
  };
  return rows;
}

std::span<const Row> salu_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> joined;
    for (const auto part : {salu_arithmetic_rows, salu_bits_rows, salu_compare_rows}) {
      joined.insert(joined.end(), part().begin(), part().end());
    }
    return joined;
  }();
  return rows;
}

}  // namespace lockstep::amd
