// CRC-32 of 64-byte records, bit by bit and with a table built in local memory.
// arg: data buffer uchar[4096] bits(seed=881)
// arg: out buffer uint[128] zero
// launch: kernel=crc32 global=64 local=64
// compare: out exact
__kernel void crc32(__global const uchar* data, __global uint* out) {
  __local uint table[256];
  const uint l = get_local_id(0);
  for (uint k = l; k < 256; k += 64) {
    uint c = k;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c & 1u) ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    table[k] = c;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint by_table = ~0u;
  uint by_bit = ~0u;
  for (int k = 0; k < 64; ++k) {
    const uchar byte = data[l * 64 + k];
    by_table = table[(by_table ^ byte) & 255u] ^ (by_table >> 8);
    by_bit ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      by_bit = (by_bit >> 1) ^ (0xedb88320u & (0u - (by_bit & 1u)));
    }
  }
  out[l * 2] = ~by_table;
  out[l * 2 + 1] = ~by_bit - ~by_table;
}
