// The extended mathematics unit, and the macros for correctly rounded division and square root. Source:
// "Skylake PRM, volume 2a", math and madm. The unit's own tables are not published, but bounds of its error
// are: results here are the correctly rounded ones, within them.
#include <cmath>
#include <cstring>

#include "float/approx.h"
#include "float/round.h"
#include "isa/gen/compute.h"
#include "isa/gen/float_mode.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

using Wide = __float128;

template <auto F>
void lanes_f32(Work& work) {
  const f32 *a = work.a.as<f32>(), *b = work.b.as<f32>();
  for (u32 i = 0; i < work.lanes; ++i) work.out.as<f32>()[i] = F(a[i], b[i]);
}
// Halves by way of floats: rounded once more, within the unit's bound.
template <auto F>
void lanes_f16(Work& work) {
  const Half *a = work.a.as<Half>(), *b = work.b.as<Half>();
  for (u32 i = 0; i < work.lanes; ++i)
    work.out.as<Half>()[i] = {f32_to_f16(F(f16_to_f32(a[i].bits), f16_to_f32(b[i].bits)))};
}

constexpr f64 turns = 0x1.45f306dc9c883p-3;  // 1 / (2 pi)
constexpr auto inverse = [](f32 a, f32) { return rcp_f32(a); };
constexpr auto logarithm = [](f32 a, f32) { return log2_f32(a); };
constexpr auto exponential = [](f32 a, f32) { return exp2_f32(a); };
constexpr auto root = [](f32 a, f32) { return sqrt_f32(a); };
constexpr auto inverse_root = [](f32 a, f32) { return rsq_f32(a); };
constexpr auto quotient = [](f32 a, f32 b) { return div_f32(a, b); };
constexpr auto sine = [](f32 a, f32) {
  if (std::isnan(a) || std::isinf(a)) return float_detail::invalid_f32(a);
  return static_cast<f32>(float_detail::sin_turns_wide(static_cast<f64>(a) * turns));
};
constexpr auto cosine = [](f32 a, f32) {
  if (std::isnan(a) || std::isinf(a)) return float_detail::invalid_f32(a);
  return static_cast<f32>(float_detail::cos_turns_wide(static_cast<f64>(a) * turns));
};
// |a| to the power of b.
constexpr auto power = [](f32 a, f32 b) {
  return static_cast<f32>(std::pow(static_cast<f64>(std::fabs(a)), b));
};

template <auto F>
constexpr std::array<Compute, 7> both{nullptr,      nullptr,      nullptr, nullptr,
                                      lanes_f16<F>, lanes_f32<F>, nullptr};

constexpr Semantic approximated(std::string_view name, std::string_view bound) {
  Semantic made = value_semantic(name);
  made.bound = bound;
  return made;
}
constexpr Semantic inv = approximated("math.inv", "1 ulp (Skylake PRM, volume 2a, math)"),
                   log = approximated("math.log", "2^-21 absolute or 1 ulp (Skylake PRM, volume 2a, math)"),
                   exp = approximated("math.exp", "4 ulp (Skylake PRM, volume 2a, math)"),
                   sqt = approximated("math.sqt", "1 ulp (Skylake PRM, volume 2a, math)"),
                   rsqt = approximated("math.rsqt", "1 ulp (Skylake PRM, volume 2a, math)"),
                   sin = approximated("math.sin", "2^-10.1 absolute (Skylake PRM, volume 2a, math)"),
                   cos = approximated("math.cos", "2^-10.1 absolute (Skylake PRM, volume 2a, math)"),
                   pow = approximated("math.pow", "as log and exp (Skylake PRM, volume 2a, math)"),
                   fdiv = approximated("math.fdiv", "1 ulp (Skylake PRM, volume 2a, math)");

constexpr Cost slow = Cost::valu_transcendental;
constexpr ValueOperation operations[] = {
    {"math.inv", 1, Domain::floating, slow, &inv, both<inverse>},
    {"math.log", 1, Domain::floating, slow, &log, both<logarithm>},
    {"math.exp", 1, Domain::floating, slow, &exp, both<exponential>},
    {"math.sqt", 1, Domain::floating, slow, &sqt, both<root>},
    {"math.rsqt", 1, Domain::floating, slow, &rsqt, both<inverse_root>},
    {"math.sin", 1, Domain::floating, slow, &sin, both<sine>},
    {"math.cos", 1, Domain::floating, slow, &cos, both<cosine>},
    {"math.pow", 2, Domain::floating, slow, &pow, both<power>},
    {"math.fdiv", 2, Domain::floating, slow, &fdiv, both<quotient>},
};

// The value of a macro's operand, with the mantissa that its extended register has beside the general one.
Wide extended_value(const WaveState& wave, const Operation& operation, u32 source, const Lanes& plain,
                    u32 channel, bool wide) {
  const Source& from = operation.source[source];
  Wide value = wide ? Wide{plain.as<f64>()[channel]} : Wide{plain.as<f32>()[channel]};
  if (from.mantissa < 0) return value;
  const GenWave& own = gen(wave);
  const std::size_t at =
      static_cast<std::size_t>(from.mantissa) * most_channels + (operation.first + channel) % most_channels;
  if (at >= own.extended.size()) return value;
  value = own.extended[at];
  if (from.absolute && value < 0) value = -value;
  return from.negate ? -value : value;
}

struct Inputs {
  Work work;
  u32 active = 0;
  bool wide = false;
};

void gather(WaveState& wave, const Operation& operation, Inputs& inputs) {
  Lanes* to[] = {&inputs.work.a, &inputs.work.b, &inputs.work.c};
  for (u32 i = 0; i < operation.sources; ++i)
    operation.fetch[i](wave, operation.source[i], operation.lanes, *to[i]);
  inputs.work.lanes = operation.lanes;
  inputs.active = active_of(wave, operation);
  inputs.wide = operation.computes == Class::f64;
  std::memcpy(&inputs.work.control, bytes_of(wave) + file::control, 4);
}

void put(WaveState& wave, const Operation& operation, Inputs& inputs,
         const std::array<Wide, most_channels>& value) {
  GenWave& own = gen(wave);
  for (u32 i = 0; i < operation.lanes; ++i) {
    if (inputs.wide)
      inputs.work.out.as<f64>()[i] = static_cast<f64>(value[i]);
    else
      inputs.work.out.as<f32>()[i] = static_cast<f32>(value[i]);
  }
  if (operation.result.mantissa >= 0) {
    if (own.extended.empty()) own.extended.resize(std::size_t{8} * most_channels);
    for (u32 i = 0; i < operation.lanes; ++i) {
      if (((inputs.active >> i) & 1) == 0) continue;
      own.extended[static_cast<std::size_t>(operation.result.mantissa) * most_channels +
                   (operation.first + i) % most_channels] = value[i];
    }
  }
  operation.commit(wave, operation.result, operation.lanes, inputs.active, inputs.work.out,
                   inputs.work.control);
}

void set_flag(WaveState& wave, const Operation& operation, u32 active, u32 bits) {
  u64 flags;
  std::memcpy(&flags, bytes_of(wave) + file::flag, 8);
  const u64 mask = u64{active} << operation.condition_bit;
  flags = (flags & ~mask) | (u64{bits & active} << operation.condition_bit);
  std::memcpy(bytes_of(wave) + file::flag, &flags, 8);
}

// Whether the macro's steps give the quotient: otherwise the first step's result is the final one.
bool ordinary(f64 value, bool wide) {
  const f64 size = std::fabs(value);
  return wide ? size >= 0x1p-1022 && size <= 0x1.fffffffffffffp1023
              : size >= 0x1p-126 && size <= 0x1.fffffep127;
}

}  // namespace

const Semantic& power_meaning() {
  return pow;
}
const Semantic& division_meaning() {
  return fdiv;
}
std::span<const ValueOperation> math_operations() {
  return operations;
}

void run_macro_multiply_add(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  Inputs inputs;
  gather(wave, operation, inputs);
  std::array<Wide, most_channels> value;
  for (u32 i = 0; i < operation.lanes; ++i) {
    const Wide a = extended_value(wave, operation, 0, inputs.work.a, i, inputs.wide),
               b = extended_value(wave, operation, 1, inputs.work.b, i, inputs.wide),
               c = extended_value(wave, operation, 2, inputs.work.c, i, inputs.wide);
    value[i] = a + b * c;
  }
  put(wave, operation, inputs, value);
}

// The first step of a division: 1 / the divisor; where the steps that follow would not give the quotient, it
// is the quotient already, and the flag says so (early out).
void run_macro_inverse(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  Inputs inputs;
  gather(wave, operation, inputs);
  std::array<Wide, most_channels> value;
  u32 early = 0;
  for (u32 i = 0; i < operation.lanes; ++i) {
    const f64 a = inputs.wide ? inputs.work.a.as<f64>()[i] : inputs.work.a.as<f32>()[i],
              b = inputs.wide ? inputs.work.b.as<f64>()[i] : inputs.work.b.as<f32>()[i];
    const f64 quotient = inputs.wide ? div_f64(a, b) : f64{div_f32(static_cast<f32>(a), static_cast<f32>(b))};
    const bool out =
        !ordinary(a, inputs.wide) || !ordinary(b, inputs.wide) || !ordinary(quotient, inputs.wide);
    early |= u32{out} << i;
    value[i] = out ? Wide{quotient} : Wide{1} / Wide{b};
  }
  put(wave, operation, inputs, value);
  set_flag(wave, operation, inputs.active, early);
}

// The first step of a square root: 1 / the root, or the root.
void run_macro_root(WaveState& wave, const Instruction& in, StepContext&) {
  const Operation& operation = operation_of(wave, in);
  Inputs inputs;
  gather(wave, operation, inputs);
  std::array<Wide, most_channels> value;
  u32 early = 0;
  for (u32 i = 0; i < operation.lanes; ++i) {
    const f64 a = inputs.wide ? inputs.work.a.as<f64>()[i] : inputs.work.a.as<f32>()[i];
    const bool out = !ordinary(a, inputs.wide) || a < 0;
    early |= u32{out} << i;
    if (out) {
      value[i] = inputs.wide ? Wide{sqrt_f64(a)} : Wide{sqrt_f32(static_cast<f32>(a))};
    } else {
      // One of Newton's steps makes it as precise as a quotient is.
      Wide guess = Wide{1.0 / std::sqrt(a)};
      for (int step = 0; step < 2; ++step) guess = guess + guess * (Wide{1} - Wide{a} * guess * guess) / 2;
      value[i] = guess;
    }
  }
  put(wave, operation, inputs, value);
  set_flag(wave, operation, inputs.active, early);
}

}  // namespace lockstep::gen
