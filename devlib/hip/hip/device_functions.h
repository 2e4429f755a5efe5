// HIP: the device functions are always there.
#pragma once
#include <hip/hip_runtime.h>
