// Matrix instructions: which element of which matrix lies where in which lane, and what multiplying them
// gives. Source: "Parallel Thread Execution ISA", version 8.5, 9.7.14 (Warp Level Matrix Instructions).
#pragma once
#include <optional>
#include <string>

#include "isa/semantic.h"
#include "machine/target.h"

namespace lockstep::nv {

enum class Element : u8 { none, f16, bf16, tf32, f32, f64, s8, u8_, s4, u4, b1, s32, e4m3, e5m2 };
Element element_named(std::string_view type);
u32 bits_of(Element element);

// How fragments lie in lanes.
enum class Fragments : u8 {
  eights,  // mma of m8n8 and m16n8: rows by lane / 4, pairs of columns by lane % 4
  quads,   // mma.m8n8k4 of f16: four products of 8x8x4, each by eight lanes
  linear,  // wmma: the manual leaves it open; element after element here
};

struct MatrixForm {
  u32 m = 0, n = 0, k = 0;
  Element a = Element::none, b = Element::none, c = Element::none, d = Element::none;
  Fragments fragments = Fragments::eights;
  bool a_column = false, b_row = false;  // quads: of layout .col and .row
  bool saturates = false;                // .satfinite: integer sums
  bool bit_and = false;                  // b1: and instead of xor
  u32 capability = 0;                    // the target's, which decides how sums are rounded
};

// Registers of one lane that hold the matrix: 32-bit ones, but 64-bit ones for f64.
struct FragmentSize {
  u32 registers = 0, elements = 0;
};
enum class Matrix : u8 { a, b, c };  // c: the accumulators, results too
FragmentSize fragment_size(const MatrixForm& form, Matrix matrix, Element element);
u32 matrix_rows(const MatrixForm& form, Matrix matrix);
u32 matrix_columns(const MatrixForm& form, Matrix matrix);
// Row and column of element `number` of a lane's fragment; four matrices one behind the other for quads.
struct Cell {
  u32 product = 0, row = 0, column = 0;
};
Cell cell_of(const MatrixForm& form, Matrix matrix, Element element, u32 lane, u32 number);

// mma and wmma.mma. Tables::registers at operand[5].value: rows of the result, of A, B and C;
// Tables::forms at detail.
const Semantic& multiply_matrices();
// wmma.load and wmma.store: address [1], rows of the fragment in the table, stride in elements [2] (none:
// without gaps); Tables::forms at detail & 0xFFFF, the matrix in bits 17:16, bit 18: column-major.
const Semantic& load_fragment();
const Semantic& store_fragment();
// ldmatrix, stmatrix: address [1]; the table has 1, 2 or 4 rows; detail: 1 for .trans.
const Semantic& load_eights();
const Semantic& store_eights();
// movmatrix.sync.aligned.m8n8.trans.b16: result [0], source [1].
const Semantic& transpose_eights();

}  // namespace lockstep::nv
