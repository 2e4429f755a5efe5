// Sums, products, quotients, roots and fused products that round towards a given side, on AMD: of floats through doubles, whose rest is
// exact; of doubles by the rounding mode of the wave, set around one instruction (which volatile assembly keeps together).
// Source: "CUDA Math API", Single and Double Precision Intrinsics.
#pragma once

// The exact result is `near` plus something of the sign of `rest`.
LOCKSTEP_DEVICE float lockstep_directed_float(lockstep_towards towards, double near, double rest) {
  const float result = (float)near;
  const bool finite = near - near == 0;  // infinities and NaN stay
  const bool more = finite && (near > (double)result || (near == (double)result && rest > 0));
  const bool less = finite && (near < (double)result || (near == (double)result && rest < 0));
  return lockstep_directed<unsigned int>(towards, result, more, less);
}
LOCKSTEP_DEVICE float lockstep_directed_sum(lockstep_towards towards, double a, double b) {
  const double sum = a + b, part = sum - a, rest = (a - (sum - part)) + (b - part);
  // What is nothing at all rounds to -0 downwards, except +0 + +0.
  if (sum == 0 && towards == lockstep_towards::below)
    return __builtin_signbit(a) || __builtin_signbit(b) ? -0.0f : 0.0f;
  return lockstep_directed_float(towards, sum, rest);
}
#define LOCKSTEP_DIRECTED(mode, towards)                                                                           \
  LOCKSTEP_DEVICE float __fadd_##mode(float a, float b) { return lockstep_directed_sum(towards, a, b); }           \
  LOCKSTEP_DEVICE float __fsub_##mode(float a, float b) { return lockstep_directed_sum(towards, a, -b); }          \
  LOCKSTEP_DEVICE float __fmul_##mode(float a, float b) {                                                          \
    return lockstep_directed_float(towards, (double)a * (double)b, 0);                                             \
  }                                                                                                                \
  LOCKSTEP_DEVICE float __fmaf_##mode(float a, float b, float c) {                                                 \
    return lockstep_directed_sum(towards, (double)a * (double)b, c);                                               \
  }                                                                                                                \
  LOCKSTEP_DEVICE float __fdiv_##mode(float a, float b) {                                                          \
    const double near = (double)a / (double)b, rest = __builtin_fma(-near, (double)b, (double)a);                  \
    return lockstep_directed_float(towards, near, b < 0 ? -rest : rest);                                           \
  }                                                                                                                \
  LOCKSTEP_DEVICE float __frcp_##mode(float a) { return __fdiv_##mode(1.0f, a); }                                  \
  LOCKSTEP_DEVICE float __fsqrt_##mode(float a) {                                                                  \
    const double near = __builtin_sqrt((double)a);                                                                 \
    return lockstep_directed_float(towards, near, __builtin_fma(-near, near, (double)a));                          \
  }
LOCKSTEP_DIRECTED(rz, lockstep_towards::zero)
LOCKSTEP_DIRECTED(ru, lockstep_towards::above)
LOCKSTEP_DIRECTED(rd, lockstep_towards::below)
#undef LOCKSTEP_DIRECTED

// MODE's bits 2 and 3 are the mode of doubles (and halves): 0 nearest, 1 up, 2 down, 3 to zero.
#if defined(__HIP_DEVICE_COMPILE__)
#define LOCKSTEP_IN_MODE(mode, instruction) \
  "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), " #mode "\n\t" instruction "\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 0"
#if defined(__gfx1200__) || defined(__gfx1201__)
#define LOCKSTEP_ADD "v_add_f64_e64 %0, %1, %2"
#define LOCKSTEP_MULTIPLY "v_mul_f64_e64 %0, %1, %2"
#else
#define LOCKSTEP_ADD "v_add_f64 %0, %1, %2"
#define LOCKSTEP_MULTIPLY "v_mul_f64 %0, %1, %2"
#endif
#else
#define LOCKSTEP_IN_MODE(mode, instruction) ""
#define LOCKSTEP_ADD
#define LOCKSTEP_MULTIPLY
#endif
#define LOCKSTEP_DIRECTED(suffix, mode)                                                                       \
  LOCKSTEP_DEVICE double __dadd_##suffix(double a, double b) {                                                \
    double result;                                                                                            \
    __asm__ volatile(LOCKSTEP_IN_MODE(mode, LOCKSTEP_ADD) : "=&v"(result) : "v"(a), "v"(b));                   \
    return result;                                                                                            \
  }                                                                                                           \
  LOCKSTEP_DEVICE double __dsub_##suffix(double a, double b) { return __dadd_##suffix(a, -b); }               \
  LOCKSTEP_DEVICE double __dmul_##suffix(double a, double b) {                                                \
    double result;                                                                                            \
    __asm__ volatile(LOCKSTEP_IN_MODE(mode, LOCKSTEP_MULTIPLY) : "=&v"(result) : "v"(a), "v"(b));              \
    return result;                                                                                            \
  }                                                                                                           \
  LOCKSTEP_DEVICE double __fma_##suffix(double a, double b, double c) {                                       \
    double result;                                                                                            \
    __asm__ volatile(LOCKSTEP_IN_MODE(mode, "v_fma_f64 %0, %1, %2, %3")                                       \
                     : "=&v"(result)                                                                          \
                     : "v"(a), "v"(b), "v"(c));                                                               \
    return result;                                                                                            \
  }
LOCKSTEP_DIRECTED(rz, 3)
LOCKSTEP_DIRECTED(ru, 1)
LOCKSTEP_DIRECTED(rd, 2)
#undef LOCKSTEP_DIRECTED
#undef LOCKSTEP_IN_MODE
#undef LOCKSTEP_ADD
#undef LOCKSTEP_MULTIPLY
