#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define HASH(i) ((((i) * 2654435761u) ^ ((i) >> 7) * 40503u) & mask)
#define K(N, OP) __kernel void N(volatile __global uint* x, __global uint* out, uint mask) { uint s = 0; uint i = get_global_id(0); for (uint k = 0; k < 16; ++k) { uint h = HASH(i * 16 + k); OP } if (s == 12345) out[0] = s; }
K(red_add, atomic_add(x + h, 1u);)
K(add, s += atomic_add(x + h, k + 1);)
K(red_max, atomic_max(x + h, i);)
K(get_max, s += atomic_max(x + h, i);)
K(exch, s += atomic_xchg(x + h, i);)
K(cas_fail, s += atomic_cmpxchg(x + h, 0xfffffff0u, i);)
K(cas_good, s += atomic_cmpxchg(x + h, 0u, i & 0u);)
K(red_add64, atom_add((volatile __global ulong*)x + (h >> 1), 1ul);)
K(add64, s += (uint)atom_add((volatile __global ulong*)x + (h >> 1), 1ul + k);)
K(cas64, s += (uint)atom_cmpxchg((volatile __global ulong*)x + (h >> 1), 99999999999ul, 1ul);)
K(load, s += x[h];)
K(red_or, atomic_or(x + h, 1u << (k & 31));)
