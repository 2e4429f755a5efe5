#include "isa/image_coordinates.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

i64 modulo(i64 value, i64 by) {
  const i64 rest = value % by;
  return rest < 0 ? rest + by : rest;
}

bool mirrors_once(Clamp clamp) {
  return clamp == Clamp::mirror_once_last_texel || clamp == Clamp::mirror_once_half_border ||
         clamp == Clamp::mirror_once_border;
}

bool half_border(Clamp clamp) {
  return clamp == Clamp::half_border || clamp == Clamp::mirror_once_half_border;
}

i32 resolve(const AxisRule& rule, i64 index) {
  const i64 size = rule.size;
  if (mirrors_once(rule.clamp) && index < 0) index = -1 - index;
  switch (rule.clamp) {
    case Clamp::wrap:
      return static_cast<i32>(modulo(index, size));
    case Clamp::mirror: {
      const i64 within = modulo(index, 2 * size);
      return static_cast<i32>(within < size ? within : 2 * size - 1 - within);
    }
    case Clamp::last_texel:
    case Clamp::mirror_once_last_texel:
      return static_cast<i32>(std::clamp<i64>(index, 0, size - 1));
    case Clamp::half_border:
    case Clamp::mirror_once_half_border:
      // Without a filter, the half texel of border is never nearest.
      if (!rule.linear) return static_cast<i32>(std::clamp<i64>(index, 0, size - 1));
      break;
    default:
      break;
  }
  return index < 0 || index >= size ? -1 : static_cast<i32>(index);
}

}  // namespace

TexelPair texels_at(const AxisRule& rule, f32 coordinate) {
  f64 at = static_cast<f64>(coordinate);
  if (!(at == at)) at = 0;
  if (rule.normalized) {
    // Whole periods are taken away first, so that they do not cost precision.
    if (std::isfinite(at)) {
      if (rule.clamp == Clamp::wrap) at -= std::floor(at);
      if (rule.clamp == Clamp::mirror) at -= 2 * std::floor(at / 2);
    }
    at *= rule.size;
  }
  constexpr f64 most = 1 << 30;  // far outside of every image
  at = std::clamp(at, -most, most);
  if (half_border(rule.clamp)) {
    const f64 least = rule.clamp == Clamp::half_border ? 0.0 : -f64{1} * rule.size;
    at = std::clamp<f64>(at, least, rule.size);
  }
  const bool cut = rule.truncates && !rule.linear;
  const i64 fixed = static_cast<i64>(std::floor(at * weight_one + (cut ? 0.0 : 0.5)));
  TexelPair pair;
  if (!rule.linear) {
    pair.first = pair.second = resolve(rule, fixed >> weight_bits);
    return pair;
  }
  const i64 shifted = fixed - weight_one / 2;
  const i64 first = shifted >> weight_bits;
  pair.first = resolve(rule, first);
  pair.second = resolve(rule, first + 1);
  pair.weight = static_cast<u32>(shifted & (weight_one - 1));
  return pair;
}

u32 layer_at(f32 coordinate, u32 layers) {
  const f64 at = static_cast<f64>(coordinate);
  if (!(at > 0)) return 0;
  return static_cast<u32>(std::min<f64>(std::nearbyint(at), layers - 1));
}

}  // namespace lockstep
