// A 1024x1024 transpose through padded 16x16 tiles.
// arg: a buffer float[1048576] ramp(0,1)
// arg: out buffer float[1048576] zero
// arg: n scalar int 1024
// launch: kernel=transpose global=1024,1024 local=16,16
// compare: out exact
__kernel void transpose(__global const float* a, __global float* out, int n) {
  __local float tile[16][17];
  const int i = get_local_id(0);
  const int j = get_local_id(1);
  tile[j][i] = a[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + j) * n + get_group_id(1) * 16 + i] = tile[i][j];
}
