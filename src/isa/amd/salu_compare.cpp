// Scalar comparisons: SOPC, and s_cmpk with a 16-bit constant. SCC is the only result.
// Source: "Vega Instruction Set Architecture", chapters SOPC and SOPK.
#include <vector>

#include "isa/amd/names.h"
#include "isa/amd/salu.h"

namespace lockstep::amd {
namespace {

// The names of the relations; those that hold always or never are not in the scalar ALU.
constexpr std::array<std::string_view, 9> relation_names{"", "", "lt", "eq", "le", "gt", "lg", "ge", ""};

template <Relation R, class T>
constexpr bool holds(T a, T b) {
  switch (R) {
    case Relation::equal:
      return a == b;
    case Relation::not_equal:
      return a != b;
    case Relation::greater:
      return a > b;
    case Relation::greater_equal:
      return a >= b;
    case Relation::less:
      return a < b;
    default:
      return a <= b;
  }
}

template <class T>
constexpr std::string_view type_name = std::is_same_v<T, i32>   ? "i32"
                                       : std::is_same_v<T, u32> ? "u32"
                                                                : "u64";

template <Relation R, class T>
struct Compare {
  static constexpr Shape shape = Shape::scalar;
  static constexpr Name text{"s_cmp_", relation_names[static_cast<int>(R)], "_", type_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::compare;
  static constexpr Relation relation = R;
  static bool apply(T a, T b) { return holds<R, T>(a, b); }
};
// The constant has 16 bits: sign-extended against i32, zero-extended against u32.
template <Relation R, class T>
struct CompareConstant {
  using Constant = std::conditional_t<std::is_signed_v<T>, i16, u16>;
  static constexpr Shape shape = Shape::scalar;
  static constexpr Name text{"s_cmpk_", relation_names[static_cast<int>(R)], "_", type_name<T>};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = Flow::compare;
  static constexpr Relation relation = R;
  static bool apply(T a, Constant b) { return holds<R, T>(a, b); }
};
template <class T, bool expected>
struct BitCompare {
  static constexpr Shape shape = Shape::scalar;
  static constexpr Name text{"s_bitcmp", expected ? "1" : "0", sizeof(T) == 8 ? "_b64" : "_b32"};
  static constexpr std::string_view name = text;
  static bool apply(T a, u32 bit) { return ((a >> (bit & (sizeof(T) * 8 - 1))) & 1) == expected; }
};

template <class S>
constexpr Row scalar_row(u32 generations = every) {
  return {S::name, &semantic<S>, Cost::salu, generations};
}

template <Relation R>
void add_relation(std::vector<Row>& rows) {
  rows.push_back(scalar_row<Compare<R, i32>>());
  rows.push_back(scalar_row<Compare<R, u32>>());
  rows.push_back(scalar_row<CompareConstant<R, i32>>());
  rows.push_back(scalar_row<CompareConstant<R, u32>>());
}

}  // namespace

std::span<const Row> salu_compare_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> list;
    add_relation<Relation::equal>(list);
    add_relation<Relation::not_equal>(list);
    add_relation<Relation::greater>(list);
    add_relation<Relation::greater_equal>(list);
    add_relation<Relation::less>(list);
    add_relation<Relation::less_equal>(list);
    list.push_back(scalar_row<Compare<Relation::equal, u64>>(gfx8up));
    list.push_back(scalar_row<Compare<Relation::not_equal, u64>>(gfx8up));
    list.push_back(scalar_row<BitCompare<u32, false>>());
    list.push_back(scalar_row<BitCompare<u64, false>>());
    list.push_back(scalar_row<BitCompare<u32, true>>());
    list.push_back(scalar_row<BitCompare<u64, true>>());
    return list;
  }();
  return rows;
}

}  // namespace lockstep::amd
