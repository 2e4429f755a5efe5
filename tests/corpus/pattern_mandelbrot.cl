// Escape counts of the Mandelbrot set on 64x32 points, without contraction so that every count is exact.
// arg: out buffer uint[2048] zero
// arg: limit scalar uint 200
// launch: kernel=mandelbrot global=64,32 local=16,4
// compare: out exact
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global uint* out, uint limit) {
  const float cx = -2.0f + get_global_id(0) * 0.046875f;
  const float cy = -1.0f + get_global_id(1) * 0.0625f;
  float x = 0.0f;
  float y = 0.0f;
  uint n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[get_global_id(1) * 64 + get_global_id(0)] = n;
}
