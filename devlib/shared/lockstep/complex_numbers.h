// Complex numbers of CUDA (cuComplex.h) and HIP (hip_complex.h): float2 and double2 with functions. Included once for each of the two, with
// LOCKSTEP_C(name), which gives the names (cuCadd, hipCadd), and which it ends. Sources: cuComplex.h in CUDA's documentation; HIP's of hip_complex.h.
// Quotients and absolute values are scaled, so that nothing overflows on the way.
#include "lockstep/vector_types.h"

#define LOCKSTEP_COMPLEX(Complex, T, suffix)                                                                             \
  LOCKSTEP_ANY T LOCKSTEP_C(Creal##suffix)(Complex z) { return z.x; }                                                    \
  LOCKSTEP_ANY T LOCKSTEP_C(Cimag##suffix)(Complex z) { return z.y; }                                                    \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Conj##suffix)(Complex z) { return Complex{z.x, -z.y}; }                                \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Cadd##suffix)(Complex a, Complex b) { return Complex{a.x + b.x, a.y + b.y}; }          \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Csub##suffix)(Complex a, Complex b) { return Complex{a.x - b.x, a.y - b.y}; }          \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Cmul##suffix)(Complex a, Complex b) {                                                  \
    return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                        \
  }                                                                                                                      \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Cfma##suffix)(Complex a, Complex b, Complex c) {                                       \
    return Complex{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                                            \
  }                                                                                                                      \
  LOCKSTEP_ANY Complex LOCKSTEP_C(Cdiv##suffix)(Complex a, Complex b) {                                                  \
    const T scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                                               \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale, part = 1 / (bx * bx + by * by);      \
    return Complex{(ax * bx + ay * by) * part, (ay * bx - ax * by) * part};                                              \
  }                                                                                                                      \
  LOCKSTEP_ANY T LOCKSTEP_C(Cabs##suffix)(Complex z) {                                                                   \
    const T x = z.x < 0 ? -z.x : z.x, y = z.y < 0 ? -z.y : z.y, most = x > y ? x : y, least = x > y ? y : x;             \
    if (most == 0 || most - most != 0) return x + y;                                                                     \
    const T ratio = least / most;                                                                                        \
    return most * __builtin_sqrt##suffix(1 + ratio * ratio);                                                             \
  }
LOCKSTEP_COMPLEX(float2, float, f)
LOCKSTEP_COMPLEX(double2, double, )
#undef LOCKSTEP_COMPLEX

typedef float2 LOCKSTEP_C(FloatComplex);
typedef float2 LOCKSTEP_C(Complex);
typedef double2 LOCKSTEP_C(DoubleComplex);
#define LOCKSTEP_JOINED(a, b) a##b
#define LOCKSTEP_JOIN(a, b) LOCKSTEP_JOINED(a, b)
#define LOCKSTEP_MAKE(name) LOCKSTEP_JOIN(make_, LOCKSTEP_C(name))
LOCKSTEP_ANY float2 LOCKSTEP_MAKE(FloatComplex)(float x, float y) { return float2{x, y}; }
LOCKSTEP_ANY float2 LOCKSTEP_MAKE(Complex)(float x, float y) { return float2{x, y}; }
LOCKSTEP_ANY double2 LOCKSTEP_MAKE(DoubleComplex)(double x, double y) { return double2{x, y}; }
LOCKSTEP_ANY double2 LOCKSTEP_C(ComplexFloatToDouble)(float2 z) { return double2{z.x, z.y}; }
LOCKSTEP_ANY float2 LOCKSTEP_C(ComplexDoubleToFloat)(double2 z) { return float2{(float)z.x, (float)z.y}; }
#undef LOCKSTEP_MAKE
#undef LOCKSTEP_JOIN
#undef LOCKSTEP_JOINED
#undef LOCKSTEP_C
