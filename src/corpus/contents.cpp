// The contents of buffers before a launch: the generator that tests/corpus/README.md specifies.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "corpus/case.h"

namespace lockstep::corpus {
namespace {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
u64 draw(u64& state) {
  state += 0x9E3779B97F4A7C15ull;
  u64 z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

void store(u8* target, Scalar scalar, u64 bits) {
  std::memcpy(target, &bits, bytes_of(scalar));
}

u64 bits_from_double(Scalar scalar, f64 value) {
  switch (scalar) {
    case Scalar::f16:
      return half_from_double(value);
    case Scalar::f32:
      return std::bit_cast<u32>(static_cast<f32>(value));
    default:
      return std::bit_cast<u64>(value);
  }
}

u64 bits_from_number(Scalar scalar, const Number& number) {
  if (is_float(scalar)) {
    return bits_from_double(scalar, number.real);
  }
  return static_cast<u64>(number.is_integer ? number.integer : static_cast<i64>(number.real));
}

// The values at which arithmetic changes its behaviour, in the README's order.
std::vector<u64> special_values(Scalar scalar) {
  const u32 bits = bytes_of(scalar) * 8;
  const u64 all = bits == 64 ? ~0ull : (1ull << bits) - 1;
  const u64 top = 1ull << (bits - 1);
  if (!is_float(scalar)) {
    return {0,
            1,
            2,
            3,
            7,
            bits - 1,
            bits,
            all,
            all - 1,
            top,
            top + 1,
            top - 1,
            top >> 1,
            all >> (bits / 2),
            all & 0x5555555555555555ull,
            all & 0xAAAAAAAAAAAAAAAAull};
  }
  const u32 mantissa = scalar == Scalar::f16 ? 10 : scalar == Scalar::f32 ? 23 : 52;
  const u64 one_ulp = 1ull << mantissa;             // of the exponent field
  const u64 infinity = (all >> 1) - (one_ulp - 1);  // exponent all ones
  const u64 one = bits_from_double(scalar, 1.0);
  std::vector<u64> values = {0,
                             1,            // the smallest subnormal
                             one_ulp - 1,  // the largest subnormal
                             one_ulp,      // the smallest normal
                             one - 1,
                             one,
                             one + 1,
                             bits_from_double(scalar, 0.5),
                             bits_from_double(scalar, 1.5),
                             bits_from_double(scalar, 2.0),
                             bits_from_double(scalar, 2.5),
                             bits_from_double(scalar, 3.1415926535897932),
                             bits_from_double(scalar, 1000.75),
                             infinity - 1,  // the largest finite
                             infinity,
                             infinity | (one_ulp >> 1)};  // a quiet NaN
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i) {
    values.push_back(values[i] | top);
  }
  return values;
}

u64 random_element(const Initial& initial, Scalar scalar, u64& state) {
  const u64 bits = draw(state);
  if (is_float(scalar)) {
    const f64 minimum = initial.has_range ? initial.first.real : 0.0;
    const f64 maximum = initial.has_range ? initial.second.real : 1.0;
    const f64 unit = static_cast<f64>(bits >> 11) * 0x1p-53;
    return bits_from_double(scalar, minimum + unit * (maximum - minimum));
  }
  if (!initial.has_range) {
    return bits;
  }
  const u64 minimum = static_cast<u64>(initial.first.integer);
  const u64 span = static_cast<u64>(initial.second.integer) - minimum + 1;
  return span == 0 ? bits : minimum + bits % span;
}

constexpr u64 elements_at_once = u64{1} << 16;

bool generate(const Argument& argument, const std::function<bool(std::span<const u8>)>& take) {
  const Initial& initial = argument.initial;
  const Scalar scalar = argument.type.scalar;
  const u32 lanes = argument.type.lanes;
  const u32 stored = argument.type.stored_lanes();
  const std::vector<u64> specials =
      initial.fill == Fill::special ? special_values(scalar) : std::vector<u64>{};
  u64 state = initial.seed;
  u64 index = 0;
  std::vector<u8> bytes(std::min(argument.count, elements_at_once) * argument.type.bytes(), 0);
  for (u64 element = 0; element < argument.count; ++element) {
    const u64 place = element % elements_at_once;
    for (u32 lane = 0; lane < lanes; ++lane, ++index) {
      u64 bits = 0;
      switch (initial.fill) {
        case Fill::zero:
          break;
        case Fill::value:
          bits = bits_from_number(scalar, initial.first);
          break;
        case Fill::ramp:
          bits = is_float(scalar) ? bits_from_double(scalar, initial.first.real + static_cast<f64>(index) *
                                                                                      initial.second.real)
                                  : static_cast<u64>(initial.first.integer) +
                                        index * static_cast<u64>(initial.second.integer);
          break;
        case Fill::list:
          bits = bits_from_number(scalar, initial.list[index % initial.list.size()]);
          break;
        case Fill::random:
          bits = random_element(initial, scalar, state);
          break;
        case Fill::bits:
          bits = draw(state);
          break;
        case Fill::special: {
          const u64 choice = draw(state);
          const u64 value = draw(state);
          bits = (choice & 1) != 0 ? specials[(choice >> 1) % specials.size()] : value;
          break;
        }
      }
      store(&bytes[(place * stored + lane) * bytes_of(scalar)], scalar, bits);
    }
    const bool full = place + 1 == elements_at_once || element + 1 == argument.count;
    if (full && !take(std::span(bytes).first((place + 1) * argument.type.bytes()))) return false;
  }
  return true;
}

}  // namespace

u16 half_from_double(f64 value) {
  const u64 bits = std::bit_cast<u64>(value);
  const u16 sign = static_cast<u16>((bits >> 48) & 0x8000);
  const f64 magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return static_cast<u16>(sign | 0x7E00);
  }
  if (magnitude >= 65520.0) {
    return static_cast<u16>(sign | 0x7C00);
  }
  if (magnitude < 0x1p-14) {
    // Subnormal: counted in units of 2^-24; nearbyint rounds to nearest even, and 1024 becomes the smallest
    // normal.
    return static_cast<u16>(sign | static_cast<u16>(std::nearbyint(magnitude * 0x1p24)));
  }
  const int exponent = std::ilogb(magnitude);
  const u32 scaled = static_cast<u32>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<u16>(sign | (((exponent + 15) << 10) + static_cast<int>(scaled) - 1024));
}

f64 double_from_half(u16 bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const f64 sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return mantissa == 0 ? sign * std::numeric_limits<f64>::infinity()
                         : std::copysign(std::numeric_limits<f64>::quiet_NaN(), sign);
  }
  return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(mantissa + 1024, exponent - 25);
}

bool initial_contents(const Argument& argument, const std::function<bool(std::span<const u8>)>& take) {
  LOCKSTEP_ASSERT(argument.kind == ArgumentKind::buffer || argument.kind == ArgumentKind::image,
                  "only buffers and images have contents");
  return generate(argument, take);
}

std::vector<u8> initial_contents(const Argument& argument) {
  const bool has_memory = argument.kind == ArgumentKind::buffer || argument.kind == ArgumentKind::image;
  if (!has_memory) return {};
  if (argument.initial.fill == Fill::zero) return std::vector<u8>(argument.bytes(), 0);
  std::vector<u8> all;
  all.reserve(argument.bytes());
  generate(argument, [&](std::span<const u8> piece) {
    all.insert(all.end(), piece.begin(), piece.end());
    return true;
  });
  return all;
}

std::vector<std::vector<u8>> initial_contents(const Case& test) {
  std::vector<std::vector<u8>> result;
  for (const Argument& argument : test.arguments) result.push_back(initial_contents(argument));
  return result;
}

std::vector<u8> scalar_bytes(const Argument& argument) {
  std::vector<u8> bytes(argument.type.bytes(), 0);
  for (u32 lane = 0; lane < argument.type.lanes; ++lane) {
    store(&bytes[lane * bytes_of(argument.type.scalar)], argument.type.scalar,
          bits_from_number(argument.type.scalar, argument.scalars[lane]));
  }
  return bytes;
}

}  // namespace lockstep::corpus
