// rule: divergence
// groups: 512
// groups mi300x: 4864
// local: 256
// arg: out=float[$items]
// Four kinds of particles side by side, each with a formula of its own.
float formula(int kind, float x) {
  switch (kind) {
    case 0: for (int k = 0; k < 40; ++k) x = x * 0.5f + 1.0f; break;
    case 1: for (int k = 0; k < 40; ++k) x = x * x - 0.25f; break;
    case 2: for (int k = 0; k < 40; ++k) x = fabs(x - 3.0f) * 0.75f; break;
    default: for (int k = 0; k < 40; ++k) x = fmin(x + 0.125f, 7.0f) * 0.9f;
  }
  return x;
}
__kernel void planted(__global float* out) {
  const int i = get_global_id(0);
  out[i] = formula(i & 3, i);
}
__kernel void mended(__global float* out) {
  const int i = get_global_id(0);
  out[i] = formula(i >> 6 & 3, i);
}
