// Work that a program's code does and its source may not have meant.
#pragma once
#include <vector>

#include "isa/program.h"

namespace lockstep {

struct CodeMarks {             // by instruction
  std::vector<bool> doubles;   // arithmetic of 64-bit floats, their conversions included
  std::vector<bool> converts;  // of these, between them and 32-bit floats
  // Quotients and remainders of integers: an instruction, or the vector arithmetic of source lines in which
  // the compiler has made one of a reciprocal.
  std::vector<bool> divides;
};

CodeMarks code_marks(const Code& code);

}  // namespace lockstep
