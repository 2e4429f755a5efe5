// What the matrix instructions share: the formats of their elements, where a lane's registers keep them, and
// the product itself. A matrix instruction reads and writes every lane, whatever EXEC says.
#pragma once
#include <array>

#include "float/fp8.h"
#include "float/round.h"
#include "isa/shapes.h"

namespace lockstep::amd::matrix {

// Element formats: their bits, the type that they are multiplied in, and what their bits mean.
struct Halves {
  static constexpr u32 bits = 16;
  using Value = f32;
  static f32 value(u32 raw) { return f16_to_f32(static_cast<f16>(raw)); }
  static u32 raw(f32 value) { return f32_to_f16(value); }
};
struct BrainHalves {
  static constexpr u32 bits = 16;
  using Value = f32;
  static f32 value(u32 raw) { return bf16_to_f32(static_cast<bf16>(raw)); }
  static u32 raw(f32 value) { return f32_to_bf16(value); }
};
struct Singles {
  static constexpr u32 bits = 32;
  using Value = f32;
  static f32 value(u32 raw) { return as_f32(raw); }
  static u32 raw(f32 value) { return as_u32(value); }
};
// f32 of which the multiplier takes eleven bits.
struct ShortSingles {
  static constexpr u32 bits = 32;
  using Value = f32;
  static f32 value(u32 raw) {
    if (is_nan<Single>(raw)) return as_f32(raw);
    constexpr u32 cut = 13;
    return as_f32((raw + (1u << (cut - 1)) - 1 + ((raw >> cut) & 1)) & ~((1u << cut) - 1));
  }
};
template <class F>
struct Bytes {
  static constexpr u32 bits = 8;
  using Value = f32;
  static f32 value(u32 raw) { return byte_to_f32<F>(static_cast<fp8>(raw)); }
};
struct SignedBytes {
  static constexpr u32 bits = 8;
  using Value = i32;
  static i32 value(u32 raw) { return static_cast<i8>(raw); }
};
struct Integers {
  static constexpr u32 bits = 32;
  using Value = i32;
  static i32 value(u32 raw) { return static_cast<i32>(raw); }
  static u32 raw(i32 value) { return static_cast<u32>(value); }
};
// RDNA's bytes and nibbles, signed where the instruction says so.
template <u32 width>
struct Fields {
  static constexpr u32 bits = width;
  using Value = i32;
  static i32 value(u32 raw, bool is_signed) {
    const u32 raised = raw << (32 - width);
    return is_signed ? static_cast<i32>(raised) >> (32 - width) : static_cast<i32>(raised >> (32 - width));
  }
};

// A register of an operand; constants and scalars are the same in every lane.
inline u32 register_of(const WaveState& wave, const Operand& operand, u32 number, u32 lane) {
  if (operand.kind == OperandKind::vector) return wave.row(operand.index + number)[lane];
  if (operand.kind == OperandKind::scalar) return wave.read_scalar(operand.index + number);
  return static_cast<u32>(operand.value);
}
// Element `number` of a lane, elements packed from the lowest register's lowest bits on.
template <class F>
inline u32 element_bits(const WaveState& wave, const Operand& operand, u32 number, u32 lane) {
  const u32 first = number * F::bits;
  const u32 word = register_of(wave, operand, first / 32, lane) >> (first % 32);
  return F::bits == 32 ? word : word & ((1u << (F::bits % 32)) - 1);
}
inline f64 element64(const WaveState& wave, const Operand& operand, u32 number, u32 lane) {
  if (operand.kind == OperandKind::immediate) return as_f64(operand.value);
  return as_f64(register_of(wave, operand, 2 * number, lane) |
                u64{register_of(wave, operand, 2 * number + 1, lane)} << 32);
}

inline f32 multiply_add(f32 a, f32 b, f32 c) {
  return fma_f32(a, b, c);
}
inline f64 multiply_add(f64 a, f64 b, f64 c) {
  return fma_f64(a, b, c);
}
inline i64 multiply_add(i32 a, i32 b, i64 c) {
  return c + i64{a} * b;
}

// A (M by K), B (depth by N) and the sums, as the product takes them. `at` says which row of B the element of
// A meets: its own number, but for sparse matrices, which keep two of each four.
template <class T, class Sum, u32 M, u32 N, u32 K, u32 Depth = K>
struct Product {
  T a[M][K];
  T b[Depth][N];
  u8 at[M][K];
  Sum sum[M][N];

  Product() {
    for (auto& row : at) {
      for (u32 k = 0; k < K; ++k) row[k] = static_cast<u8>(k);
    }
  }
  // In ascending order of k, each sum rounded once a step.
  void run() {
    for (u32 i = 0; i < M; ++i) {
      for (u32 k = 0; k < K; ++k) {
        const T left = a[i][k];
        const T* right = b[at[i][k]];
        for (u32 j = 0; j < N; ++j) sum[i][j] = multiply_add(left, right[j], sum[i][j]);
      }
    }
  }
};

// The two bits that say which of four elements a kept one is: of pair p, the bits 4p..4p+1 and 4p+2..4p+3.
inline u32 sparse_position(u32 index_bits, u32 kept) {
  return (index_bits >> (2 * kept)) & 3;
}

inline constexpr std::string_view order_of_sums =
    "products exact, sums in ascending order of k and rounded after each, where the hardware's order and its "
    "treatment of denormals are not published";

}  // namespace lockstep::amd::matrix
