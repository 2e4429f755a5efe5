// CUDA's host functions, declared so that a file with host code is read to its end.
#pragma once
#include "lockstep/vector_types.h"

#define LOCKSTEP_API(name) cuda##name
#define LOCKSTEP_DEVICE_PROPERTIES cudaDeviceProp
#include "lockstep/host_api.h"
#undef LOCKSTEP_API
#undef LOCKSTEP_DEVICE_PROPERTIES
