// Straight-line code of a given length, over and over.
#include "repeat.h"

__kernel void straight(__global float* out, __global const float* in, uint rounds) {
  const float a = in[0] + 1.0f, b = in[1];
  float x = in[get_local_id(0)];
  NOT_UNROLLED
  for (uint round = 0; round < rounds; ++round) {
    REPEAT(x = fma(x, a, b);)
  }
  out[get_global_id(0)] = x;
}
