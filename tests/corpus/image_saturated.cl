// Integers beyond what an image's format holds, which are saturated (OpenCL 1.2, 8.3.4).
// arg: a image2d rgba8i[16,1] zero
// arg: b image2d rgba8ui[16,1] zero
// arg: c image2d rgba16i[16,1] zero
// arg: d image2d rgba16ui[16,1] zero
// arg: e image2d rgba32i[16,1] zero
// launch: kernel=image_saturated global=16 local=16
// compare: a exact
// compare: b exact
// compare: c exact
// compare: d exact
// compare: e exact
// needs: images
__kernel void image_saturated(__write_only image2d_t a, __write_only image2d_t b, __write_only image2d_t c,
                              __write_only image2d_t d, __write_only image2d_t e) {
  const int i = get_global_id(0), v = (i - 8) * 9000;
  const int2 at = (int2)(i, 0);
  write_imagei(a, at, (int4)(v, 127 - (i & 1), 128, i - 137));
  write_imageui(b, at, (uint4)(i * 30, 255, 256, 0x80000000u + i));
  write_imagei(c, at, (int4)(v, 32767, 32760 + i, -32760 - i));
  write_imageui(d, at, (uint4)(i * 9000, 65535, 65536, 0xFFFFFFFFu - i));
  write_imagei(e, at, (int4)(v, INT_MIN + i, INT_MAX - i, -i));
}
