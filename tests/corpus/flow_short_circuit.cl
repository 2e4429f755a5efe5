// Conditions that must not be evaluated, ternaries with side effects, chained comparisons, boolean stores.
// arg: a buffer int[512] random(seed=391,min=-20,max=20)
// arg: out buffer int[512] zero
// arg: flags buffer uchar[512] zero
// launch: kernel=flow_short_circuit global=512 local=64
// compare: out exact
// compare: flags exact
bool bump(__private int* counter, bool result) {
  *counter += 1;
  return result;
}
__kernel void flow_short_circuit(__global const int* a, __global int* out, __global uchar* flags) {
  const int i = get_global_id(0);
  const int x = a[i];
  int n = 0;
  const bool p = x > 3 && bump(&n, x % 2 == 0) && bump(&n, x > 10);
  const bool q = x < -3 || bump(&n, x == 1) || (bump(&n, x == 2) && bump(&n, p));
  const bool r = (x > 0) != (i & 1) && !(p ^ q);
  int y = p ? bump(&n, q) ? x : -x : r ? x * x : 0;
  y += x != 0 && 100 / x > 7 ? 1000 : 0;
  out[i] = y * 16 + n;
  flags[i] = (uchar)(p | (q << 1) | (r << 2) | ((x >= 0) << 3));
}
