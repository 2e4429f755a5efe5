// Integer arithmetic, logic, shifts. Source: "Skylake PRM, volume 2a: Command Reference: Instructions".
#include <bit>

#include "isa/gen/compute.h"

namespace lockstep::gen {
namespace {

template <class C, class F>
void each(Work& work, F function) {
  const C *a = work.a.as<C>(), *b = work.b.as<C>();
  C* out = work.out.as<C>();
  // The usual widths as constants, so that the compiler unrolls them.
  if (work.lanes == 16) {
    for (u32 i = 0; i < 16; ++i) out[i] = function(a[i], b[i]);
  } else if (work.lanes == 8) {
    for (u32 i = 0; i < 8; ++i) out[i] = function(a[i], b[i]);
  } else {
    for (u32 i = 0; i < work.lanes; ++i) out[i] = function(a[i], b[i]);
  }
}

template <class C>
using Unsigned = std::make_unsigned_t<C>;

struct Move {
  template <class C>
  static C apply(C a, C) {
    return a;
  }
};
struct Add {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>(static_cast<Unsigned<C>>(a) + static_cast<Unsigned<C>>(b));
  }
};
struct Multiply {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>(static_cast<Unsigned<C>>(a) * static_cast<Unsigned<C>>(b));
  }
};
struct And {
  template <class C>
  static C apply(C a, C b) {
    return a & b;
  }
};
struct Or {
  template <class C>
  static C apply(C a, C b) {
    return a | b;
  }
};
struct Xor {
  template <class C>
  static C apply(C a, C b) {
    return a ^ b;
  }
};
struct Not {
  template <class C>
  static C apply(C a, C) {
    return ~a;
  }
};
// Of a count the low five bits tell, six where a qword is involved.
template <class C>
u32 count(C b) {
  return static_cast<u32>(b) & (8 * sizeof(C) - 1);
}
struct ShiftLeft {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>(static_cast<Unsigned<C>>(a) << count(b));
  }
};
struct ShiftRight {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>(static_cast<Unsigned<C>>(a) >> count(b));
  }
};
struct ShiftRightSigned {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>(a >> count(b));
  }
};
// Rounded up; the sum, which may have a bit more, is never made.
struct Average {
  template <class C>
  static C apply(C a, C b) {
    return static_cast<C>((a | b) - ((a ^ b) >> 1));
  }
};

template <class O>
constexpr std::array<Compute, 7> integers{
    [](Work& w) { each<i32>(w, [](i32 a, i32 b) { return O::template apply<i32>(a, b); }); },
    [](Work& w) { each<u32>(w, [](u32 a, u32 b) { return O::template apply<u32>(a, b); }); },
    [](Work& w) { each<i64>(w, [](i64 a, i64 b) { return O::template apply<i64>(a, b); }); },
    [](Work& w) { each<u64>(w, [](u64 a, u64 b) { return O::template apply<u64>(a, b); }); },
    nullptr,
    nullptr,
    nullptr};

// Operations of dwords alone.
template <auto F>
constexpr std::array<Compute, 7> dwords{
    [](Work& w) {
      const u32 *a = w.a.as<u32>(), *b = w.b.as<u32>(), *c = w.c.as<u32>();
      for (u32 i = 0; i < w.lanes; ++i) w.out.as<u32>()[i] = F(a[i], b[i], c[i], true);
    },
    [](Work& w) {
      const u32 *a = w.a.as<u32>(), *b = w.b.as<u32>(), *c = w.c.as<u32>();
      for (u32 i = 0; i < w.lanes; ++i) w.out.as<u32>()[i] = F(a[i], b[i], c[i], false);
    },
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr};

constexpr auto leading_zeros = [](u32 a, u32, u32, bool) { return static_cast<u32>(std::countl_zero(a)); };
constexpr auto first_bit_high = [](u32 a, u32, u32, bool is_signed) {
  const u32 looked = is_signed && static_cast<i32>(a) < 0 ? ~a : a;
  return looked == 0 ? ~u32{0} : static_cast<u32>(std::countl_zero(looked));
};
constexpr auto first_bit_low = [](u32 a, u32, u32, bool) {
  return a == 0 ? ~u32{0} : static_cast<u32>(std::countr_zero(a));
};
constexpr auto bit_count = [](u32 a, u32, u32, bool) { return static_cast<u32>(std::popcount(a)); };
constexpr auto bit_reverse = [](u32 a, u32, u32, bool) {
  u32 made = 0;
  for (u32 i = 0; i < 32; ++i) made |= ((a >> i) & 1) << (31 - i);
  return made;
};
// Width, offset, value.
constexpr auto extract = [](u32 a, u32 b, u32 c, bool is_signed) -> u32 {
  const u32 width = a & 31, offset = b & 31;
  if (width == 0) return 0;
  if (offset + width >= 32) return is_signed ? static_cast<u32>(static_cast<i32>(c) >> offset) : c >> offset;
  const u32 up = c << (32 - width - offset);
  return is_signed ? static_cast<u32>(static_cast<i32>(up) >> (32 - width)) : up >> (32 - width);
};
constexpr auto make_mask = [](u32 a, u32 b, u32, bool) { return ((u32{1} << (a & 31)) - 1) << (b & 31); };
constexpr auto insert = [](u32 a, u32 b, u32 c, bool) { return (a & b) | (~a & c); };
// By zero the quotient is all ones and the remainder the dividend.
constexpr auto quotient = [](u32 a, u32 b, u32, bool is_signed) -> u32 {
  if (b == 0) return ~u32{0};
  if (!is_signed) return a / b;
  return static_cast<u32>(static_cast<i64>(static_cast<i32>(a)) / static_cast<i32>(b));
};
constexpr auto remainder = [](u32 a, u32 b, u32, bool is_signed) -> u32 {
  if (b == 0) return a;
  if (!is_signed) return a % b;
  return static_cast<u32>(static_cast<i64>(static_cast<i32>(a)) % static_cast<i32>(b));
};

constexpr Semantic named(std::string_view name, Flow flow) {
  Semantic made = value_semantic(name);
  made.flow = flow;
  return made;
}
constexpr Semantic divides(std::string_view name) {
  Semantic made = value_semantic(name);
  made.division = Division::whole;
  return made;
}
constexpr Semantic and_ = named("and", Flow::bit_and), or_ = named("or", Flow::bit_or),
                   xor_ = named("xor", Flow::bit_xor), not_ = named("not", Flow::bit_not),
                   shl = named("shl", Flow::shift_left), shr = named("shr", Flow::shift_right),
                   asr = named("asr", Flow::shift_right_signed), avg = value_semantic("avg"),
                   lzd = value_semantic("lzd"), fbh = value_semantic("fbh"), fbl = value_semantic("fbl"),
                   cbit = value_semantic("cbit"), bfrev = named("bfrev", Flow::reverse_bits),
                   bfe = named("bfe", Flow::reverse_extract), bfi1 = value_semantic("bfi1"),
                   bfi2 = named("bfi2", Flow::insert_field), iqot = divides("math.iqot"),
                   irem = divides("math.irem");

constexpr ValueOperation operations[] = {
    {"and", 2, Domain::integer, Cost::valu_full, &and_, integers<And>},
    {"or", 2, Domain::integer, Cost::valu_full, &or_, integers<Or>},
    {"xor", 2, Domain::integer, Cost::valu_full, &xor_, integers<Xor>},
    {"not", 1, Domain::integer, Cost::valu_full, &not_, integers<Not>},
    {"shl", 2, Domain::integer, Cost::valu_full, &shl, integers<ShiftLeft>},
    {"shr", 2, Domain::integer, Cost::valu_full, &shr, integers<ShiftRight>, true},
    {"asr", 2, Domain::integer, Cost::valu_full, &asr, integers<ShiftRightSigned>, true},
    {"avg", 2, Domain::integer, Cost::valu_full, &avg, integers<Average>, true},
    {"lzd", 1, Domain::bits32, Cost::valu_full, &lzd, dwords<leading_zeros>, true},
    {"fbh", 1, Domain::bits32, Cost::valu_full, &fbh, dwords<first_bit_high>, true},
    {"fbl", 1, Domain::bits32, Cost::valu_full, &fbl, dwords<first_bit_low>, true},
    {"cbit", 1, Domain::bits32, Cost::valu_full, &cbit, dwords<bit_count>, true},
    {"bfrev", 1, Domain::bits32, Cost::valu_full, &bfrev, dwords<bit_reverse>},
    {"bfe", 3, Domain::bits32, Cost::valu_full, &bfe, dwords<extract>, true},
    {"bfi1", 2, Domain::bits32, Cost::valu_full, &bfi1, dwords<make_mask>},
    {"bfi2", 3, Domain::bits32, Cost::valu_full, &bfi2, dwords<insert>},
    {"math.iqot", 2, Domain::bits32, Cost::valu_transcendental, &iqot, dwords<quotient>, true},
    {"math.irem", 2, Domain::bits32, Cost::valu_transcendental, &irem, dwords<remainder>, true},
};

template <class C>
using Binary = C (*)(C, C);

}  // namespace

std::span<const ValueOperation> integer_operations() {
  return operations;
}

// Arithmetic that integers and floats share: float_operations.cpp has the table.
template <class O>
static Compute integer_compute(Class computes) {
  return integers<O>[static_cast<u32>(computes)];
}
Compute integer_move(Class computes) {
  return integer_compute<Move>(computes);
}
Compute integer_add(Class computes) {
  return integer_compute<Add>(computes);
}
Compute integer_multiply(Class computes) {
  return integer_compute<Multiply>(computes);
}

}  // namespace lockstep::gen
