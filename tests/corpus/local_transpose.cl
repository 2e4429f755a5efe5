// A tiled matrix transpose: 16x16 tiles in local memory with a padded row, 64 columns by 48 rows.
// arg: a buffer float[3072] ramp(0,0.5)
// arg: out buffer float[3072] zero
// arg: width scalar int 64
// arg: height scalar int 48
// launch: kernel=local_transpose global=64,48 local=16,16
// compare: out exact
__kernel void local_transpose(__global const float* a, __global float* out, int width, int height) {
  __local float tile[16][17];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  tile[y][x] = a[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int column = get_group_id(1) * 16 + x;
  const int row = get_group_id(0) * 16 + y;
  out[row * height + column] = tile[x][y];
}
