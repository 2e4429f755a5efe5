// The user's build options, checked and completed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"

namespace lockstep {

struct ClangOptions {
  std::vector<std::string> arguments;  // options, defines, -cl-std, -O: all but target, input and output
  std::vector<std::string> ignored;    // check_build_options()
  std::string standard;                // of OpenCL C: "CL3.0"
  u32 optimisation = 3;
  // Among the options, since they choose variants of the device library.
  bool denormals_are_zero = false;
  bool denormals_are_kept = false;  // -Xclang -fdenormal-fp-math-f32=ieee
  bool finite_math = false;
  bool unsafe_math = false;
  bool correctly_rounded_divide_sqrt = false;
  bool wave64 = false;  // -mwavefrontsize64
  bool wave32 = false;  // -mno-wavefrontsize64
};

// The features of OpenCL C 3.0 that programs for the target have beside those that follow from its extensions
// (64-bit integers, doubles, images): names of the macros, as CL_DEVICE_OPENCL_C_FEATURES lists them.
std::vector<std::string_view> opencl_c_features(const Target& target);

// Whether the language has C11 atomics, or may have been compiled from one that has.
bool may_have_c11_atomics(SourceLanguage language, const ClangOptions& options);

// Errors: those of check_build_options().
Expected<ClangOptions> clang_options(const CompileRequest& request,
                                     SourceLanguage language = SourceLanguage::opencl_c);

inline void append_options(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// How the source reaches clang: by its path, or through standard input under the name that the user gave it.
struct ClangInput {
  std::string name;  // "-" for standard input
  std::string text;  // for standard input
  std::vector<std::string> arguments;
};
ClangInput clang_input(const CompileRequest& request, const std::string& source);

// The text with lines that end in a backslash joined to the next.
std::string without_continuations(std::string_view text);

// `text` without line continuations holds one of these words: a cheap, safe "maybe" for directives.
bool mentions(std::string_view text, std::vector<std::string_view> words);

}  // namespace lockstep
