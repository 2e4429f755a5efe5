// HIP: extensions of the host part (launches with events and flags), of which nothing is made here.
#pragma once
#include <hip/hip_runtime.h>
#define hipExtLaunchKernelGGL(kernel, groups, items, local_bytes, stream, begin, end, flags, ...) \
  kernel<<<(groups), (items), (local_bytes), (stream)>>>(__VA_ARGS__)
