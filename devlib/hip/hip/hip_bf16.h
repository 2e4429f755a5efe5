// HIP's bfloat16 type and its functions.
#pragma once
#include <hip/hip_runtime.h>
#include "lockstep/bfloat.h"

typedef lockstep_bfloat16 __hip_bfloat16;
typedef lockstep_bfloat162 __hip_bfloat162;
