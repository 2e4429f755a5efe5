// rule: integer-division
// rule hd530: none
// groups: 256
// gain h200: least
// local: 256
// arg: n=ulong:1000003
// arg: out=ulong[$items]
// Remainders of 64-bit integers. (Intel's compiler makes them of plain arithmetic, with nothing that says so. LLVM for PTX tests each for being one of 32 bits and
// branches: the branch stays when the division is taken away.)
__kernel void planted(ulong n, __global ulong* out) {
  ulong x = get_global_id(0) + 12345;
  for (int k = 0; k < 16; ++k) x = (x * 48271 + 11) % n;
  out[get_global_id(0)] = x;
}

__kernel void mended(ulong n, __global ulong* out) {
  ulong x = get_global_id(0) + 12345;
  for (int k = 0; k < 16; ++k) x = (x * 48271 + 11) & (n | 1048575);
  out[get_global_id(0)] = x;
}
