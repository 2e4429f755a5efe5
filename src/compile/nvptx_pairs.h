// A repair of LLVM 19's NVPTX back end, in LLVM IR as text.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// The module with every parameter and result of the type <2 x i8> (OpenCL's char2 and uchar2) passed as i16.
// The back end takes such a parameter apart as if it were two halves of a 32-bit word, so that its second
// element is what lies behind the parameter; and it crashes at calls that it does not inline. Names beginning
// with "llvm." are instructions, and stay as they are.
std::string pairs_as_words(std::string_view module);

}  // namespace lockstep
