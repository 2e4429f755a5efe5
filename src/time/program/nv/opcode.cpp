#include "time/program/nv/opcode.h"

#include <array>

#include "base/assert.h"

namespace lockstep {
namespace {

using L = LoweredOpcode;
using P = LoweredPipe;

struct OpcodeRow {
  L opcode;
  LoweredOpcodeInfo info;
};

constexpr bool variable = false, memory = true;  // against fixed_latency, for memory

// Sources of pipes and kinds of latency: Mesa NAK sm75_ and sm80_instr_latencies.rs; Huerta et al.,
// "Analyzing Modern NVIDIA GPU cores" (MICRO 2025).
constexpr OpcodeRow opcode_rows[] = {
    {L::iadd3, {"IADD3", P::alu}},
    {L::lop3, {"LOP3", P::alu}},
    {L::isetp, {"ISETP", P::alu}},
    {L::lea, {"LEA", P::alu}},
    {L::imnmx, {"IMNMX", P::alu}},
    {L::viaddmnmx, {"VIADDMNMX", P::alu}},
    {L::shf, {"SHF", P::alu}},
    {L::sel, {"SEL", P::alu}},
    {L::prmt, {"PRMT", P::alu}},
    {L::plop3, {"PLOP3", P::alu}},
    {L::iabs, {"IABS", P::alu}},
    {L::bmsk, {"BMSK", P::alu}},
    {L::sgxt, {"SGXT", P::alu}},
    {L::mov, {"MOV", P::alu}},
    {L::fmnmx, {"FMNMX", P::alu}},
    {L::fsetp, {"FSETP", P::alu}},
    {L::fset, {"FSET", P::alu}},
    {L::fsel, {"FSEL", P::alu}},
    {L::fchk, {"FCHK", P::xu, variable}},
    {L::vote, {"VOTE", P::alu}},
    {L::vabsdiff, {"VABSDIFF", P::alu}},
    {L::cs2r, {"CS2R", P::alu}},
    {L::i2fp, {"I2FP", P::alu}},
    {L::i2ip, {"I2IP", P::alu}},
    {L::f2fp, {"F2FP", P::alu}},
    {L::p2r, {"P2R", P::alu}},
    {L::r2p, {"R2P", P::alu}},
    {L::dp4a, {"IDP", P::fma_heavy}},
    {L::fadd, {"FADD", P::fma}},
    {L::fmul, {"FMUL", P::fma}},
    {L::ffma, {"FFMA", P::fma}},
    {L::imad, {"IMAD", P::fma_heavy}},
    {L::imad_mov, {"IMAD.MOV", P::fma_heavy}},
    {L::imad_wide, {"IMAD.WIDE", P::fma_heavy}},
    {L::imad_hi, {"IMAD.HI", P::fma_heavy}},
    {L::viadd, {"VIADD", P::fma_heavy}},
    {L::hadd2, {"HADD2", P::half}},
    {L::hmul2, {"HMUL2", P::half}},
    {L::hfma2, {"HFMA2", P::half}},
    {L::hfma2_mma, {"HFMA2.MMA", P::half}},
    {L::hmnmx2, {"HMNMX2", P::half}},
    {L::hsetp2, {"HSETP2", P::half}},
    {L::hset2, {"HSET2", P::half}},
    {L::dadd, {"DADD", P::fp64, variable}},
    {L::dmul, {"DMUL", P::fp64, variable}},
    {L::dfma, {"DFMA", P::fp64, variable}},
    {L::dsetp, {"DSETP", P::fp64, variable}},
    {L::mufu, {"MUFU", P::xu, variable}},
    {L::f2f, {"F2F", P::xu, variable}},
    {L::f2i, {"F2I", P::xu, variable}},
    {L::i2f, {"I2F", P::xu, variable}},
    {L::i2i, {"I2I", P::xu, variable}},
    {L::frnd, {"FRND", P::xu, variable}},
    {L::popc, {"POPC", P::xu, variable}},
    {L::flo, {"FLO", P::xu, variable}},
    {L::brev, {"BREV", P::xu, variable}},
    {L::ldg, {"LDG", P::lsu, variable, memory}},
    {L::stg, {"STG", P::lsu, variable, memory}},
    {L::ld, {"LD", P::lsu, variable, memory}},
    {L::st, {"ST", P::lsu, variable, memory}},
    {L::lds, {"LDS", P::lsu, variable, memory}},
    {L::sts, {"STS", P::lsu, variable, memory}},
    {L::ldl, {"LDL", P::lsu, variable, memory}},
    {L::stl, {"STL", P::lsu, variable, memory}},
    {L::ldc, {"LDC", P::lsu, variable, memory}},
    {L::atom, {"ATOM", P::lsu, variable, memory}},
    {L::atomg, {"ATOMG", P::lsu, variable, memory}},
    {L::red, {"RED", P::lsu, variable, memory}},
    {L::atoms, {"ATOMS", P::lsu, variable, memory}},
    {L::ldsm, {"LDSM", P::lsu, variable, memory}},
    {L::ldgsts, {"LDGSTS", P::lsu, variable, memory}},
    {L::ldgdepbar, {"LDGDEPBAR", P::lsu, variable}},
    {L::shfl, {"SHFL", P::lsu, variable}},
    {L::match, {"MATCH", P::lsu, variable}},
    {L::redux, {"REDUX", P::lsu, variable}},
    {L::s2r, {"S2R", P::lsu, variable}},
    {L::s2ur, {"S2UR", P::lsu, variable}},
    {L::r2ur, {"R2UR", P::lsu, variable}},
    {L::membar, {"MEMBAR", P::lsu, variable}},
    {L::errbar, {"ERRBAR", P::lsu, variable}},
    {L::cctl, {"CCTL", P::lsu, variable}},
    {L::bar, {"BAR", P::lsu, variable}},
    {L::tex, {"TEX", P::lsu, variable, memory}},
    {L::txq, {"TXQ", P::lsu, variable}},
    {L::suld, {"SULD", P::lsu, variable, memory}},
    {L::sust, {"SUST", P::lsu, variable, memory}},
    {L::suq, {"SUQ", P::lsu, variable}},
    {L::movm, {"MOVM", P::lsu, variable}},
    {L::uldc, {"ULDC", P::uniform}},
    {L::umov, {"UMOV", P::uniform}},
    {L::uiadd3, {"UIADD3", P::uniform}},
    {L::uimad, {"UIMAD", P::uniform}},
    {L::uimad_wide, {"UIMAD.WIDE", P::uniform}},
    {L::ulop3, {"ULOP3", P::uniform}},
    {L::ushf, {"USHF", P::uniform}},
    {L::ulea, {"ULEA", P::uniform}},
    {L::uisetp, {"UISETP", P::uniform}},
    {L::uplop3, {"UPLOP3", P::uniform}},
    {L::usel, {"USEL", P::uniform}},
    {L::uprmt, {"UPRMT", P::uniform}},
    {L::usgxt, {"USGXT", P::uniform}},
    {L::upopc, {"UPOPC", P::uniform}},
    {L::uflo, {"UFLO", P::uniform}},
    {L::ubrev, {"UBREV", P::uniform}},
    {L::ubmsk, {"UBMSK", P::uniform}},
    {L::voteu, {"VOTEU", P::uniform}},
    {L::hmma, {"HMMA", P::tensor}},
    {L::imma, {"IMMA", P::tensor}},
    {L::bmma, {"BMMA", P::tensor}},
    {L::dmma, {"DMMA", P::tensor}},
    {L::bra, {"BRA", P::branch, variable}},
    {L::brx, {"BRX", P::branch, variable}},
    {L::jmp, {"JMP", P::branch, variable}},
    {L::call, {"CALL", P::branch, variable}},
    {L::ret, {"RET", P::branch, variable}},
    {L::exit, {"EXIT", P::branch, variable}},
    {L::bssy, {"BSSY", P::branch}},
    {L::bmov, {"BMOV", P::control}},
    {L::bsync, {"BSYNC", P::branch, variable}},
    {L::break_, {"BREAK", P::branch}},
    {L::warpsync, {"WARPSYNC", P::branch, variable}},
    {L::kill, {"KILL", P::branch, variable}},
    {L::bpt, {"BPT", P::branch, variable}},
    {L::nanosleep, {"NANOSLEEP", P::branch, variable}},
    {L::yield, {"YIELD", P::branch}},
    {L::nop, {"NOP", P::control}},
    {L::depbar, {"DEPBAR", P::control}},
    {L::iadd, {"IADD", P::alu}},
    {L::iadd32i, {"IADD32I", P::alu}},
    {L::iscadd, {"ISCADD", P::alu}},
    {L::lop, {"LOP", P::alu}},
    {L::lop32i, {"LOP32I", P::alu}},
    {L::mov32i, {"MOV32I", P::alu}},
    {L::shl, {"SHL", P::shift}},
    {L::shr, {"SHR", P::shift}},
    {L::bfe, {"BFE", P::shift}},
    {L::bfi, {"BFI", P::shift}},
    {L::xmad, {"XMAD", P::fma}},
    {L::imul, {"IMUL", P::fma_heavy}},
    {L::imul_hi, {"IMUL.HI", P::fma_heavy}},
    {L::vadd, {"VADD", P::alu}},
    {L::vmnmx, {"VMNMX", P::compare}},
    {L::psetp, {"PSETP", P::compare}},
    {L::dset, {"DSET", P::fp64, variable}},
    {L::dmnmx, {"DMNMX", P::fp64, variable}},
    {L::rro, {"RRO", P::alu}},
    {L::ldslk, {"LDSLK", P::lsu, variable, memory}},
    {L::stsul, {"STSUL", P::lsu, variable}},
    {L::ssy, {"SSY", P::branch}},
    {L::sync, {"SYNC", P::branch, variable}},
};
static_assert(std::size(opcode_rows) == static_cast<std::size_t>(L::count));

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(opcode_rows); ++i) {
    if (static_cast<std::size_t>(opcode_rows[i].opcode) != i) return false;
  }
  return true;
}
static_assert(in_order(), "the table follows the enumeration");

}  // namespace

std::string_view name(LoweredPipe pipe) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(P::count)> names = {
      "alu",     "fma",    "fma_heavy", "half",    "fp64",  "xu",     "lsu",
      "uniform", "tensor", "branch",    "control", "shift", "compare"};
  return names[static_cast<std::size_t>(pipe)];
}

const LoweredOpcodeInfo& info(LoweredOpcode opcode) {
  LOCKSTEP_ASSERT(opcode < L::count, "an opcode is one of the list");
  return opcode_rows[static_cast<std::size_t>(opcode)].info;
}

std::optional<LoweredOpcode> find_lowered_opcode(std::string_view text, std::string_view& modifiers) {
  std::optional<L> best;
  std::size_t longest = 0;
  for (const OpcodeRow& row : opcode_rows) {
    const std::string_view mnemonic = row.info.mnemonic;
    if (!text.starts_with(mnemonic) || (best && mnemonic.size() <= longest)) continue;
    if (text.size() != mnemonic.size() && text[mnemonic.size()] != '.') continue;
    best = row.opcode;
    longest = mnemonic.size();
  }
  if (best) modifiers = text.substr(longest);
  return best;
}

}  // namespace lockstep
