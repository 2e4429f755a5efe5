// Lockstep's own device library (devlib/): what the compilers' libraries lack or compute wrongly.
#pragma once
#include <string>
#include <vector>

#include "compile/job.h"

namespace lockstep {

// The sources for one of AMD's targets, in the order in which they are linked. Error
// "device-library-missing".
Expected<std::vector<std::string>> amd_devlib_sources(const Target& target);

// One source's bitcode and how clang makes it.
struct DevlibPart {
  std::string source;
  std::vector<std::string> arguments;  // all but the source and the output
  std::string digest;                  // of these, of the source with its headers, and of the compiler
};

// What clang has to make of them. They are the same for every target: like rocm-device-libs, they name no
// GPU, and take the kernel's when they are linked. `c11_atomics`: with those of OpenCL C 2.0 and 3.0,
// hundreds of functions that no other program names.
Expected<std::vector<DevlibPart>> amd_devlib_parts(const Target& target, bool c11_atomics = true);
Expected<std::vector<DevlibPart>> nvptx_devlib_parts(SourceLanguage language, bool c11_atomics = true);

// AMD's VLIW targets.
Expected<std::vector<std::string>> r600_devlib_sources();
Expected<std::vector<DevlibPart>> r600_devlib_parts();

// The name of a part's file among the prebuilt ones.
std::string devlib_file_name(const DevlibPart& part);

Status compile_devlib_part(const DevlibPart& part, const std::string& output, CompileJob& job);

// The bitcode files' paths: prebuilt, or made in `scratch` by the compiler or from the cache.
Expected<std::vector<std::string>> devlib_bitcode(const Expected<std::vector<DevlibPart>>& parts,
                                                  CompileJob& job, const ScratchDirectory& scratch,
                                                  bool use_cache);

// The headers that a source may include: those of its folder and of the one above, sorted.
std::vector<std::string> devlib_headers(const std::string& source);

// The sources for NVIDIA's targets, to be linked before libclc's library. Error "device-library-missing".
Expected<std::vector<std::string>> nvptx_devlib_sources(SourceLanguage language);

}  // namespace lockstep
