// Vector comparisons: v_cmp, v_cmpx (which writes EXEC too), v_cmp_class. One template for every relation and
// type; the rows are made from it.
// Source: "Vega Instruction Set Architecture", chapter VOPC; "RDNA 2 Instruction Set Architecture" for v_cmpx
// without a mask result; gfx6's and gfx7's v_cmps names differ in exceptions alone.
#include <vector>

#include "float/half.h"
#include "isa/amd/float_meanings.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

// ---- Integers ----
constexpr std::array<std::string_view, 9> integer_relation_names{"",   "f",  "lt", "eq", "le",
                                                                 "gt", "ne", "ge", "t"};

template <Relation R, class T>
struct CompareInteger {
  static constexpr Name text{"cmp_", integer_relation_names[static_cast<int>(R)], "_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::compare;
  static constexpr Relation relation = R;
  static bool apply(T a, T b) {
    switch (R) {
      case Relation::never:
        return false;
      case Relation::less:
        return a < b;
      case Relation::equal:
        return a == b;
      case Relation::less_equal:
        return a <= b;
      case Relation::greater:
        return a > b;
      case Relation::not_equal:
        return a != b;
      case Relation::greater_equal:
        return a >= b;
      default:
        return true;
    }
  }
};

// ---- Floats ----
// A relation holds for a set of the four outcomes less, equal, greater, unordered; the order of the names is
// the opcodes'.
constexpr u32 less = 1, equal = 2, greater = 4, unordered = 8;
struct FloatRelation {
  std::string_view name;
  u32 holds_for;
};
constexpr std::array<FloatRelation, 16> float_relations{{
    {"f", 0},
    {"lt", less},
    {"eq", equal},
    {"le", less | equal},
    {"gt", greater},
    {"lg", less | greater},
    {"ge", greater | equal},
    {"o", less | equal | greater},
    {"u", unordered},
    {"nge", less | unordered},
    {"nlg", equal | unordered},
    {"ngt", less | equal | unordered},
    {"nle", greater | unordered},
    {"neq", less | greater | unordered},
    {"nlt", greater | equal | unordered},
    {"tru", less | equal | greater | unordered},
}};

// The host's comparison of the four outcomes, without branches.
template <u32 holds_for, class T>
constexpr bool holds(T a, T b) {
  constexpr u32 ordered = holds_for & 7;
  bool result;
  if constexpr (ordered == 0) {
    result = false;
  } else if constexpr (ordered == less) {
    result = a < b;
  } else if constexpr (ordered == equal) {
    result = a == b;
  } else if constexpr (ordered == (less | equal)) {
    result = a <= b;
  } else if constexpr (ordered == greater) {
    result = a > b;
  } else if constexpr (ordered == (less | greater)) {
    result = (a < b) | (a > b);
  } else if constexpr (ordered == (greater | equal)) {
    result = a >= b;
  } else {
    result = (a == a) & (b == b);
  }
  if constexpr ((holds_for & unordered) != 0) result |= !((a == a) & (b == b));
  return result;
}

// Denormal sources count as zeros of their sign where the mode says so: bit 4 of MODE keeps those of f32,
// bit 6 those of f16 and f64.
constexpr u32 keeps_single = 1 << 4, keeps_wide = 1 << 6;

template <u32 outcome, class T>
struct CompareFloat {
  static constexpr Name text{"cmp_", float_relations[outcome].name, "_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr u32 holds_for = float_relations[outcome].holds_for;
  static constexpr Flow flow = Flow::compare;
  // What a float's undefined bits leave possible is not followed.
  static constexpr Relation relation = holds_for == 0    ? Relation::never
                                       : holds_for == 15 ? Relation::always
                                                         : Relation::unknown;

  static bool apply(T a, T b) {
    if constexpr (std::is_same_v<T, F16>) {
      return holds<holds_for>(f16_to_f32(a.bits), f16_to_f32(b.bits));
    } else {
      return holds<holds_for>(a, b);
    }
  }
  static bool apply_mode(T a, T b, u32 mode) {
    const bool keeps = (mode & (std::is_same_v<T, f32> ? keeps_single : keeps_wide)) != 0;
    return keeps ? apply(a, b) : apply(flushed(a), flushed(b));
  }
};

// One of ten classes, as float/amd.h numbers them. The denormal mode has no part in it.
template <class T>
struct Class {
  static constexpr Name text{"cmp_class_", type_name<T>()};
  static constexpr std::string_view name = text;
  static bool apply(T a, u32 classes) { return cmp_class<FormatOf<T>>(bits_of(a), classes); }
};

// ---- Rows ----
// Mnemonics of a relation live as long as the program.
template <class S>
struct Mnemonics {
  static constexpr Name compare{"v_", S::name};
  static constexpr Name compare_exec{"v_cmpx", S::name.substr(3)};
  static constexpr Name signal{"v_cmps", S::name.substr(3)};
  static constexpr Name signal_exec{"v_cmpsx", S::name.substr(3)};
  static constexpr Name scalar{"s_", S::name};
};

template <class S>
void add(std::vector<Row>& rows, u32 generations, Cost cost, bool has_signalling = false) {
  using M = Mnemonics<S>;
  rows.push_back({M::compare, &semantic<S>, cost, generations});
  rows.push_back({M::compare_exec, &semantic<S>, cost, generations & gfx6to9, writes_exec});
  if ((generations & rdna) != 0)
    rows.push_back({M::compare_exec, &semantic<S>, cost, generations & rdna, only_exec});
  if (has_signalling) {
    rows.push_back({M::signal, &semantic<S>, cost, gfx6 | gfx7});
    rows.push_back({M::signal_exec, &semantic<S>, cost, gfx6 | gfx7, writes_exec});
  }
}

template <class T, int... R>
void add_integers(std::vector<Row>& rows, u32 generations, Cost cost, std::integer_sequence<int, R...>) {
  // RDNA has no 16-bit compares that always or never hold.
  const auto having = [&](int relation) {
    return sizeof(T) == 2 && (relation == 0 || relation == 7) ? generations & gfx8to9 : generations;
  };
  (add<CompareInteger<Relation{R + 1}, T>>(rows, having(R), cost), ...);
}
template <class T, int... R>
void add_floats(std::vector<Row>& rows, u32 generations, Cost cost, std::integer_sequence<int, R...>) {
  (add<CompareFloat<R, T>>(rows, generations, cost, !std::is_same_v<T, F16>), ...);
}
// RDNA 4 compares floats in the scalar unit too: all relations but the constant ones.
template <class T, int... R>
void add_scalar_floats(std::vector<Row>& rows, std::integer_sequence<int, R...>) {
  (rows.push_back({Mnemonics<CompareFloat<R + 1, T>>::scalar, &semantic<OnScalar<CompareFloat<R + 1, T>>>,
                   Cost::salu, gfx12}),
   ...);
}

// RDNA 3 calls the float relation that always holds "t", as the integers' is called everywhere.
template <class T>
void add_always(std::vector<Row>& rows, Cost cost) {
  static constexpr Name compare{"v_cmp_t_", type_name<T>()}, compare_exec{"v_cmpx_t_", type_name<T>()};
  rows.push_back({compare, &semantic<CompareFloat<15, T>>, cost, gfx11 | gfx12});
  rows.push_back({compare_exec, &semantic<CompareFloat<15, T>>, cost, gfx11 | gfx12, only_exec});
}

}  // namespace

std::span<const Row> valu_compare_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> list;
    constexpr std::make_integer_sequence<int, 8> eight;
    add_integers<i16>(list, gfx8up, Cost::valu_full, eight);
    add_integers<u16>(list, gfx8up, Cost::valu_full, eight);
    add_integers<i32>(list, every, Cost::valu_full, eight);
    add_integers<u32>(list, every, Cost::valu_full, eight);
    add_integers<i64>(list, every, Cost::valu_f64_add, eight);
    add_integers<u64>(list, every, Cost::valu_f64_add, eight);
    constexpr std::make_integer_sequence<int, 16> sixteen;
    add_floats<F16>(list, gfx8up, Cost::valu_full, sixteen);
    add_floats<f32>(list, every, Cost::valu_full, sixteen);
    add_floats<f64>(list, every, Cost::valu_f64_add, sixteen);
    constexpr std::make_integer_sequence<int, 14> fourteen;
    add_scalar_floats<F16>(list, fourteen);
    add_scalar_floats<f32>(list, fourteen);
    add_always<F16>(list, Cost::valu_full);
    add_always<f32>(list, Cost::valu_full);
    add_always<f64>(list, Cost::valu_f64_add);
    add<Class<F16>>(list, gfx8up, Cost::valu_full);
    add<Class<f32>>(list, every, Cost::valu_full);
    add<Class<f64>>(list, every, Cost::valu_f64_add);
    return list;
  }();
  return rows;
}

}  // namespace lockstep::amd
