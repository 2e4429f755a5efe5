// Two-dimensional images without filtering: floats, bytes as fractions, signed and unsigned integers; sizes from the image.
// arg: f image2d rgba32f[16,8] random(seed=1201,min=-4,max=4)
// arg: b image2d rgba8[16,8] bits(seed=1202)
// arg: n image2d rgba32i[16,8] bits(seed=1203)
// arg: u image2d rgba8ui[16,8] bits(seed=1204)
// arg: g image2d rgba32f[16,8] zero
// arg: c image2d rgba8ui[16,8] zero
// arg: m image2d rgba32i[16,8] zero
// arg: out buffer float4[128] zero
// arg: ids buffer int4[128] zero
// launch: kernel=images_read args=f,b,n,u,out,ids global=16,8 local=8,8
// launch: kernel=images_write args=f,u,n,g,c,m global=16,8 local=16,2
// compare: g exact
// compare: c exact
// compare: m exact
// compare: out abs=1e-6
// compare: ids exact
// needs: images
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void images_read(__read_only image2d_t f, __read_only image2d_t b, __read_only image2d_t n,
                          __read_only image2d_t u, __global float4* out, __global int4* ids) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int flat = at.y * get_image_width(f) + at.x;
  out[flat] = read_imagef(f, nearest, at) + read_imagef(b, nearest, at + (int2)(1, -1)).wzyx;
  ids[flat] = read_imagei(n, nearest, at - (int2)(3, 0)) ^ convert_int4(read_imageui(u, nearest, at)) ^
              (int4)(get_image_width(b), get_image_height(b), get_image_dim(n).x, 0);
}
__kernel void images_write(__read_only image2d_t f, __read_only image2d_t u, __read_only image2d_t n,
                           __write_only image2d_t g, __write_only image2d_t c, __write_only image2d_t m) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int2 mirrored = (int2)(15 - at.x, at.y ^ 1);
  write_imagef(g, mirrored, read_imagef(f, nearest, at) * 2.0f);
  write_imageui(c, mirrored, read_imageui(u, nearest, at).yzwx);
  write_imagei(m, at, read_imagei(n, nearest, mirrored) >> 3);
}
