// Images of OpenCL C: calls that compile/r600_images.h turns into instructions of the texture unit and typed
// stores, once every function has been inlined and each call names its kernel's parameter.
#define OVER __attribute__((overloadable, always_inline))
#define TEXELS static inline __attribute__((always_inline))

typedef __constant void *handle_t;
#define HANDLE(image) __builtin_astype(image, handle_t)

// Coordinates in their order, the layer of an array behind them. `normalized` has a bit for each coordinate
// that is a fraction of the image's size. Results are the bits of the texel's components.
__attribute__((pure)) float4 __lockstep_image_sample(handle_t image, handle_t sampler, float4 at, int normalized);
__attribute__((pure)) float4 __lockstep_image_fetch(handle_t image, int4 at);
void __lockstep_image_store(handle_t image, int4 at, int4 texel);

// A constant sampler is its own bits; a parameter points at them.
__constant void *__translate_sampler_initializer(int bits) { return (__constant void *)bits; }
TEXELS int bits_of(handle_t sampler) {
  return (uint)sampler < 65536 ? (int)sampler : *(__constant int *)sampler;
}

// Which coordinates are fractions stands in the instruction.
TEXELS float4 sampled(handle_t image, handle_t sampler, float4 at, int dimensions) {
  if ((bits_of(sampler) & CLK_NORMALIZED_COORDS_TRUE) != 0)
    return __lockstep_image_sample(image, sampler, at, (1 << dimensions) - 1);
  return __lockstep_image_sample(image, sampler, at, 0);
}
// By whole numbers: a texel's middle, so that a rounding sampler finds it.
TEXELS float4 sampled_at(handle_t image, handle_t sampler, int4 at, int dimensions) {
  const float4 middle = convert_float4(at) + 0.5f;
  return __lockstep_image_sample(image, sampler,
                                 (float4)(middle.x, dimensions > 1 ? middle.y : (float)at.y,
                                          dimensions > 2 ? middle.z : (float)at.z, 0.0f),
                                 0);
}

#define READS_OF(name, T, I, dimensions, F, C, spread_f, spread_i)                                          \
  OVER T name(__read_only I i, sampler_t s, F c) {                                                          \
    return __builtin_astype(sampled(HANDLE(i), __builtin_astype(s, handle_t), spread_f, dimensions), T);    \
  }                                                                                                         \
  OVER T name(__read_only I i, sampler_t s, C c) {                                                          \
    return __builtin_astype(sampled_at(HANDLE(i), __builtin_astype(s, handle_t), spread_i, dimensions), T); \
  }                                                                                                         \
  OVER T name(__read_only I i, C c) {                                                                       \
    return __builtin_astype(__lockstep_image_fetch(HANDLE(i), spread_i), T);                                \
  }
#define READS(name, T)                                                                                      \
  READS_OF(name, T, image1d_t, 1, float, int, (float4)(c, 0, 0, 0), (int4)(c, 0, 0, 0))                     \
  READS_OF(name, T, image1d_array_t, 1, float2, int2, (float4)(c, 0, 0), (int4)(c, 0, 0))                   \
  READS_OF(name, T, image2d_t, 2, float2, int2, (float4)(c, 0, 0), (int4)(c, 0, 0))                         \
  READS_OF(name, T, image2d_array_t, 2, float4, int4, (float4)(c.xyz, 0), (int4)(c.xyz, 0))                 \
  READS_OF(name, T, image3d_t, 3, float4, int4, (float4)(c.xyz, 0), (int4)(c.xyz, 0))                       \
  OVER T name(__read_only image1d_buffer_t i, int c) {                                                      \
    return __builtin_astype(__lockstep_image_fetch(HANDLE(i), (int4)(c, 0, 0, 0)), T);                      \
  }
READS(read_imagef, float4)
READS(read_imagei, int4)
READS(read_imageui, uint4)

// The hardware converts to the image's format; outside of the image nothing is written.
#define WRITE_OF(name, T, I, C, spread)                                    \
  OVER void name(__write_only I i, C c, T v) {                             \
    __lockstep_image_store(HANDLE(i), spread, __builtin_astype(v, int4)); \
  }
#define WRITES(name, T)                                                    \
  WRITE_OF(name, T, image1d_t, int, (int4)(c, 0, 0, 0))                    \
  WRITE_OF(name, T, image1d_buffer_t, int, (int4)(c, 0, 0, 0))             \
  WRITE_OF(name, T, image1d_array_t, int2, (int4)(c, 0, 0))                \
  WRITE_OF(name, T, image2d_t, int2, (int4)(c, 0, 0))                      \
  WRITE_OF(name, T, image2d_array_t, int4, (int4)(c.xyz, 0))               \
  WRITE_OF(name, T, image3d_t, int4, (int4)(c.xyz, 0))
WRITES(write_imagef, float4)
WRITES(write_imagei, int4)
WRITES(write_imageui, uint4)

// ---- Queries: words of the descriptor that the driver has beside the hardware's (isa/image_descriptor.h).
enum { word_width = 2, word_height = 3, word_depth = 4, word_type = 8, word_order = 9 };
TEXELS int word_of(handle_t image, int word) { return ((__constant int *)image)[word]; }
// From the numbers of HSA's runtime to OpenCL's: two lists in different orders.
TEXELS int channel_type_of(int type) { return 0x10D0 + (type < 4 ? type : type - 1); }
// Five bits for each order from CL_A on, counted from CL_R = 0x10B0; intensity and luminance stand behind them.
TEXELS int channel_order_of(int order) {
  const ulong by_order = 0x99CC56106B12801;
  return 0x10B0 + (order >= 16 ? order - 8 : (int)(by_order >> (5 * order)) & 31);
}

#define QUERY(function, R, I, value) \
  OVER R function(I i) { return (R)(value); }
#define QUERIES_OF(I)                                                                              \
  QUERY(get_image_width, int, I, word_of(HANDLE(i), word_width))                                   \
  QUERY(get_image_channel_data_type, int, I, channel_type_of(word_of(HANDLE(i), word_type)))       \
  QUERY(get_image_channel_order, int, I, channel_order_of(word_of(HANDLE(i), word_order)))
#define HEIGHT_OF(I)                                                 \
  QUERY(get_image_height, int, I, word_of(HANDLE(i), word_height))   \
  OVER int2 get_image_dim(I i) { return (int2)(get_image_width(i), get_image_height(i)); }
#define QUERIES(A)                                                                                 \
  QUERIES_OF(A image1d_t) QUERIES_OF(A image1d_buffer_t) QUERIES_OF(A image1d_array_t)             \
  QUERIES_OF(A image2d_t) QUERIES_OF(A image2d_array_t) QUERIES_OF(A image3d_t)                    \
  HEIGHT_OF(A image2d_t) HEIGHT_OF(A image2d_array_t)                                              \
  QUERY(get_image_height, int, A image3d_t, word_of(HANDLE(i), word_height))                       \
  QUERY(get_image_depth, int, A image3d_t, word_of(HANDLE(i), word_depth))                         \
  OVER int4 get_image_dim(A image3d_t i) {                                                         \
    return (int4)(get_image_width(i), get_image_height(i), get_image_depth(i), 0);                 \
  }                                                                                                \
  QUERY(get_image_array_size, size_t, A image1d_array_t, word_of(HANDLE(i), word_depth))           \
  QUERY(get_image_array_size, size_t, A image2d_array_t, word_of(HANDLE(i), word_depth))
QUERIES(__read_only)
QUERIES(__write_only)
