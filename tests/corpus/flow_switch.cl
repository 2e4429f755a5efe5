// A loop over a switch with dense and sparse cases, fall-through and a default.
// arg: a buffer uint[512] bits(seed=361)
// arg: out buffer uint[1024] zero
// launch: kernel=flow_switch global=512 local=64
// compare: out exact
__kernel void flow_switch(__global const uint* a, __global uint* out) {
  const uint i = get_global_id(0);
  uint x = a[i];
  uint falls = 0;
  for (uint n = 0; n < 24u; ++n) {
    switch ((x >> 5) % 31u + (n == 7u ? 100u : 0u)) {
      case 0:
        x = x + 3u;
        break;
      case 1:
        x = x * 5u;
        break;
      case 2:
        x = x ^ 0x1234u;
        break;
      case 3:
        x = x >> 3;
        break;
      case 4:
        x = x << 2;
        break;
      case 5:
        x = ~x;
        break;
      case 6:
        x = x - 99u;
        break;
      case 7:
        x = x * x;
        break;
      case 8:
        x = x | 0x80u;
        break;
      case 9:
        x = x & 0xfff0fffu;
        break;
      case 10:
        x = (x << 7) | (x >> 25);
        break;
      case 11:
        x = x + (x >> 4);
        break;
      case 12:
        x = x % 1000u;
        break;
      case 13:
        x = x / 7u;
        break;
      case 14:
        x = popcount(x);
        break;
      case 15:
        x = clz(x | 1u);
        break;
      case 16:
        x = x * 0x9e3779b1u;
        break;
      case 17:
        x = x - (x >> 9);
        break;
      case 18:
        x = x ^ (x << 13);
        break;
      case 19:
        x = x + n;
        break;
      case 100:
        x = x * n;
        break;
      case 141:
        x = x ^ n;
        break;
      case 184:
        x = n - x;
        break;
      case 229:
        x = x + 2u * n;
        break;
      case 25:
        falls += 1u;
      case 26:
        falls += 10u;
      case 27:
        falls += 100u;
        x += falls;
        break;
      case 107:
        x = ~(x * 3u);
      default:
        x += 0x10001u * n;
        break;
    }
    x = x * 69069u + n;
  }
  out[2 * i] = x;
  out[2 * i + 1] = falls;
}
