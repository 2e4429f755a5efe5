// Memory formats: which operand of the text is which. The convention is in format.h.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "isa/amd/decode.h"
#include "isa/amd/format.h"
#include "isa/amd/texel.h"
#include "isa/amd/text.h"

namespace lockstep::amd {
namespace {

struct Prefix {
  std::string_view text;
  Format format;
  Addressing addressing;
};

constexpr Prefix prefixes[] = {
    {"global_", Format::global, Addressing::global},       {"flat_", Format::flat, Addressing::flat},
    {"scratch_", Format::scratch, Addressing::scratch},    {"buffer_", Format::mubuf, Addressing::buffer},
    {"tbuffer_", Format::mtbuf, Addressing::typed_buffer}, {"ds_", Format::ds, Addressing::local},
    {"image_", Format::mimg, Addressing::image},           {"s_load_", Format::smem, Addressing::scalar},
    {"s_store_", Format::smem, Addressing::scalar},        {"s_buffer_", Format::smem, Addressing::scalar},
    {"s_scratch_", Format::smem, Addressing::scalar},      {"s_atomic_", Format::smem, Addressing::scalar},
    {"s_dcache_", Format::smem, Addressing::scalar},       {"s_memtime", Format::smem, Addressing::scalar},
    {"s_memrealtime", Format::smem, Addressing::scalar},   {"s_atc_", Format::smem, Addressing::scalar},
    {"s_gl1_", Format::smem, Addressing::scalar},          {"s_prefetch_", Format::smem, Addressing::scalar},
};

const Prefix* prefix_of(std::string_view mnemonic) {
  for (const Prefix& prefix : prefixes) {
    if (mnemonic.starts_with(prefix.text)) return &prefix;
  }
  return nullptr;
}

// Takes the text's operands one after the other.
struct Operands {
  const Text& text;
  u32 literal;
  u32 major;
  std::size_t next = 0;

  bool left() const { return next < text.operands.size(); }
  // A register or "off", which leaves the operand empty.
  bool take(Operand& into) {
    if (!left()) return false;
    const std::string_view piece = text.operands[next++];
    if (piece == "off" || (piece == "null" && major >= 10)) return true;
    into = parse_register(piece, major);
    return into.kind != OperandKind::none;
  }
  // A scalar register that a load or a time writes.
  bool take_scalar_result(Operand& into) {
    if (!left()) return false;
    into = as_result(parse_register(text.operands[next++], major));
    return into.kind == OperandKind::scalar;
  }
  // A register or a constant.
  bool take_source(Operand& into) {
    if (!left()) return false;
    const auto parsed = parse_source(text.operands[next++], Kind::u32, literal, major);
    if (parsed) into = *parsed;
    return parsed.has_value();
  }
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

i32 integer_modifier(const Text& text, std::string_view name) {
  const auto value = text.modifier(name);
  const auto integer = value ? parse_integer(*value) : std::nullopt;
  return integer ? static_cast<i32>(*integer) : 0;
}

void word_flags(const Text& text, Instruction& out) {
  if (text.has("tfe")) out.amd.memory |= AmdFields::tfe;
  if (text.has("gds")) out.amd.memory |= AmdFields::gds;
  if (text.has("lds")) out.amd.memory |= AmdFields::lds_direct;
}

// Of the atomics whose text says so by a word: glc, sc0 on CDNA 3, a temporal hint on RDNA 4.
bool returns_old_value(const Text& text) {
  if (const auto policy = text.modifier("th")) return contains(*policy, "RETURN");
  return text.has("glc") || text.has("sc0");
}

bool decode_flat(Operands operands, const Row& row, Instruction& out) {
  const bool has_base = out.addressing != Addressing::flat;
  const bool is_store = row.cost == Cost::vmem_store;
  if (contains(operands.text.mnemonic, "addtid")) {
    return operands.take(out.operand[is_store ? 2 : 0]) && operands.take(out.operand[3]);
  }
  if (row.cost == Cost::vmem_atomic) {
    if (returns_old_value(operands.text)) {
      out.flags |= Instruction::returns;
      if (!operands.take(out.operand[0])) return false;
    }
    if (!operands.take(out.operand[1]) || !operands.take(out.operand[2])) return false;
  } else if (is_store) {
    if (!operands.take(out.operand[1]) || !operands.take(out.operand[2])) return false;
  } else {
    if (!operands.take(out.operand[0]) || !operands.take(out.operand[1])) return false;
  }
  return !has_base || operands.take(out.operand[3]);
}

bool decode_buffer(Operands operands, const Row& row, Instruction& out) {
  const bool is_load = row.cost == Cost::vmem_load;
  if (operands.text.operands.empty()) return true;  // cache control
  if (row.cost == Cost::vmem_atomic) {
    if (!operands.take(out.operand[2])) return false;
    if (returns_old_value(operands.text)) {
      out.flags |= Instruction::returns;
      out.operand[0] = out.operand[2];
      // A compare-and-swap gives back half of its registers.
      if (contains(operands.text.mnemonic, "cmpswap")) out.operand[0].registers /= 2;
    }
  } else if (out.amd.memory & AmdFields::lds_direct) {
    if (operands.text.operands.size() > 3 && !operands.take(out.operand[0])) return false;
  } else if (!operands.take(out.operand[is_load ? 0 : 2])) {
    return false;
  }
  if (!operands.take(out.operand[1]) || !operands.take(out.operand[3])) return false;
  if (operands.text.has("offen")) out.amd.memory |= AmdFields::offen;
  if (operands.text.has("idxen")) out.amd.memory |= AmdFields::idxen;
  if (operands.text.has("addr64")) out.amd.memory |= AmdFields::addr64;
  return operands.take_source(out.operand[4]);
}

// Two offsets of one byte each, in units of the element (times 64 for st64); else one of 16 bits.
void local_offsets(std::string_view mnemonic, u32 word, Instruction& out) {
  const bool is_pair = contains(mnemonic, "read2") || contains(mnemonic, "write2") ||
                       contains(mnemonic, "wrxchg2") || contains(mnemonic, "load_2addr") ||
                       contains(mnemonic, "store_2addr") || contains(mnemonic, "storexchg_2addr");
  if (!is_pair) {
    out.offset = static_cast<i32>(word & 0xFFFF);
    return;
  }
  const i32 unit = (contains(mnemonic, "b64") ? 8 : 4) *
                   (contains(mnemonic, "st64") || contains(mnemonic, "stride64") ? 64 : 1);
  out.offset = static_cast<i32>(word & 0xFF) * unit;
  out.detail = ((word >> 8) & 0xFF) * static_cast<u32>(unit);
}

bool decode_local(Operands operands, const Encoded& encoded, const Row& row, Instruction& out) {
  const std::string_view m = operands.text.mnemonic;
  local_offsets(m, encoded.words.empty() ? 0 : encoded.words[0], out);
  const bool by_lane = contains(m, "addtid");
  if (m == "ds_append" || m == "ds_consume" || (by_lane && row.cost == Cost::lds_load))
    return operands.take(out.operand[0]);
  if (by_lane) return operands.take(out.operand[2]);
  const bool has_result = row.cost == Cost::lds_load || row.cost == Cost::lds_permute || contains(m, "_rtn");
  if (has_result && operands.left() && !operands.take(out.operand[0])) return false;
  if (contains(m, "_rtn")) out.flags |= Instruction::returns;
  if (operands.left() && !operands.take(out.operand[1])) return false;
  if (operands.left() && !operands.take(out.operand[2])) return false;
  return !operands.left() || operands.take(out.operand[5]);
}

bool decode_scalar(Operands operands, const Row& row, const Target& target, Instruction& out) {
  if (!operands.left() || row.cost == Cost::cache_control) return true;
  if (row.cost == Cost::smem_time) return operands.take_scalar_result(out.operand[0]);
  if (row.cost == Cost::smem_load) {
    if (!operands.take_scalar_result(out.operand[0])) return false;
  } else {
    out.operand[0] = parse_register(operands.text.operands[operands.next++], target.major);
    if (out.operand[0].kind != OperandKind::scalar) return false;
  }
  if (!operands.take(out.operand[3])) return false;
  if (contains(operands.text.mnemonic, "_atomic_") && operands.text.has("glc"))
    out.flags |= Instruction::returns;
  out.offset = integer_modifier(operands.text, "offset");
  if (!operands.left()) return true;
  const std::string_view piece = operands.text.operands[operands.next];
  if (const auto integer = parse_integer(piece)) {
    ++operands.next;
    // gfx6 and gfx7 count dwords in the text, later generations bytes; a gfx7 literal counts dwords as well.
    out.offset = static_cast<i32>(target.major <= 7 ? *integer * 4 : *integer);
    return true;
  }
  return operands.take_source(out.operand[4]);
}

// "v[0:2]", or "[v4, v0, v[6:7]]" for registers that do not follow each other.
bool take_coordinates(Operands& operands, Operand& into, u32& flags) {
  if (!operands.left()) return false;
  std::string_view piece = operands.text.operands[operands.next];
  if (!piece.starts_with('[') || !piece.ends_with(']')) return operands.take(into);
  ++operands.next;
  piece = piece.substr(1, piece.size() - 2);
  u32 count = 0;
  u64 rows = 0;
  for (std::size_t begin = 0; begin <= piece.size();) {
    const std::size_t end = std::min(piece.find(',', begin), piece.size());
    std::string_view name = piece.substr(begin, end - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    const Operand one = parse_register(name, operands.major);
    if (one.kind != OperandKind::vector || one.index + one.registers > 256) return false;
    if (count == 0) into = one;
    for (u32 k = 0; k < one.registers; ++k) {
      if (count >= most_scattered) return false;
      rows |= u64{one.index + k} << (8 * count++);
    }
    begin = end + 1;
  }
  into.registers = 1;
  into.value = rows;
  flags |= image_scattered | count << image_scattered_count;
  return true;
}

bool decode_image(Operands operands, const Row& row, Instruction& out) {
  const bool is_store = row.cost == Cost::vmem_store;
  if (!operands.take(out.operand[is_store ? 2 : 0])) return false;
  if (row.cost == Cost::vmem_atomic) {
    out.operand[2] = out.operand[0];
    if (returns_old_value(operands.text)) {
      out.flags |= Instruction::returns;
    } else {
      out.operand[0] = {};
    }
    // A compare-and-swap gives back half of its registers.
    if (contains(operands.text.mnemonic, "cmpswap")) out.operand[0].registers /= 2;
  }
  u32 flags = 0;
  if (!take_coordinates(operands, out.operand[1], flags) || !operands.take(out.operand[3])) return false;
  if (out.operand[3].kind != OperandKind::scalar || out.operand[3].registers != 8) return false;
  const i32 mask = integer_modifier(operands.text, "dmask");
  flags |= mask == 0 ? 1 : static_cast<u32>(mask) & 15;
  // RDNA names the image's dimensions; an array's last coordinate is the layer.
  if (const auto dimensions = operands.text.modifier("dim"); dimensions && dimensions->ends_with("_ARRAY"))
    flags |= image_array;
  if (operands.text.has("unorm")) flags |= image_unnormalized;
  if (operands.text.has("da")) flags |= image_array;
  if (operands.text.has("d16")) flags |= operands.major == 8 ? image_halves | image_apart : image_halves;
  if (operands.text.has("a16")) flags |= image_short_address;
  if (operands.text.has("r128")) flags |= image_half_descriptor;
  if (operands.text.has("lwe")) out.amd.memory |= AmdFields::tfe;
  out.detail = flags;
  const Operand& data = out.operand[is_store || row.cost == Cost::vmem_atomic ? 2 : 0];
  const u32 components = static_cast<u32>(std::popcount(flags & 15u));
  if (data.registers < ((flags & image_halves) != 0 ? (components + 1) / 2 : components)) return false;
  return !operands.left() || operands.take(out.operand[4]);
}

}  // namespace

bool is_memory_mnemonic(std::string_view mnemonic) {
  return prefix_of(mnemonic) != nullptr;
}

Status decode_memory(const Text& text, const Encoded& encoded, const Row& row, const Target& target,
                     Instruction& out) {
  const Prefix* prefix = prefix_of(text.mnemonic);
  out.amd.format = prefix->format;
  out.addressing = prefix->addressing;
  out.offset = integer_modifier(text, "offset");
  word_flags(text, out);
  out.policy = access_policy(text, row, target);
  if (contains(text.mnemonic, "_d16_hi")) out.flags |= Instruction::high_half;
  const Operands operands{text, encoded.words.empty() ? 0 : encoded.words.back(), target.major};
  if (text.operands.empty() && text.mnemonic != "ds_append" && text.mnemonic != "ds_consume")
    return Success{};
  bool fits = false;
  switch (prefix->format) {
    case Format::flat:
    case Format::global:
    case Format::scratch:
      fits = decode_flat(operands, row, out);
      break;
    case Format::mubuf:
    case Format::mtbuf:
      fits = decode_buffer(operands, row, out);
      // Typed: data format in bits 3:0 and number format in bits 6:4, as the encoding has them up to gfx9.
      // RDNA has one number for both; gfx12 has it in the second word.
      if (prefix->format == Format::mtbuf && encoded.words.size() > 1) {
        u32 fields = (target.major >= 12 ? encoded.words[1] >> 23 : encoded.words[0] >> 19) & 0x7F;
        if (target.major >= 10) {
          const SplitFormat format = split_format(fields, target.major >= 11);
          fields = format.data | format.number << 4;
        }
        out.detail = fields;
      }
      break;
    case Format::ds:
      fits = decode_local(operands, encoded, row, out);
      if (target.major <= 8) out.amd.memory |= AmdFields::local_limit;
      break;
    case Format::mimg:
      fits = decode_image(operands, row, out);
      break;
    default:
      fits = decode_scalar(operands, row, target, out);
      break;
  }
  if (!fits) return bad_operand(encoded.text, "has operands that its format does not take");
  return Success{};
}

}  // namespace lockstep::amd
