// The device language of CUDA C++ (and of HIP source compiled for NVIDIA) for clang alone, without a CUDA toolkit: what
// clang's own headers give, put together as its runtime wrapper does with NVIDIA's headers between them. The functions
// of libdevice (__nv_*) are in devlib/nvptx/libdevice.cl. Source: "CUDA C++ Programming Guide", C++ Language Extensions.
#pragma once

#if !defined(__CUDA__)
#error "this header is for CUDA C++, whose device part Lockstep compiles"
#endif

// Clang's own <new>, which would take device-side malloc, brings the library's while there is no __device__, and nothing after.
#include <new>
#define __CLANG_CUDA_WRAPPERS_NEW

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))  // nobody but the device sees it: there is no host program

#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__
#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <cuda.h>

#define __noinline__ __attribute__((noinline))
// Clang's functions of one instruction count as their caller's line.
#define __forceinline__ inline __attribute__((always_inline, nodebug))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define LOCKSTEP_DEVICE static __device__ inline __attribute__((always_inline, nodebug))

#include <__clang_cuda_builtin_vars.h>
#include "lockstep/vector_types.h"
#include <__clang_cuda_libdevice_declares.h>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
// LLVM selects vote from sm_30 on; the instruction is there since sm_12 (.ballot since sm_20).
#define LOCKSTEP_VOTE(name, R, finish)                                                       \
  LOCKSTEP_DEVICE R lockstep_vote_##name(int predicate) {                                                      \
    R result;                                                                                                  \
    __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; " finish " }" : "=r"(result) : "r"(predicate)); \
    return result;                                                                                             \
  }
LOCKSTEP_VOTE(any, int, "vote.any.pred q, p; selp.s32 %0, 1, 0, q;")
LOCKSTEP_VOTE(all, int, "vote.all.pred q, p; selp.s32 %0, 1, 0, q;")
LOCKSTEP_VOTE(ballot, unsigned int, "vote.ballot.b32 %0, p;")
#undef LOCKSTEP_VOTE
#define __nvvm_vote_any lockstep_vote_any
#define __nvvm_vote_all lockstep_vote_all
#define __nvvm_vote_ballot lockstep_vote_ballot
#endif
#include "lockstep/simd_in_a_word.h"
#define __trap lockstep_trap_of_clang
#include <__clang_cuda_device_functions.h>
#undef __trap
LOCKSTEP_DEVICE void __trap() { __asm__ volatile("trap;"); }
// Functions of libdevice that are not there, said before clang defines them.
#define LOCKSTEP_NONE          \
  static inline __device__     \
      __attribute__((unavailable("Bessel functions, inverses of the error function and erfcx are not there on NVIDIA")))
#define LOCKSTEP_NONE_OF_ONE(name)     \
  LOCKSTEP_NONE double name(double);   \
  LOCKSTEP_NONE float name##f(float);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
LOCKSTEP_NONE_OF_ONE(erfcx) LOCKSTEP_NONE_OF_ONE(erfinv) LOCKSTEP_NONE_OF_ONE(erfcinv) LOCKSTEP_NONE_OF_ONE(normcdfinv)
LOCKSTEP_NONE_OF_ONE(j0) LOCKSTEP_NONE_OF_ONE(j1) LOCKSTEP_NONE_OF_ONE(y0) LOCKSTEP_NONE_OF_ONE(y1)
LOCKSTEP_NONE_OF_ONE(cyl_bessel_i0) LOCKSTEP_NONE_OF_ONE(cyl_bessel_i1)
LOCKSTEP_NONE double jn(int, double);
LOCKSTEP_NONE float jnf(int, float);
LOCKSTEP_NONE double yn(int, double);
LOCKSTEP_NONE float ynf(int, float);
#pragma clang diagnostic pop
#undef LOCKSTEP_NONE_OF_ONE
#undef LOCKSTEP_NONE
#include <__clang_cuda_math.h>

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
}

LOCKSTEP_DEVICE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
LOCKSTEP_DEVICE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
LOCKSTEP_DEVICE unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
LOCKSTEP_DEVICE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
LOCKSTEP_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)(__attribute__((address_space(3))) const void*)p;
}
LOCKSTEP_DEVICE size_t __cvta_generic_to_global(const void* p) {
  return (size_t)(__attribute__((address_space(1))) const void*)p;
}

#include <__clang_cuda_cmath.h>
// clang 19's header passes the members first; the builtins take the value first.
#define __nvvm_redux_sync_add(members, value) __nvvm_redux_sync_add(value, members)
#define __nvvm_redux_sync_umin(members, value) __nvvm_redux_sync_umin(value, members)
#define __nvvm_redux_sync_umax(members, value) __nvvm_redux_sync_umax(value, members)
#define __nvvm_redux_sync_min(members, value) __nvvm_redux_sync_min(value, members)
#define __nvvm_redux_sync_max(members, value) __nvvm_redux_sync_max(value, members)
#define __nvvm_redux_sync_or(members, value) __nvvm_redux_sync_or(value, members)
#define __nvvm_redux_sync_and(members, value) __nvvm_redux_sync_and(value, members)
#define __nvvm_redux_sync_xor(members, value) __nvvm_redux_sync_xor(value, members)
#include <__clang_cuda_intrinsics.h>
#undef __nvvm_redux_sync_add
#undef __nvvm_redux_sync_umin
#undef __nvvm_redux_sync_umax
#undef __nvvm_redux_sync_min
#undef __nvvm_redux_sync_max
#undef __nvvm_redux_sync_or
#undef __nvvm_redux_sync_and
#undef __nvvm_redux_sync_xor
#include <__clang_cuda_complex_builtins.h>
#undef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#include "lockstep/loads.h"
#include "lockstep/nvidia_atomics.h"
#include "lockstep/language.h"

LOCKSTEP_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
// A wait of about so many nanoseconds; before sm_70 there is no such instruction, and no wait.
LOCKSTEP_DEVICE void __nanosleep(unsigned int duration) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(duration) : "memory");
#endif
}
#define __prof_trigger(counter) ((void)(counter))  // counters of events that nobody reads

// Fermi has neither votes with a mask nor shuffles; there all lanes of the mask are together.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300
LOCKSTEP_DEVICE int __any_sync(unsigned int, int predicate) { return __nvvm_vote_any(predicate != 0); }
LOCKSTEP_DEVICE int __all_sync(unsigned int, int predicate) { return __nvvm_vote_all(predicate != 0); }
LOCKSTEP_DEVICE unsigned int __ballot_sync(unsigned int, int predicate) { return __nvvm_vote_ballot(predicate != 0); }
LOCKSTEP_DEVICE void __syncwarp(unsigned int = ~0u) { __asm__ volatile("" ::: "memory"); }
LOCKSTEP_DEVICE unsigned int __activemask() { return __nvvm_vote_ballot(true); }
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#if defined(__HIP_PLATFORM_NVIDIA__)
// HIP's forms without a mask, as HIP defines them for NVIDIA.
#define __shfl(...) __shfl_sync(0xFFFFFFFFu, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xFFFFFFFFu, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xFFFFFFFFu, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xFFFFFFFFu, __VA_ARGS__)
#define __any(predicate) __any_sync(__activemask(), predicate)
#define __all(predicate) __all_sync(__activemask(), predicate)
#define __ballot(predicate) __ballot_sync(__activemask(), predicate)
#else
// Gone from CUDA for these GPUs, whose lanes need not be together.
#pragma GCC poison __shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot
#endif
#endif
