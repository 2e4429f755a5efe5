// A quarter of the work-items has much to do. Spread over all
// waves, each wave takes as long as they do; side by side, a quarter of the waves does.
__kernel void spread(int n, __global float* out) {
  int i = get_global_id(0);
  int turns = i % 4 == 0 ? n : n / 16;
  float x = i;
  for (int k = 0; k < turns; ++k) x = x * 0.5f + k;
  out[i] = x;
}

__kernel void sorted(int n, __global float* out) {
  int i = get_global_id(0);
  int turns = (i / 32 + i / 128) % 4 == 0 ? n : n / 16;
  float x = i;
  for (int k = 0; k < turns; ++k) x = x * 0.5f + k;
  out[i] = x;
}
