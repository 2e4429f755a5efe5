// AMD's VLIW GPUs: OpenCL C to the assembly text of LLVM's r600 back end.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/nvptx.h"

namespace lockstep {

// With libclc's builtins and devlib/r600 linked, and every function inlined, since these GPUs' calls are not
// supported by LLVM. The text ends with parameter_notes() and source_notes(). There is no object: LLVM has no
// disassembler for it, and its writer of objects does not end where constants stand behind code. The language
// is OpenCL C or bitcode.
Expected<PtxText> compile_r600(const CompileRequest& request, SourceLanguage language,
                               const std::string& source);

// As -cl-ext takes them: clang has no images for these targets, which devlib/r600/images.cl gives them.
inline constexpr std::string_view r600_extensions =
    "+cl_khr_3d_image_writes,+__opencl_c_images,+__opencl_c_3d_image_writes";

// What clang is told before the user's own options, for OpenCL C.
std::vector<std::string> r600_front_arguments(const CompileRequest& request);

// Where kernels' parameters lie, from a module of LLVM IR as text: for each of them, in their order,
//   //@lockstep kernel KERNEL
//   //@lockstep parameter KERNEL SPACE OFFSET BYTES ALIGN     SPACE: value, global, constant, local
//   //@lockstep required_group_size KERNEL X Y Z              where the source says so
// Offsets count from where the parameters begin. Error "compile-failed" for a type that has no size here.
Expected<std::string> parameter_notes(std::string_view module);

}  // namespace lockstep
