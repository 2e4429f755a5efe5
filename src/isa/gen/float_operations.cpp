// Moves, sums and products of every type, multiply-add, roundings. Source: "Skylake PRM, volume 2a: Command
// Reference: Instructions". Floats are rounded once, in the direction that cr0 says.
#include <cmath>

#include "float/convert.h"
#include "float/round.h"
#include "isa/gen/compute.h"
#include "isa/gen/float_mode.h"

namespace lockstep::gen {

Compute integer_move(Class computes);
Compute integer_add(Class computes);
Compute integer_multiply(Class computes);

namespace {

template <class C, class F>
void each(Work& work, F function) {
  const C *a = work.a.as<C>(), *b = work.b.as<C>(), *c = work.c.as<C>();
  C* out = work.out.as<C>();
  if (work.lanes == 16) {
    for (u32 i = 0; i < 16; ++i) out[i] = function(a[i], b[i], c[i]);
  } else if (work.lanes == 8) {
    for (u32 i = 0; i < 8; ++i) out[i] = function(a[i], b[i], c[i]);
  } else {
    for (u32 i = 0; i < work.lanes; ++i) out[i] = function(a[i], b[i], c[i]);
  }
}

// A mode other than the plain one: seldom enough that the host's compiler need not make it fast.
template <class C, class Any>
[[gnu::cold, gnu::noinline]] void each_by_mode(Work& work, FloatMode mode, Any any) {
  const C *a = work.a.as<C>(), *b = work.b.as<C>(), *c = work.c.as<C>();
  C* out = work.out.as<C>();
  for (u32 i = 0; i < work.lanes; ++i) out[i] = any(a[i], b[i], c[i], mode);
}

// The lane function of a plain mode, and that of any.
template <class C, class Plain, class Any>
void in_mode(Work& work, FloatMode mode, Plain plain, Any any) {
  if (mode.is_plain()) return each<C>(work, plain);
  each_by_mode<C>(work, mode, any);
}

void move_f16(Work& work) {
  each<Half>(work, [](Half a, Half, Half) { return a; });
}
void move_f32(Work& work) {
  each<u32>(work, [](u32 a, u32, u32) { return a; });
}
void move_f64(Work& work) {
  each<u64>(work, [](u64 a, u64, u64) { return a; });
}

void add_f16(Work& w) {
  in_mode<Half>(
      w, f16_mode(w.control), [](Half a, Half b, Half) { return Half{lockstep::add_f16(a.bits, b.bits)}; },
      [](Half a, Half b, Half, FloatMode m) { return Half{lockstep::add_f16(a.bits, b.bits, m)}; });
}
void add_f32(Work& w) {
  in_mode<f32>(
      w, f32_mode(w.control), [](f32 a, f32 b, f32) { return a + b; },
      [](f32 a, f32 b, f32, FloatMode m) { return lockstep::add_f32(a, b, m); });
}
void add_f64(Work& w) {
  in_mode<f64>(
      w, f64_mode(w.control), [](f64 a, f64 b, f64) { return a + b; },
      [](f64 a, f64 b, f64, FloatMode m) { return lockstep::add_f64(a, b, m); });
}
void multiply_f16(Work& w) {
  in_mode<Half>(
      w, f16_mode(w.control), [](Half a, Half b, Half) { return Half{mul_f16(a.bits, b.bits)}; },
      [](Half a, Half b, Half, FloatMode m) { return Half{mul_f16(a.bits, b.bits, m)}; });
}
void multiply_f32(Work& w) {
  in_mode<f32>(
      w, f32_mode(w.control), [](f32 a, f32 b, f32) { return a * b; },
      [](f32 a, f32 b, f32, FloatMode m) { return mul_f32(a, b, m); });
}
void multiply_f64(Work& w) {
  in_mode<f64>(
      w, f64_mode(w.control), [](f64 a, f64 b, f64) { return a * b; },
      [](f64 a, f64 b, f64, FloatMode m) { return mul_f64(a, b, m); });
}
// The first source is added to the product of the others.
void multiply_add_f16(Work& w) {
  in_mode<Half>(
      w, f16_mode(w.control), [](Half a, Half b, Half c) { return Half{fma_f16(b.bits, c.bits, a.bits)}; },
      [](Half a, Half b, Half c, FloatMode m) { return Half{fma_f16(b.bits, c.bits, a.bits, m)}; });
}
void multiply_add_f32(Work& w) {
  in_mode<f32>(
      w, f32_mode(w.control), [](f32 a, f32 b, f32 c) { return std::fma(b, c, a); },
      [](f32 a, f32 b, f32 c, FloatMode m) { return fma_f32(b, c, a, m); });
}
void multiply_add_f64(Work& w) {
  in_mode<f64>(
      w, f64_mode(w.control), [](f64 a, f64 b, f64 c) { return std::fma(b, c, a); },
      [](f64 a, f64 b, f64 c, FloatMode m) { return fma_f64(b, c, a, m); });
}
void interpolate_f32(Work& w) {
  each<f32>(w, [](f32 a, f32 b, f32 c) { return std::fma(a, b, (1.0f - a) * c); });
}

template <Round R>
constexpr std::array<Compute, 7> rounded{
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    [](Work& w) { each<Half>(w, [](Half a, Half, Half) { return Half{round_to_integer_f16<R>(a.bits)}; }); },
    [](Work& w) { each<f32>(w, [](f32 a, f32, f32) { return round_to_integer<R>(a); }); },
    [](Work& w) { each<f64>(w, [](f64 a, f64, f64) { return round_to_integer<R>(a); }); }};

constexpr std::array<Compute, 7> fraction{
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    [](Work& w) { each<f32>(w, [](f32 a, f32, f32) { return a - std::floor(a); }); },
    [](Work& w) { each<f64>(w, [](f64 a, f64, f64) { return a - std::floor(a); }); }};

template <Class C>
void move_integer(Work& w) {
  static const Compute run = integer_move(C);
  run(w);
}
template <Class C>
void add_integer(Work& w) {
  static const Compute run = integer_add(C);
  run(w);
}
template <Class C>
void multiply_integer(Work& w) {
  static const Compute run = integer_multiply(C);
  run(w);
}

constexpr Semantic named(std::string_view name, Flow flow) {
  Semantic made = value_semantic(name);
  made.flow = flow;
  return made;
}
constexpr Semantic mov = named("mov", Flow::move), add = named("add", Flow::carries_up),
                   mul = named("mul", Flow::multiply), mad = value_semantic("mad"),
                   lrp = value_semantic("lrp"), rndd = value_semantic("rndd"), rndu = value_semantic("rndu"),
                   rnde = value_semantic("rnde"), rndz = value_semantic("rndz"), frc = value_semantic("frc"),
                   cmp = named("cmp", Flow::compare), sel = named("sel", Flow::scalar_select),
                   extreme = value_semantic("sel of two");

constexpr ValueOperation operations[] = {
    {"mov",
     1,
     Domain::any,
     Cost::valu_full,
     &mov,
     {move_integer<Class::i32>, move_integer<Class::u32>, move_integer<Class::i64>, move_integer<Class::u64>,
      move_f16, move_f32, move_f64},
     true},
    {"add",
     2,
     Domain::any,
     Cost::valu_full,
     &add,
     {add_integer<Class::i32>, add_integer<Class::u32>, add_integer<Class::i64>, add_integer<Class::u64>,
      add_f16, add_f32, add_f64}},
    {"mul",
     2,
     Domain::any,
     Cost::valu_full,
     &mul,
     {multiply_integer<Class::i32>, multiply_integer<Class::u32>, multiply_integer<Class::i64>,
      multiply_integer<Class::u64>, multiply_f16, multiply_f32, multiply_f64}},
    {"mad",
     3,
     Domain::floating,
     Cost::valu_full,
     &mad,
     {nullptr, nullptr, nullptr, nullptr, multiply_add_f16, multiply_add_f32, multiply_add_f64}},
    {"lrp",
     3,
     Domain::floating,
     Cost::valu_full,
     &lrp,
     {nullptr, nullptr, nullptr, nullptr, nullptr, interpolate_f32, nullptr}},
    {"rndd", 1, Domain::floating, Cost::valu_full, &rndd, rounded<Round::minus_infinity>},
    {"rndu", 1, Domain::floating, Cost::valu_full, &rndu, rounded<Round::plus_infinity>},
    {"rnde", 1, Domain::floating, Cost::valu_full, &rnde, rounded<Round::nearest_even>},
    {"rndz", 1, Domain::floating, Cost::valu_full, &rndz, rounded<Round::zero>},
    {"frc", 1, Domain::floating, Cost::valu_full, &frc, fraction},
};

// Denormals that a mode flushes compare as zeros.
template <class T>
T seen(T value, u32 control) {
  if constexpr (std::is_same_v<T, f32>) return flush_in(value, f32_mode(control));
  if constexpr (std::is_same_v<T, f64>) return flush_in(value, f64_mode(control));
  return value;
}
f32 seen(Half value, u32 control) {
  return f16_to_f32(flush_in_f16(value.bits, f16_mode(control)));
}

template <Condition N, class T>
bool holds(T a, T b) {
  switch (N) {
    case Condition::equal:
      return a == b;
    case Condition::not_equal:
      return a != b;
    case Condition::greater:
      return a > b;
    case Condition::greater_equal:
      return a >= b;
    case Condition::less:
      return a < b;
    case Condition::less_equal:
      return a <= b;
    case Condition::unordered:
      return a != a || b != b;
    default:
      return false;
  }
}

template <class T>
using Word = std::conditional_t<sizeof(T) == 2, u16, std::conditional_t<sizeof(T) == 4, u32, u64>>;

// All ones or zeros.
template <Condition N, class T>
void compare(Work& work) {
  const T *a = work.a.as<T>(), *b = work.b.as<T>();
  // At least a dword.
  using Ones = std::conditional_t<sizeof(T) == 8, u64, u32>;
  Ones* out = work.out.as<Ones>();
  for (u32 i = 0; i < work.lanes; ++i)
    out[i] = Ones{0} - Ones{holds<N>(seen(a[i], work.control), seen(b[i], work.control))};
}

// The minimum and the maximum by a condition: of a number and a NaN the number.
template <Condition N, class T>
void select(Work& work) {
  const T *a = work.a.as<T>(), *b = work.b.as<T>();
  T* out = work.out.as<T>();
  for (u32 i = 0; i < work.lanes; ++i) {
    const auto x = seen(a[i], work.control), y = seen(b[i], work.control);
    const bool first =
        (N == Condition::less || N == Condition::greater_equal) ? holds<N>(x, y) || y != y : holds<N>(x, y);
    out[i] = first ? a[i] : b[i];
  }
}

// By how the third source compares with zero.
template <Condition N, class T>
void select_by_third(Work& work) {
  const T *a = work.a.as<T>(), *b = work.b.as<T>(), *c = work.c.as<T>();
  T* out = work.out.as<T>();
  for (u32 i = 0; i < work.lanes; ++i) {
    const auto x = seen(c[i], work.control);
    out[i] = holds<N>(x, decltype(x){0}) ? a[i] : b[i];
  }
}

template <class T>
void predicated_select(Work& work) {
  const Word<T>*a = work.a.as<Word<T>>(), *b = work.b.as<Word<T>>();
  Word<T>* out = work.out.as<Word<T>>();
  for (u32 i = 0; i < work.lanes; ++i) out[i] = ((work.predicate >> i) & 1) != 0 ? a[i] : b[i];
}

template <Condition N, class T>
u32 test(const Lanes& value, u32 lanes) {
  u32 made = 0;
  for (u32 i = 0; i < lanes; ++i) {
    if constexpr (std::is_same_v<T, Half>) {
      made |= u32{holds<N>(f16_to_f32(value.as<Half>()[i].bits), 0.0f)} << i;
    } else {
      made |= u32{holds<N>(value.as<T>()[i], T{0})} << i;
    }
  }
  return made;
}

// Of the low bits that a narrower integer type D keeps of what was computed in C.
template <class D, class C>
struct Kept {
  template <Condition N, class T>
  static constexpr Test function = [](const Lanes& value, u32 lanes) {
    u32 made = 0;
    for (u32 i = 0; i < lanes; ++i) made |= u32{holds<N>(static_cast<D>(value.as<C>()[i]), D{0})} << i;
    return made;
  };
};

// A table of a template's instances: condition by class.
struct Compares {
  template <Condition N, class T>
  static constexpr Compute function = compare<N, T>;
};
struct Selects {
  template <Condition N, class T>
  static constexpr Compute function = select<N, T>;
};
struct ThirdSelects {
  template <Condition N, class T>
  static constexpr Compute function = select_by_third<N, T>;
};
struct Tests {
  template <Condition N, class T>
  static constexpr Test function = test<N, T>;
};

template <class Family, Condition N>
auto of_class(Class computes) {
  switch (computes) {
    case Class::i32:
      return Family::template function<N, i32>;
    case Class::u32:
      return Family::template function<N, u32>;
    case Class::i64:
      return Family::template function<N, i64>;
    case Class::u64:
      return Family::template function<N, u64>;
    case Class::f16:
      return Family::template function<N, Half>;
    case Class::f32:
      return Family::template function<N, f32>;
    case Class::f64:
      break;
  }
  return Family::template function<N, f64>;
}

template <class Family>
auto instance(Condition condition, Class computes) -> decltype(of_class<Family, Condition::equal>(computes)) {
  switch (condition) {
    case Condition::equal:
      return of_class<Family, Condition::equal>(computes);
    case Condition::not_equal:
      return of_class<Family, Condition::not_equal>(computes);
    case Condition::greater:
      return of_class<Family, Condition::greater>(computes);
    case Condition::greater_equal:
      return of_class<Family, Condition::greater_equal>(computes);
    case Condition::less:
      return of_class<Family, Condition::less>(computes);
    case Condition::less_equal:
      return of_class<Family, Condition::less_equal>(computes);
    case Condition::unordered:
      return of_class<Family, Condition::unordered>(computes);
    default:
      return nullptr;
  }
}

}  // namespace

std::span<const ValueOperation> float_operations() {
  return operations;
}

Compute find_compare(Condition condition, Class computes) {
  return instance<Compares>(condition, computes);
}
Compute find_select(Condition condition, Class computes) {
  return instance<Selects>(condition, computes);
}
Compute find_select_by_third(Condition condition, Class computes) {
  return instance<ThirdSelects>(condition, computes);
}
Test find_test(Condition condition, Class computes) {
  return instance<Tests>(condition, computes);
}

template <class C>
static Test find_kept_test(Condition condition, Class computes, Type type) {
  switch (type) {
    case Type::ub:
      return instance<Kept<u8, C>>(condition, computes);
    case Type::b:
      return instance<Kept<i8, C>>(condition, computes);
    case Type::uw:
      return instance<Kept<u16, C>>(condition, computes);
    case Type::w:
      return instance<Kept<i16, C>>(condition, computes);
    case Type::ud:
      return instance<Kept<u32, C>>(condition, computes);
    case Type::d:
      return instance<Kept<i32, C>>(condition, computes);
    default:
      return instance<Tests>(condition, computes);
  }
}

Test find_result_test(Condition condition, Class computes, const Result& result) {
  const bool wide = computes == Class::i64 || computes == Class::u64;
  // Flags are those from before saturation.
  if (computes >= Class::f16 || is_float(result.type) || result.saturate ||
      bytes_of(result.type) >= (wide ? 8u : 4u))
    return find_test(condition, computes);
  return wide ? find_kept_test<u64>(condition, computes, result.type)
              : find_kept_test<u32>(condition, computes, result.type);
}
Compute find_predicated_select(Class computes) {
  switch (computes) {
    case Class::i32:
    case Class::u32:
    case Class::f32:
      return predicated_select<u32>;
    case Class::i64:
    case Class::u64:
    case Class::f64:
      return predicated_select<u64>;
    case Class::f16:
      break;
  }
  return predicated_select<u16>;
}
const Semantic& compare_meaning() {
  return cmp;
}
const Semantic& select_meaning() {
  return sel;
}
const Semantic& smaller_or_greater_meaning() {
  return extreme;
}

}  // namespace lockstep::gen
