// Builtins on vectors from those on scalars. OVER holds the functions' attributes.
#pragma once

#define UNARY_VECTORS(name, R, T)                                                    \
  OVER R##2 name(T##2 x) { return (R##2)(name(x.x), name(x.y)); }                    \
  OVER R##3 name(T##3 x) { return (R##3)(name(x.x), name(x.y), name(x.z)); }         \
  OVER R##4 name(T##4 x) { return (R##4)(name(x.lo), name(x.hi)); }                  \
  OVER R##8 name(T##8 x) { return (R##8)(name(x.lo), name(x.hi)); }                  \
  OVER R##16 name(T##16 x) { return (R##16)(name(x.lo), name(x.hi)); }
#define BINARY_VECTORS(name, T)                                                                      \
  OVER T##2 name(T##2 x, T##2 y) { return (T##2)(name(x.x, y.x), name(x.y, y.y)); }                  \
  OVER T##3 name(T##3 x, T##3 y) { return (T##3)(name(x.x, y.x), name(x.y, y.y), name(x.z, y.z)); }  \
  OVER T##4 name(T##4 x, T##4 y) { return (T##4)(name(x.lo, y.lo), name(x.hi, y.hi)); }              \
  OVER T##8 name(T##8 x, T##8 y) { return (T##8)(name(x.lo, y.lo), name(x.hi, y.hi)); }              \
  OVER T##16 name(T##16 x, T##16 y) { return (T##16)(name(x.lo, y.lo), name(x.hi, y.hi)); }
#define TERNARY_VECTORS(name, T)                                                                                      \
  OVER T##2 name(T##2 x, T##2 y, T##2 z) { return (T##2)(name(x.x, y.x, z.x), name(x.y, y.y, z.y)); }                 \
  OVER T##3 name(T##3 x, T##3 y, T##3 z) {                                                                            \
    return (T##3)(name(x.x, y.x, z.x), name(x.y, y.y, z.y), name(x.z, y.z, z.z));                                     \
  }                                                                                                                   \
  OVER T##4 name(T##4 x, T##4 y, T##4 z) { return (T##4)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); }           \
  OVER T##8 name(T##8 x, T##8 y, T##8 z) { return (T##8)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); }           \
  OVER T##16 name(T##16 x, T##16 y, T##16 z) { return (T##16)(name(x.lo, y.lo, z.lo), name(x.hi, y.hi, z.hi)); }
// A second argument of another type (int), and a scalar second argument for vectors.
#define MIXED_VECTORS(name, T, U)                                                                    \
  OVER T##2 name(T##2 x, U##2 y) { return (T##2)(name(x.x, y.x), name(x.y, y.y)); }                  \
  OVER T##3 name(T##3 x, U##3 y) { return (T##3)(name(x.x, y.x), name(x.y, y.y), name(x.z, y.z)); }  \
  OVER T##4 name(T##4 x, U##4 y) { return (T##4)(name(x.lo, y.lo), name(x.hi, y.hi)); }              \
  OVER T##8 name(T##8 x, U##8 y) { return (T##8)(name(x.lo, y.lo), name(x.hi, y.hi)); }              \
  OVER T##16 name(T##16 x, U##16 y) { return (T##16)(name(x.lo, y.lo), name(x.hi, y.hi)); }
// A result beside the returned one, behind a pointer.
#define POINTER_VECTORS_IN(name, T, U, S)                                                            \
  OVER T##2 name(T##2 x, S U##2* p) {                                                                \
    U a, b;                                                                                          \
    const T##2 r = (T##2)(name(x.x, &a), name(x.y, &b));                                             \
    *p = (U##2)(a, b);                                                                               \
    return r;                                                                                        \
  }                                                                                                  \
  OVER T##3 name(T##3 x, S U##3* p) {                                                                \
    U a, b, c;                                                                                       \
    const T##3 r = (T##3)(name(x.x, &a), name(x.y, &b), name(x.z, &c));                              \
    *p = (U##3)(a, b, c);                                                                            \
    return r;                                                                                        \
  }                                                                                                  \
  POINTER_HALVES(name, T, U, S, 4, 2) POINTER_HALVES(name, T, U, S, 8, 4)                            \
  POINTER_HALVES(name, T, U, S, 16, 8)
#define POINTER_HALVES(name, T, U, S, n, m)                                                          \
  OVER T##n name(T##n x, S U##n* p) {                                                                \
    U##m a, b;                                                                                       \
    const T##n r = (T##n)(name(x.lo, &a), name(x.hi, &b));                                           \
    *p = (U##n)(a, b);                                                                               \
    return r;                                                                                        \
  }
// The quotients' last bits beside the remainders.
#define REMQUO_VECTORS(T, S)                                                                         \
  REMQUO_VECTOR(T, 2, S) REMQUO_VECTOR(T, 3, S) REMQUO_VECTOR(T, 4, S) REMQUO_VECTOR(T, 8, S)        \
  REMQUO_VECTOR(T, 16, S)
#define REMQUO_VECTOR(T, n, S)                                                                       \
  OVER T##n remquo(T##n x, T##n y, S int##n* quotient) {                                             \
    T##n r;                                                                                          \
    int##n q;                                                                                        \
    for (int i = 0; i < n; ++i) {                                                                    \
      int one = 0;                                                                                   \
      r[i] = remquo(x[i], y[i], &one);                                                               \
      q[i] = one;                                                                                    \
    }                                                                                                \
    *quotient = q;                                                                                   \
    return r;                                                                                        \
  }
#define EACH_N(M, T) M(T, 2) M(T, 3) M(T, 4) M(T, 8) M(T, 16)
// The width stands inside of the name: convert_float2_rte.
#define CONVERT_VECTORS(name, suffix, R, T)                                                                 \
  OVER R##2 name##2##suffix(T##2 x) { return (R##2)(name##suffix(x.x), name##suffix(x.y)); }                \
  OVER R##3 name##3##suffix(T##3 x) {                                                                       \
    return (R##3)(name##suffix(x.x), name##suffix(x.y), name##suffix(x.z));                                 \
  }                                                                                                         \
  OVER R##4 name##4##suffix(T##4 x) { return (R##4)(name##2##suffix(x.lo), name##2##suffix(x.hi)); }        \
  OVER R##8 name##8##suffix(T##8 x) { return (R##8)(name##4##suffix(x.lo), name##4##suffix(x.hi)); }        \
  OVER R##16 name##16##suffix(T##16 x) { return (R##16)(name##8##suffix(x.lo), name##8##suffix(x.hi)); }
// Scalars for arguments that are vectors.
#define COMMON_WITH_SCALARS(T, n)                                                                        \
  OVER T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }                     \
  OVER T##n mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)a); }                                      \
  OVER T##n step(T edge, T##n x) { return step((T##n)edge, x); }                                         \
  OVER T##n smoothstep(T low, T high, T##n x) { return smoothstep((T##n)low, (T##n)high, x); }
#define LDEXP_ONE(T, n) OVER T##n ldexp(T##n x, int k) { return ldexp(x, (int##n)k); }
