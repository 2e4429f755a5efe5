// A log written by hand: decimal and hexadecimal text of numbers appended into slots of a byte buffer.
// arg: a buffer int[128] special(seed=1231)
// arg: text buffer uchar[4096] fill(46)
// launch: kernel=write_log global=128 local=64
// compare: text exact
__kernel void write_log(__global const int* a, __global uchar* text) {
  const int i = get_global_id(0);
  __global uchar* at = text + i * 32;
  int x = a[i];
  uint magnitude = x < 0 ? 0u - (uint)x : (uint)x;
  if (x < 0) {
    *at++ = '-';
  }
  uchar digits[10];
  int n = 0;
  do {
    digits[n++] = (uchar)('0' + magnitude % 10u);
    magnitude /= 10u;
  } while (magnitude != 0u);
  while (n > 0) {
    *at++ = digits[--n];
  }
  *at++ = ' ';
  for (int shift = 28; shift >= 0; shift -= 4) {
    const uint nibble = ((uint)x >> shift) & 15u;
    *at++ = (uchar)(nibble < 10u ? '0' + nibble : 'a' + nibble - 10u);
  }
  *at = '\n';
}
