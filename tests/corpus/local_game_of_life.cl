// Eight generations of the game of life on a torus of 32x32 in local memory, one cell per work-item of 16x16 groups
// taking four each; global fences between halves.
// arg: cells buffer uchar[1024] random(seed=571,min=0,max=1)
// arg: out buffer uchar[1024] zero
// launch: kernel=local_game_of_life global=16,16 local=16,16
// compare: out exact
__kernel void local_game_of_life(__global const uchar* cells, __global uchar* out) {
  __local uchar world[2][32 * 32];
  const int l = get_local_id(1) * 16 + get_local_id(0);
  for (int k = l; k < 1024; k += 256) {
    world[0][k] = cells[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int now = 0;
  for (int generation = 0; generation < 8; ++generation) {
    for (int k = l; k < 1024; k += 256) {
      const int x = k & 31;
      const int y = k >> 5;
      int n = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          n += world[now][((y + dy) & 31) * 32 + ((x + dx) & 31)];
        }
      }
      const int alive = world[now][k];
      world[1 - now][k] = n == 3 || (alive && n == 4);
    }
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  for (int k = l; k < 1024; k += 256) {
    out[k] = world[now][k];
  }
}
