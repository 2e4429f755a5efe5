// HIP's complex numbers.
#pragma once
#include <hip/hip_runtime.h>
#define LOCKSTEP_C(name) hip##name
#include "lockstep/complex_numbers.h"
#undef LOCKSTEP_C

typedef float2 hipFloatComplex;
typedef float2 hipComplex;
typedef double2 hipDoubleComplex;
LOCKSTEP_ANY hipFloatComplex make_hipFloatComplex(float x, float y) { return hipFloatComplex{x, y}; }
LOCKSTEP_ANY hipComplex make_hipComplex(float x, float y) { return hipComplex{x, y}; }
LOCKSTEP_ANY hipDoubleComplex make_hipDoubleComplex(double x, double y) { return hipDoubleComplex{x, y}; }
LOCKSTEP_ANY hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) { return hipDoubleComplex{z.x, z.y}; }
LOCKSTEP_ANY hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hipFloatComplex{(float)z.x, (float)z.y};
}
LOCKSTEP_ANY float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
LOCKSTEP_ANY double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }
