// Images of OpenCL C: texture and surface instructions on the handles that kernels are given.
#include "nvptx.h"

#define HANDLE(image) __builtin_astype(image, __global void*)
#define SAMPLER(sampler) __builtin_astype(sampler, __constant void*)

// A constant sampler is its own descriptor.
__constant void* __translate_sampler_initializer(int bits) { return (__constant void*)(size_t)bits; }

// ---- Reads. T4 and its registers' letter, PTX's name; coordinates as text.
#define TEX(name, T, letter, type, geometry, ctype, with_sampler, coordinates, ...)                          \
  T##4 r;                                                                                                    \
  __asm__ volatile("tex." geometry ".v4." type "." ctype " {%0,%1,%2,%3}, [%4, " with_sampler "{" coordinates "}];" \
                   : "=" letter(r.x), "=" letter(r.y), "=" letter(r.z), "=" letter(r.w)                      \
                   : __VA_ARGS__);                                                                           \
  return r;

#define READS(name, T, letter, type)                                                                                   \
  OVER T##4 name(__read_only image1d_t i, sampler_t s, float c) {                                                      \
    TEX(name, T, letter, type, "1d", "f32", "%5, ", "%6", "l"(HANDLE(i)), "l"(SAMPLER(s)), "f"(c))                     \
  }                                                                                                                    \
  OVER T##4 name(__read_only image1d_t i, sampler_t s, int c) { return name(i, s, (float)c + 0.5f); }                  \
  OVER T##4 name(__read_only image1d_array_t i, sampler_t s, float2 c) {                                               \
    TEX(name, T, letter, type, "a1d", "f32", "%5, ", "%6, %7", "l"(HANDLE(i)), "l"(SAMPLER(s)),                        \
        "r"(layer_of(c.y)), "f"(c.x))                                                                                  \
  }                                                                                                                    \
  OVER T##4 name(__read_only image1d_array_t i, sampler_t s, int2 c) {                                                 \
    return name(i, s, (float2)((float)c.x + 0.5f, (float)c.y));                                                        \
  }                                                                                                                    \
  OVER T##4 name(__read_only image2d_t i, sampler_t s, float2 c) {                                                     \
    TEX(name, T, letter, type, "2d", "f32", "%5, ", "%6, %7", "l"(HANDLE(i)), "l"(SAMPLER(s)), "f"(c.x), "f"(c.y))     \
  }                                                                                                                    \
  OVER T##4 name(__read_only image2d_t i, sampler_t s, int2 c) { return name(i, s, convert_float2(c) + 0.5f); }        \
  OVER T##4 name(__read_only image2d_array_t i, sampler_t s, float4 c) {                                               \
    TEX(name, T, letter, type, "a2d", "f32", "%5, ", "%6, %7, %8, %8", "l"(HANDLE(i)), "l"(SAMPLER(s)),                \
        "r"(layer_of(c.z)), "f"(c.x), "f"(c.y))                                                                        \
  }                                                                                                                    \
  OVER T##4 name(__read_only image2d_array_t i, sampler_t s, int4 c) {                                                 \
    return name(i, s, (float4)((float)c.x + 0.5f, (float)c.y + 0.5f, (float)c.z, 0.0f));                               \
  }                                                                                                                    \
  OVER T##4 name(__read_only image3d_t i, sampler_t s, float4 c) {                                                     \
    TEX(name, T, letter, type, "3d", "f32", "%5, ", "%6, %7, %8, %8", "l"(HANDLE(i)), "l"(SAMPLER(s)), "f"(c.x),       \
        "f"(c.y), "f"(c.z))                                                                                            \
  }                                                                                                                    \
  OVER T##4 name(__read_only image3d_t i, sampler_t s, int4 c) { return name(i, s, convert_float4(c) + 0.5f); }        \
  OVER T##4 name(__read_only image1d_t i, int c) {                                                                     \
    TEX(name, T, letter, type, "1d", "s32", "", "%5", "l"(HANDLE(i)), "r"(c))                                          \
  }                                                                                                                    \
  OVER T##4 name(__read_only image1d_buffer_t i, int c) {                                                              \
    TEX(name, T, letter, type, "1d", "s32", "", "%5", "l"(HANDLE(i)), "r"(c))                                          \
  }                                                                                                                    \
  OVER T##4 name(__read_only image1d_array_t i, int2 c) {                                                              \
    TEX(name, T, letter, type, "a1d", "s32", "", "%5, %6", "l"(HANDLE(i)), "r"(c.y), "r"(c.x))                         \
  }                                                                                                                    \
  OVER T##4 name(__read_only image2d_t i, int2 c) {                                                                    \
    TEX(name, T, letter, type, "2d", "s32", "", "%5, %6", "l"(HANDLE(i)), "r"(c.x), "r"(c.y))                          \
  }                                                                                                                    \
  OVER T##4 name(__read_only image2d_array_t i, int4 c) {                                                              \
    TEX(name, T, letter, type, "a2d", "s32", "", "%5, %6, %7, %7", "l"(HANDLE(i)), "r"(c.z), "r"(c.x), "r"(c.y))       \
  }                                                                                                                    \
  OVER T##4 name(__read_only image3d_t i, int4 c) {                                                                    \
    TEX(name, T, letter, type, "3d", "s32", "", "%5, %6, %7, %7", "l"(HANDLE(i)), "r"(c.x), "r"(c.y), "r"(c.z))        \
  }

// OpenCL C 1.2, 8.4: the nearest layer, at least the first.
static inline int layer_of(float c) { return max(0, (int)rint(c)); }
READS(read_imagef, float, "f", "f32")
READS(read_imagei, int, "r", "s32")
READS(read_imageui, uint, "r", "u32")

#define READ_HALF(I, S, C)                                                                          \
  OVER half4 read_imageh(__read_only I i, S C c) { return convert_half4(read_imagef(i, c)); }
#define READ_HALF_S(I, C)                                                                             \
  OVER half4 read_imageh(__read_only I i, sampler_t s, C c) { return convert_half4(read_imagef(i, s, c)); }
READ_HALF_S(image1d_t, float) READ_HALF_S(image1d_t, int) READ_HALF(image1d_t, , int)
READ_HALF_S(image1d_array_t, float2) READ_HALF_S(image1d_array_t, int2) READ_HALF(image1d_array_t, , int2)
READ_HALF_S(image2d_t, float2) READ_HALF_S(image2d_t, int2) READ_HALF(image2d_t, , int2)
READ_HALF_S(image2d_array_t, float4) READ_HALF_S(image2d_array_t, int4) READ_HALF(image2d_array_t, , int4)
READ_HALF_S(image3d_t, float4) READ_HALF_S(image3d_t, int4) READ_HALF(image3d_t, , int4)
READ_HALF(image1d_buffer_t, , int)

// ---- Writes: the hardware converts to the image's format. Outside of the image they do nothing.
#define SUST(letter, geometry, coordinates, ...)                                                      \
  __asm__ volatile("sust.p." geometry ".v4.b32.zero [%0, {" coordinates "}], {%1,%2,%3,%4};"          \
                   :: "l"(HANDLE(i)), letter(v.x), letter(v.y), letter(v.z), letter(v.w), __VA_ARGS__ \
                   : "memory");
#define WRITES(name, T, letter)                                                                       \
  OVER void name(__write_only image1d_t i, int c, T##4 v) { SUST(letter, "1d", "%5", "r"(c)) }        \
  OVER void name(__write_only image1d_buffer_t i, int c, T##4 v) { SUST(letter, "1d", "%5", "r"(c)) } \
  OVER void name(__write_only image1d_array_t i, int2 c, T##4 v) {                                    \
    SUST(letter, "a1d", "%5, %6", "r"(c.y), "r"(c.x))                                                 \
  }                                                                                                   \
  OVER void name(__write_only image2d_t i, int2 c, T##4 v) {                                          \
    SUST(letter, "2d", "%5, %6", "r"(c.x), "r"(c.y))                                                  \
  }                                                                                                   \
  OVER void name(__write_only image2d_array_t i, int4 c, T##4 v) {                                    \
    SUST(letter, "a2d", "%5, %6, %7, %7", "r"(c.z), "r"(c.x), "r"(c.y))                               \
  }                                                                                                   \
  OVER void name(__write_only image3d_t i, int4 c, T##4 v) {                                          \
    SUST(letter, "3d", "%5, %6, %7, %7", "r"(c.x), "r"(c.y), "r"(c.z))                                \
  }
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
WRITES(write_imagef, float, "f")
WRITES(write_imagei, int, "r")
WRITES(write_imageui, uint, "r")
#define WRITE_HALF(I, C) \
  OVER void write_imageh(__write_only I i, C c, half4 v) { write_imagef(i, c, convert_float4(v)); }
WRITE_HALF(image1d_t, int) WRITE_HALF(image1d_buffer_t, int) WRITE_HALF(image1d_array_t, int2)
WRITE_HALF(image2d_t, int2) WRITE_HALF(image2d_array_t, int4) WRITE_HALF(image3d_t, int4)

// ---- Queries.
#define QUERY(function, word, R, I)                                                   \
  OVER R function(I i) {                                                              \
    int r;                                                                            \
    __asm__("txq." word ".b32 %0, [%1];" : "=r"(r) : "l"(HANDLE(i)));                 \
    return (R)r;                                                                      \
  }
#define QUERIES(I)                                                                    \
  QUERY(get_image_width, "width", int, I)                                             \
  QUERY(get_image_channel_data_type, "channel_data_type", int, I)                     \
  QUERY(get_image_channel_order, "channel_order", int, I)
#define BOTH(M) M(__read_only) M(__write_only)
#define ALL_QUERIES(A)                                                                \
  QUERIES(A image1d_t) QUERIES(A image1d_buffer_t) QUERIES(A image1d_array_t)         \
  QUERIES(A image2d_t) QUERIES(A image2d_array_t) QUERIES(A image3d_t)                \
  QUERY(get_image_height, "height", int, A image2d_t)                                 \
  QUERY(get_image_height, "height", int, A image2d_array_t)                           \
  QUERY(get_image_height, "height", int, A image3d_t)                                 \
  QUERY(get_image_depth, "depth", int, A image3d_t)                                   \
  QUERY(get_image_array_size, "array_size", size_t, A image1d_array_t)                \
  QUERY(get_image_array_size, "array_size", size_t, A image2d_array_t)                \
  OVER int2 get_image_dim(A image2d_t i) { return (int2)(get_image_width(i), get_image_height(i)); }        \
  OVER int2 get_image_dim(A image2d_array_t i) { return (int2)(get_image_width(i), get_image_height(i)); }  \
  OVER int4 get_image_dim(A image3d_t i) {                                            \
    return (int4)(get_image_width(i), get_image_height(i), get_image_depth(i), 0);    \
  }
BOTH(ALL_QUERIES)
