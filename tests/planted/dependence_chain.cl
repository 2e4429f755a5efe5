// cause: dependence_chain
// groups: 128 256 384
// local: 64
// mended rule mi25: near-reuse
// mended rule rx6900xt: near-reuse
// options: -DROOM=7168
// options hd530: -DROOM=2048
// arg: next=int[65536]:ramp(4160,1)
// arg: out=int[$items]
__kernel void planted(__global const int* next, __global int* out) {
  __local int room[ROOM];
  int p = get_global_id(0) & 65535;
  for (int i = 0; i < 128; ++i) p = next[p & 65535];  // here
  room[get_local_id(0)] = p;
  out[get_global_id(0)] = room[get_local_id(0)];
}

// (Larger launches read each line of the table several times in a compute unit, faster than the shared cache gives them.)
__kernel void mended(__global const int* next, __global int* out) {
  __local int room[ROOM];
  const int p = get_global_id(0) & 65535;
  int sum = 0;
  for (int i = 0; i < 128; ++i) sum += next[(p + i * 4160) & 65535];
  room[get_local_id(0)] = sum;
  out[get_global_id(0)] = room[get_local_id(0)];
}
