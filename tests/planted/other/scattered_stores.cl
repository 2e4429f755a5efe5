// rule: coalescing
// groups: 1024
// local: 256
// arg: rows=int:$groups
// arg: x=float[$items]:ramp
// arg: out=float[$items]
// What is read in rows is written in columns.
__kernel void planted(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  out[l * rows + g] = 2 * x[i];
}

__kernel void mended(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = 2 * x[i] + rows;
}
