// How definedness goes through each instruction of a program: decided once, from what its meaning declares
// (Semantic::flow, shape, kinds) and, where bits can be followed more exactly, from the meaning's name.
#pragma once
#include <vector>

#include "isa/program.h"
#include "isa/semantic.h"

namespace lockstep::check {

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
  memory,
};

// How undefined bits of the sources reach the result. `any` is what is not known better: one undefined bit
// makes the whole result undefined.
enum class Function : u8 {
  any,
  constant,
  move,
  bit_not,
  bit_and,
  bit_and_not,  // a & ~b
  bit_not_and,  // ~a & b
  bit_or,
  bit_or_not,
  bit_not_or,
  bit_xor,
  bit_or3,
  bit_xor3,
  and_or,
  insert_field,    // bfi: (a & b) | (~a & c)
  select,          // c ? b : a
  scalar_select,   // c ? a : b
  scalar_move_if,  // b ? a : c
  shift_left,      // a by b
  shift_right,
  shift_right_signed,
  reverse_shift_left,  // b by a
  reverse_shift_right,
  reverse_shift_right_signed,
  shift_or,   // (a << b) | c
  shift_add,  // (a << b) + c
  add_shift,  // (a + b) << c
  extract,    // bits a from offset b, width c
  extract_signed,
  scalar_extract,  // offset and width in one operand
  scalar_extract_signed,
  carries_up,     // sums and low products: bit i depends on bits i and below
  carries_up_24,  // of the low 24 bits of the first two sources
  any_24,
  multiply,  // as carries_up; a defined zero gives zero
  multiply_24,
  byte0,  // conversions of one byte
  byte1,
  byte2,
  byte3,
  sign_extend_8,
  sign_extend_16,
  pack_low_low,  // halves of two sources
  pack_low_high,
  pack_high_low,
  pack_high_high,
  convert_pair,  // each half of the result from one source
  insert_byte,   // cvt_pk_u8: a to byte b of c
  permute_bytes,
  align_bits,
  align_bytes,
  reverse_bits,
  count_below_low,  // mbcnt: the bits of a below the lane
  count_below_high,
  extend,   // the low Rule::from_bits bits, extended
  mix,      // sources f16 or f32 by op_sel_hi
  compare,  // by Rule::relation
};

enum class Relation : u8 {
  unknown,
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  always
};

// Whether the memory that an atomic changes must be defined.
enum class Combine : u8 { depends, exchange, bit_and, bit_or };

struct Rule {
  Action action = Action::nothing;
  Function function = Function::any;
  Relation relation = Relation::unknown;
  bool is_signed = false;             // of a comparison or a load
  bool custom = false;                // operands span the registers that the text names
  bool keeps_low_half = false;        // the result is the high half of its register
  bool inverts = false;               // nand, nor, xnor
  bool condition_is_nonzero = false;  // SCC says whether the result has a bit
  // Memory:
  bool moves_data = false;  // loads and stores whose bytes go to registers as they are
  bool is_pair = false;     // two places, each with its own data
  bool low_half = false;    // d16: the register's other half stays
  bool high_half = false;
  bool one_for_all = false;   // one access serves all lanes (ds_append)
  bool second_apart = false;  // atomics: a second value in operand[5]
  Combine combine = Combine::depends;
  // PTX:
  u8 from_bits = 0;
  u8 ptx_parts = 0;      // elements of a vector load or store
  u8 register_rows = 1;  // of a load's result
};

Rule rule_of(const Instruction& instruction);
Rule rule_of_ptx(const Instruction& instruction);
// What memory instructions of every ISA have in common.
void set_memory(const Instruction& instruction, Rule& rule);

}  // namespace lockstep::check
