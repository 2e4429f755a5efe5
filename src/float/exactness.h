// What is known about each approximated function, for reports on fidelity: the bound is what the vendor
// publishes for the hardware, in ulp of the result or as stated; ours lies within it.
#pragma once
#include <array>
#include <string_view>

#include "base/types.h"

namespace lockstep {

enum class Exact : u8 {
  exact,        // defined to the bit by a standard or the manual, and computed so
  approximated  // the hardware may differ from ours, and ours from the true value, within the bound
};

struct Exactness {
  std::string_view name;
  Exact kind;
  f64 bound_ulp;  // of the hardware; 0.5 is correct rounding
  f64 ours_ulp;   // seen by the tests, against long double, over samples or all f16
  std::string_view source;
};

inline constexpr std::array exactness_table{
    Exactness{"amd_exp_f32", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_EXP_F32"},
    Exactness{"amd_log_f32", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_LOG_F32"},
    Exactness{"amd_rcp_f32", Exact::approximated, 1, 0.5, "CDNA4 ISA 12.11, V_RCP_F32 and V_RCP_IFLAG_F32"},
    Exactness{"amd_rsq_f32", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_RSQ_F32"},
    Exactness{"amd_sqrt_f32", Exact::approximated, 1, 0.5, "CDNA4 ISA 12.11, V_SQRT_F32"},
    // No bound is printed for sine and cosine; OpenCL's native functions rest on them.
    Exactness{"amd_sin_f32", Exact::approximated, 0, 0.501, "CDNA4 ISA 12.11, V_SIN_F32: no bound printed"},
    Exactness{"amd_cos_f32", Exact::approximated, 0, 0.501, "CDNA4 ISA 12.11, V_COS_F32: no bound printed"},
    Exactness{"exp2_f16", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_EXP_F16"},
    Exactness{"log2_f16", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_LOG_F16"},
    Exactness{"rcp_f16", Exact::approximated, 1, 0.5, "CDNA4 ISA 12.11, V_RCP_F16"},
    Exactness{"rsq_f16", Exact::approximated, 1, 0.501, "CDNA4 ISA 12.11, V_RSQ_F16"},
    Exactness{"sqrt_f16", Exact::approximated, 1, 0.5, "CDNA4 ISA 12.11, V_SQRT_F16"},
    Exactness{"amd_sin_f16", Exact::approximated, 0, 0.501, "CDNA4 ISA 12.11, V_SIN_F16: no bound printed"},
    Exactness{"amd_cos_f16", Exact::approximated, 0, 0.501, "CDNA4 ISA 12.11, V_COS_F16: no bound printed"},
    // 2^29 ulp: a seed for Newton's iteration. Programs that use it without one see better results here.
    Exactness{"rcp_f64", Exact::approximated, 536870912, 0.5, "CDNA4 ISA 12.11, V_RCP_F64"},
    Exactness{"rsq_f64", Exact::approximated, 536870912, 0.501, "CDNA4 ISA 12.11, V_RSQ_F64"},
    Exactness{"sqrt_f64", Exact::approximated, 536870912, 0.5, "CDNA4 ISA 12.11, V_SQRT_F64"},
    // Exact: the hardware's results, whose distance from the true value is the bound (0: an absolute one, see
    // the PTX ISA).
    Exactness{"ptx_ex2_approx_f32", Exact::exact, 2, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_lg2_approx_f32", Exact::exact, 0, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_rcp_approx_f32", Exact::exact, 1, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_rsqrt_approx_f32", Exact::exact, 2, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_sqrt_approx_f32", Exact::exact, 1, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_sin_approx_f32", Exact::exact, 0, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_cos_approx_f32", Exact::exact, 0, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_div_approx_f32", Exact::exact, 2, 0, "measured on an H200, tests/nvidia"},
    Exactness{"ptx_tanh_approx_f32", Exact::approximated, 8192, 0.501,
              "PTX ISA 9.7.3, tanh: 2^-11 relative; 2^-16 on an H200 in [1/4, 4)"},
};

}  // namespace lockstep
