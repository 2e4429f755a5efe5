// Dot products of RDNA 3 and 4: of bf16 and f16 pairs with results of 16 bits or f32, and of four 8-bit
// floats. Source: "RDNA 3" and "RDNA 4 Instruction Set Architecture", chapters VOP3 and VOP3P (V_DOT2_*,
// V_DOT4_*).
#include "isa/amd/matrix.h"
#include "isa/amd/valu_matrix.h"

namespace lockstep::amd {
namespace {

using namespace matrix;

constexpr std::string_view order_of_dots =
    "products exact, added from the lowest element on, each sum rounded to f32";

struct Dot {
  static constexpr std::string_view bound = order_of_dots;
  static constexpr Shape shape = Shape::custom;
  static constexpr Flow flow = Flow::any;
  static constexpr u8 sources = 3;

  // The pairs' signs by NEG (low half) and NEG_HI.
  template <class F>
  static f32 half(const Instruction& in, u32 source, u32 raw, u32 number) {
    const bool flips = ((in.amd.packed_negate >> (source + 4 * number)) & 1) != 0;
    return F::value(((raw >> (16 * number)) & 0xFFFF) ^ (flips ? 0x8000 : 0));
  }
  template <int W, class F>
  static void lanes(WaveState& wave, const Instruction& in, Kind kind, F function) {
    lockstep::Row<u32> out;
    for (u32 lane = 0; lane < W; ++lane) {
      out.lane[lane] =
          function(register_of(wave, in.operand[1], 0, lane), register_of(wave, in.operand[2], 0, lane),
                   register_of(wave, in.operand[3], 0, lane));
    }
    if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, kind, out.data());
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

// The accumulator of f32: NEG and NEG_HI are its negation and its absolute value.
f32 accumulator(const Instruction& in, u32 raw) {
  if ((in.amd.packed_negate & 0x40) != 0) raw &= Single::magnitude_mask;
  if ((in.amd.packed_negate & 4) != 0) raw ^= Single::sign_mask;
  return as_f32(raw);
}

struct Dot2F32Bf16 : Dot {
  static constexpr std::string_view name = "dot2_f32_bf16";
  static constexpr Kind result = Kind::f32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::f32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    lanes<W>(wave, in, Kind::f32, [&](u32 a, u32 b, u32 c) {
      f32 sum = accumulator(in, c);
      for (u32 k = 0; k < 2; ++k) {
        sum = fma_f32(half<BrainHalves>(in, 0, a, k), half<BrainHalves>(in, 1, b, k), sum);
      }
      return as_u32(sum);
    });
  }
};

// A result of 16 bits; op_sel's third bit picks the half of the accumulator, its fourth that of the result.
template <class F>
struct Dot2Half : Dot {
  static constexpr std::string_view name = std::is_same_v<F, Halves> ? "dot2_f16_f16" : "dot2_bf16_bf16";
  static constexpr std::string_view bound =
      "products and sums in f32 from the lowest element on, rounded once more";
  static constexpr Kind result = Kind::f16;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::f16};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 shift = (in.amd.packed_select & 4) != 0 ? 16 : 0;
    lanes<W>(wave, in, Kind::f16, [&](u32 a, u32 b, u32 c) {
      f32 sum = 0;
      for (u32 k = 0; k < 2; ++k) sum = fma_f32(half<F>(in, 0, a, k), half<F>(in, 1, b, k), sum);
      return F::raw(add_f32(sum, F::value((c >> shift) & 0xFFFF)));
    });
  }
};

template <class A, class B>
struct Dot4F32Bytes : Dot {
  static constexpr std::string_view name = "dot4_f32_bytes";
  static constexpr Kind result = Kind::f32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::f32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    lanes<W>(wave, in, Kind::f32, [&](u32 a, u32 b, u32 c) {
      f32 sum = accumulator(in, c);
      for (u32 k = 0; k < 32; k += 8) sum = fma_f32(A::value(a >> k & 0xFF), B::value(b >> k & 0xFF), sum);
      return as_u32(sum);
    });
  }
};

using Fp8 = Bytes<Fp8Ocp>;
using Bf8 = Bytes<Bf8Ocp>;

}  // namespace

std::span<const Row> valu_dot_rows() {
  constexpr Cost cost = Cost::valu_dot;
  constexpr u32 from_gfx11 = gfx11 | gfx12;
  static constexpr Row rows[] = {
      {"v_dot2_f32_bf16", &semantic<Dot2F32Bf16>, cost, from_gfx11},
      {"v_dot2_f16_f16", &semantic<Dot2Half<Halves>>, cost, from_gfx11, keeps_high_half},
      {"v_dot2_bf16_bf16", &semantic<Dot2Half<BrainHalves>>, cost, from_gfx11, keeps_high_half},
      {"v_dot4_f32_fp8_fp8", &semantic<Dot4F32Bytes<Fp8, Fp8>>, cost, gfx12},
      {"v_dot4_f32_fp8_bf8", &semantic<Dot4F32Bytes<Fp8, Bf8>>, cost, gfx12},
      {"v_dot4_f32_bf8_fp8", &semantic<Dot4F32Bytes<Bf8, Fp8>>, cost, gfx12},
      {"v_dot4_f32_bf8_bf8", &semantic<Dot4F32Bytes<Bf8, Bf8>>, cost, gfx12},
  };
  return rows;
}

}  // namespace lockstep::amd
