#include "ulp/reference.h"

#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <map>

namespace lockstep::ulp {
namespace {

constexpr mpfr_rnd_t nearest = MPFR_RNDN;
constexpr f64 infinity = std::numeric_limits<f64>::infinity();
constexpr f64 not_a_number = std::numeric_limits<f64>::quiet_NaN();

struct Call {
  mpfr_ptr r;
  mpfr_srcptr x, y, z;
  Arguments given;
  Type type;

  void set(f64 value) const { mpfr_set_d(r, value, nearest); }
};

// false: nothing is prescribed.
using Compute = bool (*)(const Call&);

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

template <Unary f>
bool unary(const Call& c) {
  f(c.r, c.x, nearest);
  return true;
}
template <Binary f>
bool binary(const Call& c) {
  f(c.r, c.x, c.y, nearest);
  return true;
}
template <int (*f)(mpfr_ptr, mpfr_srcptr)>
bool rounding(const Call& c) {
  f(c.r, c.x);
  return true;
}

bool reciprocal(const Call& c) {
  mpfr_ui_div(c.r, 1, c.x, nearest);
  return true;
}
// IEEE 754-2008, 9.2.1: the sign of zero stays.
bool rsqrt(const Call& c) {
  if (c.given.x == 0) {
    c.set(std::copysign(infinity, c.given.x));
  } else {
    mpfr_rec_sqrt(c.r, c.x, nearest);
  }
  return true;
}
bool copysign(const Call& c) {
  c.set(std::copysign(c.given.x, c.given.y));
  return true;
}
bool fma(const Call& c) {
  mpfr_fma(c.r, c.x, c.y, c.z, nearest);
  return true;
}
bool fract(const Call& c) {
  if (std::isinf(c.given.x)) {
    c.set(std::copysign(0.0, c.given.x));
  } else if (c.given.x == 0) {
    c.set(c.given.x);
  } else {
    mpfr_floor(c.r, c.x);
    mpfr_sub(c.r, c.x, c.r, nearest);
    const f64 most = 1 - std::ldexp(1.0, -format_of(c.type).precision);
    if (mpfr_cmp_d(c.r, most) > 0) c.set(most);
  }
  return true;
}
bool modf(const Call& c) {
  f64 whole;
  c.set(std::isinf(c.given.x) ? std::copysign(0.0, c.given.x) : std::modf(c.given.x, &whole));
  return true;
}
bool frexp(const Call& c) {
  int exponent;
  c.set(std::isfinite(c.given.x) ? std::frexp(c.given.x, &exponent) : c.given.x);
  return true;
}
bool frexp_exponent(const Call& c) {
  int exponent = 0;
  if (std::isfinite(c.given.x)) std::frexp(c.given.x, &exponent);
  c.set(exponent);
  return true;
}
bool ilogb(const Call& c) {
  c.set(c.given.x == 0              ? f64{INT_MIN}  // FP_ILOGB0
        : !std::isfinite(c.given.x) ? f64{INT_MAX}  // and FP_ILOGBNAN
                                    : f64{1} * std::ilogb(c.given.x));
  return true;
}
bool logb(const Call& c) {
  c.set(std::logb(c.given.x));
  return true;
}
bool ldexp(const Call& c) {
  mpfr_mul_2si(c.r, c.x, c.given.n, nearest);
  return true;
}
bool lgamma(const Call& c) {
  int sign;
  mpfr_lgamma(c.r, &sign, c.x, nearest);
  return true;
}
bool lgamma_sign(const Call& c) {
  const f64 x = c.given.x;
  if (!std::isfinite(x)) return false;
  if (x == 0 || (x < 0 && x == std::floor(x))) {
    c.set(0);
  } else {
    c.set(x > 0 || std::fmod(std::floor(x), 2) == 0 ? 1 : -1);
  }
  return true;
}
bool magnitude(const Call& c, bool larger) {
  const f64 x = c.given.x, y = c.given.y, a = std::fabs(x), b = std::fabs(y);
  if (a == b || std::isnan(x) || std::isnan(y)) {
    c.set(larger ? std::fmax(x, y) : std::fmin(x, y));
  } else {
    c.set((a > b) == larger ? x : y);
  }
  return true;
}
bool maxmag(const Call& c) {
  return magnitude(c, true);
}
bool minmag(const Call& c) {
  return magnitude(c, false);
}
bool nextafter(const Call& c) {
  const f64 x = c.given.x, y = c.given.y;
  if (std::isnan(x) || std::isnan(y) || x == y) {
    c.set(std::isnan(x) ? x : y);
    return true;
  }
  const Format& format = format_of(c.type);
  const f64 least = std::ldexp(1.0, format.least - format.precision + 1);
  const bool up = y > x;
  if (x == 0) {
    c.set(up ? least : -least);
    return true;
  }
  if (c.type == Type::f64) {
    c.set(std::nextafter(x, y));
    return true;
  }
  const f64 largest = std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.most);
  if (std::isinf(x)) {
    c.set(std::copysign(largest, x));
    return true;
  }
  // The distance on the side of y; below a power of two it is half of that above.
  const bool outwards = (x > 0) == up;
  const i32 exponent = std::max(std::ilogb(x), format.least);
  f64 step = std::ldexp(1.0, exponent - format.precision + 1);
  if (!outwards && std::fabs(x) == std::ldexp(1.0, exponent) && exponent > format.least) step /= 2;
  const f64 next = up ? x + step : x - step;
  c.set(std::fabs(next) > largest ? std::copysign(infinity, next) : std::copysign(next, x));
  return true;
}
bool pown(const Call& c) {
  mpfr_pow_si(c.r, c.x, c.given.n, nearest);
  return true;
}
bool powr(const Call& c) {
  const f64 x = c.given.x, y = c.given.y;
  const bool undefined = std::isnan(x) || std::isnan(y) || x < 0 || (x == 0 && y == 0) ||
                         (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y));
  if (undefined) {
    c.set(not_a_number);
  } else {
    mpfr_abs(c.r, c.x, nearest);
    mpfr_pow(c.r, c.r, c.y, nearest);
  }
  return true;
}
bool rootn(const Call& c) {
  const f64 x = c.given.x;
  const i32 n = c.given.n;
  const bool odd = (n & 1) != 0;
  if (n == 0 || std::isnan(x) || (x < 0 && !odd)) {
    c.set(not_a_number);
  } else if (x == 0) {
    c.set(odd ? std::copysign(n < 0 ? infinity : 0.0, x) : n < 0 ? infinity : 0.0);
  } else {
    mpfr_rootn_si(c.r, c.x, n, nearest);
  }
  return true;
}
bool remquo_quotient(const Call& c) {
  const f64 x = c.given.x, y = c.given.y;
  if (!std::isfinite(x) || std::isnan(y) || y == 0) {
    c.set(0);
  } else {
    long quotient;
    mpfr_remquo(c.r, &quotient, c.x, c.y, nearest);
    c.set(static_cast<f64>(quotient % 128));
  }
  return true;
}
bool cosine(const Call& c) {
  mpfr_cos(c.r, c.x, nearest);
  return true;
}

const std::map<std::string_view, Compute>& computes() {
  static const std::map<std::string_view, Compute> all = {
      {"add", binary<mpfr_add>},
      {"subtract", binary<mpfr_sub>},
      {"multiply", binary<mpfr_mul>},
      {"divide", binary<mpfr_div>},
      {"reciprocal", reciprocal},
      {"recip", reciprocal},
      {"acos", unary<mpfr_acos>},
      {"acosh", unary<mpfr_acosh>},
      {"acospi", unary<mpfr_acospi>},
      {"asin", unary<mpfr_asin>},
      {"asinh", unary<mpfr_asinh>},
      {"asinpi", unary<mpfr_asinpi>},
      {"atan", unary<mpfr_atan>},
      {"atanh", unary<mpfr_atanh>},
      {"atanpi", unary<mpfr_atanpi>},
      {"atan2", binary<mpfr_atan2>},
      {"atan2pi", binary<mpfr_atan2pi>},
      {"cbrt", unary<mpfr_cbrt>},
      {"ceil", rounding<mpfr_ceil>},
      {"copysign", copysign},
      {"cos", cosine},
      {"cosh", unary<mpfr_cosh>},
      {"cospi", unary<mpfr_cospi>},
      {"erf", unary<mpfr_erf>},
      {"erfc", unary<mpfr_erfc>},
      {"exp", unary<mpfr_exp>},
      {"exp2", unary<mpfr_exp2>},
      {"exp10", unary<mpfr_exp10>},
      {"expm1", unary<mpfr_expm1>},
      {"fabs", unary<mpfr_abs>},
      {"fdim", binary<mpfr_dim>},
      {"floor", rounding<mpfr_floor>},
      {"fma", fma},
      {"mad", fma},
      {"fmax", binary<mpfr_max>},
      {"fmin", binary<mpfr_min>},
      {"fmod", binary<mpfr_fmod>},
      {"fract", fract},
      {"fract_whole", rounding<mpfr_floor>},
      {"frexp", frexp},
      {"frexp_exponent", frexp_exponent},
      {"hypot", binary<mpfr_hypot>},
      {"ilogb", ilogb},
      {"ldexp", ldexp},
      {"lgamma", lgamma},
      {"lgamma_sign", lgamma_sign},
      {"log", unary<mpfr_log>},
      {"log2", unary<mpfr_log2>},
      {"log10", unary<mpfr_log10>},
      {"log1p", unary<mpfr_log1p>},
      {"logb", logb},
      {"maxmag", maxmag},
      {"minmag", minmag},
      {"modf", modf},
      {"modf_whole", rounding<mpfr_trunc>},
      {"nextafter", nextafter},
      {"pow", binary<mpfr_pow>},
      {"pown", pown},
      {"powr", powr},
      {"remainder", binary<mpfr_remainder>},
      {"remquo", binary<mpfr_remainder>},
      {"remquo_quotient", remquo_quotient},
      {"rint", rounding<mpfr_roundeven>},
      {"rootn", rootn},
      {"round", rounding<mpfr_round>},
      {"rsqrt", rsqrt},
      {"sin", unary<mpfr_sin>},
      {"sincos_sine", unary<mpfr_sin>},
      {"sincos_cosine", cosine},
      {"sinh", unary<mpfr_sinh>},
      {"sinpi", unary<mpfr_sinpi>},
      {"sqrt", unary<mpfr_sqrt>},
      {"tan", unary<mpfr_tan>},
      {"tanh", unary<mpfr_tanh>},
      {"tanpi", unary<mpfr_tanpi>},
      {"tgamma", unary<mpfr_gamma>},
      {"trunc", rounding<mpfr_trunc>},
  };
  return all;
}

Compute compute_of(const Function& function) {
  std::string_view name = function.name;
  for (const std::string_view prefix : {"half_", "native_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  if (name.ends_with("_rounded")) name.remove_suffix(8);
  const auto found = computes().find(name);
  return found == computes().end() ? nullptr : found->second;
}

struct Number {
  mpfr_t value;
  Number() { mpfr_init2(value, 160); }
  ~Number() { mpfr_clear(value); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
};

// Which zero comes out of two that are equal is left open (C99 7.12.12.2, note).
bool either_zero(const Function& function) {
  const std::string& name = function.name;
  return name == "fmax" || name == "fmin" || name == "maxmag" || name == "minmag";
}

}  // namespace

bool has_reference(const Function& function) {
  return compute_of(function) != nullptr;
}

std::optional<Real> reference(const Function& function, Type type, const Arguments& arguments) {
  static Number r, x, y, z, rest;
  mpfr_set_d(x.value, arguments.x, nearest);
  mpfr_set_d(y.value, arguments.y, nearest);
  mpfr_set_d(z.value, arguments.z, nearest);
  const Call call{r.value, x.value, y.value, z.value, arguments, type};
  if (!compute_of(function)(call)) return std::nullopt;
  Real out;
  if (!mpfr_regular_p(r.value)) {
    out.high = mpfr_get_d(r.value, nearest);
    return out;
  }
  long exponent;
  out.high = mpfr_get_d_2exp(&exponent, r.value, nearest);
  out.exponent = exponent;
  mpfr_set_d(rest.value, out.high, nearest);
  mpfr_mul_2si(rest.value, rest.value, exponent, nearest);
  mpfr_sub(rest.value, r.value, rest.value, nearest);
  mpfr_mul_2si(rest.value, rest.value, -exponent, nearest);
  out.low = mpfr_get_d(rest.value, nearest);
  return out;
}

f64 error_of(const Function& function, const Real& expected, f64 result, Type type) {
  const Format& format = format_of(type);
  if (std::isnan(expected.high)) return std::isnan(result) ? 0 : infinity;
  if (std::isnan(result)) return infinity;
  if (std::isinf(expected.high)) return result == expected.high ? 0 : infinity;
  if (function.integer) {
    const f64 value = std::ldexp(expected.high, static_cast<i32>(expected.exponent));
    if (function.name == "remquo_quotient") {
      const bool fits = std::fmod(std::fabs(result), 128) == std::fabs(value) && result * value >= 0;
      return fits ? 0 : infinity;
    }
    // Both of the standard's values for FP_ILOGBNAN.
    if (function.name == "ilogb" && value == INT_MAX && result == INT_MIN) return 0;
    return value == result ? 0 : infinity;
  }
  if (expected.high == 0) {
    if (result != 0) return std::fabs(result) / std::ldexp(1.0, format.least - format.precision + 1);
    return std::signbit(result) == std::signbit(expected.high) || either_zero(function) ? 0 : infinity;
  }
  // ulp(x) of section 7.4: at a power of two, that below it.
  const bool power =
      std::fabs(expected.high) == 0.5 && (expected.low == 0 || expected.low * expected.high < 0);
  const i64 binade = expected.exponent - 1 - (power ? 1 : 0);
  const i64 unit = std::clamp<i64>(binade, format.least, format.most) - format.precision + 1;
  const i64 scale = std::clamp<i64>(expected.exponent - unit, -4000, 4000);
  const f64 high = std::ldexp(expected.high, static_cast<i32>(scale));
  const f64 low = std::ldexp(expected.low, static_cast<i32>(scale));
  if (std::isinf(result)) {
    if (std::signbit(result) != std::signbit(expected.high)) return infinity;
    const f64 beyond = std::ldexp(1.0, static_cast<i32>(format.most + 1 - unit));
    return std::max(0.0, beyond - std::fabs(high));
  }
  const i32 shift = static_cast<i32>(-unit);
  const f64 scaled = std::ldexp(result, shift);
  return std::fabs((scaled - high) - low);
}

bool subnormal(const Real& value, Type type) {
  return value.high != 0 && std::isfinite(value.high) && value.exponent - 1 < format_of(type).least;
}

std::string to_string(const Real& value) {
  if (!std::isfinite(value.high) || value.high == 0) return fmt::format("{}", value.high);
  return fmt::format("{:a} * 2^{}", value.high, value.exponent);
}

}  // namespace lockstep::ulp
