// rule: barriers
// mended rule: barriers
// gain: any
// groups: 128
// local: 256
// arg: x=float[$items]:random
// arg: out=float[$items]
// A rod that cools down, in place: a barrier before and one behind each step.
// (The gain is that of no barrier; the twin keeps half of them.)
__kernel void planted(__global const float* x, __global float* out) {
  __local float t[256];
  const int l = get_local_id(0), a = max(l - 1, 0), b = min(l + 1, 255);
  t[l] = x[get_global_id(0)];
  for (int k = 0; k < 64; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const float v = 0.5f * t[l] + 0.25f * (t[a] + t[b]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
  }
  out[get_global_id(0)] = t[l];
}
// From one copy to another: one barrier.
__kernel void mended(__global const float* x, __global float* out) {
  __local float t[512];
  const int l = get_local_id(0), a = max(l - 1, 0), b = min(l + 1, 255);
  t[l] = x[get_global_id(0)];
  for (int k = 0; k < 64; ++k) {
    __local float* from = t + (k & 1) * 256;
    __local float* to = t + (~k & 1) * 256;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l] = 0.5f * from[l] + 0.25f * (from[a] + from[b]);
  }
  out[get_global_id(0)] = t[l];
}
