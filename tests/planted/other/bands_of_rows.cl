// rule: imbalance
// groups: 256
// local: 64
// arg: out=int[$items*16]
// The Mandelbrot set: each group has a band of rows, and those in the middle have most of the work.
#define W 64
int escape(float x, float y) {
  float a = 0, b = 0;
  int k = 0;
  for (; k < 200 && a * a + b * b < 4; ++k) {
    const float t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
  }
  return k;
}
void row(int y, int rows, __global int* out) {
  const int x = get_local_id(0);
  out[y * W + x] = escape(-1.6f + 1.8f / W * x, -6.0f + 12.0f / rows * y);
}
__kernel void planted(__global int* out) {
  for (int r = 0; r < 16; ++r) row(get_group_id(0) * 16 + r, get_num_groups(0) * 16, out);
}
// Every group has rows of all parts.
__kernel void mended(__global int* out) {
  for (int r = 0; r < 16; ++r) row(r * get_num_groups(0) + get_group_id(0), get_num_groups(0) * 16, out);
}
