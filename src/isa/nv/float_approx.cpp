// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.3: the .approx instructions. Those without a
// bound here give an H200's results to the bit (float/mufu.h, tests/nvidia).
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

template <bool Ftz>
struct Ex2 {
  static constexpr std::string_view name = Ftz ? "ex2.approx.ftz.f32" : "ex2.approx.f32";
  static f32 apply(f32 a) { return ptx_ex2_approx_f32(a, Ftz); }
};
template <bool Ftz>
struct Lg2 {
  static constexpr std::string_view name = Ftz ? "lg2.approx.ftz.f32" : "lg2.approx.f32";
  static f32 apply(f32 a) { return ptx_lg2_approx_f32(a, Ftz); }
};
template <bool Ftz>
struct Rcp {
  static constexpr std::string_view name = Ftz ? "rcp.approx.ftz.f32" : "rcp.approx.f32";
  static f32 apply(f32 a) { return ptx_rcp_approx_f32(a, Ftz); }
};
template <bool Ftz>
struct Rsqrt {
  static constexpr std::string_view name = Ftz ? "rsqrt.approx.ftz.f32" : "rsqrt.approx.f32";
  static f32 apply(f32 a) { return ptx_rsqrt_approx_f32(a, Ftz); }
};
template <bool Ftz>
struct Sqrt {
  static constexpr std::string_view name = Ftz ? "sqrt.approx.ftz.f32" : "sqrt.approx.f32";
  static f32 apply(f32 a) { return ptx_sqrt_approx_f32(a, Ftz); }
};
template <bool Ftz>
struct Sin {
  static constexpr std::string_view name = Ftz ? "sin.approx.ftz.f32" : "sin.approx.f32";
  static f32 apply(f32 a) { return ptx_sin_approx_f32(a); }
};
template <bool Ftz>
struct Cos {
  static constexpr std::string_view name = Ftz ? "cos.approx.ftz.f32" : "cos.approx.f32";
  static f32 apply(f32 a) { return ptx_cos_approx_f32(a); }
};
struct Tanh {
  static constexpr std::string_view name = "tanh.approx.f32";
  static constexpr std::string_view bound =
      "2^-16 relative between 1/4 and 4 on an H200; 2^-11 (PTX ISA 8.5, tanh)";
  static f32 apply(f32 a) { return ptx_tanh_approx_f32(a); }
};
struct TanhF16 {
  static constexpr std::string_view name = "tanh.approx.f16";
  static constexpr std::string_view bound =
      "1 ulp on an H200, all arguments; 2^-10.987 absolute (PTX ISA 8.5, tanh)";
  static F16 apply(F16 a) { return {ptx_tanh_approx_f16(a.bits)}; }
};
struct TanhF16x2 {
  static constexpr std::string_view name = "tanh.approx.f16x2";
  static constexpr std::string_view bound =
      "1 ulp on an H200, all arguments; 2^-10.987 absolute (PTX ISA 8.5, tanh)";
  static u32 apply(u32 a) {
    return ptx_tanh_approx_f16(static_cast<u16>(a)) | u32{ptx_tanh_approx_f16(static_cast<u16>(a >> 16))}
                                                          << 16;
  }
};
struct Ex2F16 {
  static constexpr std::string_view name = "ex2.approx.f16";
  static constexpr std::string_view bound =
      "1 ulp on an H200, all arguments; 2^-9.9 relative (PTX ISA 8.5, ex2)";
  static F16 apply(F16 a) { return {ptx_ex2_approx_f16(a.bits)}; }
};
struct Ex2F16x2 {
  static constexpr std::string_view name = "ex2.approx.f16x2";
  static constexpr std::string_view bound =
      "1 ulp on an H200, all arguments; 2^-9.9 relative (PTX ISA 8.5, ex2)";
  static u32 apply(u32 a) {
    return ptx_ex2_approx_f16(static_cast<u16>(a)) | u32{ptx_ex2_approx_f16(static_cast<u16>(a >> 16))} << 16;
  }
};
// bf16 by way of f32, rounded once more.
struct TanhBf16 {
  static constexpr std::string_view name = "tanh.approx.bf16";
  static constexpr std::string_view bound = "2^-8 absolute (PTX ISA 8.5, tanh)";
  static u16 one(u16 x) { return f32_to_bf16(canonical_nan_f32(ptx_tanh_approx_f32(bf16_to_f32(x)))); }
  static Bf16 apply(Bf16 a) { return {one(a.bits)}; }
};
struct Ex2Bf16 {
  static constexpr std::string_view name = "ex2.approx.ftz.bf16";
  static constexpr std::string_view bound = "2^-7 relative (PTX ISA 8.5, ex2)";
  static u16 one(u16 x) { return f32_to_bf16(canonical_nan_f32(ptx_ex2_approx_f32(bf16_to_f32(x), true))); }
  static Bf16 apply(Bf16 a) { return {one(a.bits)}; }
};
template <class S>
struct Both {
  static constexpr std::string_view name = S::name;
  static constexpr std::string_view bound = S::bound;
  static u32 apply(u32 a) {
    return S::one(static_cast<u16>(a)) | u32{S::one(static_cast<u16>(a >> 16))} << 16;
  }
};
template <bool Ftz>
struct Div {
  static constexpr std::string_view name = Ftz ? "div.approx.ftz.f32" : "div.approx.f32";
  static f32 apply(f32 a, f32 b) { return ptx_div_approx_f32(a, b, Ftz, false); }
};
template <bool Ftz>
struct DivFull {
  static constexpr std::string_view name = Ftz ? "div.full.ftz.f32" : "div.full.f32";
  static f32 apply(f32 a, f32 b) { return ptx_div_approx_f32(a, b, Ftz, true); }
};
struct RcpF64 {
  static constexpr std::string_view name = "rcp.approx.ftz.f64";
  static f64 apply(f64 a) { return as_f64(mufu::reciprocal_64_of(as_u64(a))); }
};
struct RsqrtF64 {
  static constexpr std::string_view name = "rsqrt.approx.ftz.f64";
  static f64 apply(f64 a) { return as_f64(mufu::reciprocal_root_64_of(as_u64(a))); }
};
struct RsqrtF64Full {
  static constexpr std::string_view name = "rsqrt.approx.f64";
  static constexpr std::string_view bound = "2 ulp (rsqrt.approx.f64 is emulated)";
  static f64 apply(f64 a) { return rsq_f64(a); }
};

template <template <bool> class S>
void add_both(Opcodes& o, const std::string& name) {
  o.add(name + ".f32", semantic32<S<false>>, Cost::valu_transcendental);
  o.add(name + ".ftz.f32", semantic32<S<true>>, Cost::valu_transcendental);
}

}  // namespace

void add_float_approximations(Opcodes& o) {
  add_both<Ex2>(o, "ex2.approx");
  add_both<Lg2>(o, "lg2.approx");
  add_both<Rcp>(o, "rcp.approx");
  add_both<Rsqrt>(o, "rsqrt.approx");
  add_both<Sqrt>(o, "sqrt.approx");
  add_both<Sin>(o, "sin.approx");
  add_both<Cos>(o, "cos.approx");
  add_both<Div>(o, "div.approx");
  add_both<DivFull>(o, "div.full");
  constexpr Cost cost = Cost::valu_transcendental;
  o.add("tanh.approx.f32", semantic32<Tanh>, cost);
  o.add("tanh.approx.f16", semantic32<TanhF16>, cost);
  o.add("tanh.approx.f16x2", semantic32<TanhF16x2>, cost);
  o.add("ex2.approx.f16", semantic32<Ex2F16>, cost);
  o.add("tanh.approx.bf16", semantic32<TanhBf16>, cost);
  o.add("tanh.approx.bf16x2", semantic32<Both<TanhBf16>>, cost);
  o.add("ex2.approx.ftz.bf16", semantic32<Ex2Bf16>, cost);
  o.add("ex2.approx.ftz.bf16x2", semantic32<Both<Ex2Bf16>>, cost);
  o.add("ex2.approx.f16x2", semantic32<Ex2F16x2>, cost);
  o.add("rcp.approx.ftz.f64", semantic32<RcpF64>, cost);
  o.add("rsqrt.approx.ftz.f64", semantic32<RsqrtF64>, cost);
  o.add("rsqrt.approx.f64", semantic32<RsqrtF64Full>, Cost::valu_f64_transcendental);
}

}  // namespace lockstep::nv
