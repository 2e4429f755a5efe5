// rule: bank-conflicts
// groups: 512
// groups hd530: 48
// local: 128
// arg: a=float:0.5
// arg: out=float[$items]
struct body {
  float x, y, z, w, vx, vy, vz, mass;
};
// Structures of eight words in local memory: a field's neighbours lie eight words apart.
__kernel void planted(float a, __global float* out) {
  __local struct body bodies[128];
  const int l = get_local_id(0);
  bodies[l].x = l;
  bodies[l].vx = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 128; ++k) sum += bodies[l + k & 127].x * bodies[l + k & 127].vx;
  out[get_global_id(0)] = sum;
}

// An array for each field.
__kernel void mended(float a, __global float* out) {
  __local float x[128], vx[128];
  const int l = get_local_id(0);
  x[l] = l;
  vx[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 128; ++k) sum += x[l + k & 127] * vx[l + k & 127];
  out[get_global_id(0)] = sum;
}
