// CUDA: functions of single instructions are always there.
#pragma once
#include <cuda_runtime.h>
