// CUDA's half-precision type and its functions.
#pragma once
#include <cuda_runtime.h>
#include "lockstep/half.h"
