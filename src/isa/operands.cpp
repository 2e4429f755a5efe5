#include "isa/operands.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "float/half.h"
#include "isa/lane_permutation.h"

namespace lockstep {
namespace {

template <class T>
void permute(const WaveState& wave, const Instruction& instruction, Row<T>& row) {
  const LanePermutation permutation = LanePermutation::unpack(instruction.amd.lane_control);
  const u64 active = wave.exec();
  const Row<T> source = row;
  for (u32 lane = 0; lane < wave.lanes; ++lane) {
    const int from = permuted_source(permutation, lane, wave.lanes);
    const bool readable = from >= 0 && (permutation.fetch_inactive || ((active >> from) & 1) != 0);
    row.lane[lane] = readable ? source.lane[from] : 0;
  }
}

u32 part_of(u32 value, Part part, bool sign_extend) {
  switch (part) {
    case Part::dword:
      return value;
    case Part::word0:
    case Part::word1: {
      const u16 word = static_cast<u16>(value >> (part == Part::word1 ? 16 : 0));
      return sign_extend ? static_cast<u32>(static_cast<i32>(static_cast<i16>(word))) : word;
    }
    default: {
      const u32 byte_number = static_cast<u32>(part) - static_cast<u32>(Part::byte0);
      const u8 byte = static_cast<u8>(value >> (8 * byte_number));
      return sign_extend ? static_cast<u32>(static_cast<i32>(static_cast<i8>(byte))) : byte;
    }
  }
}

u16 clamp_half(u16 value, bool nan_to_zero) {
  const u16 magnitude = value & 0x7FFF;
  if (magnitude > 0x7C00) return nan_to_zero ? 0 : value;
  if (value & 0x8000) return 0;
  return magnitude > 0x3C00 ? 0x3C00 : value;
}

template <class T>
T scale_value(T value, u8 output_scale) {
  switch (output_scale) {
    case 1:
      return value * 2;
    case 2:
      return value * 4;
    case 3:
      return value / 2;
    default:
      return value;
  }
}

template <class T>
T clamp_value(T value, bool nan_to_zero) {
  if (value != value) return nan_to_zero ? T{0} : value;
  return value > 0 ? (value < 1 ? value : T{1}) : T{0};
}

}  // namespace

// LDS_DIRECT: the element of local memory at M0's lower half, for every lane; bits 18:16 of M0 say what it is
// (0 u8, 1 u16, 2 dword, 4 i8, 5 i16). Source: "Graphics Core Next 3 Instruction Set Architecture", 11.4.
static u32 local_word(const WaveState& wave) {
  const u32 m0 = wave.read_scalar(scalar_register::m0), type = (m0 >> 16) & 7;
  const u32 bytes = (type & 3) == 0 ? 1 : (type & 3) == 1 ? 2 : 4;
  const u32 address = m0 & 0xFFFF & ~(bytes - 1);
  if (address + bytes > wave.local.size()) return 0;
  u32 value = 0;
  std::memcpy(&value, wave.local.data() + address, bytes);
  if (type == 4) return static_cast<u32>(static_cast<i32>(static_cast<i8>(value)));
  if (type == 5) return static_cast<u32>(static_cast<i32>(static_cast<i16>(value)));
  return value;
}

u32 derived_value(const WaveState& wave, const Operand& operand) {
  switch (static_cast<Derived>(operand.index)) {
    case Derived::vcc_is_zero:
      return wave.read_mask(scalar_register::vcc_lo) == 0 ? 1 : 0;
    case Derived::exec_is_zero:
      return wave.read_mask(scalar_register::exec_lo) == 0 ? 1 : 0;
    case Derived::scc:
      return wave.scc ? 1 : 0;
    case Derived::local_word:
      return local_word(wave);
  }
  return 0;
}

void fetch_modified32(const WaveState& wave, const Instruction& instruction, const Operand& operand,
                      Kind kind, Row<u32>& row) {
  if (operand.kind == OperandKind::vector) {
    const u32* source = wave.row(operand.index);
    for (u32 lane = 0; lane < wave.lanes; ++lane) row.lane[lane] = source[lane];
  } else {
    row.lane.fill(scalar_value32(wave, operand));
  }
  if (operand.modifiers & Operand::permuted) permute(wave, instruction, row);
  if (operand.part != Part::dword) {
    const bool sign_extend = (operand.modifiers & Operand::sign_extend) != 0;
    for (u32& value : row.lane) value = part_of(value, operand.part, sign_extend);
  }
  const u32 sign = kind == Kind::f16 ? 0x8000u : 0x80000000u;
  if (operand.modifiers & Operand::absolute) {
    for (u32& value : row.lane) value &= ~sign;
  }
  if (operand.modifiers & Operand::negate) {
    for (u32& value : row.lane) value ^= sign;
  }
}

void fetch_modified64(const WaveState& wave, const Instruction& instruction, const Operand& operand, Kind,
                      Row<u64>& row) {
  if (operand.kind == OperandKind::vector) {
    const u32 *low = wave.row(operand.index), *high = wave.row(operand.index + 1);
    for (u32 lane = 0; lane < wave.lanes; ++lane) row.lane[lane] = low[lane] | (u64{high[lane]} << 32);
  } else {
    row.lane.fill(scalar_value64(wave, operand));
  }
  if (operand.modifiers & Operand::permuted) permute(wave, instruction, row);
  constexpr u64 sign = u64{1} << 63;
  if (operand.modifiers & Operand::absolute) {
    for (u64& value : row.lane) value &= ~sign;
  }
  if (operand.modifiers & Operand::negate) {
    for (u64& value : row.lane) value ^= sign;
  }
}

u64 written_lanes(const WaveState& wave, const Instruction& instruction) {
  const u64 active = wave.exec() & wave.all_lanes();
  if (instruction.amd.lane_control == 0) return active;  // SDWA
  return permuted_writes(LanePermutation::unpack(instruction.amd.lane_control), active, wave.lanes);
}

void commit_partial(WaveState& wave, const Instruction& instruction, const Operand& operand,
                    const u32* values) {
  const u64 writes = written_lanes(wave, instruction);
  u32* out = wave.row(operand.index);
  for (u32 lane = 0; lane < wave.lanes; ++lane) {
    if (((writes >> lane) & 1) == 0) continue;
    u32 value = values[lane];
    if (instruction.amd.result_part != Part::dword) {
      const bool word = instruction.amd.result_part >= Part::word0;
      const u32 shift =
          word ? 16 * (static_cast<u32>(instruction.amd.result_part) - static_cast<u32>(Part::word0))
               : 8 * (static_cast<u32>(instruction.amd.result_part) - static_cast<u32>(Part::byte0));
      const u32 width = word ? 16 : 8;
      const u32 field = ((1u << width) - 1) << shift;
      const u32 placed = (value << shift) & field;
      if (instruction.amd.result_unused == 2) {
        value = (out[lane] & ~field) | placed;
      } else if (instruction.amd.result_unused == 1 && (placed >> (shift + width - 1)) & 1) {
        const u64 above = ~u64{0} << (shift + width);
        value = placed | static_cast<u32>(above);
      } else {
        value = placed;
      }
    }
    out[lane] = value;
  }
}

// Output scale (omod) works only outside of IEEE mode and where denormal results are flushed ("Vega
// Instruction Set Architecture", 6.2.2 "Input and output modifiers"); its own results are then flushed too.
static u8 effective_scale(const WaveState& wave, const Instruction& instruction, Kind kind) {
  const u32 keeps_denormals = kind == Kind::f32 ? 1 << 5 : 1 << 7;
  return wave.ieee_mode || (wave.mode & keeps_denormals) ? 0 : instruction.amd.output_scale;
}

void scale_and_clamp(const WaveState& wave, const Instruction& instruction, Kind kind, u32* values) {
  const bool clamp = (instruction.flags & Instruction::clamp) != 0;
  const bool nan_to_zero = wave.dx10_clamp;
  const u8 scale = effective_scale(wave, instruction, kind);
  for (u32 lane = 0; lane < wave.lanes; ++lane) {
    u32& value = values[lane];
    if (kind == Kind::f32) {
      f32 number = std::bit_cast<f32>(value);
      if (scale != 0) number = flush_f32(scale_value(number, scale));
      if (clamp) number = clamp_value(number, nan_to_zero);
      value = std::bit_cast<u32>(number);
      continue;
    }
    if (scale != 0 && kind == Kind::f16) {
      value = flush_f16(f32_to_f16(scale_value(f16_to_f32(static_cast<u16>(value)), scale)));
    }
    if (clamp) {
      const u32 low = clamp_half(static_cast<u16>(value), nan_to_zero);
      const u32 high =
          kind == Kind::packed16 ? clamp_half(static_cast<u16>(value >> 16), nan_to_zero) : value >> 16;
      value = low | high << 16;
    }
  }
}

void scale_and_clamp(const WaveState& wave, const Instruction& instruction, u64* values) {
  const u8 scale = effective_scale(wave, instruction, Kind::f64);
  for (u32 lane = 0; lane < wave.lanes; ++lane) {
    f64 number = std::bit_cast<f64>(values[lane]);
    if (scale != 0) number = flush_f64(scale_value(number, scale));
    if (instruction.flags & Instruction::clamp) number = clamp_value(number, wave.dx10_clamp);
    values[lane] = std::bit_cast<u64>(number);
  }
}

template <int W>
const u64* fetch64(const WaveState& wave, const Instruction& instruction, const Operand& operand, Kind kind,
                   Row<u64>& row) {
  if (!operand.plain()) [[unlikely]] {
    fetch_modified64(wave, instruction, operand, kind, row);
  } else if (operand.kind == OperandKind::vector) {
    const u32* low = wave.row(operand.index);
    const u32* high = wave.row(operand.index + 1);
    for (int i = 0; i < W; ++i) row.lane[i] = low[i] | (u64{high[i]} << 32);
  } else {
    const u64 value = scalar_value64(wave, operand);
    for (int i = 0; i < W; ++i) row.lane[i] = value;
  }
  return row.data();
}

template <int W>
const u32* fetch_mask(const WaveState& wave, const Operand& operand, Row<u32>& row) {
  const u64 mask = mask_value(wave, operand);
  const u32 low = static_cast<u32>(mask), high = static_cast<u32>(mask >> 32);
  for (int i = 0; i < 32; ++i) row.lane[i] = (low >> i) & 1;
  if constexpr (W == 64) {
    for (int i = 0; i < 32; ++i) row.lane[32 + i] = (high >> i) & 1;
  }
  return row.data();
}

template <int W>
void commit_some(WaveState& wave, u32 index, const u32* values) {
  u32* out = wave.row(index);
  const u32* mask = wave.mask_row();
  for (int i = 0; i < W; ++i) out[i] = (values[i] & mask[i]) | (out[i] & ~mask[i]);
}

template <int W>
void commit64(WaveState& wave, const Instruction& instruction, const Operand& operand, const u64* values) {
  if (all_active<W>(wave) && (instruction.flags & Instruction::partial_write) == 0) [[likely]] {
    u32* __restrict low = wave.row(operand.index), * __restrict high = wave.row(operand.index + 1);
    for (int i = 0; i < W; ++i) low[i] = static_cast<u32>(values[i]);
    for (int i = 0; i < W; ++i) high[i] = static_cast<u32>(values[i] >> 32);
    return;
  }
  Row<u32> half;
  Operand place = operand;
  for (int i = 0; i < W; ++i) half.lane[i] = static_cast<u32>(values[i]);
  commit32<W>(wave, instruction, place, half.data());
  for (int i = 0; i < W; ++i) half.lane[i] = static_cast<u32>(values[i] >> 32);
  ++place.index;
  commit32<W>(wave, instruction, place, half.data());
}

template <int W>
void commit_flags(WaveState& wave, const Instruction& instruction, const Operand& operand,
                  const Row<u32>& flags) {
  u64 mask = 0;
#if defined(__AVX2__)
  for (int first = 0; first < W; first += 8) {
    const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(flags.data() + first));
    mask |= u64{static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(eight)))} << first;
  }
#else
  for (int i = 0; i < W; ++i) mask |= u64{flags.lane[i] & 1} << i;
#endif
  u64 active = wave.exec();
  if (instruction.flags & Instruction::partial_write) [[unlikely]]
    active = written_lanes(wave, instruction);
  mask &= active;
  if (instruction.flags & Instruction::merge_mask) mask |= wave.read_mask(operand.index) & ~active;
  wave.write_mask(operand.index, mask);
  if (instruction.flags & Instruction::also_exec) wave.set_exec(mask);
}

template const u64* fetch64<32>(const WaveState&, const Instruction&, const Operand&, Kind, Row<u64>&);
template const u32* fetch_mask<32>(const WaveState&, const Operand&, Row<u32>&);
template void commit_some<32>(WaveState&, u32, const u32*);
template void commit64<32>(WaveState&, const Instruction&, const Operand&, const u64*);
template void commit_flags<32>(WaveState&, const Instruction&, const Operand&, const Row<u32>&);
template const u64* fetch64<64>(const WaveState&, const Instruction&, const Operand&, Kind, Row<u64>&);
template const u32* fetch_mask<64>(const WaveState&, const Operand&, Row<u32>&);
template void commit_some<64>(WaveState&, u32, const u32*);
template void commit64<64>(WaveState&, const Instruction&, const Operand&, const u64*);
template void commit_flags<64>(WaveState&, const Instruction&, const Operand&, const Row<u32>&);

}  // namespace lockstep
