// rule: none
// groups: 1024
// groups h200: 4096
// local: 256
// arg: x=float[$items*5]:ramp
// arg: out=float[$items]
// Four floats of each work-item begin at an odd place: they are loaded one by one.
__kernel void planted(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const float4 v = vload4(i, x + 1);
  out[i] = v.x + v.y * v.z - v.w;
}

__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const float4 v = ((__global const float4*)x)[i];
  out[i] = v.x + v.y * v.z - v.w;
}
