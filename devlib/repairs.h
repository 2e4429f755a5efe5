// What rocm-device-libs and libclc get wrong alike. Before this, vectors.h and two macros: OVER, the attributes of a
// builtin's definition, and ORIGINAL(function, suffix), the name of the library's own function of f16, f32 or f64.
#pragma once

#define AROUND_REALS(AROUND, function) AROUND(function, float, f32) AROUND(function, double, f64)
#define AROUND_ALL(AROUND, function) AROUND(function, half, f16) AROUND_REALS(AROUND, function)

// Signs of zero. cospi(n + 0.5) is +0 and sinpi(-n) is -0 (OpenCL 1.2, 7.5.1); odd functions of a zero are that zero
// (C99, F.9). The libraries have the other one.
#define POSITIVE_ZERO(function, T, suffix)                                                                \
  T ORIGINAL(function, suffix)(T x);                                                                      \
  OVER T function(T x) { return ORIGINAL(function, suffix)(x) + (T)0; }                                   \
  UNARY_VECTORS(function, T, T)
#define ZERO_OF_ARGUMENT(function, T, suffix)                                                             \
  T ORIGINAL(function, suffix)(T x);                                                                      \
  OVER T function(T x) {                                                                                  \
    const T result = ORIGINAL(function, suffix)(x);                                                       \
    return result == (T)0 ? copysign(result, x) : result;                                                 \
  }                                                                                                       \
  UNARY_VECTORS(function, T, T)

// fract of -0 and of -infinity is -0 (7.5.1); the libraries' is +0. The greatest fraction is the number before 1.
#define FRACT(attributes, name, floor, S, T, I, sign, infinity, one)                                      \
  attributes T name(T x, S T* whole) {                                                                    \
    const I bits = __builtin_bit_cast(I, x);                                                              \
    const T down = floor(x);                                                                              \
    *whole = down;                                                                                        \
    if ((bits & ~sign) == 0 || (bits & ~sign) == infinity) return __builtin_bit_cast(T, (I)(bits & sign)); \
    const T fraction = x - down;                                                                          \
    return __builtin_bit_cast(I, fraction) == one ? __builtin_bit_cast(T, (I)(one - 1)) : fraction;       \
  }

// The libraries return +0 after the negative subnormal of least magnitude; IEEE 754-2008 (5.3.1, nextUp) says -0.
// C99 7.12.11.3: where the arguments are equal, the result is the second. `bits` are the arguments' patterns, whose
// magnitudes count the representable numbers from zero.
#define NEXTAFTER(attributes, name, T, I, sign, infinity)                                                 \
  attributes T name(T x, T y) {                                                                           \
    const I bits_x = __builtin_bit_cast(I, x), bits_y = __builtin_bit_cast(I, y);                         \
    const I size_x = bits_x & ~sign, size_y = bits_y & ~sign;                                             \
    if (size_x > infinity) return x;                                                                      \
    if (size_y > infinity) return y;                                                                      \
    if (bits_x == bits_y || (size_x | size_y) == 0) return y;                                             \
    if (size_x == 0) return __builtin_bit_cast(T, (I)((bits_y & sign) | 1));                              \
    const bool towards_zero = ((bits_x ^ bits_y) & sign) != 0 || size_y < size_x;                         \
    return __builtin_bit_cast(T, (I)(towards_zero ? bits_x - 1 : bits_x + 1));                            \
  }
