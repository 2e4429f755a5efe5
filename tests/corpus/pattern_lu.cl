// LU decomposition of a diagonally dominant 16x16 matrix per group, in doubles and in place, with barriers between steps.
// arg: a buffer double[1024] random(seed=921,min=-1,max=1)
// launch: kernel=lu global=16,64 local=16,16
// compare: a rel=1e-12 abs=1e-12
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void lu(__global double* a) {
  __local double m[16][16];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int at = (get_group_id(1) * 16 + y) * 16 + x;
  m[y][x] = a[at] + (x == y ? 20.0 : 0.0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 15; ++k) {
    if (x == k && y > k) {
      m[y][k] /= m[k][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > k && y > k) {
      m[y][x] -= m[y][k] * m[k][x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[at] = m[y][x];
}
