// Bytes and half words for LLVM's r600 back end, which keeps private memory in registers of 32 bits and loses
// stores to parts of them: it reads the register that two parts lie in before it writes either.
#pragma once
#include <string>
#include <string_view>

namespace lockstep::r600 {

// Operations on vectors of bytes and half words that the back end makes of stores to private memory: bitcasts
// between vectors, and elements that are chosen by an index that is known when the kernel runs. They become
// shifts and selections. The same text where there is none.
std::string with_narrow_vectors(std::string_view module);

// Whether the module stores bytes or half words to private variables.
bool stores_narrow_variables(std::string_view module);

}  // namespace lockstep::r600
