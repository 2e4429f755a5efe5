// printf records of Intel's compiler, as records that carry their own format.
//
// Source: Intel's compute runtime, PrintFormatter. The buffer begins with the bytes used, this word among
// them; then each record has the address of its format, of 64 bits, and for each argument its type (a word)
// and its value: of a vector the number of its elements comes between.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"
#include "isa/step.h"

namespace lockstep {

// A buffer as printf_text() reads it. Texts are looked up in `memory`; what lies outside of it, and a
// malformed record, end the result.
std::vector<u8> inline_records(std::span<const u8> buffer, const GlobalMemory& memory);

}  // namespace lockstep
