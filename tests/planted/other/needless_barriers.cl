// rule: barriers
// groups: 256
// groups h200: 528
// groups mi300x: 1216
// groups hd530: 24
// local: 256
// arg: a=float:0.5
// arg: out=float[$items]
// A barrier in each turn of a loop, although nobody reads what another wrote; which wave has more to do changes.
__kernel void planted(float a, __global float* out) {
  const int l = get_local_id(0);
  float x = l;
  for (int k = 0; k < 64; ++k) {
    const int n = (l / 64 + k) % 4 == 0 ? 48 : 4;
#pragma unroll 4
    for (int j = 0; j < n; ++j) x = x * a + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = x;
}

__kernel void mended(float a, __global float* out) {
  const int l = get_local_id(0);
  float x = l;
  for (int k = 0; k < 64; ++k) {
    const int n = (l / 64 + k) % 4 == 0 ? 48 : 4;
#pragma unroll 4
    for (int j = 0; j < n; ++j) x = x * a + 1;
  }
  out[get_global_id(0)] = x;
}
