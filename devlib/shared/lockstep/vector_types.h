// dim3 and the short vectors (char1 to double4) of HIP and CUDA: plain structures with the layout that both document.
// HIP has arithmetic on them as well; CUDA leaves that to the program.
#pragma once

#define LOCKSTEP_ANY static inline __attribute__((host, device, always_inline))

#define LOCKSTEP_VECTORS(T, name, align2, align4)                                                          \
  struct name##1 {                                                                                         \
    T x;                                                                                                   \
  };                                                                                                       \
  struct alignas(align2) name##2 {                                                                         \
    T x, y;                                                                                                \
  };                                                                                                       \
  struct name##3 {                                                                                         \
    T x, y, z;                                                                                             \
  };                                                                                                       \
  struct alignas(align4) name##4 {                                                                         \
    T x, y, z, w;                                                                                          \
  };                                                                                                       \
  LOCKSTEP_ANY name##1 make_##name##1(T x) { return name##1{x}; }                                          \
  LOCKSTEP_ANY name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                                  \
  LOCKSTEP_ANY name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                          \
  LOCKSTEP_ANY name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }

LOCKSTEP_VECTORS(signed char, char, 2, 4)
LOCKSTEP_VECTORS(unsigned char, uchar, 2, 4)
LOCKSTEP_VECTORS(short, short, 4, 8)
LOCKSTEP_VECTORS(unsigned short, ushort, 4, 8)
LOCKSTEP_VECTORS(int, int, 8, 16)
LOCKSTEP_VECTORS(unsigned int, uint, 8, 16)
LOCKSTEP_VECTORS(float, float, 8, 16)
#if defined(__HIP__)
LOCKSTEP_VECTORS(long, long, 16, 32)
LOCKSTEP_VECTORS(unsigned long, ulong, 16, 32)
LOCKSTEP_VECTORS(long long, longlong, 16, 32)
LOCKSTEP_VECTORS(unsigned long long, ulonglong, 16, 32)
LOCKSTEP_VECTORS(double, double, 16, 32)
#else
LOCKSTEP_VECTORS(long, long, 16, 16)
LOCKSTEP_VECTORS(unsigned long, ulong, 16, 16)
LOCKSTEP_VECTORS(long long, longlong, 16, 16)
LOCKSTEP_VECTORS(unsigned long long, ulonglong, 16, 16)
LOCKSTEP_VECTORS(double, double, 16, 16)
#endif
#undef LOCKSTEP_VECTORS

#if defined(__HIP__) || defined(__HIP_PLATFORM_NVIDIA__)
#define LOCKSTEP_OPERATOR(V, T, op)                                                                        \
  LOCKSTEP_ANY V##1 operator op(V##1 a, V##1 b) { return {(T)(a.x op b.x)}; }                                \
  LOCKSTEP_ANY V##2 operator op(V##2 a, V##2 b) { return {(T)(a.x op b.x), (T)(a.y op b.y)}; }                 \
  LOCKSTEP_ANY V##3 operator op(V##3 a, V##3 b) { return {(T)(a.x op b.x), (T)(a.y op b.y), (T)(a.z op b.z)}; }  \
  LOCKSTEP_ANY V##4 operator op(V##4 a, V##4 b) {                                                          \
    return {(T)(a.x op b.x), (T)(a.y op b.y), (T)(a.z op b.z), (T)(a.w op b.w)};                                   \
  }                                                                                                        \
  LOCKSTEP_ANY V##1 operator op(V##1 a, T b) { return a op V##1{b}; }                                      \
  LOCKSTEP_ANY V##2 operator op(V##2 a, T b) { return a op V##2{b, b}; }                                   \
  LOCKSTEP_ANY V##3 operator op(V##3 a, T b) { return a op V##3{b, b, b}; }                                \
  LOCKSTEP_ANY V##4 operator op(V##4 a, T b) { return a op V##4{b, b, b, b}; }                             \
  LOCKSTEP_ANY V##1 operator op(T a, V##1 b) { return V##1{a} op b; }                                      \
  LOCKSTEP_ANY V##2 operator op(T a, V##2 b) { return V##2{a, a} op b; }                                   \
  LOCKSTEP_ANY V##3 operator op(T a, V##3 b) { return V##3{a, a, a} op b; }                                \
  LOCKSTEP_ANY V##4 operator op(T a, V##4 b) { return V##4{a, a, a, a} op b; }                             \
  LOCKSTEP_ANY V##1& operator op##=(V##1& a, V##1 b) { return a = a op b; }                                \
  LOCKSTEP_ANY V##2& operator op##=(V##2& a, V##2 b) { return a = a op b; }                                \
  LOCKSTEP_ANY V##3& operator op##=(V##3& a, V##3 b) { return a = a op b; }                                \
  LOCKSTEP_ANY V##4& operator op##=(V##4& a, V##4 b) { return a = a op b; }                                \
  LOCKSTEP_ANY V##1& operator op##=(V##1& a, T b) { return a = a op b; }                                   \
  LOCKSTEP_ANY V##2& operator op##=(V##2& a, T b) { return a = a op b; }                                   \
  LOCKSTEP_ANY V##3& operator op##=(V##3& a, T b) { return a = a op b; }                                   \
  LOCKSTEP_ANY V##4& operator op##=(V##4& a, T b) { return a = a op b; }
#define LOCKSTEP_OPERATORS(V, T)                                                                           \
  LOCKSTEP_OPERATOR(V, T, +)                                                                               \
  LOCKSTEP_OPERATOR(V, T, -)                                                                               \
  LOCKSTEP_OPERATOR(V, T, *)                                                                               \
  LOCKSTEP_OPERATOR(V, T, /)                                                                               \
  LOCKSTEP_ANY V##1 operator-(V##1 a) { return {(T)(-a.x)}; }                                                \
  LOCKSTEP_ANY V##2 operator-(V##2 a) { return {(T)(-a.x), (T)(-a.y)}; }                                       \
  LOCKSTEP_ANY V##3 operator-(V##3 a) { return {(T)(-a.x), (T)(-a.y), (T)(-a.z)}; }                              \
  LOCKSTEP_ANY V##4 operator-(V##4 a) { return {(T)(-a.x), (T)(-a.y), (T)(-a.z), (T)(-a.w)}; }                     \
  LOCKSTEP_ANY bool operator==(V##1 a, V##1 b) { return a.x == b.x; }                                      \
  LOCKSTEP_ANY bool operator==(V##2 a, V##2 b) { return a.x == b.x && a.y == b.y; }                        \
  LOCKSTEP_ANY bool operator==(V##3 a, V##3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }          \
  LOCKSTEP_ANY bool operator==(V##4 a, V##4 b) {                                                           \
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;                                           \
  }
LOCKSTEP_OPERATORS(char, signed char)
LOCKSTEP_OPERATORS(uchar, unsigned char)
LOCKSTEP_OPERATORS(short, short)
LOCKSTEP_OPERATORS(ushort, unsigned short)
LOCKSTEP_OPERATORS(int, int)
LOCKSTEP_OPERATORS(uint, unsigned int)
LOCKSTEP_OPERATORS(long, long)
LOCKSTEP_OPERATORS(ulong, unsigned long)
LOCKSTEP_OPERATORS(longlong, long long)
LOCKSTEP_OPERATORS(ulonglong, unsigned long long)
LOCKSTEP_OPERATORS(float, float)
LOCKSTEP_OPERATORS(double, double)
#undef LOCKSTEP_OPERATORS
#undef LOCKSTEP_OPERATOR
#endif

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device)) constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device)) constexpr operator uint3() const { return uint3{x, y, z}; }
};

// What clang makes of kernel<<<groups, items, local_bytes, stream>>>().
extern "C" {
int __hipPushCallConfiguration(dim3 groups, dim3 items, __SIZE_TYPE__ local_bytes = 0, void* stream = 0);
int __cudaPushCallConfiguration(dim3 groups, dim3 items, __SIZE_TYPE__ local_bytes = 0, void* stream = 0);
int cudaConfigureCall(dim3 groups, dim3 items, __SIZE_TYPE__ local_bytes = 0, void* stream = 0);
}
