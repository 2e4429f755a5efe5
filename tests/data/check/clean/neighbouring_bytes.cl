// Work-items of different groups write the bytes of one word, and shorts beside them.
// arg: bytes buffer uchar[64] zero
// arg: shorts buffer ushort[32] zero
// launch: kernel=write global=64 local=1
// compare: shorts exact
__kernel void write(__global uchar* bytes, __global ushort* shorts) {
  uint i = get_global_id(0);
  bytes[i] = (uchar)(3 * i);
  if ((i & 1) == 0) shorts[i / 2] = (ushort)(5 * i);
}
