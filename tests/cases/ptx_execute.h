// Cases of PTX: the case's lines stand in a kernel that fetches the registers named by `before` and stores
// those named by `after`; it is loaded and run as any other.
#pragma once
#include <string>

#include "cases/case_file.h"

namespace lockstep::cases {

inline constexpr u32 ptx_buffer_bytes = 4096;  // of %mem, and of the shared memory `lds`

// Empty when the case passes; else the whole story: the kernel, states, differences.
std::string run_ptx_case(const Case& entry, const std::string& target);

}  // namespace lockstep::cases
