// The instructions that NVIDIA hardware issues, as far as timing tells them apart: one entry for each opcode
// and each form of it that another unit executes. Names are those of "CUDA Binary Utilities" (NVIDIA), 5.3
// to 5.6; what differs without changing time (rounding, types) stands in LoweredInstruction::modifiers.
#pragma once
#include <optional>
#include <string_view>

#include "base/types.h"

namespace lockstep {

// Which unit of an SM's partition an instruction is issued to.
enum class LoweredPipe : u8 {
  alu,        // integer add, logic, shifts, compares, f32 min and max
  fma,        // f32 add, multiply, multiply-add
  fma_heavy,  // integer multiply-add: on the half of the FMA lanes that has the wide multiplier
  half,       // f16 pairs
  fp64,
  xu,       // transcendentals, conversions, bit counts
  lsu,      // the memory input and output queue: memory, shuffles, special registers, barriers' arrival
  uniform,  // the datapath for values that all lanes share (sm_75 and later)
  tensor,
  branch,   // what changes the flow of lanes
  control,  // handled at issue: nops, dependence barriers
  shift,    // shifts and bit fields, where they have another rate than additions (before Volta)
  compare,  // comparisons, minima and maxima, likewise
  count
};
std::string_view name(LoweredPipe pipe);  // "fma_heavy"

enum class LoweredOpcode : u8 {
  // alu
  iadd3,
  lop3,
  isetp,
  lea,
  imnmx,
  viaddmnmx,
  shf,
  sel,
  prmt,
  plop3,
  iabs,
  bmsk,
  sgxt,
  mov,
  fmnmx,
  fsetp,
  fset,
  fsel,
  fchk,
  vote,
  vabsdiff,
  cs2r,
  i2fp,
  i2ip,
  f2fp,
  p2r,
  r2p,
  dp4a,  // IDP
  // fma, fma_heavy
  fadd,
  fmul,
  ffma,
  imad,
  imad_mov,   // IMAD.MOV, IMAD.IADD, IMAD.SHL: a move, add or shift on the multiplier
  imad_wide,  // a 64-bit result
  imad_hi,
  viadd,  // an addition of two from Hopper on
  // half
  hadd2,
  hmul2,
  hfma2,
  hfma2_mma,  // on the matrix unit's side
  hmnmx2,
  hsetp2,
  hset2,
  // fp64
  dadd,
  dmul,
  dfma,
  dsetp,
  // xu
  mufu,
  f2f,
  f2i,
  i2f,
  i2i,
  frnd,
  popc,
  flo,
  brev,
  // lsu
  ldg,
  stg,
  ld,
  st,
  lds,
  sts,
  ldl,
  stl,
  ldc,
  atom,
  atomg,
  red,
  atoms,
  ldsm,
  ldgsts,
  ldgdepbar,
  shfl,
  match,
  redux,
  s2r,
  s2ur,
  r2ur,
  membar,
  errbar,
  cctl,
  bar,
  tex,
  txq,
  suld,
  sust,
  suq,
  movm,
  // uniform
  uldc,
  umov,
  uiadd3,
  uimad,
  uimad_wide,
  ulop3,
  ushf,
  ulea,
  uisetp,
  uplop3,
  usel,
  uprmt,
  usgxt,
  upopc,
  uflo,
  ubrev,
  ubmsk,
  voteu,
  // tensor
  hmma,
  imma,
  bmma,
  dmma,
  // branch
  bra,
  brx,
  jmp,
  call,
  ret,
  exit,
  bssy,
  bmov,
  bsync,
  break_,
  warpsync,
  kill,
  bpt,
  nanosleep,
  yield,
  // control
  nop,
  depbar,
  // Before Volta
  iadd,
  iadd32i,
  iscadd,
  lop,
  lop32i,
  mov32i,
  shl,
  shr,
  bfe,
  bfi,
  xmad,  // 16 by 16 bits and an addition of 32
  imul,
  imul_hi,
  vadd,
  vmnmx,
  psetp,
  dset,
  dmnmx,
  rro,    // brings the argument of MUFU into range
  ldslk,  // LDSLK, STSUL: a load that locks its word of shared memory, a store that unlocks it
  stsul,
  ssy,
  sync,
  count
};

struct LoweredOpcodeInfo {
  std::string_view mnemonic;  // "IMAD.WIDE": the forms with an entry of their own include their modifier
  LoweredPipe pipe = LoweredPipe::alu;
  // The time from issue to result is known when the program is made: stall counts cover it. Else its result
  // (and the end of its reading its sources, for those of the memory queue) is waited for with a barrier.
  bool fixed_latency = true;
  bool memory = false;  // it carries its PTX instruction's accesses
};
const LoweredOpcodeInfo& info(LoweredOpcode opcode);

// The longest opcode that `text` ("IMAD.WIDE.U32", "LDG.E.64") begins with, up to a dot or the end; what is
// left are modifiers. None: no such opcode.
std::optional<LoweredOpcode> find_lowered_opcode(std::string_view text, std::string_view& modifiers);

}  // namespace lockstep
