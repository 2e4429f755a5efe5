// CUDA's bfloat16 type and its functions.
#pragma once
#include <cuda_runtime.h>
#include "lockstep/bfloat.h"

typedef lockstep_bfloat16 __nv_bfloat16;
typedef lockstep_bfloat162 __nv_bfloat162;
typedef lockstep_bfloat16 nv_bfloat16;
typedef lockstep_bfloat162 nv_bfloat162;
