// NVIDIA: OpenCL C and CUDA C++ to PTX text.
#pragma once
#include <string>

#include "base/diagnostic.h"
#include "compile/job.h"
#include "compile/request.h"

namespace lockstep {

struct PtxText {
  std::string target;  // the machine's: "sm_13", although the text says sm_20, the lowest that clang knows
  std::string ptx;
  std::string log;  // the compiler's warnings

  bool operator==(const PtxText&) const = default;
};

// With libclc's builtins linked; what libclc lacks stays an undefined function in the text. The text ends
// with a comment "//@lockstep argument KERNEL NAME TYPE" for every parameter of a kernel, in their order.
// Nothing is cached.
Expected<PtxText> compile_nvptx(const CompileRequest& request, SourceLanguage language,
                                const std::string& source);

// Those comments, from a module of LLVM IR as text: from the kernels' metadata, or from the parameters'
// names. A parameter without a name is "parameter<number>", an unknown type is left out.
std::string argument_notes(std::string_view module);

}  // namespace lockstep
