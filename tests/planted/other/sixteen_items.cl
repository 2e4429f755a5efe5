// rule: partial-waves
// groups: 3072
// groups hd530: 384
// local: 16
// mended local: 128
// arg: n=int:96
// arg: x=float[$items]:random(seed=1,min=0,max=1)
// Groups of sixteen work-items, of which each finds the value that it goes on with in memory.
__kernel void planted(int n, __global float* x) {
  const int i = get_global_id(0);
  float v = x[i], w = v * 0.5f;
  for (int k = 0; k < n; ++k) {
    v = mad(v, 0.9f, w);
    w = mad(w, -0.4f, v);
  }
  x[i] = v + w;
}

__kernel void mended(int n, __global float* x) {
  const int i = get_global_id(0);
  float v = x[i], w = v * 0.5f;
  for (int k = 0; k < n; ++k) {
    v = mad(v, 0.9f, w);
    w = mad(w, -0.4f, v);
  }
  x[i] = v + w;
}
