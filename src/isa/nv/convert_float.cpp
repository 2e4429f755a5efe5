// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9 (cvt): floats to integers and to floats.
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::string_view cvt_word = "cvt";

// ---- To integers: out of range goes to the nearest, without .sat too.
template <class T>
struct Source;
template <>
struct Source<F16> {
  template <bool Ftz>
  static f32 value(F16 x) {
    return f16_to_f32(Ftz ? flush_f16(x.bits) : x.bits);
  }
};
template <>
struct Source<Bf16> {
  template <bool Ftz>
  static f32 value(Bf16 x) {
    return flushed<Ftz>(bf16_to_f32(x.bits));
  }
};
template <>
struct Source<f32> {
  template <bool Ftz>
  static f32 value(f32 x) {
    return flushed<Ftz>(x);
  }
};
template <>
struct Source<f64> {
  template <bool Ftz>
  static f64 value(f64 x) {
    return x;
  }
};

template <class I, Round R>
[[gnu::noinline]] I called_float_to_int(f32 value) {
  return ptx_float_to_int<I, R>(value);
}

template <class I, class T, Round R, bool Ftz, class L>
struct ToInteger {
  static constexpr std::string_view name =
      joined<cvt_word, integer_round_suffix<R>, ftz_suffix<Ftz>, dot, type_name<I>, dot, type_name<T>>;
  static L apply(T x) {
    const auto value = Source<T>::template value<Ftz>(x);
    // Of the types of 16 bits, which are seldom converted, one function each serves all ways of use.
    if constexpr (sizeof(T) == 2) return static_cast<L>(called_float_to_int<I, R>(value));
    return static_cast<L>(ptx_float_to_int<I, R>(value));
  }
};

template <class I, class T, Round R, bool Ftz>
void add_to_integer(Opcodes& o, std::string_view i, std::string_view t) {
  constexpr std::string_view r = joined<cvt_word, integer_round_suffix<R>, ftz_suffix<Ftz>>;
  using L = std::conditional_t<sizeof(I) == 8, u64, u32>;
  for (const std::string_view sat : {"", ".sat"}) {
    o.add({r, sat, ".", i, ".", t}, semantic32<ToInteger<I, T, R, Ftz, L>>, Cost::valu_half);
    if constexpr (sizeof(I) < 8)
      o.add({r, sat, ".", i, ".", t, "@64"}, semantic32<ToInteger<I, T, R, Ftz, u64>>, Cost::valu_half);
  }
}
template <class T, bool Ftz>
void add_integers_of(Opcodes& o, std::string_view t) {
  const auto round = [&]<Round R>() {
    add_to_integer<u8, T, R, Ftz>(o, "u8", t);
    add_to_integer<i8, T, R, Ftz>(o, "s8", t);
    add_to_integer<u16, T, R, Ftz>(o, "u16", t);
    add_to_integer<i16, T, R, Ftz>(o, "s16", t);
    add_to_integer<u32, T, R, Ftz>(o, "u32", t);
    add_to_integer<i32, T, R, Ftz>(o, "s32", t);
    add_to_integer<u64, T, R, Ftz>(o, "u64", t);
    add_to_integer<i64, T, R, Ftz>(o, "s64", t);
  };
  round.template operator()<Round::nearest_even>();
  round.template operator()<Round::zero>();
  round.template operator()<Round::minus_infinity>();
  round.template operator()<Round::plus_infinity>();
}

// ---- To floats.
template <bool Ftz>
struct F16ToF32 {
  static constexpr std::string_view name = "cvt.f32.f16";
  // Ftz concerns f32 alone: a denormal f16 is a normal f32.
  static f32 apply(F16 x) { return canonical_nan_f32(f16_to_f32(x.bits)); }
};
struct F16ToF64 {
  static constexpr std::string_view name = "cvt.f64.f16";
  static f64 apply(F16 x) { return f16_to_f64(x.bits); }
};
struct Bf16ToF32 {
  static constexpr std::string_view name = "cvt.f32.bf16";
  static f32 apply(Bf16 x) { return as_f32(u32{x.bits} << 16); }
};
template <bool Ftz>
struct F32ToF64 {
  static constexpr std::string_view name = "cvt.f64.f32";
  static f64 apply(f32 x) { return f32_to_f64(Ftz ? canonical_nan_f32(flush_f32(x)) : x); }
};
template <Round R, bool Ftz>
struct F64ToF32 {
  static constexpr std::string_view name =
      joined<cvt_word, round_suffix<R>, ftz_suffix<Ftz>, dot, type_name<f32>, dot, type_name<f64>>;
  static f32 apply(f64 x) {
    const bool tiny = Ftz && std::fabs(x) < 0x1p-126;
    return tiny ? as_f32(static_cast<u32>(as_u64(x) >> 32) & 0x80000000u) : f64_to_f32<R>(x);
  }
};
// NaN gives 0x7fff; .relu gives 0 for negatives and keeps NaN.
template <bool Relu>
[[gnu::always_inline]] inline u16 half_result(u16 h, u16 infinity) {
  const bool nan = (h & 0x7FFF) > infinity;
  const u16 r = nan ? u16{0x7FFF} : h;
  return Relu && !nan && (r & 0x8000) != 0 ? u16{0} : r;
}
template <Round R, bool Ftz, bool Relu>
struct F32ToF16 {
  static constexpr std::string_view name =
      joined<cvt_word, round_suffix<R>, dot, type_name<F16>, dot, type_name<f32>>;
  static F16 apply(f32 x) { return {half_result<Relu>(f32_to_f16<R>(x), Half::infinity)}; }
};
template <Round R>
struct F64ToF16 {
  static constexpr std::string_view name =
      joined<cvt_word, round_suffix<R>, dot, type_name<F16>, dot, type_name<f64>>;
  static F16 apply(f64 x) { return {f64_to_f16<R>(x)}; }
};
template <Round R, bool Relu>
struct F32ToBf16 {
  static constexpr std::string_view name =
      joined<cvt_word, round_suffix<R>, dot, type_name<Bf16>, dot, type_name<f32>>;
  static Bf16 apply(f32 x) { return {half_result<Relu>(f32_to_bf16<R>(x), Bfloat::infinity)}; }
};
// Two at once: the first source goes to the upper half.
constexpr std::string_view f16x2_word = ".f16x2.f32", bf16x2_word = ".bf16x2.f32";
template <Round R, bool Relu>
struct ToF16x2 {
  static constexpr std::string_view name = joined<cvt_word, round_suffix<R>, f16x2_word>;
  static u32 apply(f32 high, f32 low) {
    return u32{F32ToF16<R, false, Relu>::apply(low).bits} | u32{F32ToF16<R, false, Relu>::apply(high).bits}
                                                                << 16;
  }
};
template <Round R, bool Relu>
struct ToBf16x2 {
  static constexpr std::string_view name = joined<cvt_word, round_suffix<R>, bf16x2_word>;
  static u32 apply(f32 high, f32 low) {
    return u32{F32ToBf16<R, Relu>::apply(low).bits} | u32{F32ToBf16<R, Relu>::apply(high).bits} << 16;
  }
};
// tf32: 10 bits of mantissa, ties away from zero; the other bits are zeros.
struct ToTf32Away {
  static constexpr std::string_view name = "cvt.rna.tf32.f32";
  static u32 apply(u32 x) {
    if (is_nan<Single>(x)) return x & 0xFFFFE000u;
    return is_infinite<Single>(x) ? x : (x + 0x1000u) & 0xFFFFE000u;
  }
};
struct ToTf32Nearest {
  static constexpr std::string_view name = "cvt.rn.tf32.f32";
  static u32 apply(u32 x) {
    if (is_nan<Single>(x)) return 0x7FFFE000u;
    return is_infinite<Single>(x) ? x : (x + 0xFFFu + ((x >> 13) & 1)) & 0xFFFFE000u;
  }
};

// Same type: to an integral value.
template <Round R, bool Ftz>
[[gnu::always_inline]] inline f32 integral(f32 x) {
  return canonical_nan_f32(round_to_integer<R>(flushed<Ftz>(x)));
}
template <Round R, bool>
[[gnu::always_inline]] inline f64 integral(f64 x) {
  return round_to_integer<R>(x);
}
template <Round R, bool>
[[gnu::always_inline]] inline F16 integral(F16 x) {
  return {half_result<false>(round_to_integer_f16<R>(x.bits), Half::infinity)};
}
template <class T, Round R, bool Ftz = false>
struct Integral {
  static constexpr std::string_view name =
      joined<cvt_word, integer_round_suffix<R>, ftz_suffix<Ftz>, dot, type_name<T>, dot, type_name<T>>;
  static T apply(T x) { return integral<R, Ftz>(x); }
};
template <bool Ftz>
[[gnu::always_inline]] inline f32 same(f32 x) {
  return Ftz ? canonical_nan_f32(flush_f32(x)) : x;
}
template <bool>
[[gnu::always_inline]] inline f64 same(f64 x) {
  return x;
}
template <bool>
[[gnu::always_inline]] inline F16 same(F16 x) {
  return {half_result<false>(x.bits, Half::infinity)};
}
template <class T, bool Ftz = false>
struct Same {
  static constexpr std::string_view name =
      joined<cvt_word, ftz_suffix<Ftz>, dot, type_name<T>, dot, type_name<T>>;
  static T apply(T x) { return same<Ftz>(x); }
};

// A conversion with and without .sat.
template <class S>
void both(Opcodes& o, std::string_view before, std::string_view types, Cost cost) {
  o.add({before, types}, semantic32<S>, cost);
  o.add({before, ".sat", types}, semantic32<S>, cost, Instruction::clamp);
}

template <Round R>
void add_round(Opcodes& o) {
  constexpr std::string_view r = joined<cvt_word, round_suffix<R>>,
                             r_ftz = joined<cvt_word, round_suffix<R>, ftz_suffix<true>>,
                             i = joined<cvt_word, integer_round_suffix<R>>,
                             i_ftz = joined<cvt_word, integer_round_suffix<R>, ftz_suffix<true>>;
  both<F64ToF32<R, false>>(o, r, ".f32.f64", Cost::valu_f64_add);
  both<F64ToF32<R, true>>(o, r_ftz, ".f32.f64", Cost::valu_f64_add);
  both<F32ToF16<R, false, false>>(o, r, ".f16.f32", Cost::valu_half);
  both<F32ToF16<R, true, false>>(o, r_ftz, ".f16.f32", Cost::valu_half);
  o.add({r, ".relu.f16.f32"}, semantic32<F32ToF16<R, false, true>>, Cost::valu_half);
  both<F64ToF16<R>>(o, r, ".f16.f64", Cost::valu_f64_add);
  o.add({r, ".bf16.f32"}, semantic32<F32ToBf16<R, false>>, Cost::valu_half);
  o.add({r, ".relu.bf16.f32"}, semantic32<F32ToBf16<R, true>>, Cost::valu_half);
  o.add({r, ".f16x2.f32"}, semantic32<ToF16x2<R, false>>, Cost::valu_half);
  o.add({r, ".relu.f16x2.f32"}, semantic32<ToF16x2<R, true>>, Cost::valu_half);
  o.add({r, ".bf16x2.f32"}, semantic32<ToBf16x2<R, false>>, Cost::valu_half);
  o.add({r, ".relu.bf16x2.f32"}, semantic32<ToBf16x2<R, true>>, Cost::valu_half);
  both<Integral<f32, R>>(o, i, ".f32.f32", Cost::valu_half);
  both<Integral<f32, R, true>>(o, i_ftz, ".f32.f32", Cost::valu_half);
  both<Integral<f64, R>>(o, i, ".f64.f64", Cost::valu_f64_add);
  both<Integral<F16, R>>(o, i, ".f16.f16", Cost::valu_f16);
}

}  // namespace

void add_convert_to_integers(Opcodes& o) {
  add_integers_of<F16, false>(o, "f16");
  add_integers_of<F16, true>(o, "f16");
  add_integers_of<Bf16, false>(o, "bf16");
  add_integers_of<f32, false>(o, "f32");
  add_integers_of<f32, true>(o, "f32");
  add_integers_of<f64, false>(o, "f64");
}

void add_convert_floats(Opcodes& o) {
  add_round<Round::nearest_even>(o);
  add_round<Round::zero>(o);
  add_round<Round::minus_infinity>(o);
  add_round<Round::plus_infinity>(o);
  both<F16ToF32<false>>(o, "cvt", ".f32.f16", Cost::valu_half);
  both<F16ToF32<true>>(o, "cvt.ftz", ".f32.f16", Cost::valu_half);
  both<F16ToF64>(o, "cvt", ".f64.f16", Cost::valu_f64_add);
  both<Bf16ToF32>(o, "cvt", ".f32.bf16", Cost::valu_half);
  both<F32ToF64<false>>(o, "cvt", ".f64.f32", Cost::valu_f64_add);
  both<F32ToF64<true>>(o, "cvt.ftz", ".f64.f32", Cost::valu_f64_add);
  both<Same<f32>>(o, "cvt", ".f32.f32", Cost::valu_half);
  both<Same<f32, true>>(o, "cvt.ftz", ".f32.f32", Cost::valu_half);
  both<Same<f64>>(o, "cvt", ".f64.f64", Cost::valu_f64_add);
  both<Same<F16>>(o, "cvt", ".f16.f16", Cost::valu_f16);
  o.add("cvt.rna.tf32.f32", semantic32<ToTf32Away>, Cost::valu_half);
  o.add("cvt.rn.tf32.f32", semantic32<ToTf32Nearest>, Cost::valu_half);
}

}  // namespace lockstep::nv
