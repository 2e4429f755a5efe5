// The version of HIP whose language this header set follows. Clang's own wrapper looks for this file before it defines
// anything: it must find no version then, since it would take device-side malloc, which needs a heap that no launch
// here has, from the device library. It takes malloc and free from __hip_malloc and __hip_free instead
// (lockstep/language.h).
#if defined(__HIP__)
#define __HIP_ENABLE_DEVICE_MALLOC__ 1
extern "C" __device__ void* malloc(__SIZE_TYPE__)
    __attribute__((unavailable("device code has no heap: give the kernel a buffer, or use an array of a constant size")));
#endif
#if defined(__CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__) && !defined(HIP_VERSION)
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)
#endif
