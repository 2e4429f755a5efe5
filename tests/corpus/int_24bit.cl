// mul24 and mad24 (operands within 24 bits), and multiplications that a compiler may narrow.
// arg: a buffer int[512] random(seed=11,min=-8388608,max=8388607)
// arg: b buffer int[512] random(seed=12,min=-8388608,max=8388607)
// arg: c buffer int[512] bits(seed=13)
// arg: out buffer int[3072] zero
// launch: kernel=int_24bit global=512 local=128
// compare: out exact
__kernel void int_24bit(__global const int* a, __global const int* b, __global const int* c,
                        __global int* out) {
  const int i = get_global_id(0);
  const uint ux = (uint)a[i] & 0xffffffu;
  const uint uy = (uint)b[i] & 0xffffffu;
  out[i] = mul24(a[i], b[i]);
  out[i + 512] = as_int(as_uint(mad24(a[i], b[i], c[i])));
  out[i + 1024] = as_int(mul24(ux, uy));
  out[i + 1536] = as_int(mad24(ux, uy, as_uint(c[i])));
  out[i + 2048] = (int)(short)a[i] * (int)(short)b[i];
  out[i + 2560] = (int)((uint)(ushort)a[i] * (uint)(ushort)b[i] + as_uint(c[i]));
}
