// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.3 (Floating Point Instructions): what IEEE 754 or
// the manual defines to the bit.
#include "isa/nv/float_meanings.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

// testp: classes.
enum class Test : u8 { finite, infinite, number, notanumber, normal, subnormal };
constexpr std::string_view test_names[] = {"testp.finite",     "testp.infinite", "testp.number",
                                           "testp.notanumber", "testp.normal",   "testp.subnormal"};
template <class F, Test T>
struct Testp {
  static constexpr std::string_view name = joined < test_names[static_cast<u32>(T)],
                                    sizeof(typename F::Bits) == 4 ? SingleWidth::word : DoubleWidth::word > ;
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
      o.add("add" + m + ".f32", semantic32<Add<SingleWidth, R, Ftz>>, Cost::valu_full);
      o.add("sub" + m + ".f32", semantic32<Sub<SingleWidth, R, Ftz>>, Cost::valu_full);
      o.add("mul" + m + ".f32", semantic32<Mul<SingleWidth, R, Ftz>>, Cost::valu_full);
      o.add("add" + m + ".sat.f32", semantic32<Add<SingleWidth, R, Ftz>>, Cost::valu_full,
            Instruction::clamp);
      o.add("sub" + m + ".sat.f32", semantic32<Sub<SingleWidth, R, Ftz>>, Cost::valu_full,
            Instruction::clamp);
      o.add("mul" + m + ".sat.f32", semantic32<Mul<SingleWidth, R, Ftz>>, Cost::valu_full,
            Instruction::clamp);
    }
    for (const char* name : {"fma", "mad"}) {
      o.add(name + middle + ".f32", semantic32<Fma<SingleWidth, R, Ftz>>, Cost::valu_full);
      o.add(name + middle + ".sat.f32", semantic32<Fma<SingleWidth, R, Ftz>>, Cost::valu_full,
            Instruction::clamp);
    }
    o.add("div" + middle + ".f32", semantic32<Div<SingleWidth, R, Ftz>>, Cost::valu_transcendental);
    o.add("rcp" + middle + ".f32", semantic32<Rcp<SingleWidth, R, Ftz>>, Cost::valu_transcendental);
    o.add("sqrt" + middle + ".f32", semantic32<Sqrt<SingleWidth, R, Ftz>>, Cost::valu_transcendental);
  };
  each.template operator()<false>();
  each.template operator()<true>();
  std::vector<std::string> spellings{r};
  if (R == Round::nearest_even) spellings.push_back("");
  for (const std::string& m : spellings) {
    o.add("add" + m + ".f64", semantic32<Add<DoubleWidth, R, false>>, Cost::valu_f64_add);
    o.add("sub" + m + ".f64", semantic32<Sub<DoubleWidth, R, false>>, Cost::valu_f64_add);
    o.add("mul" + m + ".f64", semantic32<Mul<DoubleWidth, R, false>>, Cost::valu_f64_mul);
  }
  o.add("fma" + r + ".f64", semantic32<Fma<DoubleWidth, R, false>>, Cost::valu_f64_mul);
  o.add("mad" + r + ".f64", semantic32<Fma<DoubleWidth, R, false>>, Cost::valu_f64_mul);
  o.add("div" + r + ".f64", semantic32<Div<DoubleWidth, R, false>>, Cost::valu_f64_transcendental);
  o.add("rcp" + r + ".f64", semantic32<Rcp<DoubleWidth, R, false>>, Cost::valu_f64_transcendental);
  o.add("sqrt" + r + ".f64", semantic32<Sqrt<DoubleWidth, R, false>>, Cost::valu_f64_transcendental);
}

template <bool Max, bool Ftz>
void add_min_max(Opcodes& o) {
  const auto add = [&]<bool Nan, bool XorSign>() {
    using S = MinMax<SingleWidth, Max, Ftz, Nan, XorSign>;
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
  o.add("min.f64", semantic32<MinMax<DoubleWidth, false, false, false, false>>, Cost::valu_f64_add);
  o.add("max.f64", semantic32<MinMax<DoubleWidth, true, false, false, false>>, Cost::valu_f64_add);
  o.add("abs.f32", semantic32<Abs<SingleWidth, false>>, Cost::valu_full);
  o.add("abs.ftz.f32", semantic32<Abs<SingleWidth, true>>, Cost::valu_full);
  o.add("neg.f32", semantic32<Neg<SingleWidth, false>>, Cost::valu_full);
  o.add("neg.ftz.f32", semantic32<Neg<SingleWidth, true>>, Cost::valu_full);
  o.add("abs.f64", semantic32<Abs<DoubleWidth, false>>, Cost::valu_f64_add);
  o.add("neg.f64", semantic32<Neg<DoubleWidth, false>>, Cost::valu_f64_add);
  o.add("copysign.f32", semantic32<Copysign<SingleWidth>>, Cost::valu_full);
  o.add("copysign.f64", semantic32<Copysign<DoubleWidth>>, Cost::valu_full);
  add_tests<Single, Test::finite, Test::infinite, Test::number, Test::notanumber, Test::normal,
            Test::subnormal>(o);
  add_tests<Double, Test::finite, Test::infinite, Test::number, Test::notanumber, Test::normal,
            Test::subnormal>(o);
}

}  // namespace lockstep::nv
