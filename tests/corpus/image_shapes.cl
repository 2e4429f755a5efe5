// Images of one and three dimensions and arrays of layers, read without a sampler and with one.
// arg: line image1d r32f[64] random(seed=1221,min=-1,max=1)
// arg: solid image3d rgba32ui[8,4,4] bits(seed=1222)
// arg: layers image2d_array rgba32f[8,4,3] random(seed=1223,min=0,max=9)
// arg: out buffer float4[128] zero
// arg: ids buffer uint4[128] zero
// launch: kernel=image_shapes global=128 local=64
// compare: out exact
// compare: ids exact
// needs: images
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void image_shapes(__read_only image1d_t line, __read_only image3d_t solid,
                           __read_only image2d_array_t layers, __global float4* out, __global uint4* ids) {
  const int i = get_global_id(0);
  const int4 at = (int4)(i & 7, (i >> 3) & 3, (i >> 5) & 3, 0);
  out[i] =
      read_imagef(layers, nearest, (int4)(at.x, at.y, at.z % 3, 0)) + read_imagef(line, nearest, i & 63).x;
  ids[i] = read_imageui(solid, nearest, at + (int4)(1, 0, -1, 0)) +
           (uint4)(get_image_depth(solid), get_image_array_size(layers), get_image_width(line), 0);
}
