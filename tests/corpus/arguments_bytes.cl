// Vectors of bytes as a kernel's arguments.
// arg: four scalar char4 1,-2,127,-128
// arg: two scalar uchar2 200,3
// arg: out buffer int[384] zero
// launch: kernel=bytes global=64 local=64
// compare: out exact
__kernel void bytes(char4 four, uchar2 two, __global int* out) {
  const int i = get_global_id(0);
  out[6 * i] = four.x + i;
  out[6 * i + 1] = four.y - i;
  out[6 * i + 2] = four.z * i;
  out[6 * i + 3] = four.w ^ i;
  out[6 * i + 4] = two.x + i;
  out[6 * i + 5] = two.y * i;
}
