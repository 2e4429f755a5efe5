// The operators and builtin functions, as rows of text. In a form's text, %T is the type's name, %U and %S
// the unsigned and signed type of its width, %C a cast back to the type where C's promotions made an int of
// it, %W a mask of the type's bits less one, %M the type's largest value as a signed one, %{N} the number N
// in the type, %K a divisor that is neither 0 nor -1, %{lo} and %{hi} two numbers in order. Operands: T the
// same type, U and S unsigned and signed, W any type of the same lanes and width, i an int.
#include <fmt/format.h>

#include <charconv>

#include "generator.h"
#include "types.h"

namespace lockstep::generate {
namespace {

enum When : u32 {
  any = 0,
  only_signed = 1,
  only_unsigned = 2,
  only_scalar = 4,
  only_vector = 8,
  only_32 = 16,       // int and uint
  not_promoted = 32,  // not a short or char scalar
  few_lanes = 64,     // becomes long code
  only_promoted = 128,
  only_int = 256,  // the scalar int
  from_16 = 512,   // twice as wide as another type
  widens = 1024,   // an int or wider
};

struct Form {
  u32 weight, when;
  std::string_view text, operands;
};

constexpr Form integer_forms[] = {
    {4, any, "%C($0 & $1)", "TT"},
    {4, any, "%C($0 | $1)", "TT"},
    {4, any, "%C($0 ^ $1)", "TT"},
    {3, any, "%C(~$0)", "T"},
    {6, only_unsigned, "%C($0 + $1)", "TT"},
    {6, only_unsigned, "%C($0 - $1)", "TT"},
    {6, only_unsigned | not_promoted, "($0 * $1)", "TT"},
    {6, only_unsigned | only_promoted, "(%T)((uint)$0 * (uint)$1)", "TT"},
    {3, only_unsigned | not_promoted, "($0 * $1 + $2)", "TTT"},
    {3, only_unsigned | not_promoted, "($0 * %K - $1)", "TT"},
    {6, only_signed, "as_%T($0)", "U"},
    {6, only_signed | not_promoted, "as_%T(as_%U($0) + as_%U($1))", "TT"},
    {4, only_signed | not_promoted, "as_%T(as_%U($0) * as_%U($1))", "TT"},
    {4, only_signed, "%C(($0 >> %{2}) + ($1 >> %{2}))", "TT"},
    {4, only_signed, "%C(($0 >> %{1}) - ($1 >> %{1}))", "TT"},
    {4, only_signed | only_32, "(($0 >> 17) * ($1 >> 17))", "TT"},
    {2, only_signed | only_32, "(($0 >> 18) * ($1 >> 18) + ($2 >> 3))", "TTT"},
    {3, only_signed, "%C(-($0 >> %{1}))", "T"},
    {5, only_unsigned, "%C($0 << ($1 & %W))", "TT"},
    {4, any, "%C($0 >> ($1 & %W))", "TT"},
    {3, only_unsigned | only_32, "(($0 >> 5) | ($0 << 27))", "T"},
    {3, only_unsigned | only_32, "(($0 >> ($1 & 15)) & 0x3ffu)", "TT"},
    {3, only_signed | only_int, "(($0 & 0xfffff) << 8 >> 15)", "T"},
    {3, only_unsigned | few_lanes, "%C($0 / %C($1 | %{1}))", "TT"},
    {3, only_unsigned | few_lanes, "%C($0 % %C($1 | %{1}))", "TT"},
    {2, only_signed | few_lanes, "%C($0 / %C(($1 & %M) | %{1}))", "TT"},
    {2, only_signed | few_lanes, "%C($0 % %C(($1 & %M) | %{1}))", "TT"},
    {2, only_signed | few_lanes, "%C(($0 >> %{1}) / %C($1 | %{1}))", "TT"},
    {2, only_signed | few_lanes, "%C(($0 >> %{1}) % %C($1 | %{1}))", "TT"},
    {2, few_lanes, "%C($0 / %K)", "T"},
    {2, few_lanes, "%C($0 % %K)", "T"},
    {3, any, "max($0, $1)", "TT"},
    {3, any, "min($0, $1)", "TT"},
    {2, any, "max(min($0, $1), $2)", "TTT"},
    {2, any, "clamp($0, %{lo}, %{hi})", "T"},
    {3, any, "add_sat($0%Z, $1%Z)", "TT"},
    {3, any, "sub_sat($0%Z, $1%Z)", "TT"},
    {2, any, "hadd($0, $1)", "TT"},
    {2, any, "rhadd($0, $1)", "TT"},
    {3, any, "mul_hi($0, $1)", "TT"},
    {2, few_lanes, "mad_sat($0, $1, $2)", "TTT"},
    {2, only_unsigned, "mad_hi($0, $1, $2)", "TTT"},
    {3, any, "rotate($0, $1)", "TT"},
    {3, any, "clz($0)", "T"},
    {3, any, "popcount($0)", "T"},
    {2, only_unsigned, "abs($0)", "S"},
    {2, only_unsigned, "abs_diff($0, $1)", "TT"},
    {2, only_unsigned, "abs_diff($0, $1)", "SS"},
    {4, any, "bitselect($0, $1, $2)", "TTT"},
    {3, any, "select($0, $1, $2)", "TTS"},
    {2, any, "select($0, $1, $2)", "TTU"},
    {3, only_unsigned | only_32, "mul24($0 & %{16777215}, $1 & %{16777215})", "TT"},
    {3, only_unsigned | only_32, "mad24($0 & %{16777215}, $1 & %{16777215}, $2)", "TTT"},
    {3, only_signed | only_32, "mul24($0 >> %{17}, $1 >> %{17})", "TT"},
    {2, only_signed | only_32, "mad24($0 >> %{17}, $1 >> %{17}, $2 >> %{2})", "TTT"},
    {4, from_16, "upsample($0, $1)", "hl"},
    {6, only_signed | only_vector, "($0 %R $1)", "WW"},
    {3, only_vector, "(($0 %R $1) ? $2 : $3)", "WWTT"},
    {6, only_int, "($0 %R $1)", "WW"},
    {3, only_int, "any($0)", "v"},
    {3, only_int, "all($0)", "v"},
    {3, only_int, "($0 && $1)", "cc"},
    {3, only_int, "(!$0 || $1)", "cc"},
    {6, only_scalar, "%C($0 ? $1 : $2)", "cTT"},
};

constexpr Form float_forms[] = {
    {8, any, "($0 + $1)", "TT"},
    {8, any, "($0 - $1)", "TT"},
    {8, any, "($0 * $1)", "TT"},
    {4, any, "($0 * $1 + $2)", "TTT"},
    {8, any, "fma($0, $1, $2)", "TTT"},
    {4, any, "fma(-$0, $1, $2)", "TTT"},
    {4, any, "fabs($0)", "T"},
    {4, any, "(-$0)", "T"},
    {4, any, "($0 - fabs($1))", "TT"},
    // Of zeros with different signs fmin and fmax may give either; adding +0 makes them one.
    {4, any, "(fmin($0, $1) + %{0})", "TT"},
    {4, any, "(fmax($0, $1) + %{0})", "TT"},
    {3, any, "(fmin(fmax($0, %{-10}), %{100}) + %{0})", "T"},
    {2, any, "floor($0)", "T"},
    {2, any, "ceil($0)", "T"},
    {2, any, "trunc($0)", "T"},
    // PoCL's rint of a constant beyond int's range is no value at all, and ends its compiler.
    {2, any, "rint(fmin(fmax($0, %{-9000000}), %{9000000}))", "T"},
    {2, any, "round($0)", "T"},
    {3, any, "select($0, $1, $2)", "TTs"},
    {3, any, "select($0, $1, $2)", "TTu"},
    {4, only_scalar, "($0 ? $1 : $2)", "cTT"},
    {4, only_vector, "(($0 %R $1) ? $2 : $3)", "WWTT"},
};

constexpr Form double_forms[] = {
    {3, few_lanes, "($0 / $1)", "TT"},
    {2, few_lanes, "sqrt($0)", "T"},
};

bool fits(const Form& form, const Type& type) {
  const bool is_int_type = is_integer(type);
  const u32 width = bits(type);
  const auto asks = [&](u32 what) { return (form.when & what) != 0; };
  if (asks(only_signed) && !is_signed(type.scalar)) return false;
  if (asks(only_unsigned) && (!is_int_type || is_signed(type.scalar))) return false;
  if (asks(only_scalar) && type.lanes != 1) return false;
  if (asks(only_vector) && type.lanes == 1) return false;
  if (asks(only_32) && width != 32) return false;
  if (asks(not_promoted) && is_promoted(type)) return false;
  if (asks(only_promoted) && !is_promoted(type)) return false;
  if (asks(only_int) && !(type == Type{Scalar::i32, 1})) return false;
  if (asks(from_16) && width < 16) return false;
  if (asks(few_lanes) && type.lanes * width > (width == 64 ? 128u : 256u)) return false;
  return true;
}

// The text with everything but its holes filled in.
std::string expand(Random& random, const Type& type, std::string_view text) {
  static constexpr std::string_view compares[] = {"<", ">", "<=", ">=", "==", "!="};
  static constexpr u64 divisors[] = {2, 3, 5, 7, 8, 10, 11, 16, 25, 60, 100, 127};
  static constexpr u64 signed_divisors[] = {2, 3, 5, 7, 8, 10, 16, 100, ~1ull, ~2ull, ~6ull, ~99ull, 127};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || text[i + 1] == ' ') {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'T':
        out += name(type);
        break;
      case 'U':
        out += name(with(type, unsigned_of(type.scalar)));
        break;
      case 'S':
        out += name(with(type, signed_of(type.scalar)));
        break;
      case 'C':
        if (is_promoted(type)) out += "(" + name(type) + ")";
        break;
      case 'W':
        out += literal(type, bits(type) - 1);
        break;
      case 'M':
        out += literal(type, (u64{1} << (bits(type) - 1)) - 1);
        break;
      case 'Z':
        // LLVM 19 forgets to saturate for gfx8 where an operand of 32 bits is a constant
        // (limits/lost_clamp.cl).
        if (type.scalar == Scalar::u32) out += " ^ (uint)get_global_offset(1)";
        break;
      case 'R':
        out += random.of(compares);
        break;
      case 'K':
        out += literal(type, is_signed(type.scalar) ? random.of(signed_divisors) : random.of(divisors));
        break;
      default: {
        const std::size_t end = text.find('}', i);
        const std::string_view what = text.substr(i + 1, end - i - 1);
        i64 value = 0;
        if (what == "lo") {
          value = is_signed(type.scalar) ? -static_cast<i64>(random.below(100)) : random.below(10);
        } else if (what == "hi") {
          value = 10 + random.below(100);
        } else {
          std::from_chars(what.data(), what.data() + what.size(), value);
        }
        out += literal(type, static_cast<u64>(value));
        i = end;
      }
    }
  }
  return out;
}

template <class... Tables>
const Form* choose(Random& random, const Type& type, const Tables&... tables) {
  u32 total = 0;
  const auto add = [&](const auto& table) {
    for (const Form& form : table) total += fits(form, type) ? form.weight : 0;
  };
  (add(tables), ...);
  i64 left = random.below(total);
  const Form* chosen = nullptr;
  const auto seek = [&](const auto& table) {
    for (const Form& form : table) {
      if (chosen != nullptr || !fits(form, type)) continue;
      left -= form.weight;
      if (left < 0) chosen = &form;
    }
  };
  (seek(tables), ...);
  return chosen;
}

}  // namespace

Expression Generator::fill(const Type& type, std::string_view text, std::string_view operands, u32 depth,
                           bool uniform) {
  Expression out{type, expand(random, type, text), {}};
  const u32 width = bits(type);
  Type same_width = type;
  if (operands.find('W') != operands.npos) {
    const u32 what = random.below(3);
    same_width.scalar = what == 0               ? signed_of(type.scalar)
                        : what == 1 || integers ? unsigned_of(type.scalar)
                        : width == 32           ? Scalar::f32
                        : width == 64           ? Scalar::f64
                                                : signed_of(type.scalar);
    // An int compares scalars of any type.
    if (type == Type{Scalar::i32, 1}) {
      do same_width = random_type();
      while (same_width.lanes != 1);
    }
  }
  for (const char operand : operands) {
    Type part = type;
    switch (operand) {
      case 'U':
        part.scalar = unsigned_of(type.scalar);
        break;
      case 'S':
        part.scalar = signed_of(type.scalar);
        break;
      case 'W':
        part = same_width;
        break;
      case 'h':
        part.scalar = integer_of(width / 2, is_signed(type.scalar));
        break;
      case 'l':
        part.scalar = integer_of(width / 2, false);
        break;
      case 's':
        part.scalar = integer_of(width, true);
        break;
      case 'u':
        part.scalar = integer_of(width, false);
        break;
      case 'v':
        do part = random_integer();
        while (part.lanes == 1);
        part.scalar = signed_of(part.scalar);
        break;
      default:
        break;
    }
    out.parts.push_back(operand == 'c' ? condition(depth - 1, uniform)
                                       : expression(part, depth - 1, uniform));
  }
  return out;
}

bool Generator::integer_form(const Type& type, u32 depth, bool uniform, Expression& out) {
  const Form* form = choose(random, type, integer_forms);
  out = fill(type, form->text, form->operands, depth, uniform);
  return true;
}

bool Generator::float_form(const Type& type, u32 depth, bool uniform, Expression& out) {
  const Form* form = type.scalar == Scalar::f64 ? choose(random, type, float_forms, double_forms)
                                                : choose(random, type, float_forms);
  out = fill(type, form->text, form->operands, depth, uniform);
  return true;
}

}  // namespace lockstep::generate
