// NVIDIA: OpenCL C to PTX text.
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

// With libclc's builtins linked; what libclc lacks stays an undefined function in the text. Nothing is
// cached.
Expected<PtxText> compile_nvptx(const CompileRequest& request, const std::string& source);

}  // namespace lockstep
