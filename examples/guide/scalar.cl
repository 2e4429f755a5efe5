// A polynomial whose coefficients are found by the work-item, or by the group: the second is the same for all lanes of a wave.
__kernel void by_item(__global const float* table, int kinds, __global float* out) {
  int i = get_global_id(0);
  __global const float* c = table + i % kinds * 16;
  float x = i * 0.001f, y = 0;
  for (int k = 0; k < 16; ++k) y = y * x + c[k];
  out[i] = y;
}

__kernel void by_group(__global const float* table, int kinds, __global float* out) {
  int i = get_global_id(0);
  __global const float* c = table + get_group_id(0) % kinds * 16;
  float x = i * 0.001f, y = 0;
  for (int k = 0; k < 16; ++k) y = y * x + c[k];
  out[i] = y;
}
