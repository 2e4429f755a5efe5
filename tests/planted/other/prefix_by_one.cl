// rule: serial-section
// mended rule hd530: barriers
// groups: 64
// local: 256
// arg: x=int[$items]:ramp
// arg: out=int[$items]
// One item sums up for all.
// (The gain has its work spread over all lanes; together they do eight times as many additions, which on Gen9 is little beside one lane's loop.)
__kernel void planted(__global const int* x, __global int* out) {
  __local int t[256];
  const int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int k = 1; k < 256; ++k) t[k] += t[k - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l];
}
// In eight steps, together.
__kernel void mended(__global const int* x, __global int* out) {
  __local int t[512];
  const int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  int from = 0;
  for (int s = 1; s < 256; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    t[256 - from + l] = t[from + l] + (l >= s ? t[from + l - s] : 0);
    from = 256 - from;
  }
  out[i] = t[from + l];
}
