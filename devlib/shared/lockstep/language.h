// What HIP and CUDA C++ have alike beyond functions: qualifiers, memory functions of C, new and delete, and what is not there, which
// is refused where the program uses it. Included by both device headers, after LOCKSTEP_DEVICE.
#pragma once
#include <string.h>
#include <cstring>
#include <new>

#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#if !defined(__grid_constant__)
#define __grid_constant__
#endif
#define LOCKSTEP_MISSING(message) __attribute__((unavailable(message)))
#define LOCKSTEP_NO_HEAP                                                                                             \
  LOCKSTEP_MISSING("device code has no heap: give the kernel a buffer, or use an array of a constant size")

// ---- Bytes. Copies of a constant size become loads and stores, others loops.
extern "C" {
#if defined(__AMDGCN__)
LOCKSTEP_DEVICE void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
LOCKSTEP_DEVICE void* memset(void* to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }
#endif
LOCKSTEP_DEVICE void* memmove(void* to, const void* from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
LOCKSTEP_DEVICE int memcmp(const void* a, const void* b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const int difference = ((const unsigned char*)a)[i] - ((const unsigned char*)b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}
#if defined(__AMDGCN__)
// Clang's malloc and free call these (hip/hip_version.h).
inline __device__ __attribute__((always_inline, nodebug)) void* __hip_malloc(size_t) { return nullptr; }
inline __device__ __attribute__((always_inline, nodebug)) void* __hip_free(void* p) {
  if (p != nullptr) __builtin_trap();
  return nullptr;
}
#else
LOCKSTEP_NO_HEAP __device__ void* malloc(size_t);
inline __device__ __attribute__((always_inline, nodebug)) void free(void* p) {
  if (p != nullptr) __builtin_trap();
}
#endif
LOCKSTEP_NO_HEAP __device__ void* calloc(size_t, size_t);
LOCKSTEP_NO_HEAP __device__ void* realloc(void*, size_t);
}
// <cstring> knew the host's ones only.
namespace std {
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
}  // namespace std

// ---- new and delete. Destructors that are virtual name delete, so that it exists: only null has come from nowhere.
LOCKSTEP_NO_HEAP __device__ void* operator new(size_t);
LOCKSTEP_NO_HEAP __device__ void* operator new[](size_t);
LOCKSTEP_NO_HEAP __device__ void* operator new(size_t, const std::nothrow_t&) noexcept;
LOCKSTEP_NO_HEAP __device__ void* operator new[](size_t, const std::nothrow_t&) noexcept;
#define LOCKSTEP_NODEBUG inline __device__ __attribute__((nodebug))
#define LOCKSTEP_DELETE(...)                                                                                         \
  LOCKSTEP_NODEBUG __attribute__((always_inline)) void operator delete(void* p, ##__VA_ARGS__) noexcept {           \
    if (p != nullptr) __builtin_trap();                                                                              \
  }                                                                                                                  \
  LOCKSTEP_NODEBUG __attribute__((always_inline)) void operator delete[](void* p, ##__VA_ARGS__) noexcept {         \
    if (p != nullptr) __builtin_trap();                                                                              \
  }
LOCKSTEP_DELETE()
LOCKSTEP_DELETE(size_t)
#if defined(__cpp_aligned_new)
LOCKSTEP_NO_HEAP __device__ void* operator new(size_t, std::align_val_t);
LOCKSTEP_NO_HEAP __device__ void* operator new[](size_t, std::align_val_t);
LOCKSTEP_DELETE(std::align_val_t)
LOCKSTEP_DELETE(size_t, std::align_val_t)
#endif
#undef LOCKSTEP_DELETE
LOCKSTEP_NODEBUG void* operator new(size_t, void* there) noexcept { return there; }
LOCKSTEP_NODEBUG void* operator new[](size_t, void* there) noexcept { return there; }
LOCKSTEP_NODEBUG void operator delete(void*, void*) noexcept {}
LOCKSTEP_NODEBUG void operator delete[](void*, void*) noexcept {}
#undef LOCKSTEP_NODEBUG

// ---- Textures. Host code may name their types.
#define LOCKSTEP_TEXTURES                                                                                       \
  LOCKSTEP_MISSING("textures and surfaces of CUDA and HIP are not modelled: read the memory itself, or use "    \
                   "images in OpenCL C or PTX")
#define LOCKSTEP_FETCH(name)                   \
  template <class T, class... Arguments>       \
  LOCKSTEP_TEXTURES __device__ T name(Arguments...);
LOCKSTEP_FETCH(tex1Dfetch) LOCKSTEP_FETCH(tex1D) LOCKSTEP_FETCH(tex2D) LOCKSTEP_FETCH(tex3D) LOCKSTEP_FETCH(tex1DLod)
LOCKSTEP_FETCH(tex2DLod) LOCKSTEP_FETCH(tex3DLod) LOCKSTEP_FETCH(tex1DLayered) LOCKSTEP_FETCH(tex2DLayered)
LOCKSTEP_FETCH(tex2Dgather) LOCKSTEP_FETCH(texCubemap) LOCKSTEP_FETCH(surf1Dread) LOCKSTEP_FETCH(surf2Dread)
LOCKSTEP_FETCH(surf3Dread)
#undef LOCKSTEP_FETCH
#define LOCKSTEP_WRITE(name)                   \
  template <class T, class... Arguments>       \
  LOCKSTEP_TEXTURES __device__ void name(T, Arguments...);
LOCKSTEP_WRITE(surf1Dwrite) LOCKSTEP_WRITE(surf2Dwrite) LOCKSTEP_WRITE(surf3Dwrite)
#undef LOCKSTEP_WRITE
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum hipTextureReadMode { hipReadModeElementType = 0, hipReadModeNormalizedFloat = 1 };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };
enum { hipTextureType1D = 1, hipTextureType2D = 2, hipTextureType3D = 3 };
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct __hip_texture* hipTextureObject_t;
typedef struct __hip_surface* hipSurfaceObject_t;
#undef LOCKSTEP_TEXTURES

// ---- A failed assertion says what it was, as CUDA prints it, and ends the launch at the line of the assertion.
LOCKSTEP_DEVICE void lockstep_end_launch() { __builtin_trap(); }
#if defined(__CUDA_ARCH__)
// Not a part of the kernel, which would grow by it.
static __device__ __attribute__((noinline, nodebug, cold)) void lockstep_print_assertion(const char* what, const char* file,
                                                                                       unsigned int line,
                                                                                       const char* function) {
  printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s' failed.\n", file, line, function, blockIdx.x,
         blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, what);
}
extern "C" inline __device__ __attribute__((always_inline, nodebug)) void __assert_fail(const char* what, const char* file,
                                                                                      unsigned int line,
                                                                                      const char* function) {
  lockstep_print_assertion(what, file, line, function);
  __builtin_trap();
}
#else
// On AMD the text has to be a constant where it is printed: assert (assert.h) does it itself, and then calls this.
extern "C" inline __device__ __attribute__((always_inline, nodebug)) void __assert_fail(const char*, const char*,
                                                                                      unsigned int, const char*) {
  __builtin_trap();
}
LOCKSTEP_ANY unsigned int lockstep_place(int which) {
#if defined(__HIP_DEVICE_COMPILE__)
  switch (which) {
    case 0: return __builtin_amdgcn_workgroup_id_x();
    case 1: return __builtin_amdgcn_workgroup_id_y();
    case 2: return __builtin_amdgcn_workgroup_id_z();
    case 3: return __builtin_amdgcn_workitem_id_x();
    case 4: return __builtin_amdgcn_workitem_id_y();
    default: return __builtin_amdgcn_workitem_id_z();
  }
#else
  return (unsigned int)which;
#endif
}
#endif

// ---- Atomics of 16 bits: of the word around them, tried until the other half has stood still.
LOCKSTEP_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  const unsigned long long at = (unsigned long long)p;
  unsigned int* word = (unsigned int*)(at & ~3ull);
  const int shift = (int)(at & 2) * 8;
  unsigned int before = *(volatile unsigned int*)word;
  for (;;) {
    const unsigned short old = (unsigned short)(before >> shift);
    if (old != expected) return old;
    const unsigned int seen = atomicCAS(word, before, (before & ~(0xFFFFu << shift)) | (unsigned int)v << shift);
    if (seen == before) return old;
    before = seen;
  }
}
LOCKSTEP_DEVICE unsigned short atomicCAS_system(unsigned short* p, unsigned short expected, unsigned short v) {
  return atomicCAS(p, expected, v);
}
LOCKSTEP_DEVICE unsigned short atomicCAS_block(unsigned short* p, unsigned short expected, unsigned short v) {
  return atomicCAS(p, expected, v);
}
