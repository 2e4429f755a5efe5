// Packed instructions (VOP3P): two 16-bit values in a register, mixed-precision multiply-add, dot products,
// and pairs of f32. Source: "Vega Instruction Set Architecture", 12.12; "Vega 7nm" and "CDNA 2 Instruction
// Set Architecture" for dot products and packed f32.
#include "isa/amd/float_meanings.h"
#include "isa/amd/valu_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct Packed {
  static constexpr Shape shape = Shape::packed;
};

// A lanewise meaning on each half.
template <class S>
struct OnHalves : S {
  static constexpr Shape shape = Shape::packed;
  static constexpr Flow flow = Flow::any;
  static constexpr Name text{"pk_", S::name};
  static constexpr std::string_view name = text;
};

template <class T>
T saturate(i32 value) {
  constexpr i32 most = std::is_signed_v<T> ? 32767 : 65535, least = std::is_signed_v<T> ? -32768 : 0;
  return static_cast<T>(value > most ? most : value < least ? least : value);
}
// The clamp bit saturates the exact sum, difference or product sum; without it the result wraps.
template <class T>
struct PkAdd : Packed {
  static constexpr std::string_view name = std::is_signed_v<T> ? "pk_add_i16" : "pk_add_u16";
  static T apply(T a, T b) { return static_cast<T>(a + b); }
  static T apply_clamp(T a, T b) { return saturate<T>(i32{a} + i32{b}); }
};
template <class T>
struct PkSub : Packed {
  static constexpr std::string_view name = std::is_signed_v<T> ? "pk_sub_i16" : "pk_sub_u16";
  static T apply(T a, T b) { return static_cast<T>(a - b); }
  static T apply_clamp(T a, T b) { return saturate<T>(i32{a} - i32{b}); }
};
template <class T>
struct PkMad : Packed {
  static constexpr std::string_view name = std::is_signed_v<T> ? "pk_mad_i16" : "pk_mad_u16";
  static T apply(T a, T b, T c) { return static_cast<T>(u32(a) * u32(b) + u32(c)); }
  static T apply_clamp(T a, T b, T c) {
    const i64 exact = i64{a} * b + c;
    constexpr i64 most = std::is_signed_v<T> ? 32767 : 65535, least = std::is_signed_v<T> ? -32768 : 0;
    return static_cast<T>(exact > most ? most : exact < least ? least : exact);
  }
};
struct PkMulLoU16 : Packed {
  static constexpr std::string_view name = "pk_mul_lo_u16";
  static u16 apply(u16 a, u16 b) { return static_cast<u16>(u32{a} * b); }
};
template <class T>
struct PkMin : Packed {
  static constexpr std::string_view name = std::is_signed_v<T> ? "pk_min_i16" : "pk_min_u16";
  static T apply(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct PkMax : Packed {
  static constexpr std::string_view name = std::is_signed_v<T> ? "pk_max_i16" : "pk_max_u16";
  static T apply(T a, T b) { return a < b ? b : a; }
};
struct PkLshlrevB16 : Packed {
  static constexpr std::string_view name = "pk_lshlrev_b16";
  static u16 apply(u16 shift, u16 a) { return static_cast<u16>(u32{a} << (shift & 15)); }
};
struct PkLshrrevB16 : Packed {
  static constexpr std::string_view name = "pk_lshrrev_b16";
  static u16 apply(u16 shift, u16 a) { return static_cast<u16>(a >> (shift & 15)); }
};
struct PkAshrrevI16 : Packed {
  static constexpr std::string_view name = "pk_ashrrev_i16";
  static i16 apply(u16 shift, i16 a) { return static_cast<i16>(a >> (shift & 15)); }
};

// A source's 32-bit registers as they are: the instructions below read their modifiers in their own way.
template <int W>
const u32* raw_row(const WaveState& wave, const Operand& operand, u32 part, lockstep::Row<u32>& room) {
  if (operand.kind == OperandKind::vector) return wave.row(operand.index + part);
  const u32 value = operand.kind == OperandKind::scalar ? wave.read_scalar(operand.index + part)
                                                        : static_cast<u32>(operand.value);
  for (int i = 0; i < W; ++i) room.lane[i] = value;
  return room.data();
}

bool bit(u8 bits, int position) {
  return ((bits >> position) & 1) != 0;
}

// V_MAD_MIX and V_FMA_MIX: op_sel_hi says that a source is an f16, op_sel which half of its register;
// negation and absolute value act on the value, whatever its format.
struct MixSource {
  bool half = false;
  u32 shift = 0;
  u32 clear = 0, flip = 0;  // sign bit operations on the f32

  MixSource(const Instruction& in, int i) {
    const Operand& operand = in.operand[1 + i];
    half = bit(in.amd.packed_select, 4 + i);
    shift = bit(in.amd.packed_select, i) ? 16 : 0;
    // The decoder widens float constants to f32; as an f16 source they have the same value.
    if (operand.kind == OperandKind::immediate && (operand.value & 0x7FFF0000) != 0) half = false;
    clear = (operand.modifiers & Operand::absolute) || bit(in.amd.packed_negate, 4 + i) ? 0x80000000u : 0;
    flip = (operand.modifiers & Operand::negate) || bit(in.amd.packed_negate, i) ? 0x80000000u : 0;
  }
  f32 value(u32 raw, FloatMode wide) const {
    const f32 number = half ? f16_to_f32(flush_in_f16(static_cast<u16>(raw >> shift), wide)) : as_f32(raw);
    return as_f32((as_u32(number) & ~clear) ^ flip);
  }
};

struct MadOperation {
  static f32 compute(f32 a, f32 b, f32 c, FloatMode m) {
    if (m.is_plain()) return mad_f32(a, b, c);
    return with_round(m.round, [&]<Round R>() { return mad_f32<R>(a, b, c); });
  }
};
struct FmaOperation {
  static f32 compute(f32 a, f32 b, f32 c, FloatMode m) {
    return m.is_plain() ? fma_f32(a, b, c) : fma_f32(a, b, c, m);
  }
};

enum class MixResult { single, low, high };

template <class Operation, MixResult where>
struct Mix {
  static constexpr bool fused = std::is_same_v<Operation, FmaOperation>;
  static constexpr std::string_view name =
      where == MixResult::single ? (fused ? "fma_mix_f32" : "mad_mix_f32")
      : where == MixResult::low  ? (fused ? "fma_mixlo_f16" : "mad_mixlo_f16")
                                 : (fused ? "fma_mixhi_f16" : "mad_mixhi_f16");
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_exec | (where == MixResult::high ? implies::reads_result : 0);
  static constexpr Flow flow = where == MixResult::high ? Flow::mix_to_high : Flow::mix;
  static constexpr Kind result = where == MixResult::single ? Kind::f32 : Kind::f16;
  static constexpr u8 sources = 3;
  static constexpr std::array<Kind, 4> source_kinds{Kind::f32, Kind::f32, Kind::f32};

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 mode = shapes::mode_of(wave);
    const FloatMode single = single_mode(mode), wide = wide_mode(mode);
    lockstep::Row<u32> room[3], out;
    const u32* row[3];
    for (int i = 0; i < 3; ++i) row[i] = raw_row<W>(wave, in.operand[1 + i], 0, room[i]);
    const MixSource a(in, 0), b(in, 1), c(in, 2);
    for (int i = 0; i < W; ++i) {
      const f32 value = Operation::compute(a.value(row[0][i], wide), b.value(row[1][i], wide),
                                           c.value(row[2][i], wide), single);
      if constexpr (where == MixResult::single) {
        out.lane[i] = as_u32(value);
      } else {
        out.lane[i] = flush_out_f16(f32_to_f16(value, wide.round), wide);
      }
    }
    if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, result, out.data());
    if constexpr (where == MixResult::high) {
      const u32* old = wave.row(in.operand[0].index);
      for (int i = 0; i < W; ++i) out.lane[i] = (old[i] & 0xFFFF) | out.lane[i] << 16;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

// Dot products of the halves, bytes or nibbles of two registers, and an accumulator. Only the 16-bit forms
// have op_sel.
struct HalfPair {
  u32 low_shift, high_shift, low_flip, high_flip;
  HalfPair(const Instruction& in, int i)
      : low_shift(bit(in.amd.packed_select, i) ? 16 : 0),
        high_shift(bit(in.amd.packed_select, 4 + i) ? 16 : 0),
        low_flip(bit(in.amd.packed_negate, i) ? 0x8000 : 0),
        high_flip(bit(in.amd.packed_negate, 4 + i) ? 0x8000 : 0) {}
  u16 low(u32 raw) const { return static_cast<u16>(raw >> low_shift); }
  u16 high(u32 raw) const { return static_cast<u16>(raw >> high_shift); }
  f32 low_float(u32 raw) const { return f16_to_f32(static_cast<u16>(low(raw) ^ low_flip)); }
  f32 high_float(u32 raw) const { return f16_to_f32(static_cast<u16>(high(raw) ^ high_flip)); }
};

template <int W, class F>
void dot_lanes(WaveState& wave, const Instruction& in, F function) {
  lockstep::Row<u32> room[3], out;
  const u32* row[3];
  for (int i = 0; i < 3; ++i) row[i] = raw_row<W>(wave, in.operand[1 + i], 0, room[i]);
  for (int i = 0; i < W; ++i) out.lane[i] = function(row[0][i], row[1][i], row[2][i]);
  commit32<W>(wave, in, in.operand[0], out.data());
}

struct DotShape {
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::any;
  static constexpr u8 sources = 3;
};

// The order of the additions is the one that the CDNA 3 manual writes; products of f16 are exact in f32.
struct Dot2F32F16 : DotShape {
  static constexpr std::string_view name = "dot2_f32_f16";
  static constexpr std::string_view bound = "order of the additions as in the CDNA 3 ISA; denormals flushed";
  static constexpr Kind result = Kind::f32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::packed16, Kind::packed16, Kind::f32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const HalfPair a(in, 0), b(in, 1);
    const u32 clear = bit(in.amd.packed_negate, 6) ? 0x80000000u : 0,
              flip = bit(in.amd.packed_negate, 2) ? 0x80000000u : 0;
    lockstep::Row<u32> room[3], out;
    const u32* row[3];
    for (int i = 0; i < 3; ++i) row[i] = raw_row<W>(wave, in.operand[1 + i], 0, room[i]);
    for (int i = 0; i < W; ++i) {
      const f32 c = flush_f32(as_f32((row[2][i] & ~clear) ^ flip));
      const f32 first = fma_f32(a.low_float(row[0][i]), b.low_float(row[1][i]), c);
      out.lane[i] = as_u32(flush_f32(fma_f32(a.high_float(row[0][i]), b.high_float(row[1][i]), first)));
    }
    if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, Kind::f32, out.data());
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

template <bool is_signed>
u32 accumulate(i64 sum, bool clamp) {
  if (!clamp) return static_cast<u32>(static_cast<u64>(sum));
  constexpr i64 most = is_signed ? 0x7FFFFFFF : 0xFFFFFFFF, least = is_signed ? -i64{0x80000000} : 0;
  return static_cast<u32>(static_cast<u64>(sum > most ? most : sum < least ? least : sum));
}

template <bool is_signed>
struct Dot2I32I16 : DotShape {
  static constexpr std::string_view name = is_signed ? "dot2_i32_i16" : "dot2_u32_u16";
  static constexpr Kind result = is_signed ? Kind::i32 : Kind::u32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::packed16, Kind::packed16, result};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    using Half16 = std::conditional_t<is_signed, i16, u16>;
    using Word = std::conditional_t<is_signed, i32, u32>;
    const HalfPair a(in, 0), b(in, 1);
    const bool clamp = (in.flags & Instruction::clamp) != 0;
    dot_lanes<W>(wave, in, [=](u32 x, u32 y, u32 c) {
      const i64 low = i64{static_cast<Half16>(a.low(x))} * static_cast<Half16>(b.low(y));
      const i64 high = i64{static_cast<Half16>(a.high(x))} * static_cast<Half16>(b.high(y));
      return accumulate<is_signed>(low + high + i64{static_cast<Word>(c)}, clamp);
    });
  }
};

// `bits` is 8 or 4; a field is signed by the two flags.
template <u32 bits>
i64 dot_fields(u32 x, u32 y, bool x_signed, bool y_signed) {
  i64 sum = 0;
  for (u32 at = 0; at < 32; at += bits) {
    const auto field = [&](u32 word, bool is_signed) {
      const u32 raised = word << (32 - bits - at);
      return is_signed ? static_cast<i32>(raised) >> (32 - bits) : static_cast<i32>(raised >> (32 - bits));
    };
    sum += i64{field(x, x_signed)} * field(y, y_signed);
  }
  return sum;
}

template <u32 bits, bool is_signed>
struct DotFields : DotShape {
  static constexpr std::string_view name =
      bits == 8 ? (is_signed ? "dot4_i32_i8" : "dot4_u32_u8") : (is_signed ? "dot8_i32_i4" : "dot8_u32_u4");
  static constexpr Kind result = is_signed ? Kind::i32 : Kind::u32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, result};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    using Word = std::conditional_t<is_signed, i32, u32>;
    const bool clamp = (in.flags & Instruction::clamp) != 0;
    dot_lanes<W>(wave, in, [=](u32 x, u32 y, u32 c) {
      return accumulate<is_signed>(dot_fields<bits>(x, y, is_signed, is_signed) + i64{static_cast<Word>(c)},
                                   clamp);
    });
  }
};

// RDNA 3: neg_lo says which of the two sources is signed.
template <u32 bits>
struct DotMixedFields : DotShape {
  static constexpr std::string_view name = bits == 8 ? "dot4_i32_iu8" : "dot8_i32_iu4";
  static constexpr Kind result = Kind::i32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::i32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const bool clamp = (in.flags & Instruction::clamp) != 0;
    const bool x_signed = bit(in.amd.packed_negate, 0), y_signed = bit(in.amd.packed_negate, 1);
    dot_lanes<W>(wave, in, [=](u32 x, u32 y, u32 c) {
      return accumulate<true>(dot_fields<bits>(x, y, x_signed, y_signed) + i64{static_cast<i32>(c)}, clamp);
    });
  }
};

// Packed f32 (CDNA 2 and 3): pairs of registers; op_sel picks the source register of the low result,
// op_sel_hi of the high one.
struct PkPair {
  static constexpr Shape shape = Shape::custom;
  // Compilers leave one of the two results unused, and its sources unwritten.
  static constexpr Flow flow = Flow::pairs;
  static constexpr Kind result = Kind::u64;
  static constexpr std::array<Kind, 4> source_kinds{Kind::f32, Kind::f32, Kind::f32};

  template <int W, int count, class F>
  static void run(WaveState& wave, const Instruction& in, F function) {
    lockstep::Row<u32> out[2];
    for (u32 part = 0; part < 2; ++part) {
      lockstep::Row<u32> room[count];
      const u32* row[count];
      u32 flip[count];
      for (int i = 0; i < count; ++i) {
        const Operand& operand = in.operand[1 + i];
        const u32 chosen = bit(in.amd.packed_select, static_cast<int>(4 * part) + i) ? 1 : 0;
        row[i] = raw_row<W>(wave, operand, chosen, room[i]);
        flip[i] = bit(in.amd.packed_negate, static_cast<int>(4 * part) + i) ? 0x80000000u : 0;
      }
      for (int i = 0; i < W; ++i) {
        if constexpr (count == 2) {
          out[part].lane[i] = function(row[0][i] ^ flip[0], row[1][i] ^ flip[1], 0u);
        } else {
          out[part].lane[i] = function(row[0][i] ^ flip[0], row[1][i] ^ flip[1], row[2][i] ^ flip[2]);
        }
      }
      if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, Kind::f32, out[part].data());
    }
    for (u32 part = 0; part < 2; ++part) commit_row<W>(wave, in.operand[0].index + part, out[part].data());
  }
};
// A lanewise meaning on each of the pair.
template <class S>
struct OnPair : PkPair {
  static constexpr Name text{"pk_", S::name};
  static constexpr std::string_view name = text;
  static constexpr u8 sources = static_cast<u8>(Signature<decltype(&S::apply)>::arity);
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 mode = shapes::mode_of(wave);
    run<W, sources>(wave, in, [mode](u32 a, u32 b, u32 c) {
      if constexpr (sources == 2) {
        return as_u32(S::apply_mode(as_f32(a), as_f32(b), mode));
      } else {
        return as_u32(S::apply_mode(as_f32(a), as_f32(b), as_f32(c), mode));
      }
    });
  }
};
// The low result is the chosen half of the first source, the high result of the second.
struct PkMovB32 : PkPair {
  static constexpr std::string_view name = "pk_mov_b32";
  static constexpr Flow flow = Flow::move_pairs;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    lockstep::Row<u32> out[2];
    for (int part = 0; part < 2; ++part) {
      lockstep::Row<u32> room;
      const u32* row = raw_row<W>(wave, in.operand[1 + part], bit(in.amd.packed_select, part) ? 1 : 0, room);
      for (int i = 0; i < W; ++i) out[part].lane[i] = row[i];
    }
    for (u32 part = 0; part < 2; ++part) commit_row<W>(wave, in.operand[0].index + part, out[part].data());
  }
};

template <MixResult where>
using MadMix = Mix<MadOperation, where>;
template <MixResult where>
using FmaMix = Mix<FmaOperation, where>;

}  // namespace

std::span<const Row> valu_half_packed_rows() {
  constexpr Cost half = Cost::valu_f16, full = Cost::valu_full, dot = Cost::valu_dot;
  constexpr u32 mad_mixes = gfx900, fma_mixes = gfx906 | cdna | rdna;
  constexpr u32 dots = gfx906 | cdna | gfx10 | gfx103, from_gfx11 = gfx11 | gfx12;
  constexpr u32 pairs = gfx90a | gfx940;
  static constexpr Row rows[] = {
      {"v_pk_add_f16", &semantic<OnHalves<FloatAdd<F16>>>, half, gfx9up},
      {"v_pk_mul_f16", &semantic<OnHalves<FloatMul<F16>>>, half, gfx9up},
      {"v_pk_fma_f16", &semantic<OnHalves<FloatFma<F16>>>, half, gfx9up},
      {"v_pk_fmac_f16", &semantic<OnHalves<FloatFma<F16>>>, half, cdna | rdna, accumulates},
      {"v_pk_min_f16", &semantic<OnHalves<FloatMin<F16>>>, half, gfx9up & ~gfx12},
      {"v_pk_max_f16", &semantic<OnHalves<FloatMax<F16>>>, half, gfx9up & ~gfx12},
      {"v_pk_min_num_f16", &semantic<OnHalves<FloatMin<F16>>>, half, gfx12},
      {"v_pk_max_num_f16", &semantic<OnHalves<FloatMax<F16>>>, half, gfx12},
      {"v_pk_minimum_f16", &semantic<OnHalves<FloatMinimum<F16>>>, half, gfx12},
      {"v_pk_maximum_f16", &semantic<OnHalves<FloatMaximum<F16>>>, half, gfx12},
      {"v_pk_add_u16", &semantic<PkAdd<u16>>, half, gfx9up},
      {"v_pk_add_i16", &semantic<PkAdd<i16>>, half, gfx9up},
      {"v_pk_sub_u16", &semantic<PkSub<u16>>, half, gfx9up},
      {"v_pk_sub_i16", &semantic<PkSub<i16>>, half, gfx9up},
      {"v_pk_mad_u16", &semantic<PkMad<u16>>, half, gfx9up},
      {"v_pk_mad_i16", &semantic<PkMad<i16>>, half, gfx9up},
      {"v_pk_mul_lo_u16", &semantic<PkMulLoU16>, half, gfx9up},
      {"v_pk_min_u16", &semantic<PkMin<u16>>, half, gfx9up},
      {"v_pk_min_i16", &semantic<PkMin<i16>>, half, gfx9up},
      {"v_pk_max_u16", &semantic<PkMax<u16>>, half, gfx9up},
      {"v_pk_max_i16", &semantic<PkMax<i16>>, half, gfx9up},
      {"v_pk_lshlrev_b16", &semantic<PkLshlrevB16>, half, gfx9up},
      {"v_pk_lshrrev_b16", &semantic<PkLshrrevB16>, half, gfx9up},
      {"v_pk_ashrrev_i16", &semantic<PkAshrrevI16>, half, gfx9up},
      {"v_mad_mix_f32", &semantic<MadMix<MixResult::single>>, full, mad_mixes},
      {"v_mad_mixlo_f16", &semantic<MadMix<MixResult::low>>, full, mad_mixes, keeps_high_half},
      {"v_mad_mixhi_f16", &semantic<MadMix<MixResult::high>>, full, mad_mixes},
      {"v_fma_mix_f32", &semantic<FmaMix<MixResult::single>>, full, fma_mixes},
      {"v_fma_mixlo_f16", &semantic<FmaMix<MixResult::low>>, full, fma_mixes, keeps_high_half},
      {"v_fma_mixhi_f16", &semantic<FmaMix<MixResult::high>>, full, fma_mixes},
      {"v_dot2_f32_f16", &semantic<Dot2F32F16>, dot, dots | from_gfx11},
      {"v_dot2c_f32_f16", &semantic<Dot2F32F16>, dot, cdna | gfx103, accumulates},
      {"v_dot2acc_f32_f16", &semantic<Dot2F32F16>, dot, from_gfx11, accumulates},
      {"v_dot2_i32_i16", &semantic<Dot2I32I16<true>>, dot, dots},
      {"v_dot2_u32_u16", &semantic<Dot2I32I16<false>>, dot, dots},
      {"v_dot2c_i32_i16", &semantic<Dot2I32I16<true>>, dot, cdna, accumulates},
      {"v_dot4_i32_i8", &semantic<DotFields<8, true>>, dot, dots},
      {"v_dot4c_i32_i8", &semantic<DotFields<8, true>>, dot, cdna | gfx103, accumulates},
      {"v_dot4_u32_u8", &semantic<DotFields<8, false>>, dot, dots | from_gfx11},
      {"v_dot8_i32_i4", &semantic<DotFields<4, true>>, dot, dots},
      {"v_dot8c_i32_i4", &semantic<DotFields<4, true>>, dot, cdna, accumulates},
      {"v_dot8_u32_u4", &semantic<DotFields<4, false>>, dot, dots | from_gfx11},
      {"v_dot4_i32_iu8", &semantic<DotMixedFields<8>>, dot, from_gfx11},
      {"v_dot8_i32_iu4", &semantic<DotMixedFields<4>>, dot, from_gfx11},
      {"v_pk_add_f32", &semantic<OnPair<FloatAdd<f32>>>, Cost::valu_packed_f32, pairs},
      {"v_pk_mul_f32", &semantic<OnPair<FloatMul<f32>>>, Cost::valu_packed_f32, pairs},
      {"v_pk_fma_f32", &semantic<OnPair<FloatFma<f32>>>, Cost::valu_packed_f32, pairs},
      {"v_pk_mov_b32", &semantic<PkMovB32>, Cost::valu_packed_f32, pairs},
  };
  return rows;
}

}  // namespace lockstep::amd
