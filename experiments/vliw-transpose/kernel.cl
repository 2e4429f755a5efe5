// A group's 256 work-items are a square of 16 by 16.
__kernel void naive(__global const float* from, __global float* to, int side) {
  const int item = get_local_id(0), group = get_group_id(0), tiles = side / 16;
  const int x = group % tiles * 16 + item % 16, y = group / tiles * 16 + item / 16;
  to[x * side + y] = from[y * side + x];
}

__kernel void tiled(__global const float* from, __global float* to, int side) {
  __local float tile[16][17];
  const int item = get_local_id(0), group = get_group_id(0), tiles = side / 16;
  const int x = item % 16, y = item / 16;
  const int column = group % tiles * 16, row = group / tiles * 16;
  tile[y][x] = from[(row + y) * side + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  to[(column + y) * side + row + x] = tile[x][y];
}
