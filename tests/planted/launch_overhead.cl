// cause: launch_overhead
// groups: 80 96 112
// groups hd530: 9 12 15
// mended launches: 8
// mended launches rx6900xt: 48
// mended rule hd530: dependence-chain
// local: 256
// line: none
// arg: a=float:0.5
// arg: n=int:4
// arg: launches=int:$launches
// arg: out=float[$items*48]
__kernel void planted(float a, int n, int launches, __global float* out) {
  float x = get_global_id(0);
#pragma unroll 1
  for (int i = 0; i < n; ++i) x = x * a + i;
  out[get_global_id(0)] = x;
}

// What so many launches of the other do, in one. (A chain of a few steps, so that little is done in a launch: where so
// few groups fill the device that becomes what is left to say. Each of them stores to a place of its own, or the stores would be
// repeated for nothing.)
__kernel void mended(float a, int n, int launches, __global float* out) {
  float x = get_global_id(0);
#pragma unroll 1
  for (int k = 0; k < launches; ++k) {
#pragma unroll 1
    for (int i = 0; i < n; ++i) x = x * a + i;
    out[k * get_global_size(0) + get_global_id(0)] = x;
  }
}
