// VOPD: two vector instructions in one encoding (RDNA 3 and later). Each half means what the single
// instruction of its name means, so there are no rows of their own. Source: "RDNA 3 Instruction Set
// Architecture", chapter "Dual Issue VALU".
#pragma once
#include <array>

#include "isa/amd/decode.h"

namespace lockstep::amd {

bool is_dual(std::string_view text);

// "v_dual_mov_b32" to "v_mov_b32", the single instruction of the same meaning; other mnemonics stay.
std::string single_mnemonic(std::string_view mnemonic);

// The two halves. The first has `slots` 2 and the encoding's size; execution runs both with it (run_dual) and
// goes on behind the second, which must follow it. Errors: those of decode().
Expected<std::array<Instruction, 2>> decode_dual(const Encoded& encoded, const Target& target);

// Runs an instruction and the one behind it: both read before either writes.
void run_dual(WaveState& wave, const Instruction& in, StepContext& context);

}  // namespace lockstep::amd
