// HIP and CUDA C++: how clang is told to compile a file's device code with the headers in devlib/, without an
// installed SDK. The host code in the file is read, and nothing is made of it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"

namespace lockstep {

constexpr bool is_gpu_cxx(SourceLanguage language) {
  return language == SourceLanguage::hip || language == SourceLanguage::cuda;
}

// What clang's command line begins with: language, target and headers. Either language for either vendor: HIP
// source compiled for NVIDIA is CUDA with HIP's names, as HIP's own headers make it there, and the other way
// round. Error "device-library-missing".
Expected<std::vector<std::string>> gpu_cxx_arguments(const CompileRequest& request, SourceLanguage language);

}  // namespace lockstep
