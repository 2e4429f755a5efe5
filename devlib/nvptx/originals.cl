// libclc's own versions of what math.cl repairs by calling them, under other names. Compiled with libclc linked in.
#define ORIGINAL(function)                                                    \
  float __libclc_##function##_f32(float x) { return function(x); }            \
  double __libclc_##function##_f64(double x) { return function(x); }
ORIGINAL(atan)
ORIGINAL(atanpi)
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
