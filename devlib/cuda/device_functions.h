// CUDA: the device functions are always there.
#pragma once
#include <cuda_runtime.h>
