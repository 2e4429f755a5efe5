#include "exec/check/flow.h"

#include <algorithm>
#include <bit>

namespace lockstep::check {
namespace {

Bits bit_and(const Bits& a, const Bits& b) {
  const u64 decided = (~a.value & ~a.undefined) | (~b.value & ~b.undefined);
  return {a.value & b.value, (a.undefined | b.undefined) & ~decided, a.width};
}
Bits bit_or(const Bits& a, const Bits& b) {
  const u64 decided = (a.value & ~a.undefined) | (b.value & ~b.undefined);
  return {a.value | b.value, (a.undefined | b.undefined) & ~decided, a.width};
}
Bits bit_xor(const Bits& a, const Bits& b) {
  return {a.value ^ b.value, a.undefined | b.undefined, a.width};
}
Bits bit_not(const Bits& a) {
  return {~a.value & ones(a.width), a.undefined, a.width};
}

// `on` where the condition's lowest bit is set.
Bits choose(const Bits& condition, const Bits& on, const Bits& off) {
  if ((condition.undefined & 1) == 0) return (condition.value & 1) != 0 ? on : off;
  return {on.value & off.value, on.undefined | off.undefined | (on.value ^ off.value), on.width};
}

enum class Direction { left, right, right_signed };

Bits shift(const Bits& a, const Bits& count, Direction direction) {
  const u32 most = a.width - 1;
  if ((count.undefined & most) != 0) {
    const bool nothing = a.undefined == 0 && a.value == 0;
    return {0, nothing ? 0 : ones(a.width), a.width};
  }
  const u32 by = static_cast<u32>(count.value) & most;
  const auto move = [&](u64 bits) -> u64 {
    if (direction == Direction::left) return (bits << by) & ones(a.width);
    if (direction == Direction::right) return bits >> by;
    const u32 above = 64 - a.width;
    return static_cast<u64>(static_cast<i64>(bits << above) >> (above + by)) & ones(a.width);
  };
  return {move(a.value), move(a.undefined), a.width};
}

Bits field(const Bits& a, u32 offset, u32 width, bool is_signed) {
  const auto take = [&](u64 bits) -> u64 {
    if (width == 0) return 0;
    const u32 above = 64 - a.width;
    const u64 moved =
        is_signed ? static_cast<u64>(static_cast<i64>(bits << above) >> (above + offset)) : bits >> offset;
    const u64 taken = moved & ones(std::min(width, a.width));
    if (!is_signed || width >= a.width || ((taken >> (width - 1)) & 1) == 0) return taken;
    return (taken | ~ones(width)) & ones(a.width);
  };
  return {take(a.value), take(a.undefined), a.width};
}

u64 any(std::span<const Bits> sources) {
  u64 undefined = 0;
  for (const Bits& source : sources) undefined |= source.undefined;
  return undefined;
}

// From the lowest undefined bit on.
u64 upwards(u64 undefined) {
  return undefined | (0 - undefined);
}

bool is_zero(const Bits& a) {
  return a.value == 0 && a.undefined == 0;
}

Bits all_or_nothing(u64 undefined, u32 width) {
  return {0, undefined != 0 ? ones(width) : 0, width};
}

Bits low(const Bits& a, u32 width) {
  return {a.value & ones(width), a.undefined & ones(width), a.width};
}
Bits pack(const Bits& a, u32 a_shift, const Bits& b, u32 b_shift) {
  const auto join = [&](u64 x, u64 y) {
    return ((x >> a_shift) & 0xFFFF) | (((y >> b_shift) & 0xFFFF) << 16);
  };
  return {join(a.value, b.value), join(a.undefined, b.undefined), 32};
}

// Each selector byte: 0 to 7 a byte of {a, b}, 8 to 11 a sign, above constants.
Bits permute_bytes(const Bits& a, const Bits& b, const Bits& selectors) {
  const u64 undefined = a.undefined << 32 | b.undefined;
  u64 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 select = (selectors.value >> (8 * i)) & 0xFF;
    u64 byte = 0;
    if (((selectors.undefined >> (8 * i)) & 0xFF) != 0) {
      byte = 0xFF;
    } else if (select < 8) {
      byte = (undefined >> (8 * select)) & 0xFF;
    } else if (select < 12) {
      byte = (undefined >> (16 * (select & 3) + 15)) & 1 ? 0xFF : 0;
    }
    result |= byte << (8 * i);
  }
  return {0, result, 32};
}

// {a, b} to the right by a count of bits.
Bits align(const Bits& a, const Bits& b, const Bits& count, u32 most, u32 unit) {
  if ((count.undefined & most) != 0) return all_or_nothing(1, 32);
  const u32 by = (static_cast<u32>(count.value) & most) * unit;
  const auto move = [&](u64 high, u64 low_part) { return ((high << 32 | low_part) >> by) & ones(32); };
  return {move(a.value, b.value), move(a.undefined, b.undefined), 32};
}

u64 reversed(u64 bits, u32 width) {
  u64 result = 0;
  for (u32 i = 0; i < width; ++i) result |= ((bits >> i) & 1) << (width - 1 - i);
  return result;
}

u64 sign_extended(u64 bits, u32 from, u32 to) {
  const u64 taken = bits & ones(from);
  return ((taken >> (from - 1)) & 1) != 0 ? (taken | ~ones(from)) & ones(to) : taken;
}

u64 count_below(const Bits& a, u32 lane, bool high) {
  const u32 below = high ? (lane < 32 ? 0 : lane - 32) : std::min(lane, 32u);
  return a.undefined & ones(below);
}

// Undefined bits of the high half where the lowest bit of `select` says so, else of the low one.
u64 half_of_pair(const Bits& a, u32 select) {
  return ((select & 1) != 0 ? a.undefined >> 32 : a.undefined) & ones(32);
}

Bits result_of(const Rule& rule, std::span<const Bits> s, u32 width, u32 lane) {
  switch (rule.flow) {
    case Flow::constant:
      return {0, 0, width};
    case Flow::move:
      return s[0];
    case Flow::bit_not:
      return bit_not(s[0]);
    case Flow::bit_and:
      return bit_and(s[0], s[1]);
    case Flow::bit_nand:
      return bit_not(bit_and(s[0], s[1]));
    case Flow::bit_and_not:
      return bit_and(s[0], bit_not(s[1]));
    case Flow::bit_not_and:
      return bit_and(bit_not(s[0]), s[1]);
    case Flow::bit_or:
      return bit_or(s[0], s[1]);
    case Flow::bit_nor:
      return bit_not(bit_or(s[0], s[1]));
    case Flow::bit_or_not:
      return bit_or(s[0], bit_not(s[1]));
    case Flow::bit_not_or:
      return bit_or(bit_not(s[0]), s[1]);
    case Flow::bit_or3:
      return bit_or(bit_or(s[0], s[1]), s[2]);
    case Flow::bit_xor:
      return bit_xor(s[0], s[1]);
    case Flow::bit_xnor:
      return bit_not(bit_xor(s[0], s[1]));
    case Flow::bit_xor3: {
      Bits result = s[0];
      for (const Bits& source : s.subspan(1)) result = bit_xor(result, source);
      return result;
    }
    case Flow::and_or:
      return bit_or(bit_and(s[0], s[1]), s[2]);
    case Flow::insert_field: {
      const u64 inside = s[1].undefined, outside = s[2].undefined;
      const u64 unsure = s[0].undefined & ((s[1].value ^ s[2].value) | inside | outside);
      return {0, unsure | (s[0].value & inside) | (~s[0].value & outside), width};
    }
    case Flow::select:
      return choose(s[2], s[1], s[0]);
    case Flow::scalar_select:
      return choose(s[2], s[0], s[1]);
    case Flow::scalar_move_if:
      return choose(s[1], s[0], s[2]);
    case Flow::shift_left:
      return shift(s[0], s[1], Direction::left);
    case Flow::shift_right:
      return shift(s[0], s[1], Direction::right);
    case Flow::shift_right_signed:
      return shift(s[0], s[1], Direction::right_signed);
    case Flow::reverse_shift_left:
      return shift(s[1], s[0], Direction::left);
    case Flow::reverse_shift_right:
      return shift(s[1], s[0], Direction::right);
    case Flow::reverse_shift_right_signed:
      return shift(s[1], s[0], Direction::right_signed);
    case Flow::shift_or:
      return bit_or(shift(s[0], s[1], Direction::left), s[2]);
    case Flow::shift_add:
      // The 64-bit form takes three bits of its count.
      if (width == 64)
        return {0, upwards(shift(s[0], low(s[1], 3), Direction::left).undefined | s[2].undefined), width};
      return {0, upwards(shift(s[0], s[1], Direction::left).undefined | s[2].undefined), width};
    case Flow::add_shift: {
      if ((s[2].undefined & 31) != 0) return all_or_nothing(1, width);
      const Bits sum{0, upwards(s[0].undefined | s[1].undefined) & ones(32), 32};
      return shift(sum, s[2], Direction::left);
    }
    case Flow::extract:
    case Flow::extract_signed: {
      if (((s[1].undefined | s[2].undefined) & 31) != 0) return all_or_nothing(1, width);
      return field(s[0], static_cast<u32>(s[1].value) & 31, static_cast<u32>(s[2].value) & 31,
                   rule.flow == Flow::extract_signed);
    }
    case Flow::reverse_extract:
      if (((s[0].undefined | s[1].undefined) & 31) != 0) return all_or_nothing(1, width);
      return field(s[2], static_cast<u32>(s[1].value) & 31, static_cast<u32>(s[0].value) & 31,
                   rule.is_signed);
    case Flow::scalar_extract:
    case Flow::scalar_extract_signed: {
      if ((s[1].undefined & 0x7F003F) != 0) return all_or_nothing(1, width);
      const u32 field_width = static_cast<u32>(s[1].value >> 16) & 0x7F;
      return field(s[0], static_cast<u32>(s[1].value) & (width - 1), std::min(field_width, width),
                   rule.flow == Flow::scalar_extract_signed);
    }
    case Flow::carries_up:
      return {0, upwards(any(s)), width};
    case Flow::multiply:
      if (is_zero(s[0]) || is_zero(s[1])) return {0, 0, width};
      return {0, upwards(any(s)), width};
    case Flow::carries_up_24: {
      const u64 factors = (s[0].undefined | s[1].undefined) & ones(24);
      const bool nothing = is_zero(low(s[0], 24)) || is_zero(low(s[1], 24));
      return {0, upwards((nothing ? 0 : factors) | s[2].undefined), width};
    }
    case Flow::multiply_24:
      if (is_zero(low(s[0], 24)) || is_zero(low(s[1], 24))) return {0, 0, width};
      return {0, upwards((s[0].undefined | s[1].undefined) & ones(24)), width};
    case Flow::any_24:
      return all_or_nothing((s[0].undefined | s[1].undefined) & ones(24), width);
    case Flow::byte0:
    case Flow::byte1:
    case Flow::byte2:
    case Flow::byte3: {
      const u32 byte = static_cast<u32>(rule.flow) - static_cast<u32>(Flow::byte0);
      return all_or_nothing((s[0].undefined >> (8 * byte)) & 0xFF, width);
    }
    case Flow::extend: {
      const auto taken = [&](u64 bits) {
        return rule.is_signed ? sign_extended(bits, rule.extend_bits, width) : bits & ones(rule.extend_bits);
      };
      return {taken(s[0].value), taken(s[0].undefined), width};
    }
    case Flow::pack_low_low:
      return pack(s[0], 0, s[1], 0);
    case Flow::pack_low_high:
      return pack(s[0], 0, s[1], 16);
    case Flow::pack_high_low:
      return pack(s[0], 16, s[1], 0);
    case Flow::pack_high_high:
      return pack(s[0], 16, s[1], 16);
    case Flow::convert_pair:
      return {0, (s[0].undefined != 0 ? 0xFFFF : 0) | (s[1].undefined != 0 ? u64{0xFFFF0000} : 0), 32};
    case Flow::insert_byte: {
      if ((s[1].undefined & 3) != 0) return all_or_nothing(1, width);
      const u32 at = 8 * (static_cast<u32>(s[1].value) & 3);
      return {0, (s[2].undefined & ~(u64{0xFF} << at)) | (s[0].undefined != 0 ? u64{0xFF} << at : 0), width};
    }
    case Flow::permute_bytes:
      return permute_bytes(s[0], s[1], s[2]);
    case Flow::align_bits:
      return align(s[0], s[1], s[2], 31, 1);
    case Flow::align_bytes:
      return align(s[0], s[1], s[2], 3, 8);
    case Flow::reverse_bits:
      return {reversed(s[0].value, width), reversed(s[0].undefined, width), width};
    case Flow::count_below_low:
    case Flow::count_below_high: {
      const u64 counted = count_below(s[0], lane, rule.flow == Flow::count_below_high);
      return {0, counted != 0 ? ones(width) : upwards(s[1].undefined), width};
    }
    case Flow::pairs: {
      u64 undefined = 0;
      for (u32 part = 0; part < 2; ++part) {
        for (u32 i = 0; i < s.size(); ++i)
          undefined |= half_of_pair(s[i], rule.op_sel >> (4 * part + i)) != 0 ? ones(32) << (32 * part) : 0;
      }
      return {0, undefined, width};
    }
    case Flow::move_pairs:
      return {0, half_of_pair(s[0], rule.op_sel) | half_of_pair(s[1], rule.op_sel >> 1) << 32, width};
    case Flow::compare:
      return {0, comparison_undefined(rule, s[0], s[1]) ? u64{1} : 0, 1};
    default:
      return all_or_nothing(any(s), width);
  }
}

struct Range {
  u64 least, most;
};
// The values that undefined bits leave possible, in an order that is unsigned for both kinds of comparison.
Range possible(const Bits& a, bool is_signed) {
  const u64 sign = is_signed ? u64{1} << (a.width - 1) : 0;
  const u64 value = a.value ^ (sign & ~a.undefined);
  return {value & ~a.undefined, value | a.undefined};
}

}  // namespace

Bits flow(const Rule& rule, std::span<const Bits> sources, u32 width, u32 lane) {
  Bits result = result_of(rule, sources, width, lane);
  result.undefined &= ones(width);
  result.width = width;
  return result;
}

bool comparison_undefined(const Rule& rule, const Bits& a, const Bits& b) {
  const u64 undefined = a.undefined | b.undefined;
  if (undefined == 0) return false;
  const Range x = possible(a, rule.is_signed), y = possible(b, rule.is_signed);
  switch (rule.relation) {
    case Relation::never:
    case Relation::always:
      return false;
    case Relation::equal:
    case Relation::not_equal:
      return ((a.value ^ b.value) & ~undefined) == 0;
    case Relation::less:
    case Relation::greater_equal:
      return !(x.most < y.least || x.least >= y.most);
    case Relation::greater:
    case Relation::less_equal:
      return !(x.least > y.most || x.most <= y.least);
    default:
      return true;
  }
}

bool half_undefined(std::span<const Bits> sources, u32 select_bits) {
  u64 undefined = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    undefined |= (sources[i].undefined >> (((select_bits >> i) & 1) != 0 ? 16 : 0)) & 0xFFFF;
  }
  return undefined != 0;
}

}  // namespace lockstep::check
