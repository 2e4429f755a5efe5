// Runs one assembled case on a wave, in each way, and compares.
#pragma once
#include <string>

#include "cases/assemble.h"
#include "cases/case_file.h"
#include "cases/coverage.h"
#include "exec/device_memory.h"

namespace lockstep::cases {

// The buffer that s[2:3] points at, the local memory of the group, and private memory, which begins two pages
// behind the buffer.
inline constexpr u64 buffer_address = DeviceMemory::first_address, buffer_bytes = 4096;
inline constexpr u32 local_bytes = 65536, private_bytes_per_lane = 256;

// Empty when the case passes; else the whole story: listing, states, differences.
std::string run_case(const Case& entry, const std::string& target, const Assembled& assembled,
                     Coverage& coverage);

}  // namespace lockstep::cases
