// rule: serial-section
// gain: any  (the step of its tree is longer than most)
// groups: 80
// local: 256
// arg: in=float[$groups*2304]:random(seed=2,min=-1,max=1)
// arg: out=float[$groups*2304]
// LU of a 48 x 48 matrix in local memory; one work-item looks for each pivot.
#define N 48
#define P 49
__kernel void planted(__global const float* in, __global float* out) {
  __local float m[N * P];
  __local int piv;
  const int l = get_local_id(0), base = get_group_id(0) * N * N;
  for (int e = l; e < N * N; e += 256) m[e / N * P + e % N] = in[base + e];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < N - 1; ++k) {
    if (l == 0) {
      int b = k;
      float v = fabs(m[k * P + k]);
      for (int r = k + 1; r < N; ++r) {
        const float w = fabs(m[r * P + k]);
        if (w > v) { v = w; b = r; }
      }
      piv = b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int b = piv;
    if (b != k && l < N) {
      const float t = m[k * P + l];
      m[k * P + l] = m[b * P + l];
      m[b * P + l] = t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > k && l < N) m[l * P + k] *= native_recip(m[k * P + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = k + 1 + (l >> 5); r < N; r += 8)
      for (int c = k + 1 + (l & 31); c < N; c += 32) m[r * P + c] -= m[r * P + k] * m[k * P + c];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int e = l; e < N * N; e += 256) out[base + e] = m[e / N * P + e % N];
}
// a tree of 64
__kernel void mended(__global const float* in, __global float* out) {
  __local float m[N * P];
  __local float val[64];
  __local int idx[64];
  const int l = get_local_id(0), base = get_group_id(0) * N * N;
  for (int e = l; e < N * N; e += 256) m[e / N * P + e % N] = in[base + e];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < N - 1; ++k) {
    if (l < 64) {
      val[l] = l >= k && l < N ? fabs(m[l * P + k]) : -1;
      idx[l] = l;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
      if (l < s && (val[l + s] > val[l] || (val[l + s] == val[l] && idx[l + s] < idx[l]))) {
        val[l] = val[l + s];
        idx[l] = idx[l + s];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int b = idx[0];
    if (b != k && l < N) {
      const float t = m[k * P + l];
      m[k * P + l] = m[b * P + l];
      m[b * P + l] = t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > k && l < N) m[l * P + k] *= native_recip(m[k * P + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = k + 1 + (l >> 5); r < N; r += 8)
      for (int c = k + 1 + (l & 31); c < N; c += 32) m[r * P + c] -= m[r * P + k] * m[k * P + c];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int e = l; e < N * N; e += 256) out[base + e] = m[e / N * P + e % N];
}
