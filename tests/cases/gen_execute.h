// Cases of Intel's GPUs: the case's lines are instructions of a kernel, as the Intel Graphics Assembler
// writes them.
#pragma once
#include <string>

#include "cases/case_file.h"

namespace lockstep::cases {

// Empty when the case passes; else the whole story: the kernel and differences.
std::string run_gen_case(const Case& entry, const std::string& target);

// The mnemonic of a line of code: "math.inv"; empty for a label.
std::string gen_mnemonic(const std::string& line);

}  // namespace lockstep::cases
