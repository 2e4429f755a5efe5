// cause: bank_conflicts
// groups: 64 128 256
// local: 64
// mended rule hd5870: dependence-chain
// mended rule hd6970: dependence-chain
// arg: x=float[2048]:ramp
// arg: out=float[$items]
__kernel void planted(__global const float* x, __global float* out) {
  __local float t[2048];
  const int l = get_local_id(0);
  for (int i = 0; i < 32; ++i) t[i * 64 + l] = x[i * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    for (int i = 0; i < 32; ++i) sum += t[(l * 32 + i + k) & 2047];  // here
  out[get_global_id(0)] = sum;
}

// (Of so much local memory for a wave a compute unit of VLIW has room for four: too few for its fetches' way.)
__kernel void mended(__global const float* x, __global float* out) {
  __local float t[2048];
  const int l = get_local_id(0);
  for (int i = 0; i < 32; ++i) t[i * 64 + l] = x[i * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    for (int i = 0; i < 32; ++i) sum += t[(i * 64 + l + k) & 2047];
  out[get_global_id(0)] = sum;
}
