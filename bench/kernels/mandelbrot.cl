// Escape counts on 512x512 points, at most 256: divergent loops of float arithmetic.
// arg: out buffer uint[262144] zero
// arg: limit scalar uint 256
// launch: kernel=mandelbrot global=512,512 local=16,16
// compare: out exact
#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global uint* out, uint limit) {
  const float cx = -2.0f + get_global_id(0) * 0.005859375f;
  const float cy = -1.5f + get_global_id(1) * 0.005859375f;
  float x = 0.0f;
  float y = 0.0f;
  uint n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[get_global_id(1) * 512 + get_global_id(0)] = n;
}
