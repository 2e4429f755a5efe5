// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.1 (popc, clz, bfind, fns, brev, bfe, bfi, bmsk,
// szext), 9.7.7 and 9.7.8 (Logic and Shift Instructions), 9.7.9 (prmt).
#include <algorithm>
#include <bit>

#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::string_view and_word = "and.b", or_word = "or.b", xor_word = "xor.b", not_word = "not.b",
                           cnot_word = "cnot.b", shl_word = "shl.b", shr_word = "shr.", popc_word = "popc.b",
                           clz_word = "clz.b", brev_word = "brev.b", bfind_word = "bfind.",
                           shift_word = "bfind.shiftamt.", bfe_word = "bfe.", bfi_word = "bfi.b",
                           szext_clamp_word = "szext.clamp.", szext_wrap_word = "szext.wrap.", sixteen = "16",
                           thirty_two = "32", sixty_four = "64";
template <class T>
inline constexpr const std::string_view& width_name = sizeof(T) == 2   ? sixteen
                                                      : sizeof(T) == 4 ? thirty_two
                                                                       : sixty_four;

template <class T>
struct And {
  static constexpr std::string_view name = joined<and_word, width_name<T>>;
  static constexpr Flow flow = Flow::bit_and;
  static T apply(T a, T b) { return static_cast<T>(a & b); }
};
template <class T>
struct Or {
  static constexpr std::string_view name = joined<or_word, width_name<T>>;
  static constexpr Flow flow = Flow::bit_or;
  static T apply(T a, T b) { return static_cast<T>(a | b); }
};
template <class T>
struct Xor {
  static constexpr std::string_view name = joined<xor_word, width_name<T>>;
  static constexpr Flow flow = Flow::bit_xor;
  static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T>
struct Not {
  static constexpr std::string_view name = joined<not_word, width_name<T>>;
  static constexpr Flow flow = Flow::bit_not;
  static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct Cnot {
  static constexpr std::string_view name = joined<cnot_word, width_name<T>>;
  static T apply(T a) { return a == 0 ? 1 : 0; }
};
// Shift counts are 32 bits wide and clamp to the operand's width.
template <class T>
struct Shl {
  static constexpr std::string_view name = joined<shl_word, width_name<T>>;
  static constexpr Flow flow = Flow::shift_left;
  static T apply(T a, u32 count) {
    const u64 shifted = u64{a} << (count & 63);
    return count >= sizeof(T) * 8 ? T{0} : static_cast<T>(shifted);
  }
};
template <class T>
struct Shr {
  static constexpr std::string_view name = joined<shr_word, type_name<T>>;
  static constexpr Flow flow = std::is_signed_v<T> ? Flow::shift_right_signed : Flow::shift_right;
  static T apply(T a, u32 count) {
    constexpr u32 width = sizeof(T) * 8;
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (count < width ? count : width - 1));
    } else {
      const T shifted = static_cast<T>(a >> (count & (width - 1)));
      return count >= width ? T{0} : shifted;
    }
  }
};
template <class T>
struct Popc {
  static constexpr std::string_view name = joined<popc_word, width_name<T>>;
  static u32 apply(T a) { return static_cast<u32>(std::popcount(a)); }
};
template <class T>
struct Clz {
  static constexpr std::string_view name = joined<clz_word, width_name<T>>;
  static u32 apply(T a) { return static_cast<u32>(std::countl_zero(a)); }
};
template <class T>
[[gnu::always_inline]] inline T reversed(T a) {
  u64 v = a;
  v = ((v >> 1) & 0x5555555555555555u) | ((v & 0x5555555555555555u) << 1);
  v = ((v >> 2) & 0x3333333333333333u) | ((v & 0x3333333333333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((v & 0x0F0F0F0F0F0F0F0Fu) << 4);
  return static_cast<T>(__builtin_bswap64(v) >> (64 - sizeof(T) * 8));
}
template <class T>
struct Brev {
  static constexpr std::string_view name = joined<brev_word, width_name<T>>;
  static T apply(T a) { return reversed(a); }
};
// The most significant bit that is not a sign bit; none: all ones.
template <class T>
[[gnu::always_inline]] inline u32 found_bit(T a, bool as_shift) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 width = sizeof(T) * 8;
  U magnitude = static_cast<U>(a);
  if constexpr (std::is_signed_v<T>) {
    if (a < 0) magnitude = static_cast<U>(~magnitude);
  }
  if (magnitude == 0) return ~u32{0};
  const u32 leading = static_cast<u32>(std::countl_zero(magnitude));
  return as_shift ? leading : width - 1 - leading;
}
template <class T>
struct Bfind {
  static constexpr std::string_view name = joined<bfind_word, type_name<T>>;
  static u32 apply(T a) { return found_bit(a, false); }
};
template <class T>
struct BfindShift {
  static constexpr std::string_view name = joined<shift_word, type_name<T>>;
  static u32 apply(T a) { return found_bit(a, true); }
};
template <u32 Width>
constexpr u32 field_operand(u32 value) {
  return Width == 64 ? std::min(value, 0xFFFFu) : value & 0xFF;
}
// Position and length are the low bytes of their operands; of the 64-bit forms, which hardware lacks and the
// assembler makes of shifts, the whole operands (measured on an H200, tests/nvidia). Bits past the top are
// copies of the sign for signed types, where the sign is bit min(position + length - 1, top).
template <class T>
struct Bfe {
  using U = std::make_unsigned_t<T>;
  static constexpr std::string_view name = joined<bfe_word, type_name<T>>;
  static T apply(T a, u32 position, u32 length) {
    constexpr u32 width = sizeof(T) * 8;
    const u32 at = field_operand<width>(position), count = field_operand<width>(length);
    const U bits = static_cast<U>(a);
    const U moved = at >= width ? U{0} : static_cast<U>(bits >> (at & (width - 1)));
    const U mask =
        count >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << (count & (width - 1))) - 1);
    U result = moved & mask;
    if constexpr (std::is_signed_v<T>) {
      const u32 sign_at = std::min(at + count - 1, width - 1);
      const bool sign = count != 0 && ((bits >> sign_at) & 1) != 0;
      // Bits of the field that lie above the operand are sign as well.
      const u32 present = at >= width ? 0 : std::min(count, width - at);
      const U field = present >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << present) - 1);
      result = sign ? static_cast<U>((moved & field) | ~field) : static_cast<U>(moved & field);
    }
    return static_cast<T>(result);
  }
};
template <class T>
struct Bfi {
  static constexpr std::string_view name = joined<bfi_word, width_name<T>>;
  static T apply(T field, T base, u32 position, u32 length) {
    constexpr u32 width = sizeof(T) * 8;
    const u32 at = field_operand<width>(position), count = field_operand<width>(length);
    const T ones =
        count >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << (count & (width - 1))) - 1);
    const T mask = at >= width ? T{0} : static_cast<T>(ones << (at & (width - 1)));
    const T moved = at >= width ? T{0} : static_cast<T>(field << (at & (width - 1)));
    return static_cast<T>((base & ~mask) | (moved & mask));
  }
};
// The n-th set bit from `base` on, upwards for a positive offset, downwards for a negative one.
struct Fns {
  static constexpr std::string_view name = "fns.b32";
  static u32 apply(u32 mask, u32 base, i32 offset) {
    if (offset == std::numeric_limits<i32>::min()) return 0;  // as an H200 answers
    if (base > 31) return ~u32{0};
    if (offset == 0) return ((mask >> base) & 1) != 0 ? base : ~u32{0};
    const i32 step = offset > 0 ? 1 : -1;
    i64 left = offset > 0 ? i64{offset} : -i64{offset};
    for (i32 at = static_cast<i32>(base); at >= 0 && at < 32; at += step) {
      if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<u32>(at);
    }
    return ~u32{0};
  }
};
template <bool Clamp>
struct Bmsk {
  static constexpr std::string_view name = Clamp ? "bmsk.clamp.b32" : "bmsk.wrap.b32";
  static u32 apply(u32 position, u32 length) {
    const u32 at = Clamp ? std::min(position, 32u) : position & 31,
              count = Clamp ? std::min(length, 32u) : length & 31;
    const u64 ones = (u64{1} << count) - 1;
    return static_cast<u32>(ones << at);
  }
};
// The value's low bits, extended to 32; without any, 0.
template <class T, bool Clamp>
struct Szext {
  static constexpr std::string_view name = joined < Clamp ? szext_clamp_word : szext_wrap_word,
                                    type_name < T >>
      ;
  static T apply(T a, u32 width) {
    const u32 count = Clamp ? std::min(width, 32u) : width & 31;
    if (count == 0) return 0;
    const u32 shift = 32 - count;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << shift) >> shift);
  }
};
struct Lop3 {
  static constexpr std::string_view name = "lop3.b32";
  static u32 apply(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 i = 0; i < 8; ++i) {
      const u32 term = ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
      result |= term & (0 - ((table >> i) & 1));
    }
    return result;
  }
};
// Funnel shifts of the pair b:a.
template <bool Left, bool Clamp>
struct Shf {
  static constexpr std::string_view name =
      Left ? (Clamp ? "shf.l.clamp.b32" : "shf.l.wrap.b32") : (Clamp ? "shf.r.clamp.b32" : "shf.r.wrap.b32");
  static u32 apply(u32 a, u32 b, u32 count) {
    const u32 n = Clamp ? std::min(count, 32u) : count & 31;
    const u64 pair = a | u64{b} << 32;
    return Left ? static_cast<u32>((pair << n) >> 32) : static_cast<u32>(pair >> n);
  }
};

[[gnu::always_inline]] inline u32 picked_byte(u64 bytes, u32 selector) {
  const u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xFF;
  const u32 sign = (byte & 0x80) != 0 ? 0xFFu : 0u;
  return (selector & 8) != 0 ? sign : byte;
}
struct Prmt {
  static constexpr std::string_view name = "prmt.b32";
  static u32 apply(u32 a, u32 b, u32 select) {
    const u64 bytes = a | u64{b} << 32;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) result |= picked_byte(bytes, select >> (4 * i)) << (8 * i);
    return result;
  }
};
enum class PrmtMode : u8 { f4e, b4e, rc8, ecl, ecr, rc16 };
constexpr std::string_view prmt_names[] = {"prmt.b32.f4e", "prmt.b32.b4e", "prmt.b32.rc8",
                                           "prmt.b32.ecl", "prmt.b32.ecr", "prmt.b32.rc16"};
template <PrmtMode M>
struct PrmtIn {
  static constexpr std::string_view name = prmt_names[static_cast<u32>(M)];
  static u32 apply(u32 a, u32 b, u32 select) {
    const u64 bytes = a | u64{b} << 32;
    const u32 n = select & 3;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 from = M == PrmtMode::f4e   ? n + i
                       : M == PrmtMode::b4e ? (n - i) & 7
                       : M == PrmtMode::rc8 ? n
                       : M == PrmtMode::ecl ? std::max(n, i)
                       : M == PrmtMode::ecr ? std::min(n, i)
                                            : (n & 1) * 2 + (i & 1);
      result |= static_cast<u32>((bytes >> (8 * from)) & 0xFF) << (8 * i);
    }
    return result;
  }
};

template <class T>
void add_logic(Opcodes& o, const char* width) {
  const std::string w = std::string(".b") + width;
  o.add("and" + w, semantic32<And<T>>, Cost::valu_full);
  o.add("or" + w, semantic32<Or<T>>, Cost::valu_full);
  o.add("xor" + w, semantic32<Xor<T>>, Cost::valu_full);
  o.add("not" + w, semantic32<Not<T>>, Cost::valu_full);
  o.add("cnot" + w, semantic32<Cnot<T>>, Cost::valu_full);
  o.add("shl" + w, semantic32<Shl<T>>, Cost::valu_half);
  o.add("shr" + w, semantic32<Shr<T>>, Cost::valu_half);
  o.add(std::string("shr.u") + width, semantic32<Shr<T>>, Cost::valu_half);
  o.add(std::string("shr.s") + width, semantic32<Shr<std::make_signed_t<T>>>, Cost::valu_half);
  if constexpr (sizeof(T) >= 4) {
    using S = std::make_signed_t<T>;
    o.add("popc" + w, semantic32<Popc<T>>, Cost::valu_quarter);
    o.add("clz" + w, semantic32<Clz<T>>, Cost::valu_quarter);
    o.add("brev" + w, semantic32<Brev<T>>, Cost::valu_quarter);
    o.add(std::string("bfind.u") + width, semantic32<Bfind<T>>, Cost::valu_quarter);
    o.add(std::string("bfind.s") + width, semantic32<Bfind<S>>, Cost::valu_quarter);
    o.add(std::string("bfind.shiftamt.u") + width, semantic32<BfindShift<T>>, Cost::valu_quarter);
    o.add(std::string("bfind.shiftamt.s") + width, semantic32<BfindShift<S>>, Cost::valu_quarter);
    o.add(std::string("bfe.u") + width, semantic32<Bfe<T>>, Cost::valu_half);
    o.add(std::string("bfe.s") + width, semantic32<Bfe<S>>, Cost::valu_half);
    o.add("bfi" + w, semantic32<Bfi<T>>, Cost::valu_half);
  }
}

}  // namespace

void add_bits(Opcodes& o) {
  add_logic<u16>(o, "16");
  add_logic<u32>(o, "32");
  add_logic<u64>(o, "64");
  o.add("fns.b32", semantic32<Fns>, Cost::valu_quarter);
  o.add("bmsk.clamp.b32", semantic32<Bmsk<true>>, Cost::valu_half);
  o.add("bmsk.wrap.b32", semantic32<Bmsk<false>>, Cost::valu_half);
  o.add("szext.clamp.u32", semantic32<Szext<u32, true>>, Cost::valu_half);
  o.add("szext.clamp.s32", semantic32<Szext<i32, true>>, Cost::valu_half);
  o.add("szext.wrap.u32", semantic32<Szext<u32, false>>, Cost::valu_half);
  o.add("szext.wrap.s32", semantic32<Szext<i32, false>>, Cost::valu_half);
  o.add("lop3.b32", semantic32<Lop3>, Cost::valu_full);
  o.add("shf.l.clamp.b32", semantic32<Shf<true, true>>, Cost::valu_half);
  o.add("shf.l.wrap.b32", semantic32<Shf<true, false>>, Cost::valu_half);
  o.add("shf.r.clamp.b32", semantic32<Shf<false, true>>, Cost::valu_half);
  o.add("shf.r.wrap.b32", semantic32<Shf<false, false>>, Cost::valu_half);
  o.add("prmt.b32", semantic32<Prmt>, Cost::valu_full);
  o.add("prmt.b32.f4e", semantic32<PrmtIn<PrmtMode::f4e>>, Cost::valu_full);
  o.add("prmt.b32.b4e", semantic32<PrmtIn<PrmtMode::b4e>>, Cost::valu_full);
  o.add("prmt.b32.rc8", semantic32<PrmtIn<PrmtMode::rc8>>, Cost::valu_full);
  o.add("prmt.b32.ecl", semantic32<PrmtIn<PrmtMode::ecl>>, Cost::valu_full);
  o.add("prmt.b32.ecr", semantic32<PrmtIn<PrmtMode::ecr>>, Cost::valu_full);
  o.add("prmt.b32.rc16", semantic32<PrmtIn<PrmtMode::rc16>>, Cost::valu_full);
}

}  // namespace lockstep::nv
