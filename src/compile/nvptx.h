// NVIDIA: OpenCL C and CUDA C++ to PTX text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/job.h"
#include "compile/request.h"

namespace lockstep {

struct PtxText {
  std::string target;  // the machine's: "sm_13", although the text says sm_20, the lowest that clang knows
  std::string ptx;
  std::string log;                                // the compiler's warnings
  std::vector<std::string> unset_constants = {};  // compile/unset_constants.h

  bool operator==(const PtxText&) const = default;
};

// With libclc's builtins linked; what libclc lacks stays an undefined function in the text. The text ends
// with source_notes(). The language is OpenCL C, CUDA C++ or bitcode that link_bitcode() made. Nothing is
// cached.
Expected<PtxText> compile_nvptx(const CompileRequest& request, SourceLanguage language,
                                const std::string& source);

// As -cl-ext takes them: clang itself has none for this target but cl_khr_fp64 and the 32-bit atomics. OpenCL
// C 3.0 has features beside extensions, and clang wants them to say the same.
inline constexpr std::string_view nvptx_extensions =
    "+cl_khr_fp16,+cl_khr_fp64,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
    "+cl_khr_3d_image_writes,+cl_khr_subgroups,"
    "+__opencl_c_fp64,+__opencl_c_images,+__opencl_c_3d_image_writes";

// What clang is told before the user's own options, for OpenCL C and for bitcode: the target, the extensions.
std::vector<std::string> nvptx_front_arguments(const CompileRequest& request);
std::vector<std::string> nvptx_bitcode_arguments(const CompileRequest& request);

// What the source says of its kernels and PTX has no place for, as comments in PTX, from a module of LLVM IR
// as text. In the parameters' order for each of them:
//   //@lockstep argument KERNEL NAME TYPE     from the kernels' metadata, or from the parameters' names; one
//                                             without a name is "parameter<number>", an unknown type is left
//                                             out
//   //@lockstep qualifiers KERNEL ACCESS ...  none, read_only, write_only, read_write; const restrict
//   volatile
// and for each kernel with such an attribute:
//   //@lockstep work_group_size_hint KERNEL X Y Z
//   //@lockstep vec_type_hint KERNEL TYPE
// and for each variable in global memory that nothing changes, as the libraries' tables are:
//   //@lockstep constant NAME
std::string source_notes(std::string_view module);

// The module with reqd_work_group_size as NVIDIA's annotations say it, from which LLVM writes .reqntid: its
// NVPTX back end does not look at OpenCL's metadata.
std::string with_required_sizes(std::string_view module);

}  // namespace lockstep
