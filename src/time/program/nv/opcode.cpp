#include "time/program/nv/opcode.h"

#include <array>

#include "base/assert.h"

namespace lockstep {
namespace {

using O = LoweredOpcode;
using P = LoweredPipe;

struct Row {
  O opcode;
  LoweredOpcodeInfo info;
};

constexpr bool variable = false, memory = true;  // against fixed_latency, for memory

// Sources of pipes and kinds of latency: Mesa NAK sm75_ and sm80_instr_latencies.rs; Huerta et al.,
// "Analyzing Modern NVIDIA GPU cores" (MICRO 2025).
constexpr Row rows[] = {
    {O::iadd3, {"IADD3", P::alu}},
    {O::lop3, {"LOP3", P::alu}},
    {O::isetp, {"ISETP", P::alu}},
    {O::lea, {"LEA", P::alu}},
    {O::imnmx, {"IMNMX", P::alu}},
    {O::shf, {"SHF", P::alu}},
    {O::sel, {"SEL", P::alu}},
    {O::prmt, {"PRMT", P::alu}},
    {O::plop3, {"PLOP3", P::alu}},
    {O::iabs, {"IABS", P::alu}},
    {O::bmsk, {"BMSK", P::alu}},
    {O::sgxt, {"SGXT", P::alu}},
    {O::mov, {"MOV", P::alu}},
    {O::fmnmx, {"FMNMX", P::alu}},
    {O::fsetp, {"FSETP", P::alu}},
    {O::fset, {"FSET", P::alu}},
    {O::fsel, {"FSEL", P::alu}},
    {O::fchk, {"FCHK", P::xu, variable}},
    {O::vote, {"VOTE", P::alu}},
    {O::vabsdiff, {"VABSDIFF", P::alu}},
    {O::cs2r, {"CS2R", P::alu}},
    {O::i2fp, {"I2FP", P::alu}},
    {O::i2ip, {"I2IP", P::alu}},
    {O::f2fp, {"F2FP", P::alu}},
    {O::p2r, {"P2R", P::alu}},
    {O::r2p, {"R2P", P::alu}},
    {O::dp4a, {"IDP", P::fma_heavy}},
    {O::fadd, {"FADD", P::fma}},
    {O::fmul, {"FMUL", P::fma}},
    {O::ffma, {"FFMA", P::fma}},
    {O::imad, {"IMAD", P::fma_heavy}},
    {O::imad_mov, {"IMAD.MOV", P::fma_heavy}},
    {O::imad_wide, {"IMAD.WIDE", P::fma_heavy}},
    {O::imad_hi, {"IMAD.HI", P::fma_heavy}},
    {O::viadd, {"VIADD", P::fma_heavy}},
    {O::hadd2, {"HADD2", P::half}},
    {O::hmul2, {"HMUL2", P::half}},
    {O::hfma2, {"HFMA2", P::half}},
    {O::hfma2_mma, {"HFMA2.MMA", P::half}},
    {O::hmnmx2, {"HMNMX2", P::half}},
    {O::hsetp2, {"HSETP2", P::half}},
    {O::hset2, {"HSET2", P::half}},
    {O::dadd, {"DADD", P::fp64, variable}},
    {O::dmul, {"DMUL", P::fp64, variable}},
    {O::dfma, {"DFMA", P::fp64, variable}},
    {O::dsetp, {"DSETP", P::fp64, variable}},
    {O::mufu, {"MUFU", P::xu, variable}},
    {O::f2f, {"F2F", P::xu, variable}},
    {O::f2i, {"F2I", P::xu, variable}},
    {O::i2f, {"I2F", P::xu, variable}},
    {O::i2i, {"I2I", P::xu, variable}},
    {O::frnd, {"FRND", P::xu, variable}},
    {O::popc, {"POPC", P::xu, variable}},
    {O::flo, {"FLO", P::xu, variable}},
    {O::brev, {"BREV", P::xu, variable}},
    {O::ldg, {"LDG", P::lsu, variable, memory}},
    {O::stg, {"STG", P::lsu, variable, memory}},
    {O::ld, {"LD", P::lsu, variable, memory}},
    {O::st, {"ST", P::lsu, variable, memory}},
    {O::lds, {"LDS", P::lsu, variable, memory}},
    {O::sts, {"STS", P::lsu, variable, memory}},
    {O::ldl, {"LDL", P::lsu, variable, memory}},
    {O::stl, {"STL", P::lsu, variable, memory}},
    {O::ldc, {"LDC", P::lsu, variable, memory}},
    {O::atom, {"ATOM", P::lsu, variable, memory}},
    {O::atomg, {"ATOMG", P::lsu, variable, memory}},
    {O::red, {"RED", P::lsu, variable, memory}},
    {O::atoms, {"ATOMS", P::lsu, variable, memory}},
    {O::ldsm, {"LDSM", P::lsu, variable, memory}},
    {O::ldgsts, {"LDGSTS", P::lsu, variable, memory}},
    {O::ldgdepbar, {"LDGDEPBAR", P::lsu, variable}},
    {O::shfl, {"SHFL", P::lsu, variable}},
    {O::match, {"MATCH", P::lsu, variable}},
    {O::redux, {"REDUX", P::lsu, variable}},
    {O::s2r, {"S2R", P::lsu, variable}},
    {O::s2ur, {"S2UR", P::lsu, variable}},
    {O::r2ur, {"R2UR", P::lsu, variable}},
    {O::membar, {"MEMBAR", P::lsu, variable}},
    {O::errbar, {"ERRBAR", P::lsu, variable}},
    {O::cctl, {"CCTL", P::lsu, variable}},
    {O::bar, {"BAR", P::lsu, variable}},
    {O::tex, {"TEX", P::lsu, variable, memory}},
    {O::txq, {"TXQ", P::lsu, variable}},
    {O::suld, {"SULD", P::lsu, variable, memory}},
    {O::sust, {"SUST", P::lsu, variable, memory}},
    {O::suq, {"SUQ", P::lsu, variable}},
    {O::movm, {"MOVM", P::lsu, variable}},
    {O::uldc, {"ULDC", P::uniform}},
    {O::umov, {"UMOV", P::uniform}},
    {O::uiadd3, {"UIADD3", P::uniform}},
    {O::uimad, {"UIMAD", P::uniform}},
    {O::uimad_wide, {"UIMAD.WIDE", P::uniform}},
    {O::ulop3, {"ULOP3", P::uniform}},
    {O::ushf, {"USHF", P::uniform}},
    {O::ulea, {"ULEA", P::uniform}},
    {O::uisetp, {"UISETP", P::uniform}},
    {O::uplop3, {"UPLOP3", P::uniform}},
    {O::usel, {"USEL", P::uniform}},
    {O::uprmt, {"UPRMT", P::uniform}},
    {O::usgxt, {"USGXT", P::uniform}},
    {O::upopc, {"UPOPC", P::uniform}},
    {O::uflo, {"UFLO", P::uniform}},
    {O::ubrev, {"UBREV", P::uniform}},
    {O::ubmsk, {"UBMSK", P::uniform}},
    {O::voteu, {"VOTEU", P::uniform}},
    {O::hmma, {"HMMA", P::tensor}},
    {O::imma, {"IMMA", P::tensor}},
    {O::bmma, {"BMMA", P::tensor}},
    {O::dmma, {"DMMA", P::tensor}},
    {O::bra, {"BRA", P::branch, variable}},
    {O::brx, {"BRX", P::branch, variable}},
    {O::jmp, {"JMP", P::branch, variable}},
    {O::call, {"CALL", P::branch, variable}},
    {O::ret, {"RET", P::branch, variable}},
    {O::exit, {"EXIT", P::branch, variable}},
    {O::bssy, {"BSSY", P::branch}},
    {O::bmov, {"BMOV", P::control}},
    {O::bsync, {"BSYNC", P::branch, variable}},
    {O::break_, {"BREAK", P::branch}},
    {O::warpsync, {"WARPSYNC", P::branch, variable}},
    {O::kill, {"KILL", P::branch, variable}},
    {O::bpt, {"BPT", P::branch, variable}},
    {O::nanosleep, {"NANOSLEEP", P::branch, variable}},
    {O::yield, {"YIELD", P::branch}},
    {O::nop, {"NOP", P::control}},
    {O::depbar, {"DEPBAR", P::control}},
    {O::iadd, {"IADD", P::alu}},
    {O::iadd32i, {"IADD32I", P::alu}},
    {O::iscadd, {"ISCADD", P::alu}},
    {O::lop, {"LOP", P::alu}},
    {O::lop32i, {"LOP32I", P::alu}},
    {O::mov32i, {"MOV32I", P::alu}},
    {O::shl, {"SHL", P::shift}},
    {O::shr, {"SHR", P::shift}},
    {O::bfe, {"BFE", P::shift}},
    {O::bfi, {"BFI", P::shift}},
    {O::xmad, {"XMAD", P::fma}},
    {O::imul, {"IMUL", P::fma_heavy}},
    {O::imul_hi, {"IMUL.HI", P::fma_heavy}},
    {O::vadd, {"VADD", P::alu}},
    {O::vmnmx, {"VMNMX", P::compare}},
    {O::psetp, {"PSETP", P::compare}},
    {O::dset, {"DSET", P::fp64, variable}},
    {O::dmnmx, {"DMNMX", P::fp64, variable}},
    {O::rro, {"RRO", P::alu}},
    {O::ldslk, {"LDSLK", P::lsu, variable, memory}},
    {O::stsul, {"STSUL", P::lsu, variable}},
    {O::ssy, {"SSY", P::branch}},
    {O::sync, {"SYNC", P::branch, variable}},
};
static_assert(std::size(rows) == static_cast<std::size_t>(O::count));

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    if (static_cast<std::size_t>(rows[i].opcode) != i) return false;
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
  LOCKSTEP_ASSERT(opcode < O::count, "an opcode is one of the list");
  return rows[static_cast<std::size_t>(opcode)].info;
}

std::optional<LoweredOpcode> find_lowered_opcode(std::string_view text, std::string_view& modifiers) {
  std::optional<O> best;
  std::size_t longest = 0;
  for (const Row& row : rows) {
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
