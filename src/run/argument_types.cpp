#include "run/argument_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "corpus/case_reader.h"
#include "corpus/scalar_names.h"

namespace lockstep {
namespace {

using corpus::ElementType;
using corpus::Scalar;

struct Alias {
  std::string_view name;
  Scalar scalar;
};

// Names beside OpenCL C's own. Every target has 64-bit pointers, and Linux's long.
constexpr std::array<Alias, 51> aliases = {{{"bool", Scalar::u8},
                                            {"_Bool", Scalar::u8},
                                            {"signed char", Scalar::i8},
                                            {"unsigned char", Scalar::u8},
                                            {"short int", Scalar::i16},
                                            {"unsigned short", Scalar::u16},
                                            {"unsigned short int", Scalar::u16},
                                            {"signed", Scalar::i32},
                                            {"signed int", Scalar::i32},
                                            {"unsigned", Scalar::u32},
                                            {"unsigned int", Scalar::u32},
                                            {"long int", Scalar::i64},
                                            {"long long", Scalar::i64},
                                            {"long long int", Scalar::i64},
                                            {"longlong", Scalar::i64},
                                            {"unsigned long", Scalar::u64},
                                            {"unsigned long int", Scalar::u64},
                                            {"unsigned long long", Scalar::u64},
                                            {"ulonglong", Scalar::u64},
                                            {"int8_t", Scalar::i8},
                                            {"uint8_t", Scalar::u8},
                                            {"int16_t", Scalar::i16},
                                            {"uint16_t", Scalar::u16},
                                            {"int32_t", Scalar::i32},
                                            {"uint32_t", Scalar::u32},
                                            {"int64_t", Scalar::i64},
                                            {"uint64_t", Scalar::u64},
                                            {"size_t", Scalar::u64},
                                            {"ptrdiff_t", Scalar::i64},
                                            {"intptr_t", Scalar::i64},
                                            {"uintptr_t", Scalar::u64},
                                            {"_Float16", Scalar::f16},
                                            {"__half", Scalar::f16},
                                            {"float16_t", Scalar::f16},
                                            {"float32_t", Scalar::f32},
                                            {"float64_t", Scalar::f64},
                                            {"s8", Scalar::i8},
                                            {"s16", Scalar::i16},
                                            {"s32", Scalar::i32},
                                            {"s64", Scalar::i64},
                                            {"i8", Scalar::i8},
                                            {"i16", Scalar::i16},
                                            {"i32", Scalar::i32},
                                            {"i64", Scalar::i64},
                                            {"u8", Scalar::u8},
                                            {"u16", Scalar::u16},
                                            {"u32", Scalar::u32},
                                            {"u64", Scalar::u64},
                                            {"f16", Scalar::f16},
                                            {"f32", Scalar::f32},
                                            {"f64", Scalar::f64}}};

std::optional<Scalar> find_scalar(std::string_view name) {
  for (const corpus::ScalarName& entry : corpus::scalar_names) {
    if (entry.name == name) return entry.scalar;
  }
  for (const Alias& alias : aliases) {
    if (alias.name == name) return alias.scalar;
  }
  return std::nullopt;
}

// The words of a type's name without qualifiers, one blank between them.
std::string plain_name(std::string_view name) {
  constexpr std::array<std::string_view, 12> qualifiers = {
      "const",     "volatile",   "restrict", "__restrict", "__restrict__", "__global",
      "__private", "__constant", "__local",  "global",     "constant",     "local"};
  std::string plain;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(" \t"), name.size());
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    if (word.empty() || std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end()) continue;
    plain += (plain.empty() ? "" : " ") + std::string(word);
  }
  return plain;
}

constexpr bool is_lanes(std::string_view digits) {
  return digits == "1" || digits == "2" || digits == "3" || digits == "4" || digits == "8" || digits == "16";
}

bool is_signed(Scalar scalar) {
  return scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::i32 || scalar == Scalar::i64;
}

Diagnostic bad_number(std::string message) {
  return {"bad-argument", {}, std::move(message), ""};
}

Expected<u64> bits_of_real(Scalar scalar, f64 real, const std::string& text) {
  const auto too_large = [&] {
    return bad_number(fmt::format("{} does not fit a {}", text, corpus::name_of(scalar)));
  };
  if (scalar == Scalar::f64) return std::bit_cast<u64>(real);
  if (scalar == Scalar::f32) {
    const f32 single = static_cast<f32>(real);
    if (std::isinf(single) && !std::isinf(real)) return too_large();
    return u64{std::bit_cast<u32>(single)};
  }
  const u16 half = corpus::half_from_double(real);
  if ((half & 0x7FFF) == 0x7C00 && !std::isinf(real)) return too_large();
  return u64{half};
}

}  // namespace

std::optional<ElementType> find_type(std::string_view name) {
  std::string plain = plain_name(name);
  if (plain.starts_with('.')) plain.erase(0, 1);
  if (const auto scalar = find_scalar(plain)) return ElementType{*scalar, 1};
  // HIP's vectors are templates.
  constexpr std::string_view hip = "HIP_vector_type<";
  if (plain.starts_with(hip) && plain.ends_with("u>")) {
    const std::size_t comma = plain.rfind(',');
    if (comma == std::string::npos) return std::nullopt;
    const auto scalar = find_scalar(plain.substr(hip.size(), comma - hip.size()));
    const std::string lanes = plain_name(plain.substr(comma + 1, plain.size() - comma - 3));
    if (!scalar || !is_lanes(lanes)) return std::nullopt;
    return ElementType{*scalar, static_cast<u32>(std::stoul(lanes))};
  }
  const std::size_t digits = plain.find_last_not_of("0123456789") + 1;
  const auto scalar = find_scalar(plain.substr(0, digits));
  if (!scalar || !is_lanes(plain.substr(digits)) || plain.find_first_of(" _") != std::string::npos)
    return std::nullopt;
  return ElementType{*scalar, static_cast<u32>(std::stoul(plain.substr(digits)))};
}

std::string type_text(const ElementType& type) {
  return type.lanes == 1 ? std::string(corpus::name_of(type.scalar))
                         : fmt::format("{}{}", corpus::name_of(type.scalar), type.lanes);
}

std::optional<ElementType> pointee_type(const Parameter& parameter) {
  const std::size_t star = parameter.type_name.find('*');
  if (star == std::string::npos) return std::nullopt;
  return find_type(parameter.type_name.substr(0, star));
}

bool same_but_for_sign(const ElementType& a, const ElementType& b) {
  return a.lanes == b.lanes && corpus::is_float(a.scalar) == corpus::is_float(b.scalar) &&
         corpus::bytes_of(a.scalar) == corpus::bytes_of(b.scalar);
}

Expected<u64> bits_of_number(Scalar scalar, const std::string& text) {
  const bool boolean = text == "true" || text == "false";
  const std::optional<corpus::Number> parsed = corpus::parse_number(text == "true"    ? "1"
                                                                    : text == "false" ? "0"
                                                                                      : text);
  if (!parsed) return bad_number(fmt::format("'{}' is not a number", text));
  if (corpus::is_float(scalar)) {
    if (boolean) return bad_number(fmt::format("'{}' is not a number", text));
    return bits_of_real(scalar, parsed->real, text);
  }
  corpus::Number number = *parsed;
  const auto does_not_fit = [&] {
    return bad_number(fmt::format(
        "{} does not fit {} {}", text,
        std::string_view("aeiou").find(corpus::name_of(scalar)[0]) != std::string_view::npos ? "an" : "a",
        corpus::name_of(scalar)));
  };
  if (!number.is_integer) {
    if (std::isnan(number.real) || number.real != std::trunc(number.real))
      return bad_number(fmt::format("'{}' is no integer", text));
    // 2^64 and -2^63 are doubles; what lies between is exact below 2^53 and as written beyond.
    if (number.real >= 0x1p64 || number.real < -0x1p63) return does_not_fit();
    number.integer =
        number.real < 0 ? static_cast<i64>(number.real) : static_cast<i64>(static_cast<u64>(number.real));
  }
  const u32 bits = corpus::bytes_of(scalar) * 8;
  const u64 value = static_cast<u64>(number.integer);
  const bool negative = number.real < 0;
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const u64 largest = is_signed(scalar) && !hexadecimal ? (u64{1} << (bits - 1)) - 1 : ~u64{0} >> (64 - bits);
  const bool fits =
      negative ? is_signed(scalar) && number.integer >= -(i64{1} << (bits - 2)) * 2 : value <= largest;
  if (!fits) return does_not_fit();
  return value & (~u64{0} >> (64 - bits));
}

}  // namespace lockstep
