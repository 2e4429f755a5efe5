// Matrix multiply-add of CDNA: v_mfma_*, v_smfmac_*.
// Source: "CDNA 1", "CDNA 2" and "CDNA 3 Instruction Set Architecture", chapter "Matrix Arithmetic
// Instructions" (dimensions, CBSZ, ABID, BLGP, NEG, the index of sparse matrices); where an element lies:
// AMD's matrix instruction calculator.
#include "isa/amd/matrix.h"
#include "isa/amd/valu_matrix.h"
#include "isa/memory_shapes.h"

namespace lockstep::amd {
namespace {

using namespace matrix;

// CDNA's waves have 64 lanes: `multiply` is the same for any width that is asked for.
struct Mfma {
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr u16 implied = 0;  // EXEC does not count
  static constexpr u8 sources = 3;
};

// How the lanes that B is read from are moved (BLGP): halves and quarters of the wave broadcast, or all of
// them rotated by a quarter.
u32 source_lane(u32 pattern, u32 lane) {
  switch (pattern) {
    case 1:
    case 2:
      return (lane & 31) | (pattern - 1) << 5;
    case 3:
      return (lane + 16) & 63;
    case 4:
    case 5:
    case 6:
    case 7:
      return (lane & 15) | (pattern - 4) << 4;
    default:
      return lane;
  }
}

// Lane to element, for B blocks of M rows (or columns) by K: M lanes side by side for each block, the rest of
// the lanes for further pieces of K.
template <u32 M, u32 K, u32 B>
struct Inputs {
  static constexpr u32 per_lane = M * K * B / 64;
  static constexpr u32 across(u32 lane) { return lane % M; }
  static constexpr u32 block(u32 lane) { return lane / M % B; }
  static constexpr u32 first_k(u32 lane) { return lane / (M * B) * per_lane; }
};

// Where D's (and C's) elements of a lane lie: f64 counts rows by lanes first, everything else by registers in
// fours.
template <u32 M, u32 B, bool wide>
struct Outputs {
  static constexpr u32 per_lane = M * M * B / 64;
  static constexpr u32 per_block = M == 4 ? (wide ? 1 : 4) : M * M / 64;
  static constexpr u32 column(u32 lane) { return lane % M; }
  static constexpr u32 row(u32 lane, u32 number) {
    if (wide) return M == 4 ? lane / 16 : 4 * number + lane / 16;
    if (M == 4) return number;
    const u32 within = number % per_block;
    return 8 * (within / 4) + 4 * (lane / M) + within % 4;
  }
  static constexpr u32 block(u32 lane, u32 number) { return M == 4 ? lane / 4 % B : number / per_block; }
};

template <class InA, class InB, class Out, u32 M, u32 K, u32 B>
struct Dense : Mfma {
  static_assert(InA::bits == InB::bits);
  static constexpr std::string_view name =
      std::is_same_v<Out, Integers> ? "matrix multiply-add, integer" : "matrix multiply-add, float";
  static constexpr std::string_view bound = std::is_same_v<Out, Integers> ? "" : order_of_sums;
  static constexpr Kind result = std::is_same_v<Out, Integers> ? Kind::i32 : Kind::f32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, result};
  using Sum = std::conditional_t<std::is_same_v<Out, Integers>, i64, f32>;
  using From = Inputs<M, K, B>;
  using To = Outputs<M, B, false>;

  template <int>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    multiply(wave, in);
  }
  [[gnu::noinline]] static void multiply(WaveState& wave, const Instruction& in) {
    const u32 modifiers = in.detail;
    const u32 broadcast = modifiers & 7, chosen = (modifiers >> 3) & 15, lanes_of_b = (modifiers >> 7) & 7;
    std::array<Product<typename InA::Value, Sum, M, M, K>, B> products;
    for (u32 lane = 0; lane < 64; ++lane) {
      const u32 own = From::block(lane), across = From::across(lane), first = From::first_k(lane);
      for (u32 e = 0; e < From::per_lane; ++e) {
        const auto a = InA::value(element_bits<InA>(wave, in.operand[1], e, lane));
        for (u32 block = 0; block < B; ++block) {
          // CBSZ groups blocks by powers of two; each group takes the A of its block number ABID.
          const u32 taken = broadcast == 0 ? block : (block >> broadcast << broadcast) + chosen;
          if (taken == own) products[block].a[across][first + e] = a;
        }
        products[own].b[first + e][across] =
            InB::value(element_bits<InB>(wave, in.operand[2], e, source_lane(lanes_of_b, lane)));
      }
      for (u32 e = 0; e < To::per_lane; ++e) {
        products[To::block(lane, e)].sum[To::row(lane, e)][To::column(lane)] =
            Out::value(register_of(wave, in.operand[3], e, lane));
      }
    }
    for (auto& product : products) product.run();
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 e = 0; e < To::per_lane; ++e) {
        const Sum value = products[To::block(lane, e)].sum[To::row(lane, e)][To::column(lane)];
        wave.row(in.operand[0].index + e)[lane] = Out::raw(static_cast<typename Out::Value>(value));
      }
    }
  }
};

// f64 has signs (NEG) in BLGP's place.
template <u32 M, u32 B>
struct Wide : Mfma {
  static constexpr std::string_view name = "matrix multiply-add, f64";
  static constexpr std::string_view bound = order_of_sums;
  static constexpr Kind result = Kind::f64;
  static constexpr std::array<Kind, 4> source_kinds{Kind::f64, Kind::f64, Kind::f64};
  using From = Inputs<M, 4, B>;
  using To = Outputs<M, B, true>;
  static_assert(From::per_lane == 1);

  template <int>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    multiply(wave, in);
  }
  [[gnu::noinline]] static void multiply(WaveState& wave, const Instruction& in) {
    const auto signed_value = [&](u32 source, u32 number, u32 lane) {
      const f64 value = element64(wave, in.operand[1 + source], number, lane);
      return ((in.amd.packed_negate >> source) & 1) != 0 ? float_detail::negated(value) : value;
    };
    std::array<Product<f64, f64, M, M, 4>, B> products;
    for (u32 lane = 0; lane < 64; ++lane) {
      const u32 block = From::block(lane), across = From::across(lane), k = From::first_k(lane);
      products[block].a[across][k] = signed_value(0, 0, lane);
      products[block].b[k][across] = signed_value(1, 0, lane);
      for (u32 e = 0; e < To::per_lane; ++e) {
        products[To::block(lane, e)].sum[To::row(lane, e)][To::column(lane)] = signed_value(2, e, lane);
      }
    }
    for (auto& product : products) product.run();
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 e = 0; e < To::per_lane; ++e) {
        memory::set_lane_value<u64>(
            wave, in.operand[0].index + 2 * e, lane,
            as_u64(products[To::block(lane, e)].sum[To::row(lane, e)][To::column(lane)]));
      }
    }
  }
};

// Sparse A: two of each four elements along K, and a register that says which. D is C.
template <class InA, class InB, class Out, u32 M, u32 K>
struct Sparse : Mfma {
  static constexpr std::string_view name = std::is_same_v<Out, Integers>
                                               ? "sparse matrix multiply-add, integer"
                                               : "sparse matrix multiply-add, float";
  static constexpr std::string_view bound = std::is_same_v<Out, Integers> ? "" : order_of_sums;
  static constexpr u16 implied = implies::reads_result;
  static constexpr Kind result = std::is_same_v<Out, Integers> ? Kind::i32 : Kind::f32;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::u32};
  using Sum = std::conditional_t<std::is_same_v<Out, Integers>, i64, f32>;
  using Kept = Inputs<M, K / 2, 1>;
  using From = Inputs<M, K, 1>;
  using To = Outputs<M, 1, false>;

  template <int>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    multiply(wave, in);
  }
  [[gnu::noinline]] static void multiply(WaveState& wave, const Instruction& in) {
    // ABID picks the set of index bits where CBSZ is 0; a lane's set has two bits for each element of A.
    constexpr u32 set_bits = 2 * Kept::per_lane;
    const u32 modifiers = in.detail;
    const u32 set = (modifiers & 7) != 0 ? 0 : (modifiers >> 3) % (32 / set_bits);
    Product<typename InA::Value, Sum, M, M, K / 2, K> product;
    for (u32 lane = 0; lane < 64; ++lane) {
      const u32 across = From::across(lane);
      const u32 index = register_of(wave, in.operand[3], 0, lane) >> (set * set_bits);
      for (u32 e = 0; e < Kept::per_lane; ++e) {
        const u32 k = Kept::first_k(lane) + e;
        product.a[across][k] = InA::value(element_bits<InA>(wave, in.operand[1], e, lane));
        product.at[across][k] = static_cast<u8>(k / 2 * 4 + sparse_position(index, e));
      }
      for (u32 e = 0; e < From::per_lane; ++e) {
        product.b[From::first_k(lane) + e][across] =
            InB::value(element_bits<InB>(wave, in.operand[2], e, lane));
      }
      for (u32 e = 0; e < To::per_lane; ++e) {
        product.sum[To::row(lane, e)][To::column(lane)] =
            Out::value(register_of(wave, in.operand[0], e, lane));
      }
    }
    product.run();
    for (u32 lane = 0; lane < 64; ++lane) {
      for (u32 e = 0; e < To::per_lane; ++e) {
        wave.row(in.operand[0].index + e)[lane] =
            Out::raw(static_cast<typename Out::Value>(product.sum[To::row(lane, e)][To::column(lane)]));
      }
    }
  }
};

template <class In, u32 M, u32 K, u32 B>
constexpr const Semantic* floats = &semantic<Dense<In, In, Singles, M, K, B>>;
template <u32 M, u32 K, u32 B>
constexpr const Semantic* integers = &semantic<Dense<SignedBytes, SignedBytes, Integers, M, K, B>>;
template <class In, u32 M, u32 K>
constexpr const Semantic* sparse = &semantic<Sparse<In, In, Singles, M, K>>;

using Fp8 = Bytes<Fp8Fnuz>;
using Bf8 = Bytes<Bf8Fnuz>;
template <class A, class B, u32 M, u32 K>
constexpr const Semantic* bytes = &semantic<Dense<A, B, Singles, M, K, 1>>;
template <class A, class B, u32 M, u32 K>
constexpr const Semantic* sparse_bytes = &semantic<Sparse<A, B, Singles, M, K>>;

}  // namespace

std::span<const Row> valu_mfma_rows() {
  constexpr Cost cost = Cost::valu_matrix;
  constexpr u32 first = gfx908 | gfx90a;  // with the names of before CDNA 3
  static constexpr Row rows[] = {
      {"v_mfma_f32_32x32x1f32", floats<Singles, 32, 1, 2>, cost, first},
      {"v_mfma_f32_16x16x1f32", floats<Singles, 16, 1, 4>, cost, first},
      {"v_mfma_f32_4x4x1f32", floats<Singles, 4, 1, 16>, cost, first},
      {"v_mfma_f32_32x32x2f32", floats<Singles, 32, 2, 1>, cost, first},
      {"v_mfma_f32_16x16x4f32", floats<Singles, 16, 4, 1>, cost, first},
      {"v_mfma_f32_32x32x4f16", floats<Halves, 32, 4, 2>, cost, first},
      {"v_mfma_f32_16x16x4f16", floats<Halves, 16, 4, 4>, cost, first},
      {"v_mfma_f32_4x4x4f16", floats<Halves, 4, 4, 16>, cost, first},
      {"v_mfma_f32_32x32x8f16", floats<Halves, 32, 8, 1>, cost, first},
      {"v_mfma_f32_16x16x16f16", floats<Halves, 16, 16, 1>, cost, first},
      {"v_mfma_f32_32x32x2bf16", floats<BrainHalves, 32, 2, 2>, cost, first},
      {"v_mfma_f32_16x16x2bf16", floats<BrainHalves, 16, 2, 4>, cost, first},
      {"v_mfma_f32_4x4x2bf16", floats<BrainHalves, 4, 2, 16>, cost, first},
      {"v_mfma_f32_32x32x4bf16", floats<BrainHalves, 32, 4, 1>, cost, first},
      {"v_mfma_f32_16x16x8bf16", floats<BrainHalves, 16, 8, 1>, cost, first},
      {"v_mfma_f32_32x32x4bf16_1k", floats<BrainHalves, 32, 4, 2>, cost, gfx90a},
      {"v_mfma_f32_16x16x4bf16_1k", floats<BrainHalves, 16, 4, 4>, cost, gfx90a},
      {"v_mfma_f32_4x4x4bf16_1k", floats<BrainHalves, 4, 4, 16>, cost, gfx90a},
      {"v_mfma_f32_32x32x8bf16_1k", floats<BrainHalves, 32, 8, 1>, cost, gfx90a},
      {"v_mfma_f32_16x16x16bf16_1k", floats<BrainHalves, 16, 16, 1>, cost, gfx90a},
      {"v_mfma_i32_32x32x4i8", integers<32, 4, 2>, cost, first},
      {"v_mfma_i32_16x16x4i8", integers<16, 4, 4>, cost, first},
      {"v_mfma_i32_4x4x4i8", integers<4, 4, 16>, cost, first},
      {"v_mfma_i32_32x32x8i8", integers<32, 8, 1>, cost, first},
      {"v_mfma_i32_16x16x16i8", integers<16, 16, 1>, cost, first},
      {"v_mfma_f64_16x16x4f64", &semantic<Wide<16, 1>>, cost, gfx90a},
      {"v_mfma_f64_4x4x4f64", &semantic<Wide<4, 4>>, cost, gfx90a},

      {"v_mfma_f32_32x32x1_2b_f32", floats<Singles, 32, 1, 2>, cost, gfx940},
      {"v_mfma_f32_16x16x1_4b_f32", floats<Singles, 16, 1, 4>, cost, gfx940},
      {"v_mfma_f32_4x4x1_16b_f32", floats<Singles, 4, 1, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x2_f32", floats<Singles, 32, 2, 1>, cost, gfx940},
      {"v_mfma_f32_16x16x4_f32", floats<Singles, 16, 4, 1>, cost, gfx940},
      {"v_mfma_f32_32x32x4_xf32", floats<ShortSingles, 32, 4, 1>, cost, gfx940},
      {"v_mfma_f32_16x16x8_xf32", floats<ShortSingles, 16, 8, 1>, cost, gfx940},
      {"v_mfma_f32_32x32x4_2b_f16", floats<Halves, 32, 4, 2>, cost, gfx940},
      {"v_mfma_f32_16x16x4_4b_f16", floats<Halves, 16, 4, 4>, cost, gfx940},
      {"v_mfma_f32_4x4x4_16b_f16", floats<Halves, 4, 4, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x8_f16", floats<Halves, 32, 8, 1>, cost, gfx940},
      {"v_mfma_f32_16x16x16_f16", floats<Halves, 16, 16, 1>, cost, gfx940},
      {"v_mfma_f32_32x32x4_2b_bf16", floats<BrainHalves, 32, 4, 2>, cost, gfx940},
      {"v_mfma_f32_16x16x4_4b_bf16", floats<BrainHalves, 16, 4, 4>, cost, gfx940},
      {"v_mfma_f32_4x4x4_16b_bf16", floats<BrainHalves, 4, 4, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x8_bf16", floats<BrainHalves, 32, 8, 1>, cost, gfx940},
      {"v_mfma_f32_16x16x16_bf16", floats<BrainHalves, 16, 16, 1>, cost, gfx940},
      {"v_mfma_i32_32x32x4_2b_i8", integers<32, 4, 2>, cost, gfx940},
      {"v_mfma_i32_16x16x4_4b_i8", integers<16, 4, 4>, cost, gfx940},
      {"v_mfma_i32_4x4x4_16b_i8", integers<4, 4, 16>, cost, gfx940},
      {"v_mfma_i32_32x32x16_i8", integers<32, 16, 1>, cost, gfx940},
      {"v_mfma_i32_16x16x32_i8", integers<16, 32, 1>, cost, gfx940},
      {"v_mfma_f64_16x16x4_f64", &semantic<Wide<16, 1>>, cost, gfx940},
      {"v_mfma_f64_4x4x4_4b_f64", &semantic<Wide<4, 4>>, cost, gfx940},
      {"v_mfma_f32_16x16x32_bf8_bf8", bytes<Bf8, Bf8, 16, 32>, cost, gfx940},
      {"v_mfma_f32_16x16x32_bf8_fp8", bytes<Bf8, Fp8, 16, 32>, cost, gfx940},
      {"v_mfma_f32_16x16x32_fp8_bf8", bytes<Fp8, Bf8, 16, 32>, cost, gfx940},
      {"v_mfma_f32_16x16x32_fp8_fp8", bytes<Fp8, Fp8, 16, 32>, cost, gfx940},
      {"v_mfma_f32_32x32x16_bf8_bf8", bytes<Bf8, Bf8, 32, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x16_bf8_fp8", bytes<Bf8, Fp8, 32, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x16_fp8_bf8", bytes<Fp8, Bf8, 32, 16>, cost, gfx940},
      {"v_mfma_f32_32x32x16_fp8_fp8", bytes<Fp8, Fp8, 32, 16>, cost, gfx940},
      {"v_smfmac_f32_16x16x32_f16", sparse<Halves, 16, 32>, cost, gfx940},
      {"v_smfmac_f32_32x32x16_f16", sparse<Halves, 32, 16>, cost, gfx940},
      {"v_smfmac_f32_16x16x32_bf16", sparse<BrainHalves, 16, 32>, cost, gfx940},
      {"v_smfmac_f32_32x32x16_bf16", sparse<BrainHalves, 32, 16>, cost, gfx940},
      {"v_smfmac_i32_16x16x64_i8", &semantic<Sparse<SignedBytes, SignedBytes, Integers, 16, 64>>, cost,
       gfx940},
      {"v_smfmac_i32_32x32x32_i8", &semantic<Sparse<SignedBytes, SignedBytes, Integers, 32, 32>>, cost,
       gfx940},
      {"v_smfmac_f32_16x16x64_bf8_bf8", sparse_bytes<Bf8, Bf8, 16, 64>, cost, gfx940},
      {"v_smfmac_f32_16x16x64_bf8_fp8", sparse_bytes<Bf8, Fp8, 16, 64>, cost, gfx940},
      {"v_smfmac_f32_16x16x64_fp8_bf8", sparse_bytes<Fp8, Bf8, 16, 64>, cost, gfx940},
      {"v_smfmac_f32_16x16x64_fp8_fp8", sparse_bytes<Fp8, Fp8, 16, 64>, cost, gfx940},
      {"v_smfmac_f32_32x32x32_bf8_bf8", sparse_bytes<Bf8, Bf8, 32, 32>, cost, gfx940},
      {"v_smfmac_f32_32x32x32_bf8_fp8", sparse_bytes<Bf8, Fp8, 32, 32>, cost, gfx940},
      {"v_smfmac_f32_32x32x32_fp8_bf8", sparse_bytes<Fp8, Bf8, 32, 32>, cost, gfx940},
      {"v_smfmac_f32_32x32x32_fp8_fp8", sparse_bytes<Fp8, Fp8, 32, 32>, cost, gfx940},
  };
  return rows;
}

}  // namespace lockstep::amd
