// rule: none
// groups: 256
// local: 128
// arg: n=int:$items
// arg: a=double[$items*16]:ramp
// arg: out=double[$items]
// Each work-item adds up a row of its own; caches keep the rows, and most GPUs lose nothing or little.
__kernel void planted(int n, __global const double* a, __global double* out) {
  const int i = get_global_id(0);
  double sum = 0;
  for (int j = 0; j < 16; ++j) sum += a[i * 16 + j];
  out[i] = sum;
}

// The matrix turned.
__kernel void mended(int n, __global const double* a, __global double* out) {
  const int i = get_global_id(0);
  double sum = 0;
  for (int j = 0; j < 16; ++j) sum += a[j * n + i];
  out[i] = sum;
}
