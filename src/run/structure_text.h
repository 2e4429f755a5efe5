// Structures and raw bytes as a user writes them.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

// "{int:1,float4:(1,2,3,4),{char:1}}": the bytes of a structure whose fields lie and are padded as C has it,
// each at a multiple of its type's size. Arrays are char[3]:(1,2,3); a structure in braces is a field as
// well, and so is pointers' "null". Error: "bad-argument" with no place.
Expected<std::vector<u8>> structure_bytes(std::string_view text);

// "0a0b": bytes in memory order. Error: "bad-argument" with no place.
Expected<std::vector<u8>> hexadecimal_bytes(std::string_view text);

}  // namespace lockstep
