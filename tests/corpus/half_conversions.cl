// Conversions between half and integers, float and double, with rounding modes.
// arg: h buffer half[512] random(seed=1021,min=-3000,max=3000)
// arg: f buffer float[512] random(seed=1022,min=-70000,max=70000)
// arg: n buffer int[512] random(seed=1023,min=-70000,max=70000)
// arg: halves buffer half[4096] zero
// arg: ints buffer int[3072] zero
// arg: floats buffer float[1024] zero
// launch: kernel=half_conversions global=512 local=64
// compare: halves exact
// compare: ints exact
// compare: floats exact
// needs: fp16 fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void half_conversions(__global const half* h, __global const float* f, __global const int* n,
                               __global half* halves, __global int* ints, __global float* floats) {
  const int i = get_global_id(0);
  const half x = h[i];
  const float y = f[i] * 0.01f;
  halves[i] = convert_half(f[i]);
  halves[i + 512] = convert_half_rtz(y);
  halves[i + 1024] = convert_half_rtp(y);
  halves[i + 1536] = convert_half_rtn(y);
  halves[i + 2048] = convert_half(n[i]);
  halves[i + 2560] = convert_half((short)n[i]);
  halves[i + 3072] = convert_half((uchar)n[i]);
  halves[i + 3584] = convert_half((double)f[i] * 0.001953125);
  ints[i] = convert_int(x);
  ints[i + 512] = convert_int_rte(x);
  ints[i + 1024] = convert_short_rtp(x);
  ints[i + 1536] = convert_char_sat(x);
  ints[i + 2048] = convert_uint_sat_rtn(x);
  ints[i + 2560] = (int)convert_long(x * (half)2.0h);
  floats[i] = convert_float(x);
  floats[i + 512] = (float)convert_double(x) * 0.5f;
}
