// GCN 1 has no v_floor_f64 and v_ceil_f64. LLVM makes floor from v_fract_f64, which gives -0.99999999999999989 for the
// floor of a small negative number, and ceil from a sum that loses the sign of zero. Truncation, which it makes from the
// bits, is exact.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

double __ocml_trunc_f64(double x);

static double with_sign_of(double magnitude, double sign) {
  const ulong top = 0x8000000000000000ul;
  return __builtin_bit_cast(double, (__builtin_bit_cast(ulong, magnitude) & ~top) |
                                        (__builtin_bit_cast(ulong, sign) & top));
}

__attribute__((const)) double __ocml_floor_f64(double x) {
  const double whole = __ocml_trunc_f64(x);
  return whole > x ? whole - 1.0 : whole;
}
__attribute__((const)) double __ocml_ceil_f64(double x) {
  const double whole = __ocml_trunc_f64(x);
  return with_sign_of(whole < x ? whole + 1.0 : whole, x);
}
// LLVM's sum with 2^52 loses the sign of zero as well.
__attribute__((const)) double __ocml_rint_f64(double x) {
  const double magnitude = __builtin_bit_cast(double, __builtin_bit_cast(ulong, x) & 0x7FFFFFFFFFFFFFFFul);
  const double big = 0x1p52;
  return magnitude < big ? with_sign_of((magnitude + big) - big, x) : x;
}
