// Cases of AMD's VLIW GPUs: the case's lines are an ALU clause, its bundles and their literals.
#pragma once
#include <string>

#include "cases/case_file.h"

namespace lockstep::cases {

// Empty when the case passes; else the whole story: the kernel and differences.
std::string run_vliw_case(const Case& entry, const std::string& target);

}  // namespace lockstep::cases
