// Every work-item reads texels of 16 bytes from the same 4 KB on and on; what it read is folded into one word that it
// stores at the end. The step is an argument, so that no compiler sees that rounds read the same texels.
__kernel void first_level(__read_only image1d_buffer_t texels, __global uint* sink, int rounds,
                          int step) {
  int at = get_local_id(0);
  uint4 folded = 0;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) folded ^= read_imageui(texels, (at + 32 * j) & 255);
    at += step;
  }
  sink[get_global_id(0)] = folded.x ^ folded.y ^ folded.z ^ folded.w;
}
