// Constant data of NVIDIA modules, before LLVM's NVPTX back end writes it.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// The module (LLVM IR as text) with vectors of three elements in the initial values of its variables made
// vectors of four. LLVM 19 writes the three and leaves their padding out, so that what follows them in a
// table or structure lies too low (NVPTXAsmPrinter::bufferLCConstant fills up to an element's size only where
// its container says it, which arrays don't). Both take the same memory, and who reads the variable names the
// type that it reads by itself, so nothing else changes.
std::string with_padded_constants(std::string_view module);

}  // namespace lockstep
