// HIP's cooperative groups.
#pragma once
#include <hip/hip_runtime.h>
#include "lockstep/cooperative_groups.h"
