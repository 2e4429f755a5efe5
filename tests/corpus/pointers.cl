// Pointers to pointers, pointers chosen at run time, linked lists of indices, pointer differences and comparisons.
// arg: a buffer int[256] random(seed=741,min=-500,max=500)
// arg: b buffer int[256] random(seed=742,min=-500,max=500)
// arg: out buffer int[1024] zero
// launch: kernel=pointers global=256 local=64
// compare: out exact
__attribute__((noinline)) void advance(__global const int** at, int by) {
  *at += by;
}
__kernel void pointers(__global const int* a, __global const int* b, __global int* out) {
  const int i = get_global_id(0);
  __global const int* chosen[3];
  chosen[0] = a + i;
  chosen[1] = b + (255 - i);
  chosen[2] = (i & 1) ? a : b;
  advance(&chosen[2], i & 31);
  __global const int* p = chosen[(a[i] & 0xff) % 3];
  __global const int* const* q = &chosen[i % 3];
  int values[4] = {1, 2, 3, 4};
  int* lists[2] = {values, values + 2};
  int** r = lists + (i & 1);
  **r = *p;
  (*r)[1] += **q;
  int sum = 0;
  int node = i;
  for (int k = 0; k < 10; ++k) {
    sum += b[node];
    node = (a[node] + 500 + k) & 255;
  }
  __global int* o = out + 4 * i;
  o[0] = values[0] * 2 + values[1];
  o[1] = values[2] - values[3];
  o[2] = sum;
  o[3] = (int)(chosen[2] - ((i & 1) ? a : b)) + node;
}
