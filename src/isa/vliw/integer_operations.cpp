// Integer operations of ALU clauses. Source: "Evergreen Family Instruction Set Architecture", chapter 9; "HD
// 6900 Series Instruction Set Architecture", chapter 9.
#include <bit>
#include <vector>

#include "isa/amd/names.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"
#include "isa/vliw/operations.h"

namespace lockstep::vliw {
namespace {

using amd::Name;
using amd::type_name;

// SETcc: all bits or none.
template <class T>
struct SetEqual {
  static constexpr std::string_view name = "sete_int";
  static u32 apply(T a, T b) { return a == b ? ~u32{0} : 0; }
};
template <class T>
struct SetNotEqual {
  static constexpr std::string_view name = "setne_int";
  static u32 apply(T a, T b) { return a != b ? ~u32{0} : 0; }
};
template <class T>
struct SetGreater {
  static constexpr Name text{"setgt_", type_name<T>()};
  static constexpr std::string_view name = text;
  static u32 apply(T a, T b) { return a > b ? ~u32{0} : 0; }
};
template <class T>
struct SetGreaterEqual {
  static constexpr Name text{"setge_", type_name<T>()};
  static constexpr std::string_view name = text;
  static u32 apply(T a, T b) { return a >= b ? ~u32{0} : 0; }
};

// The carry and the borrow themselves.
struct Carry {
  static constexpr std::string_view name = "addc_uint";
  static u32 apply(u32 a, u32 b) { return a + b < a ? 1 : 0; }
};
struct Borrow {
  static constexpr std::string_view name = "subb_uint";
  static u32 apply(u32 a, u32 b) { return a < b ? 1 : 0; }
};

struct CountBits {
  static constexpr std::string_view name = "bcnt_int";
  static u32 apply(u32 a) { return static_cast<u32>(std::popcount(a)); }
};

// 2^32 / a, rounded down; all bits where that is 2^32 or more.
struct ReciprocalUnsigned {
  static constexpr std::string_view name = "recip_uint";
  static constexpr Division division = Division::begins;
  static constexpr std::string_view bound = "exact, where the manual promises an approximation";
  static u32 apply(u32 a) { return a <= 1 ? ~u32{0} : static_cast<u32>((u64{1} << 32) / a); }
};

const Semantic* of(std::string_view mnemonic, u32 generation) {
  const amd::Row* row = amd::find_row(mnemonic, generation);
  LOCKSTEP_ASSERT(row != nullptr, "isa/amd has the instruction whose meaning is shared");
  return row->meaning;
}

}  // namespace

const Semantic& move_bits() {
  static const Semantic& meaning = *of("v_mov_b32", amd::gfx900);
  return meaning;
}

const Semantic& select_lanes() {
  static const Semantic& meaning = *of("v_cndmask_b32", amd::gfx900);
  return meaning;
}

std::span<const Operation> integer_operations() {
  static const std::vector<Operation> operations = [] {
    constexpr u32 gcn1 = amd::gfx6, gcn5 = amd::gfx900;
    constexpr Cost full = Cost::valu_full, quarter = Cost::valu_quarter;
    constexpr Form plain = Form::lanewise;
    std::vector<Operation> made = {
        {"MOV", of("v_mov_b32", gcn5), full, 1},
        {"AND_INT", of("v_and_b32", gcn5), full, 2},
        {"OR_INT", of("v_or_b32", gcn5), full, 2},
        {"XOR_INT", of("v_xor_b32", gcn5), full, 2},
        {"NOT_INT", of("v_not_b32", gcn5), full, 1},
        {"ADD_INT", of("v_add_u32", gcn5), full, 2},
        {"SUB_INT", of("v_sub_u32", gcn5), full, 2},
        {"ADDC_UINT", &semantic<Carry>, full, 2},
        {"SUBB_UINT", &semantic<Borrow>, full, 2},
        {"MAX_INT", of("v_max_i32", gcn5), full, 2},
        {"MIN_INT", of("v_min_i32", gcn5), full, 2},
        {"MAX_UINT", of("v_max_u32", gcn5), full, 2},
        {"MIN_UINT", of("v_min_u32", gcn5), full, 2},
        {"LSHL", of("v_lshl_b32", gcn1), full, 2},
        {"LSHR", of("v_lshr_b32", gcn1), full, 2},
        {"ASHR", of("v_ashr_i32", gcn1), full, 2},
        {"BFE_UINT", of("v_bfe_u32", gcn5), full, 3},
        {"BFE_INT", of("v_bfe_i32", gcn5), full, 3},
        {"BFI_INT", of("v_bfi_b32", gcn5), full, 3},
        {"BFM_INT", of("v_bfm_b32", gcn5), full, 2},
        {"BIT_ALIGN_INT", of("v_alignbit_b32", gcn5), full, 3},
        {"FFBH_UINT", of("v_ffbh_u32", gcn5), full, 1},
        {"FFBL_INT", of("v_ffbl_b32", gcn5), full, 1},
        {"BCNT_INT", &semantic<CountBits>, full, 1},
        {"MUL_UINT24", of("v_mul_u32_u24", gcn5), full, 2},
        {"MULHI_UINT24", of("v_mul_hi_u32_u24", gcn5), full, 2},
        {"MULADD_UINT24", of("v_mad_u32_u24", gcn5), full, 3},
        {"MUL_INT24", of("v_mul_i32_i24", gcn5), full, 2},
        {"MULHI_INT24", of("v_mul_hi_i32_i24", gcn5), full, 2},
        {"MULADD_INT24", of("v_mad_i32_i24", gcn5), full, 3},
        {"MULLO_INT", of("v_mul_lo_u32", gcn5), quarter, 2, plain, true},
        {"MULLO_UINT", of("v_mul_lo_u32", gcn5), quarter, 2, plain, true},
        {"MULHI", of("v_mul_hi_u32", gcn5), quarter, 2, plain, true},
        {"MULHI_UINT", of("v_mul_hi_u32", gcn5), quarter, 2, plain, true},
        {"MULHI_INT", of("v_mul_hi_i32", gcn5), quarter, 2, plain, true},
        {"RECIP_UINT", &semantic<ReciprocalUnsigned>, Cost::valu_transcendental, 1, plain, true},
        {"SETE_INT", &semantic<SetEqual<u32>>, full, 2},
        {"SETNE_INT", &semantic<SetNotEqual<u32>>, full, 2},
        {"SETGT_INT", &semantic<SetGreater<i32>>, full, 2},
        {"SETGE_INT", &semantic<SetGreaterEqual<i32>>, full, 2},
        {"SETGT_UINT", &semantic<SetGreater<u32>>, full, 2},
        {"SETGE_UINT", &semantic<SetGreaterEqual<u32>>, full, 2},
        {"CNDE_INT", of("v_cmp_eq_u32", gcn5), full, 3, Form::select},
        {"CNDGT_INT", of("v_cmp_gt_i32", gcn5), full, 3, Form::select},
        {"CNDGE_INT", of("v_cmp_ge_i32", gcn5), full, 3, Form::select},
        {"PRED_SETE_INT", of("v_cmp_eq_u32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETNE_INT", of("v_cmp_ne_u32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETGT_INT", of("v_cmp_gt_i32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETGE_INT", of("v_cmp_ge_i32", gcn5), full, 2, Form::set_predicate},
        {"MOVA_INT", &move_bits(), full, 1, Form::move_address},
    };
    return made;
  }();
  return operations;
}

}  // namespace lockstep::vliw
