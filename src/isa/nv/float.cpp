// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.3 (Floating Point Instructions): what IEEE 754 or
// the manual defines to the bit.
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::string_view add_word = "add", sub_word = "sub", mul_word = "mul", fma_word = "fma",
                           div_word = "div", rcp_word = "rcp", sqrt_word = "sqrt", min_word = "min",
                           max_word = "max", nan_word = ".NaN", xorsign_word = ".xorsign.abs", none_word = "",
                           f32_word = ".f32", f64_word = ".f64";

// f32: NaN results are canonical; ftz takes denormals for zeros on both sides.
template <bool Ftz>
[[gnu::always_inline]] inline f32 finished(f32 r) {
  return canonical_nan_f32(flushed<Ftz>(r));
}
// The same of a result whose exact value is known.
template <Round R, bool Ftz>
[[gnu::always_inline]] inline f32 finished(f32 r, f64 exact) {
  return Ftz ? ptx_finished_ftz<R>(r, exact) : canonical_nan_f32(r);
}
// Of several NaN operands the hardware takes the second, else the third, else the first, and quiets it
// (measured on an H200, tests/nvidia).
[[gnu::always_inline]] inline f64 with_nan(f64 r, f64 a, f64 b) {
  const u64 nan = is_nan(b) ? as_u64(b) : as_u64(a);
  return is_nan(a) || is_nan(b) ? as_f64(nan | Double::quiet_bit) : r;
}
[[gnu::always_inline]] inline f64 with_nan(f64 r, f64 a, f64 b, f64 c) {
  const u64 nan = is_nan(b) ? as_u64(b) : is_nan(c) ? as_u64(c) : as_u64(a);
  return is_nan(a) || is_nan(b) || is_nan(c) ? as_f64(nan | Double::quiet_bit) : r;
}

template <Round R, bool Ftz>
struct AddF32 {
  static constexpr std::string_view name = joined<add_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a, f32 b) { return finished<Ftz>(add_f32<R>(flushed<Ftz>(a), flushed<Ftz>(b))); }
};
template <Round R, bool Ftz>
struct SubF32 {
  static constexpr std::string_view name = joined<sub_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a, f32 b) { return finished<Ftz>(sub_f32<R>(flushed<Ftz>(a), flushed<Ftz>(b))); }
};
template <Round R, bool Ftz>
struct MulF32 {
  static constexpr std::string_view name = joined<mul_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a, f32 b) {
    a = flushed<Ftz>(a), b = flushed<Ftz>(b);
    return finished<R, Ftz>(mul_f32<R>(a, b), f64{a} * f64{b});
  }
};
template <Round R, bool Ftz>
struct FmaF32 {
  static constexpr std::string_view name = joined<fma_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a, f32 b, f32 c) {
    a = flushed<Ftz>(a), b = flushed<Ftz>(b), c = flushed<Ftz>(c);
    return finished<R, Ftz>(fma_f32<R>(a, b, c), Ftz ? float_detail::add_odd(f64{a} * f64{b}, f64{c}) : 0.0);
  }
};
template <Round R, bool Ftz>
struct DivF32 {
  static constexpr std::string_view name = joined<div_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a, f32 b) {
    a = flushed<Ftz>(a), b = flushed<Ftz>(b);
    return finished<R, Ftz>(div_f32<R>(a, b), f64{a} / f64{b});
  }
};
template <Round R, bool Ftz>
struct RcpF32 {
  static constexpr std::string_view name = joined<rcp_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a) {
    a = flushed<Ftz>(a);
    return finished<R, Ftz>(div_f32<R>(1.0f, a), 1.0 / f64{a});
  }
};
template <Round R, bool Ftz>
struct SqrtF32 {
  static constexpr std::string_view name = joined<sqrt_word, round_suffix<R>, ftz_suffix<Ftz>, f32_word>;
  static f32 apply(f32 a) { return finished<Ftz>(sqrt_f32<R>(flushed<Ftz>(a))); }
};

template <Round R>
struct AddF64 {
  static constexpr std::string_view name = joined<add_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a, f64 b) { return with_nan(add_f64<R>(a, b), a, b); }
};
template <Round R>
struct SubF64 {
  static constexpr std::string_view name = joined<sub_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a, f64 b) { return with_nan(sub_f64<R>(a, b), a, b); }
};
template <Round R>
struct MulF64 {
  static constexpr std::string_view name = joined<mul_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a, f64 b) { return with_nan(mul_f64<R>(a, b), a, b); }
};
template <Round R>
struct FmaF64 {
  static constexpr std::string_view name = joined<fma_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a, f64 b, f64 c) { return with_nan(fma_f64<R>(a, b, c), a, b, c); }
};
template <Round R>
struct DivF64 {
  static constexpr std::string_view name = joined<div_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a, f64 b) { return div_f64<R>(a, b); }
};
template <Round R>
struct RcpF64 {
  static constexpr std::string_view name = joined<rcp_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a) { return div_f64<R>(1.0, a); }
};
template <Round R>
struct SqrtF64 {
  static constexpr std::string_view name = joined<sqrt_word, round_suffix<R>, f64_word>;
  static f64 apply(f64 a) { return sqrt_f64<R>(a); }
};

// Signs. Of a NaN they make the canonical one in f32 and only quiet it in f64 (measured on an H200,
// tests/nvidia).
template <bool Ftz>
struct AbsF32 {
  static constexpr std::string_view name = Ftz ? "abs.ftz.f32" : "abs.f32";
  static f32 apply(f32 a) { return canonical_nan_f32(as_f32(as_u32(flushed<Ftz>(a)) & 0x7FFFFFFFu)); }
};
template <bool Ftz>
struct NegF32 {
  static constexpr std::string_view name = Ftz ? "neg.ftz.f32" : "neg.f32";
  static f32 apply(f32 a) { return canonical_nan_f32(as_f32(as_u32(flushed<Ftz>(a)) ^ 0x80000000u)); }
};
struct AbsF64 {
  static constexpr std::string_view name = "abs.f64";
  static u64 apply(u64 a) { return is_nan<Double>(a) ? a | Double::quiet_bit : a & ~Double::sign_mask; }
};
struct NegF64 {
  static constexpr std::string_view name = "neg.f64";
  static u64 apply(u64 a) { return is_nan<Double>(a) ? a | Double::quiet_bit : a ^ Double::sign_mask; }
};
struct CopysignF32 {  // the sign of a, the magnitude of b
  static constexpr std::string_view name = "copysign.f32";
  static u32 apply(u32 a, u32 b) { return (a & 0x80000000u) | (b & 0x7FFFFFFFu); }
};
struct CopysignF64 {
  static constexpr std::string_view name = "copysign.f64";
  static u64 apply(u64 a, u64 b) { return (a & Double::sign_mask) | (b & ~Double::sign_mask); }
};

template <bool Max, bool Ftz, bool Nan, bool XorSign>
struct MinMaxF32 {
  static constexpr std::string_view name = joined < Max ? max_word : min_word, ftz_suffix<Ftz>,
                                    Nan ? nan_word : none_word, XorSign ? xorsign_word : none_word,
                                    f32_word > ;
  static f32 apply(f32 a, f32 b) {
    u32 x = as_u32(flushed<Ftz>(a)), y = as_u32(flushed<Ftz>(b));
    const u32 sign = (x ^ y) & 0x80000000u;
    if (XorSign) x &= 0x7FFFFFFFu, y &= 0x7FFFFFFFu;
    const u32 r = Max ? ptx_max<Single>(x, y, Nan) : ptx_min<Single>(x, y, Nan);
    return as_f32(XorSign && !is_nan<Single>(r) ? (r | sign) : r);
  }
};
template <bool Max>
struct MinMaxF64 {
  static constexpr std::string_view name = Max ? "max.f64" : "min.f64";
  static u64 apply(u64 a, u64 b) {
    if (is_nan<Double>(a) && is_nan<Double>(b)) return b | Double::quiet_bit;
    return Max ? ptx_max<Double>(a, b) : ptx_min<Double>(a, b);
  }
};

// testp: classes.
enum class Test : u8 { finite, infinite, number, notanumber, normal, subnormal };
constexpr std::string_view test_names[] = {"testp.finite",     "testp.infinite", "testp.number",
                                           "testp.notanumber", "testp.normal",   "testp.subnormal"};
template <class F, Test T>
struct Testp {
  static constexpr std::string_view name = joined < test_names[static_cast<u32>(T)],
                                    sizeof(typename F::Bits) == 4 ? f32_word : f64_word > ;
  static bool apply(typename F::Bits x) {
    switch (T) {
      case Test::finite:
        return is_finite<F>(x);
      case Test::infinite:
        return is_infinite<F>(x);
      case Test::number:
        return !is_nan<F>(x);
      case Test::notanumber:
        return is_nan<F>(x);
      case Test::normal:
        return is_finite<F>(x) && !is_denormal<F>(x);  // zeros too, as on the hardware
      case Test::subnormal:
        return is_denormal<F>(x);
    }
    return false;
  }
};

template <Round R>
void add_round(Opcodes& o) {
  const std::string r(round_suffix<R>);
  const auto each = [&]<bool Ftz>() {
    const std::string middle = r + (Ftz ? ".ftz" : "");
    // No rounding says nearest even, for what has no other default.
    std::vector<std::string> spellings{middle};
    if (R == Round::nearest_even) spellings.push_back(Ftz ? ".ftz" : "");
    for (const std::string& m : spellings) {
      o.add("add" + m + ".f32", semantic32<AddF32<R, Ftz>>, Cost::valu_full);
      o.add("sub" + m + ".f32", semantic32<SubF32<R, Ftz>>, Cost::valu_full);
      o.add("mul" + m + ".f32", semantic32<MulF32<R, Ftz>>, Cost::valu_full);
      o.add("add" + m + ".sat.f32", semantic32<AddF32<R, Ftz>>, Cost::valu_full, Instruction::clamp);
      o.add("sub" + m + ".sat.f32", semantic32<SubF32<R, Ftz>>, Cost::valu_full, Instruction::clamp);
      o.add("mul" + m + ".sat.f32", semantic32<MulF32<R, Ftz>>, Cost::valu_full, Instruction::clamp);
    }
    for (const char* name : {"fma", "mad"}) {
      o.add(name + middle + ".f32", semantic32<FmaF32<R, Ftz>>, Cost::valu_full);
      o.add(name + middle + ".sat.f32", semantic32<FmaF32<R, Ftz>>, Cost::valu_full, Instruction::clamp);
    }
    o.add("div" + middle + ".f32", semantic32<DivF32<R, Ftz>>, Cost::valu_transcendental);
    o.add("rcp" + middle + ".f32", semantic32<RcpF32<R, Ftz>>, Cost::valu_transcendental);
    o.add("sqrt" + middle + ".f32", semantic32<SqrtF32<R, Ftz>>, Cost::valu_transcendental);
  };
  each.template operator()<false>();
  each.template operator()<true>();
  std::vector<std::string> spellings{r};
  if (R == Round::nearest_even) spellings.push_back("");
  for (const std::string& m : spellings) {
    o.add("add" + m + ".f64", semantic32<AddF64<R>>, Cost::valu_f64_add);
    o.add("sub" + m + ".f64", semantic32<SubF64<R>>, Cost::valu_f64_add);
    o.add("mul" + m + ".f64", semantic32<MulF64<R>>, Cost::valu_f64_mul);
  }
  o.add("fma" + r + ".f64", semantic32<FmaF64<R>>, Cost::valu_f64_mul);
  o.add("mad" + r + ".f64", semantic32<FmaF64<R>>, Cost::valu_f64_mul);
  o.add("div" + r + ".f64", semantic32<DivF64<R>>, Cost::valu_f64_transcendental);
  o.add("rcp" + r + ".f64", semantic32<RcpF64<R>>, Cost::valu_f64_transcendental);
  o.add("sqrt" + r + ".f64", semantic32<SqrtF64<R>>, Cost::valu_f64_transcendental);
}

template <bool Max, bool Ftz>
void add_min_max(Opcodes& o) {
  const auto add = [&]<bool Nan, bool XorSign>() {
    using S = MinMaxF32<Max, Ftz, Nan, XorSign>;
    o.add(std::string(S::name), semantic32<S>, Cost::valu_full);
  };
  add.template operator()<false, false>();
  add.template operator()<true, false>();
  add.template operator()<false, true>();
  add.template operator()<true, true>();
}

template <class F, Test... T>
void add_tests(Opcodes& o) {
  (o.add(std::string(Testp<F, T>::name), semantic32<Testp<F, T>>, Cost::valu_full, Instruction::merge_mask),
   ...);
}

}  // namespace

void add_float(Opcodes& o) {
  add_round<Round::nearest_even>(o);
  add_round<Round::zero>(o);
  add_round<Round::minus_infinity>(o);
  add_round<Round::plus_infinity>(o);
  add_min_max<false, false>(o);
  add_min_max<false, true>(o);
  add_min_max<true, false>(o);
  add_min_max<true, true>(o);
  o.add("min.f64", semantic32<MinMaxF64<false>>, Cost::valu_f64_add);
  o.add("max.f64", semantic32<MinMaxF64<true>>, Cost::valu_f64_add);
  o.add("abs.f32", semantic32<AbsF32<false>>, Cost::valu_full);
  o.add("abs.ftz.f32", semantic32<AbsF32<true>>, Cost::valu_full);
  o.add("neg.f32", semantic32<NegF32<false>>, Cost::valu_full);
  o.add("neg.ftz.f32", semantic32<NegF32<true>>, Cost::valu_full);
  o.add("abs.f64", semantic32<AbsF64>, Cost::valu_f64_add);
  o.add("neg.f64", semantic32<NegF64>, Cost::valu_f64_add);
  o.add("copysign.f32", semantic32<CopysignF32>, Cost::valu_full);
  o.add("copysign.f64", semantic32<CopysignF64>, Cost::valu_full);
  add_tests<Single, Test::finite, Test::infinite, Test::number, Test::notanumber, Test::normal,
            Test::subnormal>(o);
  add_tests<Double, Test::finite, Test::infinite, Test::number, Test::notanumber, Test::normal,
            Test::subnormal>(o);
}

}  // namespace lockstep::nv
