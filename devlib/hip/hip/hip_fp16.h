// HIP's half-precision type and its functions.
#pragma once
#include <hip/hip_runtime.h>
#include "lockstep/half.h"
