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
  bool from_cache = false;
};

// The request's source is a text in memory. Functions that it only declares stay undefined. Cached as
// compile()'s results are. Errors: those of compile(), and "bad-header" for a name that leaves the include
// directory.
Expected<Bitcode> compile_to_bitcode(const CompileRequest& request, const std::vector<Header>& headers);

// One module of all; cached. Errors: "compile-failed" with the linker's words where two define one name.
Expected<Bitcode> link_bitcode(const CompileRequest& request, const std::vector<std::string>& modules);

// What clang is told to compile modules for the request's target.
std::vector<std::string> module_arguments(const CompileRequest& request);

}  // namespace lockstep
