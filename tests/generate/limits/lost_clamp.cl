// Reduced from seed 2, kernel 8. A saturated difference with a constant: LLVM (14 and 19) turns v_sub_u32_e64 with clamp into
// v_subrev_u32_e32, which has none, for gfx8 (its IR still has llvm.usub.sat).
// arg: in_uint buffer uint[64] special(seed=16)
// arg: out buffer uint[64] zero
// launch: kernel=lost_clamp global=64 local=64
// compare: out exact
kernel void lost_clamp(global const uint* in_uint, global uint* out) {
  const uint gid = (uint)get_global_id(0);
  out[gid] = sub_sat(in_uint[gid], 4294967168u);
}
