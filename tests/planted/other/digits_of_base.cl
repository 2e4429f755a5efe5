// rule: integer-division
// gain h200: least
// groups: 256
// groups mi300x: 4864
// local: 256
// arg: width=uint:37
// arg: out=uint[$items]
// Digits of a number to a base that is known at run time.
__kernel void planted(uint width, __global uint* out) {
  uint v = get_global_id(0) * 2654435761u, sum = 0;
  for (int k = 0; k < 24; ++k) { sum += v % width; v = v / width + (k << 27); }
  out[get_global_id(0)] = sum;
}
// To a base that is a power of two.
__kernel void mended(uint width, __global uint* out) {
  uint v = get_global_id(0) * 2654435761u, sum = 0;
  for (int k = 0; k < 24; ++k) { sum += v & (width | 63); v = (v >> 5) + (k << 27); }
  out[get_global_id(0)] = sum;
}
