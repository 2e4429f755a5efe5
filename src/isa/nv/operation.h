// What the words of a PTX opcode say, decoded once: for rooms that ask which operation it is, rather than run
// it. Source: "Parallel Thread Execution ISA", version 8.5, chapter 9.7.
#pragma once
#include "isa/semantic.h"

namespace lockstep::nv {

// The first word. `other`: what nobody asks for by name.
enum class Mnemonic : u8 {
  other,
  abs,
  add,
  addc,
  and_,
  bfe,
  bfi,
  bfind,
  brev,
  clz,
  cnot,
  cos,
  cvt,
  cvta,
  div,
  dp2a,
  dp4a,
  ex2,
  fma,
  lg2,
  lop3,
  mad,
  mad24,
  madc,
  max,
  min,
  mov,
  mul,
  mul24,
  neg,
  not_,
  or_,
  popc,
  prmt,
  rcp,
  rem,
  rsqrt,
  sad,
  selp,
  setp,
  shf,
  shl,
  shr,
  sin,
  sqrt,
  sub,
  subc,
  tanh,
  xor_,
  // Across lanes.
  activemask,
  elect,
  match,
  redux,
  shfl,
  vote,
  // Registers put together and taken apart; memory of which no load or store of the common kind tells.
  pack,
  unpack,
  cp_async,
  ldmatrix,
  stmatrix,
};

// A type of an opcode: its elements and how many a register has. bits 0: none.
struct ElementType {
  enum class Kind : u8 { none, bits, unsigned_integer, signed_integer, floating, predicate };
  Kind kind = Kind::none;
  u8 bits = 0, count = 1;
  bool brain = false;   // of floats of 16 bits: bfloat16
  bool tensor = false;  // of floats of 32 bits: tf32

  bool floating() const { return kind == Kind::floating; }
  bool is_signed() const { return kind == Kind::signed_integer; }
  // One number, no float: b32 as well.
  bool whole_number() const {
    return count == 1 && (is_signed() || kind == Kind::unsigned_integer || kind == Kind::bits);
  }
};

// Of setp. Unsigned numbers' (.lo, .hs) by the names of signed ones; unordered floats' (.ltu) as ordered
// ones'.
enum class Comparison : u8 { eq, ne, lt, le, gt, ge, num, nan };

struct Operation {
  Mnemonic mnemonic = Mnemonic::other;
  ElementType type;  // the last; of a conversion: the result's
  ElementType from;  // of a conversion
  Comparison comparison = Comparison::eq;
  bool wide = false;           // .wide: the product whole
  bool high = false;           // .hi
  bool left = false;           // shf.l
  bool approximate = false;    // .approx
  bool full_range = false;     // div.full
  bool flushes = false;        // .ftz
  bool saturates = false;      // .sat
  bool carries = false;        // reads or writes the carry flag
  bool to_whole = false;       // rounds to an integer: .rni, .rzi, .rmi, .rpi
  bool packs = false;          // cvt.pack
  bool wide_register = false;  // a conversion's result lies in a register of 64 bits
  bool has_mode = false;       // prmt with a mode
};

// Of opcodes that several spellings share, the one that does not saturate; of equal ones the first in the
// alphabet. Of atomics: add, min, max, and, or, xor, and the type where it is a float's; of what else no
// table of opcodes has (memory, control, cross-lane) the first word alone.
Operation operation_of(const Semantic& meaning);
// Whether the table of opcodes that compute has it.
bool computes(const Semantic& meaning);

}  // namespace lockstep::nv
