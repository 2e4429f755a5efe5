// The parts into which the float chapters are split.
#pragma once
#include <span>

#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row>
valu_float_function_rows();                    // f32: reciprocal, root, exponential, sine, division helpers
std::span<const Row> valu_half_packed_rows();  // VOP3P: packed, mixed, dot products

}  // namespace lockstep::amd
