// rule: dependence-chain
// groups: 16
// local: 64
// arg: next=int[65536]:ramp
// arg: out=int[$items]
// A list that all waves follow, one link after another: each link is a load that waits for the one before.
__kernel void planted(__global const int* next, __global int* out) {
  const int i = get_global_id(0);
  int at = i;
  for (int k = 0; k < 64; ++k) at = (next[at & 65535] + 4096) ^ (at & 1);
  out[i] = at;
}
// Four shorter ones at a time.
__kernel void mended(__global const int* next, __global int* out) {
  const int i = get_global_id(0);
  int a = i, b = i + 64, c = i + 128, d = i + 192;
  for (int k = 0; k < 16; ++k) {
    a = (next[a & 65535] + 4096) ^ (a & 1);
    b = (next[b & 65535] + 4096) ^ (b & 1);
    c = (next[c & 65535] + 4096) ^ (c & 1);
    d = (next[d & 65535] + 4096) ^ (d & 1);
  }
  out[i] = a + b + c + d;
}
