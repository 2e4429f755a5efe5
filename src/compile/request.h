// What is to be compiled, and how.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "machine/target.h"

namespace lockstep {

// automatic: by the file's contents (ELF) and its name's ending.
// bitcode: LLVM's, as compile_to_bitcode and link_bitcode make it.
// hip, cuda: C++ with device and host code, of which the device code is compiled.
enum class SourceLanguage : u8 { automatic, opencl_c, assembly, code_object, ptx, bitcode, hip, cuda };

struct CompileRequest {
  std::string path;                   // the file, or the name to show for a source in memory
  std::optional<std::string> source;  // the text (or the code object's bytes) when it is not in a file
  SourceLanguage language = SourceLanguage::automatic;
  const Target* target = nullptr;
  std::vector<std::string>
      options;  // as clBuildProgram takes them, one word each: "-cl-mad-enable", "-I", "d"
  std::vector<std::string> defines;  // "NAME" or "NAME=VALUE"
  u32 optimisation = 3;              // 0 to 3; an -O or -cl-opt-disable among the options wins
  bool line_table = true;            // -gline-tables-only: a source line for every instruction
  bool use_cache = true;
  u64 time_limit_ms = 60'000;                      // wall time for all compiler processes together
  u64 memory_limit_bytes = u64{4} << 30;           // address space of each of them
  std::function<void(std::string_view)> progress;  // told in words before each step; may be empty
};

}  // namespace lockstep
