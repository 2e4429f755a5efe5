// Intel's GPUs: OpenCL C to machine code by Intel's offline compiler (ocloc), and its text by the Intel
// Graphics Assembler (iga64).
#pragma once
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "compile/nvptx.h"
#include "compile/request.h"

namespace lockstep {

// The program as one text, which isa/gen reads: of each kernel the disassembly of its machine code, between
// notes that say what the object says of it. Notes are lines that begin with //@lockstep; bytes count from a
// section's begin.
//   //@lockstep gen 1                         first line
//   //@lockstep info TEXT                     a line of .ze_info, as it is there
//   //@lockstep file NUMBER NAME              source files, from 0
//   //@lockstep kernel NAME                   what follows is its code
//   //@lockstep line FILE LINE COLUMN         of the instructions that follow
//   //@lockstep address OFFSET TYPE SYMBOL    a relocation in the code: 1 its address, 2 the address' low
//   half,
//                                             3 its high half
//   //@lockstep data NAME BYTES               a section of data; its contents follow
//   //@lockstep bytes HEX                     32 bytes a line
//   //@lockstep pointer OFFSET TYPE SYMBOL    a relocation in the data
//   //@lockstep symbol NAME SECTION OFFSET BYTES
// Errors: those of CompileJob::run; "compile-failed" with the compiler's messages; "unsupported-object".
// Nothing is cached. The language is OpenCL C or a code object (compile_gen_object).
Expected<PtxText> compile_gen(const CompileRequest& request, SourceLanguage language,
                              const std::string& source);

}  // namespace lockstep
