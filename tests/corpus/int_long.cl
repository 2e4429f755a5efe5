// Every integer operation and builtin on long and ulong, on special and random values.
// arg: a buffer long[256] special(seed=64)
// arg: b buffer long[256] special(seed=164)
// arg: c buffer long[256] special(seed=264)
// arg: s buffer long[6144] zero
// arg: u buffer ulong[6144] zero
// launch: kernel=int_long global=256 local=64
// compare: s exact
// compare: u exact
__kernel void int_long(__global const long* a, __global const long* b, __global const long* c,
                       __global long* s, __global ulong* u) {
  const int i = get_global_id(0);
  const long x = a[i];
  const long y = b[i];
  const long z = c[i];
  const ulong ux = as_ulong(x);
  const ulong uy = as_ulong(y);
  const ulong uz = as_ulong(z);
  __global long* p = s + i * 24;
  p[0] = as_long((ulong)(ux + uy));
  p[1] = as_long((ulong)(ux * uy));
  p[2] = add_sat(x, y);
  p[3] = sub_sat(x, y);
  p[4] = hadd(x, y);
  p[5] = rhadd(x, y);
  p[6] = mul_hi(x, y);
  p[7] = mad_sat(x, y, z);
  p[8] = max(x, y);
  p[9] = min(x, y);
  p[10] = y < z ? clamp(x, y, z) : clamp(x, z, y);
  p[11] = rotate(x, y);
  p[12] = clz(x);
  p[13] = popcount(x);
  p[14] = x >> (uy & 63);
  p[15] = y == 0 || y == -1 ? 0 : x / y;
  p[16] = y == 0 || y == -1 ? 0 : x % y;
  p[17] = mad_hi(x, y, z);
  p[18] = x < y;
  p[19] = (x == y) + 2 * (x <= z) + 4 * (x != z);
  p[20] = bitselect(x, y, z);
  p[21] = select(x, y, uz);
  p[22] = y == 0 || y == -1 ? x : (long)(z / y - x % y);
  p[23] = isgreater((float)x, (float)y);
  __global ulong* q = u + i * 24;
  q[0] = ux - uy;
  q[1] = abs(x);
  q[2] = abs_diff(x, y);
  q[3] = add_sat(ux, uy);
  q[4] = sub_sat(ux, uy);
  q[5] = hadd(ux, uy);
  q[6] = rhadd(ux, uy);
  q[7] = mul_hi(ux, uy);
  q[8] = mad_sat(ux, uy, uz);
  q[9] = max(ux, uy);
  q[10] = min(ux, uy);
  q[11] = uy < uz ? clamp(ux, uy, uz) : clamp(ux, uz, uy);
  q[12] = rotate(ux, uy);
  q[13] = clz(ux);
  q[14] = popcount(ux);
  q[15] = ux >> (uy & 63);
  q[16] = uy == 0 ? 0 : ux / uy;
  q[17] = uy == 0 ? 0 : ux % uy;
  q[18] = mad_hi(ux, uy, uz);
  q[19] = ux < uy;
  q[20] = abs_diff(ux, uy);
  q[21] = ux << (uz & 63);
  q[22] = (ux & uy) | (~ux & uz);
  q[23] = ux ^ uy ^ uz;
}
