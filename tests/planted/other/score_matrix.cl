// rule: occupancy
// mended rule mi25: divergence
// mended rule rx6900xt: barriers
// groups: 640
// local: 64
// arg: q=uchar[$items]:random(seed=2,min=0,max=3)
// arg: t=uchar[$items]:random(seed=7,min=0,max=3)
// arg: best=int[$items]
// Smith-Waterman of 64 by 64 letters; the whole matrix of scores stands in local memory, where two diagonals would do.
__kernel void planted(__global const uchar* q, __global const uchar* t, __global int* best) {
  __local int h[65 * 66];
  __local uchar b[64];
  const int l = get_local_id(0), g = get_group_id(0);
  const uchar a = q[g * 64 + l] & 3;
  b[l] = t[g * 64 + l] & 3;
  h[(l + 1) * 66] = 0;
  h[l + 1] = 0;
  if (l == 0) h[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int top = 0;
  for (int d = 0; d < 127; ++d) {
    const int c = d - l;
    if (c >= 0 && c < 64) {
      const int diag = h[l * 66 + c] + (a == b[c] ? 2 : -1);
      const int s = max(max(diag, 0), max(h[l * 66 + c + 1], h[(l + 1) * 66 + c]) - 1);
      h[(l + 1) * 66 + c + 1] = s;
      top = max(top, s);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best[g * 64 + l] = top;
}
__kernel void mended(__global const uchar* q, __global const uchar* t, __global int* best) {
  __local int edge[2][65];
  __local uchar b[64];
  const int l = get_local_id(0), g = get_group_id(0);
  const uchar a = q[g * 64 + l] & 3;
  b[l] = t[g * 64 + l] & 3;
  edge[0][l + 1] = edge[1][l + 1] = 0;
  if (l == 0) edge[0][0] = edge[1][0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int top = 0, left = 0, corner = 0;
  for (int d = 0; d < 127; ++d) {
    const int c = d - l;
    if (c >= 0 && c < 64) {
      const int up = edge[d & 1][l];  // of the last diagonal
      const int diag = corner + (a == b[c] ? 2 : -1);
      const int s = max(max(diag, 0), max(up, left) - 1);
      edge[(d + 1) & 1][l + 1] = s;
      corner = up;
      left = s;
      top = max(top, s);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best[g * 64 + l] = top;
}
