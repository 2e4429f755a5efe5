// CUDA's complex numbers.
#pragma once
#include <cuda_runtime.h>
#define LOCKSTEP_C(name) cu##name
#include "lockstep/complex_numbers.h"
#undef LOCKSTEP_C

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
LOCKSTEP_ANY cuFloatComplex make_cuFloatComplex(float x, float y) { return cuFloatComplex{x, y}; }
LOCKSTEP_ANY cuComplex make_cuComplex(float x, float y) { return cuComplex{x, y}; }
LOCKSTEP_ANY cuDoubleComplex make_cuDoubleComplex(double x, double y) { return cuDoubleComplex{x, y}; }
LOCKSTEP_ANY cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return cuDoubleComplex{z.x, z.y}; }
LOCKSTEP_ANY cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return cuFloatComplex{(float)z.x, (float)z.y}; }
