// CUDA's complex numbers.
#pragma once
#include <cuda_runtime.h>
#define LOCKSTEP_C(name) cu##name
#include "lockstep/complex_numbers.h"
