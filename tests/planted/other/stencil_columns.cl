// rule: coalescing
// mended rule hd530: integer-division
// groups: 64
// local: 256
// arg: rows=int:256
// arg: columns=int:$groups
// arg: x=float[$items]:random
// arg: y=float[$items]
// A five-point stencil of a picture stored by rows, whose neighbouring work-items lie below each other.
__kernel void planted(int rows, int columns, __global const float* x, __global float* y) {
  const int i = get_global_id(0), r = i % 256, c = i / 256;
  if (r == 0 || c == 0 || r == rows - 1 || c == columns - 1) return;
  __global const float* p = x + r * columns + c;
  y[r * columns + c] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-columns] + p[columns]);
}
// Neighbours beside each other.
__kernel void mended(int rows, int columns, __global const float* x, __global float* y) {
  const int i = get_global_id(0), c = i % columns, r = i / columns;
  if (r == 0 || c == 0 || r == rows - 1 || c == columns - 1) return;
  __global const float* p = x + r * columns + c;
  y[r * columns + c] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-columns] + p[columns]);
}
