// Many store one value to one place: whoever comes last, it holds that.
// arg: in buffer uint[256] ramp(0,1)
// arg: found buffer uint[1] zero
// launch: kernel=find global=256 local=64
// compare: found exact
__kernel void find(__global const uint* in, __global uint* found) {
  if (in[get_global_id(0)] > 20) found[0] = 1;
}
