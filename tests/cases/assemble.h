// The cases' assembly through LLVM's assembler: canonical text and encoding of every instruction. All cases
// of a target go through one run of it.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::cases {

struct AssembledLine {
  std::string text;
  std::vector<u32> words;
  u64 address = 0;
};

struct Assembled {
  std::vector<AssembledLine> lines;
  std::string error;  // the assembler's message; empty if it took the case
};

// One entry per input, each with an s_endpgm behind it. Errors: "cannot-run" when there is no assembler.
Expected<std::vector<Assembled>> assemble(const std::string& target, u32 lanes,
                                          const std::vector<const std::vector<std::string>*>& code);

}  // namespace lockstep::cases
