// rule: partial-waves
// gain: any
// groups: 3584
// groups hd530: 448
// local: 36
// mended local: 252
// arg: in=float[$items]:random(seed=2,min=-1,max=1)
// arg: out=float[$items]
// The 24th power of 6 x 6 matrices, a group of 36 work-items for each.
__kernel void planted(__global const float* in, __global float* out) {
  __local float a[36], t[2][36];
  const int l = get_local_id(0), r = l / 6 * 6, c = l % 6;
  t[0][l] = a[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 24; ++k) {
    __local const float* f = t[k & 1];
    float s = 0;
    for (int j = 0; j < 6; ++j) s += f[r + j] * a[j * 6 + c];
    t[(k + 1) & 1][l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[0][l];
}
// seven matrices for a group of 252
__kernel void mended(__global const float* in, __global float* out) {
  __local float a[252], t[2][252];
  const int l = get_local_id(0), o = l / 36 * 36, e = l % 36, r = o + e / 6 * 6, c = o + e % 6;
  t[0][l] = a[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 24; ++k) {
    __local const float* f = t[k & 1];
    float s = 0;
    for (int j = 0; j < 6; ++j) s += f[r + j] * a[j * 6 + c];
    t[(k + 1) & 1][l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[0][l];
}
