// Points with four fields: as an array of structures, and as an array for each field.
__kernel void structures(__global const float4* points, __global float* length) {
  int i = get_global_id(0);
  __global const float* p = (__global const float*)&points[i];
  length[i] = p[0];
}

__kernel void fields(__global const float* x, __global float* length) {
  int i = get_global_id(0);
  length[i] = x[i];
}
