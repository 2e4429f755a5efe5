// Each work-item adds up n numbers that lie in memory far apart.
__kernel void one_at_a_time(int n, __global const float* in, __global float* out) {
  int i = get_global_id(0), all = get_global_size(0);
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += in[k * all + i];
  out[i] = sum;
}

// Four loads are under way before the first is needed.
__kernel void four_at_a_time(int n, __global const float* in, __global float* out) {
  int i = get_global_id(0), all = get_global_size(0);
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 4) {
    s0 += in[k * all + i];
    s1 += in[(k + 1) * all + i];
    s2 += in[(k + 2) * all + i];
    s3 += in[(k + 3) * all + i];
  }
  out[i] = s0 + s1 + s2 + s3;
}
