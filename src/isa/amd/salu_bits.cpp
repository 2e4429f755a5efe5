// Bits of the scalar ALU: logic, shifts, bit fields, counts. Each definition serves 32 and 64 bits.
// Source: "Vega Instruction Set Architecture", chapters SOP1 and SOP2; the names of RDNA 3 (and_not1, ctz,
// clz) from its manual.
#include "isa/amd/integer_meanings.h"
#include "isa/amd/salu.h"

namespace lockstep::amd {
namespace {

// Most of them set SCC when the result is not 0.
template <class T>
constexpr Flagged<T> nonzero(T value) {
  return {value, value != 0};
}

template <class T>
constexpr bool wide = sizeof(T) == 8;

struct Scalar {
  static constexpr Shape shape = Shape::scalar;
};
struct ScalarNonzero : Scalar {
  static constexpr bool condition_is_nonzero = true;
};

// A lanewise meaning on one value.
template <class S, class Apply = decltype(&S::apply)>
struct Nonzero;
template <class S, class R, class... A>
struct Nonzero<S, R (*)(A...)> : ScalarNonzero {
  static constexpr Name text{"s_", S::name};
  static constexpr std::string_view name = text;
  static constexpr Flow flow = S::flow;
  static Flagged<R> apply(A... a) { return nonzero<R>(S::apply(a...)); }
};

template <class T>
struct AndNot : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_andn2_b64" : "s_andn2_b32";
  static constexpr Flow flow = Flow::bit_and_not;
  static Flagged<T> apply(T a, T b) { return nonzero<T>(a & ~b); }
};
template <class T>
struct OrNot : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_orn2_b64" : "s_orn2_b32";
  static constexpr Flow flow = Flow::bit_or_not;
  static Flagged<T> apply(T a, T b) { return nonzero<T>(a | ~b); }
};
template <class T>
struct Nand : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_nand_b64" : "s_nand_b32";
  static constexpr Flow flow = Flow::bit_nand;
  static Flagged<T> apply(T a, T b) { return nonzero<T>(~(a & b)); }
};
template <class T>
struct Nor : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_nor_b64" : "s_nor_b32";
  static constexpr Flow flow = Flow::bit_nor;
  static Flagged<T> apply(T a, T b) { return nonzero<T>(~(a | b)); }
};
template <class T>
struct Xnor : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_xnor_b64" : "s_xnor_b32";
  static constexpr Flow flow = Flow::bit_xnor;
  static Flagged<T> apply(T a, T b) { return nonzero<T>(~(a ^ b)); }
};

// Counts use bits 4:0 or 5:0.
template <class T>
constexpr u32 count_mask = sizeof(T) * 8 - 1;

// The field's offset is in bits 5:0 (4:0 for 32 bits), its width in bits 22:16, which reach beyond the value.
template <class T>
struct BfeUnsigned : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_bfe_u64" : "s_bfe_u32";
  static constexpr Flow flow = Flow::scalar_extract;
  static Flagged<T> apply(T a, u32 field) {
    const u32 width = (field >> 16) & 0x7F;
    const T shifted = a >> (field & count_mask<T>);
    return nonzero<T>(width > count_mask<T> ? shifted : shifted & ((T{1} << width) - 1));
  }
};
template <class T>
struct BfeSigned : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_bfe_i64" : "s_bfe_i32";
  static constexpr Flow flow = Flow::scalar_extract_signed;
  static Flagged<T> apply(T a, u32 field) {
    const u32 width = (field >> 16) & 0x7F;
    const T shifted = a >> (field & count_mask<T>);
    if (width > count_mask<T>) return nonzero<T>(shifted);
    if constexpr (wide<T>) {
      return nonzero<T>(sign_extended64(static_cast<u64>(shifted), width));
    } else {
      return nonzero<T>(sign_extended32(static_cast<u32>(shifted), width));
    }
  }
};
template <class T>
struct Bfm : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_bfm_b64" : "s_bfm_b32";
  static T apply(u32 width, u32 offset) {
    return ((T{1} << (width & count_mask<T>)) - 1) << (offset & count_mask<T>);
  }
};

template <class T>
struct Brev : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_brev_b64" : "s_brev_b32";
  static constexpr Flow flow = Flow::reverse_bits;
  static T apply(T a) { return reversed_bits(a); }
};
template <class T>
struct CountZeros : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_bcnt0_i32_b64" : "s_bcnt0_i32_b32";
  static Flagged<i32> apply(T a) { return nonzero<i32>(std::popcount(static_cast<T>(~a))); }
};
template <class T>
struct CountOnes : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_bcnt1_i32_b64" : "s_bcnt1_i32_b32";
  static Flagged<i32> apply(T a) { return nonzero<i32>(std::popcount(a)); }
};
template <class T>
struct FirstZero : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_ff0_i32_b64" : "s_ff0_i32_b32";
  static i32 apply(T a) { return first_one_from_bottom(static_cast<T>(~a)); }
};
template <class T>
struct FirstOne : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_ff1_i32_b64" : "s_ff1_i32_b32";
  static i32 apply(T a) { return first_one_from_bottom(a); }
};
template <class T>
struct LeadingZeros : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_flbit_i32_b64" : "s_flbit_i32_b32";
  static i32 apply(T a) { return first_one_from_top(a); }
};
template <class T>
struct LeadingSigns : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_flbit_i32_i64" : "s_flbit_i32";
  static i32 apply(T a) { return first_unlike_sign(a); }
};

// The result is read and written (Row flag `accumulates`).
template <class T>
struct BitClear : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_bitset0_b64" : "s_bitset0_b32";
  static T apply(u32 bit, T old) { return old & ~(T{1} << (bit & count_mask<T>)); }
};
template <class T>
struct BitSet : Scalar {
  static constexpr std::string_view name = wide<T> ? "s_bitset1_b64" : "s_bitset1_b32";
  static T apply(u32 bit, T old) { return old | T{1} << (bit & count_mask<T>); }
};

// Quads: groups of four lanes that pixels need together.
template <class T>
struct WholeQuads : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_wqm_b64" : "s_wqm_b32";
  static Flagged<T> apply(T a) {
    constexpr T lowest = static_cast<T>(0x1111111111111111u);
    const T any = (a | a >> 1 | a >> 2 | a >> 3) & lowest;
    return nonzero<T>(any * 15);
  }
};
template <class T>
struct QuadMask : ScalarNonzero {
  static constexpr std::string_view name = wide<T> ? "s_quadmask_b64" : "s_quadmask_b32";
  static Flagged<T> apply(T a) {
    T result = 0;
    for (u32 quad = 0; quad < sizeof(T) * 2; ++quad) {
      if ((a >> (4 * quad)) & 15) result |= T{1} << quad;
    }
    return nonzero<T>(result);
  }
};
struct BitReplicate : Scalar {
  static constexpr std::string_view name = "s_bitreplicate_b64_b32";
  static u64 apply(u32 a) {
    u64 result = 0;
    for (u32 bit = 0; bit < 32; ++bit) result |= u64{(a >> bit) & 1} * 3 << (2 * bit);
    return result;
  }
};

}  // namespace

std::span<const Row> salu_bits_rows() {
  constexpr u32 old = every & ~(gfx11 | gfx12);
  constexpr u32 late = gfx11 | gfx12;
  static constexpr Row rows[] = {
      {"s_not_b32", &semantic<Nonzero<Not<u32>>>, Cost::salu},
      {"s_not_b64", &semantic<Nonzero<Not<u64>>>, Cost::salu},
      {"s_and_b32", &semantic<Nonzero<And<u32>>>, Cost::salu},
      {"s_and_b64", &semantic<Nonzero<And<u64>>>, Cost::salu},
      {"s_or_b32", &semantic<Nonzero<Or<u32>>>, Cost::salu},
      {"s_or_b64", &semantic<Nonzero<Or<u64>>>, Cost::salu},
      {"s_xor_b32", &semantic<Nonzero<Xor<u32>>>, Cost::salu},
      {"s_xor_b64", &semantic<Nonzero<Xor<u64>>>, Cost::salu},
      {"s_andn2_b32", &semantic<AndNot<u32>>, Cost::salu, old},
      {"s_andn2_b64", &semantic<AndNot<u64>>, Cost::salu, old},
      {"s_orn2_b32", &semantic<OrNot<u32>>, Cost::salu, old},
      {"s_orn2_b64", &semantic<OrNot<u64>>, Cost::salu, old},
      {"s_and_not1_b32", &semantic<AndNot<u32>>, Cost::salu, late},
      {"s_and_not1_b64", &semantic<AndNot<u64>>, Cost::salu, late},
      {"s_or_not1_b32", &semantic<OrNot<u32>>, Cost::salu, late},
      {"s_or_not1_b64", &semantic<OrNot<u64>>, Cost::salu, late},
      {"s_nand_b32", &semantic<Nand<u32>>, Cost::salu},
      {"s_nand_b64", &semantic<Nand<u64>>, Cost::salu},
      {"s_nor_b32", &semantic<Nor<u32>>, Cost::salu},
      {"s_nor_b64", &semantic<Nor<u64>>, Cost::salu},
      {"s_xnor_b32", &semantic<Xnor<u32>>, Cost::salu},
      {"s_xnor_b64", &semantic<Xnor<u64>>, Cost::salu},

      {"s_lshl_b32", &semantic<Nonzero<Lshl<u32>>>, Cost::salu},
      {"s_lshl_b64", &semantic<Nonzero<Lshl<u64>>>, Cost::salu},
      {"s_lshr_b32", &semantic<Nonzero<Lshr<u32>>>, Cost::salu},
      {"s_lshr_b64", &semantic<Nonzero<Lshr<u64>>>, Cost::salu},
      {"s_ashr_i32", &semantic<Nonzero<Ashr<i32>>>, Cost::salu},
      {"s_ashr_i64", &semantic<Nonzero<Ashr<i64>>>, Cost::salu},
      {"s_bfe_u32", &semantic<BfeUnsigned<u32>>, Cost::salu},
      {"s_bfe_u64", &semantic<BfeUnsigned<u64>>, Cost::salu},
      {"s_bfe_i32", &semantic<BfeSigned<i32>>, Cost::salu},
      {"s_bfe_i64", &semantic<BfeSigned<i64>>, Cost::salu},
      {"s_bfm_b32", &semantic<Bfm<u32>>, Cost::salu},
      {"s_bfm_b64", &semantic<Bfm<u64>>, Cost::salu},

      {"s_brev_b32", &semantic<Brev<u32>>, Cost::salu},
      {"s_brev_b64", &semantic<Brev<u64>>, Cost::salu},
      {"s_bcnt0_i32_b32", &semantic<CountZeros<u32>>, Cost::salu},
      {"s_bcnt0_i32_b64", &semantic<CountZeros<u64>>, Cost::salu},
      {"s_bcnt1_i32_b32", &semantic<CountOnes<u32>>, Cost::salu},
      {"s_bcnt1_i32_b64", &semantic<CountOnes<u64>>, Cost::salu},
      {"s_ff0_i32_b32", &semantic<FirstZero<u32>>, Cost::salu, old},
      {"s_ff0_i32_b64", &semantic<FirstZero<u64>>, Cost::salu, old},
      {"s_ff1_i32_b32", &semantic<FirstOne<u32>>, Cost::salu, old},
      {"s_ff1_i32_b64", &semantic<FirstOne<u64>>, Cost::salu, old},
      {"s_flbit_i32_b32", &semantic<LeadingZeros<u32>>, Cost::salu, old},
      {"s_flbit_i32_b64", &semantic<LeadingZeros<u64>>, Cost::salu, old},
      {"s_flbit_i32", &semantic<LeadingSigns<u32>>, Cost::salu, old},
      {"s_flbit_i32_i64", &semantic<LeadingSigns<u64>>, Cost::salu, old},
      {"s_ctz_i32_b32", &semantic<FirstOne<u32>>, Cost::salu, late},
      {"s_ctz_i32_b64", &semantic<FirstOne<u64>>, Cost::salu, late},
      {"s_clz_i32_u32", &semantic<LeadingZeros<u32>>, Cost::salu, late},
      {"s_clz_i32_u64", &semantic<LeadingZeros<u64>>, Cost::salu, late},
      {"s_cls_i32", &semantic<LeadingSigns<u32>>, Cost::salu, late},
      {"s_cls_i32_i64", &semantic<LeadingSigns<u64>>, Cost::salu, late},

      {"s_bitset0_b32", &semantic<BitClear<u32>>, Cost::salu, every, accumulates},
      {"s_bitset0_b64", &semantic<BitClear<u64>>, Cost::salu, every, accumulates},
      {"s_bitset1_b32", &semantic<BitSet<u32>>, Cost::salu, every, accumulates},
      {"s_bitset1_b64", &semantic<BitSet<u64>>, Cost::salu, every, accumulates},
      {"s_wqm_b32", &semantic<WholeQuads<u32>>, Cost::salu},
      {"s_wqm_b64", &semantic<WholeQuads<u64>>, Cost::salu},
      {"s_quadmask_b32", &semantic<QuadMask<u32>>, Cost::salu},
      {"s_quadmask_b64", &semantic<QuadMask<u64>>, Cost::salu},
      {"s_bitreplicate_b64_b32", &semantic<BitReplicate>, Cost::salu, gfx9up},
  };
  return rows;
}

}  // namespace lockstep::amd
