// Nested loops with break, continue and early return, bounds that differ by work-item.
// arg: a buffer uint[1024] bits(seed=351)
// arg: out buffer uint[1024] fill(4294967295)
// launch: kernel=flow_nested global=1024 local=256
// compare: out exact
__kernel void flow_nested(__global const uint* a, __global uint* out) {
  const uint i = get_global_id(0);
  uint x = a[i];
  if ((x & 63u) == 5u) {
    return;
  }
  uint sum = 0;
  for (uint k = 0; k < (x & 15u); ++k) {
    if ((k ^ i) % 5u == 0u) {
      continue;
    }
    for (uint m = k; m < 40u; m += (i & 3u) + 1u) {
      if (((x >> (m & 31u)) & 7u) == 7u) {
        break;
      }
      uint t = m;
      do {
        sum += t * 3u + 1u;
        if (sum > 100000u) {
          out[i] = sum + 1000000u * k;
          return;
        }
        t >>= 1;
      } while (t > (i & 7u));
    }
    x = x * 1664525u + 1013904223u;
    if (x < 20000000u) {
      break;
    }
  }
  out[i] = sum ^ (x >> 16);
}
