// CUDA: the built-in variables are always there.
#pragma once
#include <cuda_runtime.h>
