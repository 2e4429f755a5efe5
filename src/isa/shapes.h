// Shapes: how a scalar function becomes an instruction. A semantic is a struct with a `name` and a function:
//
//   struct AddU32 { static constexpr std::string_view name = "add_u32";
//                   static u32 apply(u32 a, u32 b) { return a + b; } };
//
// and `semantic<AddU32>` is its descriptor. The types of `apply` choose operand widths and constants'
// meaning; the shape owns lanes, masks, modifiers, wave width. What a struct may add:
//   shape            Shape::scalar or Shape::packed; lanewise otherwise; Shape::control, memory and the
//   others
//                    with step
//   flow             how definedness flows (isa/flow.h); Flow::any otherwise, Flow::own with step. Beside it
//                    role, relation, cancels, condition_is_nonzero, extend_bits and extend_signed, reach,
//                    division, memory_data: as Semantic has them
//   bound            the error bound of an approximation; exact otherwise
//   apply_mode       apply with a last argument `u32 mode` (WaveState::mode): used when rounding or denormals
//                    differ from IEEE's default; bit 9 of it is ieee_mode, where asks_ieee_mode is true
//                    (otherwise it is set, whatever the wave's mode says)
//   quick            apply as the host's own operation, for rows whose results hold no NaN (with one, the row
//                    is computed again by apply); on f16 it takes and gives f32, rounded once more
//                    afterwards. Where denormals are flushed, it serves the rows that meet none
//   quick_step       a value between that is flushed as well
//   always_flushes   true: whatever the mode says of denormals
//   gives_first      whether apply gives its first argument and no mask, for rows in which all lanes do
//   keeps_first_nan  true: where its first argument is a quiet NaN, that is the result, in every mode
//   apply_clamp      apply for integer results with the clamp modifier
//   combining        of atomics: how far their order shows (isa/semantic.h)
//   step<W>          the whole instruction, for shapes that are not a function of lanes
//   implied          with step(): registers beside the operands, bits of implies:: in isa/semantic.h;
//   reads_exec
//                    where it is left out, nothing where the shape is control
#pragma once
#include <algorithm>
#include <tuple>
#include <utility>

#include "isa/half_rows.h"
#include "isa/operands.h"

namespace lockstep {
namespace shapes {

template <class S>
concept HasMode = requires { &S::apply_mode; };
template <class S>
concept HasClamp = requires { &S::apply_clamp; };
template <class S>
concept HasQuick = requires { &S::quick; };
template <class S>
concept HasFirst = requires { &S::gives_first; };
template <class S>
concept HasStep =
    requires(WaveState& w, const Instruction& i, StepContext& c) { S::template step<64>(w, i, c); };

// Where a source's lanes are: the register row itself, or `room`, filled.
template <class A>
using Room = Row<typename LaneType<A>::Raw>;

template <class A, int W>
inline const typename LaneType<A>::Raw* fetch(const WaveState& wave, const Instruction& in,
                                              const Operand& operand, Room<A>& room) {
  if constexpr (std::is_same_v<A, bool>) {
    return fetch_mask<W>(wave, operand, room);
  } else if constexpr (sizeof(typename LaneType<A>::Raw) == 8) {
    return fetch64<W>(wave, in, operand, LaneType<A>::kind, room);
  } else {
    return fetch32<W>(wave, in, operand, LaneType<A>::kind, room);
  }
}

// Output scale and clamp of floats, then the commit of a result row.
template <int W, class T>
inline void finish(WaveState& wave, const Instruction& in, typename LaneType<T>::Raw* out) {
  constexpr Kind kind = LaneType<T>::kind;
  if constexpr (is_float(kind)) {
    if ((in.flags & Instruction::clamp) || in.amd.output_scale != 0) [[unlikely]] {
      if constexpr (kind == Kind::f64) {
        scale_and_clamp(wave, in, out);
      } else {
        scale_and_clamp(wave, in, kind, out);
      }
    }
  }
  if constexpr (sizeof(typename LaneType<T>::Raw) == 8) {
    commit64<W>(wave, in, in.operand[0], out);
  } else {
    commit32<W>(wave, in, in.operand[0], out);
  }
}

// Runs `function` on every lane and writes the result row, result mask, or both.
template <int W, class R, class... A, class F>
inline void lanes(WaveState& wave, const Instruction& in, F function, R (*)(A...)) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::tuple<Room<A>...> room;
    const std::tuple<const typename LaneType<A>::Raw*...> row{
        fetch<A, W>(wave, in, in.operand[1 + I], std::get<I>(room))...};
    const auto at = [&](int i) { return function(LaneType<A>::from(std::get<I>(row)[i])...); };
    if constexpr (std::is_same_v<R, bool>) {
      Row<u32> flags;
      for (int i = 0; i < W; ++i) flags.lane[i] = at(i) ? ~0u : 0;
      commit_flags<W>(wave, in, in.operand[0], flags);
    } else {
      using Type = ResultType<R>;
      using Lane = LaneType<typename Type::Value>;
      Row<typename Lane::Raw> out;
      if constexpr (Type::with_mask) {
        Row<u32> flags;
        if constexpr (is_float(Type::kind)) {
          for (int i = 0; i < W; ++i) {
            const R result = at(i);
            out.lane[i] = Lane::to(result.value);
            flags.lane[i] = result.mask ? ~0u : 0;
          }
        } else {
          // One row after the other: of both in one loop, through a struct, GCC makes no vectors.
          for (int i = 0; i < W; ++i) out.lane[i] = Lane::to(at(i).value);
          for (int i = 0; i < W; ++i) flags.lane[i] = at(i).mask ? ~0u : 0;
        }
        finish<W, typename Type::Value>(wave, in, out.data());
        commit_flags<W>(wave, in, in.operand[4], flags);
      } else {
        for (int i = 0; i < W; ++i) out.lane[i] = Lane::to(at(i));
        finish<W, typename Type::Value>(wave, in, out.data());
      }
    }
  }(std::index_sequence_for<A...>{});
}

// What apply_mode gets: WaveState::mode's rounding and denormal fields, and in bit 9 (AMD's own place for it)
// whether signalling NaNs are quieted as IEEE 754 asks.
inline constexpr u32 ieee_bit = 1 << 9;
inline constexpr u32 default_mode = WaveState::ieee_mode_bits | ieee_bit;
inline u32 mode_of(const WaveState& wave) {
  return (wave.mode & 0xFF) | (wave.ieee_mode ? ieee_bit : 0);
}

// Whether a meaning asks for the fields of f32: those whose floats are all of other kinds do not.
template <class S>
inline constexpr bool asks_single = [] {
  using Apply = Signature<decltype(&S::apply)>;
  constexpr Kind result = ResultType<typename Apply::Result>::kind;
  constexpr auto has = []<Kind K> { return result == K || Apply::template takes<K>; };
  return has.template operator()<Kind::f32>() ||
         !(has.template operator()<Kind::f16>() || has.template operator()<Kind::f64>());
}();

// The mode as far as a meaning asks for it: most ask for rounding and denormals of their own kinds alone, and
// one mode's compiled rows serve all that differ in the rest (R600's programs run without ieee_mode, those of
// GCN 1 to 3 flush f32 alone).
template <class S>
inline u32 mode_for(const WaveState& wave) {
  constexpr u32 single_bits = 0x33;
  u32 mode = mode_of(wave);
  if constexpr (!requires { requires S::asks_ieee_mode; }) mode |= ieee_bit;
  if constexpr (!asks_single<S>) mode = (mode & ~single_bits) | (default_mode & single_bits);
  return mode;
}

// What AMD's compilers ask for up to gfx8: f32 denormals flushed, those of f16 and f64 kept. Compiled as a
// constant, because no other mode than the default is so common.
inline constexpr u32 flushing_mode = 0xC0 | ieee_bit;

// Whether quick may compute results of this kind in a mode, and for which rows.
enum class QuickWay : u8 { every_row, rows_without_denormals, none };
template <class S>
inline QuickWay quick_way(Kind kind, u32 mode) {
  const u32 half_or_wide = kind == Kind::f32 ? 0 : 2;
  if (((mode >> half_or_wide) & 3) != 0) return QuickWay::none;
  if constexpr (requires { requires S::always_flushes; }) return QuickWay::rows_without_denormals;
  const u32 denormals = (mode >> (4 + half_or_wide)) & 3;
  if (denormals == 3) return QuickWay::every_row;
  return denormals == 0 && kind == Kind::f32 ? QuickWay::rows_without_denormals : QuickWay::none;
}

// The magnitude of an f32 less one: below that of the smallest normal number for denormals alone.
inline u32 denormal_measure(u32 bits) {
  return (bits & Single::magnitude_mask) - 1;
}

// Computes W lanes by quick; false if a result is a NaN or, where the row may not have any, something is a
// denormal. Float rows are read and written as their bits.
template <class S, int W, bool no_denormals = false, class R, class Out, class... A, class... Raw>
inline bool quick_row(Out* out, R (*)(A...), const Raw*... row) {
  Out bad = 0, least = ~Out{0};
  for (int i = 0; i < W; ++i) {
    const R result = S::quick(LaneType<A>::from(row[i])...);
    out[i] = LaneType<R>::to(result);
    bad |= result != result ? 1 : 0;
    if constexpr (no_denormals) {
      ((least = std::min(least, denormal_measure(row[i]))), ...);
      least = std::min(least, denormal_measure(out[i]));
      if constexpr (requires { &S::quick_step; }) {
        const R step = S::quick_step(LaneType<A>::from(row[i])...);
        least = std::min(least, denormal_measure(LaneType<R>::to(step)));
      }
    }
  }
  return bad == 0 && (!no_denormals || least >= Single::smallest_normal - 1);
}

template <class S, int W, bool no_denormals, class R, class... A>
inline bool quick_lanes(WaveState& wave, const Instruction& in, R (*)(A...)) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto signature = static_cast<decltype(&S::quick)>(nullptr);
    std::tuple<Room<A>...> room;
    const std::tuple<const typename LaneType<A>::Raw*...> row{
        fetch<A, W>(wave, in, in.operand[1 + I], std::get<I>(room))...};
    Row<typename LaneType<R>::Raw> out;
    if constexpr (std::is_same_v<R, F16>) {
      Row<u32> wide[sizeof...(A)], result;
      (widen_half_row<W>(std::get<I>(row), 0, wide[I].data()), ...);
      if (!quick_row<S, W>(result.data(), signature, wide[I].data()...)) return false;
      narrow_half_row<W>(result.data(), out.data());
    } else {
      if (!quick_row<S, W, no_denormals>(out.data(), signature, std::get<I>(row)...)) return false;
    }
    finish<W, R>(wave, in, out.data());
    return true;
  }(std::index_sequence_for<A...>{});
}

// Where all lanes' first arguments are quiet NaNs, and these are the results. Not by gives_first: that reads
// the other arguments' rows as well, which made `arithmetic` on HD 5870 and MI25 2 % slower.
template <int W>
inline bool run_first_nans(WaveState& wave, const Instruction& in) {
  Row<u32> room;
  const u32* const row = fetch<f32, W>(wave, in, in.operand[1], room);
  u32 least = ~0u;
  for (int i = 0; i < W; ++i) least = std::min(least, row[i] & Single::magnitude_mask);
  if (least < (Single::infinity | Single::quiet_bit)) return false;
  Row<u32> out;
  std::copy_n(row, W, out.data());
  finish<W, f32>(wave, in, out.data());
  return true;
}

template <class S, int W, class R, class... A>
inline bool run_quick(WaveState& wave, const Instruction& in, R (*signature)(A...)) {
  // Who computes with NaNs goes on doing so: then it costs the row twice, in vain.
  if (wave.quick_skips != 0) [[unlikely]] {
    if constexpr (requires { requires S::keeps_first_nan; } && std::is_same_v<R, f32>) {
      if (run_first_nans<W>(wave, in)) return true;
    }
    --wave.quick_skips;
    return false;
  }
  constexpr Kind kind = LaneType<R>::kind;
  const QuickWay way = quick_way<S>(kind, wave.mode);
  const auto noted = [&](bool good) {
    constexpr u8 most = 63;
    if (good) [[likely]] {
      if (wave.quick_failures != 0) wave.quick_failures = 0;
    } else {
      wave.quick_skips = wave.quick_failures;
      wave.quick_failures = std::min<u8>(most, static_cast<u8>(2 * wave.quick_failures + 1));
    }
    return good;
  };
  if constexpr (!requires { requires S::always_flushes; }) {
    if (way == QuickWay::every_row) [[likely]]
      return noted(quick_lanes<S, W, false>(wave, in, signature));
  }
  if constexpr (kind == Kind::f32) {
    if (way == QuickWay::rows_without_denormals) return noted(quick_lanes<S, W, true>(wave, in, signature));
  }
  return false;
}

template <class S, int W, class R, class... A>
inline bool run_first(WaveState& wave, const Instruction& in, R (*)(A...)) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using T = typename ResultType<R>::Value;
    std::tuple<Room<A>...> room;
    const std::tuple<const typename LaneType<A>::Raw*...> row{
        fetch<A, W>(wave, in, in.operand[1 + I], std::get<I>(room))...};
    u32 all = 1;
    for (int i = 0; i < W; ++i) all &= S::gives_first(LaneType<A>::from(std::get<I>(row)[i])...);
    if (all == 0) return false;
    Row<typename LaneType<T>::Raw> out;
    std::copy_n(std::get<0>(row), W, out.data());
    finish<W, T>(wave, in, out.data());
    Row<u32> flags;
    flags.lane.fill(0);
    commit_flags<W>(wave, in, in.operand[4], flags);
    return true;
  }(std::index_sequence_for<A...>{});
}

// Rounding and denormals that are neither of the two common ones, and clamped integers: seldom enough that
// the host's compiler need not make them fast, which was a good part of its time.
template <class S, int W>
[[gnu::cold, gnu::noinline]] void lanes_by_mode(WaveState& wave, const Instruction& in, u32 mode) {
  lanes<W>(
      wave, in, [mode](auto... a) { return S::apply_mode(a..., mode); },
      static_cast<decltype(&S::apply)>(nullptr));
}
template <class S, int W>
[[gnu::cold, gnu::noinline]] void lanes_clamped(WaveState& wave, const Instruction& in) {
  lanes<W>(
      wave, in, [](auto... a) { return S::apply_clamp(a...); }, static_cast<decltype(&S::apply)>(nullptr));
}

template <class S, int W>
void run_lanewise(WaveState& wave, const Instruction& in, StepContext&) {
  constexpr auto signature = static_cast<decltype(&S::apply)>(nullptr);
  if constexpr (HasQuick<S>) {
    if (run_quick<S, W>(wave, in, signature)) return;
  }
  if constexpr (HasFirst<S>) {
    if (run_first<S, W>(wave, in, signature)) return;
  }
  if constexpr (HasMode<S>) {
    const u32 mode = mode_for<S>(wave);
    if constexpr (asks_single<S>) {
      if (mode == flushing_mode) {
        lanes<W>(wave, in, [](auto... a) { return S::apply_mode(a..., flushing_mode); }, signature);
        return;
      }
    }
    if (mode != default_mode) [[unlikely]]
      return lanes_by_mode<S, W>(wave, in, mode);
  }
  if constexpr (HasClamp<S>) {
    if (in.flags & Instruction::clamp) return lanes_clamped<S, W>(wave, in);
  }
  lanes<W>(wave, in, [](auto... a) { return S::apply(a...); }, signature);
}

// Packed 16-bit: the function on both halves, each half of each source chosen by op_sel.
template <int W, class R, class... A, class F>
inline void halves(WaveState& wave, const Instruction& in, F function, R (*)(A...)) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    Row<u32> room[sizeof...(A)];
    const u32* row[] = {fetch32<W>(wave, in, in.operand[1 + I], Kind::packed16, room[I])...};
    Row<u32> out;
    const auto shift = [&](int bit) { return ((in.amd.packed_select >> bit) & 1u) << 4; };
    const auto flip = [&](int bit, Kind kind) {
      return is_float(kind) ? ((in.amd.packed_negate >> bit) & 1u) << 15 : 0;
    };
    const u32 low_shift[] = {shift(I)...}, high_shift[] = {shift(4 + I)...};
    const u32 low_flip[] = {flip(I, LaneType<A>::kind)...}, high_flip[] = {flip(4 + I, LaneType<A>::kind)...};
    for (int i = 0; i < W; ++i) {
      const u32 low =
          LaneType<R>::to(function(LaneType<A>::from((row[I][i] >> low_shift[I]) ^ low_flip[I])...));
      const u32 high =
          LaneType<R>::to(function(LaneType<A>::from((row[I][i] >> high_shift[I]) ^ high_flip[I])...));
      out.lane[i] = (low & 0xFFFF) | (high << 16);
    }
    if constexpr (is_float(LaneType<R>::kind)) {
      if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, Kind::packed16, out.data());
    }
    commit32<W>(wave, in, in.operand[0], out.data());
  }(std::index_sequence_for<A...>{});
}

template <class S, int W, class R, class... A>
inline bool quick_halves(WaveState& wave, const Instruction& in, R (*)(A...)) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    Row<u32> room[sizeof...(A)];
    const u32* row[] = {fetch32<W>(wave, in, in.operand[1 + I], Kind::packed16, room[I])...};
    Row<u32> part[2];
    for (int half = 0; half < 2; ++half) {
      Row<u32> wide[sizeof...(A)], result;
      const auto prepare = [&](int i) {
        const u32 shift = ((in.amd.packed_select >> (4 * half + i)) & 1u) << 4;
        widen_half_row<W>(row[i], shift, wide[i].data());
        if ((in.amd.packed_negate >> (4 * half + i)) & 1) {
          for (int lane = 0; lane < W; ++lane) wide[i].lane[lane] ^= 0x80000000u;
        }
      };
      (prepare(I), ...);
      if (!quick_row<S, W>(result.data(), static_cast<decltype(&S::quick)>(nullptr), wide[I].data()...))
        return false;
      narrow_half_row<W>(result.data(), part[half].data());
    }
    Row<u32> out;
    for (int i = 0; i < W; ++i) out.lane[i] = part[0].lane[i] | part[1].lane[i] << 16;
    if (in.flags & Instruction::clamp) scale_and_clamp(wave, in, Kind::packed16, out.data());
    commit32<W>(wave, in, in.operand[0], out.data());
    return true;
  }(std::index_sequence_for<A...>{});
}

template <class S, int W>
[[gnu::cold, gnu::noinline]] void halves_by_mode(WaveState& wave, const Instruction& in, u32 mode) {
  halves<W>(
      wave, in, [mode](auto... a) { return S::apply_mode(a..., mode); },
      static_cast<decltype(&S::apply)>(nullptr));
}
template <class S, int W>
[[gnu::cold, gnu::noinline]] void halves_clamped(WaveState& wave, const Instruction& in) {
  halves<W>(
      wave, in, [](auto... a) { return S::apply_clamp(a...); }, static_cast<decltype(&S::apply)>(nullptr));
}

template <class S, int W>
void run_packed(WaveState& wave, const Instruction& in, StepContext&) {
  constexpr auto signature = static_cast<decltype(&S::apply)>(nullptr);
  if constexpr (HasQuick<S>) {
    if (quick_way<S>(Kind::f16, wave.mode) == QuickWay::every_row && quick_halves<S, W>(wave, in, signature))
      return;
  }
  if constexpr (HasMode<S>) {
    const u32 mode = mode_for<S>(wave);
    if (mode != default_mode) [[unlikely]]
      return halves_by_mode<S, W>(wave, in, mode);
  }
  if constexpr (HasClamp<S>) {
    if (in.flags & Instruction::clamp) return halves_clamped<S, W>(wave, in);
  }
  halves<W>(wave, in, [](auto... a) { return S::apply(a...); }, signature);
}

// Wave-wide values. A `bool` source is the condition code, and takes no operand.
template <class R>
struct ScalarResult {
  using Value = R;
  static constexpr bool sets_condition = std::is_same_v<R, bool>;
};
template <class T>
struct ScalarResult<Flagged<T>> {
  using Value = T;
  static constexpr bool sets_condition = true;
};

template <class A>
inline A scalar_source(const WaveState& wave, const Instruction& in, u32& next) {
  if constexpr (std::is_same_v<A, bool>) {
    return wave.scc;
  } else {
    const Operand& operand = in.operand[next++];
    if constexpr (sizeof(A) == 8) {
      return LaneType<A>::from(scalar_value64(wave, operand));
    } else {
      return LaneType<A>::from(scalar_value32(wave, operand));
    }
  }
}

template <class S, class R, class... A>
inline void scalar(WaveState& wave, const Instruction& in, R (*)(A...)) {
  u32 next = 1;
  const std::tuple<A...> source{scalar_source<A>(wave, in, next)...};
  const R result = std::apply([](A... a) { return S::apply(a...); }, source);
  if constexpr (std::is_same_v<R, bool>) {
    wave.scc = result;
  } else {
    using Value = typename ScalarResult<R>::Value;
    Value value;
    if constexpr (std::is_same_v<R, Value>) {
      value = result;
    } else {
      value = result.value;
      wave.scc = result.scc;
    }
    if constexpr (sizeof(Value) == 8) {
      wave.write_scalar64(in.operand[0].index, LaneType<Value>::to(value));
    } else {
      wave.write_scalar(in.operand[0].index, LaneType<Value>::to(value));
    }
  }
}

template <class S, int W>
void run_scalar(WaveState& wave, const Instruction& in, StepContext&) {
  scalar<S>(wave, in, static_cast<decltype(&S::apply)>(nullptr));
}

template <class S, int W>
void run_step(WaveState& wave, const Instruction& in, StepContext& context) {
  S::template step<W>(wave, in, context);
}

// `Wide`: also for waves of 64 lanes, which ISAs with waves of 32 spare themselves.
template <class S, bool Wide = true>
constexpr Semantic describe() {
  Semantic semantic;
  semantic.name = S::name;
  if constexpr (requires { S::flow; }) semantic.flow = S::flow;
  if constexpr (requires { S::bound; }) semantic.bound = S::bound;
  if constexpr (requires { S::combining; }) semantic.combining = S::combining;
  if constexpr (requires { S::role; }) semantic.role = S::role;
  if constexpr (requires { S::relation; }) semantic.relation = S::relation;
  if constexpr (requires { S::cancels; }) semantic.cancels = S::cancels;
  if constexpr (requires { S::division; }) semantic.division = S::division;
  if constexpr (requires { S::condition_is_nonzero; })
    semantic.condition_is_nonzero = S::condition_is_nonzero;
  if constexpr (requires { S::extend_bits; }) {
    semantic.extend_bits = S::extend_bits;
    semantic.extend_signed = S::extend_signed;
  }
  if constexpr (requires { S::reach; }) semantic.reach = S::reach;
  if constexpr (requires { S::memory_data; }) semantic.memory = S::memory_data;
  if constexpr (HasStep<S>) {
    semantic.shape = S::shape;
    if constexpr (!requires { S::flow; }) semantic.flow = Flow::own;
    if constexpr (requires { S::implied; }) {
      semantic.implied = S::implied;
    } else if constexpr (S::shape != Shape::control) {
      semantic.implied = implies::reads_exec;
    }
    semantic.run32 = &run_step<S, 32>;
    if constexpr (Wide) semantic.run64 = &run_step<S, 64>;
    if constexpr (requires { S::sources; }) {
      semantic.result = S::result;
      semantic.source = S::source_kinds;
      semantic.sources = S::sources;
    }
  } else {
    using Apply = Signature<decltype(&S::apply)>;
    semantic.source = Apply::kinds();
    semantic.sources = static_cast<u8>(Apply::arity);
    if constexpr (requires { S::shape; })
      semantic.shape = S::shape;
    else
      semantic.shape = Shape::lanewise;
    if constexpr (requires { requires S::shape == Shape::scalar; }) {
      semantic.run32 = semantic.run64 = &run_scalar<S, 64>;
      semantic.sets_condition = ScalarResult<typename Apply::Result>::sets_condition;
      if constexpr (std::is_same_v<typename Apply::Result, bool>) {
        semantic.result = Kind::none;
      } else {
        semantic.result = LaneType<typename ScalarResult<typename Apply::Result>::Value>::kind;
      }
      // The condition code takes no operand.
      for (std::size_t i = 0; i < semantic.source.size(); ++i) {
        if (semantic.source[i] == Kind::mask) semantic.source[i] = Kind::condition;
      }
    } else if constexpr (requires { requires S::shape == Shape::packed; }) {
      semantic.implied = implies::reads_exec;
      semantic.run32 = &run_packed<S, 32>;
      if constexpr (Wide) semantic.run64 = &run_packed<S, 64>;
      semantic.result = Kind::packed16;
      for (std::size_t i = 0; i < Apply::arity; ++i) semantic.source[i] = Kind::packed16;
    } else {
      semantic.implied = implies::reads_exec;
      semantic.run32 = &run_lanewise<S, 32>;
      if constexpr (Wide) semantic.run64 = &run_lanewise<S, 64>;
      semantic.result = ResultType<typename Apply::Result>::kind;
      semantic.mask_result = ResultType<typename Apply::Result>::with_mask;
    }
  }
  return semantic;
}

}  // namespace shapes

template <class S>
inline constexpr Semantic semantic = shapes::describe<S>();

// For waves of 32 lanes only.
template <class S>
inline constexpr Semantic semantic32 = shapes::describe<S, false>();

}  // namespace lockstep
