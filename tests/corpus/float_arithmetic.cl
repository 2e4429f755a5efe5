// Single-precision arithmetic with separate roundings, on special and random values.
// arg: a buffer float[512] special(seed=201)
// arg: b buffer float[512] special(seed=202)
// arg: c buffer float[512] random(seed=203,min=-10,max=10)
// arg: out buffer float[12288] zero
// launch: kernel=float_arithmetic global=512 local=64
// compare: out exact
// needs: denormals
// options: -cl-fp32-correctly-rounded-divide-sqrt
#pragma OPENCL FP_CONTRACT OFF
__kernel void float_arithmetic(__global const float* a, __global const float* b, __global const float* c,
                               __global float* out) {
  const int i = get_global_id(0);
  const float x = a[i];
  const float y = b[i];
  const float z = c[i];
  __global float* o = out + i * 24;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = x / y;
  o[4] = x * y + z;
  o[5] = fma(x, y, z);
  o[6] = sqrt(x);
  o[7] = fabs(x) + copysign(z, y);
  o[8] = -x;
  o[9] = z * z + z;
  o[10] = floor(x);
  o[11] = ceil(x);
  o[12] = trunc(x);
  o[13] = rint(x);
  o[14] = round(z * 4.0f);
  o[15] = floor(z) + ceil(y);
  o[16] = x > y ? x : z;
  o[17] = isless(x, y) + 2 * isequal(x, y) + 4 * isunordered(x, y) + 8 * isgreaterequal(x, z) +
          16 * isnotequal(x, y);
  o[18] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x);
  o[19] = (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x >= y) + 32 * (x > y);
  o[20] = z / 3.0f;
  o[21] = 1.0f / z;
  o[22] = fma(-z, z, y);
  o[23] = fma(x, 2.0f, -y);
}
