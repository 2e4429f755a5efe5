// Operands in and out: bytes with regions on one side, values of all channels on the other.
#include <cstring>
#include <limits>
#include <type_traits>

#include "float/convert.h"
#include "float/half.h"
#include "isa/gen/operation.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

template <class T>
T load(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// An element of type T in the class' type C.
template <class C, class T>
C widened(T value) {
  if constexpr (std::is_same_v<C, T>) {
    return value;
  } else if constexpr (std::is_same_v<C, Half>) {
    return value;  // unreachable: find_fetch gives none
  } else if constexpr (std::is_same_v<T, Half>) {
    return static_cast<C>(f16_to_f32(value.bits));
  } else {
    return static_cast<C>(value);
  }
}

template <class C>
void modify(const Source& source, u32 lanes, C* value) {
  if constexpr (std::is_same_v<C, Half>) {
    for (u32 i = 0; i < lanes; ++i) {
      if (source.absolute) value[i].bits &= 0x7FFF;
      if (source.negate) value[i].bits ^= 0x8000;
    }
  } else if constexpr (std::is_same_v<C, f32>) {
    for (u32 i = 0; i < lanes; ++i) {
      u32 bits = as_u32(value[i]);
      if (source.absolute) bits &= 0x7FFFFFFF;
      if (source.negate) bits ^= 0x80000000;
      value[i] = as_f32(bits);
    }
  } else if constexpr (std::is_same_v<C, f64>) {
    for (u32 i = 0; i < lanes; ++i) {
      u64 bits = as_u64(value[i]);
      if (source.absolute) bits &= ~(u64{1} << 63);
      if (source.negate) bits ^= u64{1} << 63;
      value[i] = as_f64(bits);
    }
  } else {
    using U = std::make_unsigned_t<C>;
    for (u32 i = 0; i < lanes; ++i) {
      U bits = static_cast<U>(value[i]);
      if (source.absolute && std::is_signed_v<C> && value[i] < 0) bits = U{0} - bits;
      if (source.negate) bits = U{0} - bits;
      if (source.invert) bits = ~bits;
      value[i] = static_cast<C>(bits);
    }
  }
}

// Whether values of the one are those of the other, bit for bit.
template <class T, class C>
constexpr bool same_bits =
    std::is_same_v<T, C> || (std::is_integral_v<T> && std::is_integral_v<C> && sizeof(T) == sizeof(C));

// Elements that lie side by side; sixteen are the usual number.
template <class T>
void copy_lanes(void* to, const void* from, u32 lanes) {
  if (lanes == 16)
    std::memcpy(to, from, 16 * sizeof(T));
  else
    std::memcpy(to, from, lanes * sizeof(T));
}

template <class T, class C>
void gather(const u8* from, const Source& source, u32 lanes, C* to) {
  if (source.horizontal == sizeof(T) && source.vertical == source.width * sizeof(T)) {
    if constexpr (same_bits<T, C>) {
      copy_lanes<T>(to, from, lanes);
    } else {
      for (u32 i = 0; i < lanes; ++i) to[i] = widened<C>(load<T>(from + i * sizeof(T)));
    }
    return;
  }
  if (source.scalar()) {
    const C value = widened<C>(load<T>(from));
    for (u32 i = 0; i < lanes; ++i) to[i] = value;
    return;
  }
  const u8* row = from;
  for (u32 i = 0; i < lanes; row += source.vertical) {
    const u8* at = row;
    for (u32 k = 0; k < source.width && i < lanes; ++k, ++i, at += source.horizontal)
      to[i] = widened<C>(load<T>(at));
  }
}

template <class T, class C>
void fetch(const WaveState& wave, const Source& source, u32 lanes, Lanes& lanes_to) {
  C* to = lanes_to.as<C>();
  const u8* base = bytes_of(wave);
  switch (source.place) {
    case Where::file:
      gather<T, C>(base + source.offset, source, lanes, to);
      break;
    case Where::indirect:
      if (source.by_row) {
        for (u32 i = 0; i < lanes; ++i) {
          const u32 at = indexed_place(wave, source.address + i / source.width, source.offset) +
                         (i % source.width) * source.horizontal;
          to[i] = widened<C>(load<T>(base + at));
        }
      } else {
        gather<T, C>(base + indexed_place(wave, source.address, source.offset), source, lanes, to);
      }
      break;
    case Where::accumulator: {
      const GenWave& own = gen(wave);
      for (u32 i = 0; i < lanes; ++i) {
        const u64 bits = own.accumulator[(i + static_cast<u32>(source.offset)) % most_channels];
        to[i] = widened<C>(load<T>(reinterpret_cast<const u8*>(&bits)));
      }
      break;
    }
    default: {
      const C value = widened<C>(load<T>(reinterpret_cast<const u8*>(&source.value)));
      for (u32 i = 0; i < lanes; ++i) to[i] = value;
    }
  }
  if (source.negate || source.absolute || source.invert) modify<C>(source, lanes, to);
}

// Packed immediates: of eight words each channel has the one that lies where its result does.
template <class C>
void fetch_packed(const WaveState&, const Source& source, u32 lanes, Lanes& to) {
  for (u32 i = 0; i < lanes; ++i) {
    const u32 bits = static_cast<u32>(source.value >> (4 * (i * source.horizontal % 8))) & 15;
    to.as<C>()[i] = static_cast<C>(source.type == Type::w && bits >= 8 ? static_cast<i32>(bits) - 16
                                                                       : static_cast<i32>(bits));
  }
}

// Of four floats of 8 bits: a sign, an exponent of 3 bits (bias 3), a mantissa of 4; zeros have neither.
void fetch_packed_floats(const WaveState&, const Source& source, u32 lanes, Lanes& to) {
  for (u32 i = 0; i < lanes; ++i) {
    const u32 bits = static_cast<u32>(source.value >> (8 * (i % 4))) & 255;
    const u32 size = (bits & 127) == 0 ? 0 : (((bits >> 4 & 7) + 124) << 23) | (bits & 15) << 19;
    to.as<f32>()[i] = as_f32(size | (bits & 128) << 24);
  }
  if (source.negate || source.absolute) modify<f32>(source, lanes, to.as<f32>());
}

template <class C>
Fetch integer_fetch(Type type) {
  switch (type) {
    case Type::ub:
      return fetch<u8, C>;
    case Type::b:
      return fetch<i8, C>;
    case Type::uw:
      return fetch<u16, C>;
    case Type::w:
      return fetch<i16, C>;
    case Type::ud:
      return fetch<u32, C>;
    case Type::d:
      return fetch<i32, C>;
    case Type::uq:
      return fetch<u64, C>;
    case Type::q:
      return fetch<i64, C>;
    default:
      return nullptr;
  }
}

// The class' value as an element of an integer type.
template <class D, class C>
D integer_result(C value, bool saturate, u32 control) {
  (void)control;
  if constexpr (std::is_same_v<C, Half>) {
    return integer_result<D>(f16_to_f32(value.bits), saturate, control);
  } else if constexpr (std::is_floating_point_v<C>) {
    // Out of range saturates; a type narrower than a dword takes the dword's low bits, unless it saturates.
    if (saturate || sizeof(D) >= 4) return float_to_int<D>(value, Round::zero);
    return static_cast<D>(float_to_int<i32>(value, Round::zero));
  } else {
    if (saturate) {
      if (std::is_signed_v<C> && value < C{0}) {
        if (!std::is_signed_v<D>) return 0;
        if (static_cast<i64>(value) < static_cast<i64>(std::numeric_limits<D>::min()))
          return std::numeric_limits<D>::min();
      } else if (static_cast<u64>(value) > static_cast<u64>(std::numeric_limits<D>::max())) {
        return std::numeric_limits<D>::max();
      }
    }
    return static_cast<D>(value);
  }
}

Round rounding(u32 control) {
  return static_cast<Round>((control >> control_bits::rounding_shift) & 3);
}

template <class C>
f32 to_f32(C value, u32 control) {
  if constexpr (std::is_same_v<C, f32>) {
    return value;
  } else if constexpr (std::is_same_v<C, Half>) {
    return f16_to_f32(value.bits);
  } else if constexpr (std::is_same_v<C, f64>) {
    const f32 made = f64_to_f32(value, rounding(control));
    return (control & control_bits::keep_f32_denormals) != 0 ? made : flush_f32(made);
  } else {
    return with_round(rounding(control), [&]<Round R>() { return int_to_f32<R>(value); });
  }
}

template <class C>
f64 to_f64(C value, u32 control) {
  if constexpr (std::is_same_v<C, f64>) {
    return value;
  } else if constexpr (std::is_same_v<C, f32>) {
    return f32_to_f64(value);
  } else if constexpr (std::is_same_v<C, Half>) {
    return f32_to_f64(f16_to_f32(value.bits));
  } else {
    return with_round(rounding(control), [&]<Round R>() { return int_to_f64<R>(value); });
  }
}

template <class C>
Half to_f16(C value, u32 control) {
  if constexpr (std::is_same_v<C, Half>) {
    return value;
  } else if constexpr (std::is_same_v<C, f32>) {
    return {f32_to_f16(value, rounding(control))};
  } else if constexpr (std::is_same_v<C, f64>) {
    return {f64_to_f16(value, rounding(control))};
  } else {
    return {with_round(rounding(control), [&]<Round R>() { return int_to_f16<R>(value); })};
  }
}

// Saturation of floats is to 0 to 1; a NaN becomes 0.
template <class T>
T saturated(T value) {
  return value > T{1} ? T{1} : value > T{0} ? value : T{0};
}

template <class D, class C>
D narrowed(C value, bool saturate, u32 control) {
  if constexpr (std::is_same_v<D, f32>) {
    const f32 made = to_f32(value, control);
    return saturate ? saturated(made) : made;
  } else if constexpr (std::is_same_v<D, f64>) {
    const f64 made = to_f64(value, control);
    return saturate ? saturated(made) : made;
  } else if constexpr (std::is_same_v<D, Half>) {
    const Half made = to_f16(value, control);
    return saturate ? Half{f32_to_f16(saturated(f16_to_f32(made.bits)), Round::nearest_even)} : made;
  } else {
    return integer_result<D>(value, saturate, control);
  }
}

template <class D, class C>
void commit(WaveState& wave, const Result& result, u32 lanes, u32 mask, const Lanes& from, u32 control) {
  const C* value = from.as<C>();
  u8* base = bytes_of(wave);
  if (result.place == Where::accumulator) {
    GenWave& own = gen(wave);
    for (u32 i = 0; i < lanes; ++i) {
      if (((mask >> i) & 1) == 0) continue;
      u64 bits = 0;
      if constexpr (std::is_integral_v<C>) {
        bits = static_cast<u64>(value[i]);  // with more bits than the type has
      } else {
        const D made = narrowed<D, C>(value[i], result.saturate, control);
        std::memcpy(&bits, &made, sizeof(D));
      }
      own.accumulator[(i + static_cast<u32>(result.offset)) % most_channels] = bits;
    }
    return;
  }
  u8* to = base + (result.place == Where::indirect ? indexed_place(wave, result.address, result.offset)
                                                   : static_cast<u32>(result.offset));
  if (mask == channel_mask(lanes)) {
    if (same_bits<D, C> && result.step == sizeof(D) && !result.saturate) {
      copy_lanes<D>(to, value, lanes);
      return;
    }
    for (u32 i = 0; i < lanes; ++i, to += result.step) {
      const D made = narrowed<D, C>(value[i], result.saturate, control);
      std::memcpy(to, &made, sizeof(D));
    }
    return;
  }
  for (u32 i = 0; i < lanes; ++i, to += result.step) {
    if (((mask >> i) & 1) == 0) continue;
    const D made = narrowed<D, C>(value[i], result.saturate, control);
    std::memcpy(to, &made, sizeof(D));
  }
}

template <class C>
Commit commit_of(Type type) {
  switch (type) {
    case Type::ub:
      return commit<u8, C>;
    case Type::b:
      return commit<i8, C>;
    case Type::uw:
      return commit<u16, C>;
    case Type::w:
      return commit<i16, C>;
    case Type::ud:
      return commit<u32, C>;
    case Type::d:
      return commit<i32, C>;
    case Type::uq:
      return commit<u64, C>;
    case Type::q:
      return commit<i64, C>;
    case Type::hf:
      return commit<Half, C>;
    case Type::f:
      return commit<f32, C>;
    case Type::df:
      return commit<f64, C>;
    case Type::none:
      break;
  }
  return nullptr;
}

}  // namespace

Fetch find_fetch(const Source& source, Class computes) {
  if (source.place == Where::none) return nullptr;
  const bool packed = source.place == Where::immediate && source.width == 8;
  switch (computes) {
    case Class::i32:
      return packed && !is_float(source.type) ? fetch_packed<i32> : integer_fetch<i32>(source.type);
    case Class::u32:
      return packed && !is_float(source.type) ? fetch_packed<u32> : integer_fetch<u32>(source.type);
    case Class::i64:
      return packed && !is_float(source.type) ? fetch_packed<i64> : integer_fetch<i64>(source.type);
    case Class::u64:
      return packed && !is_float(source.type) ? fetch_packed<u64> : integer_fetch<u64>(source.type);
    case Class::f16:
      return source.type == Type::hf ? fetch<Half, Half> : nullptr;
    case Class::f32:
      if (packed) return source.type == Type::f ? fetch_packed_floats : nullptr;
      return source.type == Type::f    ? fetch<f32, f32>
             : source.type == Type::hf ? fetch<Half, f32>
                                       : integer_fetch<f32>(source.type);
    case Class::f64:
      if (packed) return nullptr;
      return source.type == Type::df   ? fetch<f64, f64>
             : source.type == Type::f  ? fetch<f32, f64>
             : source.type == Type::hf ? fetch<Half, f64>
                                       : integer_fetch<f64>(source.type);
  }
  return nullptr;
}

Commit find_commit(const Result& result, Class computes) {
  if (result.place == Where::none) return nullptr;
  switch (computes) {
    case Class::i32:
      return commit_of<i32>(result.type);
    case Class::u32:
      return commit_of<u32>(result.type);
    case Class::i64:
      return commit_of<i64>(result.type);
    case Class::u64:
      return commit_of<u64>(result.type);
    case Class::f16:
      return commit_of<Half>(result.type);
    case Class::f32:
      return commit_of<f32>(result.type);
    case Class::f64:
      return commit_of<f64>(result.type);
  }
  return nullptr;
}

}  // namespace lockstep::gen
