#include "isa/amd/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>

#include "float/half.h"
#include "isa/amd/addressing.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Splits at `separator` outside brackets and parentheses.
std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c != separator || (depth > 0 && i < text.size())) continue;
    const std::string_view part = trim(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

constexpr std::array<std::string_view, 27> keywords = {"glc",
                                                       "slc",
                                                       "dlc",
                                                       "lds",
                                                       "tfe",
                                                       "clamp",
                                                       "offen",
                                                       "idxen",
                                                       "addr64",
                                                       "unorm",
                                                       "da",
                                                       "r128",
                                                       "a16",
                                                       "d16",
                                                       "lwe",
                                                       "gds",
                                                       "nv",
                                                       "sc0",
                                                       "sc1",
                                                       "nt",
                                                       "scc",
                                                       "row_mirror",
                                                       "row_half_mirror",
                                                       "mul",
                                                       "div",
                                                       "done",
                                                       "vm"};

bool is_modifier(std::string_view token) {
  if (std::find(keywords.begin(), keywords.end(), token) != keywords.end()) return true;
  const std::size_t colon = token.find(':');
  return colon != std::string_view::npos && token.find('[') > colon;
}

struct NamedRegister {
  std::string_view name;
  u32 index;
  u8 registers;
};

constexpr NamedRegister named_registers[] = {
    {"vcc", 106, 2},
    {"vcc_lo", 106, 1},
    {"vcc_hi", 107, 1},
    {"exec", 126, 2},
    {"exec_lo", 126, 1},
    {"exec_hi", 127, 1},
    {"m0", 124, 1},
    {"flat_scratch", 102, 2},
    {"flat_scratch_lo", 102, 1},
    {"flat_scratch_hi", 103, 1},
    {"xnack_mask", 104, 2},
    {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
};

struct DerivedSource {
  std::string_view name;
  Derived what;
};

constexpr DerivedSource derived_sources[] = {{"src_vccz", Derived::vcc_is_zero},
                                             {"src_execz", Derived::exec_is_zero},
                                             {"src_scc", Derived::scc},
                                             {"src_lds_direct", Derived::local_word}};

// "5" of v5, or "0:3" of v[0:3].
bool parse_range(std::string_view text, u32& first, u8& count) {
  if (text.empty()) return false;
  u32 last;
  if (text.front() == '[') {
    const std::size_t colon = text.find(':');
    if (text.back() != ']') return false;
    const std::string_view low =
        text.substr(1, (colon == std::string_view::npos ? text.size() - 1 : colon) - 1);
    const auto a = parse_integer(low);
    const auto b =
        colon == std::string_view::npos ? a : parse_integer(text.substr(colon + 1, text.size() - colon - 2));
    if (!a || !b || *a < 0 || *b < *a || *b > 1023) return false;
    first = static_cast<u32>(*a);
    last = static_cast<u32>(*b);
  } else {
    const auto a = parse_integer(text);
    if (!a || *a < 0 || *a > 1023) return false;
    first = last = static_cast<u32>(*a);
  }
  count = static_cast<u8>(last - first + 1);
  return true;
}

std::optional<f64> parse_float(std::string_view text) {
  const std::string copy(text);
  f64 value = 0;
  const auto end = copy.data() + copy.size();
  const auto result = std::from_chars(copy.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

u64 widen_float(f64 value, Kind kind) {
  switch (kind) {
    case Kind::f64:
    case Kind::u64:
    case Kind::i64:
      return std::bit_cast<u64>(value);
    case Kind::f16:
    case Kind::u16:
    case Kind::i16:
    case Kind::packed16:
      return f64_to_f16(value);
    default:
      return std::bit_cast<u32>(static_cast<f32>(value));
  }
}

// Inline integers (-16 to 64) are sign-extended to any width; a 32-bit literal is the high half of an f64 and
// is zero-extended for unsigned 64-bit operands. Source: LLVM, "Syntax of AMDGPU Instruction Operands",
// Conversion.
u64 widen_integer(i64 value, Kind kind) {
  const bool is_inline = value >= -16 && value <= 64;
  const u32 word = static_cast<u32>(value);
  switch (kind) {
    case Kind::f64:
      return is_inline ? static_cast<u64>(value) : u64{word} << 32;
    case Kind::u64:
    case Kind::mask:
      return is_inline ? static_cast<u64>(value) : word;
    case Kind::i64:
      return is_inline ? static_cast<u64>(value) : static_cast<u64>(i64{static_cast<i32>(word)});
    case Kind::f16:
    case Kind::u16:
    case Kind::i16:
      return word & 0xFFFF;
    default:
      return word;
  }
}

}  // namespace

std::optional<std::string_view> Text::modifier(std::string_view name) const {
  for (const std::string_view m : modifiers) {
    if (m.size() > name.size() && m.starts_with(name) && m[name.size()] == ':')
      return m.substr(name.size() + 1);
  }
  return std::nullopt;
}

bool Text::has(std::string_view name) const {
  return std::find(modifiers.begin(), modifiers.end(), name) != modifiers.end();
}

Text split(std::string_view instruction) {
  Text text;
  instruction = trim(instruction);
  const std::size_t blank = instruction.find_first_of(" \t");
  text.mnemonic = instruction.substr(0, blank);
  for (const std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"}) {
    if (text.mnemonic.ends_with(suffix)) {
      text.suffix = suffix;
      text.mnemonic.remove_suffix(suffix.size());
      break;
    }
  }
  if (blank == std::string_view::npos) return text;
  for (const std::string_view piece : split_outside(instruction.substr(blank), ',')) {
    for (const std::string_view token : split_outside(piece, ' ')) {
      // "a16" asks for 16-bit addresses of an image; elsewhere it is an accumulation register.
      const bool modifier = is_modifier(token) && (token != "a16" || text.mnemonic.starts_with("image_"));
      (modifier ? text.modifiers : text.operands).push_back(token);
    }
  }
  return text;
}

std::string_view unknown_modifier(const Text& text) {
  constexpr std::string_view known[] = {
      "offset",    "offset0",   "offset1",    "dmask",        "dim",         "format",       "dfmt",
      "nfmt",      "th",        "scope",      "quad_perm",    "row_shl",     "row_shr",      "row_ror",
      "row_bcast", "row_share", "row_xmask",  "wave_shl",     "wave_shr",    "wave_rol",     "wave_ror",
      "row_mask",  "bank_mask", "bound_ctrl", "fi",           "dpp8",        "row_newbcast", "src0_sel",
      "src1_sel",  "dst_sel",   "dst_unused", "op_sel",       "op_sel_hi",   "neg_lo",       "neg_hi",
      "neg",       "mul",       "div",        "cbsz",         "abid",        "blgp",         "index_key",
      "byte_sel",  "wait_vdst", "wait_exp",   "wait_va_vdst", "wait_vm_vsrc"};
  for (const std::string_view modifier : text.modifiers) {
    const std::size_t colon = modifier.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = modifier.substr(0, colon);
    if (std::find(std::begin(known), std::end(known), name) == std::end(known)) return modifier;
  }
  return {};
}

std::optional<i64> parse_integer(std::string_view text) {
  const bool minus = !text.empty() && text.front() == '-';
  if (minus) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  u64 value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size())
    return std::nullopt;
  return static_cast<i64>(minus ? 0 - value : value);
}

Operand parse_register(std::string_view text, u32 target_major) {
  Operand operand;
  for (const NamedRegister& named : named_registers) {
    if (text == named.name) {
      operand.kind = OperandKind::scalar;
      operand.index = named.index;
      operand.registers = named.registers;
      return operand;
    }
  }
  if (text == "null" && target_major >= 10) {
    operand.kind = OperandKind::scalar;
    operand.index = null_register;
    return operand;
  }
  u32 offset = 0;
  OperandKind kind = OperandKind::none;
  std::string_view digits = text;
  if (text.starts_with("ttmp")) {
    kind = OperandKind::scalar;
    offset = 108;
    digits.remove_prefix(4);
  } else if (!text.empty() && (text[0] == 'v' || text[0] == 'a' || text[0] == 's')) {
    kind = text[0] == 's' ? OperandKind::scalar : OperandKind::vector;
    offset = text[0] == 'a' ? accumulation_base : 0;
    digits.remove_prefix(1);
  }
  // A half of a register: v5.l, v5.h.
  if (kind == OperandKind::vector && (digits.ends_with(".l") || digits.ends_with(".h"))) {
    operand.part = digits.back() == 'h' ? Part::word1 : Part::word0;
    digits.remove_suffix(2);
  }
  u32 first = 0;
  if (kind == OperandKind::none || !parse_range(digits, first, operand.registers)) return Operand{};
  operand.kind = kind;
  operand.index = first + offset;
  return operand;
}

Operand as_result(Operand operand) {
  if (operand.kind == OperandKind::scalar && operand.index == null_register) operand.index = null_result;
  return operand;
}

std::optional<Operand> parse_source(std::string_view text, Kind kind, u32 literal, u32 target_major) {
  u8 modifiers = 0;
  if (text.starts_with("sext(") && text.ends_with(")")) {
    modifiers |= Operand::sign_extend;
    text = text.substr(5, text.size() - 6);
  }
  const bool minus_register = text.size() > 1 && text[0] == '-' && !(text[1] >= '0' && text[1] <= '9');
  if (minus_register) {
    modifiers |= Operand::negate;
    text.remove_prefix(1);
  }
  if (text.starts_with("neg(") && text.ends_with(")")) {
    modifiers |= Operand::negate;
    text = text.substr(4, text.size() - 5);
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    modifiers |= Operand::absolute;
    text = text.substr(1, text.size() - 2);
  }
  if (text.starts_with("abs(") && text.ends_with(")")) {
    modifiers |= Operand::absolute;
    text = text.substr(4, text.size() - 5);
  }
  Operand operand = parse_register(text, target_major);
  for (const DerivedSource& derived : derived_sources) {
    if (text != derived.name) continue;
    operand.kind = OperandKind::derived;
    operand.index = static_cast<u32>(derived.what);
    operand.registers = 0;
  }
  if (operand.kind == OperandKind::scalar && operand.index == null_register) {
    operand = {.kind = OperandKind::immediate, .registers = static_cast<u8>(registers_of(kind, 64))};
  } else if (operand.kind == OperandKind::none) {
    operand.kind = OperandKind::immediate;
    operand.registers = static_cast<u8>(registers_of(kind, 64));
    if (const auto integer = parse_integer(text)) {
      operand.value = widen_integer(*integer, kind);
    } else if (const auto number = parse_float(text)) {
      operand.value = widen_float(*number, kind);
    } else if (text == "src_shared_base") {
      operand.value = shared_aperture_base;
    } else if (text == "src_private_base") {
      operand.value = private_aperture_base;
    } else if (text == "src_shared_limit") {
      operand.value = shared_aperture_base + 0xFFFFFFFF;
    } else if (text == "src_private_limit") {
      operand.value = private_aperture_base + 0xFFFFFFFF;
    } else if (text.find('@') != std::string_view::npos || text.find("BB") != std::string_view::npos ||
               (!text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_' ||
                                  text[0] == '.' || text[0] == '('))) {
      if (text.find("src_") == 0 || text == "off") return std::nullopt;
      operand.value = kind == Kind::i64 ? static_cast<u64>(i64{static_cast<i32>(literal)}) : literal;
    } else {
      return std::nullopt;
    }
  }
  operand.modifiers = modifiers;
  return operand;
}

}  // namespace lockstep::amd
