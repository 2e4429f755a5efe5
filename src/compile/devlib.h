// Lockstep's own device library (devlib/): what the compilers' libraries lack or compute wrongly.
#pragma once
#include <string>
#include <vector>

#include "compile/job.h"

namespace lockstep {

// The sources for one of AMD's targets, in the order in which they are linked. Error
// "device-library-missing".
Expected<std::vector<std::string>> amd_devlib_sources(const Target& target);

// Compiles them into `scratch`, or takes them from the cache, and returns the bitcode files' paths. They are
// the same for every target: like rocm-device-libs, they name no GPU, and take the kernel's when they are
// linked.
Expected<std::vector<std::string>> amd_devlib_bitcode(const Target& target, CompileJob& job,
                                                      const ScratchDirectory& scratch, bool use_cache);

// The headers that a source may include: those of its folder and of the one above, sorted.
std::vector<std::string> devlib_headers(const std::string& source);

// The sources for NVIDIA's targets. Error "device-library-missing".
Expected<std::vector<std::string>> nvptx_devlib_sources(SourceLanguage language);

// As amd_devlib_bitcode, for NVIDIA's targets: to be linked before libclc's library.
Expected<std::vector<std::string>> nvptx_devlib_bitcode(SourceLanguage language, CompileJob& job,
                                                        const ScratchDirectory& scratch, bool use_cache);

}  // namespace lockstep
