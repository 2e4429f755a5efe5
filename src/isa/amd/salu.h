// The parts of the scalar chapter; salu_rows() joins them.
#pragma once
#include <span>

#include "isa/amd/integer_functions.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {

std::span<const Row> salu_arithmetic_rows();  // moves, selection, sums, products, packing
std::span<const Row> salu_bits_rows();        // logic, shifts, bit fields, counts
std::span<const Row> salu_compare_rows();     // SOPC and s_cmpk

}  // namespace lockstep::amd
