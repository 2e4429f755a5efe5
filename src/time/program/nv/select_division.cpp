// Divisions of 64-bit integers: from Volta on the assembler calls a routine for each of them, whatever the
// operands are (that both may fit 32 bits is asked by the compiler before it, if at all).
#include "time/program/nv/select.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using L = LoweredOpcode;

// The routines of ptxas (CUDA 13.0, sm_90; those of sm_75 to sm_89 have one to three instructions more or
// less), read from kernels of one operation each. Each instruction is taken to need the one before it.
constexpr std::string_view quotient =
    "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD IADD3 IMAD IMAD.HI.U32 IADD3 IMAD "
    "IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 IADD3 IMAD.WIDE.U32 IADD3 IMAD IADD3 IMAD "
    "IMAD.HI.U32 IMAD IMAD IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 IADD3 IMAD.HI.U32 IADD3 "
    "IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 IADD3 IMAD.WIDE.U32 IMAD IADD3 IMAD ISETP IMAD "
    "IADD3 IADD3 IADD3 ISETP IMAD IADD3 SEL SEL SEL SEL ISETP IMAD IADD3 ISETP ISETP IMAD SEL ISETP "
    "SEL MOV SEL SEL";
constexpr std::string_view signed_quotient =
    "IADD3 ISETP ISETP IMAD SEL SEL I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD IADD3 "
    "IMAD IMAD.HI.U32 IMAD MOV IMAD IMAD.WIDE.U32 IMAD.HI.U32 IMAD.HI.U32 IADD3 IMAD IMAD.WIDE.U32 "
    "IADD3 IMAD IADD3 IMAD IMAD.HI.U32 IMAD IADD3 IMAD.WIDE.U32 SEL IMAD IMAD.HI.U32 SEL IMAD "
    "IMAD.HI.U32 IADD3 IMAD IADD3 IMAD.HI.U32 IADD3 IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 "
    "IMAD IMAD.WIDE.U32 IMAD IADD3 IMAD IADD3 ISETP IMAD IMAD IADD3 IADD3 ISETP IMAD SEL SEL SEL ISETP "
    "SEL IADD3 ISETP LOP3.LUT IMAD SEL ISETP SEL IADD3 ISETP IADD3 SEL IMAD SEL IMAD ISETP SEL SEL";
constexpr std::string_view remainder =
    "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD IADD3 IMAD IMAD.HI.U32 IMAD MOV IMAD "
    "IMAD.WIDE.U32 IMAD.HI.U32 IMAD.HI.U32 IADD3 IMAD IMAD.WIDE.U32 IADD3 IMAD IADD3 IMAD IMAD.HI.U32 "
    "IADD3 MOV IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 IMAD IMAD.HI.U32 IADD3 IMAD.WIDE.U32 "
    "IMAD IMAD.HI.U32 IMAD.HI.U32 IADD3 IMAD IMAD.WIDE.U32 IADD3 IMAD IADD3 MOV IMAD ISETP IMAD IADD3 "
    "ISETP IADD3 SEL SEL ISETP IADD3 ISETP ISETP IMAD SEL MOV ISETP SEL SEL SEL";
constexpr std::string_view signed_remainder =
    "IADD3 ISETP IMAD SEL SEL I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD IADD3 IMAD "
    "IMAD.HI.U32 IMAD IMAD IMAD IMAD.WIDE.U32 IMAD.HI.U32 IMAD.HI.U32 IADD3 IADD3 IMAD.WIDE.U32 IADD3 "
    "ISETP IMAD IADD3 IMAD IMAD.HI.U32 IMAD IADD3 IMAD.WIDE.U32 SEL IMAD IMAD.HI.U32 IMAD IMAD.HI.U32 "
    "IADD3 IADD3 SEL IMAD.HI.U32 IADD3 IMAD IMAD.HI.U32 IMAD.WIDE.U32 IMAD IMAD.HI.U32 IMAD IADD3 "
    "IADD3 IMAD.WIDE.U32 IMAD IADD3 IMAD ISETP IMAD IADD3 ISETP IMAD SEL SEL ISETP IADD3 ISETP IADD3 "
    "SEL SEL IADD3 ISETP SEL IMAD MOV ISETP SEL IMAD SEL SEL";

}  // namespace

void Selector::divide_wide(u32 number, const Node& n) {
  const bool divides = n.op == Op::div;
  // What it takes beside what is held across the call.
  const u8 registers = n.is_signed ? (divides ? 15 : 13) : 11;
  const O back = fresh(1), to = result(number);
  out(L::mov, "", {back}, {immediate(0)});
  out(L::call, ".REL.NOINC", {}, {}).routine_registers = registers;
  routine_ = true;
  const std::string_view text = n.is_signed ? (divides ? signed_quotient : signed_remainder)
                                : divides   ? quotient
                                            : remainder;
  const O made =
      sequence(text, {part(n.in[0], 0), part(n.in[1], 0), part(n.in[0], 1), part(n.in[1], 1)}, 0, number);
  out(L::ret, ".REL.NODEC", {}, {back});
  routine_ = false;
  // From where the routine leaves it.
  for (u8 i = 0; i < 2; ++i) out(L::imad_mov, ".U32", {half_register(to, i)}, {zero(), zero(), made});
}

}  // namespace lockstep::lowering
