#include "corpus/compare.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

#include "corpus/npy.h"

namespace lockstep::corpus {
namespace {

u64 load(const u8* source, Scalar scalar) {
  u64 bits = 0;
  std::memcpy(&bits, source, bytes_of(scalar));
  return bits;
}

f64 real_value(Scalar scalar, u64 bits) {
  switch (scalar) {
    case Scalar::f16:
      return double_from_half(static_cast<u16>(bits));
    case Scalar::f32:
      return std::bit_cast<f32>(static_cast<u32>(bits));
    case Scalar::f64:
      return std::bit_cast<f64>(bits);
    default: {
      const u32 shift = 64 - bytes_of(scalar) * 8;
      const bool is_signed =
          scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::i32 || scalar == Scalar::i64;
      return is_signed ? static_cast<f64>(static_cast<i64>(bits << shift) >> shift) : static_cast<f64>(bits);
    }
  }
}

// The distance between two neighbouring values of the type at the expected value.
f64 ulp_at(Scalar scalar, f64 expected) {
  const int mantissa = scalar == Scalar::f16 ? 10 : scalar == Scalar::f32 ? 23 : 52;
  const int lowest = scalar == Scalar::f16 ? -14 : scalar == Scalar::f32 ? -126 : -1022;
  const int exponent = expected == 0.0 ? lowest : std::max(std::ilogb(expected), lowest);
  return std::ldexp(1.0, exponent - mantissa);
}

f64 largest_finite(Scalar scalar) {
  return scalar == Scalar::f16 ? 65504.0 : scalar == Scalar::f32 ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
}

struct Verdict {
  bool agrees = false;
  f64 error = 0.0;  // in ulps of the type (integers: in units); 0 when either is NaN
};

Verdict judge(const Comparison& c, Scalar scalar, u64 expected_bits, u64 actual_bits) {
  if (expected_bits == actual_bits) {
    return {true, 0.0};
  }
  const f64 expected = real_value(scalar, expected_bits);
  const f64 actual = real_value(scalar, actual_bits);
  if (!is_float(scalar)) {
    const f64 error = std::fabs(expected - actual);
    return {error != 0.0 && (error <= c.absolute || error <= c.relative * std::fabs(expected)), error};
  }
  if (std::isnan(expected) || std::isnan(actual)) {
    return {std::isnan(expected) && std::isnan(actual), 0.0};
  }
  const bool tolerant = c.ulps > 0.0 || c.absolute > 0.0 || c.relative > 0.0;
  if (c.flush && actual == 0.0 &&
      std::fabs(expected) < ulp_at(scalar, 0.0) * std::ldexp(1.0, scalar == Scalar::f16   ? 10
                                                                  : scalar == Scalar::f32 ? 23
                                                                                          : 52)) {
    return {true, 0.0};
  }
  if (!tolerant) {
    return {false, std::fabs(expected - actual) /
                       ulp_at(scalar, std::isinf(expected) ? largest_finite(scalar) : expected)};
  }
  if (std::isinf(expected) || std::isinf(actual)) {
    // An overflow on one side only: within tolerance when the finite one is within as many ulps of the
    // largest value.
    const f64 finite = std::isinf(expected) ? actual : expected;
    const f64 infinite = std::isinf(expected) ? expected : actual;
    if (std::isinf(finite)) {
      return {finite == infinite, 0.0};
    }
    const f64 error =
        (largest_finite(scalar) - std::fabs(finite)) / ulp_at(scalar, largest_finite(scalar)) + 1.0;
    return {std::signbit(finite) == std::signbit(infinite) && error <= c.ulps, error};
  }
  const f64 difference = std::fabs(expected - actual);
  const f64 error = difference / ulp_at(scalar, expected);
  return {error <= c.ulps || difference <= c.absolute || difference <= c.relative * std::fabs(expected),
          error};
}

std::string show(Scalar scalar, u64 bits) {
  const u32 digits = bytes_of(scalar) * 2;
  if (is_float(scalar)) {
    return fmt::format("{:.17g} (0x{:0{}x})", real_value(scalar, bits), bits, digits);
  }
  return fmt::format("{} (0x{:0{}x})", static_cast<i64>(bits << (64 - digits * 4)) >> (64 - digits * 4), bits,
                     digits);
}

}  // namespace

std::optional<Mismatch> compare(const Case& test, const Comparison& comparison,
                                const std::vector<u8>& expected, const std::vector<u8>& actual) {
  const Argument& argument = test.arguments[comparison.argument];
  const Scalar scalar = argument.type.scalar;
  if (expected.size() != actual.size() || expected.size() != argument.bytes()) {
    return Mismatch{
        1, 0, fmt::format("'{}' has {} bytes, expected {}", argument.name, actual.size(), expected.size())};
  }
  Mismatch result;
  f64 largest = 0.0;
  const u64 scalars = expected.size() / bytes_of(scalar);
  for (u64 i = 0; i < scalars; ++i) {
    if (argument.type.lanes == 3 && i % 4 == 3) {
      continue;  // the padding of a vector of 3 has no defined contents
    }
    const u64 wanted = load(&expected[i * bytes_of(scalar)], scalar);
    const u64 got = load(&actual[i * bytes_of(scalar)], scalar);
    const Verdict verdict = judge(comparison, scalar, wanted, got);
    if (verdict.agrees) {
      continue;
    }
    largest = std::max(largest, verdict.error);
    if (result.count == 0) {
      result.first = i;
    }
    if (result.count < 6) {
      result.text += fmt::format("  {}[{}]: {}, expected {}\n", argument.name, i, show(scalar, got),
                                 show(scalar, wanted));
    }
    ++result.count;
  }
  if (result.count == 0) {
    return std::nullopt;
  }
  result.text += fmt::format("  {} of {} values of '{}' disagree; largest error {} {}\n", result.count,
                             scalars, argument.name, largest, is_float(scalar) ? "ulp" : "");
  return result;
}

std::vector<u64> npy_shape(const Argument& argument) {
  if (argument.type.lanes == 1) return {argument.count};
  return {argument.count, argument.type.stored_lanes()};
}

Status write_npy(const std::string& path, const Argument& argument, const std::vector<u8>& contents) {
  const std::string header = npy_header(argument.type.scalar, npy_shape(argument));
  std::ofstream file(path, std::ios::binary);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
  file.close();
  if (!file) {
    return Diagnostic{"cannot-write", Place{path, 0, 0},
                      "cannot write the results of '" + argument.name + "'", ""};
  }
  return Success{};
}

Expected<std::vector<u8>> read_expected(const std::string& path, const Argument& argument) {
  Expected<NpyArray> array = read_npy(path);
  if (!array && array.error().code == "no-such-file") {
    return Diagnostic{"missing-file", Place{path, 0, 0},
                      "there is no expected result of '" + argument.name + "'",
                      "run opencl_witness --write first"};
  }
  if (!array) return array.error();
  if (array->scalar != argument.type.scalar || array->shape != npy_shape(argument)) {
    return Diagnostic{"wrong-shape", Place{path, 0, 0},
                      "the file's type or size is not that of '" + argument.name + "'", ""};
  }
  return std::move(array->data);
}

std::string expected_path(const std::string& directory, const Case& test, const Argument& argument) {
  return directory + "/" + test.name + "/" + argument.name + ".npy";
}

}  // namespace lockstep::corpus
