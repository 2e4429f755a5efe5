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
GenLines gen_lines(CompileJob& job, const ScratchDirectory& scratch, const std::string& object,
                   const ElfFile& elf);

// From the file that the compiler makes beside its older kind of object: an ELF file for each kernel, behind
// a header of 28 bytes and one of 12 for each (Intel's graphics compiler, SProgramDebugDataHeaderIGC). Of
// kernels that are as long as those of the object.
GenLines gen_lines_apart(CompileJob& job, const ScratchDirectory& scratch, std::string_view debug,
                         const ElfFile& elf);

}  // namespace lockstep
