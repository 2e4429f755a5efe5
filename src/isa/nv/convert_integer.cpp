// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9 (cvt): integers to integers and to floats.
#include "isa/nv/integer_moves.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::string_view cvt_rn_word = "cvt";

// Lane types of registers: results go into registers of their own width or wider; both are made.
template <class S>
using Lane = std::conditional_t<sizeof(S) == 8, u64, u32>;

template <class D, class S>
void add_pair(Opcodes& o, std::string_view d, std::string_view s) {
  // The result's register may have 16, 32 or 64 bits; the suffix says which, for the loader.
  const auto add = [&]<class L>(std::string_view width) {
    o.add({"cvt.", d, ".", s, width}, cvt<D, S, L, Lane<S>, false>(), Cost::valu_half);
    o.add({"cvt.sat.", d, ".", s, width}, cvt<D, S, L, Lane<S>, true>(), Cost::valu_half);
  };
  add.template operator()<Lane<D>>("");
  if constexpr (sizeof(D) < 8) add.template operator()<u64>("@64");
}
template <class D>
void add_to(Opcodes& o, std::string_view d) {
  add_pair<D, u8>(o, d, "u8");
  add_pair<D, i8>(o, d, "s8");
  add_pair<D, u16>(o, d, "u16");
  add_pair<D, i16>(o, d, "s16");
  add_pair<D, u32>(o, d, "u32");
  add_pair<D, i32>(o, d, "s32");
  add_pair<D, u64>(o, d, "u64");
  add_pair<D, i64>(o, d, "s64");
}

template <class D, Round R, class S>
[[gnu::always_inline]] inline D float_of(S a) {
  if constexpr (std::is_same_v<D, f32>) return int_to_f32<R>(a);
  if constexpr (std::is_same_v<D, f64>) return int_to_f64<R>(a);
  if constexpr (std::is_same_v<D, F16>) return {int_to_f16<R>(a)};
  if constexpr (std::is_same_v<D, Bf16>) {
    // Rounded to odd on the way: f32 has more than two bits more than bf16.
    const f32 near = int_to_f32<Round::zero>(a);
    const bool exact =
        near < 0 ? static_cast<S>(static_cast<i64>(near)) == a : static_cast<S>(static_cast<u64>(near)) == a;
    return {f32_to_bf16<R>(as_f32(as_u32(near) | (exact ? 0u : 1u)))};
  }
}
// Results of 16 bits, which are seldom asked for, are made by one function each.
template <class D, Round R, class S>
[[gnu::noinline]] D called_float_of(S a) {
  return float_of<D, R>(a);
}
// Integers that a float holds exactly need no direction.
template <class D, class S>
inline constexpr bool always_exact =
    (std::is_same_v<D, f32> && sizeof(S) <= 2) || (std::is_same_v<D, f64> && sizeof(S) <= 4);
template <class D, class S, Round R>
struct ToFloat {
  static constexpr std::string_view name =
      joined<cvt_rn_word, round_suffix<R>, dot, type_name<D>, dot, type_name<S>>;
  static D apply(Lane<S> a) {
    if constexpr (sizeof(D) == 2) return called_float_of<D, R>(static_cast<S>(a));
    return float_of<D, always_exact<D, S> ? Round::nearest_even : R>(static_cast<S>(a));
  }
};

template <class S>
void add_floats_from(Opcodes& o, std::string_view s) {
  const auto round = [&]<Round R>() {
    constexpr std::string_view r = joined<cvt_rn_word, round_suffix<R>>;
    for (const std::string_view ftz : {"", ".ftz"}) {
      o.add({r, ftz, ".f32.", s}, semantic32<ToFloat<f32, S, R>>, Cost::valu_half);
      o.add({r, ftz, ".sat.f32.", s}, semantic32<ToFloat<f32, S, R>>, Cost::valu_half, Instruction::clamp);
    }
    o.add({r, ".f64.", s}, semantic32<ToFloat<f64, S, R>>, Cost::valu_f64_add);
    o.add({r, ".sat.f64.", s}, semantic32<ToFloat<f64, S, R>>, Cost::valu_f64_add, Instruction::clamp);
    o.add({r, ".f16.", s}, semantic32<ToFloat<F16, S, R>>, Cost::valu_half);
    o.add({r, ".sat.f16.", s}, semantic32<ToFloat<F16, S, R>>, Cost::valu_half, Instruction::clamp);
    o.add({r, ".bf16.", s}, semantic32<ToFloat<Bf16, S, R>>, Cost::valu_half);
  };
  round.template operator()<Round::nearest_even>();
  round.template operator()<Round::zero>();
  round.template operator()<Round::minus_infinity>();
  round.template operator()<Round::plus_infinity>();
}

}  // namespace

void add_convert_integers(Opcodes& o) {
  add_to<u8>(o, "u8");
  add_to<i8>(o, "s8");
  add_to<u16>(o, "u16");
  add_to<i16>(o, "s16");
  add_to<u32>(o, "u32");
  add_to<i32>(o, "s32");
  add_to<u64>(o, "u64");
  add_to<i64>(o, "s64");
  add_floats_from<u8>(o, "u8");
  add_floats_from<i8>(o, "s8");
  add_floats_from<u16>(o, "u16");
  add_floats_from<i16>(o, "s16");
  add_floats_from<u32>(o, "u32");
  add_floats_from<i32>(o, "s32");
  add_floats_from<u64>(o, "u64");
  add_floats_from<i64>(o, "s64");
}

}  // namespace lockstep::nv
