// rule: divergence
// groups: 160
// local: 256
// arg: a=int:77
// arg: out=int[$items]
int step_of(int kind, int x, int a) {
  for (int k = 0; k < 12; ++k) switch (kind) {
      case 0: x = x + (x << 3) ^ a; break;
      case 1: x = (x ^ (x >> 7)) + a; break;
      case 2: x = (x | 3) - (a >> 2); break;
      case 3: x = x ^ (x << 5) ^ (a + 9); break;
      case 4: x = (x & ~a) + (x >> 1); break;
      case 5: x = (x << 1) - (x >> 3); break;
      case 6: x = (x + a) ^ (x >> 11); break;
      default: x = (x - a) ^ (x << 9);
    }
  return x;
}
// An interpreter whose neighbours execute different operations.
__kernel void planted(int a, __global int* out) {
  const int i = get_global_id(0);
  out[i] = step_of(i & 7, i, a);
}

// Sorted by operation.
__kernel void mended(int a, __global int* out) {
  const int i = get_global_id(0);
  out[i] = step_of(i >> 6 & 7, i, a);
}
