// The types of arguments: by the names that OpenCL C, C++, HIP, CUDA and PTX have for them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "corpus/case.h"
#include "isa/program.h"

namespace lockstep {

// "float", "uchar4", "unsigned int", "size_t", "int32_t", "HIP_vector_type<float, 4u>", PTX's ".f32"; with
// qualifiers and blanks around. Nothing for structures and names that a source has made.
std::optional<corpus::ElementType> find_type(std::string_view name);

// "float4", as OpenCL C has it.
std::string type_text(const corpus::ElementType& type);

// What a parameter's pointer points to, by its type's name: "float const*" is a float. Nothing where the name
// says nothing, or nothing that is a number.
std::optional<corpus::ElementType> pointee_type(const Parameter& parameter);

// Whether bits of one type mean the same as those of the other but for the sign of integers.
bool same_but_for_sign(const corpus::ElementType& a, const corpus::ElementType& b);

// A number as its type's bits. Errors: "bad-argument" with no place: it is no integer, or does not fit.
// Hexadecimal integers may fill all bits of a signed type.
Expected<u64> bits_of_number(corpus::Scalar scalar, const std::string& text);

}  // namespace lockstep
