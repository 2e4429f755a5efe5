// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.4 (Half Precision Floating Point Instructions).
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

// The two formats: arithmetic rounds to nearest even; NaN results are 0x7fff.
struct HalfFormat {
  using Format = Half;
  static f64 widen(u16 x) { return f16_to_f64(x); }
  static u16 narrow(f64 x) { return f64_to_f16(x); }
  static u16 add(u16 a, u16 b) { return add_f16(a, b); }
  static u16 sub(u16 a, u16 b) { return sub_f16(a, b); }
  static u16 mul(u16 a, u16 b) { return mul_f16(a, b); }
  static u16 fma(u16 a, u16 b, u16 c) { return fma_f16(a, b, c); }
};
struct BfloatFormat {
  using Format = Bfloat;
  static f64 widen(u16 x) { return f64{bf16_to_f32(x)}; }
  static u16 narrow(f64 x) { return f64_to_bf16(x); }
  // Sums of two bf16 and their products may need more than an f64's 53 bits only where the smaller term lies
  // below everything that rounding looks at but its sign: rounding to odd keeps that.
  static u16 add(u16 a, u16 b) { return fma(a, Bfloat::one, b); }
  static u16 sub(u16 a, u16 b) { return fma(b, static_cast<u16>(Bfloat::one | Bfloat::sign_mask), a); }
  static u16 mul(u16 a, u16 b) { return narrow(widen(a) * widen(b)); }
  static u16 fma(u16 a, u16 b, u16 c) {
    const f64 p = widen(a) * widen(b);  // 16 bits: exact
    return narrow(float_detail::add_odd(p, widen(c)));
  }
};

template <class F, bool Ftz>
[[gnu::always_inline]] inline u16 in(u16 x) {
  return Ftz ? flush<typename F::Format>(x) : x;
}
template <class F, bool Ftz>
[[gnu::always_inline]] inline u16 out(u16 x) {
  const u16 r = Ftz ? flush<typename F::Format>(x) : x;
  return is_nan<typename F::Format>(r) ? u16{0x7FFF} : r;
}
// With ftz a result that is tiny after rounding with an unbounded exponent is zero (measured on an H200,
// tests/nvidia). `exact`: in f64, exact or rounded to odd.
template <class F, bool Ftz>
[[gnu::always_inline]] inline u16 out(u16 x, f64 exact) {
  using Format = typename F::Format;
  const bool tiny =
      Ftz && F::widen(F::narrow(std::fabs(exact) * 1024)) < F::widen(Format::smallest_normal) * 1024;
  return out<F, false>(tiny ? static_cast<u16>(x & Format::sign_mask) : x);
}
// .sat: to [0, 1], NaN gives 0. .relu: negatives give 0, NaN stays.
template <class F, bool Sat, bool Relu>
[[gnu::always_inline]] inline u16 limited(u16 x) {
  using Format = typename F::Format;
  const bool negative = is_negative<Format>(x), nan = is_nan<Format>(x);
  if (Sat) return nan || negative ? u16{0} : x > Format::one ? Format::one : x;
  if (Relu) return negative && !nan ? u16{0} : x;
  return x;
}

enum class Op : u8 {
  add,
  sub,
  mul,
  fma,
  min,
  max,
  min_nan,
  max_nan,
  min_xor,
  max_xor,
  min_nan_xor,
  max_nan_xor,
  abs,
  neg
};
constexpr std::string_view op_names[] = {"add",
                                         "sub",
                                         "mul",
                                         "fma",
                                         "min",
                                         "max",
                                         "min.NaN",
                                         "max.NaN",
                                         "min.xorsign.abs",
                                         "max.xorsign.abs",
                                         "min.NaN.xorsign.abs",
                                         "max.NaN.xorsign.abs",
                                         "abs",
                                         "neg"};

template <class F, Op O, bool Ftz>
[[gnu::always_inline]] inline u16 computed(u16 a, u16 b, u16 c) {
  using Format = typename F::Format;
  a = in<F, Ftz>(a), b = in<F, Ftz>(b), c = in<F, Ftz>(c);
  if constexpr (O == Op::add) return out<F, Ftz>(F::add(a, b));
  if constexpr (O == Op::sub) return out<F, Ftz>(F::sub(a, b));
  if constexpr (O == Op::mul) return out<F, Ftz>(F::mul(a, b), F::widen(a) * F::widen(b));
  if constexpr (O == Op::fma)
    return out<F, Ftz>(F::fma(a, b, c), float_detail::add_odd(F::widen(a) * F::widen(b), F::widen(c)));
  if constexpr (O == Op::abs) return out<F, false>(a & Format::magnitude_mask);
  if constexpr (O == Op::neg) return out<F, false>(a ^ Format::sign_mask);
  constexpr bool max = O == Op::max || O == Op::max_nan || O == Op::max_xor || O == Op::max_nan_xor;
  constexpr bool nan = O == Op::min_nan || O == Op::max_nan || O == Op::min_nan_xor || O == Op::max_nan_xor;
  constexpr bool sign = O == Op::min_xor || O == Op::max_xor || O == Op::min_nan_xor || O == Op::max_nan_xor;
  const u16 both = (a ^ b) & Format::sign_mask;
  if constexpr (sign) a &= Format::magnitude_mask, b &= Format::magnitude_mask;
  const u16 r = max ? ptx_max<Format>(a, b, nan) : ptx_min<Format>(a, b, nan);
  return sign && !is_nan<Format>(r) ? static_cast<u16>(r | both) : r;
}

template <Op O>
constexpr int arity = O == Op::fma                   ? 3
                      : O == Op::abs || O == Op::neg ? 1
                                                     : 2;

template <class F, Op O, bool Ftz, bool Sat, bool Relu, bool Packed>
struct Operation {
  static constexpr std::string_view name = op_names[static_cast<u32>(O)];
  using Lane = std::conditional_t<Packed, u32, u16>;
  static u16 half(u16 a, u16 b, u16 c) { return limited<F, Sat, Relu>(computed<F, O, Ftz>(a, b, c)); }
  static Lane all(Lane a, Lane b, Lane c) {
    if constexpr (Packed) {
      const u32 low = half(static_cast<u16>(a), static_cast<u16>(b), static_cast<u16>(c));
      const u32 high = half(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16), static_cast<u16>(c >> 16));
      return low | high << 16;
    } else {
      return half(a, b, c);
    }
  }
};
template <class S, int N>
struct Arity;
template <class S>
struct Arity<S, 1> {
  static constexpr std::string_view name = S::name;
  static typename S::Lane apply(typename S::Lane a) { return S::all(a, 0, 0); }
};
template <class S>
struct Arity<S, 2> {
  static constexpr std::string_view name = S::name;
  static typename S::Lane apply(typename S::Lane a, typename S::Lane b) { return S::all(a, b, 0); }
};
template <class S>
struct Arity<S, 3> {
  static constexpr std::string_view name = S::name;
  static typename S::Lane apply(typename S::Lane a, typename S::Lane b, typename S::Lane c) {
    return S::all(a, b, c);
  }
};

template <class F, Op O, bool Ftz, bool Sat, bool Relu>
void add_one(Opcodes& o, const std::string& type) {
  const std::string base(op_names[static_cast<u32>(O)]);
  const std::string tail =
      std::string(Ftz ? ".ftz" : "") + (Sat ? ".sat" : "") + (Relu ? ".relu" : "") + "." + type;
  std::vector<std::string> names;
  constexpr bool arithmetic = O == Op::add || O == Op::sub || O == Op::mul || O == Op::fma;
  if (arithmetic) names.push_back(base + ".rn" + tail);
  if (O != Op::fma) {
    // min{.ftz}{.NaN}{.xorsign.abs}: the words stand behind ftz.
    const std::size_t at = base.find('.');
    names.push_back(at == std::string::npos
                        ? base + tail
                        : base.substr(0, at) + (Ftz ? ".ftz" : "") + base.substr(at) + "." + type);
  }
  using Scalar = Arity<Operation<F, O, Ftz, Sat, Relu, false>, arity<O>>;
  using Packed = Arity<Operation<F, O, Ftz, Sat, Relu, true>, arity<O>>;
  for (const std::string& name : names) {
    o.add(name, semantic32<Scalar>, Cost::valu_f16);
    o.add(name + "x2", semantic32<Packed>, Cost::valu_f16);
  }
}

template <class F, bool Ftz, Op... O>
void add_plain(Opcodes& o, const std::string& type) {
  (add_one<F, O, Ftz, false, false>(o, type), ...);
}

}  // namespace

void add_half(Opcodes& o) {
  using enum Op;
  add_plain<HalfFormat, false, add, sub, mul, fma, min, max, min_nan, max_nan, min_xor, max_xor, min_nan_xor,
            max_nan_xor, abs, neg>(o, "f16");
  add_plain<HalfFormat, true, add, sub, mul, fma, min, max, min_nan, max_nan, abs, neg>(o, "f16");
  add_plain<BfloatFormat, false, add, sub, mul, fma, min, max, min_nan, max_nan, min_xor, max_xor,
            min_nan_xor, max_nan_xor, abs, neg>(o, "bf16");
  add_one<HalfFormat, add, false, true, false>(o, "f16");
  add_one<HalfFormat, sub, false, true, false>(o, "f16");
  add_one<HalfFormat, mul, false, true, false>(o, "f16");
  add_one<HalfFormat, fma, false, true, false>(o, "f16");
  add_one<HalfFormat, add, true, true, false>(o, "f16");
  add_one<HalfFormat, sub, true, true, false>(o, "f16");
  add_one<HalfFormat, mul, true, true, false>(o, "f16");
  add_one<HalfFormat, fma, true, true, false>(o, "f16");
  add_one<HalfFormat, fma, false, false, true>(o, "f16");
  add_one<HalfFormat, fma, true, false, true>(o, "f16");
  add_one<BfloatFormat, fma, false, false, true>(o, "bf16");
}

}  // namespace lockstep::nv
