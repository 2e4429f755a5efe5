// rule: few-waves
// groups h200: 528
// groups hd530: 12
// mended groups h200: 3168
// mended groups hd530: 96
// local: 64
// mended rule h200: dependence-chain
// arg: out=float[$items*48]
// Each work-item takes so many elements that every SIMD has one or two waves only: nothing fills in while it waits
// for what it has just worked out.
float worked(float v) {
  float r = v;
  for (int k = 0; k < 32; ++k) r = native_sqrt(r * v + 0.25f);
  return r;
}

__kernel void planted(__global float* out) {
  const int all = get_global_size(0);
  int at = get_global_id(0);
  for (int s = 0; s < 48; ++s, at += all) out[at] = worked(at * 1e-6f);
}

__kernel void mended(__global float* out) {
  const int all = get_global_size(0);
  int at = get_global_id(0);
  for (int s = 0; s < 6; ++s, at += all) out[at] = worked(at * 1e-6f);
}
