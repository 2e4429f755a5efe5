// The math builtins' references: the host's long double functions, rounded once to the result's type. Their
// own error (below one unit of 64 bits) is far under the tolerances, which are those of the OpenCL 1.2
// specification, section 7.4 (Relative Error as ULPs).
#include <cmath>
#include <functional>

#include "reference.h"

namespace lockstep::corpus {
namespace {

using Real = long double;
constexpr Real pi = 3.14159265358979323846264338327950288L;

constexpr u64 items = 512;  // work-items of every case here

// Writes the columns of one result buffer, each one value per work-item.
template <class T>
struct Columns {
  T* target;

  template <class Function>
  Columns& add(Function function) {
    for (u64 i = 0; i < items; ++i) {
      *target++ = static_cast<T>(function(i));
    }
    return *this;
  }
  // A function of one of the inputs.
  Columns& of(Real (*function)(Real), const T* input) {
    return add([&](u64 i) { return function(static_cast<Real>(input[i])); });
  }
  Columns& of(Real (*function)(Real, Real), const T* first, const T* second) {
    return add([&](u64 i) { return function(static_cast<Real>(first[i]), static_cast<Real>(second[i])); });
  }
};

template <class T>
struct Inputs {
  const T* a = nullptr;  // special values
  const T* p = nullptr;  // random ones of two ranges
  const T* q = nullptr;
};

template <class T>
Inputs<T> inputs(const Case& test, Contents& contents, bool special = true) {
  return {special ? elements<T>(test, contents, "x") : nullptr, elements<T>(test, contents, "r"),
          elements<T>(test, contents, "s")};
}

// sin(pi x): the argument is reduced exactly first.
Real sinpi(Real x) {
  return std::sin(pi * std::fmod(x, 2.0L));
}
Real cospi(Real x) {
  return std::cos(pi * std::fmod(x, 2.0L));
}
Real tanpi(Real x) {
  return std::tan(pi * std::fmod(x, 1.0L));
}

template <class T>
void trigonometry(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::sin, a)
      .of(std::cos, a)
      .of(std::sin, p)
      .of(std::cos, p)
      .of(sinpi, q)
      .of(cospi, q)
      .of(std::sin, q)
      .of(std::cos, q);
  Columns<T>{elements<T>(test, contents, "tangents")}.of(std::tan, q).of(std::tan, p).of(tanpi, q);
}

template <class T>
void arcs(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::asin, a)
      .of(std::acos, a)
      .of(std::asin, p)
      .of(std::acos, p);
  Columns<T>{elements<T>(test, contents, "arcs")}
      .of(std::atan, a)
      .of(std::atan, q)
      .of(std::atan2, a, q)
      .of(std::atan2, p, q)
      .of([](Real x) { return std::asin(x) / pi; }, p)
      .of([](Real x) { return std::acos(x) / pi; }, p)
      .of([](Real x) { return std::atan(x) / pi; }, q)
      .of([](Real y, Real x) { return std::atan2(y, x) / pi; }, p, q);
}

Real exp10_of(Real x) {
  return std::pow(10.0L, x);
}

template <class T>
void exponentials(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::exp, a)
      .of(std::exp2, a)
      .of(exp10_of, a)
      .of(std::expm1, a)
      .of(std::exp, p)
      .of(std::exp2, p)
      .add([&](u64 i) { return exp10_of(static_cast<T>(p[i] * static_cast<T>(0.375))); })
      .add([&](u64 i) { return std::expm1(static_cast<Real>(p[i]) * 0.0625L); })
      .of(std::log, a)
      .of(std::log2, a)
      .of(std::log10, a)
      .of(std::log, q)
      .of(std::log2, q)
      .of(std::log10, q);
  Columns<T>{elements<T>(test, contents, "near")}.of(std::log1p, a).of(std::log1p, q);
}

template <class T>
void powers(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::pow, a, q)
      .of(std::pow, p, q)
      .of(std::pow, p, q)
      .of([](Real x, Real n) { return std::pow(x, std::trunc(n)); }, q, p)
      .add([&](u64 i) { return std::pow(static_cast<Real>(p[i]), 1.0L / static_cast<Real>(3 + (i & 7))); })
      .of([](Real x, Real n) { return std::pow(-x, std::trunc(n)); }, p, q);
  const auto inverse_root = [](Real x) { return 1.0L / std::sqrt(x); };
  Columns<T>{elements<T>(test, contents, "roots")}
      .of(std::cbrt, a)
      .of(std::cbrt, q)
      .of(inverse_root, a)
      .of(inverse_root, p);
  Columns<T>{elements<T>(test, contents, "lengths")}.of(std::hypot, a, q).of(std::hypot, p, q);
}

template <class T>
void hyperbolics(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::sinh, a)
      .of(std::cosh, a)
      .of(std::sinh, p)
      .of(std::cosh, q)
      .of(std::asinh, a)
      .of(std::asinh, q)
      .of(std::acosh, a)
      .of(std::acosh, q);
  Columns<T>{elements<T>(test, contents, "tangents")}
      .of(std::tanh, a)
      .of(std::tanh, p)
      .of(std::atanh, a)
      .of(std::atanh, p);
}

template <class T>
void gamma(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents, false);
  (void)a;
  Columns<T>{elements<T>(test, contents, "out")}
      .of(std::erf, p)
      .of(std::erfc, p)
      .of([](Real x) { return std::erf(x * 0.015625L); }, p)
      .of(std::tgamma, q)
      .of(std::tgamma, p);
  Columns<T>{elements<T>(test, contents, "logs")}.of(std::lgamma, q).add([&](u64 i) {
    return std::lgamma(static_cast<Real>(static_cast<T>(p[i] - static_cast<T>(3.5))));
  });
}

template <class T>
void exact(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<T>(test, contents);
  int exponent = 0;
  T whole = 0;
  // fract: min(x - floor(x), the largest value below 1), OpenCL 1.2, table 6.8.
  const auto fraction = [&](u64 i) {
    return std::fmin(static_cast<T>(p[i] - std::floor(p[i])), std::nextafter(T(1), T(0)));
  };
  Columns<T>{elements<T>(test, contents, "out")}
      .add([&](u64 i) { return std::fmod(p[i], q[i]); })
      .add([&](u64 i) { return std::remainder(p[i], q[i]); })
      .add([&](u64 i) { return std::fmod(a[i], q[i]); })
      .add([&](u64 i) { return std::remainder(a[i], q[i]); })
      .add([&](u64 i) { return std::ldexp(a[i], static_cast<int>(i % 40) - 20); })
      .add([&](u64 i) { return std::frexp(a[i], &exponent); })
      .add([&](u64 i) { return std::modf(a[i], &whole); })
      .add([&](u64 i) { return std::trunc(a[i]); })
      .add([&](u64 i) { return std::nextafter(a[i], p[i]); })
      .add([&](u64 i) { return std::nextafter(p[i], q[i]); })
      .add([&](u64 i) { return std::logb(a[i]); })
      .add([&](u64 i) { return std::trunc(p[i]); })
      .add([&](u64 i) { return std::rint(p[i] * T(0.5)); })
      .add([&](u64 i) { return std::round(p[i] * T(0.5)); })
      .add([&](u64 i) { return std::fdim(p[i], q[i]); })
      .add([&](u64 i) { return std::copysign(a[i], q[i]); })
      .add(fraction)
      .add([&](u64 i) { return std::floor(p[i]); })
      .add([&](u64 i) { return std::remainder(p[i], q[i]); })
      .add([&](u64) { return std::numeric_limits<T>::quiet_NaN(); });
  Columns<i32>{elements<i32>(test, contents, "ints")}
      .add([&](u64 i) {
        std::frexp(a[i], &exponent);
        return std::isfinite(a[i]) ? exponent : 0;
      })
      .add([&](u64 i) { return std::isfinite(a[i]) && a[i] != 0 ? std::ilogb(a[i]) : 0; })
      .add([&](u64 i) {
        int quotient = 0;
        std::remquo(p[i], q[i], &quotient);
        return quotient & 7;
      });
}

void native(const Case& test, Contents& contents) {
  const auto [a, p, q] = inputs<f32>(test, contents, false);
  (void)a;
  for (const char* name : {"halves", "natives"}) {
    Columns<f32>{elements<f32>(test, contents, name)}
        .of(std::sin, q)
        .of(std::cos, q)
        .add([&](u64 i) { return std::tan(static_cast<Real>(q[i] * 0.4f)); })
        .of(std::exp, q)
        .of(std::exp2, q)
        .of(exp10_of, q)
        .of(std::log, p)
        .of(std::log2, p)
        .of(std::log10, p)
        .of(std::sqrt, p)
        .of([](Real x) { return 1.0L / std::sqrt(x); }, p)
        .of([](Real x) { return 1.0L / x; }, p)
        .of([](Real x, Real y) { return x / y; }, q, p)
        .of(std::pow, p, q);
  }
}

}  // namespace

std::vector<NamedReference> math_references() {
  return {{"math_trigonometry", trigonometry<f32>},
          {"math_double_trigonometry", trigonometry<f64>},
          {"math_arcs", arcs<f32>},
          {"math_double_arcs", arcs<f64>},
          {"math_exponentials", exponentials<f32>},
          {"math_double_exponentials", exponentials<f64>},
          {"math_powers", powers<f32>},
          {"math_double_powers", powers<f64>},
          {"math_hyperbolics", hyperbolics<f32>},
          {"math_double_hyperbolics", hyperbolics<f64>},
          {"math_gamma", gamma<f32>},
          {"math_double_gamma", gamma<f64>},
          {"math_exact", exact<f32>},
          {"math_double_exact", exact<f64>},
          {"math_native", native}};
}

}  // namespace lockstep::corpus
