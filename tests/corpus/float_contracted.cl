// Multiply-adds that the compiler may fuse or not, mad, mix and polynomial evaluation: within the error of one rounding.
// arg: a buffer float[512] random(seed=231,min=0.5,max=2)
// arg: b buffer float[512] random(seed=232,min=0.5,max=2)
// arg: out buffer float[3072] zero
// launch: kernel=float_contracted global=512 local=64
// compare: out rel=1e-6
// options: -cl-mad-enable
__kernel void float_contracted(__global const float* a, __global const float* b, __global float* out) {
  const int i = get_global_id(0);
  const float x = a[i];
  const float y = b[i];
  out[i] = x * y + 1.0f;
  out[i + 512] = mad(x, y, y);
  out[i + 1024] = mix(x, y + 4.0f, 0.25f);
  out[i + 1536] = (((0.25f * x + 0.5f) * x + 1.0f) * x + 2.0f) * x + 3.0f;
  out[i + 2048] = x * x + y * y;
  out[i + 2560] = degrees(x) + radians(y) + smoothstep(0.25f, 2.5f, x);
}
