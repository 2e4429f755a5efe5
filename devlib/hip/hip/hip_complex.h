// HIP's complex numbers.
#pragma once
#include <hip/hip_runtime.h>
#define LOCKSTEP_C(name) hip##name
#include "lockstep/complex_numbers.h"

LOCKSTEP_ANY float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
LOCKSTEP_ANY double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }
