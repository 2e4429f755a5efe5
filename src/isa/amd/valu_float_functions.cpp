// f32 functions of the vector ALU: reciprocals, roots, exponentials, sines, and the helpers of division.
// Source: "Vega Instruction Set Architecture", 12.8 and 12.11.
#include "float/amd.h"
#include "float/amd_div.h"
#include "float/approx.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/valu_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

constexpr std::string_view one_ulp = "1 ulp (Vega ISA 12.8)";

struct RcpF32 {
  static constexpr std::string_view name = "rcp_f32", bound = one_ulp;
  static f32 apply(f32 a) { return amd_rcp_f32(a); }
};
struct RsqF32 {
  static constexpr std::string_view name = "rsq_f32", bound = one_ulp;
  static f32 apply(f32 a) { return amd_rsq_f32(a); }
};
struct SqrtF32 {
  static constexpr std::string_view name = "sqrt_f32", bound = one_ulp;
  static f32 apply(f32 a) { return amd_sqrt_f32(a); }
};
struct ExpF32 {
  static constexpr std::string_view name = "exp_f32", bound = one_ulp;
  static f32 apply(f32 a) { return amd_exp_f32(a); }
};
struct LogF32 {
  static constexpr std::string_view name = "log_f32", bound = one_ulp;
  static f32 apply(f32 a) { return amd_log_f32(a); }
};

// Variants of gfx6 and gfx7.
template <class Function, bool legacy>
struct FiniteF32 {
  static constexpr std::string_view name = legacy ? "legacy function f32" : "clamped function f32";
  static constexpr std::string_view bound = one_ulp;
  static f32 apply(f32 a) { return as_f32(without_infinity<Single>(as_u32(Function::apply(a)), legacy)); }
};

// Only CDNA 3 and RDNA reduce the argument themselves.
template <bool full_range>
struct SinF32 {
  static constexpr std::string_view name = "sin_f32",
                                    bound = "2^-20 absolute within the range (Vega ISA 12.8)";
  static f32 apply(f32 a) { return amd_sin_f32(a, full_range); }
};
template <bool full_range>
struct CosF32 {
  static constexpr std::string_view name = "cos_f32",
                                    bound = "2^-20 absolute within the range (Vega ISA 12.8)";
  static f32 apply(f32 a) { return amd_cos_f32(a, full_range); }
};

struct DivScaleF32 {
  static constexpr std::string_view name = "div_scale_f32";
  static WithMask<f32> apply(f32 a, f32 b, f32 c) {
    const DivScale<u32> r = div_scale<Single>(as_u32(a), as_u32(b), as_u32(c));
    return {as_f32(r.value), r.post_scale};
  }
};

struct DivFmasF32 {
  static constexpr std::string_view name = "div_fmas_f32";
  static f32 apply(f32 a, f32 b, f32 c, bool post_scale) {
    return as_f32(div_fmas<Single>(as_u32(a), as_u32(b), as_u32(c), post_scale));
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, bool post_scale, u32 mode) {
    const FloatMode m = single_mode(mode);
    a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
    return flush_out(as_f32(div_fmas<Single>(as_u32(a), as_u32(b), as_u32(c), post_scale, m.round)), m);
  }
};

struct DivFixupF32 {
  static constexpr std::string_view name = "div_fixup_f32";
  static f32 apply(f32 a, f32 b, f32 c) { return as_f32(div_fixup<Single>(as_u32(a), as_u32(b), as_u32(c))); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    const FloatMode m = single_mode(mode);
    a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
    return flush_out(as_f32(div_fixup<Single>(as_u32(a), as_u32(b), as_u32(c), m.round)), m);
  }
};

}  // namespace

std::span<const Row> valu_float_function_rows() {
  constexpr u32 reduces = gfx940 | rdna;
  constexpr Cost slow = Cost::valu_transcendental;
  static constexpr Row rows[] = {
      {"v_rcp_f32", &semantic<RcpF32>, slow},
      // Differs in the exception that it raises alone.
      {"v_rcp_iflag_f32", &semantic<RcpF32>, slow},
      {"v_rsq_f32", &semantic<RsqF32>, slow},
      {"v_sqrt_f32", &semantic<SqrtF32>, slow},
      {"v_exp_f32", &semantic<ExpF32>, slow},
      {"v_log_f32", &semantic<LogF32>, slow},
      {"v_rcp_clamp_f32", &semantic<FiniteF32<RcpF32, false>>, slow, gfx6 | gfx7},
      {"v_rcp_legacy_f32", &semantic<FiniteF32<RcpF32, true>>, slow, gfx6 | gfx7},
      {"v_rsq_clamp_f32", &semantic<FiniteF32<RsqF32, false>>, slow, gfx6 | gfx7},
      {"v_rsq_legacy_f32", &semantic<FiniteF32<RsqF32, true>>, slow, gfx6 | gfx7},
      {"v_log_clamp_f32", &semantic<FiniteF32<LogF32, false>>, slow, gfx6 | gfx7},
      {"v_exp_legacy_f32", &semantic<ExpF32>, slow, gfx7 | gfx8to9},
      {"v_log_legacy_f32", &semantic<LogF32>, slow, gfx7 | gfx8to9},
      {"v_sin_f32", &semantic<SinF32<false>>, slow, every & ~reduces},
      {"v_sin_f32", &semantic<SinF32<true>>, slow, reduces},
      {"v_cos_f32", &semantic<CosF32<false>>, slow, every & ~reduces},
      {"v_cos_f32", &semantic<CosF32<true>>, slow, reduces},
      {"v_div_scale_f32", &semantic<DivScaleF32>, Cost::valu_full},
      {"v_div_fmas_f32", &semantic<DivFmasF32>, Cost::valu_full, every, implicit_vcc_source},
      {"v_div_fixup_f32", &semantic<DivFixupF32>, Cost::valu_full},
      {"v_s_rcp_f32", &semantic<OnScalar<RcpF32>>, slow, gfx12, scalar_result},
      {"v_s_rsq_f32", &semantic<OnScalar<RsqF32>>, slow, gfx12, scalar_result},
      {"v_s_sqrt_f32", &semantic<OnScalar<SqrtF32>>, slow, gfx12, scalar_result},
      {"v_s_exp_f32", &semantic<OnScalar<ExpF32>>, slow, gfx12, scalar_result},
      {"v_s_log_f32", &semantic<OnScalar<LogF32>>, slow, gfx12, scalar_result},
  };
  return rows;
}

}  // namespace lockstep::amd
