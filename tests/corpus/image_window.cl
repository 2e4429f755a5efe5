// The sum of a window of nine texels around each place, with borders, as integers: coordinates of which the texture units of
// some GPUs read two from registers of four.
// needs: images
// arg: im image2d rgba8ui[32,8] bits(seed=21)
// arg: sums buffer uint4[256] zero
// launch: kernel=window global=32,8 local=16,2
// compare: sums exact
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void window(read_only image2d_t im, __global uint4* sums) {
  const int x = get_global_id(0), y = get_global_id(1);
  uint4 sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imageui(im, border, (int2)(x + i, y + j)) * (uint)(4 - abs(i) - abs(j));
  sums[y * 32 + x] = sum + (uint4)(get_image_width(im), get_image_height(im), 0, 1);
}
