// The parts of the integer chapter; valu_integer_rows() joins them.
#pragma once
#include <span>
#include <vector>

#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> valu_arithmetic_rows();  // sums, carries, products, minima
std::span<const Row> valu_bits_rows();        // logic, shifts, bit fields, counts, moves, cndmask
std::span<const Row> valu_short_rows();       // 16-bit integers
std::span<const Row> valu_bytes_rows();       // bytes: sums of absolute differences, lerp, perm, align

}  // namespace lockstep::amd
