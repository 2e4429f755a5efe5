// Matrix multiply-add of RDNA 3 and 4: v_wmma_*, v_swmmac_*. All matrices are 16 rows or columns wide.
// Source: "RDNA 3" and "RDNA 4 Instruction Set Architecture", chapter "Wave Matrix Multiply Accumulate"
// (layouts for waves of 32 and 64 lanes, NEG, OPSEL, INDEX_KEY).
#include <vector>

#include "isa/amd/integer_functions.h"
#include "isa/amd/matrix.h"
#include "isa/amd/valu_matrix.h"

namespace lockstep::amd {
namespace {

using namespace matrix;

constexpr u32 side = 16;

// RDNA 3: 16 lanes hold a whole row of A or column of B, and the other lanes the same again. Rows of the
// result go to the groups of 16 lanes in turns.
struct Repeated {
  template <u32 K, int W>
  static constexpr u32 per_lane = K;
  static constexpr u32 first_k(u32, u32) { return 0; }
  template <int W>
  static constexpr u32 row(u32 lane, u32 number) {
    return number * (W / side) + lane / side;
  }
  // A 16-bit result is alone in its register, in the half that op_sel names.
  static constexpr bool packs_results = false;
};
// RDNA 4: each group of 16 lanes holds its own piece of K, and a block of the result's rows.
struct Split {
  template <u32 K, int W>
  static constexpr u32 per_lane = K * side / W;
  static constexpr u32 first_k(u32 lane, u32 count) { return lane / side * count; }
  template <int W>
  static constexpr u32 row(u32 lane, u32 number) {
    return lane / side * (side * side / W) + number;
  }
  static constexpr bool packs_results = true;
};

// The sign of a 16-bit element: NEG is for the low half of each register, NEG_HI for the high one.
bool negated_element(const Instruction& in, u32 source, u32 number) {
  return ((in.amd.packed_negate >> (source + (number & 1) * 4)) & 1) != 0;
}

template <class F>
typename F::Value input(const WaveState& wave, const Instruction& in, u32 source, u32 number, u32 lane) {
  const u32 raw = element_bits<F>(wave, in.operand[1 + source], number, lane);
  if constexpr (requires { F::value(raw, true); }) {
    return F::value(raw, ((in.amd.packed_negate >> source) & 1) != 0);
  } else if constexpr (F::bits == 16) {
    return F::value(negated_element(in, source, number) ? raw ^ 0x8000 : raw);
  } else {
    return F::value(raw);
  }
}

// The accumulator's element: 32-bit ones by register, 16-bit ones as the layout has them. NEG and NEG_HI of
// it are negation and absolute value.
template <class Layout, class Out>
typename Out::Value accumulator(const WaveState& wave, const Instruction& in, const Operand& operand,
                                u32 number, u32 lane) {
  u32 raw;
  if constexpr (Out::bits == 32) {
    raw = register_of(wave, operand, number, lane);
  } else if constexpr (Layout::packs_results) {
    raw = element_bits<Out>(wave, operand, number, lane);
  } else {
    const u32 shift = (in.amd.packed_select & 4) != 0 && operand.kind == OperandKind::vector ? 16 : 0;
    raw = (register_of(wave, operand, number, lane) >> shift) & 0xFFFF;
  }
  if constexpr (!std::is_same_v<Out, Integers>) {
    constexpr u32 sign = 1u << (Out::bits - 1);
    if ((in.amd.packed_negate & 0x40) != 0) raw &= ~sign;
    if ((in.amd.packed_negate & 4) != 0) raw ^= sign;
  }
  return Out::value(raw);
}

template <class Layout, class Out>
void put(WaveState& wave, const Instruction& in, u32 number, u32 lane, typename Out::Value value) {
  if constexpr (Out::bits == 32) {
    wave.row(in.operand[0].index + number)[lane] = Out::raw(value);
  } else {
    const bool high = Layout::packs_results ? (number & 1) != 0 : (in.amd.packed_select & 4) != 0;
    u32& to = wave.row(in.operand[0].index + (Layout::packs_results ? number / 2 : number))[lane];
    const u32 half = Out::raw(value);
    to = high ? (to & 0xFFFF) | half << 16 : (to & 0xFFFF0000u) | half;
  }
}

// The sum as it is written: integers wrap, or saturate with the clamp modifier.
template <class Out, class Sum>
typename Out::Value finished(const Instruction& in, Sum sum) {
  if constexpr (std::is_same_v<Out, Integers>) {
    if (in.flags & Instruction::clamp) return saturated<i32>(sum);
  }
  return static_cast<typename Out::Value>(sum);
}

template <class Out>
struct Wmma {
  static constexpr bool integer = std::is_same_v<Out, Integers>;
  static constexpr std::string_view bound = integer ? "" : order_of_sums;
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr u16 implied = 0;  // EXEC does not count
  static constexpr Kind result = integer ? Kind::i32 : Out::bits == 16 ? Kind::f16 : Kind::f32;
  static constexpr u8 sources = 3;
  using Sum = std::conditional_t<integer, i64, f32>;
};

template <class Layout, class InA, class InB, class Out, u32 K>
struct Dense : Wmma<Out> {
  // A 16-bit result that is alone in its register leaves the other half.
  static constexpr u16 implied = Out::bits == 16 && !Layout::packs_results ? implies::reads_result : 0;
  static constexpr std::string_view name =
      Wmma<Out>::integer ? "wave matrix multiply-add, integer" : "wave matrix multiply-add, float";
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Wmma<Out>::result};

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    constexpr u32 inputs = Layout::template per_lane<K, W>, results = side * side / W;
    Product<typename InA::Value, typename Wmma<Out>::Sum, side, side, K> product;
    for (u32 lane = 0; lane < W; ++lane) {
      const u32 across = lane % side, first = Layout::first_k(lane, inputs);
      for (u32 e = 0; e < inputs; ++e) {
        product.a[across][first + e] = input<InA>(wave, in, 0, e, lane);
        product.b[first + e][across] = input<InB>(wave, in, 1, e, lane);
      }
      for (u32 e = 0; e < results; ++e) {
        product.sum[Layout::template row<W>(lane, e)][across] =
            accumulator<Layout, Out>(wave, in, in.operand[3], e, lane);
      }
    }
    product.run();
    for (u32 lane = 0; lane < W; ++lane) {
      for (u32 e = 0; e < results; ++e) {
        put<Layout, Out>(wave, in, e, lane,
                         finished<Out>(in, product.sum[Layout::template row<W>(lane, e)][lane % side]));
      }
    }
  }
};

// Sparse A: two of each four elements along K, and a register that says which. D is C.
template <class InA, class InB, class Out, u32 K>
struct Sparse : Wmma<Out> {
  static constexpr u16 implied = implies::reads_result;
  static constexpr std::string_view name = Wmma<Out>::integer ? "sparse wave matrix multiply-add, integer"
                                                              : "sparse wave matrix multiply-add, float";
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::u32};

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    constexpr u32 kept = Split::per_lane<K / 2, W>, inputs = Split::per_lane<K, W>, results = side * side / W;
    constexpr u32 set_bits = 2 * kept;
    const u32 set = in.detail % (32 / set_bits);
    Product<typename InA::Value, typename Wmma<Out>::Sum, side, side, K / 2, K> product;
    for (u32 lane = 0; lane < W; ++lane) {
      const u32 across = lane % side;
      const u32 index = register_of(wave, in.operand[3], 0, lane) >> (set * set_bits);
      for (u32 e = 0; e < kept; ++e) {
        const u32 k = Split::first_k(lane, kept) + e;
        product.a[across][k] = input<InA>(wave, in, 0, e, lane);
        product.at[across][k] = static_cast<u8>(k / 2 * 4 + sparse_position(index, e));
      }
      for (u32 e = 0; e < inputs; ++e) {
        product.b[Split::first_k(lane, inputs) + e][across] = input<InB>(wave, in, 1, e, lane);
      }
      for (u32 e = 0; e < results; ++e) {
        product.sum[Split::row<W>(lane, e)][across] =
            accumulator<Split, Out>(wave, in, in.operand[0], e, lane);
      }
    }
    product.run();
    for (u32 lane = 0; lane < W; ++lane) {
      for (u32 e = 0; e < results; ++e) {
        put<Split, Out>(wave, in, e, lane,
                        finished<Out>(in, product.sum[Split::row<W>(lane, e)][lane % side]));
      }
    }
  }
};

using Fp8 = Bytes<Fp8Ocp>;
using Bf8 = Bytes<Bf8Ocp>;

template <class In, class Out, u32 K = 16>
constexpr const Semantic* repeated = &semantic<Dense<Repeated, In, In, Out, K>>;
template <class In, class Out, u32 K = 16>
constexpr const Semantic* split = &semantic<Dense<Split, In, In, Out, K>>;
template <class A, class B>
constexpr const Semantic* bytes = &semantic<Dense<Split, A, B, Singles, 16>>;
template <class In, class Out, u32 K = 32>
constexpr const Semantic* sparse = &semantic<Sparse<In, In, Out, K>>;
template <class A, class B>
constexpr const Semantic* sparse_bytes = &semantic<Sparse<A, B, Singles, 32>>;

}  // namespace

std::span<const Row> valu_wmma_rows() {
  constexpr Cost cost = Cost::valu_matrix;
  static constexpr Row rows[] = {
      {"v_wmma_f32_16x16x16_f16", repeated<Halves, Singles>, cost, gfx11},
      {"v_wmma_f32_16x16x16_bf16", repeated<BrainHalves, Singles>, cost, gfx11},
      {"v_wmma_f16_16x16x16_f16", repeated<Halves, Halves>, cost, gfx11},
      {"v_wmma_bf16_16x16x16_bf16", repeated<BrainHalves, BrainHalves>, cost, gfx11},
      {"v_wmma_i32_16x16x16_iu8", repeated<Fields<8>, Integers>, cost, gfx11},
      {"v_wmma_i32_16x16x16_iu4", repeated<Fields<4>, Integers>, cost, gfx11},
      {"v_wmma_f32_16x16x16_f16", split<Halves, Singles>, cost, gfx12},
      {"v_wmma_f32_16x16x16_bf16", split<BrainHalves, Singles>, cost, gfx12},
      {"v_wmma_f16_16x16x16_f16", split<Halves, Halves>, cost, gfx12},
      {"v_wmma_bf16_16x16x16_bf16", split<BrainHalves, BrainHalves>, cost, gfx12},
      {"v_wmma_i32_16x16x16_iu8", split<Fields<8>, Integers>, cost, gfx12},
      {"v_wmma_i32_16x16x16_iu4", split<Fields<4>, Integers>, cost, gfx12},
      {"v_wmma_i32_16x16x32_iu4", split<Fields<4>, Integers, 32>, cost, gfx12},
      {"v_wmma_f32_16x16x16_fp8_fp8", bytes<Fp8, Fp8>, cost, gfx12},
      {"v_wmma_f32_16x16x16_fp8_bf8", bytes<Fp8, Bf8>, cost, gfx12},
      {"v_wmma_f32_16x16x16_bf8_fp8", bytes<Bf8, Fp8>, cost, gfx12},
      {"v_wmma_f32_16x16x16_bf8_bf8", bytes<Bf8, Bf8>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_f16", sparse<Halves, Singles>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_bf16", sparse<BrainHalves, Singles>, cost, gfx12},
      {"v_swmmac_f16_16x16x32_f16", sparse<Halves, Halves>, cost, gfx12},
      {"v_swmmac_bf16_16x16x32_bf16", sparse<BrainHalves, BrainHalves>, cost, gfx12},
      {"v_swmmac_i32_16x16x32_iu8", sparse<Fields<8>, Integers>, cost, gfx12},
      {"v_swmmac_i32_16x16x32_iu4", sparse<Fields<4>, Integers>, cost, gfx12},
      {"v_swmmac_i32_16x16x64_iu4", sparse<Fields<4>, Integers, 64>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_fp8_fp8", sparse_bytes<Fp8, Fp8>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_fp8_bf8", sparse_bytes<Fp8, Bf8>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_bf8_fp8", sparse_bytes<Bf8, Fp8>, cost, gfx12},
      {"v_swmmac_f32_16x16x32_bf8_bf8", sparse_bytes<Bf8, Bf8>, cost, gfx12},
  };
  return rows;
}

std::span<const Row> valu_matrix_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> joined;
    for (const auto part : {valu_mfma_rows, valu_wmma_rows, valu_dot_rows}) {
      joined.insert(joined.end(), part().begin(), part().end());
    }
    return joined;
  }();
  return rows;
}

}  // namespace lockstep::amd
