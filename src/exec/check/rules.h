// How definedness goes through each instruction of a program: decided once, from what its meaning declares
// (isa/flow.h, shape, kinds) and its operands.
#pragma once
#include <vector>

#include "isa/program.h"
#include "isa/semantic.h"

namespace lockstep::check {

inline constexpr std::size_t most_calls = 1024;  // of functions at hand, remembered for messages

// What is to be done about an instruction.
enum class Action : u8 {
  nothing,
  lanes,         // a function of lanes
  halves,        // packed 16-bit
  scalar,        // a function of wave-wide values
  opaque,        // results count as defined
  combine_exec,  // saveexec and wrexec
  branch_scc,
  branch_vcc,
  branch_predicate,  // PTX
  jump,              // to an address in scalar registers
  barrier,
  read_first_lane,
  read_lane,
  write_lane,
  swap,
  permute_row,  // v_permlane16
  permute_other_row,
  permute_halves,
  pull,     // ds_bpermute
  push,     // ds_permute
  swizzle,  // ds_swizzle
  read_indexed_row,
  write_indexed_row,
  memory,
  bytes,  // as the ISA describes it (isa/byte_step.h)
};

struct Rule {
  Action action = Action::nothing;
  Flow flow = Flow::any;
  Relation relation = Relation::unknown;
  bool is_signed = false;             // of a comparison, an extension or a load
  bool custom = false;                // operands span the registers that the text names
  bool keeps_low_half = false;        // the result is the high half of its register
  bool condition_is_nonzero = false;  // SCC says whether the result has a bit
  // Memory, as MemoryData has it:
  bool moves_data = false;
  bool is_pair = false;
  bool low_half = false;
  bool high_half = false;
  bool one_for_all = false;
  bool second_apart = false;  // atomics: a second value in operand[5]
  Combining combining = Combining::none;
  u8 extend_bits = 0;  // of Flow::extend
  u8 op_sel = 0;       // of Flow::pairs and move_pairs: AmdFields::packed_select
  u8 reach = 0;        // of permutations: lanes that reach each other; 0: the whole wave
  // Of images, a bit for each row: what the address and the result have of their operands' rows.
  u8 address_rows = 0xFF, result_rows = 0xFF;
  // PTX:
  u8 ptx_parts = 0;      // elements of a vector load or store
  u8 register_rows = 1;  // of a load's result
};

// The undefined bits of what an atomic finds that show in what it leaves there, by its first operand.
u64 depends(Combining combining, u64 undefined, u64 operand);

Rule rule_of(const Instruction& instruction);
Rule rule_of_ptx(const Instruction& instruction);

}  // namespace lockstep::check
