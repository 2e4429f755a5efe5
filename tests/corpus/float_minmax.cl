// fmin, fmax and their relatives, with NaN on either side (signalling NaN and the sign of zero are not asked about).
// arg: a buffer float[512] special(seed=221)
// arg: b buffer float[512] special(seed=222)
// arg: out buffer float[5120] zero
// launch: kernel=float_minmax global=512 local=64
// compare: out exact
// needs: denormals
float quiet(float x) {
  return isnan(x) ? NAN : x == 0.0f ? 0.0f : x;
}
__kernel void float_minmax(__global const float* a, __global const float* b, __global float* out) {
  const int i = get_global_id(0);
  const float x = quiet(a[i]);
  const float y = quiet(b[i]);
  const float s = isnan(x) ? 1.0f : x;
  const float t = isnan(y) ? -1.0f : y;
  __global float* o = out + i * 10;
  o[0] = fmin(x, y);
  o[1] = fmax(x, y);
  o[2] = min(s, t);
  o[3] = max(s, t);
  o[4] = clamp(s, -2.0f, 5.0f);
  o[5] = fdim(s, t);
  o[6] = maxmag(s, t == -s ? s : t);
  o[7] = minmag(s, t == -s ? s : t);
  o[8] = sign(s) + step(0.5f, s);
  o[9] = fmin(fmax(s, 0.0f), 1.0f);
}
