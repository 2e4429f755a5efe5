// 32-bit integer arithmetic of the vector ALU: sums, carries, products, minima. Logic, shifts, bit fields and
// moves are in valu_bits.cpp, 16-bit arithmetic in valu_short.cpp, sums of absolute differences in
// valu_bytes.cpp.
// Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3; names of the other generations from
// the manuals of GCN3, RDNA 2 and RDNA 3 and LLVM's assembler.
#include "isa/amd/valu_integer.h"

#include "isa/amd/integer_meanings.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

// Carry chains. The clamp saturates the value and leaves the carry as it is.
struct AddCarryOut {
  static constexpr std::string_view name = "add_carry_out_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u32> apply(u32 a, u32 b) { return {a + b, a + b < a}; }
  static WithMask<u32> apply_clamp(u32 a, u32 b) { return {Add<u32>::apply_clamp(a, b), a + b < a}; }
};
struct SubCarryOut {
  static constexpr std::string_view name = "sub_carry_out_u32";
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static WithMask<u32> apply(u32 a, u32 b) { return {a - b, a < b}; }
  static WithMask<u32> apply_clamp(u32 a, u32 b) { return {Sub<u32>::apply_clamp(a, b), a < b}; }
};
struct SubrevCarryOut {
  static constexpr std::string_view name = "subrev_carry_out_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u32> apply(u32 a, u32 b) { return SubCarryOut::apply(b, a); }
  static WithMask<u32> apply_clamp(u32 a, u32 b) { return SubCarryOut::apply_clamp(b, a); }
};
struct AddCarry {
  static constexpr std::string_view name = "add_carry_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u32> apply(u32 a, u32 b, bool carry) {
    // At most one of the two sums wraps around.
    const u32 in = carry ? 1 : 0, half = a + b, sum = half + in;
    return {sum, (half < a) != (sum < half)};
  }
  static WithMask<u32> apply_clamp(u32 a, u32 b, bool carry) {
    return {saturated<u32>(u64{a} + b + carry), apply(a, b, carry).mask};
  }
};
struct SubCarry {
  static constexpr std::string_view name = "sub_carry_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u32> apply(u32 a, u32 b, bool borrow) {
    // At most one of the two differences wraps around.
    const u32 in = borrow ? 1 : 0, half = a - b;
    return {half - in, (a < b) != (half < in)};
  }
  static WithMask<u32> apply_clamp(u32 a, u32 b, bool borrow) {
    const WithMask<u32> exact = apply(a, b, borrow);
    return {exact.mask ? 0 : exact.value, exact.mask};
  }
};
struct SubrevCarry {
  static constexpr std::string_view name = "subrev_carry_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u32> apply(u32 a, u32 b, bool borrow) { return SubCarry::apply(b, a, borrow); }
  static WithMask<u32> apply_clamp(u32 a, u32 b, bool borrow) { return SubCarry::apply_clamp(b, a, borrow); }
};

// Products.
struct MulHiU32 {
  static constexpr std::string_view name = "mul_hi_u32";
  static u32 apply(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
};
struct MulHiI32 {
  static constexpr std::string_view name = "mul_hi_i32";
  static i32 apply(i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }
};
struct MulU24 {
  static constexpr std::string_view name = "mul_u32_u24";
  static constexpr Flow flow = Flow::multiply_24;
  static u32 apply(u32 a, u32 b) { return low24(a) * low24(b); }
  static u32 apply_clamp(u32 a, u32 b) { return saturated<u32>(u64{low24(a)} * low24(b)); }
};
struct MulHiU24 {
  static constexpr std::string_view name = "mul_hi_u32_u24";
  static constexpr Flow flow = Flow::any_24;
  static u32 apply(u32 a, u32 b) { return static_cast<u32>(u64{low24(a)} * low24(b) >> 32); }
};
struct MulI24 {
  static constexpr std::string_view name = "mul_i32_i24";
  static constexpr Flow flow = Flow::multiply_24;
  static i32 apply(i32 a, i32 b) { return wrap_mul(signed24(a), signed24(b)); }
  static i32 apply_clamp(i32 a, i32 b) { return saturated<i32>(i64{signed24(a)} * signed24(b)); }
};
struct MulHiI24 {
  static constexpr std::string_view name = "mul_hi_i32_i24";
  static constexpr Flow flow = Flow::any_24;
  static i32 apply(i32 a, i32 b) { return static_cast<i32>(i64{signed24(a)} * signed24(b) >> 32); }
};
struct MadU24 {
  static constexpr std::string_view name = "mad_u32_u24";
  static constexpr Flow flow = Flow::carries_up_24;
  static u32 apply(u32 a, u32 b, u32 c) { return low24(a) * low24(b) + c; }
  static u32 apply_clamp(u32 a, u32 b, u32 c) { return saturated<u32>(u64{low24(a)} * low24(b) + c); }
};
struct MadI24 {
  static constexpr std::string_view name = "mad_i32_i24";
  static constexpr Flow flow = Flow::carries_up_24;
  static i32 apply(i32 a, i32 b, i32 c) { return wrap_add(wrap_mul(signed24(a), signed24(b)), c); }
  static i32 apply_clamp(i32 a, i32 b, i32 c) { return saturated<i32>(i64{signed24(a)} * signed24(b) + c); }
};

// Of two and one more.
template <class T>
struct MaxMin {
  static constexpr std::string_view name = std::is_signed_v<T> ? "maxmin_i32" : "maxmin_u32";
  static T apply(T a, T b, T c) { return least(greatest(a, b), c); }
};
template <class T>
struct MinMax {
  static constexpr std::string_view name = std::is_signed_v<T> ? "minmax_i32" : "minmax_u32";
  static T apply(T a, T b, T c) { return greatest(least(a, b), c); }
};

// Two steps in one.
struct Add3 {
  static constexpr std::string_view name = "add3_u32";
  static constexpr Flow flow = Flow::carries_up;
  static u32 apply(u32 a, u32 b, u32 c) { return a + b + c; }
};
struct AddLshl {
  static constexpr std::string_view name = "add_lshl_u32";
  static constexpr Flow flow = Flow::add_shift;
  static u32 apply(u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }
};
struct XorAdd {
  static constexpr std::string_view name = "xad_u32";
  static constexpr Flow flow = Flow::carries_up;
  static u32 apply(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
};

}  // namespace

std::span<const Row> valu_arithmetic_rows() {
  static constexpr Row rows[] = {
      // Without carry: gfx9's names, RDNA's names.
      {"v_add_u32", &semantic<Add<u32>>, Cost::valu_full, gfx9},
      {"v_sub_u32", &semantic<Sub<u32>>, Cost::valu_full, gfx9},
      {"v_subrev_u32", &semantic<Subrev<u32>>, Cost::valu_full, gfx9},
      {"v_add_i32", &semantic<Add<i32>>, Cost::valu_full, gfx9},
      {"v_sub_i32", &semantic<Sub<i32>>, Cost::valu_full, gfx9},
      {"v_add_nc_u32", &semantic<Add<u32>>, Cost::valu_full, rdna},
      {"v_sub_nc_u32", &semantic<Sub<u32>>, Cost::valu_full, rdna},
      {"v_subrev_nc_u32", &semantic<Subrev<u32>>, Cost::valu_full, rdna},
      {"v_add_nc_i32", &semantic<Add<i32>>, Cost::valu_full, rdna},
      {"v_sub_nc_i32", &semantic<Sub<i32>>, Cost::valu_full, rdna},
      // With a carry out: the same meaning under three generations of names.
      {"v_add_i32", &semantic<AddCarryOut>, Cost::valu_full, gfx6 | gfx7},
      {"v_sub_i32", &semantic<SubCarryOut>, Cost::valu_full, gfx6 | gfx7},
      {"v_subrev_i32", &semantic<SubrevCarryOut>, Cost::valu_full, gfx6 | gfx7},
      {"v_add_u32", &semantic<AddCarryOut>, Cost::valu_full, gfx8},
      {"v_sub_u32", &semantic<SubCarryOut>, Cost::valu_full, gfx8},
      {"v_subrev_u32", &semantic<SubrevCarryOut>, Cost::valu_full, gfx8},
      {"v_add_co_u32", &semantic<AddCarryOut>, Cost::valu_full, gfx9up},
      {"v_sub_co_u32", &semantic<SubCarryOut>, Cost::valu_full, gfx9up},
      {"v_subrev_co_u32", &semantic<SubrevCarryOut>, Cost::valu_full, gfx9up},
      {"v_addc_u32", &semantic<AddCarry>, Cost::valu_full, gfx6to8},
      {"v_subb_u32", &semantic<SubCarry>, Cost::valu_full, gfx6to8},
      {"v_subbrev_u32", &semantic<SubrevCarry>, Cost::valu_full, gfx6to8},
      {"v_addc_co_u32", &semantic<AddCarry>, Cost::valu_full, gfx9},
      {"v_subb_co_u32", &semantic<SubCarry>, Cost::valu_full, gfx9},
      {"v_subbrev_co_u32", &semantic<SubrevCarry>, Cost::valu_full, gfx9},
      {"v_add_co_ci_u32", &semantic<AddCarry>, Cost::valu_full, rdna},
      {"v_sub_co_ci_u32", &semantic<SubCarry>, Cost::valu_full, rdna},
      {"v_subrev_co_ci_u32", &semantic<SubrevCarry>, Cost::valu_full, rdna},

      {"v_mul_lo_u32", &semantic<MulLo<u32>>, Cost::valu_quarter},
      {"v_mul_lo_i32", &semantic<MulLo<u32>>, Cost::valu_quarter},
      {"v_mul_hi_u32", &semantic<MulHiU32>, Cost::valu_quarter},
      {"v_mul_hi_i32", &semantic<MulHiI32>, Cost::valu_quarter},
      {"v_mul_u32_u24", &semantic<MulU24>, Cost::valu_full},
      {"v_mul_i32_i24", &semantic<MulI24>, Cost::valu_full},
      {"v_mul_hi_u32_u24", &semantic<MulHiU24>, Cost::valu_full},
      {"v_mul_hi_i32_i24", &semantic<MulHiI24>, Cost::valu_full},
      {"v_mad_u32_u24", &semantic<MadU24>, Cost::valu_full},
      {"v_mad_i32_i24", &semantic<MadI24>, Cost::valu_full},

      {"v_min_u32", &semantic<Min<u32>>, Cost::valu_full},
      {"v_min_i32", &semantic<Min<i32>>, Cost::valu_full},
      {"v_max_u32", &semantic<Max<u32>>, Cost::valu_full},
      {"v_max_i32", &semantic<Max<i32>>, Cost::valu_full},
      {"v_min3_u32", &semantic<Min3<u32>>, Cost::valu_full},
      {"v_min3_i32", &semantic<Min3<i32>>, Cost::valu_full},
      {"v_max3_u32", &semantic<Max3<u32>>, Cost::valu_full},
      {"v_max3_i32", &semantic<Max3<i32>>, Cost::valu_full},
      {"v_med3_u32", &semantic<Med3<u32>>, Cost::valu_full},
      {"v_med3_i32", &semantic<Med3<i32>>, Cost::valu_full},
      {"v_maxmin_u32", &semantic<MaxMin<u32>>, Cost::valu_full, gfx11 | gfx12},
      {"v_maxmin_i32", &semantic<MaxMin<i32>>, Cost::valu_full, gfx11 | gfx12},
      {"v_minmax_u32", &semantic<MinMax<u32>>, Cost::valu_full, gfx11 | gfx12},
      {"v_minmax_i32", &semantic<MinMax<i32>>, Cost::valu_full, gfx11 | gfx12},

      {"v_add3_u32", &semantic<Add3>, Cost::valu_full, gfx9up},
      {"v_lshl_add_u32", &semantic<LshlAdd<u32>>, Cost::valu_full, gfx9up},
      {"v_add_lshl_u32", &semantic<AddLshl>, Cost::valu_full, gfx9up},
      {"v_xad_u32", &semantic<XorAdd>, Cost::valu_full, gfx9up},
  };
  return rows;
}

std::span<const Row> valu_integer_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> joined;
    for (const auto part : {valu_arithmetic_rows, valu_bits_rows, valu_short_rows, valu_bytes_rows}) {
      joined.insert(joined.end(), part().begin(), part().end());
    }
    return joined;
  }();
  return rows;
}

}  // namespace lockstep::amd
