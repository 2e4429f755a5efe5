// CUDA: mathematics is always there.
#pragma once
#include <cuda_runtime.h>
