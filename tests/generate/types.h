// OpenCL C's types as the generator names, widens and writes them.
#pragma once
#include <string>

#include "tree.h"

namespace lockstep::generate {

std::string name(const Type& type);
bool is_integer(const Type& type);
bool is_signed(Scalar scalar);
u32 bits(const Type& type);  // of one lane

Scalar signed_of(Scalar scalar);
Scalar unsigned_of(Scalar scalar);
Scalar integer_of(u32 bits, bool with_sign);
// The same lanes of another scalar.
Type with(const Type& type, Scalar scalar);
Type lanes_of(const Type& type, u32 lanes);

// A scalar narrower than int takes part in C's promotions: what an operator gives has to be cast back.
bool is_promoted(const Type& type);

// The value as an expression of exactly this type, every lane the same. Integers modulo the type's width.
std::string literal(const Type& type, u64 value);
// A float or double, written so that every compiler reads the same bits.
std::string real_literal(const Type& type, const std::string& digits);
Expression zero(const Type& type);
Expression one(const Type& type);

// C's name of a lane: "s0" to "sf".
std::string lane_name(u32 lane);

}  // namespace lockstep::generate
