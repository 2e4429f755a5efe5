// dim3 and the short vectors (char1 to double4) of HIP and CUDA: plain structures with the layout that both document.
// HIP's have arithmetic and constructors as well; CUDA leaves that to the program, which may bring operators of its own.
#pragma once

// Their instructions count as the caller's line (nodebug), as if they were part of the language.
#define LOCKSTEP_ANY static inline __attribute__((host, device, always_inline, nodebug))

// Whether the source is HIP, on either vendor's GPUs: hip_runtime.h comes first then.
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)
#define LOCKSTEP_HIP_SOURCE 1
#define LOCKSTEP_MEMBER inline __attribute__((host, device, always_inline, nodebug)) constexpr
// HIP's constructors: of every element, or of one value for all.
#define LOCKSTEP_MAKE_1(V, T)                                 \
  V() = default;                                              \
  template <class X, LOCKSTEP_IF_NUMBER(X)>                   \
  LOCKSTEP_MEMBER explicit V(X x) : x((T)x) {}
#define LOCKSTEP_MAKE_2(V, T)                                 \
  V() = default;                                              \
  template <class X, LOCKSTEP_IF_NUMBER(X)>                   \
  LOCKSTEP_MEMBER explicit V(X v) : x((T)v), y((T)v) {}       \
  template <class X, class Y>                                 \
  LOCKSTEP_MEMBER V(X x, Y y) : x((T)x), y((T)y) {}
#define LOCKSTEP_MAKE_3(V, T)                                           \
  V() = default;                                                        \
  template <class X, LOCKSTEP_IF_NUMBER(X)>                             \
  LOCKSTEP_MEMBER explicit V(X v) : x((T)v), y((T)v), z((T)v) {}        \
  template <class X, class Y, class Z>                                  \
  LOCKSTEP_MEMBER V(X x, Y y, Z z) : x((T)x), y((T)y), z((T)z) {}
#define LOCKSTEP_MAKE_4(V, T)                                                        \
  V() = default;                                                                     \
  template <class X, LOCKSTEP_IF_NUMBER(X)>                                          \
  LOCKSTEP_MEMBER explicit V(X v) : x((T)v), y((T)v), z((T)v), w((T)v) {}            \
  template <class X, class Y, class Z, class W>                                      \
  LOCKSTEP_MEMBER V(X x, Y y, Z z, W w) : x((T)x), y((T)y), z((T)z), w((T)w) {}
#else
#define LOCKSTEP_MAKE_1(V, T)
#define LOCKSTEP_MAKE_2(V, T)
#define LOCKSTEP_MAKE_3(V, T)
#define LOCKSTEP_MAKE_4(V, T)
#endif

template <bool holds>
struct lockstep_if {};
template <>
struct lockstep_if<true> {
  typedef int type;
};
// Numbers of C++ (not vectors, which have no such conversion).
#define LOCKSTEP_IF_NUMBER(X) typename lockstep_if<__is_arithmetic(X) || __is_enum(X)>::type = 0
// How many elements a vector has: 0, if it is none.
template <class V>
struct lockstep_vector {
  static constexpr int size = 0;
};

#define LOCKSTEP_VECTORS(T, name, align2, align4)                                                          \
  struct name##1 {                                                                                         \
    T x;                                                                                                   \
    LOCKSTEP_MAKE_1(name##1, T)                                                                            \
  };                                                                                                       \
  struct alignas(align2) name##2 {                                                                         \
    T x, y;                                                                                                \
    LOCKSTEP_MAKE_2(name##2, T)                                                                            \
  };                                                                                                       \
  struct name##3 {                                                                                         \
    T x, y, z;                                                                                             \
    LOCKSTEP_MAKE_3(name##3, T)                                                                            \
  };                                                                                                       \
  struct alignas(align4) name##4 {                                                                         \
    T x, y, z, w;                                                                                          \
    LOCKSTEP_MAKE_4(name##4, T)                                                                            \
  };                                                                                                       \
  LOCKSTEP_TRAITS(name##1, T, 1)                                                                           \
  LOCKSTEP_TRAITS(name##2, T, 2)                                                                           \
  LOCKSTEP_TRAITS(name##3, T, 3)                                                                           \
  LOCKSTEP_TRAITS(name##4, T, 4)                                                                           \
  LOCKSTEP_ANY name##1 make_##name##1(T x) { return name##1{x}; }                                          \
  LOCKSTEP_ANY name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                                  \
  LOCKSTEP_ANY name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                          \
  LOCKSTEP_ANY name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
#define LOCKSTEP_TRAITS(V, T, n)      \
  template <>                         \
  struct lockstep_vector<V> {         \
    typedef T element;                \
    static constexpr int size = n;    \
  };

LOCKSTEP_VECTORS(signed char, char, 2, 4)
LOCKSTEP_VECTORS(unsigned char, uchar, 2, 4)
LOCKSTEP_VECTORS(short, short, 4, 8)
LOCKSTEP_VECTORS(unsigned short, ushort, 4, 8)
LOCKSTEP_VECTORS(int, int, 8, 16)
LOCKSTEP_VECTORS(unsigned int, uint, 8, 16)
LOCKSTEP_VECTORS(float, float, 8, 16)
#if defined(__HIP__) && defined(LOCKSTEP_HIP_SOURCE)
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
#undef LOCKSTEP_TRAITS
#undef LOCKSTEP_MAKE_1
#undef LOCKSTEP_MAKE_2
#undef LOCKSTEP_MAKE_3
#undef LOCKSTEP_MAKE_4

// Operators of HIP's vectors: templates, as HIP has them, so that a program's own for one type come first. `op` is applied to each
// element; a number counts as a vector of it.
#if defined(LOCKSTEP_HIP_SOURCE)
#undef LOCKSTEP_MEMBER
#define LOCKSTEP_IF_VECTOR(V) typename lockstep_if<lockstep_vector<V>::size != 0>::type = 0
#define LOCKSTEP_IF_INTEGERS(V) typename lockstep_if<lockstep_vector_has_integers<V>()>::type = 0
template <class V>
LOCKSTEP_ANY constexpr bool lockstep_vector_has_integers() {
  if constexpr (lockstep_vector<V>::size != 0) return __is_integral(typename lockstep_vector<V>::element);
  return false;
}
template <class V, class F>
LOCKSTEP_ANY V lockstep_each(V a, V b, F f) {
  typedef typename lockstep_vector<V>::element T;
  constexpr int size = lockstep_vector<V>::size;
  a.x = (T)f(a.x, b.x);
  if constexpr (size > 1) a.y = (T)f(a.y, b.y);
  if constexpr (size > 2) a.z = (T)f(a.z, b.z);
  if constexpr (size > 3) a.w = (T)f(a.w, b.w);
  return a;
}
#define LOCKSTEP_OPERATOR(op, condition)                                                                                 \
  template <class V, condition(V)>                                                                                       \
  LOCKSTEP_ANY V operator op(V a, V b) {                                                                                 \
    return lockstep_each(a, b, [](auto p, auto q) __attribute__((host, device, always_inline, nodebug)) { return p op q; }); \
  }                                                                                                                      \
  template <class V, class S, condition(V), LOCKSTEP_IF_NUMBER(S)>                                                       \
  LOCKSTEP_ANY V operator op(V a, S b) {                                                                                 \
    return a op V(b);                                                                                                    \
  }                                                                                                                      \
  template <class V, class S, condition(V), LOCKSTEP_IF_NUMBER(S)>                                                       \
  LOCKSTEP_ANY V operator op(S a, V b) {                                                                                 \
    return V(a) op b;                                                                                                    \
  }                                                                                                                      \
  template <class V, condition(V)>                                                                                       \
  LOCKSTEP_ANY V& operator op##=(V& a, V b) {                                                                            \
    return a = a op b;                                                                                                   \
  }                                                                                                                      \
  template <class V, class S, condition(V), LOCKSTEP_IF_NUMBER(S)>                                                       \
  LOCKSTEP_ANY V& operator op##=(V& a, S b) {                                                                            \
    return a = a op b;                                                                                                   \
  }
LOCKSTEP_OPERATOR(+, LOCKSTEP_IF_VECTOR)
LOCKSTEP_OPERATOR(-, LOCKSTEP_IF_VECTOR)
LOCKSTEP_OPERATOR(*, LOCKSTEP_IF_VECTOR)
LOCKSTEP_OPERATOR(/, LOCKSTEP_IF_VECTOR)
LOCKSTEP_OPERATOR(%, LOCKSTEP_IF_INTEGERS)
LOCKSTEP_OPERATOR(&, LOCKSTEP_IF_INTEGERS)
LOCKSTEP_OPERATOR(|, LOCKSTEP_IF_INTEGERS)
LOCKSTEP_OPERATOR(^, LOCKSTEP_IF_INTEGERS)
LOCKSTEP_OPERATOR(<<, LOCKSTEP_IF_INTEGERS)
LOCKSTEP_OPERATOR(>>, LOCKSTEP_IF_INTEGERS)
#undef LOCKSTEP_OPERATOR
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V operator-(V a) {
  return lockstep_each(a, a, [](auto p, auto) __attribute__((host, device, always_inline, nodebug)) { return -p; });
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V operator+(V a) {
  return a;
}
template <class V, LOCKSTEP_IF_INTEGERS(V)>
LOCKSTEP_ANY V operator~(V a) {
  return lockstep_each(a, a, [](auto p, auto) __attribute__((host, device, always_inline, nodebug)) { return ~p; });
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V& operator++(V& a) {
  return a += 1;
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V& operator--(V& a) {
  return a -= 1;
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V operator++(V& a, int) {
  const V before = a;
  a += 1;
  return before;
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY V operator--(V& a, int) {
  const V before = a;
  a -= 1;
  return before;
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY bool operator==(V a, V b) {
  constexpr int size = lockstep_vector<V>::size;
  if (!(a.x == b.x)) return false;
  if constexpr (size > 1) {
    if (!(a.y == b.y)) return false;
  }
  if constexpr (size > 2) {
    if (!(a.z == b.z)) return false;
  }
  if constexpr (size > 3) {
    if (!(a.w == b.w)) return false;
  }
  return true;
}
template <class V, LOCKSTEP_IF_VECTOR(V)>
LOCKSTEP_ANY bool operator!=(V a, V b) {
  return !(a == b);
}
// Of one value for all elements, or of a longer vector's first ones: not HIP's, but common in programs, whose own come first.
#define LOCKSTEP_MAKES(V)                             \
  template <class S, LOCKSTEP_IF_NUMBER(S)>           \
  LOCKSTEP_ANY V make_##V(S x) {                      \
    return V(x);                                      \
  }
LOCKSTEP_MAKES(int2) LOCKSTEP_MAKES(int3) LOCKSTEP_MAKES(int4)
LOCKSTEP_MAKES(uint2) LOCKSTEP_MAKES(uint3) LOCKSTEP_MAKES(uint4)
LOCKSTEP_MAKES(float2) LOCKSTEP_MAKES(float3) LOCKSTEP_MAKES(float4)
LOCKSTEP_MAKES(double2) LOCKSTEP_MAKES(double3) LOCKSTEP_MAKES(double4)
#undef LOCKSTEP_MAKES
template <class V, typename lockstep_if<__is_same(V, float4)>::type = 0>
LOCKSTEP_ANY float3 make_float3(V v) {
  return float3{v.x, v.y, v.z};
}
#undef LOCKSTEP_IF_VECTOR
#undef LOCKSTEP_IF_INTEGERS
#endif
#undef LOCKSTEP_IF_NUMBER

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
