// Reciprocals, roots, exponentials, sines of the vector ALU: one definition for f16, f32 and f64. Source:
// "Vega Instruction Set Architecture", 12.8 and 12.11.
#pragma once
#include "float/approx.h"
#include "isa/amd/float_meanings.h"

namespace lockstep::amd {

enum class Function : u8 { rcp, rsq, sqrt, exp, log, sin, cos };
inline constexpr std::array<std::string_view, 7> function_names{"rcp_", "rsq_", "sqrt_", "exp_",
                                                                "log_", "sin_", "cos_"};

template <Function f>
constexpr bool is_wave = f == Function::sin || f == Function::cos;

template <Function f, class T>
constexpr std::string_view function_bound() {
  if constexpr (std::is_same_v<T, F16>) return "1 ulp (CDNA 3 ISA, V_RCP_F16 and its like)";
  if constexpr (std::is_same_v<T, f64>)
    return "2^29 ulp: a seed for Newton's iteration (CDNA 3 ISA, V_RCP_F64)";
  if constexpr (is_wave<f>) return "2^-20 absolute within the range (Vega ISA 12.8)";
  return "1 ulp (Vega ISA 12.8)";
}

// Only CDNA 3 and RDNA reduce the arguments of sines themselves (`full_range`).
template <Function f, bool full_range>
[[gnu::always_inline]] inline F16 function_value(F16 a) {
  if constexpr (f == Function::rcp) return {rcp_f16(a.bits)};
  if constexpr (f == Function::rsq) return {rsq_f16(a.bits)};
  if constexpr (f == Function::sqrt) return {sqrt_f16(a.bits)};
  if constexpr (f == Function::exp) return {exp2_f16(a.bits)};
  if constexpr (f == Function::log) return {log2_f16(a.bits)};
  if constexpr (f == Function::sin) return {amd_sin_f16(a.bits, full_range)};
  if constexpr (f == Function::cos) return {amd_cos_f16(a.bits, full_range)};
}
template <Function f, bool full_range>
[[gnu::always_inline]] inline f32 function_value(f32 a) {
  if constexpr (f == Function::rcp) return amd_rcp_f32(a);
  if constexpr (f == Function::rsq) return amd_rsq_f32(a);
  if constexpr (f == Function::sqrt) return amd_sqrt_f32(a);
  if constexpr (f == Function::exp) return amd_exp_f32(a);
  if constexpr (f == Function::log) return amd_log_f32(a);
  if constexpr (f == Function::sin) return amd_sin_f32(a, full_range);
  if constexpr (f == Function::cos) return amd_cos_f32(a, full_range);
}
template <Function f, bool>
[[gnu::always_inline]] inline f64 function_value(f64 a) {
  if constexpr (f == Function::rcp) return rcp_f64(a);
  if constexpr (f == Function::rsq) return rsq_f64(a);
  if constexpr (f == Function::sqrt) return sqrt_f64(a);
}

// f16 denormals by the mode; f32 ones are flushed whatever it says, and f64 ones kept.
template <Function f, class T, bool full_range>
struct FloatFunctionByMode {};
template <Function f, bool full_range>
struct FloatFunctionByMode<f, F16, full_range> {
  static F16 apply_mode(F16 a, u32 mode) {
    const FloatMode m = wide_mode(mode);
    return flushed_out(function_value<f, full_range>(flushed_in(a, m)), m);
  }
};
template <Function f, class T, bool full_range = false>
struct FloatFunction : FloatFunctionByMode<f, T, full_range> {
  static constexpr Name text{function_names[static_cast<u32>(f)], type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr std::string_view bound = function_bound<f, T>();
  static T apply(T a) { return function_value<f, full_range>(a); }
};
template <class T>
using FloatRcp = FloatFunction<Function::rcp, T>;
template <class T>
using FloatRsq = FloatFunction<Function::rsq, T>;
template <class T>
using FloatSqrt = FloatFunction<Function::sqrt, T>;
template <class T>
using FloatExp = FloatFunction<Function::exp, T>;
template <class T>
using FloatLog = FloatFunction<Function::log, T>;
template <class T, bool full_range>
using FloatSin = FloatFunction<Function::sin, T, full_range>;
template <class T, bool full_range>
using FloatCos = FloatFunction<Function::cos, T, full_range>;

// Variants of gfx6 and gfx7.
template <class S, class T, bool legacy>
struct FloatFinite {
  static constexpr Name text{legacy ? "legacy" : "clamped", " function ", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr std::string_view bound = S::bound;
  static T apply(T a) { return from_bits<T>(without_infinity<FormatOf<T>>(bits_of(S::apply(a)), legacy)); }
};

}  // namespace lockstep::amd
