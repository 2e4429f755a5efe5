// The version of HIP whose language this header set follows. Clang's own wrapper looks for this file before it defines
// anything: it must find no version then, since it would take device-side malloc, which needs a heap that no launch
// here has, from the device library.
#if defined(__CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__) && !defined(HIP_VERSION)
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)
#endif
