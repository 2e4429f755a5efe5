#include "isa/slow_way.h"

#include <bit>
#include <cmath>

#include "isa/nv/control.h"
#include "isa/nv/cross_lane.h"
#include "isa/nv/operation.h"
#include "isa/nv/wave.h"
#include "isa/operands.h"

namespace lockstep {
namespace {

constexpr int lanes_of_wave = 32;

u32 exponent(u32 bits) {
  return bits >> 23 & 0xFF;
}

// FCHK.DIVIDE: whether a division has to be made by the routine.
bool divides_slowly(u32 a, u32 b) {
  const i32 of_a = static_cast<i32>(exponent(a)), of_b = static_cast<i32>(exponent(b));
  if (of_a == 0xFF || of_a < 25 || of_b < 2 || of_b > 251) return true;
  return of_a - of_b < -124 || of_a - of_b > 126;
}

f32 upper_half(f64 value) {
  return std::bit_cast<f32>(static_cast<u32>(std::bit_cast<u64>(value) >> 32));
}

// The upper halves are compared as floats of 32 bits: FSETP.GEU of the dividend's, FSETP.GT of the
// quotient's, to which the divisor's, times zero, is added.
bool divides_slowly(f64 a, f64 b) {
  constexpr f32 least_dividend = 6.5827683646048100446e-37f, least_quotient = 1.469367938527859385e-39f;
  // The reciprocal of what is denormal is infinite on the way (MUFU.RCP64H), and the quotient no number.
  constexpr u32 least_normal = 0x00100000;
  if ((std::bit_cast<u32>(upper_half(b)) & 0x7FFFFFFF) < least_normal) return true;
  if (std::abs(upper_half(a)) < least_dividend) return true;
  const f32 quotient = 0.0f * upper_half(b) + upper_half(a / b);
  return !(std::abs(quotient) > least_quotient);
}

template <class Test>
u64 lanes_where(u64 active, Test&& test) {
  u64 lanes = 0;
  for (u64 rest = active; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    lanes |= u64{test(lane)} << lane;
  }
  return lanes;
}

// The first lane that has each value.
template <class T>
u64 first_lanes(u64 active, const T* values) {
  u64 lanes = 0;
  for (u64 rest = active; rest != 0;) {
    lanes |= rest & -rest;
    const T value = values[std::countr_zero(rest)];
    rest &= ~lanes_where(rest, [&](u32 lane) { return values[lane] == value; });
  }
  return lanes;
}

}  // namespace

SlowWay slow_way_of(const Instruction& instruction) {
  using nv::Mnemonic;
  if (instruction.meaning == nullptr) return SlowWay::none;
  if (instruction.meaning == nv::find_match(false, false)) return SlowWay::match_32;
  if (instruction.meaning == nv::find_match(false, true)) return SlowWay::match_64;
  if (instruction.meaning == &nv::meet())
    return (instruction.detail & nv::turn_yields) != 0 ? SlowWay::yield : SlowWay::none;
  if (!nv::computes(*instruction.meaning)) return SlowWay::none;
  const nv::Operation operation = nv::operation_of(*instruction.meaning);
  const nv::ElementType& type = operation.type;
  if (!type.floating() || type.count != 1 || type.tensor || operation.approximate || operation.full_range)
    return SlowWay::none;
  if (type.bits != 32 && type.bits != 64) return SlowWay::none;
  const bool wide = type.bits == 64;
  switch (operation.mnemonic) {
    case Mnemonic::div:
      return wide ? SlowWay::divide_f64 : SlowWay::divide_f32;
    case Mnemonic::rcp:
      return wide ? SlowWay::reciprocal_f64 : SlowWay::reciprocal_f32;
    case Mnemonic::sqrt:
      return wide ? SlowWay::root_f64 : SlowWay::root_f32;
    default:
      return SlowWay::none;
  }
}

u64 slow_lanes(const WaveState& wave, const Instruction& instruction, SlowWay way) {
  const Operand &first = instruction.operand[1], &second = instruction.operand[2];
  Row<u32> row, other;
  Row<u64> wide_row, wide_other;
  const auto narrow = [&](const Operand& operand, Row<u32>& room) {
    return fetch32<lanes_of_wave>(wave, instruction, operand, Kind::f32, room);
  };
  const auto wide = [&](const Operand& operand, Row<u64>& room) {
    return fetch64<lanes_of_wave>(wave, instruction, operand, Kind::f64, room);
  };
  const auto upper = [](u64 bits) { return static_cast<u32>(bits >> 32); };
  switch (way) {
    case SlowWay::none:
      return 0;
    case SlowWay::yield: {
      const nv::PtxWave& state = nv::ptx(wave);
      return state.ready.empty() && wave.exec() != state.alive ? wave.exec() : 0;
    }
    case SlowWay::match_32:
      return first_lanes(wave.exec(), fetch32<lanes_of_wave>(wave, instruction, first, Kind::u32, row));
    case SlowWay::match_64:
      return first_lanes(wave.exec(), fetch64<lanes_of_wave>(wave, instruction, first, Kind::u64, wide_row));
    case SlowWay::divide_f32: {
      const u32 *a = narrow(first, row), *b = narrow(second, other);
      return lanes_where(wave.exec(), [&](u32 lane) { return divides_slowly(a[lane], b[lane]); });
    }
    case SlowWay::reciprocal_f32: {
      const u32* a = narrow(first, row);
      return lanes_where(wave.exec(),
                         [&](u32 lane) { return ((a[lane] + 0x01800000) & 0x7F800000) <= 0x01FFFFFF; });
    }
    case SlowWay::root_f32: {
      const u32* a = narrow(first, row);
      return lanes_where(wave.exec(), [&](u32 lane) { return a[lane] - 0x0D000000 > 0x727FFFFF; });
    }
    case SlowWay::divide_f64: {
      const u64 *a = wide(first, wide_row), *b = wide(second, wide_other);
      return lanes_where(wave.exec(), [&](u32 lane) {
        return divides_slowly(std::bit_cast<f64>(a[lane]), std::bit_cast<f64>(b[lane]));
      });
    }
    case SlowWay::reciprocal_f64: {
      // FSETP.GEU of the upper half and 0x300402, as a float without its sign.
      const u64* a = wide(first, wide_row);
      return lanes_where(wave.exec(), [&](u32 lane) {
        return ((upper(a[lane]) + 0x00300402) & 0x7FFFFFFF) < std::bit_cast<u32>(5.8789094863358348022e-39f);
      });
    }
    case SlowWay::root_f64: {
      const u64* a = wide(first, wide_row);
      return lanes_where(wave.exec(), [&](u32 lane) { return upper(a[lane]) - 0x03500000 >= 0x7CA00000; });
    }
  }
  return 0;
}

}  // namespace lockstep
