// Latencies: Mesa NAK, sm75_ and sm80_instr_latencies.rs, and sm70.rs (NVIDIA's data).
#include "time/program/nv/latency.h"

#include "time/program/nv/older.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;
using L = LoweredOpcode;
using P = LoweredPipe;

// The memories that an instruction reaches, a bit each; 0 for what no launch changes.
u8 memories(L opcode) {
  constexpr u8 global = 1, group = 2, own = 4;
  switch (opcode) {
    case L::ldg:
    case L::stg:
    case L::atomg:
    case L::red:
      return global;
    case L::lds:
    case L::sts:
    case L::atoms:
    case L::ldslk:
    case L::ldsm:
      return group;
    case L::ldl:
    case L::stl:
      return own;
    case L::ldc:
      return 0;
    default:
      return global | group | own;
  }
}

u32 bytes_of(const LoweredInstruction& in) {
  return in.modifiers.find(".128") != in.modifiers.npos  ? 16
         : in.modifiers.find(".64") != in.modifiers.npos ? 8
                                                         : 4;
}

}  // namespace

bool is_fixed(const LoweredInstruction& in, u32 capability) {
  if (capability < 70) return older_fixed(in, capability);
  const LoweredOpcodeInfo& what = info(in.opcode);
  if (what.pipe == P::fp64) return capability == 70 || capability >= 90;
  return what.fixed_latency;
}

u32 latency(const LoweredInstruction& from, const LoweredInstruction& to, const LoweredOperand& made,
            bool as_guard, u32 capability) {
  const P a = info(from.opcode).pipe, b = info(to.opcode).pipe;
  const bool predicate = made.file == File::predicate || made.file == File::uniform_predicate;
  const bool away = b == P::lsu || b == P::branch || b == P::xu;
  if (capability < 70) return older_latency(from, predicate, capability);
  if (a == P::uniform) return b == P::uniform ? 4 : b == P::lsu ? 9 : b == P::branch ? 10 : 6;
  if (predicate) {
    const bool by_lanes = as_guard || away || to.opcode == L::vote;
    if (a == P::fp64 && capability != 70) return by_lanes ? 14 : 6;
    if (by_lanes) return capability == 75 ? 12 : 13;
    return capability == 70 ? 5 : b == P::alu ? 4 : 5;
  }
  switch (a) {
    case P::fp64:
      if (capability == 70) return 8;
      return b == P::fp64 ? 8 : b == P::xu ? 6 : b == P::lsu ? 7 : 10;
    case P::half:
      if (from.opcode == L::hfma2_mma) return to.opcode == L::hfma2_mma ? 6 : 10;
      if (b == P::half) return capability == 86 || capability == 89 ? 4 : 6;
      return capability >= 80 ? 5 : 8;
    case P::tensor:
      return capability >= 80 ? 18 : 14;
    case P::fma_heavy:
      if (from.opcode == L::imad_hi && capability >= 90) return 9;
      if (from.opcode == L::imad_hi && b == P::fma_heavy) return to.opcode == L::imad_hi ? 6 : 5;
      if (from.opcode == L::imad_wide) return away ? 6 : 5;
      if (b == P::xu) return 4;
      return b == P::fma || b == P::fma_heavy ? (capability == 70 ? 5 : 4) : 5;
    case P::alu:
    case P::fma: {
      if (from.opcode == L::cs2r) return 6;
      if (capability == 70 && (from.opcode == L::fmnmx || from.opcode == L::fset)) return 5;
      const bool fma_side = b == P::fma || b == P::fma_heavy;
      const bool same = a == P::alu ? b == P::alu : fma_side;
      if (b == P::xu) return 4;
      return same ? 4 : b == P::fp64 || b == P::tensor || b == P::half ? 6 : 5;
    }
    default:
      return 4;
  }
}

u32 expected_latency(const LoweredInstruction& in) {
  switch (info(in.opcode).pipe) {
    case P::lsu:
      if (in.opcode == L::lds || in.opcode == L::ldc || in.opcode == L::shfl) return 28;
      if (in.opcode == L::s2r) return 20;
      return 200;
    case P::xu:
      return 20;
    case P::fp64:
      return 48;
    default:
      return 4;
  }
}

bool is_memory(const LoweredInstruction& in) {
  return info(in.opcode).memory || in.opcode == L::membar || in.opcode == L::cctl || in.opcode == L::errbar;
}
bool only_reads(const LoweredInstruction& in) {
  return in.opcode == L::ldg || in.opcode == L::lds || in.opcode == L::ldl || in.opcode == L::ldc ||
         in.opcode == L::ld || in.opcode == L::tex || in.opcode == L::suld || in.opcode == L::ldsm;
}
bool is_anchor(const LoweredInstruction& in) {
  const P pipe = info(in.opcode).pipe;
  return (pipe == P::branch && in.opcode != L::bssy && in.opcode != L::ssy) || in.opcode == L::bar;
}

bool keeps_order(const LoweredInstruction& a, const LoweredInstruction& b, bool same_base) {
  if (only_reads(a) && only_reads(b)) return false;
  // Nobody else knows where values lie that have no register.
  constexpr u32 no_word = LoweredInstruction::no_word;
  if ((a.spill_word == no_word) != (b.spill_word == no_word)) return false;
  // What nobody changes can be read at any time.
  const auto of_constants = [](const LoweredInstruction& in) {
    return in.opcode == L::ldg && in.modifiers.ends_with(".CONSTANT");
  };
  if (of_constants(a) || of_constants(b)) return false;
  if ((memories(a.opcode) & memories(b.opcode)) == 0) return false;
  const auto plain = [](const LoweredInstruction& in) {
    return in.opcode == L::ldg || in.opcode == L::stg || in.opcode == L::lds || in.opcode == L::sts ||
           in.opcode == L::ldl || in.opcode == L::stl;
  };
  if (!same_base || !plain(a) || !plain(b)) return true;
  return i64{a.offset} < i64{b.offset} + bytes_of(b) && i64{b.offset} < i64{a.offset} + bytes_of(a);
}

}  // namespace lockstep::lowering
