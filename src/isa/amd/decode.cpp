#include "isa/amd/decode.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "isa/amd/format.h"
#include "isa/amd/text.h"
#include "isa/lane_permutation.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

u32 last_word(const Encoded& encoded) {
  return encoded.words.empty() ? 0 : encoded.words.back();
}

bool is_matrix(std::string_view m) {
  return m.starts_with("v_mfma") || m.starts_with("v_smfmac") || m.starts_with("v_wmma") ||
         m.starts_with("v_swmmac");
}

Format format_of(const Text& text) {
  const std::string_view m = text.mnemonic;
  if (m.starts_with("v_pk_") || m.starts_with("v_dot") || m.starts_with("v_mad_mix") ||
      m.starts_with("v_fma_mix") || is_matrix(m) || m.starts_with("v_accvgpr")) {
    return Format::vop3p;
  }
  if (m.starts_with("v_dual_")) return Format::vopd;
  if (m.starts_with("v_cmp")) return Format::vopc;
  if (m.starts_with("v_")) return text.suffix == "_e64" || text.suffix.empty() ? Format::vop3 : Format::vop2;
  if (m.starts_with("s_cmpk") || m == "s_movk_i32" || m == "s_cmovk_i32" || m == "s_addk_i32" ||
      m == "s_addk_co_i32" || m == "s_mulk_i32" || m.starts_with("s_getreg") || m.starts_with("s_setreg") ||
      m == "s_call_b64" || m == "s_cbranch_i_fork" || m == "s_version" || m.starts_with("s_waitcnt_") ||
      m.starts_with("s_subvector")) {
    return Format::sopk;
  }
  return Format::sop2;
}

bool is_branch(std::string_view m) {
  return m == "s_branch" || m == "s_call_b64" || m == "s_cbranch_i_fork" ||
         (m.starts_with("s_cbranch_") && m != "s_cbranch_g_fork" && m != "s_cbranch_join");
}

// SIMM16 of SOPP and SOPK.
i32 simm16(const Encoded& encoded) {
  return encoded.words.empty() ? 0 : static_cast<i16>(encoded.words[0] & 0xFFFF);
}

// The counts in s_waitcnt's SIMM16. Source: LLVM's AMDGPU user guide and the ISA manuals: to gfx8 vmcnt is
// bits 3:0, expcnt 6:4, lgkmcnt 11:8; gfx9 adds vmcnt 15:14; gfx10 widens lgkmcnt to 13:8; gfx11 has expcnt
// 2:0, lgkmcnt 9:4, vmcnt 15:10.
WaitCounts wait_counts(u32 bits, u32 major) {
  u32 vector, vector_most, local, local_most, exported;
  if (major >= 11) {
    vector = (bits >> 10) & 63, vector_most = 63;
    local = (bits >> 4) & 63, local_most = 63;
    exported = bits & 7;
  } else {
    vector = bits & 15, vector_most = 15;
    if (major >= 9) vector |= ((bits >> 14) & 3) << 4, vector_most = 63;
    local_most = major >= 10 ? 63 : 15;
    local = (bits >> 8) & local_most;
    exported = (bits >> 4) & 7;
  }
  WaitCounts counts;
  if (vector < vector_most) counts.vector = static_cast<u8>(vector);
  if (local < local_most) counts.local = static_cast<u8>(local);
  if (exported < 7) counts.exported = static_cast<u8>(exported);
  return counts;
}

void decode_wait(const Text& text, const Encoded& encoded, const Target& target, Instruction& out) {
  const u32 bits = static_cast<u32>(simm16(encoded)) & 0xFFFF;
  WaitCounts counts;
  const u8 count = static_cast<u8>(std::min<u32>(bits, 0xFE));
  const std::string_view m = text.mnemonic;
  if (m == "s_waitcnt") {
    counts = wait_counts(bits, target.major);
  } else if (m == "s_waitcnt_vscnt" || m == "s_wait_storecnt") {
    counts.stores = count;
  } else if (m == "s_waitcnt_vmcnt" || m == "s_wait_loadcnt") {
    counts.vector = count;
  } else if (m == "s_wait_samplecnt") {
    counts.samples = count;
  } else if (m == "s_wait_bvhcnt") {
    counts.rays = count;
  } else if (m == "s_waitcnt_lgkmcnt" || m == "s_wait_dscnt") {
    counts.local = count;
  } else if (m == "s_wait_kmcnt") {
    counts.scalar = count;
  } else if (m == "s_waitcnt_expcnt" || m == "s_wait_expcnt") {
    counts.exported = count;
  } else if (m == "s_wait_loadcnt_dscnt") {
    counts.vector = static_cast<u8>((bits >> 8) & 63);
    counts.local = static_cast<u8>(bits & 63);
  } else if (m == "s_wait_storecnt_dscnt") {
    counts.stores = static_cast<u8>((bits >> 8) & 63);
    counts.local = static_cast<u8>(bits & 63);
  }
  counts.pack(out);
  // Stores have a counter of their own from gfx10 on.
  if ((target.major >= 10 ? counts.stores : counts.vector) == 0)
    out.policy.flags |= AccessPolicy::waits_for_stores;
}

std::optional<Part> parse_part(std::string_view text) {
  if (text == "DWORD") return Part::dword;
  if (text == "BYTE_0") return Part::byte0;
  if (text == "BYTE_1") return Part::byte1;
  if (text == "BYTE_2") return Part::byte2;
  if (text == "BYTE_3") return Part::byte3;
  if (text == "WORD_0") return Part::word0;
  if (text == "WORD_1") return Part::word1;
  return std::nullopt;
}

// "[1,0,1]" as bits, the first entry lowest.
u8 parse_bits(std::string_view text) {
  u8 bits = 0, position = 0;
  for (const char c : text) {
    if (c != '0' && c != '1') continue;
    bits = static_cast<u8>(bits | (c - '0') << position++);
  }
  return bits;
}

u32 bits_in(std::string_view text) {
  return static_cast<u32>(
      std::count_if(text.begin(), text.end(), [](char c) { return c == '0' || c == '1'; }));
}

Status apply_sdwa(const Text& text, Instruction& out) {
  for (int source = 0; source < 2; ++source) {
    const auto select = text.modifier(source == 0 ? "src0_sel" : "src1_sel");
    if (!select) continue;
    const auto part = parse_part(*select);
    if (!part) return bad_operand(text.mnemonic, "has an SDWA select that does not exist");
    out.operand[1 + source].part = *part;
  }
  if (const auto select = text.modifier("dst_sel")) {
    const auto part = parse_part(*select);
    if (!part) return bad_operand(text.mnemonic, "has an SDWA select that does not exist");
    out.amd.result_part = *part;
    if (*part != Part::dword) out.flags |= Instruction::partial_write;
  }
  if (const auto unused = text.modifier("dst_unused")) {
    out.amd.result_unused = *unused == "UNUSED_PRESERVE" ? 2 : *unused == "UNUSED_SEXT" ? 1 : 0;
  }
  return Success{};
}

// LLVM writes no suffix for comparisons by DPP, and a user need not write one.
bool has_dpp(const Text& text) {
  if (text.suffix == "_dpp" || text.suffix == "_e64_dpp" || text.has("row_mirror") ||
      text.has("row_half_mirror"))
    return true;
  constexpr std::string_view controls[] = {"quad_perm", "row_shl",   "row_shr",  "row_ror",   "wave_shl",
                                           "wave_shr",  "wave_rol",  "wave_ror", "row_bcast", "row_newbcast",
                                           "row_share", "row_xmask", "dpp8"};
  return std::any_of(std::begin(controls), std::end(controls),
                     [&](std::string_view name) { return text.modifier(name).has_value(); });
}
bool has_sdwa(const Text& text) {
  return text.suffix == "_sdwa" || text.modifier("src0_sel") || text.modifier("src1_sel") ||
         text.modifier("dst_sel");
}

// The DPP word is the encoding's last: source register in 7:0, control 16:8, fetch-inactive 18, bound control
// 19, bank mask 27:24, row mask 31:28.
void apply_dpp(const Text& text, const Encoded& encoded, const Target& target, Instruction& out) {
  const u32 word = last_word(encoded);
  LanePermutation permutation;
  if (text.modifier("dpp8")) {
    // Selects in the word's upper 24 bits.
    permutation.within_eight = true;
    permutation.selects = word >> 8;
    permutation.fetch_inactive = text.has("fi:1");
    out.amd.lane_control = permutation.pack();
    out.operand[1].modifiers |= Operand::permuted;
    out.flags |= Instruction::partial_write;
    return;
  }
  permutation.control = (word >> 8) & 0x1FF;
  permutation.fetch_inactive = target.major >= 10 && ((word >> 18) & 1) != 0;
  permutation.bound_zero = ((word >> 19) & 1) != 0;
  permutation.bank_mask = (word >> 24) & 0xF;
  permutation.row_mask = (word >> 28) & 0xF;
  out.amd.lane_control = permutation.pack();
  out.operand[1].modifiers |= Operand::permuted;
  out.flags |= Instruction::partial_write;
}

// op_sel of VOP3: which half of a 16-bit operand; the bit behind the sources' is the result's.
void apply_half_select(const Text& text, const Semantic& meaning, Instruction& out) {
  const auto select = text.modifier("op_sel");
  if (!select) return;
  const u8 bits = parse_bits(*select);
  for (u32 i = 0; i < meaning.sources; ++i) {
    const Kind kind = meaning.source[i];
    const bool is_half = kind == Kind::f16 || kind == Kind::u16 || kind == Kind::i16;
    if (is_half && (bits >> i) & 1) out.operand[1 + i].part = Part::word1;
  }
  if (bits_in(*select) > meaning.sources && (bits >> meaning.sources) & 1) {
    out.amd.result_part = Part::word1;
    out.amd.result_unused = 2;
    out.flags |= Instruction::partial_write;
  }
}

void apply_packed_modifiers(const Text& text, bool is_mix, Instruction& out) {
  const auto low = text.modifier("op_sel"), high = text.modifier("op_sel_hi");
  const u8 low_bits = low ? parse_bits(*low) : 0;
  const u8 high_bits = high ? parse_bits(*high) : (is_mix ? 0 : 7);
  out.amd.packed_select = static_cast<u8>(low_bits | high_bits << 4);
  const auto negate_low = text.modifier("neg_lo"), negate_high = text.modifier("neg_hi");
  out.amd.packed_negate = static_cast<u8>((negate_low ? parse_bits(*negate_low) : 0) |
                                          (negate_high ? parse_bits(*negate_high) : 0) << 4);
}

// What picks and moves the blocks of a matrix instruction: CBSZ in bits 2:0 of the detail, ABID in 6:3, BLGP
// in 9:7; or the index set of a sparse one of RDNA. NEG of f64 is a sign for each source.
Status apply_matrix_modifiers(const Text& text, Instruction& out) {
  const auto field = [&](std::string_view name) {
    const auto value = text.modifier(name);
    const auto integer = value ? parse_integer(*value) : std::nullopt;
    return integer ? static_cast<u32>(*integer) : 0;
  };
  out.detail = field("cbsz") | field("abid") << 3 | field("blgp") << 7 | field("index_key");
  if (const auto signs = text.modifier("neg")) out.amd.packed_negate = parse_bits(*signs);
  if (text.mnemonic.starts_with("v_mfma")) {
    // As many blocks as the result's registers hold matrices; CBSZ broadcasts within groups of 2^CBSZ of
    // them, and ABID is a block of a group. "CDNA 1 Instruction Set Architecture", Matrix Arithmetic
    // Instructions.
    const std::size_t shape = text.mnemonic.find('_', 7) + 1;
    const u32 side = text.mnemonic.substr(shape).starts_with("32")   ? 32
                     : text.mnemonic.substr(shape).starts_with("16") ? 16
                                                                     : 4;
    const u32 elements = out.operand[0].registers / (out.meaning->result == Kind::f64 ? 2u : 1u);
    const u32 blocks = elements * 64 / (side * side), group = 1u << (field("cbsz") & 7);
    if (group > blocks || (group > 1 && field("abid") >= group))
      return bad_operand(text.mnemonic,
                         fmt::format("has {} blocks: its cbsz and abid name one beyond", blocks));
  }
  if (out.meaning->result == Kind::f64 && field("blgp") != 0) {
    return bad_operand(text.mnemonic, "has a BLGP, whose meaning for f64 no manual gives");
  }
  return Success{};
}

void apply_output_modifiers(const Text& text, Instruction& out) {
  if (text.has("clamp")) out.flags |= Instruction::clamp;
  if (const auto factor = text.modifier("mul")) out.amd.output_scale = *factor == "2" ? 1 : 2;
  if (text.modifier("div")) out.amd.output_scale = 3;
}

Diagnostic unknown_instruction(std::string_view text, std::string_view mnemonic, const Target& target,
                               u32 generation) {
  std::vector<std::string> names;
  for (const Row& row : all_rows()) {
    if (row.generations & generation) names.emplace_back(row.mnemonic);
  }
  const std::vector<std::string> near = nearest_names(mnemonic, names, 2);
  std::string hint = fmt::format("Lockstep does not know this instruction on {}", target.name);
  if (!near.empty()) hint += fmt::format("; the nearest it knows: {}", fmt::join(near, ", "));
  return {"unknown-instruction", {}, fmt::format("unknown instruction '{}'", text), hint};
}

// Operands in the order of the semantic's signature.
Status decode_by_signature(const Text& text, const Encoded& encoded, const Row& row, const Target& target,
                           Format format, Instruction& out) {
  const Semantic& meaning = *row.meaning;
  std::size_t next = 0;
  const auto take = [&]() {
    return next < text.operands.size() ? text.operands[next++] : std::string_view();
  };
  const auto source = [&](std::string_view piece, Kind kind) {
    return parse_source(piece, kind, last_word(encoded), target.major);
  };
  const auto result = [&](Operand& into) {
    into = as_result(parse_register(take(), target.major));
    return into.kind != OperandKind::none;
  };
  if (row.flags & only_exec) {
    out.operand[0] = parse_register("exec", target.major);
    if (!text.operands.empty() && (text.operands[0] == "exec" || text.operands[0] == "exec_lo")) ++next;
  } else if (meaning.result != Kind::none && !result(out.operand[0])) {
    return bad_operand(encoded.text, "needs a register for its result");
  }
  if (row.flags & writes_exec) out.flags |= Instruction::also_exec;
  if (meaning.mask_result && !result(out.operand[4])) {
    return bad_operand(encoded.text, "needs a scalar register for its mask");
  }
  u32 slot = 1;
  for (u32 i = 0; i < meaning.sources; ++i) {
    const Kind kind = meaning.source[i];
    if (kind == Kind::condition) continue;
    Operand& operand = out.operand[slot++];
    const bool last = i + 1 == meaning.sources;
    if (last && (row.flags & implicit_vcc_source)) {
      operand = parse_register("vcc", target.major);
      continue;
    }
    if (last && (row.flags & accumulates)) {
      operand = out.operand[0];
      if (operand.kind == OperandKind::scalar && operand.index == null_result) operand.index = null_register;
      continue;
    }
    const bool has_short_constant = format == Format::sopk && text.mnemonic != "s_setreg_imm32_b32";
    if (has_short_constant && next + 1 == text.operands.size()) {
      const bool is_unsigned = kind == Kind::u32 && text.mnemonic.find("u32") != std::string_view::npos;
      const auto integer = parse_integer(text.operands[next]);
      if (integer) {
        ++next;
        operand.kind = OperandKind::immediate;
        operand.value = is_unsigned ? static_cast<u64>(*integer & 0xFFFF)
                                    : static_cast<u32>(static_cast<i32>(static_cast<i16>(*integer)));
        continue;
      }
    }
    const auto parsed = source(take(), kind);
    if (!parsed)
      return bad_operand(encoded.text, fmt::format("has a source that does not parse (number {})", i + 1));
    operand = *parsed;
  }
  if (next < text.operands.size()) {
    return bad_operand(encoded.text,
                       fmt::format("has more operands than its meaning '{}' takes", meaning.name));
  }
  return Success{};
}

}  // namespace

Diagnostic bad_operand(std::string_view instruction, std::string_view why) {
  return {"bad-operand", {}, fmt::format("'{}' {}", instruction, why), ""};
}

namespace {

Expected<Instruction> decode_text(const Text& text, const Encoded& encoded, const Target& target) {
  const u32 generation = generation_of(target);
  const Row* row = find_row(text.mnemonic, generation);
  if (row == nullptr) return unknown_instruction(encoded.text, text.mnemonic, target, generation);

  if (const std::string_view modifier = unknown_modifier(text); !modifier.empty())
    return bad_operand(encoded.text,
                       fmt::format("has the modifier '{}', which Lockstep does not know", modifier));

  Instruction out;
  out.meaning = row->meaning;
  out.cost = row->cost;
  out.address = encoded.address;
  out.size = static_cast<u8>(encoded.words.size() * 4);
  if (is_memory_mnemonic(text.mnemonic)) {
    const Status decoded = decode_memory(text, encoded, *row, target, out);
    if (!decoded) return decoded.error();
    return out;
  }
  const Format format = format_of(text);
  out.amd.format = format;
  if (row->cost == Cost::wait) {
    decode_wait(text, encoded, target, out);
    return out;
  }
  const bool is_scalar = text.mnemonic.starts_with("s_");
  if (is_scalar) out.offset = simm16(encoded);
  if (is_branch(text.mnemonic)) {
    out.operand[1].kind = OperandKind::immediate;
    out.operand[1].value = encoded.address + 4 + static_cast<u64>(i64{out.offset} * 4);
    if (text.mnemonic == "s_call_b64" && !text.operands.empty()) {
      out.operand[0] = as_result(parse_register(text.operands[0], target.major));
    }
    return out;
  }
  if (row->flags & no_operands_in_text) return out;
  const Semantic& meaning = *row->meaning;
  if (meaning.shape == Shape::control && meaning.sources == 0 && meaning.result == Kind::none) {
    // Immediates only (s_nop, s_sleep, s_sendmsg, s_setprio, s_trap): they are in `offset`.
    return out;
  }
  const Status operands = decode_by_signature(text, encoded, *row, target, format, out);
  if (!operands) return operands.error();
  if (is_scalar) return out;

  apply_output_modifiers(text, out);
  if (format == Format::vop3p) {
    const bool is_mix = text.mnemonic.find("_mix") != std::string_view::npos;
    apply_packed_modifiers(text, is_mix, out);
    // The fourth bit of op_sel: the half of a 16-bit result (v_dot2_f16_f16).
    if ((out.amd.packed_select & 8) != 0) out.amd.result_part = Part::word1;
    if (is_matrix(text.mnemonic)) {
      const Status applied = apply_matrix_modifiers(text, out);
      if (!applied) return applied.error();
    }
  } else {
    apply_half_select(text, meaning, out);
    // Fetch-inactive and bound control stand in op_sel's place.
    if (const auto select = text.modifier("op_sel"); select && meaning.shape == Shape::cross_lane) {
      out.detail = parse_bits(*select);
    }
  }
  if (out.operand[0].part != Part::dword) {  // v5.l or v5.h
    out.amd.result_part = out.operand[0].part;
    out.operand[0].part = Part::dword;
    out.amd.result_unused = 2;
    out.flags |= Instruction::partial_write;
  }
  if (row->flags & writes_byte) {
    // gfx12 numbers the byte; before, op_sel's third bit counts one and its fourth two.
    const auto number = text.modifier("byte_sel"), select = text.modifier("op_sel");
    const u32 byte = number   ? static_cast<u32>(parse_integer(*number).value_or(0))
                     : select ? u32{parse_bits(*select)} >> 2
                              : 0;
    out.amd.result_part = static_cast<Part>(static_cast<u32>(Part::byte0) + (byte & 3));
    out.amd.result_unused = 2;
    out.flags |= Instruction::partial_write;
  } else if (const auto number = text.modifier("byte_sel")) {
    const u32 byte = static_cast<u32>(parse_integer(*number).value_or(0));
    out.operand[1].part = static_cast<Part>(static_cast<u32>(Part::byte0) + (byte & 3));
  }
  if (row->flags & keeps_high_half) {
    if (out.amd.result_part == Part::dword) out.amd.result_part = Part::word0;
    out.amd.result_unused = 2;
    out.flags |= Instruction::partial_write;
  }
  if (has_sdwa(text)) {
    const Status applied = apply_sdwa(text, out);
    if (!applied) return applied.error();
  }
  if (has_dpp(text)) apply_dpp(text, encoded, target, out);
  return out;
}

bool is_vector(const Operand& operand) {
  return operand.kind == OperandKind::vector;
}
bool is_scalar(const Operand& operand) {
  return operand.kind == OperandKind::scalar;
}
bool is_none(const Operand& operand) {
  return operand.kind == OperandKind::none;
}

// Of vector memory and local memory: data and addresses lie in rows, bases and resources in scalar registers.
// Of scalar memory everything is scalar.
bool memory_operands_fit(const Instruction& in) {
  const bool scalar = in.addressing == Addressing::scalar;
  for (const u32 i : {0u, 1u, 2u, 5u}) {
    const Operand& operand = in.operand[i];
    if (!is_none(operand) && (scalar ? !is_scalar(operand) : !is_vector(operand))) return false;
  }
  return (is_none(in.operand[3]) || is_scalar(in.operand[3])) && !is_vector(in.operand[4]);
}

// Whether every operand lies where its meaning looks for it: an assembler writes nothing else, but a text
// that came from elsewhere may.
bool operands_fit(const Instruction& in, const Text& text, const Row& row) {
  if (is_memory_mnemonic(text.mnemonic)) return memory_operands_fit(in);
  const Semantic& meaning = *in.meaning;
  const Operand& result = in.operand[0];
  const bool scalar_side = text.mnemonic.starts_with("s_");
  const bool wants_scalar =
      scalar_side || meaning.result == Kind::mask || (row.flags & (scalar_result | only_exec)) != 0;
  if (!is_none(result) && (wants_scalar ? !is_scalar(result) : !is_vector(result))) return false;
  if (meaning.mask_result && !is_scalar(in.operand[4])) return false;
  if ((meaning.implied & implies::writes_source) != 0 && !is_vector(in.operand[1])) return false;
  u32 slot = 1;
  for (u32 i = 0; i < meaning.sources; ++i) {
    if (meaning.source[i] == Kind::condition) continue;
    const Operand& source = in.operand[slot++];
    if (is_vector(source) && (scalar_side || meaning.source[i] == Kind::mask)) return false;
  }
  return true;
}

}  // namespace

Expected<Instruction> decode(const Encoded& encoded, const Target& target) {
  const Text text = split(encoded.text);
  Expected<Instruction> made = decode_text(text, encoded, target);
  if (made && !operands_fit(*made, text, *find_row(text.mnemonic, generation_of(target))))
    return bad_operand(encoded.text,
                       "has a vector register where a scalar one belongs, or the other way round");
  return made;
}

}  // namespace lockstep::amd
