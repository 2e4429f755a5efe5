// Every 32-bit atomic of OpenCL 1.2 on global memory, in forms whose final value does not depend on the order.
// arg: a buffer int[512] random(seed=601,min=-100000,max=100000)
// arg: s buffer int[16] values(0,0,2147483647,-2147483648,-1,0,0,0,5,0,0,0,0,0,0,0)
// arg: u buffer uint[16] values(0,4000000000,4294967295,0,4294967295,0,0,0,0,0,0,0,0,0,0,0)
// arg: f buffer float[4] zero
// arg: seen buffer uint[512] zero
// launch: kernel=atomics_global global=512 local=64
// compare: s exact
// compare: u exact
// compare: f exact
// compare: seen exact
__kernel void atomics_global(__global const int* a, volatile __global int* s, volatile __global uint* u,
                             volatile __global float* f, __global uint* seen) {
  const int i = get_global_id(0);
  const int x = a[i];
  const uint y = (uint)x * 2654435761u;
  atomic_add(&s[0], x);
  atomic_sub(&s[1], x * 3);
  atomic_min(&s[2], x);
  atomic_max(&s[3], x);
  atomic_and(&s[4], x | 0x0ff0);
  atomic_or(&s[5], x & 0x7070);
  atomic_xor(&s[6], x);
  atomic_inc(&s[7]);
  atomic_dec(&s[8]);
  atomic_add(&u[0], y);
  atomic_sub(&u[1], y >> 3);
  atomic_min(&u[2], y);
  atomic_max(&u[3], y);
  atomic_and(&u[4], y | 0xff00ffu);
  atomic_or(&u[5], 1u << (y & 31));
  atomic_xor(&u[6], y);
  // Each ticket is drawn exactly once.
  const uint ticket = atomic_inc(&u[7]);
  seen[ticket] += 1;
  // Of the work-items that share a slot, the first to come claims it; their number is what stays.
  if (atomic_cmpxchg(&u[8 + (i & 3)], 0u, 1u) == 0u) {
    atomic_inc(&u[13]);
  }
  // The last one to write is any of them, but all write the same.
  atomic_xchg(&f[0], 2.5f);
  atomic_xchg(&s[9], 77);
  if (i == 100) {
    s[10] = atomic_xchg(&u[12], 9u) + atomic_add(&s[11], 4);
    s[12] = atomic_cmpxchg(&s[13], 0, 42) - 1;
    s[14] = atomic_cmpxchg(&s[13], 41, 1);
  }
}
