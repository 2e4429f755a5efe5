// Math builtins on halves, within the error that the extension allows for them.
// arg: p buffer half[512] random(seed=1031,min=0.01,max=8)
// arg: q buffer half[512] random(seed=1032,min=-4,max=4)
// arg: out buffer half[5120] zero
// launch: kernel=half_math global=512 local=64
// compare: out ulp=3
// needs: fp16
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_math(__global const half* p, __global const half* q, __global half* out) {
  const int i = get_global_id(0);
  out[i] = exp(q[i]);
  out[i + 512] = exp2(q[i]);
  out[i + 1024] = log(p[i]);
  out[i + 1536] = log2(p[i]);
  out[i + 2048] = sin(q[i]);
  out[i + 2560] = cos(q[i]);
  out[i + 3072] = rsqrt(p[i]);
  out[i + 3584] = tanh(q[i]);
  out[i + 4096] = cbrt(q[i]);
  out[i + 4608] = ldexp(q[i], (int)p[i] - 3);
}
