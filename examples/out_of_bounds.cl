// The last work-item reads one element too far: run it with --check.
__kernel void shift(__global const int* in, __global int* out) {
  int i = get_global_id(0);
  out[i] = in[i + 1];
}
