#include "compile/gpu_cxx.h"

#include <fmt/format.h>

#include "compile/amdgcn.h"
#include "compile/toolchain.h"

namespace lockstep {

// -fhip-kernel-arg-name keeps the parameters' names, for the command line and for messages, in both
// languages.
Expected<std::vector<std::string>> gpu_cxx_arguments(const CompileRequest& request, SourceLanguage language) {
  auto directory = find_devlib();
  if (!directory) return directory.error();
  std::vector<std::string> arguments;
  const auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (request.target->isa == IsaFamily::amdgcn) {
    add({"-x", "hip", "--cuda-device-only", fmt::format("--offload-arch={}", request.target->compiler_target),
         "-nogpuinc", "-nogpulib", fmt::format("-mcode-object-version={}", amd_code_object_version)});
  } else {
    // clang would ask an installed CUDA toolkit which PTX it knows; one version for all gives everyone the
    // same.
    add({"-x", "cuda", "--cuda-device-only",
         fmt::format("--cuda-gpu-arch={}", request.target->compiler_target), "-nocudainc", "-nocudalib",
         "--cuda-path=/nonexistent", "--cuda-feature=+ptx80"});
  }
  add({"-Xclang", "-fhip-kernel-arg-name"});
  for (const char* folder : {"hip", "cuda", "shared"}) add({"-isystem", *directory + "/" + folder});
  if (request.target->isa == IsaFamily::amdgcn) add({"-include", "__clang_hip_runtime_wrapper.h"});
  add({"-include", language == SourceLanguage::hip ? "hip/hip_runtime.h" : "cuda_runtime.h"});
  return arguments;
}

}  // namespace lockstep
