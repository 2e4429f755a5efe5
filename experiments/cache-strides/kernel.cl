// Loads of the first level by one group of 1024: every wave reads the same, lanes a stride apart, or rows of a block of lanes (gpu-benches, gpu-strides).
#define LOADS(T)                                                     \
  T sum = 0;                                                         \
  for (int n = 0; n < rounds; ++n) {                                 \
    at += nothing;                                                   \
    sum += at[0] * at[4];                                            \
    sum += at[8] * at[12];                                           \
    sum += at[20] * at[16];                                          \
    sum += at[24] * at[28];                                          \
  }                                                                  \
  if (sum == (T)123123.23) ((__global T*)where)[get_local_id(0)] = sum;

#define KERNELS(T)                                                                                                     \
  __kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void stride_##T(                                          \
      __global float* where, __global float* from, int rounds, int nothing, int stride, int across) {                           \
    __global T* at = (__global T*)from + (get_local_id(0) % 64) * stride;                                                           \
    LOADS(T)                                                                                                           \
  }                                                                                                                    \
  __kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void block_##T(                                           \
      __global float* where, __global float* from, int rounds, int nothing, int stride, int across) {                           \
    __global T* at = (__global T*)from + get_local_id(0) % across % 64 + (get_local_id(0) / across % 32 + 1) * stride;              \
    LOADS(T)                                                                                                           \
  }
KERNELS(float)
KERNELS(double)
