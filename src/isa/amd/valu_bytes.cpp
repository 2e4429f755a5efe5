// Bytes in the vector ALU: sums of absolute differences, interpolation, permutation, alignment.
// Source: "Vega Instruction Set Architecture", chapter VOP3.
#include "isa/amd/integer_functions.h"
#include "isa/amd/names.h"
#include "isa/amd/valu_integer.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

constexpr u32 byte_of(u32 value, int number) {
  return (value >> (8 * number)) & 0xFF;
}

constexpr u32 byte_differences(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 4; ++i) sum += absolute_difference(byte_of(a, i), byte_of(b, i));
  return sum;
}
// Bytes whose reference is 0 don't count.
constexpr u32 masked_differences(u32 a, u32 reference) {
  u32 sum = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 b = byte_of(reference, i);
    sum += b == 0 ? 0 : absolute_difference(byte_of(a, i), b);
  }
  return sum;
}
// Four bytes of a 64-bit value from a byte on.
constexpr u32 window(u64 value, int byte) {
  return static_cast<u32>(value >> (8 * byte));
}
constexpr u32 half_differences(u32 a, u32 b) {
  return absolute_difference(a & 0xFFFF, b & 0xFFFF) + absolute_difference(a >> 16, b >> 16);
}

// Of bytes, halves or the whole.
template <class T>
struct Sad {
  static constexpr Name text{"sad_u", sizeof(T) == 1 ? "8" : sizeof(T) == 2 ? "16" : "32"};
  static constexpr std::string_view name = text;
  static u32 apply(u32 a, u32 b, u32 c) { return differences(a, b) + c; }
  static u32 apply_clamp(u32 a, u32 b, u32 c) { return saturated<u32>(u64{differences(a, b)} + c); }
  static u32 differences(u32 a, u32 b) {
    if constexpr (sizeof(T) == 1) return byte_differences(a, b);
    if constexpr (sizeof(T) == 2) return half_differences(a, b);
    return absolute_difference(a, b);
  }
};
struct SadHiU8 {
  static constexpr std::string_view name = "sad_hi_u8";
  static u32 apply(u32 a, u32 b, u32 c) { return (byte_differences(a, b) << 16) + c; }
  static u32 apply_clamp(u32 a, u32 b, u32 c) {
    return saturated<u32>((u64{byte_differences(a, b)} << 16) + c);
  }
};
struct MsadU8 {
  static constexpr std::string_view name = "msad_u8";
  static u32 apply(u32 a, u32 b, u32 c) { return masked_differences(a, b) + c; }
  static u32 apply_clamp(u32 a, u32 b, u32 c) { return saturated<u32>(u64{masked_differences(a, b)} + c); }
};

// Four windows of the 64-bit source against the same reference; sums of 16 bits, or of 32 bits.
template <u32 (*difference)(u32, u32)>
constexpr u64 four_sums(u64 a, u32 b, u64 c, bool clamp) {
  u64 result = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 sum = difference(window(a, i), b) + static_cast<u16>(c >> (16 * i));
    const u16 field = clamp ? saturated<u16>(i32(sum)) : static_cast<u16>(sum);
    result |= u64{field} << (16 * i);
  }
  return result;
}
struct QsadPkU16U8 {
  static constexpr std::string_view name = "qsad_pk_u16_u8";
  static u64 apply(u64 a, u32 b, u64 c) { return four_sums<byte_differences>(a, b, c, false); }
  static u64 apply_clamp(u64 a, u32 b, u64 c) { return four_sums<byte_differences>(a, b, c, true); }
};
struct MqsadPkU16U8 {
  static constexpr std::string_view name = "mqsad_pk_u16_u8";
  static u64 apply(u64 a, u32 b, u64 c) { return four_sums<masked_differences>(a, b, c, false); }
  static u64 apply_clamp(u64 a, u32 b, u64 c) { return four_sums<masked_differences>(a, b, c, true); }
};
// The accumulator and the result span four registers, which no lane type does.
struct MqsadU32U8 {
  static constexpr std::string_view name = "mqsad_u32_u8";
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::any;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 3;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64, Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    lockstep::Row<u64> room_a;
    lockstep::Row<u32> room_b, out[4];
    const u64* a = fetch64<W>(wave, in, in.operand[1], Kind::u64, room_a);
    const u32* b = fetch32<W>(wave, in, in.operand[2], Kind::u32, room_b);
    for (u32 part = 0; part < 4; ++part) {
      // A constant accumulator stands for its low 32 bits alone.
      Operand accumulator = in.operand[3];
      if (accumulator.kind == OperandKind::immediate) {
        accumulator.value = static_cast<u32>(accumulator.value >> (part < 2 ? 32 * part : 32));
        if (part > 1) accumulator.value = 0;
      } else {
        accumulator.index += part;
      }
      lockstep::Row<u32> room_c;
      const u32* c = fetch32<W>(wave, in, accumulator, Kind::u32, room_c);
      for (int i = 0; i < W; ++i) {
        const u32 reference = b[i];
        const u64 sum = u64{masked_differences(window(a[i], static_cast<int>(part)), reference)} + c[i];
        out[part].lane[i] = in.flags & Instruction::clamp ? saturated<u32>(sum) : static_cast<u32>(sum);
      }
    }
    for (u32 part = 0; part < 4; ++part) commit_row<W>(wave, in.operand[0].index + part, out[part].data());
  }
};

// Each byte's mean; the lowest bit of the third source's byte rounds up.
struct LerpU8 {
  static constexpr std::string_view name = "lerp_u8";
  static u32 apply(u32 a, u32 b, u32 c) {
    u32 result = 0;
    for (int i = 0; i < 4; ++i) {
      result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1) << (8 * i);
    }
    return result;
  }
};

// Each selector byte takes a byte of {high, low}, a sign spread over a byte, 0x00 or 0xFF.
struct Perm {
  static constexpr std::string_view name = "perm_b32";
  static constexpr Flow flow = Flow::permute_bytes;
  static u32 apply(u32 high, u32 low, u32 selectors) {
    const u64 bytes = u64{high} << 32 | low;
    u32 result = 0;
    for (int i = 0; i < 4; ++i) {
      const u32 selector = byte_of(selectors, i);
      const u32 sign = static_cast<u32>(bytes >> (16 * (selector & 3) + 15)) & 1;
      const u32 chosen = selector < 8    ? static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xFF
                         : selector < 12 ? sign * 0xFF
                         : selector > 12 ? 0xFFu
                                         : 0u;
      result |= chosen << (8 * i);
    }
    return result;
  }
};
struct Alignbit {
  static constexpr std::string_view name = "alignbit_b32";
  static constexpr Flow flow = Flow::align_bits;
  static u32 apply(u32 high, u32 low, u32 count) {
    return static_cast<u32>((u64{high} << 32 | low) >> (count & 31));
  }
};
struct Alignbyte {
  static constexpr std::string_view name = "alignbyte_b32";
  static constexpr Flow flow = Flow::align_bytes;
  static u32 apply(u32 high, u32 low, u32 count) {
    return static_cast<u32>((u64{high} << 32 | low) >> (8 * (count & 3)));
  }
};

}  // namespace

std::span<const Row> valu_bytes_rows() {
  static constexpr Row rows[] = {
      {"v_sad_u8", &semantic<Sad<u8>>, Cost::valu_full},
      {"v_sad_hi_u8", &semantic<SadHiU8>, Cost::valu_full},
      {"v_sad_u16", &semantic<Sad<u16>>, Cost::valu_full},
      {"v_sad_u32", &semantic<Sad<u32>>, Cost::valu_full},
      {"v_msad_u8", &semantic<MsadU8>, Cost::valu_full},
      {"v_qsad_pk_u16_u8", &semantic<QsadPkU16U8>, Cost::valu_quarter, gfx7 | gfx8up},
      {"v_mqsad_pk_u16_u8", &semantic<MqsadPkU16U8>, Cost::valu_quarter},
      {"v_mqsad_u32_u8", &semantic<MqsadU32U8>, Cost::valu_quarter, gfx7 | gfx8up},
      {"v_lerp_u8", &semantic<LerpU8>, Cost::valu_full},
      {"v_perm_b32", &semantic<Perm>, Cost::valu_full, gfx8up},
      {"v_alignbit_b32", &semantic<Alignbit>, Cost::valu_full},
      {"v_alignbyte_b32", &semantic<Alignbyte>, Cost::valu_full},
  };
  return rows;
}

}  // namespace lockstep::amd
