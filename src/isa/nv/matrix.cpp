#include "isa/nv/matrix.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "isa/nv/lanes.h"
#include "isa/nv/matrix_sum.h"
#include "isa/nv/splits.h"

namespace lockstep::nv {
namespace {

struct CrossLane {
  static constexpr Shape shape = Shape::cross_lane;
};

bool whole_wave(const WaveState& wave, StepContext& context) {
  if (active(wave) == 0xFFFFFFFF) return true;
  refuse(context, "a matrix instruction that not all lanes of the wave execute");
  return false;
}

u64 raw_element(const WaveState& wave, const u32* rows, u32 bits, u32 lane, u32 number) {
  if (bits == 64) return wave.row(rows[number])[lane] | u64{wave.row(rows[number] + 1)[lane]} << 32;
  const u32 each = 32 / bits;
  const u32 word = wave.row(rows[number / each])[lane];
  return bits == 32 ? word : (word >> (number % each * bits)) & ((1u << bits) - 1);
}
void put_raw(WaveState& wave, const u32* rows, u32 bits, u32 lane, u32 number, u64 value) {
  if (bits == 64) {
    wave.row(rows[number])[lane] = static_cast<u32>(value);
    wave.row(rows[number] + 1)[lane] = static_cast<u32>(value >> 32);
    return;
  }
  const u32 each = 32 / bits, shift = number % each * bits;
  const u32 mask = bits == 32 ? ~0u : ((1u << bits) - 1) << shift;
  u32& word = wave.row(rows[number / each])[lane];
  word = (word & ~mask) | (static_cast<u32>(value) << shift & mask);
}

f64 real_of(Element element, u64 raw) {
  switch (element) {
    case Element::f16:
      return f16_to_f64(static_cast<u16>(raw));
    case Element::bf16:
      return f64{bf16_to_f32(static_cast<u16>(raw))};
    case Element::tf32:  // the lower 13 bits are not looked at
      return f64{as_f32(static_cast<u32>(raw) & 0xFFFFE000u)};
    case Element::f32:
      return f64{as_f32(static_cast<u32>(raw))};
    case Element::e4m3: {
      const u32 exponent = (raw >> 3) & 15, mantissa = raw & 7;
      const f64 sign = (raw & 0x80) != 0 ? -1.0 : 1.0;
      if (exponent == 15 && mantissa == 7) return as_f64(0x7FF8000000000000u);
      return exponent == 0 ? sign * mantissa * 0x1p-9
                           : sign * (8 + mantissa) * as_f64(static_cast<u64>(exponent + 1023 - 10) << 52);
    }
    case Element::e5m2:
      return f16_to_f64(static_cast<u16>(raw << 8));
    default:
      return as_f64(raw);
  }
}
i64 whole_of(Element element, u64 raw) {
  switch (element) {
    case Element::s8:
      return static_cast<i8>(raw);
    case Element::s4:
      return static_cast<i8>(raw << 4) >> 4;
    case Element::s32:
      return static_cast<i32>(raw);
    default:
      return static_cast<i64>(raw);
  }
}

using Values = std::vector<u64>;

// All elements of one matrix, row by row; product after product.
Values gathered(const WaveState& wave, const MatrixForm& form, Matrix matrix, Element element,
                const u32* rows) {
  const u32 columns = matrix_columns(form, matrix), size = matrix_rows(form, matrix) * columns;
  Values values(std::size_t{size} * (form.fragments == Fragments::quads ? 4 : 1));
  const u32 count = fragment_size(form, matrix, element).elements, bits = bits_of(element);
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 i = 0; i < count; ++i) {
      const Cell cell = cell_of(form, matrix, element, lane, i);
      values[std::size_t{cell.product} * size + cell.row * columns + cell.column] =
          raw_element(wave, rows, bits, lane, i);
    }
  }
  return values;
}

u64 bit_product(const MatrixForm& form, const u64* a, const u64* b, u32 stride, u64 c) {
  u32 sum = static_cast<u32>(c);
  for (u32 k = 0; k < form.k; ++k)
    sum += static_cast<u32>(form.bit_and ? a[k] & b[std::size_t{k} * stride]
                                         : a[k] ^ b[std::size_t{k} * stride]);
  return sum;
}
u64 whole_product(const MatrixForm& form, const u64* a, const u64* b, u32 stride, u64 c) {
  i64 sum = static_cast<i32>(c);
  for (u32 k = 0; k < form.k; ++k)
    sum += whole_of(form.a, a[k]) * whole_of(form.b, b[std::size_t{k} * stride]);
  if (form.saturates) sum = std::clamp<i64>(sum, INT32_MIN, INT32_MAX);
  return static_cast<u32>(sum);
}
u64 double_product(const MatrixForm& form, const u64* a, const u64* b, u32 stride, u64 c) {
  f64 sum = as_f64(c);
  for (u32 k = 0; k < form.k; ++k) sum = fma_f64(as_f64(a[k]), as_f64(b[std::size_t{k} * stride]), sum);
  return as_u64(sum);
}
u64 real_product(const MatrixForm& form, const u64* a, const u64* b, u32 stride, u64 c) {
  const SumRule rule = sum_rule(form.capability, form.a == Element::tf32);
  std::array<f64, 16> terms;
  const f64 start = real_of(form.c, c);
  f32 sum = static_cast<f32>(start);
  for (u32 first = 0; first < form.k; first += rule.block) {
    const u32 count = std::min(rule.block, form.k - first);
    for (u32 i = 0; i < count; ++i)
      terms[i] = real_of(form.a, a[first + i]) * real_of(form.b, b[std::size_t{first + i} * stride]);
    sum = block_sum(terms.data(), count, sum, rule.extra_bits);
  }
  if (form.d == Element::f16) return canonical_nan_f16(f32_to_f16(sum));
  return as_u32(canonical_nan_f32(sum));
}

struct Multiply : CrossLane {
  static constexpr std::string_view name = "mma";
  static constexpr std::string_view bound =
      "sums of f16, bf16, tf32 and 8-bit floats: rounded as measured on V100, A100 and H100 (Fasi et al. "
      "2021, "
      "Khattak and Mikaitis 2025)";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!whole_wave(wave, context)) return;
    const Tables& tables = *ptx(wave).tables;
    const MatrixForm& form = tables.forms[in.detail];
    const u32* rows = tables.registers[in.operand[5].value].data();
    const u32* result_rows = rows;
    rows += fragment_size(form, Matrix::c, form.d).registers;
    const Values a = gathered(wave, form, Matrix::a, form.a, rows);
    rows += fragment_size(form, Matrix::a, form.a).registers;
    const Values b = gathered(wave, form, Matrix::b, form.b, rows);
    rows += fragment_size(form, Matrix::b, form.b).registers;
    const Values c = gathered(wave, form, Matrix::c, form.c, rows);

    const u32 products = form.fragments == Fragments::quads ? 4 : 1;
    Values d(c.size());
    const auto multiply = form.a == Element::b1    ? bit_product
                          : form.a == Element::f64 ? double_product
                          : form.d == Element::s32 ? whole_product
                                                   : real_product;
    for (u32 p = 0; p < products; ++p) {
      const u64 *pa = a.data() + std::size_t{p} * form.m * form.k,
                *pb = b.data() + std::size_t{p} * form.k * form.n;
      for (u32 row = 0; row < form.m; ++row) {
        for (u32 column = 0; column < form.n; ++column) {
          const std::size_t at = (std::size_t{p} * form.m + row) * form.n + column;
          d[at] = multiply(form, pa + std::size_t{row} * form.k, pb + column, form.n, c[at]);
        }
      }
    }
    const u32 count = fragment_size(form, Matrix::c, form.d).elements, bits = bits_of(form.d);
    for (u32 lane = 0; lane < 32; ++lane) {
      for (u32 i = 0; i < count; ++i) {
        const Cell cell = cell_of(form, Matrix::c, form.d, lane, i);
        put_raw(wave, result_rows, bits, lane, i,
                d[(std::size_t{cell.product} * form.m + cell.row) * form.n + cell.column]);
      }
    }
  }
};

struct Transpose : CrossLane {
  static constexpr std::string_view name = "movmatrix";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!whole_wave(wave, context)) return;
    Row<u32> room, out;
    const u32* from = fetch32<W>(wave, in, in.operand[1], Kind::u32, room);
    // Lane l holds row l / 4, columns 2 (l % 4) and the next.
    const auto element = [&](u32 row, u32 column) {
      return (from[row * 4 + column / 2] >> (16 * (column & 1))) & 0xFFFF;
    };
    for (u32 lane = 0; lane < 32; ++lane) {
      const u32 row = lane / 4, column = lane % 4 * 2;
      out.lane[lane] = element(column, row) | element(column + 1, row) << 16;
    }
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

}  // namespace

const Semantic& multiply_matrices() {
  return semantic32<Multiply>;
}
const Semantic& transpose_eights() {
  return semantic32<Transpose>;
}

}  // namespace lockstep::nv
