#include "types.h"

#include <fmt/format.h>

namespace lockstep::generate {

std::string name(const Type& type) {
  std::string text(corpus::name_of(type.scalar));
  return type.lanes == 1 ? text : text + std::to_string(type.lanes);
}

bool is_integer(const Type& type) {
  return !corpus::is_float(type.scalar);
}

bool is_signed(Scalar scalar) {
  return scalar == Scalar::i8 || scalar == Scalar::i16 || scalar == Scalar::i32 || scalar == Scalar::i64;
}

u32 bits(const Type& type) {
  return corpus::bytes_of(type.scalar) * 8;
}

Scalar integer_of(u32 bits, bool with_sign) {
  switch (bits) {
    case 8:
      return with_sign ? Scalar::i8 : Scalar::u8;
    case 16:
      return with_sign ? Scalar::i16 : Scalar::u16;
    case 32:
      return with_sign ? Scalar::i32 : Scalar::u32;
    default:
      return with_sign ? Scalar::i64 : Scalar::u64;
  }
}

Scalar signed_of(Scalar scalar) {
  return integer_of(corpus::bytes_of(scalar) * 8, true);
}

Scalar unsigned_of(Scalar scalar) {
  return integer_of(corpus::bytes_of(scalar) * 8, false);
}

Type with(const Type& type, Scalar scalar) {
  return {scalar, type.lanes};
}

Type lanes_of(const Type& type, u32 lanes) {
  return {type.scalar, lanes};
}

bool is_promoted(const Type& type) {
  return type.lanes == 1 && is_integer(type) && bits(type) < 32;
}

namespace {

std::string number(Scalar scalar, u64 value) {
  switch (scalar) {
    case Scalar::u32:
      return fmt::format("{}u", static_cast<u32>(value));
    case Scalar::u64:
      return fmt::format("{}UL", value);
    case Scalar::i64:
      if (value == u64{1} << 63) return "(-9223372036854775807L - 1)";
      return static_cast<i64>(value) < 0 ? fmt::format("({}L)", static_cast<i64>(value))
                                         : fmt::format("{}L", value);
    default:
      break;
  }
  const i64 narrow = scalar == Scalar::i8    ? static_cast<i8>(value)
                     : scalar == Scalar::u8  ? static_cast<u8>(value)
                     : scalar == Scalar::i16 ? static_cast<i16>(value)
                     : scalar == Scalar::u16 ? static_cast<u16>(value)
                                             : static_cast<i32>(value);
  if (narrow == -2147483648LL) return "(-2147483647 - 1)";
  return narrow < 0 ? fmt::format("({})", narrow) : fmt::format("{}", narrow);
}

}  // namespace

std::string literal(const Type& type, u64 value) {
  if (!is_integer(type)) return real_literal(type, fmt::format("{}.0", static_cast<i64>(value)));
  const std::string text = number(type.scalar, value);
  if (type.lanes > 1 || is_promoted(type)) return fmt::format("({})({})", name(type), text);
  return text;
}

std::string real_literal(const Type& type, const std::string& digits) {
  const std::string text = type.scalar == Scalar::f32 ? digits + "f" : digits;
  if (type.lanes > 1) return fmt::format("({})({})", name(type), text);
  return text[0] == '-' ? "(" + text + ")" : text;
}

Expression zero(const Type& type) {
  return {type, literal(type, 0), {}};
}

Expression one(const Type& type) {
  return {type, literal(type, 1), {}};
}

std::string lane_name(u32 lane) {
  return fmt::format("s{:x}", lane);
}

}  // namespace lockstep::generate
