// HIP: mathematics is always there.
#pragma once
#include <hip/hip_runtime.h>
