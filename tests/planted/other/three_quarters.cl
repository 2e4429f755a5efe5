// rule: partial-waves
// rule rx6900xt: none
// groups: 2048
// groups hd530: 256
// local: 48
// mended local: 192
// arg: n=int:96
// arg: x=float[$items]:random(seed=1,min=0,max=1)
// A quarter of the lanes have no work-item.
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
