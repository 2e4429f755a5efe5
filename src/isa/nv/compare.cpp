// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.5 and 9.7.6 (Comparison and Selection
// Instructions). set, and setp with a second predicate, are made of setp, logic on predicates and selp when a
// program is loaded.
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

enum class Cmp : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
constexpr std::string_view cmp_names[] = {"setp.eq",  "setp.ne",  "setp.lt",  "setp.le",  "setp.gt",
                                          "setp.ge",  "setp.equ", "setp.neu", "setp.ltu", "setp.leu",
                                          "setp.gtu", "setp.geu", "setp.num", "setp.nan"};

// `unordered` is whether an operand is a NaN; the plain comparisons of NaNs are false but for ne, which PTX
// wants false as well.
template <Cmp C, class T>
[[gnu::always_inline]] inline bool holds(T a, T b, bool unordered) {
  switch (C) {
    case Cmp::eq:
      return a == b;
    case Cmp::ne:
      return a != b && !unordered;
    case Cmp::lt:
      return a < b;
    case Cmp::le:
      return a <= b;
    case Cmp::gt:
      return a > b;
    case Cmp::ge:
      return a >= b;
    case Cmp::equ:
      return a == b || unordered;
    case Cmp::neu:
      return a != b;
    case Cmp::ltu:
      return !(a >= b);
    case Cmp::leu:
      return !(a > b);
    case Cmp::gtu:
      return !(a <= b);
    case Cmp::geu:
      return !(a < b);
    case Cmp::num:
      return !unordered;
    case Cmp::nan:
      return unordered;
  }
  return false;
}

constexpr Relation relation_of(Cmp comparison) {
  switch (comparison) {
    case Cmp::eq:
      return Relation::equal;
    case Cmp::ne:
      return Relation::not_equal;
    case Cmp::lt:
      return Relation::less;
    case Cmp::le:
      return Relation::less_equal;
    case Cmp::gt:
      return Relation::greater;
    case Cmp::ge:
      return Relation::greater_equal;
    default:
      return Relation::unknown;
  }
}

template <Cmp C, class T>
struct Integers {
  static constexpr std::string_view name = joined<cmp_names[static_cast<u32>(C)], dot, type_name<T>>;
  static constexpr Flow flow = Flow::compare;
  static constexpr Relation relation = relation_of(C);
  static bool apply(T a, T b) { return holds<C, T>(a, b, false); }
};
// A float as one that the host compares.
template <bool Ftz>
[[gnu::always_inline]] inline f32 comparable(f32 a) {
  return flushed<Ftz>(a);
}
template <bool>
[[gnu::always_inline]] inline f64 comparable(f64 a) {
  return a;
}
template <bool Ftz>
[[gnu::always_inline]] inline f32 comparable(F16 a) {
  return f16_to_f32(Ftz ? flush_f16(a.bits) : a.bits);
}
template <bool>
[[gnu::always_inline]] inline f32 comparable(Bf16 a) {
  return bf16_to_f32(a.bits);
}
template <Cmp C, class T, bool Ftz = false>
struct Floats {
  static constexpr std::string_view name =
      joined<cmp_names[static_cast<u32>(C)], ftz_suffix<Ftz>, dot, type_name<T>>;
  static constexpr Flow flow = Flow::compare;
  static bool apply(T a, T b) {
    const auto x = comparable<Ftz>(a), y = comparable<Ftz>(b);
    return holds<C, decltype(comparable<Ftz>(T{}))>(x, y, x != x || y != y);
  }
};
// One half of two packed ones: the first predicate is of the low halves, the second of the high ones.
constexpr std::string_view packed_words[] = {".f16x2", ".f16x2 high"};
template <Cmp C, bool Ftz, bool High>
struct PackedF16s {
  static constexpr std::string_view name =
      joined<cmp_names[static_cast<u32>(C)], ftz_suffix<Ftz>, packed_words[High]>;
  static constexpr Flow flow = Flow::compare;
  static bool apply(u32 a, u32 b) {
    return Floats<C, F16, Ftz>::apply({static_cast<u16>(High ? a >> 16 : a)},
                                      {static_cast<u16>(High ? b >> 16 : b)});
  }
};

constexpr u16 keeps = Instruction::merge_mask;

template <Cmp C>
void add_floats(Opcodes& o) {
  constexpr std::string_view name = cmp_names[static_cast<u32>(C)];
  o.add({name, ".f32"}, semantic32<Floats<C, f32>>, Cost::valu_full, keeps);
  o.add({name, ".ftz.f32"}, semantic32<Floats<C, f32, true>>, Cost::valu_full, keeps);
  o.add({name, ".f64"}, semantic32<Floats<C, f64>>, Cost::valu_f64_add, keeps);
  o.add({name, ".f16"}, semantic32<Floats<C, F16>>, Cost::valu_f16, keeps);
  o.add({name, ".ftz.f16"}, semantic32<Floats<C, F16, true>>, Cost::valu_f16, keeps);
  o.add({name, ".f16x2"}, semantic32<PackedF16s<C, false, false>>, Cost::valu_f16, keeps);
  o.add({name, ".ftz.f16x2"}, semantic32<PackedF16s<C, true, false>>, Cost::valu_f16, keeps);
  o.add({name, ".f16x2 high"}, semantic32<PackedF16s<C, false, true>>, Cost::valu_f16, keeps);
  o.add({name, ".ftz.f16x2 high"}, semantic32<PackedF16s<C, true, true>>, Cost::valu_f16, keeps);
  o.add({name, ".bf16"}, semantic32<Floats<C, Bf16>>, Cost::valu_f16, keeps);
}

template <class T, Cmp C>
void add_integer(Opcodes& o, std::string_view type, std::string_view word) {
  o.add({"setp.", word, ".", type}, semantic32<Integers<C, T>>,
        sizeof(T) == 8 ? Cost::valu_half : Cost::valu_full, keeps);
}
template <class T>
void add_integers(Opcodes& o, std::string_view type) {
  add_integer<T, Cmp::eq>(o, type, "eq");
  add_integer<T, Cmp::ne>(o, type, "ne");
  add_integer<T, Cmp::lt>(o, type, "lt");
  add_integer<T, Cmp::le>(o, type, "le");
  add_integer<T, Cmp::gt>(o, type, "gt");
  add_integer<T, Cmp::ge>(o, type, "ge");
  if constexpr (!std::is_signed_v<T>) {
    add_integer<T, Cmp::lt>(o, type, "lo");
    add_integer<T, Cmp::le>(o, type, "ls");
    add_integer<T, Cmp::gt>(o, type, "hi");
    add_integer<T, Cmp::ge>(o, type, "hs");
  }
}
template <class T>
void add_bits(Opcodes& o, std::string_view type) {
  add_integer<T, Cmp::eq>(o, type, "eq");
  add_integer<T, Cmp::ne>(o, type, "ne");
}

// selp d, a, b, p
constexpr std::string_view selp_word = "selp.", slct_word = "slct.";
template <class T>
struct Selp {
  static constexpr std::string_view name = joined<selp_word, type_name<T>>;
  static constexpr Flow flow = Flow::scalar_select;
  static T apply(T a, T b, bool p) { return p ? a : b; }
};
// slct d, a, b, c: a where c >= 0; a NaN is not, -0 is.
template <class T, bool Ftz>
struct SlctF32 {
  static constexpr std::string_view name = joined<slct_word, type_name<T>, dot, type_name<f32>>;
  static T apply(T a, T b, f32 c) { return flushed<Ftz>(c) >= 0 ? a : b; }
};
template <class T>
struct SlctS32 {
  static constexpr std::string_view name = joined<slct_word, type_name<T>, dot, type_name<i32>>;
  static T apply(T a, T b, i32 c) { return c >= 0 ? a : b; }
};
template <class T>
void add_selects(Opcodes& o, std::initializer_list<const char*> types) {
  for (const std::string_view type : types) {
    o.add({"selp.", type}, semantic32<Selp<T>>, Cost::valu_full);
    o.add({"slct.", type, ".s32"}, semantic32<SlctS32<T>>, Cost::valu_full);
    o.add({"slct.", type, ".f32"}, semantic32<SlctF32<T, false>>, Cost::valu_full);
    o.add({"slct.ftz.", type, ".f32"}, semantic32<SlctF32<T, true>>, Cost::valu_full);
  }
}

}  // namespace

void add_compare(Opcodes& o) {
  add_floats<Cmp::eq>(o);
  add_floats<Cmp::ne>(o);
  add_floats<Cmp::lt>(o);
  add_floats<Cmp::le>(o);
  add_floats<Cmp::gt>(o);
  add_floats<Cmp::ge>(o);
  add_floats<Cmp::equ>(o);
  add_floats<Cmp::neu>(o);
  add_floats<Cmp::ltu>(o);
  add_floats<Cmp::leu>(o);
  add_floats<Cmp::gtu>(o);
  add_floats<Cmp::geu>(o);
  add_floats<Cmp::num>(o);
  add_floats<Cmp::nan>(o);
  add_integers<u16>(o, "u16");
  add_integers<i16>(o, "s16");
  add_integers<u32>(o, "u32");
  add_integers<i32>(o, "s32");
  add_integers<u64>(o, "u64");
  add_integers<i64>(o, "s64");
  add_bits<u16>(o, "b16");
  add_bits<u32>(o, "b32");
  add_bits<u64>(o, "b64");
  add_selects<u16>(o, {"b16", "u16", "s16", "f16"});
  add_selects<u32>(o, {"b32", "u32", "s32", "f32", "f16x2"});
  add_selects<u64>(o, {"b64", "u64", "s64", "f64"});
}

}  // namespace lockstep::nv
