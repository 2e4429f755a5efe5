// cause: uncoalesced
// groups: 256 1024 4096
// groups hd5870: 1024 2048 4096
// groups hd6970: 1024 2048 4096
// mended rule hd5870: wave-starts
// mended rule hd6970: wave-starts
// local: 256
// arg: rows=$groups
// arg: x=float[$items]:ramp
// arg: out=float[$items]
__kernel void planted(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  out[i] = 2 * x[l * rows + g];  // here
}

// (Waves of one element each begin no faster than a fifth below what memory could do, on VLIW.)
__kernel void mended(int rows, __global const float* x, __global float* out) {
  const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
  out[i] = 2 * x[g * 256 + l] + rows;
}
