#include "isa/amd/dual.h"

#include <cstring>

#include "isa/amd/format.h"
#include "isa/semantic.h"
#include "isa/step.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

// "v_dual_mov_b32 v1, v2" as the single instruction's text.
std::string single_text(std::string_view half) {
  while (half.starts_with(' ') || half.starts_with('\t')) half.remove_prefix(1);
  while (half.ends_with(' ')) half.remove_suffix(1);
  std::string text = single_mnemonic(half);
  // The condition is VCC, which the dual form does not say.
  if (text.starts_with("v_cndmask_b32")) text += ", vcc_lo";
  return text;
}

bool reads(const Instruction& in, u32 row) {
  for (std::size_t i = 1; i < in.operand.size(); ++i) {
    const Operand& operand = in.operand[i];
    if (operand.kind == OperandKind::vector && row - operand.index < operand.registers) return true;
  }
  return false;
}

}  // namespace

std::string single_mnemonic(std::string_view mnemonic) {
  constexpr std::string_view prefix = "v_dual_";
  if (!mnemonic.starts_with(prefix)) return std::string(mnemonic);
  return "v_" + std::string(mnemonic.substr(prefix.size()));
}

bool is_dual(std::string_view text) {
  return text.find(" :: ") != std::string_view::npos;
}

Expected<std::array<Instruction, 2>> decode_dual(const Encoded& encoded, const Target& target) {
  const std::size_t middle = encoded.text.find("::");
  std::array<Instruction, 2> halves;
  for (u32 i = 0; i < 2; ++i) {
    const std::string text =
        single_text(i == 0 ? encoded.text.substr(0, middle) : encoded.text.substr(middle + 2));
    auto half = decode({text, encoded.words, encoded.address}, target);
    if (!half) return half.error();
    halves[i] = *half;
    halves[i].amd.format = Format::vopd;
    halves[i].size = i == 0 ? halves[i].size : 0;
  }
  halves[0].slots = 2;
  return halves;
}

void run_dual(WaveState& wave, const Instruction& in, StepContext& context) {
  const Instruction& second = *(&in + 1);
  const RunFunction first_run = run_function(*in.meaning, wave.lanes);
  const RunFunction second_run = run_function(*second.meaning, wave.lanes);
  ++wave.pc;  // behind the second one
  const u32 result = in.operand[0].index;
  if (!reads(second, result)) {
    first_run(wave, in, context);
    second_run(wave, second, context);
    return;
  }
  lockstep::Row<u32> before, after;
  const std::size_t bytes = wave.lanes * sizeof(u32);
  std::memcpy(before.data(), wave.row(result), bytes);
  first_run(wave, in, context);
  std::memcpy(after.data(), wave.row(result), bytes);
  std::memcpy(wave.row(result), before.data(), bytes);
  second_run(wave, second, context);
  std::memcpy(wave.row(result), after.data(), bytes);
}

}  // namespace lockstep::amd
