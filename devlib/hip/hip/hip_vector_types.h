// HIP: dim3 and the short vectors.
#pragma once
#include "lockstep/vector_types.h"
