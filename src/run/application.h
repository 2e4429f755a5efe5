// What the driver and those who read its reports agree on.
#pragma once

namespace lockstep {

// What messages, line tables and reports call the source of an application's OpenCL program.
inline constexpr const char* opencl_source_name = "program.cl";

}  // namespace lockstep
