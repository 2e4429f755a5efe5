// Every 32-bit atomic of OpenCL 1.2 on local memory, with and without use of the returned value.
// arg: a buffer int[256] random(seed=611,min=-1000,max=1000)
// arg: out buffer int[64] zero
// arg: order buffer uint[256] zero
// launch: kernel=atomics_local global=256 local=64
// compare: out exact
// compare: order exact
__kernel void atomics_local(__global const int* a, __global int* out, __global uint* order) {
  __local int s[12];
  __local uint u[8];
  __local uint tickets[64];
  const int l = get_local_id(0);
  const int x = a[get_global_id(0)];
  if (l < 12) {
    s[l] = l == 2 ? INT_MAX : l == 3 ? INT_MIN : l == 4 ? -1 : 0;
  }
  if (l < 8) {
    u[l] = l == 0 ? UINT_MAX : 0;
  }
  tickets[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&s[0], x);
  atomic_sub(&s[1], x);
  atomic_min(&s[2], x);
  atomic_max(&s[3], x);
  atomic_and(&s[4], x | 0xf0);
  atomic_or(&s[5], x & 0x333);
  atomic_xor(&s[6], x);
  atomic_inc(&s[7]);
  atomic_dec(&s[8]);
  atomic_min(&u[0], (uint)x);
  atomic_max(&u[1], (uint)x);
  const uint ticket = atomic_add(&u[2], 2u);
  tickets[ticket >> 1] += 1;
  atomic_xchg(&u[3], 11u);
  uint old = 0;
  uint expected;
  do {
    expected = old;
    old = atomic_cmpxchg(&u[4], expected, expected + (uint)(x & 7));
  } while (old != expected);
  barrier(CLK_LOCAL_MEM_FENCE);
  order[get_global_id(0)] = tickets[l];
  if (l < 16) {
    out[get_group_id(0) * 16 + l] = l < 9 ? s[l] : l < 14 ? (int)u[l - 9] : 0;
  }
}
