// Building programs, and their binaries.
#pragma once
#include "opencl/types.h"

namespace lockstep::opencl {

// Builds for one device from `source` or, where it has none, from `build.binary`. Fills everything of
// `build`. CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_INVALID_BINARY.
cl_int build_for_device(const std::string* source, const std::string& options, Build& build);

// The driver's binary format: a mark, a checksum, the target, and the compiled object.
std::string make_binary(const _cl_device_id& device, const Executable& executable);
// Whether the bytes can be a program for the device: the driver's own format or a code object.
bool binary_fits(const _cl_device_id& device, const std::string& binary);
// Gives build.executable from build.binary.
cl_int load_binary(Build& build);

bool has_option(const std::string& options, std::string_view option);

}  // namespace lockstep::opencl
