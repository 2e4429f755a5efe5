// CUDA C++ for clang alone, without a CUDA toolkit. Included before every .cu file. On AMD machines the same file is HIP
// with CUDA's names.
#pragma once
#include <cuda.h>

#if defined(__HIP__)
#include "lockstep/amd_device.h"
#else
#include "lockstep/nvidia_device.h"
#endif
#include <cuda_runtime_api.h>
