// rule: uneven-waves
// rule hd530: none
// rule mi300x: imbalance
// groups: 640
// local: 256
// arg: n=int:600
// arg: out=float[$items]
// The first 64 items of each group work; the others have nothing to do. (Where as many waves as there are SIMDs make a group, these are those of one SIMD. On
// Intel threads go to whichever EU has room, and an MI300X has more SIMDs than there are such waves: they are the few that work longer.)
__kernel void planted(int n, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0);
  float x = i, y = 1;
  if (l < 64)
    for (int k = 0; k < n; ++k) { x = x * 0.5f + k; y = y * x + 0.25f; }
  out[i] = x + y;
}
// The same turns dealt out to all.
__kernel void mended(int n, __global float* out) {
  const int i = get_global_id(0);
  float x = i, y = 1;
  for (int k = 0; k < n / 4; ++k) { x = x * 0.5f + k; y = y * x + 0.25f; }
  out[i] = x + y;
}
