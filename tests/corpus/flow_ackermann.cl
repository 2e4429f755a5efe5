// Recursion with an explicit stack in private memory: Ackermann's function and a binary tree walk.
// arg: out buffer int[256] zero
// arg: walk buffer int[256] zero
// launch: kernel=flow_ackermann global=256 local=64
// compare: out exact
// compare: walk exact
__kernel void flow_ackermann(__global int* out, __global int* walk) {
  const int i = get_global_id(0);
  int stack[64];
  int depth = 0;
  int n = i & 3;
  stack[depth++] = (i >> 2) % 3;
  while (depth > 0) {
    const int m = stack[--depth];
    if (m == 0) {
      n = n + 1;
    } else if (n == 0) {
      n = 1;
      stack[depth++] = m - 1;
    } else {
      n = n - 1;
      stack[depth++] = m - 1;
      stack[depth++] = m;
    }
  }
  out[i] = n;
  int sum = 0;
  depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    const int node = stack[--depth];
    if (node > 64 + i || (node & 7) == (i & 7)) {
      continue;
    }
    sum = (sum * 7 + node) & 0xffffff;
    stack[depth++] = 2 * node;
    stack[depth++] = 2 * node + 1;
  }
  walk[i] = sum;
}
