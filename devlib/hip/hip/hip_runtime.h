// HIP for clang alone, without an installed HIP. Included before every .hip file. On NVIDIA machines the same file is CUDA
// C++ with HIP's names, as HIP's own headers make it there.
#pragma once
#include <hip/hip_version.h>

#if defined(__HIP__)
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#include "lockstep/amd_device.h"
#else
#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIP_PLATFORM_NVCC__ 1
#include "lockstep/nvidia_device.h"
#endif
#include <hip/hip_runtime_api.h>

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
