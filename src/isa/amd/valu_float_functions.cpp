// f32 functions of the vector ALU: reciprocals, roots, exponentials, sines, and the helpers of division.
// Source: "Vega Instruction Set Architecture", 12.8 and 12.11.
#include "isa/amd/float_functions.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/valu_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

// What differs from v_rcp_f32 are the exceptions that it raises.
struct ReciprocalForIntegers : FloatRcp<f32> {
  static constexpr std::string_view name = "rcp_iflag_f32";
  static constexpr Division division = Division::begins;
};

}  // namespace

std::span<const Row> valu_float_function_rows() {
  constexpr u32 reduces = gfx940 | rdna;
  constexpr Cost slow = Cost::valu_transcendental;
  static constexpr Row rows[] = {
      {"v_rcp_f32", &semantic<FloatRcp<f32>>, slow},
      // Differs in the exception that it raises alone.
      {"v_rcp_iflag_f32", &semantic<ReciprocalForIntegers>, slow},
      {"v_rsq_f32", &semantic<FloatRsq<f32>>, slow},
      {"v_sqrt_f32", &semantic<FloatSqrt<f32>>, slow},
      {"v_exp_f32", &semantic<FloatExp<f32>>, slow},
      {"v_log_f32", &semantic<FloatLog<f32>>, slow},
      {"v_rcp_clamp_f32", &semantic<FloatFinite<FloatRcp<f32>, f32, false>>, slow, gfx6 | gfx7},
      {"v_rcp_legacy_f32", &semantic<FloatFinite<FloatRcp<f32>, f32, true>>, slow, gfx6 | gfx7},
      {"v_rsq_clamp_f32", &semantic<FloatFinite<FloatRsq<f32>, f32, false>>, slow, gfx6 | gfx7},
      {"v_rsq_legacy_f32", &semantic<FloatFinite<FloatRsq<f32>, f32, true>>, slow, gfx6 | gfx7},
      {"v_log_clamp_f32", &semantic<FloatFinite<FloatLog<f32>, f32, false>>, slow, gfx6 | gfx7},
      {"v_exp_legacy_f32", &semantic<FloatExp<f32>>, slow, gfx7 | gfx8to9},
      {"v_log_legacy_f32", &semantic<FloatLog<f32>>, slow, gfx7 | gfx8to9},
      {"v_sin_f32", &semantic<FloatSin<f32, false>>, slow, every & ~reduces},
      {"v_sin_f32", &semantic<FloatSin<f32, true>>, slow, reduces},
      {"v_cos_f32", &semantic<FloatCos<f32, false>>, slow, every & ~reduces},
      {"v_cos_f32", &semantic<FloatCos<f32, true>>, slow, reduces},
      {"v_div_scale_f32", &semantic<FloatDivScale<f32>>, Cost::valu_division},
      {"v_div_fmas_f32", &semantic<FloatDivFmas<f32>>, Cost::valu_division, every, implicit_vcc_source},
      {"v_div_fixup_f32", &semantic<FloatDivFixup<f32>>, Cost::valu_division},
      {"v_s_rcp_f32", &semantic<OnScalar<FloatRcp<f32>>>, slow, gfx12, scalar_result},
      {"v_s_rsq_f32", &semantic<OnScalar<FloatRsq<f32>>>, slow, gfx12, scalar_result},
      {"v_s_sqrt_f32", &semantic<OnScalar<FloatSqrt<f32>>>, slow, gfx12, scalar_result},
      {"v_s_exp_f32", &semantic<OnScalar<FloatExp<f32>>>, slow, gfx12, scalar_result},
      {"v_s_log_f32", &semantic<OnScalar<FloatLog<f32>>>, slow, gfx12, scalar_result},
  };
  return rows;
}

}  // namespace lockstep::amd
