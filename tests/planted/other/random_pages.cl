// rule: translation
// groups: 256
// local: 64
// gain: least
// gain h200: any
// rule h200: dependence-chain
// rule mi300x: any
// mended rule: dependence-chain
// arg: page=uint:524288
// arg: x=uint[268435456]
// arg: out=uint[$items]
// The next row lies on a page that the last one says, anywhere in a gigabyte.
__kernel void planted(uint page, __global const uint* x, __global uint* out) {
  const uint l = get_local_id(0);
  uint row = get_group_id(0) * 97;
  for (int k = 0; k < 32; ++k) row = (row * 1103515245u + 12345u + x[(row >> 5 & 511) * (ulong)page + (row >> 16 & 3) * 64 + l]) & 0x7fffffff;
  out[get_global_id(0)] = row;
}
// The same rows one behind the other. (Which the second level keeps, too: the twin may save more than the way to the pages.)
__kernel void mended(uint page, __global const uint* x, __global uint* out) {
  const uint l = get_local_id(0);
  uint row = get_group_id(0) * 97;
  for (int k = 0; k < 32; ++k) row = (row * 1103515245u + 12345u + x[((row >> 5 & 511) * 256) + (row >> 16 & 3) * 64 + l]) & 0x7fffffff;
  out[get_global_id(0)] = row;
}
