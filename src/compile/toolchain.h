// Where the compilers and their device libraries are.
#pragma once
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

enum class Tool : u8 { clang, llvm_mc, lld, opt, objdump, llc, dwarfdump, ocloc, iga };

// The program's path: from the environment (LOCKSTEP_CLANG, LOCKSTEP_LLVM_MC, LOCKSTEP_LLD, LOCKSTEP_OPT,
// LOCKSTEP_OBJDUMP, LOCKSTEP_LLC, LOCKSTEP_DWARFDUMP, LOCKSTEP_OCLOC, LOCKSTEP_IGA), else "<name>-19" in
// PATH, else in /usr/lib/llvm-19/bin; Intel's have no number.
// Error "tool-missing" names the Debian package that has it.
Expected<std::string> find_tool(Tool tool);

// Directory with opencl.bc, ocml.bc, ockl.bc and the oclc_*.bc switches of rocm-device-libs; environment:
// LOCKSTEP_AMD_DEVICE_LIBS. Error "device-library-missing".
Expected<std::string> find_amd_device_libraries();

// Path of libclc's nvptx64--nvidiacl.bc; environment: LOCKSTEP_NVPTX_LIBRARY. Error "device-library-missing".
Expected<std::string> find_nvptx_library();

// Path of libclc's library for one of AMD's VLIW chips, "cypress-r600--.bc"; environment:
// LOCKSTEP_R600_LIBRARIES, the directory that holds it. Error "device-library-missing".
Expected<std::string> find_r600_library(std::string_view chip);

// The directory of Lockstep's own device library: $LOCKSTEP_DEVLIB, else beside the program or driver
// (installed_folder), else in the source tree. Error "device-library-missing".
Expected<std::string> find_devlib();

// What tells one version of a file from another without reading it: real path, size and modification time.
// "missing:<path>" when there is none.
std::string file_identity(const std::string& path);

// The same without what differs between two computers that have the same package installed.
std::string file_version(const std::string& path);

}  // namespace lockstep
