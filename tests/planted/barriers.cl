// cause: barriers
// groups: 64 96 128
// local: 512
// local hd530: 256
// groups hd530: 21 21 42
// arg: n=int:128
// arg: out=int[$items]
__attribute__((reqd_work_group_size(LOCAL, 1, 1)))
__kernel void planted(int n, __global int* out) {
  __local int room[LOCAL == 512 ? 12000 : LOCAL];
  const int l = get_local_id(0);
  float x = l;  // a chain, of which each step waits for the one before: little arithmetic, however many groups there are
  for (int i = 0; i < n; ++i) {
    if (l / (LOCAL / 8) == (i & 7))
      for (int k = 0; k < 40; ++k) x = x * 0.5f + (float)k;
    barrier(CLK_LOCAL_MEM_FENCE);  // here
  }
  room[l] = (int)x;
  out[get_global_id(0)] = room[l];
}

__attribute__((reqd_work_group_size(LOCAL, 1, 1)))
__kernel void mended(int n, __global int* out) {
  __local int room[LOCAL == 512 ? 12000 : LOCAL];
  const int l = get_local_id(0);
  float x = l;
  for (int i = 0; i < n; ++i) {
    if (l / (LOCAL / 8) == (i & 7))
      for (int k = 0; k < 40; ++k) x = x * 0.5f + (float)k;
  }
  room[l] = (int)x;
  out[get_global_id(0)] = room[l];
}
