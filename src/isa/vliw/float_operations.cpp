// f32 operations of ALU clauses. Denormals are flushed: these GPUs' f32 pipes have none but in FMA and moves,
// and the wave's mode says so (interface.cpp). Source: "Evergreen Family Instruction Set Architecture",
// chapter 9; "HD 6900 Series Instruction Set Architecture", chapter 9.
#include <vector>

#include "isa/amd/float_functions.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"
#include "isa/vliw/operations.h"

namespace lockstep::vliw {
namespace {

using amd::flushed;
using amd::Name;

enum class Test : u8 { equal, greater, greater_equal, not_equal };
constexpr std::array<std::string_view, 4> test_names{"e", "gt", "ge", "ne"};

template <Test T, class V>
bool holds(V a, V b) {
  if constexpr (T == Test::equal) return a == b;
  if constexpr (T == Test::greater) return a > b;
  if constexpr (T == Test::greater_equal) return a >= b;
  return a != b;
}

// SETcc: 1.0 or 0.0. SETcc_DX10: all bits or none.
template <Test T>
struct SetFloat {
  static constexpr Name text{"set", test_names[static_cast<u32>(T)], "_f32"};
  static constexpr std::string_view name = text;
  static f32 apply(f32 a, f32 b) { return holds<T>(flushed(a), flushed(b)) ? 1.0f : 0.0f; }
};
template <Test T>
struct SetBits {
  static constexpr Name text{"set", test_names[static_cast<u32>(T)], "_dx10_f32"};
  static constexpr std::string_view name = text;
  static u32 apply(f32 a, f32 b) { return holds<T>(flushed(a), flushed(b)) ? ~u32{0} : 0; }
};

// MAX and MIN: the second source where the comparison does not hold, so that a NaN in the first one is lost.
struct Max {
  static constexpr std::string_view name = "max_second_of_unordered_f32";
  static f32 apply(f32 a, f32 b) {
    const f32 x = flushed(a), y = flushed(b);
    return x >= y ? x : y;
  }
};
struct Min {
  static constexpr std::string_view name = "min_second_of_unordered_f32";
  static f32 apply(f32 a, f32 b) {
    const f32 x = flushed(a), y = flushed(b);
    return x < y ? x : y;
  }
};

// The meaning of a later GPU's instruction.
const Semantic* of(std::string_view mnemonic, u32 generation) {
  const amd::Row* row = amd::find_row(mnemonic, generation);
  LOCKSTEP_ASSERT(row != nullptr, "isa/amd has the instruction whose meaning is shared");
  return row->meaning;
}

}  // namespace

std::span<const Operation> float_operations() {
  static const std::vector<Operation> operations = [] {
    constexpr u32 gcn1 = amd::gfx6, gcn5 = amd::gfx900;
    constexpr Cost full = Cost::valu_full, slow = Cost::valu_transcendental, convert = Cost::valu_convert;
    constexpr Form plain = Form::lanewise;
    std::vector<Operation> made = {
        {"ADD", of("v_add_f32", gcn5), full, 2},
        {"MUL", of("v_mul_legacy_f32", gcn1), full, 2},  // zero times anything is zero
        {"MUL_IEEE", of("v_mul_f32", gcn5), full, 2},
        {"MULADD", of("v_mad_legacy_f32", gcn1), full, 3},
        {"MULADD_IEEE", of("v_mad_f32", gcn5), full, 3},
        {"FMA", of("v_fma_f32", gcn5), Cost::valu_f32_fma, 3},
        {"MAX_DX10", of("v_max_f32", gcn5), full, 2},
        {"MIN_DX10", of("v_min_f32", gcn5), full, 2},
        {"MAX", &semantic<Max>, full, 2},
        {"MIN", &semantic<Min>, full, 2},
        {"FRACT", of("v_fract_f32", gcn5), full, 1},
        {"TRUNC", of("v_trunc_f32", gcn5), full, 1},
        {"CEIL", of("v_ceil_f32", gcn5), full, 1},
        {"RNDNE", of("v_rndne_f32", gcn5), full, 1},
        {"FLOOR", of("v_floor_f32", gcn5), full, 1},
        {"EXP_IEEE", of("v_exp_f32", gcn5), slow, 1, plain, true},
        {"LOG_IEEE", of("v_log_f32", gcn5), slow, 1, plain, true},
        {"LOG_CLAMPED", of("v_log_clamp_f32", gcn1), slow, 1, plain, true},
        {"RECIP_IEEE", of("v_rcp_f32", gcn5), slow, 1, plain, true},
        {"RECIP_CLAMPED", of("v_rcp_clamp_f32", gcn1), slow, 1, plain, true},
        {"RECIPSQRT_IEEE", of("v_rsq_f32", gcn5), slow, 1, plain, true},
        {"RECIPSQRT_CLAMPED", of("v_rsq_clamp_f32", gcn1), slow, 1, plain, true},
        // The argument counts revolutions.
        {"SIN", of("v_sin_f32", gcn5), slow, 1, plain, true},
        {"COS", of("v_cos_f32", gcn5), slow, 1, plain, true},
        {"FLT_TO_INT", of("v_cvt_i32_f32", gcn5), convert, 1},
        {"FLT_TO_UINT", of("v_cvt_u32_f32", gcn5), convert, 1, plain, true},
        {"INT_TO_FLT", of("v_cvt_f32_i32", gcn5), convert, 1, plain, true},
        {"UINT_TO_FLT", of("v_cvt_f32_u32", gcn5), convert, 1, plain, true},
        {"FLT32_TO_FLT16", of("v_cvt_f16_f32", gcn5), convert, 1},
        {"FLT16_TO_FLT32", of("v_cvt_f32_f16", gcn5), convert, 1},
        {"SETE", &semantic<SetFloat<Test::equal>>, full, 2},
        {"SETGT", &semantic<SetFloat<Test::greater>>, full, 2},
        {"SETGE", &semantic<SetFloat<Test::greater_equal>>, full, 2},
        {"SETNE", &semantic<SetFloat<Test::not_equal>>, full, 2},
        {"SETE_DX10", &semantic<SetBits<Test::equal>>, full, 2},
        {"SETGT_DX10", &semantic<SetBits<Test::greater>>, full, 2},
        {"SETGE_DX10", &semantic<SetBits<Test::greater_equal>>, full, 2},
        {"SETNE_DX10", &semantic<SetBits<Test::not_equal>>, full, 2},
        {"CNDE", of("v_cmp_eq_f32", gcn5), full, 3, Form::select},
        {"CNDGT", of("v_cmp_gt_f32", gcn5), full, 3, Form::select},
        {"CNDGE", of("v_cmp_ge_f32", gcn5), full, 3, Form::select},
        {"PRED_SETE", of("v_cmp_eq_f32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETGT", of("v_cmp_gt_f32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETGE", of("v_cmp_ge_f32", gcn5), full, 2, Form::set_predicate},
        {"PRED_SETNE", of("v_cmp_neq_f32", gcn5), full, 2, Form::set_predicate},
    };
    return made;
  }();
  return operations;
}

}  // namespace lockstep::vliw
