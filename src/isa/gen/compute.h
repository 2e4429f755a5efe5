// What operations of a value's shape compute: by mnemonic and class.
#pragma once
#include <string_view>

#include "isa/cost.h"
#include "isa/gen/operation.h"
#include "isa/semantic.h"

namespace lockstep::gen {

// Which types an operation takes, as far as the class that it computes in follows from it.
enum class Domain : u8 {
  any,  // integers and floats
  integer,
  floating,
  bits32,  // integers of 32 bits alone
};

struct ValueOperation {
  std::string_view mnemonic;
  u8 sources;
  Domain domain;
  Cost cost;  // of 32-bit types and narrower ones
  const Semantic* meaning;
  std::array<Compute, 7> compute;  // by class; nullptr where there is none
  bool signs_show = false;         // whether sources are signed makes a difference in the class' bits
};

// nullptr where there is none.
const ValueOperation* find_value_operation(std::string_view mnemonic);
std::span<const ValueOperation> integer_operations();
std::span<const ValueOperation> float_operations();
std::span<const ValueOperation> math_operations();

// Comparisons give all ones or zero in each channel; selections by a condition the smaller or greater.
Compute find_compare(Condition condition, Class computes);
Compute find_select(Condition condition, Class computes);
Compute find_select_by_third(Condition condition, Class computes);  // csel
Compute find_predicated_select(Class computes);
const Semantic& compare_meaning();
const Semantic& select_meaning();              // by a predicate, or by a third source
const Semantic& smaller_or_greater_meaning();  // of the two sources
const Semantic& power_meaning();               // math.pow
const Semantic& division_meaning();            // math.fdiv

// With the meanings of values alone: no address, no flow of undefined bits that is known better.
constexpr Semantic value_semantic(std::string_view name) {
  Semantic made;
  made.name = name;
  made.flow = Flow::any;
  return made;
}

// mul with a result in an accumulator and mach, addc, subb; macros with extended mantissas; scattered moves.
void run_multiply_high(WaveState& wave, const Instruction& in, StepContext& context);
void run_add_carry(WaveState& wave, const Instruction& in, StepContext& context);
void run_subtract_borrow(WaveState& wave, const Instruction& in, StepContext& context);
void run_macro_multiply_add(WaveState& wave, const Instruction& in, StepContext& context);
void run_macro_inverse(WaveState& wave, const Instruction& in, StepContext& context);
void run_macro_root(WaveState& wave, const Instruction& in, StepContext& context);
void run_scattered_move(WaveState& wave, const Instruction& in, StepContext& context);

}  // namespace lockstep::gen
