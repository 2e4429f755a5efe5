// The parts of the matrix chapter; valu_matrix_rows() joins them.
#pragma once
#include <span>

#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> valu_mfma_rows();  // CDNA
std::span<const Row> valu_wmma_rows();  // RDNA
std::span<const Row> valu_dot_rows();   // RDNA's dot products that valu_half_packed.cpp does not have

}  // namespace lockstep::amd
