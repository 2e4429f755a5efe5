// Compiling and linking apart (clCompileProgram, clLinkProgram): OpenCL C to LLVM bitcode, modules to one.
// What link_bitcode made is compiled to the end by compile() with SourceLanguage::bitcode.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"

namespace lockstep {

struct Header {
  std::string name;  // as the source includes it
  std::string text;
};

struct Bitcode {
  std::string bytes;
  std::string log;  // the compiler's warnings, unchanged
};

// The request's source is a text in memory. Functions that it only declares stay undefined. Errors: those of
// compile(), and "bad-header" for a name that leaves the include directory.
Expected<Bitcode> compile_to_bitcode(const CompileRequest& request, const std::vector<Header>& headers);

// One module of all. Errors: "compile-failed" with the linker's words where two define one name.
Expected<Bitcode> link_bitcode(const CompileRequest& request, const std::vector<std::string>& modules);

}  // namespace lockstep
