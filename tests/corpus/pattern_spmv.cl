// A sparse matrix (compressed rows made on the device) times a vector: rows of different length.
// arg: start buffer int[257] zero
// arg: column buffer int[4096] random(seed=851,min=0,max=255)
// arg: value buffer float[4096] random(seed=852,min=-1,max=1)
// arg: x buffer float[256] random(seed=853,min=-1,max=1)
// arg: y buffer float[256] zero
// launch: kernel=make_rows global=1 local=1 args=start
// launch: kernel=spmv global=256 local=64
// compare: start exact
// compare: y exact
#pragma OPENCL FP_CONTRACT OFF
__kernel void make_rows(__global int* start) {
  int at = 0;
  for (int row = 0; row < 256; ++row) {
    start[row] = at;
    at += (row * 7 + 3) % 17;
  }
  start[256] = at;
}
__kernel void spmv(__global const int* start, __global const int* column, __global const float* value,
                   __global const float* x, __global float* y) {
  const int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = start[row]; k < start[row + 1]; ++k) {
    sum += value[k] * x[column[k]];
  }
  y[row] = sum;
}
