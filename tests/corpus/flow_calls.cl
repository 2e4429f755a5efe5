// Chains of calls that are not inlined: values in registers, on the stack, by pointer; structures returned.
// arg: a buffer int[256] random(seed=371,min=-1000,max=1000)
// arg: out buffer int[1024] zero
// launch: kernel=flow_calls global=256 local=64
// compare: out exact
typedef struct {
  int low, high;
  long sum;
  int counts[5];
} Summary;

__attribute__((noinline)) int gcd(int a, int b) {
  while (b != 0) {
    const int t = a % b;
    a = b;
    b = t;
  }
  return a;
}
__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, long i, short j,
                                   uchar k, int l, int m, int n, int o, int p, int q, int r) {
  return a - b * 2 + c * 3 - d * 4 + e * 5 - f * 6 + g * 7 - h + (int)(i >> 3) + j * k +
         gcd(abs(l) + 1, abs(m) + 1) + (n ^ o) + p * q - r;
}
__attribute__((noinline)) Summary summarise(__private const int* values, int n) {
  Summary s;
  s.low = values[0];
  s.high = values[0];
  s.sum = 0;
  for (int k = 0; k < 5; ++k) {
    s.counts[k] = 0;
  }
  for (int k = 0; k < n; ++k) {
    s.low = min(s.low, values[k]);
    s.high = max(s.high, values[k]);
    s.sum += values[k];
    s.counts[(values[k] & 0xff) % 5] += 1;
  }
  return s;
}
__attribute__((noinline)) void swap_if(__private int* a, __private int* b, int condition) {
  if (condition) {
    const int t = *a;
    *a = *b;
    *b = t;
  }
}
__kernel void flow_calls(__global const int* a, __global int* out) {
  const int i = get_global_id(0);
  int values[7];
  for (int k = 0; k < 7; ++k) {
    values[k] = a[(i * 3 + k * 11) & 255];
  }
  for (int k = 0; k < 6; ++k) {
    swap_if(&values[k], &values[6 - k], values[k] > values[6 - k]);
  }
  const Summary s = summarise(values, 3 + (i & 3));
  out[4 * i] = gcd(abs(values[0]) + 1, abs(values[1]) + 2);
  out[4 * i + 1] =
      many(values[0], values[1], values[2], values[3], values[4], values[5], values[6], i, s.sum * 100,
           (short)s.low, (uchar)i, s.high, s.low, 3, i, s.counts[0], s.counts[1], s.counts[4]);
  out[4 * i + 2] = s.high - s.low;
  out[4 * i + 3] = (int)s.sum * 10 + s.counts[2] - s.counts[3] * values[i % 7];
}
