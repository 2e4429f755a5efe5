// libclc's own versions of what math.cl repairs by calling them, under other names. Compiled with libclc linked in.
#define ORIGINAL(function)                                                    \
  float __libclc_##function##_f32(float x) { return function(x); }            \
  double __libclc_##function##_f64(double x) { return function(x); }
ORIGINAL(atan)
ORIGINAL(atanpi)
double __libclc_acospi_f64(double x) { return acospi(x); }
double __libclc_cos_f64(double x) { return cos(x); }
ORIGINAL(cospi)
ORIGINAL(erf)
ORIGINAL(expm1)
ORIGINAL(sin)
ORIGINAL(sinpi)
ORIGINAL(tan)
ORIGINAL(tanpi)
float __libclc_lgamma_r_f32(float x, __private int* sign) { return lgamma_r(x, sign); }
double __libclc_lgamma_r_f64(double x, __private int* sign) { return lgamma_r(x, sign); }
float __libclc_exp_f32(float x) { return exp(x); }
float __libclc_exp2_f32(float x) { return exp2(x); }
float __libclc_fmod_f32(float x, float y) { return fmod(x, y); }
float __libclc_remainder_f32(float x, float y) { return remainder(x, y); }
float __libclc_remquo_f32(float x, float y, __private int* quotient) { return remquo(x, y, quotient); }
float __libclc_rootn_f32(float x, int n) { return rootn(x, n); }

// The bits of 2/pi from a byte on, for reducing great angles. libclc reads all 16 bytes at once, wherever they begin.
extern __constant uchar PIBITS_TBL[];
uint4 __clc_pibits_tbl(size_t at) {
  const volatile __constant uchar* p = PIBITS_TBL + at;
  uint4 bits = 0;
  for (int byte = 0; byte < 4; ++byte) bits |= (uint4)(p[byte], p[byte + 4], p[byte + 8], p[byte + 12]) << (8 * byte);
  return bits;
}
