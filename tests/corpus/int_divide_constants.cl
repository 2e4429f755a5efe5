// Division and remainder by constants and by run-time uniform values, signed and unsigned, 32 and 64 bits.
// arg: a buffer int[256] special(seed=21)
// arg: w buffer long[256] special(seed=22)
// arg: d scalar int 37
// arg: e scalar long -1000003
// arg: out buffer int[3072] zero
// arg: wide buffer long[2048] zero
// launch: kernel=int_divide_constants global=256 local=64
// compare: out exact
// compare: wide exact
__kernel void int_divide_constants(__global const int* a, __global const long* w, int d, long e,
                                   __global int* out, __global long* wide) {
  const int i = get_global_id(0);
  const int x = a[i];
  const uint u = as_uint(x);
  __global int* o = out + i * 12;
  o[0] = x / 3;
  o[1] = x % 7;
  o[2] = x / 16;
  o[3] = x % 16;
  o[4] = (int)(u / 10u);
  o[5] = (int)(u % 641u);
  o[6] = x / d;
  o[7] = x % d;
  o[8] = (int)(u / (uint)d);
  o[9] = (int)(u % (uint)d);
  o[10] = x / -1000;
  o[11] = (int)(u / 0x80000001u);
  const long y = w[i];
  const ulong v = as_ulong(y);
  __global long* p = wide + i * 8;
  p[0] = y / 3;
  p[1] = y % 1000000007L;
  p[2] = y / e;
  p[3] = y % e;
  p[4] = as_long(v / 10ul);
  p[5] = as_long(v % (ulong)d);
  p[6] = y / 1024;
  p[7] = as_long(v / (ulong)(u | 1u));
}
