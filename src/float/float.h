// The float room: bit-exact, deterministic scalar functions for the lane loops of exec and isa. They are
// inline, keep the host's rounding mode at nearest even and its denormals on, and use of the C library only
// operations that are exact (fma, sqrt, rint, floor, ceil, trunc, fabs), so that every host gives the same
// bits.
//
//   bits.h        formats as bits: classes, quieting, flushing, Round, FloatMode, with_round
//   half.h        f16, bf16, f32, f64 conversions in every rounding mode
//   soft.h        fma, divide, scale in integers (scalar)
//   round.h       add, sub, mul, fma, div, sqrt for f32, f64, f16 in every rounding mode
//   convert.h     float <-> integer, AMD's packing conversions, PTX cvt to integers
//   minmax.h      the vendors' minimum and maximum families
//   amd.h         ldexp, frexp, fract, class masks, legacy products, mad, cube
//   amd_div.h     div_scale, div_fmas, div_fixup, trig_preop
//   packed.h      sad, lerp, perm, align, bitfields, mbcnt
//   approx.h      exp2, log2, rcp, rsq, sin, cos; AMD's flushing and range rules
//   ptx_approx.h  PTX's .approx instructions
//   exactness.h   what is exact, what is approximated, within which bound
//
// NaN results are the first NaN operand quieted, or F::invalid_nan; canonical_nan_f32 and _f16 make them
// PTX's. Call a function with its rounding mode as template argument (add_f32<Round::zero>) inside the lane
// loop and with_round outside of it; the overloads that take a FloatMode decide per call.
//
// What g++ 12 makes of `for 64 lanes: r[i] = f(a[i], b[i], c[i])` with the project's flags on AVX2, in ns per
// 64 lanes on a Xeon of 2023 (an integer add takes 2.5). A lambda that calls them must be inlined into the
// loop
// ([[gnu::always_inline]]) for this.
//   vectorised  add, mul f32 12; fma f32 15; with flushing 26; add, fma f64 23, 33; mad f32 43; div f32 13;
//               sqrt f32 12; amd_min, amd_max f32 15, f16 8, f64 31; med3 f32 53; f16_to_f32 17; f32_to_f16
//               27; float_to_int 12 to 14; int_to_f32 5 to 13; floor, rint 4; fract 35; ldexp f32 23; class
//               5; add, mul f16 80; fma f16 120; rcp, sqrt f32 18; rsq f32 68; exp, log, sin, cos f32 150 to
//               165; ptx sin, tanh 250, 170; directed f32 add, fma 100; directed f64 add 66; div_fmas
//               unscaled 16, 33
//   scalar      directed f64 mul, fma (soft.h) 420, 850; ldexp f64 125; frexp 60 to 80; div_scale 260 to 310;
//               div_fixup 125; scaled div_fmas 850; rsq f64 245
#pragma once
#include "float/amd.h"
#include "float/amd_div.h"
#include "float/approx.h"
#include "float/bits.h"
#include "float/convert.h"
#include "float/exactness.h"
#include "float/half.h"
#include "float/minmax.h"
#include "float/packed.h"
#include "float/ptx_approx.h"
#include "float/round.h"
#include "float/soft.h"
