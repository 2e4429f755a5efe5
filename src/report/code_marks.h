// Work that a program's code does and its source may not have meant.
#pragma once
#include <vector>

#include "isa/program.h"

namespace lockstep {

struct CodeMarks {             // by instruction
  std::vector<bool> doubles;   // arithmetic of 64-bit floats, their conversions included
  std::vector<bool> converts;  // of these, between them and 32-bit floats
  // Quotients and remainders of integers: an instruction, or the vector arithmetic that the compiler has made
  // one of, by source line: what depends on a reciprocal of a float; of an integer (VLIW), all of the line's.
  std::vector<bool> divides;
  // Loops over a wave's lanes in which the compiler puts together what an atomic of the same source line then
  // does once for all of them.
  std::vector<bool> lane_loops;
};

const CodeMarks& code_marks(const Module& module);

// Loads whose results these doubles read, and stores of what they made: values that memory holds as 64-bit
// floats. By the order of the code, each register's value is that of the last instruction in front that
// writes it, through moves.
std::vector<bool> double_accesses(const Module& module, const Program& program, const CodeMarks& marks);

}  // namespace lockstep
