// HIP's host functions, declared so that a file with host code is read to its end.
#pragma once
#include "lockstep/vector_types.h"

#define LOCKSTEP_HIP_API 1
#define LOCKSTEP_API(name) hip##name
#define LOCKSTEP_DEVICE_PROPERTIES hipDeviceProp_t
#include "lockstep/host_api.h"
#undef LOCKSTEP_HIP_API
#undef LOCKSTEP_API
#undef LOCKSTEP_DEVICE_PROPERTIES
