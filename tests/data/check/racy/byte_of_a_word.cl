// One group writes a byte of the word that another reads as a whole.
// arg: words buffer uint[64] zero
// arg: out buffer uint[64] zero
// launch: kernel=bytes global=128 local=64
// compare: out exact
__kernel void bytes(__global uint* words, __global uint* out) {
  uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    ((__global uchar*)words)[4 * i + 2] = (uchar)(i + 1);  // race
  } else {
    out[i] = words[i];  // race
  }
}
