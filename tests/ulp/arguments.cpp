#include "ulp/arguments.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <limits>

namespace lockstep::ulp {
namespace {

constexpr f64 infinity = std::numeric_limits<f64>::infinity();
constexpr f64 half_pi = 0x1.921fb54442d18p0;

// splitmix64, as the corpus fills its buffers.
struct Draws {
  u64 state;
  u64 next() {
    state += 0x9E3779B97F4A7C15;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  f64 unit() { return static_cast<f64>(next() >> 11) * 0x1p-53; }
  f64 between(f64 least, f64 most) { return least + unit() * (most - least); }
};

f64 step_of(f64 x, const Format& format) {
  const i32 exponent = x == 0 ? format.least : std::max(std::ilogb(x), format.least);
  return std::ldexp(1.0, exponent - format.precision + 1);
}

void with_neighbours(std::vector<f64>& out, f64 x, const Format& format) {
  x = rounded(x, format.type);
  const f64 step = std::isfinite(x) ? step_of(x, format) : 0;
  for (const f64 value : {x, x + step, x - step}) {
    out.push_back(rounded(value, format.type));
    out.push_back(-out.back());
  }
}

// The few that pairs and triples are made of.
std::vector<f64> corners(const Format& format) {
  const f64 least = std::ldexp(1.0, format.least), smallest = std::ldexp(least, 1 - format.precision);
  const f64 largest = std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.most);
  const f64 step = std::ldexp(1.0, 1 - format.precision);
  std::vector<f64> out;
  for (const f64 value : {0.0, smallest, least - smallest, least, 0.5, 1 - step / 2, 1.0, 1 + step, 1.5, 2.0,
                          2.5, 3.0, 7.0, 1000.75, largest / 2, largest, infinity}) {
    out.push_back(rounded(value, format.type));
    out.push_back(-out.back());
  }
  out.push_back(std::numeric_limits<f64>::quiet_NaN());
  return out;
}

// Where functions of one argument change their course.
std::vector<f64> edges(const Format& format) {
  std::vector<f64> out = corners(format);
  const f64 ln2 = 0.69314718055994530942, log10_2 = 0.30102999566398119521;
  for (i32 k = 1; k <= 16; ++k) with_neighbours(out, k * half_pi, format);
  for (i32 k = 5; k <= format.most; k += format.most / 15)
    with_neighbours(out, std::ldexp(half_pi, k), format);
  for (i32 k = format.least - format.precision; k <= format.most; k += std::max(1, format.most / 24))
    with_neighbours(out, std::ldexp(1.0, k), format);
  // Exponentials leave the type's range there, and its normal range.
  for (const i32 exponent : {format.most + 1, format.least, format.least - format.precision + 1,
                             format.least - format.precision}) {
    for (const f64 scale : {1.0, ln2, log10_2}) with_neighbours(out, exponent * scale, format);
    with_neighbours(out, std::ldexp(1.0, std::clamp(exponent / 2, format.least, format.most)), format);
  }
  for (i32 k = 0; k <= 40; ++k) {
    with_neighbours(out, k, format);
    with_neighbours(out, k + 0.5, format);
    with_neighbours(out, k / 16.0, format);
  }
  // Gamma overflows there; halves of large numbers are no longer representable; even and odd part there.
  for (const f64 at :
       {35.0401, 171.6243, 8.7, std::ldexp(1.0, format.precision - 1), std::ldexp(1.0, format.precision),
        std::ldexp(3.0, format.precision - 2), 65536.0, 1e5, 12345.678, 0.7071067811865476, 1e-3, 1e-5})
    with_neighbours(out, at, format);
  std::sort(out.begin(), out.end(), [](f64 a, f64 b) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    return a != b ? a < b : std::signbit(a) > std::signbit(b);
  });
  out.erase(std::unique(out.begin(), out.end(),
                        [](f64 a, f64 b) { return a == b && std::signbit(a) == std::signbit(b); }),
            out.end());
  return out;
}

f64 random_value(Draws& draws, const Format& format, u32 number) {
  constexpr f64 ranges[] = {1, 4, 32, 1000, 65536};
  f64 value;
  if (number % 2 == 0) {
    const i32 exponent = static_cast<i32>(draws.between(format.least - format.precision, format.most + 1));
    value = std::ldexp(draws.between(1, 2), exponent);
    if (draws.next() % 2 != 0) value = -value;
  } else {
    const f64 range = ranges[number / 2 % std::size(ranges)];
    value = draws.between(-range, range);
  }
  value = rounded(value, format.type);
  return std::isfinite(value) ? value : 1;
}

constexpr i32 whole_numbers[] = {0,   1,    -1,   2,     -2,    3,      -3,      4,      5,   -5,
                                 7,   -8,   10,   16,    31,    32,     63,      -64,    127, -126,
                                 149, -149, 1023, -1074, 65535, -65536, INT_MAX, INT_MIN};

bool is_power(const Function& function) {
  return function.name.find("pow") != std::string::npos;
}

}  // namespace

std::vector<Arguments> arguments_for(const Function& function, Type type, u32 random, bool every_half) {
  const Format& format = format_of(type);
  std::vector<Arguments> out;
  u64 seed = 1 + static_cast<u64>(type);
  for (const char c : function.name) seed = seed * 131 + static_cast<u8>(c);
  Draws draws{seed};
  const std::vector<f64> few = corners(format);
  if (function.arguments == "x") {
    if (type == Type::f16 && every_half) {
      for (u32 bits = 0; bits < 0x10000; ++bits) {
        const u8 bytes[2] = {static_cast<u8>(bits), static_cast<u8>(bits >> 8)};
        out.push_back({load(type, bytes), 0, 0, 0});
      }
      return out;
    }
    for (const f64 x : edges(format)) out.push_back({x, 0, 0, 0});
    for (u32 i = 0; i < random; ++i) out.push_back({random_value(draws, format, i), 0, 0, 0});
  } else if (function.arguments == "xy") {
    for (const f64 x : few)
      for (const f64 y : few) out.push_back({x, y, 0, 0});
    for (u32 i = 0; i < random; ++i) {
      Arguments a{random_value(draws, format, i), random_value(draws, format, i), 0, 0};
      if (is_power(function) && i % 4 != 0) {
        // Within the type's range.
        a.x = rounded(std::exp2(draws.between(-6, 6)), type);
        a.y = rounded(draws.between(-1, 1) * (format.most + 20) / std::max(0.01, std::fabs(std::log2(a.x))),
                      type);
        if (i % 8 == 1) a = {-a.x, std::nearbyint(a.y), 0, 0};
      } else if (i % 4 == 1) {
        a.y = rounded(a.x * draws.between(0.5, 2), type);  // about the same size
      }
      out.push_back(a);
    }
  } else if (function.arguments == "xyz") {
    for (std::size_t i = 0; i < few.size(); i += 2)
      for (std::size_t j = 1; j < few.size(); j += 3)
        for (std::size_t k = 0; k < few.size(); k += 3) out.push_back({few[i], few[j], few[k], 0});
    for (u32 i = 0; i < random; ++i) {
      Arguments a{random_value(draws, format, i), random_value(draws, format, i),
                  random_value(draws, format, i), 0};
      if (i % 4 == 1) a.z = rounded(-a.x * a.y * draws.between(0.5, 2), type);  // cancels
      out.push_back(a);
    }
  } else {
    for (const f64 x : few)
      for (const i32 n : whole_numbers) out.push_back({x, 0, 0, n});
    for (u32 i = 0; i < random; ++i) {
      Arguments a{random_value(draws, format, i), 0, 0, static_cast<i32>(draws.next() % 41) - 20};
      if (i % 4 == 1) a.x = rounded(draws.between(0.9, 1.1), type), a.n *= 30;
      out.push_back(a);
    }
  }
  return out;
}

}  // namespace lockstep::ulp
