// Sixteen streams of words ("coalesced"), or sixteen words of its own for each work-item, one after the other ("misaligned"), as
// OpenCL-Benchmark reads and writes them (OCB). Its buffer has a GB; the number of work-items is a constant of its kernels.
#define STREAMS 16

__kernel void coalesced_read(__global float* data) {
  const uint n = get_global_id(0);
  float sum = 0;
  for (uint i = 0; i < STREAMS; ++i) sum += data[i * ITEMS + n];
  data[n] = sum;
}

__kernel void coalesced_write(__global float* data) {
  const uint n = get_global_id(0);
  for (uint i = 0; i < STREAMS; ++i) data[i * ITEMS + n] = as_float(n);
}

__kernel void misaligned_read(__global float* data) {
  const uint n = get_global_id(0);
  float sum = 0;
  for (uint i = 0; i < STREAMS; ++i) sum += data[n * STREAMS + i];
  data[n] = sum;
}

__kernel void misaligned_write(__global float* data) {
  const uint n = get_global_id(0);
  for (uint i = 0; i < STREAMS; ++i) data[n * STREAMS + i] = as_float(n);
}
