// Cases of PTX: the case's lines stand in a kernel that fetches the registers named by `before` and stores
// those named by `after`; it is loaded and run as any other.
#pragma once
#include <string>

#include "cases/case_file.h"
#include "cases/coverage.h"

namespace lockstep::cases {

inline constexpr u32 ptx_buffer_bytes = 4096;  // of %mem, and of the shared memory `lds`

// Empty when the case passes; else the whole story: the kernel, states, differences.
std::string run_ptx_case(const Case& entry, const std::string& target, Coverage& coverage);

// The case as a job for tests/nvidia/runner.cpp, which asks a real GPU for what the model answered; nothing
// is written for a case that must be refused or fault, or that prints. Returns what went wrong.
std::string emit_ptx_job(const Case& entry, const std::string& target, const std::string& folder,
                         const std::string& label);

}  // namespace lockstep::cases
