// CUDA's cooperative groups.
#pragma once
#include <cuda_runtime.h>
#include "lockstep/cooperative_groups.h"
