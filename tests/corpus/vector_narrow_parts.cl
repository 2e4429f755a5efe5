// Words seen as bytes and as half words by unions and as_TYPE, and elements of short vectors chosen when the kernel runs.
// arg: in buffer uint[512] random(seed=7002)
// arg: out buffer uint[512] zero
// arg: bytes scalar uchar4 1,200,30,4
// launch: kernel=vector_narrow_parts global=64 local=64
// compare: out exact
typedef union {
  uint word;
  uchar4 bytes;
  ushort2 halves;
} Parts;

__kernel void vector_narrow_parts(__global const uint* in, __global uint* out, uchar4 bytes) {
  const int i = get_global_id(0);
  Parts p;
  p.word = in[i];
  p.bytes.y += bytes.y;
  p.halves.y ^= 77;
  out[i] = p.word;
  uchar8 eight = as_uchar8((uint2)(in[i + 64], in[i + 128]));
  const ushort4 four = as_ushort4(eight.s76543210) + as_ushort4(eight);
  out[i + 64] = as_uint(four.xw) ^ as_uint(four.yz);
  const ulong both = as_ulong(as_uchar8(four) + eight);
  out[i + 128] = (uint)both;
  out[i + 192] = (uint)(both >> 32);
  eight[in[i] & 7] = bytes[in[i + 64] & 3];
  short4 chosen = as_short4(eight);
  chosen[in[i + 128] & 3] += 5;
  out[i + 256] = as_uint(chosen.lo);
  out[i + 320] = as_uint(chosen.hi) + eight[in[i + 192] & 7];
  out[i + 384] = as_uint(as_uchar4(in[i + 256]).wzyx) + as_uint(convert_uchar4_sat(as_short4((uint2)(in[i], in[i + 320]))));
  out[i + 448] = (uint)as_short(as_uchar4(in[i + 384]).yz);
}
