// Searches that stop at different places: the first match in a table, a nearest value, a sieve.
// arg: table buffer int[256] random(seed=401,min=0,max=500)
// arg: out buffer int[1024] fill(-1)
// launch: kernel=flow_early_exit global=512 local=64
// compare: out exact
int find(__global const int* table, int wanted) {
  for (int k = 0; k < 256; ++k) {
    if (table[k] == wanted) {
      return k;
    }
  }
  return -wanted;
}
__kernel void flow_early_exit(__global const int* table, __global int* out) {
  const int i = get_global_id(0);
  const int at = find(table, i);
  out[2 * i] = at;
  int prime = i > 1;
  for (int d = 2; d * d <= i; ++d) {
    if (i % d == 0) {
      prime = -d;
      break;
    }
  }
  if (at < 0 && prime < 0) {
    return;
  }
  out[2 * i + 1] = prime;
}
