// 32-bit integer arithmetic and logic, one result per operation.
// arg: a buffer int[256] special(seed=1)
// arg: b buffer int[256] special(seed=2)
// arg: out buffer int[4096] zero
// launch: kernel=int_basic global=256 local=64
// compare: out exact
__kernel void int_basic(__global const int* a, __global const int* b, __global int* out) {
  const int i = get_global_id(0);
  const uint x = as_uint(a[i]);
  const uint y = as_uint(b[i]);
  __global int* o = out + i * 16;
  o[0] = as_int(x + y);
  o[1] = as_int(x - y);
  o[2] = as_int(x * y);
  o[3] = as_int(x & y);
  o[4] = as_int(x | y);
  o[5] = as_int(x ^ y);
  o[6] = as_int(~x);
  o[7] = as_int(x << (y & 31));
  o[8] = as_int(x >> (y & 31));
  o[9] = as_int(x) >> (y & 31);
  o[10] = as_int(0u - x);
  o[11] = as_int(x) < as_int(y);
  o[12] = x < y;
  o[13] = x == y ? 7 : -7;
  o[14] = as_int((x & y) | (~x & 0x0f0f0f0fu));
  o[15] = as_int((x + y) * 3u - (y << 4));
}
