// Changes to a module of LLVM IR, as text, before LLVM 19's r600 back end has it: what the back end lacks or
// gets wrong, and GPU and IR can say otherwise. Each gives back the same text where there is nothing to
// change. Lines are as LLVM prints them: an instruction a line.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep::r600 {

// Every function but the kernels is to be inlined wherever it is called.
std::string with_inlined_functions(std::string_view module);

// Conversions of signed 64-bit integers to floats by their magnitude: LLVM 19 counts the leading zeros of the
// magnitude and shifts the number itself.
std::string with_repaired_conversions(std::string_view module);

// Unsigned divisions of 32 bits whose dividend may be a sign-extended number: LLVM 19 divides by 24 bits
// where all upper bits of both operands are alike, ones too. The dividend goes through an operation that
// changes nothing and that LLVM cannot see through.
std::string with_whole_dividends(std::string_view module);

// Vectors that are made longer, element by element: LLVM joins the elements of a loaded vector with others by
// an operation (insert_subvector) that it then has no code for. Each goes through an operation that changes
// nothing and that LLVM cannot see through.
std::string with_separate_elements(std::string_view module);

// Kernels' parameters that are vectors of two or four bytes, as one integer: LLVM 19 looks for each byte but
// the first in the wrong place.
std::string with_whole_parameters(std::string_view module);

// llvm.is.fpclass of f32, for which there is no code, as comparisons of the bits with each stretch of the
// classes that are asked for.
std::string with_integer_classes(std::string_view module);

// Global atomics on 32 bits whose result is used, compare-and-exchange and exchange: the back end has no
// patterns for the hardware's RAT operations that return a value. They become its typed stores, which take
// any number of a RAT, and which name_of_store() gives their names back in the assembly; data are x the
// operand, y the address to which hardware writes the old value, w the comparand. A load from `own_memory`
// follows them.
std::string with_returned_values(std::string_view module, u32 own_memory);

// What number stands for in "MEM_RAT STORE_TYPED RAT(number)": "ATOMIC_ADD_RTN", "NOP" for what
// with_marked_ends() put in; empty where it is a store.
std::string name_of_store(u32 number);

// A work-item's or group's number that is put into a vector as it comes is one that the back end cannot
// select: such numbers go through an operation first. `everywhere`: all numbers, since the back end makes
// vectors of its own.
std::string with_computed_ids(std::string_view module, bool everywhere);

// Private variables in memory, each work-item's from address `begin` on. The back end keeps them in indexed
// registers, of which there are few, and its packets order accesses to them wrongly.
// bytes: by kernel, how many its variables take, with those up to `reserved`.
struct PrivateMemory {
  std::string module;
  std::map<std::string, u64> bytes;
};
PrivateMemory with_private_memory(std::string_view module, u32 begin, u32 reserved);

// Kernels whose last instructions the back end would leave unfinished: it does where a clause comes right
// before the end.
std::string with_marked_ends(std::string_view module, std::span<const std::string> kernels);

}  // namespace lockstep::r600
