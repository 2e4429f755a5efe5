// AMD GCN, CDNA and RDNA: OpenCL C, assembly and code objects to a linked object with its listing.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compile/job.h"
#include "compile/request.h"
#include "isa/listing.h"

namespace lockstep {

// Code objects are version 5: the kernel finds grid and group sizes among its hidden arguments (LLVM, "User
// Guide for AMDGPU Backend", Code Object V5 Metadata).
inline constexpr u32 amd_code_object_version = 5;

// What every run of clang for the target begins with.
std::vector<std::string> amd_target_arguments(const CompileRequest& request);

// `source` is the request's text; the language is no longer automatic. Nothing is cached here.
Expected<CompiledObject> compile_amdgcn(const CompileRequest& request, SourceLanguage language,
                                        const std::string& source);

}  // namespace lockstep
