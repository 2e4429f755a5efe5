// Building programs, and their binaries.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "compile/compile.h"
#include "opencl/types.h"
#include "run/application.h"

namespace lockstep::opencl {

// What messages and line tables call a program's source.
inline constexpr const char* source_name = opencl_source_name;

// Builds for one device from `source` or, where it has none, from `build.binary`. Fills everything of
// `build`. CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, CL_INVALID_BINARY.
cl_int build_for_device(const std::string* source, const std::string& options, Build& build);

// The driver's binary format: a mark, a checksum, what it is, the target, and the compiled object or bitcode.
std::string make_binary(const Build& build, bool argument_info, std::string_view content);
// The bitcode in a build that was compiled or linked to a library, or loaded from such a binary.
std::optional<std::string> bitcode_of(const Build& build);
// CL_PROGRAM_BINARY_TYPE_... of bytes that binary_fits() accepts.
cl_program_binary_type type_of_binary(const std::string& binary);
// Whether the bytes can be a program for the device: the driver's own format or a code object.
bool binary_fits(const _cl_device_id& device, const std::string& binary);
// Gives build.executable from build.binary.
cl_int load_binary(Build& build);

// A request to compile for the build's device.
CompileRequest compile_request(const Build& build, std::vector<std::string> options);
// What a failed compilation adds to the log: the compiler's own words where there are any.
std::string log_of(const Diagnostic& diagnostic);
// Whether the compiler refused an option, not the source.
bool names_bad_option(const Diagnostic& diagnostic);
// Makes the build executable with what was compiled. CL_SUCCESS or CL_BUILD_PROGRAM_FAILURE.
cl_int adopt(const CompileResult& compiled, bool argument_info, Build& build);

bool has_option(const std::string& options, std::string_view option);

}  // namespace lockstep::opencl
