// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.4 (Half Precision Floating Point Instructions).
#include "isa/nv/float_meanings.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

// .sat: to [0, 1], NaN gives 0. .relu: negatives give 0, NaN stays.
template <class Format, bool Sat, bool Relu>
[[gnu::always_inline]] inline u16 limited(u16 x) {
  const bool negative = is_negative<Format>(x), nan = is_nan<Format>(x);
  if (Sat) return nan || negative ? u16{0} : x > Format::one ? Format::one : x;
  if (Relu) return negative && !nan ? u16{0} : x;
  return x;
}

// A meaning of one half, limited, on one or on both halves of a register.
template <class S, class F, bool Sat, bool Relu, class Apply = decltype(&S::apply)>
struct OnHalf;
template <class S, class F, bool Sat, bool Relu, class... A>
struct OnHalf<S, F, Sat, Relu, u16 (*)(A...)> {
  static constexpr std::string_view name = S::name;
  static u16 apply(A... a) { return limited<typename F::Format, Sat, Relu>(S::apply(a...)); }
};
template <class S, class Apply = decltype(&S::apply)>
struct OnHalves;
template <class S, class... A>
struct OnHalves<S, u16 (*)(A...)> {
  static constexpr std::string_view name = S::name;
  template <class>
  using Register = u32;
  static u32 apply(Register<A>... a) {
    const u32 low = S::apply(static_cast<u16>(a)...), high = S::apply(static_cast<u16>(a >> 16)...);
    return low | high << 16;
  }
};

// Under the meaning's name, which the words of the limits join before the type; sums and products also
// without their ".rn".
template <class F, class S, bool Sat = false, bool Relu = false>
void add(Opcodes& o) {
  using Half = OnHalf<S, F, Sat, Relu>;
  std::string name(S::name);
  name.insert(name.size() - F::word.size(), std::string(Sat ? ".sat" : "") + (Relu ? ".relu" : ""));
  std::vector<std::string> names{name};
  const std::size_t rounds = name.find(".rn");
  if (rounds != std::string::npos && !name.starts_with("fma")) names.push_back(name.erase(rounds, 3));
  for (const std::string& each : names) {
    o.add(each, semantic32<Half>, Cost::valu_f16);
    o.add(each + "x2", semantic32<OnHalves<Half>>, Cost::valu_f16);
  }
}

constexpr Round nearest = Round::nearest_even;

template <class F, bool Ftz>
void add_plain(Opcodes& o) {
  add<F, Add<F, nearest, Ftz>>(o);
  add<F, Sub<F, nearest, Ftz>>(o);
  add<F, Mul<F, nearest, Ftz>>(o);
  add<F, Fma<F, nearest, Ftz>>(o);
  add<F, MinMax<F, false, Ftz, false, false>>(o);
  add<F, MinMax<F, true, Ftz, false, false>>(o);
  add<F, MinMax<F, false, Ftz, true, false>>(o);
  add<F, MinMax<F, true, Ftz, true, false>>(o);
  add<F, Abs<F, Ftz>>(o);
  add<F, Neg<F, Ftz>>(o);
}
template <class F>
void add_xorsign(Opcodes& o) {
  add<F, MinMax<F, false, false, false, true>>(o);
  add<F, MinMax<F, true, false, false, true>>(o);
  add<F, MinMax<F, false, false, true, true>>(o);
  add<F, MinMax<F, true, false, true, true>>(o);
}
template <class F, bool Ftz>
void add_saturating(Opcodes& o) {
  add<F, Add<F, nearest, Ftz>, true>(o);
  add<F, Sub<F, nearest, Ftz>, true>(o);
  add<F, Mul<F, nearest, Ftz>, true>(o);
  add<F, Fma<F, nearest, Ftz>, true>(o);
}

}  // namespace

void add_half(Opcodes& o) {
  add_plain<F16Width, false>(o);
  add_plain<F16Width, true>(o);
  add_plain<Bf16Width, false>(o);
  add_xorsign<F16Width>(o);
  add_xorsign<Bf16Width>(o);
  add_saturating<F16Width, false>(o);
  add_saturating<F16Width, true>(o);
  add<F16Width, Fma<F16Width, nearest, false>, false, true>(o);
  add<F16Width, Fma<F16Width, nearest, true>, false, true>(o);
  add<Bf16Width, Fma<Bf16Width, nearest, false>, false, true>(o);
}

}  // namespace lockstep::nv
