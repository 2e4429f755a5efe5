// Private arrays with run-time indices of several element types; an insertion sort and a byte table.
// arg: a buffer int[1024] random(seed=701,min=-1000,max=1000)
// arg: out buffer int[1024] zero
// arg: marks buffer uchar[256] zero
// launch: kernel=private_dynamic global=64 local=64
// compare: out exact
// compare: marks exact
__kernel void private_dynamic(__global const int* a, __global int* out, __global uchar* marks) {
  const int i = get_global_id(0);
  int values[16];
  uchar table[64];
  short deltas[16];
  for (int k = 0; k < 64; ++k) {
    table[k] = (uchar)(k * i);
  }
  for (int k = 0; k < 16; ++k) {
    const int x = a[i * 16 + k];
    int at = k;
    while (at > 0 && values[at - 1] > x) {
      values[at] = values[at - 1];
      --at;
    }
    values[at] = x;
    table[x & 63] ^= (uchar)k;
    deltas[k] = (short)(x - values[0]);
  }
  for (int k = 0; k < 16; ++k) {
    out[i * 16 + k] = values[k] * 3 + deltas[values[k] & 15];
  }
  for (int k = 0; k < 4; ++k) {
    marks[i * 4 + k] = table[(i * 7 + k * 13) & 63];
  }
}
