// The shape of a matrix instruction, for those who ask what it costs.
#pragma once
#include <optional>

#include "isa/instruction.h"
#include "machine/target.h"

namespace lockstep::amd {

enum class MatrixElement : u8 { f64, f32, xf32, bits16, bits8, bits4 };

struct MatrixForm {
  MatrixElement element = MatrixElement::f32;  // of A and B
  bool of_rdna = false;                        // WMMA, SWMMAC; else MFMA, SMFMAC
  bool sparse = false;                         // A has two of four elements
  u32 rows = 0, depth = 0;                     // of the result, which is square; elements summed
  u32 blocks = 1;                              // independent products
};

// What the row of the instruction says of it; nothing where it is no matrix instruction.
std::optional<MatrixForm> matrix_form(const Instruction& instruction, const Target& target);

// Whether `consumer` adds to what `producer` gives, register by register: the sum goes on within the matrix
// unit.
bool accumulates_on(const Instruction& producer, const Instruction& consumer);

}  // namespace lockstep::amd
