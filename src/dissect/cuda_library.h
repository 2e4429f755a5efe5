// The functions of NVIDIA's driver (libcuda), found when they are needed: neither CUDA's headers nor its
// toolkit is taken. Types and numbers are those of the CUDA Driver API reference, 12.x (cuda.h); the
// functions with _v2 are what its headers call by their plain names.
#pragma once
#include <cstddef>
#include <string>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::dissect {

using CudaDevice = int;
using CudaContext = struct CudaContextObject*;
using CudaModule = struct CudaModuleObject*;
using CudaFunction = struct CudaFunctionObject*;
using CudaStream = struct CudaStreamObject*;
using CudaEvent = struct CudaEventObject*;
using CudaAddress = unsigned long long;

// CUdevice_attribute.
enum CudaAttribute : int {
  cuda_max_block_threads = 1,
  cuda_warp_lanes = 10,
  cuda_clock_kilohertz = 13,
  cuda_multiprocessors = 16,
  cuda_l2_bytes = 38,
  cuda_capability_major = 75,
  cuda_capability_minor = 76,
  cuda_shared_bytes_optin = 97,
  cuda_reserved_shared_bytes = 111,
};
// CUfunction_attribute.
enum CudaFunctionAttribute : int { cuda_static_shared_bytes = 1, cuda_max_dynamic_shared_bytes = 8 };
// CUjit_option.
enum CudaJitOption : int { cuda_jit_error_log = 5, cuda_jit_error_log_bytes = 6 };

constexpr unsigned cuda_stream_non_blocking = 1;

// X(member, the library's name, result and parameters)
#define LOCKSTEP_CUDA_FUNCTIONS(X)                                                                      \
  X(initialise, "cuInit", int(unsigned))                                                                \
  X(driver_version, "cuDriverGetVersion", int(int*))                                                    \
  X(device_count, "cuDeviceGetCount", int(int*))                                                        \
  X(device, "cuDeviceGet", int(CudaDevice*, int))                                                       \
  X(device_name, "cuDeviceGetName", int(char*, int, CudaDevice))                                        \
  X(device_memory, "cuDeviceTotalMem_v2", int(std::size_t*, CudaDevice))                                \
  X(device_attribute, "cuDeviceGetAttribute", int(int*, int, CudaDevice))                               \
  X(make_context, "cuCtxCreate_v2", int(CudaContext*, unsigned, CudaDevice))                            \
  X(destroy_context, "cuCtxDestroy_v2", int(CudaContext))                                               \
  X(load_module, "cuModuleLoadDataEx", int(CudaModule*, const void*, unsigned, int*, void**))           \
  X(module_function, "cuModuleGetFunction", int(CudaFunction*, CudaModule, const char*))                \
  X(function_attribute, "cuFuncGetAttribute", int(int*, int, CudaFunction))                             \
  X(set_function_attribute, "cuFuncSetAttribute", int(CudaFunction, int, int))                          \
  X(allocate, "cuMemAlloc_v2", int(CudaAddress*, std::size_t))                                          \
  X(release, "cuMemFree_v2", int(CudaAddress))                                                          \
  X(fill, "cuMemsetD8_v2", int(CudaAddress, unsigned char, std::size_t))                                \
  X(copy_to_host, "cuMemcpyDtoH_v2", int(void*, CudaAddress, std::size_t))                              \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", int(CudaAddress, const void*, std::size_t, CudaStream))     \
  X(launch, "cuLaunchKernel",                                                                           \
    int(CudaFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CudaStream, \
        void**, void**))                                                                                \
  X(make_stream, "cuStreamCreate", int(CudaStream*, unsigned))                                          \
  X(synchronise, "cuCtxSynchronize", int())                                                             \
  X(make_event, "cuEventCreate", int(CudaEvent*, unsigned))                                             \
  X(record, "cuEventRecord", int(CudaEvent, CudaStream))                                                \
  X(await, "cuEventSynchronize", int(CudaEvent))                                                        \
  X(elapsed, "cuEventElapsedTime", int(f32*, CudaEvent, CudaEvent))                                     \
  X(error_name, "cuGetErrorName", int(int, const char**))

template <class Signature>
using CudaCall = Signature*;

struct CudaLibrary {
#define LOCKSTEP_CUDA(member, name, ...) CudaCall<__VA_ARGS__> member = nullptr;
  LOCKSTEP_CUDA_FUNCTIONS(LOCKSTEP_CUDA)
#undef LOCKSTEP_CUDA
};

// Opened and initialised once. Error: "no-cuda": no driver, one that lacks a function, or one that finds no
// GPU.
Expected<const CudaLibrary*> cuda_library();

// "CUDA_ERROR_OUT_OF_MEMORY (2)" where the driver has a name for the code, else its number.
std::string cuda_error(const CudaLibrary& cuda, int code);

}  // namespace lockstep::dissect
