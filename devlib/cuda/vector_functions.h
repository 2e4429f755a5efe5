// CUDA: make_float4 and its like come with the vectors.
#pragma once
#include "lockstep/vector_types.h"
