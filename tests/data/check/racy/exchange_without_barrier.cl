// Work-items read what others of their group wrote, with no barrier between.
// arg: out buffer uint[256] zero
// launch: kernel=exchange global=256 local=128
// compare: out exact
__kernel void exchange(__global uint* out) {
  __local uint room[128];
  uint i = get_local_id(0);
  room[i] = i * 3;  // race
  out[get_global_id(0)] = room[127 - i];  // race
}
