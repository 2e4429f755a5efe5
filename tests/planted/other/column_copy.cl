// rule: coalescing
// groups: 1024
// local: 256
// arg: rows=int:$groups
// arg: x=float[$items]:ramp
// arg: out=float[$items]
// A matrix copied with its indices swapped: neighbours are a row apart, in what is read and in what is written.
__kernel void planted(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const int row = i % rows, column = i / rows;
  out[row * 256 + column] = 3 * x[row * 256 + column];
}

__kernel void mended(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const int row = i / 256, column = i % 256;
  out[row * 256 + column] = 3 * x[row * 256 + column] + rows;
}
