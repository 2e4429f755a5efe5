// CUDA's asynchronous copies from global to local memory, in their form of functions. Source: "CUDA C++ Programming Guide", Pipeline
// Primitives Interface.
#pragma once
#include <cuda_runtime.h>

// Bytes of which the last `zeros` are not read but zero. From sm_80 on by cp.async; elsewhere the copy is done at once.
LOCKSTEP_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned int there = (unsigned int)__cvta_generic_to_shared(to);
  const size_t here = __cvta_generic_to_global(from);
  const unsigned int read = (unsigned int)(bytes - zeros);
  if (bytes == 16)
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(there), "l"(here), "r"(read) : "memory");
  else if (bytes == 8)
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(there), "l"(here), "r"(read) : "memory");
  else
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(there), "l"(here), "r"(read) : "memory");
#else
  for (size_t i = 0; i < bytes; i += 4)
    *(unsigned int*)((char*)to + i) = i + zeros < bytes ? *(const unsigned int*)((const char*)from + i) : 0;
#endif
}
LOCKSTEP_DEVICE void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __asm__ volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Until all groups but the last `prior` ones have arrived; more than 7 wait for all.
LOCKSTEP_DEVICE void __pipeline_wait_prior(size_t prior) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (prior) {
    case 1: __asm__ volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: __asm__ volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: __asm__ volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: __asm__ volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: __asm__ volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: __asm__ volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: __asm__ volatile("cp.async.wait_group 7;" ::: "memory"); break;
    default: __asm__ volatile("cp.async.wait_all;" ::: "memory");
  }
#endif
}
