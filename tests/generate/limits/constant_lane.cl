// Reduced from seed 12, kernel 4. A lane that each work-item chooses of a vector in constant memory: LLVM 19 narrows the
// load to that lane, forgets where it points, and takes a pointer that it does not know for a uniform one: all read the
// first work-item's lane (v_readfirstlane_b32 before s_load_dword). -O0 and other compilers read each work-item's own.
// arg: in_char buffer char[64] special(seed=11)
// arg: in_uint buffer uint[64] special(seed=16)
// arg: arg_int scalar int -123456
// arg: hash4 buffer ulong[32] zero
// launch: kernel=k4 global=4,8 local=4,8 args=in_char,in_uint,arg_int,hash4
// compare: hash4 exact
// needs: denormals
#pragma OPENCL FP_CONTRACT OFF
ulong fold2(ulong2 v) { return v.x + rotate(v.y, 21UL); }
ulong fold3(ulong3 v) { return fold2(v.xy) ^ rotate(v.z, 9UL); }
ulong fold4(ulong4 v) { return fold2(v.lo + rotate(v.hi, (ulong2)(5UL))); }
ulong mix(ulong h, ulong x) { h = (h ^ x) * 0x9E3779B97F4A7C15UL; return h ^ (h >> 29); }
constant uint t0[8] = {4294967295u, 13u, 127u, 85u, 100u, 21845u, 4294967289u, 8u};

kernel void k4(global const char* in_char, global const uint* in_uint, int arg_int, global ulong* hash4) {
  const uint lid = (uint)(get_local_id(1) * 4u + get_local_id(0));
  const uint gid = (uint)((get_global_id(1) - 0u) * 4u + get_global_id(0) - 0u);
  ulong h = 1;
  h = mix(h, (ulong)arg_int);
  char4 v176 = (char4)(0);
  uint2 v179 = shuffle(vload4((in_uint[(lid + 59u) & 63u] & 1u), t0), (uint2)(gid));
  h = mix(h, (ulong)0UL);
  v176.s23 = vload2(abs_diff(1u, (uint)get_local_size(0)), in_char);
  char a180[4];
  for (uint i181 = 0; i181 < 4u; ++i181) a180[i181] = (char)(0);
  h = mix(h, fold4(convert_ulong4(v176)));
  h = mix(h, fold2(convert_ulong2(v179)));
  hash4[gid] = h;
}
