// Division and square root as the language asks for without options: 2.5 and 3 ulp. The subnormal range is left out.
// arg: a buffer float[1024] random(seed=211,min=-1000,max=1000)
// arg: b buffer float[1024] random(seed=212,min=0.001,max=50)
// arg: out buffer float[4096] zero
// launch: kernel=float_division global=1024 local=128
// compare: out ulp=3.5
__kernel void float_division(__global const float* a, __global const float* b, __global float* out) {
  const int i = get_global_id(0);
  out[i] = a[i] / b[i];
  out[i + 1024] = 1.0f / b[i];
  out[i + 2048] = sqrt(b[i]);
  out[i + 3072] = a[i] / 7.0f;
}
