// rule: any
// groups: 4096
// mended groups: 256
// rule hd530: wave-starts
// gain: least
// local: 256
// arg: x=uchar[$items*16]:ramp
// arg: out=uchar[$items*16]
// A stream of bytes, one for each work-item.
__kernel void planted(__global const uchar* x, __global uchar* out) {
  const int i = get_global_id(0);
  out[i] = 255 - x[i];
}

// Sixteen of them, in four words.
__kernel void mended(__global const uchar* x, __global uchar* out) {
  const int i = get_global_id(0);
  ((__global uint4*)out)[i] = ~((__global const uint4*)x)[i];
}
