// Vectors of two and four halves, which the machine packs: arithmetic, swizzles, negated and mixed halves.
// arg: a buffer half4[512] random(seed=1011,min=-8,max=8)
// arg: b buffer half4[512] random(seed=1012,min=-8,max=8)
// arg: out buffer half4[4096] zero
// launch: kernel=half_packed global=512 local=64
// compare: out exact
// needs: fp16
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void half_packed(__global const half4* a, __global const half4* b, __global half4* out) {
  const int i = get_global_id(0);
  const half4 x = a[i];
  const half4 y = b[i];
  out[i] = x + y;
  out[i + 512] = x * y.yxwz;
  out[i + 1024] = fma(x, y, x.wzyx);
  out[i + 1536] = fmin(x, y);
  out[i + 2048] = fmax(x.yyww, -y);
  out[i + 2560] = x - y.xxzz * (half4)(0.5h);
  out[i + 3072] = (half4)(x.xy + y.zw, x.zw * y.xy);
  out[i + 3584] = convert_half4(convert_float4(x) * 3.0f);
}
