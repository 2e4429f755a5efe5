// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.2 (Extended-Precision Integer Arithmetic
// Instructions). The carry flag is a mask: a lane's bit each.
#include "isa/nv/lanes.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::string_view add_cc = "add.cc.", addc = "addc.", addc_cc = "addc.cc.", sub_cc = "sub.cc.",
                           subc = "subc.", subc_cc = "subc.cc.", mad_lo_cc = "mad.lo.cc.",
                           mad_hi_cc = "mad.hi.cc.", madc_lo = "madc.lo.", madc_hi = "madc.hi.",
                           madc_lo_cc = "madc.lo.cc.", madc_hi_cc = "madc.hi.cc.";

template <class T>
[[gnu::always_inline]] inline WithMask<T> sum(T a, T b, bool carry) {
  const T first = static_cast<T>(a + b), all = static_cast<T>(first + (carry ? 1 : 0));
  return {all, first < a || all < first};
}
// The flag after a subtraction is the borrow.
template <class T>
[[gnu::always_inline]] inline WithMask<T> difference(T a, T b, bool borrow) {
  const T first = static_cast<T>(a - b), all = static_cast<T>(first - (borrow ? 1 : 0));
  return {all, a < b || first < all};
}

template <class T>
struct AddCc {
  static constexpr std::string_view name = joined<add_cc, type_name<T>>;
  static WithMask<T> apply(T a, T b) { return sum(a, b, false); }
};
template <class T>
struct Addc {
  static constexpr std::string_view name = joined<addc, type_name<T>>;
  static T apply(T a, T b, bool carry) { return sum(a, b, carry).value; }
};
template <class T>
struct AddcCc {
  static constexpr std::string_view name = joined<addc_cc, type_name<T>>;
  static WithMask<T> apply(T a, T b, bool carry) { return sum(a, b, carry); }
};
template <class T>
struct SubCc {
  static constexpr std::string_view name = joined<sub_cc, type_name<T>>;
  static WithMask<T> apply(T a, T b) { return difference(a, b, false); }
};
template <class T>
struct Subc {
  static constexpr std::string_view name = joined<subc, type_name<T>>;
  static T apply(T a, T b, bool borrow) { return difference(a, b, borrow).value; }
};
template <class T>
struct SubcCc {
  static constexpr std::string_view name = joined<subc_cc, type_name<T>>;
  static WithMask<T> apply(T a, T b, bool borrow) { return difference(a, b, borrow); }
};

template <class T, bool High, bool Signed>
[[gnu::always_inline]] inline T product(T a, T b) {
  if constexpr (!High) {
    return static_cast<T>(a * b);
  } else if constexpr (Signed) {
    using S = std::make_signed_t<T>;
    return static_cast<T>((static_cast<__int128>(static_cast<S>(a)) * static_cast<S>(b)) >> (sizeof(T) * 8));
  } else {
    return static_cast<T>((static_cast<unsigned __int128>(a) * b) >> (sizeof(T) * 8));
  }
}
template <class T, bool High, bool Signed>
struct MadCc {
  static constexpr std::string_view name = joined < High ? mad_hi_cc : mad_lo_cc, type_name < T >> ;
  static constexpr Flow flow = High ? Flow::any : Flow::carries_up;
  static WithMask<T> apply(T a, T b, T c) { return sum(product<T, High, Signed>(a, b), c, false); }
};
template <class T, bool High, bool Signed>
struct Madc {
  static constexpr std::string_view name = joined < High ? madc_hi : madc_lo, type_name < T >> ;
  static T apply(T a, T b, T c, bool carry) { return sum(product<T, High, Signed>(a, b), c, carry).value; }
};
template <class T, bool High, bool Signed>
struct MadcCc {
  static constexpr std::string_view name = joined < High ? madc_hi_cc : madc_lo_cc, type_name < T >> ;
  static WithMask<T> apply(T a, T b, T c, bool carry) {
    return sum(product<T, High, Signed>(a, b), c, carry);
  }
};

constexpr u16 keeps = Instruction::merge_mask;

template <class T, bool Signed>
void add_products(Opcodes& o, const std::string& t) {
  constexpr Cost cost = Cost::valu_quarter;
  o.add("mad.lo.cc" + t, semantic32<MadCc<T, false, Signed>>, cost, keeps, false, true);
  o.add("mad.hi.cc" + t, semantic32<MadCc<T, true, Signed>>, cost, keeps, false, true);
  o.add("madc.lo" + t, semantic32<Madc<T, false, Signed>>, cost, keeps, true, false);
  o.add("madc.hi" + t, semantic32<Madc<T, true, Signed>>, cost, keeps, true, false);
  o.add("madc.lo.cc" + t, semantic32<MadcCc<T, false, Signed>>, cost, keeps, true, true);
  o.add("madc.hi.cc" + t, semantic32<MadcCc<T, true, Signed>>, cost, keeps, true, true);
}

template <class T>
void add_width(Opcodes& o, const char* width) {
  constexpr Cost cost = sizeof(T) == 8 ? Cost::valu_half : Cost::valu_full;
  for (const char* sign : {".u", ".s"}) {
    const std::string t = std::string(sign) + width;
    o.add("add.cc" + t, semantic32<AddCc<T>>, cost, keeps, false, true);
    o.add("addc" + t, semantic32<Addc<T>>, cost, keeps, true, false);
    o.add("addc.cc" + t, semantic32<AddcCc<T>>, cost, keeps, true, true);
    o.add("sub.cc" + t, semantic32<SubCc<T>>, cost, keeps, false, true);
    o.add("subc" + t, semantic32<Subc<T>>, cost, keeps, true, false);
    o.add("subc.cc" + t, semantic32<SubcCc<T>>, cost, keeps, true, true);
  }
  add_products<T, false>(o, std::string(".u") + width);
  add_products<T, true>(o, std::string(".s") + width);
}

}  // namespace

void add_carry(Opcodes& o) {
  add_width<u32>(o, "32");
  add_width<u64>(o, "64");
}

}  // namespace lockstep::nv
