// Edit distances between short strings: a dynamic programme with two rows in private memory.
// arg: text buffer uchar[2048] random(seed=941,min=97,max=99)
// arg: out buffer int[256] zero
// launch: kernel=edit_distance global=256 local=64
// compare: out exact
__kernel void edit_distance(__global const uchar* text, __global int* out) {
  const int i = get_global_id(0);
  __global const uchar* a = text + i * 7;
  __global const uchar* b = text + ((i * 31) & 1023);
  const int n = 6 + (i & 7);
  const int m = 5 + (i % 5);
  int rows[2][16];
  for (int x = 0; x <= n; ++x) {
    rows[0][x] = x;
  }
  for (int y = 1; y <= m; ++y) {
    int* row = rows[y & 1];
    const int* above = rows[(y - 1) & 1];
    row[0] = y;
    for (int x = 1; x <= n; ++x) {
      const int change = above[x - 1] + (a[x - 1] != b[y - 1]);
      row[x] = min(change, min(above[x], row[x - 1]) + 1);
    }
  }
  out[i] = rows[m & 1][n];
}
