// cause: uncoalesced
// groups: 256 1024 4096
// groups hd5870: 1024 2048 4096
// groups hd6970: 1024 2048 4096
// local: 256
// arg: rows=$groups
// arg: x=float[$items]:ramp
// arg: out=float[$items]
__kernel void planted(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  out[i] = 2 * x[l * rows + g];  // here
}

__kernel void mended(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  out[i] = 2 * x[g * 256 + l] + rows;
}
