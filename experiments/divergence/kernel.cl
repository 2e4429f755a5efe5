// A branch that each work-item takes with a chance of its own: the body runs if one work-item of the wave takes it.
__kernel void chance(__global const float* number, __global float* out, int per_mille, float d) {
  const size_t i = get_global_id(0);
  float y = number[i];
  if (y * 1000 < per_mille) {
    for (int j = 0; j < 64; ++j) y = y * d + 0.5f;
  }
  out[i] = y;
}

__kernel void one_of_two(__global const float* number, __global float* out, int per_mille, float d) {
  const size_t i = get_global_id(0);
  const float x = number[i];
  float y1 = 0, y2 = 0;
  if (i % 2 == 0) y1 = x / d;
  else y2 = 1.0f;
  out[i] = y1 + y2;
}

__kernel void both(__global const float* number, __global float* out, int per_mille, float d) {
  const size_t i = get_global_id(0);
  const float x = number[i];
  const float y1 = x / d, y2 = 1.0f;
  out[i] = y1 + y2;
}
