// What image_shapes leaves out: layers of one-dimensional images, images over buffers, writes to every shape, reads
// without a sampler, what an image's format is.
// arg: rows image1d_array rgba32f[16,4] random(seed=1231,min=-2,max=2)
// arg: flat image1d_buffer rgba32ui[64] bits(seed=1232)
// arg: layers image2d_array rgba32i[8,4,2] bits(seed=1233)
// arg: line_out image1d rgba32f[64] zero
// arg: rows_out image1d_array rgba32f[16,4] zero
// arg: flat_out image1d_buffer rgba32ui[64] zero
// arg: layers_out image2d_array rgba32i[8,4,2] zero
// arg: ids buffer uint4[64] zero
// launch: kernel=image_layers global=64 local=32
// compare: line_out exact
// compare: rows_out exact
// compare: flat_out exact
// compare: layers_out exact
// compare: ids exact
// needs: images
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void image_layers(__read_only image1d_array_t rows, __read_only image1d_buffer_t flat,
                           __read_only image2d_array_t layers, __write_only image1d_t line_out,
                           __write_only image1d_array_t rows_out, __write_only image1d_buffer_t flat_out,
                           __write_only image2d_array_t layers_out, __global uint4* ids) {
  const int i = get_global_id(0);
  const int2 row = (int2)(i & 15, i >> 4);
  const int4 layer = (int4)(i & 7, (i >> 3) & 3, i >> 5, 0);
  const float4 sampled = read_imagef(rows, nearest, row + (int2)(2, 0)), read = read_imagef(rows, row);
  write_imagef(line_out, 63 - i, sampled - read);
  write_imagef(rows_out, (int2)(15 - row.x, row.y), read * 0.5f);
  write_imageui(flat_out, i ^ 1, read_imageui(flat, 63 - i).wxyz);
  write_imagei(layers_out, layer,
               read_imagei(layers, nearest, layer - (int4)(1, 1, 0, 0)) ^ read_imagei(layers, layer));
  ids[i] = (uint4)(get_image_width(layers), get_image_array_size(rows), get_image_channel_order(layers),
                   get_image_channel_data_type(rows));
}
