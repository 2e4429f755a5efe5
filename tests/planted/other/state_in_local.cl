// rule: repeated-accesses
// gain h200: least
// groups: 128
// groups h200: 264
// groups v100: 160
// groups hd530: 24
// local: 64
// arg: n=int:96
// arg: a=float:0.5
// arg: out=float[$items]
// Each item's state lies in local memory.
__kernel void planted(int n, float a, __global float* out) {
  __local volatile float s[LOCAL];
  const int l = get_local_id(0);
  s[l] = l;
  for (int k = 0; k < n; ++k) s[l] = s[l] * a + k;
  out[get_global_id(0)] = s[l];
}
__kernel void mended(int n, float a, __global float* out) {
  float s = get_local_id(0);
  for (int k = 0; k < n; ++k) s = s * a + k;
  out[get_global_id(0)] = s;
}
