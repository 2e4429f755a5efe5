// Float operations of the scalar unit (gfx12): the lanewise meaning on wave-wide values. Also v_s_*, the
// vector unit's functions with scalar operands. Source: "RDNA 4 Instruction Set Architecture", chapters SOP1,
// SOP2, SOPC, VOP3.
#pragma once
#include <tuple>

#include "isa/shapes.h"

namespace lockstep::amd {

template <class S>
struct OnScalar {
  using Apply = Signature<decltype(&S::apply)>;
  using Result = typename Apply::Result;

  static constexpr std::string_view name = S::name;
  static constexpr Shape shape = Shape::scalar;
  static constexpr u16 implied = std::is_same_v<Result, bool> ? implies::writes_condition : 0;
  static constexpr Flow flow = semantic<S>.flow;
  static constexpr Relation relation = semantic<S>.relation;
  static constexpr u8 sources = static_cast<u8>(Apply::arity);
  static constexpr std::array<Kind, 4> source_kinds = Apply::kinds();
  static constexpr Kind result = std::is_same_v<Result, bool> ? Kind::none : LaneType<Result>::kind;

  // Sign and magnitude modifiers of v_s_*.
  template <class A>
  static A source(const WaveState& wave, const Operand& operand) {
    u32 raw = scalar_value32(wave, operand);
    if constexpr (is_float(LaneType<A>::kind)) {
      const u32 sign = LaneType<A>::kind == Kind::f16 ? 0x8000u : 0x80000000u;
      if (operand.modifiers & Operand::absolute) raw &= ~sign;
      if (operand.modifiers & Operand::negate) raw ^= sign;
    }
    return LaneType<A>::from(raw);
  }

  template <class R, class... A, std::size_t... I>
  static R compute(const WaveState& wave, const Instruction& in, R (*)(A...), std::index_sequence<I...>) {
    const std::tuple<A...> values{source<A>(wave, in.operand[1 + I])...};
    if constexpr (requires(A... a) { S::apply_mode(a..., u32{}); }) {
      const u32 mode = shapes::mode_of(wave);
      if (mode != shapes::default_mode)
        return std::apply([mode](A... a) { return S::apply_mode(a..., mode); }, values);
    }
    return std::apply([](A... a) { return S::apply(a...); }, values);
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    constexpr auto signature = static_cast<decltype(&S::apply)>(nullptr);
    const Result value = compute(wave, in, signature, std::make_index_sequence<Apply::arity>());
    if constexpr (std::is_same_v<Result, bool>) {
      wave.scc = value;
    } else {
      lockstep::Row<u32> out;
      out.lane[0] = LaneType<Result>::to(value);
      if (in.amd.output_scale != 0 || (in.flags & Instruction::clamp) != 0) {
        for (u32 lane = 1; lane < wave.lanes; ++lane) out.lane[lane] = 0;
        scale_and_clamp(wave, in, LaneType<Result>::kind, out.data());
      }
      wave.write_scalar(in.operand[0].index, out.lane[0]);
    }
  }
};

}  // namespace lockstep::amd
