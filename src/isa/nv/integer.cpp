// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.1 (Integer Arithmetic Instructions).
#include <algorithm>

#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Twice as wide, for high halves of products.
template <class T>
struct Wider;
template <>
struct Wider<u16> {
  using Type = u32;
};
template <>
struct Wider<i16> {
  using Type = i32;
};
template <>
struct Wider<u32> {
  using Type = u64;
};
template <>
struct Wider<i32> {
  using Type = i64;
};
template <>
struct Wider<u64> {
  using Type = unsigned __int128;
};
template <>
struct Wider<i64> {
  using Type = __int128;
};
template <class T>
using Wide = typename Wider<T>::Type;

template <class T>
[[gnu::always_inline]] inline T wrapped_product(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <class T>
[[gnu::always_inline]] inline T high_product(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >>
                        (sizeof(T) * 8));
}
template <class T>
[[gnu::always_inline]] inline T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}

constexpr std::string_view add_word = "add.", sub_word = "sub.", mul_lo_word = "mul.lo.",
                           mul_hi_word = "mul.hi.", mul_wide_word = "mul.wide.", mad_lo_word = "mad.lo.",
                           mad_hi_word = "mad.hi.", mad_wide_word = "mad.wide.", sad_word = "sad.",
                           div_word = "div.", rem_word = "rem.", abs_word = "abs.", neg_word = "neg.",
                           min_word = "min.", max_word = "max.";

template <class T>
struct Add {
  static constexpr std::string_view name = joined<add_word, type_name<T>>;
  static constexpr Flow flow = Flow::carries_up;
  static T apply(T a, T b) { return wrapped_sum(a, b); }
};
template <class T>
struct Sub {
  static constexpr std::string_view name = joined<sub_word, type_name<T>>;
  static constexpr Flow flow = Flow::carries_up;
  static constexpr bool cancels = true;
  static T apply(T a, T b) { return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b)); }
};
template <class T>
struct MulLo {
  static constexpr std::string_view name = joined<mul_lo_word, type_name<T>>;
  static constexpr Flow flow = Flow::multiply;
  static T apply(T a, T b) { return wrapped_product(a, b); }
};
template <class T>
struct MulHi {
  static constexpr std::string_view name = joined<mul_hi_word, type_name<T>>;
  static T apply(T a, T b) { return high_product(a, b); }
};
template <class T>
struct MulWide {
  static constexpr std::string_view name = joined<mul_wide_word, type_name<T>>;
  static constexpr Flow flow = Flow::carries_up;
  static Wide<T> apply(T a, T b) { return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * b); }
};
// 65535 * 65535 overflows the host's int: u16 products are made in u32.
template <>
struct MulWide<u16> {
  static constexpr std::string_view name = "mul.wide.u16";
  static constexpr Flow flow = Flow::carries_up;
  static u32 apply(u16 a, u16 b) { return u32{a} * u32{b}; }
};
template <class T>
struct MadLo {
  static constexpr std::string_view name = joined<mad_lo_word, type_name<T>>;
  static constexpr Flow flow = Flow::carries_up;
  static T apply(T a, T b, T c) { return wrapped_sum(wrapped_product(a, b), c); }
};
template <class T>
struct MadHi {
  static constexpr std::string_view name = joined<mad_hi_word, type_name<T>>;
  static T apply(T a, T b, T c) { return wrapped_sum(high_product(a, b), c); }
};
struct MadHiSat {
  static constexpr std::string_view name = "mad.hi.sat.s32";
  static i32 apply(i32 a, i32 b, i32 c) {
    const i64 sum = i64{high_product(a, b)} + c;
    return static_cast<i32>(std::clamp<i64>(sum, INT32_MIN, INT32_MAX));
  }
};
template <class T>
struct MadWide {
  static constexpr std::string_view name = joined<mad_wide_word, type_name<T>>;
  static Wide<T> apply(T a, T b, Wide<T> c) { return wrapped_sum(MulWide<T>::apply(a, b), c); }
};
template <class T>
struct Sad {
  static constexpr std::string_view name = joined<sad_word, type_name<T>>;
  static T apply(T a, T b, T c) {
    const u64 difference =
        a < b ? static_cast<u64>(b) - static_cast<u64>(a) : static_cast<u64>(a) - static_cast<u64>(b);
    return static_cast<T>(difference + static_cast<u64>(c));
  }
};
// Division by zero gives all ones for unsigned numbers and what the hardware's sequence was seen to give for
// signed ones: the manual leaves it open ("unspecified, machine-specific value").
template <class T>
struct Div {
  static constexpr std::string_view name = joined<div_word, type_name<T>>;
  static constexpr Division division = Division::whole;
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~u64{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0 - static_cast<u64>(a));
    }
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static constexpr std::string_view name = joined<rem_word, type_name<T>>;
  static constexpr Division division = Division::whole;
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});  // the manual leaves it open; all ones on an H200
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Abs {
  static constexpr std::string_view name = joined<abs_word, type_name<T>>;
  static T apply(T a) { return a < 0 ? static_cast<T>(0 - static_cast<u64>(a)) : a; }
};
template <class T>
struct Neg {
  static constexpr std::string_view name = joined<neg_word, type_name<T>>;
  static T apply(T a) { return static_cast<T>(0 - static_cast<u64>(a)); }
};
template <class T>
struct Min {
  static constexpr std::string_view name = joined<min_word, type_name<T>>;
  static T apply(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static constexpr std::string_view name = joined<max_word, type_name<T>>;
  static T apply(T a, T b) { return a < b ? b : a; }
};
struct AddSat {
  static constexpr std::string_view name = "add.sat.s32";
  static i32 apply(i32 a, i32 b) {
    return static_cast<i32>(std::clamp<i64>(i64{a} + b, INT32_MIN, INT32_MAX));
  }
};
struct SubSat {
  static constexpr std::string_view name = "sub.sat.s32";
  static i32 apply(i32 a, i32 b) {
    return static_cast<i32>(std::clamp<i64>(i64{a} - b, INT32_MIN, INT32_MAX));
  }
};

// 24-bit operands: mul24.lo takes bits 31:0 of the 48-bit product, mul24.hi bits 47:16.
[[gnu::always_inline]] inline i64 product24(i32 a, i32 b) {
  return i64{static_cast<i32>(static_cast<u32>(a) << 8) >> 8} *
         (static_cast<i32>(static_cast<u32>(b) << 8) >> 8);
}
[[gnu::always_inline]] inline u64 product24(u32 a, u32 b) {
  return u64{a & 0xFFFFFF} * (b & 0xFFFFFF);
}
constexpr std::string_view mul24_lo_word = "mul24.lo.", mul24_hi_word = "mul24.hi.",
                           mad24_lo_word = "mad24.lo.", mad24_hi_word = "mad24.hi.";
template <class T>
struct Mul24Lo {
  static constexpr std::string_view name = joined<mul24_lo_word, type_name<T>>;
  static T apply(T a, T b) { return static_cast<T>(product24(a, b)); }
};
template <class T>
struct Mul24Hi {
  static constexpr std::string_view name = joined<mul24_hi_word, type_name<T>>;
  static T apply(T a, T b) { return static_cast<T>(product24(a, b) >> 16); }
};
template <class T>
struct Mad24Lo {
  static constexpr std::string_view name = joined<mad24_lo_word, type_name<T>>;
  static T apply(T a, T b, T c) { return wrapped_sum(Mul24Lo<T>::apply(a, b), c); }
};
template <class T>
struct Mad24Hi {
  static constexpr std::string_view name = joined<mad24_hi_word, type_name<T>>;
  static T apply(T a, T b, T c) { return wrapped_sum(Mul24Hi<T>::apply(a, b), c); }
};
struct Mad24HiSat {
  static constexpr std::string_view name = "mad24.hi.sat.s32";
  static i32 apply(i32 a, i32 b, i32 c) {
    return static_cast<i32>(std::clamp<i64>(i64{Mul24Hi<i32>::apply(a, b)} + c, INT32_MIN, INT32_MAX));
  }
};

// Bytes of a times bytes (dp4a) or halves of a times two bytes of b (dp2a), added to c.
template <class A>
[[gnu::always_inline]] inline i64 byte_of(u32 value, int i) {
  return static_cast<A>(value >> (8 * i));
}
constexpr std::string_view dp4a_word = "dp4a.", dp2a_lo_word = "dp2a.lo.", dp2a_hi_word = "dp2a.hi.";
template <class A, class B>
struct Dp4a {
  static constexpr std::string_view name = joined<dp4a_word, type_name<A>, dot, type_name<B>>;
  static u32 apply(u32 a, u32 b, u32 c) {
    i64 sum = c;
    for (int i = 0; i < 4; ++i) sum += byte_of<A>(a, i) * byte_of<B>(b, i);
    return static_cast<u32>(sum);
  }
};
template <class A, class B, bool High>
struct Dp2a {
  using HalfA = std::conditional_t<std::is_signed_v<A>, i16, u16>;
  static constexpr std::string_view name = joined < High ? dp2a_hi_word : dp2a_lo_word, type_name<A>, dot,
                                    type_name < B >>
      ;
  static u32 apply(u32 a, u32 b, u32 c) {
    i64 sum = c;
    for (int i = 0; i < 2; ++i)
      sum += i64{static_cast<HalfA>(a >> (16 * i))} * byte_of<B>(b, i + (High ? 2 : 0));
    return static_cast<u32>(sum);
  }
};

// Two 16-bit integers in a register.
constexpr std::string_view add_pair_word = "add.x2.", min_pair_word = "min.x2.", max_pair_word = "max.x2.";
template <class T, class F>
[[gnu::always_inline]] inline u32 on_halves(u32 a, u32 b, F function) {
  const u16 low = static_cast<u16>(function(static_cast<T>(a), static_cast<T>(b)));
  const u16 high = static_cast<u16>(function(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | u32{high} << 16;
}
template <class T>
struct AddPair {
  static constexpr std::string_view name = joined<add_pair_word, type_name<T>>;
  static u32 apply(u32 a, u32 b) {
    return on_halves<T>(a, b, [](T x, T y) { return x + y; });
  }
};
template <class T>
struct MinPair {
  static constexpr std::string_view name = joined<min_pair_word, type_name<T>>;
  static u32 apply(u32 a, u32 b) {
    return on_halves<T>(a, b, [](T x, T y) { return y < x ? y : x; });
  }
};
template <class T>
struct MaxPair {
  static constexpr std::string_view name = joined<max_pair_word, type_name<T>>;
  static u32 apply(u32 a, u32 b) {
    return on_halves<T>(a, b, [](T x, T y) { return x < y ? y : x; });
  }
};

template <class T>
constexpr Cost add_cost = sizeof(T) == 8 ? Cost::valu_half : Cost::valu_full;
template <class T>
constexpr Cost mul_cost = sizeof(T) == 2 ? Cost::valu_full : Cost::valu_quarter;

template <class T>
void add_type(Opcodes& o) {
  const std::string t = "." + std::string(type_name<T>);
  o.add("add" + t, semantic32<Add<T>>, add_cost<T>);
  o.add("sub" + t, semantic32<Sub<T>>, add_cost<T>);
  o.add("mul.lo" + t, semantic32<MulLo<T>>, mul_cost<T>);
  o.add("mul.hi" + t, semantic32<MulHi<T>>, mul_cost<T>);
  o.add("mad.lo" + t, semantic32<MadLo<T>>, mul_cost<T>);
  o.add("mad.hi" + t, semantic32<MadHi<T>>, mul_cost<T>);
  o.add("sad" + t, semantic32<Sad<T>>, Cost::valu_half);
  o.add("div" + t, semantic32<Div<T>>, Cost::valu_quarter);
  o.add("rem" + t, semantic32<Rem<T>>, Cost::valu_quarter);
  o.add("min" + t, semantic32<Min<T>>, add_cost<T>);
  o.add("max" + t, semantic32<Max<T>>, add_cost<T>);
  if constexpr (std::is_signed_v<T>) {
    o.add("abs" + t, semantic32<Abs<T>>, add_cost<T>);
    o.add("neg" + t, semantic32<Neg<T>>, add_cost<T>);
  }
  if constexpr (sizeof(T) < 8) {
    o.add("mul.wide" + t, semantic32<MulWide<T>>, mul_cost<T>);
    o.add("mad.wide" + t, semantic32<MadWide<T>>, mul_cost<T>);
  }
  if constexpr (sizeof(T) == 4) {
    o.add("mul24.lo" + t, semantic32<Mul24Lo<T>>, Cost::valu_full);
    o.add("mul24.hi" + t, semantic32<Mul24Hi<T>>, Cost::valu_full);
    o.add("mad24.lo" + t, semantic32<Mad24Lo<T>>, Cost::valu_full);
    o.add("mad24.hi" + t, semantic32<Mad24Hi<T>>, Cost::valu_full);
  }
}

template <class A, class B>
void add_dots(Opcodes& o, const std::string& types) {
  o.add("dp4a" + types, semantic32<Dp4a<A, B>>, Cost::valu_dot);
  o.add("dp2a.lo" + types, semantic32<Dp2a<A, B, false>>, Cost::valu_dot);
  o.add("dp2a.hi" + types, semantic32<Dp2a<A, B, true>>, Cost::valu_dot);
}

}  // namespace

void add_integer(Opcodes& o) {
  add_type<u16>(o);
  add_type<i16>(o);
  add_type<u32>(o);
  add_type<i32>(o);
  add_type<u64>(o);
  add_type<i64>(o);
  o.add("add.u16x2", semantic32<AddPair<u16>>, Cost::valu_full);
  o.add("add.s16x2", semantic32<AddPair<i16>>, Cost::valu_full);
  o.add("min.u16x2", semantic32<MinPair<u16>>, Cost::valu_full);
  o.add("min.s16x2", semantic32<MinPair<i16>>, Cost::valu_full);
  o.add("max.u16x2", semantic32<MaxPair<u16>>, Cost::valu_full);
  o.add("max.s16x2", semantic32<MaxPair<i16>>, Cost::valu_full);
  o.add("add.sat.s32", semantic32<AddSat>, Cost::valu_full);
  o.add("sub.sat.s32", semantic32<SubSat>, Cost::valu_full);
  o.add("mad.hi.sat.s32", semantic32<MadHiSat>, Cost::valu_quarter);
  o.add("mad24.hi.sat.s32", semantic32<Mad24HiSat>, Cost::valu_full);
  add_dots<u8, u8>(o, ".u32.u32");
  add_dots<u8, i8>(o, ".u32.s32");
  add_dots<i8, u8>(o, ".s32.u32");
  add_dots<i8, i8>(o, ".s32.s32");
}

}  // namespace lockstep::nv
