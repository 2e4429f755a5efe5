#include "dissect/cuda_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <type_traits>

namespace lockstep::dissect {
namespace {

Expected<CudaLibrary> open_library() {
  void* const handle = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Diagnostic{"no-cuda",
                      {},
                      "the host has no NVIDIA driver (libcuda.so.1)",
                      "LD_LIBRARY_PATH may name its folder; '--gpu NAME' measures the model"};
  CudaLibrary library;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
    if (!function && !missing) missing = name;
  };
#define LOCKSTEP_CUDA(member, name, ...) find(library.member, name);
  LOCKSTEP_CUDA_FUNCTIONS(LOCKSTEP_CUDA)
#undef LOCKSTEP_CUDA
  if (missing)
    return Diagnostic{"no-cuda", {}, fmt::format("the host's libcuda.so.1 has no function {}", missing), ""};
  if (const int code = library.initialise(0); code != 0)
    return Diagnostic{"no-cuda",
                      {},
                      fmt::format("cuInit of the host's NVIDIA driver: {}", cuda_error(library, code)),
                      "'nvidia-smi' shows whether the driver sees a GPU"};
  return library;
}

}  // namespace

Expected<const CudaLibrary*> cuda_library() {
  static const Expected<CudaLibrary> library = open_library();
  if (!library) return library.error();
  return &*library;
}

std::string cuda_error(const CudaLibrary& cuda, int code) {
  const char* name = nullptr;
  if (cuda.error_name(code, &name) != 0 || !name) return fmt::format("error {}", code);
  return fmt::format("{} ({})", name, code);
}

}  // namespace lockstep::dissect
