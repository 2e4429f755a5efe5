// Arithmetic on values that are the same for the whole group: addresses, loops and conditions of scalars.
// arg: n scalar int 13
// arg: w scalar ulong 0x123456789abcdef
// arg: v scalar short4 -5,6,-7,8
// arg: c scalar uchar 200
// arg: table buffer int[64] bits(seed=81)
// arg: out buffer int[256] zero
// launch: kernel=int_scalar_uniform global=256 local=64
// compare: out exact
__kernel void int_scalar_uniform(int n, ulong w, short4 v, uchar c, __global const int* table,
                                 __global int* out) {
  const uint group = get_group_id(0);
  uint sum = c;
  for (int k = 0; k < n; ++k) {
    const uint t = as_uint(table[(k * 5 + group) & 63]);
    sum = sum * 31u + t;
    if (t & 1u) {
      sum ^= (uint)(w >> (k + group));
    } else if ((t & 6u) == 2u) {
      sum += popcount(w * t) + clz(t);
    }
  }
  const int extra = (int)min((uint)n, group) * v.x + max(v.y, v.z) - abs((int)v.w - (int)group * 9);
  const ulong product = w * (ulong)(group + 3) + mul_hi(w, w << 8);
  out[get_global_id(0)] =
      as_int(sum + (uint)extra + (uint)(product >> 32) + (uint)product + (uint)get_local_id(0));
}
