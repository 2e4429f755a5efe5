// Registers by index: movrel, through M0, and the index mode of gfx8 and gfx9.
// Source: "Vega Instruction Set Architecture", 3.6 and 6.6 (VGPR indexing), chapters SOP1, SOPC, SOPP, VOP1;
// "RDNA 2 Instruction Set Architecture" for V_MOVRELSD_2.
#include "isa/amd/control.h"
#include "isa/amd/control_mode.h"
#include "isa/amd/format.h"
#include "isa/amd/register_index.h"

namespace lockstep::amd {
namespace {

u32 m0(const WaveState& wave) {
  return wave.read_scalar(scalar_register::m0);
}

// RDNA: an index for the source and one for the result, fields of their own in M0.
struct ApartIndices {
  u32 source, result;
};
ApartIndices apart_indices(const WaveState& wave) {
  return {m0(wave) & 0x3FF, (m0(wave) >> 16) & 0x3FF};
}

constexpr const char* beyond_registers = "a register index beyond the wave's registers";

// The register that an index leads to, checked against what the wave has.
bool indexed(StepContext& context, u32 first, u32 index, u32 count, u32 limit, u32& number) {
  const u64 wanted = u64{first} + index;
  if (wanted + count > limit) {
    raise_not_supported(context, beyond_registers);
    return false;
  }
  number = static_cast<u32>(wanted);
  return true;
}

// ---- Scalar registers ----
template <class T, bool moves_source>
struct ScalarRelative {
  static constexpr bool wide = sizeof(T) == 8;
  static constexpr std::string_view name =
      moves_source ? (wide ? "movrels_b64" : "movrels_b32") : (wide ? "movreld_b64" : "movreld_b32");
  static constexpr Role role = Role::index_registers;
  static constexpr Flow flow = Flow::move;
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_m0 | implies::indexed;
  static constexpr Kind result = LaneType<T>::kind;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{LaneType<T>::kind};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Operand source = in.operand[1];
    u32 result_index = in.operand[0].index;
    u32& moved = moves_source ? source.index : result_index;
    if (!indexed(context, moved, m0(wave), wide ? 2 : 1, 106, moved)) return;
    if constexpr (wide) {
      wave.write_scalar64(result_index, scalar_value64(wave, source));
    } else {
      wave.write_scalar(result_index, scalar_value32(wave, source));
    }
  }
};

// RDNA: source and result by fields of their own in M0, as V_MOVRELSD_2's.
struct ScalarRelativeApart {
  static constexpr std::string_view name = "s_movrelsd_2_b32";
  static constexpr Role role = Role::index_registers;
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_m0 | implies::indexed;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    u32 from = in.operand[1].index, to = in.operand[0].index;
    const ApartIndices apart = apart_indices(wave);
    if (!indexed(context, from, apart.source, 1, 106, from)) return;
    if (!indexed(context, to, apart.result, 1, 106, to)) return;
    wave.write_scalar(to, wave.read_scalar(from));
  }
};

// ---- Vector registers ----
struct SwapRelative {
  static constexpr std::string_view name = "v_swaprel_b32";
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_exec | implies::reads_m0 | implies::indexed |
                                 implies::reads_result | implies::writes_source;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    u32 from = in.operand[1].index, to = in.operand[0].index;
    const ApartIndices apart = apart_indices(wave);
    if (!indexed(context, from, apart.source, 1, wave.vector_rows(), from)) return;
    if (!indexed(context, to, apart.result, 1, wave.vector_rows(), to)) return;
    lockstep::Row<u32> first, second;
    std::memcpy(first.data(), wave.row(from), W * sizeof(u32));
    std::memcpy(second.data(), wave.row(to), W * sizeof(u32));
    commit_row<W>(wave, from, second.data());
    commit_row<W>(wave, to, first.data());
  }
};

enum class Relative { source, result, both, both_apart };
template <Relative what>
struct VectorRelative {
  static constexpr std::string_view name = what == Relative::source   ? "v_movrels_b32"
                                           : what == Relative::result ? "v_movreld_b32"
                                           : what == Relative::both   ? "v_movrelsd_b32"
                                                                      : "v_movrelsd_2_b32";
  static constexpr Role role = Role::index_registers;
  static constexpr Flow flow = Flow::move;
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_exec | implies::reads_m0 | implies::indexed;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const ApartIndices index =
        what == Relative::both_apart ? apart_indices(wave) : ApartIndices{m0(wave), m0(wave)};
    Instruction moved = in;
    u32& source = moved.operand[1].index;
    u32& into = moved.operand[0].index;
    if (what != Relative::result && !indexed(context, source, index.source, 1, wave.vector_rows(), source))
      return;
    if (what != Relative::source && !indexed(context, into, index.result, 1, wave.vector_rows(), into))
      return;
    lockstep::Row<u32> room;
    const u32* values = fetch32<W>(wave, moved, moved.operand[1], Kind::u32, room);
    lockstep::Row<u32> copy;
    for (int i = 0; i < W; ++i) copy.lane[i] = values[i];
    commit32<W>(wave, moved, moved.operand[0], copy.data());
  }
};

// ---- The index mode ----
// M0 holds the index in bits 7:0 and in 15:12 which operands it moves: the three sources, the result.
constexpr u32 index_bits = 0xFF, operand_bits = 0xF000;

void set_index(WaveState& wave, u32 keep, u32 bits) {
  wave.write_scalar(scalar_register::m0, (m0(wave) & keep) | bits);
}

// SOPC: the operand bits stand where the second source does, in bits 11:8 of the encoding.
struct IndexOn : Control {
  static constexpr std::string_view name = "set_gpr_idx_on";
  static constexpr u16 implied = implies::reads_m0 | implies::writes_m0;
  static constexpr Role role = Role::index_registers;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 index = scalar_value32(wave, in.operand[1]) & index_bits;
    const u32 operands = (static_cast<u32>(in.offset) >> 8) & 15;
    wave.mode |= mode_index_registers;
    set_index(wave, ~(index_bits | operand_bits), index | operands << 12);
  }
};
struct IndexOff : Control {
  static constexpr std::string_view name = "set_gpr_idx_off";
  template <int W>
  static void step(WaveState& wave, const Instruction&, StepContext&) {
    wave.mode &= ~mode_index_registers;
  }
};
struct IndexMode : Control {
  static constexpr std::string_view name = "set_gpr_idx_mode";
  static constexpr u16 implied = implies::reads_m0 | implies::writes_m0;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    set_index(wave, ~operand_bits, (static_cast<u32>(in.offset) & 15) << 12);
  }
};
struct IndexValue : Control {
  static constexpr std::string_view name = "set_gpr_idx_idx";
  static constexpr u16 implied = implies::reads_m0 | implies::writes_m0;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    set_index(wave, ~index_bits, scalar_value32(wave, in.operand[1]) & index_bits);
  }
};

// Moves the registers of a vector instruction as M0 says; false where one leads beyond the wave's registers.
bool move_registers(const WaveState& wave, Instruction& moved) {
  const u32 bits = m0(wave), index = bits & index_bits;
  // What v_mac adds to is its result register, and moves with it.
  const bool adds_to_result = moved.amd.format == Format::vop2 && moved.meaning->sources == 3;
  for (u32 i = 0; i < 4; ++i) {
    Operand& operand = moved.operand[i];
    if (operand.kind != OperandKind::vector) continue;
    const bool by_result_bit = i == 0 || (i == 3 && adds_to_result);
    if (((bits >> (12 + (by_result_bit ? 3 : i - 1))) & 1) == 0) continue;
    operand.index += index;
    if (operand.index + operand.registers > wave.vector_rows()) return false;
  }
  return true;
}

template <int W>
void run_indexed(WaveState& wave, const Instruction& in, StepContext& context) {
  const RunFunction run = run_function(*in.meaning, W);
  if ((wave.mode & mode_index_registers) == 0) {
    run(wave, in, context);
    return;
  }
  Instruction moved = in;
  if (move_registers(wave, moved)) {
    run(wave, moved, context);
  } else {
    raise_not_supported(context, beyond_registers);
  }
}

bool is_vector(const Instruction& in) {
  switch (in.amd.format) {
    case Format::vop1:
    case Format::vop2:
    case Format::vop3:
    case Format::vopc:
    case Format::vop3p:
      return true;
    default:
      return false;
  }
}

// s_setreg can switch the mode on too.
bool may_switch_on(const Instruction& in) {
  if (in.meaning == &semantic<IndexOn>) return true;
  if (in.meaning == nullptr || in.meaning->role != Role::index_registers) return false;
  const u32 bits = static_cast<u32>(in.offset);
  const u32 first = (bits >> 6) & 31, last = first + ((bits >> 11) & 31);
  return (bits & 63) == 1 && first <= 27 && last >= 27;
}

}  // namespace

void wire_register_indexing(std::span<Instruction> instructions, u32 lanes) {
  bool found = false;
  for (const Instruction& in : instructions) found = found || may_switch_on(in);
  if (!found) return;
  for (Instruction& in : instructions) {
    if (is_vector(in)) in.run = lanes == 32 ? &run_indexed<32> : &run_indexed<64>;
  }
}

bool moves_by_mode(const Instruction& in) {
  return in.run == &run_indexed<32> || in.run == &run_indexed<64>;
}

const Instruction& indexed_instruction(const WaveState& wave, const Instruction& in, Instruction& room) {
  const Semantic* meaning = in.meaning;
  const auto moved = [&](u32 source_index, u32 result_index, u32 limit) -> const Instruction& {
    room = in;
    Operand &result = room.operand[0], &source = room.operand[1];
    result.index += result_index;
    source.index += source_index;
    return result.index + result.registers <= limit && source.index + source.registers <= limit ? room : in;
  };
  const u32 index = m0(wave);
  for (const Semantic* moves : {&semantic<ScalarRelative<u32, true>>, &semantic<ScalarRelative<u64, true>>}) {
    if (meaning == moves) return moved(index, 0, 106);
  }
  for (const Semantic* moves :
       {&semantic<ScalarRelative<u32, false>>, &semantic<ScalarRelative<u64, false>>}) {
    if (meaning == moves) return moved(0, index, 106);
  }
  const u32 rows = wave.vector_rows();
  if (meaning == &semantic<VectorRelative<Relative::source>>) return moved(index, 0, rows);
  if (meaning == &semantic<VectorRelative<Relative::result>>) return moved(0, index, rows);
  if (meaning == &semantic<VectorRelative<Relative::both>>) return moved(index, index, rows);
  for (const Semantic* moves : {&semantic<VectorRelative<Relative::both_apart>>, &semantic<SwapRelative>}) {
    if (meaning == moves) return moved(index & 0x3FF, (index >> 16) & 0x3FF, rows);
  }
  if (meaning == &semantic<ScalarRelativeApart>) return moved(index & 0x3FF, (index >> 16) & 0x3FF, 106);
  if ((wave.mode & mode_index_registers) == 0 || !is_vector(in)) return in;
  room = in;
  return move_registers(wave, room) ? room : in;
}

std::span<const Row> control_index_rows() {
  constexpr u32 vector_relative = gfx6to8 | rdna;
  static constexpr Row rows[] = {
      {"s_movrels_b32", &semantic<ScalarRelative<u32, true>>, Cost::salu},
      {"s_movrels_b64", &semantic<ScalarRelative<u64, true>>, Cost::salu},
      {"s_movreld_b32", &semantic<ScalarRelative<u32, false>>, Cost::salu},
      {"s_movreld_b64", &semantic<ScalarRelative<u64, false>>, Cost::salu},
      {"v_movrels_b32", &semantic<VectorRelative<Relative::source>>, Cost::valu_full, vector_relative},
      {"v_movreld_b32", &semantic<VectorRelative<Relative::result>>, Cost::valu_full, vector_relative},
      {"v_movrelsd_b32", &semantic<VectorRelative<Relative::both>>, Cost::valu_full, vector_relative},
      {"s_movrelsd_2_b32", &semantic<ScalarRelativeApart>, Cost::salu, rdna},
      {"v_swaprel_b32", &semantic<SwapRelative>, Cost::valu_full, rdna},
      {"v_movrelsd_2_b32", &semantic<VectorRelative<Relative::both_apart>>, Cost::valu_full, rdna},
      {"s_set_gpr_idx_on", &semantic<IndexOn>, Cost::salu, gfx8to9},
      {"s_set_gpr_idx_off", &semantic<IndexOff>, Cost::salu, gfx8to9},
      {"s_set_gpr_idx_mode", &semantic<IndexMode>, Cost::salu, gfx8to9},
      {"s_set_gpr_idx_idx", &semantic<IndexValue>, Cost::salu, gfx8to9},
  };
  return rows;
}

}  // namespace lockstep::amd
