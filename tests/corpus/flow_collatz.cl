// Irregular loops: steps of the Collatz sequence and its highest value.
// arg: steps buffer uint[1024] zero
// arg: highest buffer ulong[1024] zero
// launch: kernel=flow_collatz global=1024 local=128
// compare: steps exact
// compare: highest exact
__kernel void flow_collatz(__global uint* steps, __global ulong* highest) {
  ulong n = get_global_id(0) * 7 + 1;
  ulong most = n;
  uint count = 0;
  while (n != 1) {
    n = (n & 1) ? 3 * n + 1 : n / 2;
    most = max(most, n);
    ++count;
  }
  steps[get_global_id(0)] = count;
  highest[get_global_id(0)] = most;
}
