// CUDA: the types of the language and of the runtime.
#pragma once
#include <cuda_runtime.h>
