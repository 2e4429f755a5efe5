// The operations of ALU clauses: what each mnemonic means. Meanings that AMD's later GPUs share are theirs
// (isa/amd), by their name there.
#pragma once
#include <span>
#include <string_view>

#include "isa/cost.h"
#include "isa/semantic.h"

namespace lockstep::vliw {

// How an operation's operands become an instruction's.
enum class Form : u8 {
  lanewise,       // result and sources in their order
  select,         // `meaning` compares the first source with zero; the second where it holds, else the third
  set_predicate,  // `meaning` compares two sources; the result is the predicate or the lanes that run
  move_address,   // the result is AR
  barrier,
  local,  // address and data; a result goes to the return queue
};

struct Operation {
  std::string_view mnemonic;
  const Semantic* meaning;
  Cost cost;
  u8 sources;
  Form form = Form::lanewise;
  bool scalar_slot = false;  // VLIW5: the t slot alone has it; VLIW4: several slots work on it together
  bool returns = false;      // local: the result goes to the queue
};

// nullptr where there is none.
const Operation* find_operation(std::string_view mnemonic);
std::span<const Operation> all_operations();
// Those of float_operations.cpp, integer_operations.cpp and local_memory.cpp.
std::span<const Operation> float_operations();
std::span<const Operation> integer_operations();
std::span<const Operation> local_operations();

const Semantic& move_bits();     // whatever the register holds
const Semantic& move_float();    // with a float's source and output modifiers
const Semantic& select_lanes();  // operand[3], a mask, ? operand[2] : operand[1]
const Semantic& group_barrier();

}  // namespace lockstep::vliw
