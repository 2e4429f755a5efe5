// Filtered reads with normalised coordinates, and nearest ones with each way to address outside: a float image, since
// the hardware's filter weights have 8 bits the tolerance is 2^-7 of the range.
// arg: f image2d rgba32f[16,16] random(seed=1211,min=0,max=1)
// arg: linear sampler normalized clamp_to_edge linear
// arg: repeat sampler normalized repeat nearest
// arg: mirrored sampler normalized mirrored_repeat linear
// arg: clamp sampler unnormalized clamp nearest
// arg: at buffer float2[256] random(seed=1212,min=-0.75,max=1.75)
// arg: out buffer float4[1024] zero
// launch: kernel=image_linear global=256 local=64
// compare: out abs=0.0078125
// needs: images
__kernel void image_linear(__read_only image2d_t f, sampler_t linear, sampler_t repeat, sampler_t mirrored,
                           sampler_t clamped, __global const float2* at, __global float4* out) {
  const int i = get_global_id(0);
  // Nearest reads keep away from the borders between texels.
  const float2 centred = (floor(at[i] * 16.0f) + 0.5f) * 0.0625f;
  out[i] = read_imagef(f, linear, at[i]);
  out[i + 256] = read_imagef(f, repeat, centred);
  out[i + 512] = read_imagef(f, mirrored, at[i]);
  out[i + 768] = read_imagef(f, clamped, (int2)(i % 20 - 2, i / 13 - 2));
}
