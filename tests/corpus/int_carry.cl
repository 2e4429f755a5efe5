// 128-bit addition, subtraction and multiplication out of 64-bit halves: carries through several words.
// arg: a buffer ulong2[256] special(seed=61)
// arg: b buffer ulong2[256] special(seed=62)
// arg: out buffer ulong2[1024] zero
// launch: kernel=int_carry global=256 local=64
// compare: out exact
__kernel void int_carry(__global const ulong2* a, __global const ulong2* b, __global ulong2* out) {
  const int i = get_global_id(0);
  const ulong2 x = a[i];
  const ulong2 y = b[i];
  ulong2 sum;
  sum.x = x.x + y.x;
  sum.y = x.y + y.y + (sum.x < x.x);
  ulong2 difference;
  difference.x = x.x - y.x;
  difference.y = x.y - y.y - (x.x < y.x);
  ulong2 product;
  product.x = x.x * y.x;
  product.y = mul_hi(x.x, y.x) + x.x * y.y + x.y * y.x;
  ulong2 square;
  square.x = (ulong)(uint)x.x * (uint)x.x;
  square.y = (ulong)(uint)(x.y >> 32) * (uint)y.y + x.x;
  out[i * 4] = sum;
  out[i * 4 + 1] = difference;
  out[i * 4 + 2] = product;
  out[i * 4 + 3] = square;
}
