// 256-bit modular arithmetic with 32-bit limbs: schoolbook multiplication and a reduction by 2^255 - 19.
// arg: a buffer uint8[128] bits(seed=961)
// arg: b buffer uint8[128] bits(seed=962)
// arg: out buffer uint8[128] zero
// launch: kernel=multiply global=128 local=64
// compare: out exact
__kernel void multiply(__global const uint8* a, __global const uint8* b, __global uint8* out) {
  const int i = get_global_id(0);
  uint x[8];
  uint y[8];
  uint product[16];
  vstore8(a[i], 0, x);
  vstore8(b[i], 0, y);
  for (int k = 0; k < 16; ++k) {
    product[k] = 0;
  }
  for (int k = 0; k < 8; ++k) {
    ulong carry = 0;
    for (int m = 0; m < 8; ++m) {
      const ulong t = (ulong)x[k] * y[m] + product[k + m] + carry;
      product[k + m] = (uint)t;
      carry = t >> 32;
    }
    product[k + 8] = (uint)carry;
  }
  ulong carry = 0;
  for (int k = 0; k < 8; ++k) {
    const ulong t = (ulong)product[k + 8] * 38ul + product[k] + carry;
    x[k] = (uint)t;
    carry = t >> 32;
  }
  carry = carry * 38ul;
  for (int k = 0; k < 8; ++k) {
    const ulong t = (ulong)x[k] + carry;
    x[k] = (uint)t;
    carry = t >> 32;
  }
  out[i] = vload8(0, x);
}
