// Reduced from seed 6, kernel 6. `x | y`, where y's low half is known to be all ones and comes from another block: LLVM 19
// leaves x's low half as it is (its IR still has the `or`, its code moves the loaded half).
// arg: in_int buffer int[64] special(seed=15)
// arg: in_uint buffer uint[64] special(seed=16)
// arg: in_long buffer long[64] special(seed=17)
// arg: in_float buffer float[64] values(0,1,-0.0,0.5,-1.5,2.5,1e-40,3.1415927,inf,-1e30,16777217,-0.1,1e10,-2147483648,1e38,65504,-3e-39,255.5,-127.5)
// arg: hash6 buffer ulong[30] zero
// launch: kernel=k6 global=5,6 local=5,6 args=in_int,in_uint,in_long,in_float,hash6
// compare: hash6 exact
// needs: denormals
#pragma OPENCL FP_CONTRACT OFF
ulong mix(ulong h, ulong x) { h = (h ^ x) * 0x9E3779B97F4A7C15UL; return h ^ (h >> 29); }

kernel void k6(global const int* in_int, global const uint* in_uint, global const long* in_long, global const float* in_float, global ulong* hash6) {
  const uint lid = (uint)(get_local_id(1) * 5u + get_local_id(0));
  const uint gid = (uint)((get_global_id(1) - 0u) * 5u + get_global_id(0) - 0u);
  ulong h = 1;
  long v144 = as_long((((global const int2*)in_int)[0u]));
  v144 |= convert_long(9223372036854775807UL);
  if ((0.0f > in_float[(gid + 63u) & 63u])) {
    v144 = (((long8)((long2)(v144), (long4)(0L), (long2)(0L))).s0 | in_long[(((uint2)(in_uint[(lid + 12u) & 63u])).s0 & 63u)]);
  }
  h = mix(h, (ulong)v144);
  hash6[gid] = h;
}
