// Private arrays of vectors and longs, indexed at run time, passed to functions; a dynamic lane of a vector.
// arg: a buffer float4[256] random(seed=711,min=-8,max=8)
// arg: out buffer float4[256] zero
// arg: sums buffer long[256] zero
// launch: kernel=private_vectors global=256 local=64
// compare: out exact
// compare: sums exact
__attribute__((noinline)) long mix_up(__private long* values, int n) {
  long sum = 0;
  for (int k = 0; k < n; ++k) {
    values[(k * 3) % 8] += values[k % 8] * 5 - k;
    sum ^= values[(k + 1) & 7] << (k & 3);
  }
  return sum;
}
__kernel void private_vectors(__global const float4* a, __global float4* out, __global long* sums) {
  const int i = get_global_id(0);
  float4 rows[4];
  long values[8];
  for (int k = 0; k < 4; ++k) {
    rows[k] = a[(i + k * k) & 255];
    values[k] = (long)(rows[k].x * 100.0f);
    values[k + 4] = i - k;
  }
  const int n = (int)fabs(rows[0].y);
  float4 result = rows[n & 3];
  result.x = rows[(n + i) & 3].w;
  float lanes[4];
  vstore4(rows[i & 3], 0, lanes);
  result.z = lanes[n & 3];
  union {
    float4 v;
    float s[4];
  } u;
  u.v = rows[3];
  u.s[i & 3] = 9.0f;
  result.w += u.s[n & 3];
  out[i] = result;
  sums[i] = mix_up(values, n + 5);
}
