#include "dissect/opencl_library.h"

#if __has_include(<CL/cl.h>)
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace lockstep::dissect {
namespace {

Expected<OpenClLibrary> open_library() {
  void* handle = nullptr;
  for (const char* name : {"libOpenCL.so.1", "libOpenCL.so"}) {
    handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle) break;
  }
  if (!handle)
    return Diagnostic{"no-opencl",
                      {},
                      "the host has no OpenCL ICD loader (libOpenCL.so.1)",
                      "on Debian the package ocl-icd-libopencl1; LD_LIBRARY_PATH may name its folder"};
  OpenClLibrary library;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
    if (!function && !missing) missing = name;
  };
#define LOCKSTEP_CL(name) find(library.name, #name);
  LOCKSTEP_CL_FUNCTIONS(LOCKSTEP_CL)
#undef LOCKSTEP_CL
  if (missing)
    return Diagnostic{
        "no-opencl",
        {},
        fmt::format("the host's OpenCL ICD loader has no {}: it is older than OpenCL 1.2", missing),
        ""};
  return library;
}

}  // namespace

Expected<const OpenClLibrary*> opencl_library() {
  static const Expected<OpenClLibrary> library = open_library();
  if (!library) return library.error();
  return &*library;
}

std::string opencl_error(int code) {
  const char* name = nullptr;
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
      name = "CL_DEVICE_NOT_AVAILABLE";
      break;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      name = "CL_MEM_OBJECT_ALLOCATION_FAILURE";
      break;
    case CL_OUT_OF_RESOURCES:
      name = "CL_OUT_OF_RESOURCES";
      break;
    case CL_OUT_OF_HOST_MEMORY:
      name = "CL_OUT_OF_HOST_MEMORY";
      break;
    case CL_BUILD_PROGRAM_FAILURE:
      name = "CL_BUILD_PROGRAM_FAILURE";
      break;
    case CL_INVALID_VALUE:
      name = "CL_INVALID_VALUE";
      break;
    case CL_INVALID_KERNEL_NAME:
      name = "CL_INVALID_KERNEL_NAME";
      break;
    case CL_INVALID_KERNEL_ARGS:
      name = "CL_INVALID_KERNEL_ARGS";
      break;
    case CL_INVALID_WORK_GROUP_SIZE:
      name = "CL_INVALID_WORK_GROUP_SIZE";
      break;
    case CL_INVALID_BUFFER_SIZE:
      name = "CL_INVALID_BUFFER_SIZE";
      break;
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
      name = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
      break;
    default:
      return fmt::format("error {}", code);
  }
  return fmt::format("{} ({})", name, code);
}

}  // namespace lockstep::dissect
#endif
