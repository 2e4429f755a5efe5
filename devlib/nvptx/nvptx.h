// What the files of NVIDIA's device library share.
#pragma once
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVER __attribute__((overloadable, always_inline))
#define ORIGINAL(function, suffix) __libclc_##function##_##suffix
#include "../vectors.h"
#include "../repairs.h"

// Becomes a constant when the compiler knows its target: reflect("__CUDA_ARCH") is 350 on sm_35.
int reflect(__constant const char* what) __asm__("__nvvm_reflect");

#define SINCOS(T, S)                                                          \
  OVER T sincos(T x, S T* cosine) {                                           \
    *cosine = cos(x);                                                         \
    return sin(x);                                                            \
  }                                                                           \
  POINTER_VECTORS_IN(sincos, T, T, S)

// A copy by a group of what has the size of B.
#define COPIES(T, B)                                                                                               \
  OVER event_t async_work_group_copy(__local T* to, const __global T* from, size_t n, event_t event) {             \
    return async_work_group_copy((__local B*)to, (const __global B*)from, n, event);                               \
  }                                                                                                                \
  OVER event_t async_work_group_copy(__global T* to, const __local T* from, size_t n, event_t event) {             \
    return async_work_group_copy((__global B*)to, (const __local B*)from, n, event);                               \
  }                                                                                                                \
  OVER event_t async_work_group_strided_copy(__local T* to, const __global T* from, size_t n, size_t stride,       \
                                             event_t event) {                                                      \
    return async_work_group_strided_copy((__local B*)to, (const __global B*)from, n, stride, event);               \
  }                                                                                                                \
  OVER event_t async_work_group_strided_copy(__global T* to, const __local T* from, size_t n, size_t stride,       \
                                             event_t event) {                                                      \
    return async_work_group_strided_copy((__global B*)to, (const __local B*)from, n, stride, event);               \
  }                                                                                                                \
  OVER void prefetch(const __global T* p, size_t n) {}
