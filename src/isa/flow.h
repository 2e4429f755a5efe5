// What the checker of checked runs must know of a meaning beside its shape: how undefined bits go from the
// sources to the result, which lanes a value comes from, what of memory goes to which register. A meaning
// declares it where it is defined; nothing of it is decided by a name.
#pragma once
#include "base/types.h"

namespace lockstep {

// How undefined bits of the sources reach the result. `any` is what is not known better: one undefined bit
// makes the whole result undefined. Letters are the sources in their order.
enum class Flow : u8 {
  any,
  own,       // the shape looks after it itself (memory, cross-lane, control)
  constant,  // always defined
  move,
  bit_not,
  bit_and,
  bit_and_not,  // a & ~b
  bit_not_and,  // ~a & b
  bit_nand,
  bit_or,
  bit_or_not,
  bit_not_or,
  bit_nor,
  bit_xor,
  bit_xnor,
  bit_or3,
  bit_xor3,
  and_or,
  insert_field,    // (a & b) | (~a & c)
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
  extract,    // bits of a from offset b, width c
  extract_signed,
  reverse_extract,  // bits of c from offset b, width a; where the rule is signed, extended
  scalar_extract,   // offset and width in one operand
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
  pack_low_low,  // halves of two sources
  pack_low_high,
  pack_high_low,
  pack_high_high,
  convert_pair,  // each half of the result from one source
  insert_byte,   // a to byte b of c
  permute_bytes,
  align_bits,
  align_bytes,
  reverse_bits,
  count_below_low,  // the bits of a below the lane, plus b
  count_below_high,
  extend,       // the low Semantic::extend_bits bits, extended
  mix,          // sources f16 or f32 by op_sel_hi
  mix_to_high,  // and the result is the high half of its register, the other stays
  compare,      // by Semantic::relation
  pairs,        // each 32 bits of the result from those of every source that op_sel names
  move_pairs,   // each 32 bits of the result from those of one source that op_sel names
};

// Of a comparison; signed where its first source is.
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

// What an instruction does that its shape does not say.
enum class Role : u8 {
  none,
  combine_exec,  // a mask combined with EXEC, by the flow
  branch_scc,
  branch_vcc,
  branch_guard,  // by the instruction's guard
  call,
  jump,             // to an address in registers; the way back of functions
  barrier,          // of the whole group, which the runner counts
  counted_barrier,  // the ISA counts who has come; waves look again and again
  index_registers,  // from here on registers may be named by a register's value
  read_first_lane,
  read_lane,
  write_lane,
  swap,
  permute_row,  // within each 16 lanes
  permute_other_row,
  permute_halves,
  pull,  // the reader says from where
  push,  // the writer says where to
  swizzle,
  // Each lane's own row, behind the one that operand [2] numbers by four for each step of its index; there
  // are four rows times operand [3] in all. The index is in row [1], the result in row [0].
  read_indexed_row,
  write_indexed_row,  // likewise of the value in row [1]; the index is in row [4]
};

// What an instruction has to do with a division of integers, which most GPUs have to make of many.
enum class Division : u8 {
  none,
  whole,   // it divides
  begins,  // the reciprocal that compilers begin one with, and nothing else
};

// How the data of a memory instruction goes between memory and registers.
struct MemoryData {
  bool moves = false;  // loads and stores whose bytes go to and from registers as they are
  bool pair = false;   // two places, each with data of its own
  bool low_half = false, high_half = false;  // of the register, whose other half stays
  bool is_signed = false;                    // elements narrower than their register are extended
  bool one_for_all = false;                  // one access serves all lanes
  u8 element_bytes = 0;                      // of PTX's loads and stores: of what the type says; else 0
  u8 parts = 0;  // elements that go to operands of their own (PTX's vectors); 0: registers behind one another
};

}  // namespace lockstep
