// The source lines of Intel's machine code, from the object's DWARF line tables.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/elf.h"
#include "base/scratch.h"
#include "compile/job.h"

namespace lockstep {

struct GenLine {
  u32 address = 0;  // in the kernel's code, bytes; the line holds up to the next one
  u32 file = 0, line = 0, column = 0;
};

struct GenLines {
  std::vector<std::string> files;
  std::map<std::string, std::vector<GenLine>> of_kernel;  // by rising address
};

// Empty where the object has no line tables: Intel's compiler makes none for modules of several kernels.
// Errors: those of CompileJob::run.
Expected<GenLines> gen_lines(CompileJob& job, const ScratchDirectory& scratch, const std::string& object,
                             const ElfFile& elf);

}  // namespace lockstep
