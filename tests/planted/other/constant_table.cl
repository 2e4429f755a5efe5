// rule: coalescing
// rule v100: none
// mended rule v100: barriers
// gain rx6900xt: any  (the twin reads its own copy by the same stride, over banks)
// groups: 96
// local: 256
// arg: step=uint:37
// arg: table=float[1024]:ramp
// arg: out=float[$items]
// A table in constant memory at places that differ from lane to lane.
__kernel void planted(uint step, __constant float* table, __global float* out) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += table[(i * step + k * 5) & 1023];
  out[i] = sum;
}

// In local memory.
__kernel void mended(uint step, __constant float* table, __global float* out) {
  __local float near[1024];
  const uint i = get_global_id(0), l = get_local_id(0);
  for (uint k = 0; k < 4; ++k) near[k * 256 + l] = table[k * 256 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += near[(i * step + k * 5) & 1023];
  out[i] = sum;
}
