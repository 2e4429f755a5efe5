// Bank conflicts of local memory: lanes that want different words of one bank take turns; lanes that want the
// same word share it (S1, S2: 32 banks of 4 bytes).
#pragma once
#include <span>

#include "isa/outcome.h"

namespace lockstep {

struct BankPasses {
  u32 groups = 0;  // sets of lanes that the banks serve at once when nothing conflicts
  u32 apart = 0;   // as many as there would be if none were served together
  u32 extra = 0;   // further passes because of conflicts
  u32 same = 0;    // of them, those of atomics on one word
};

// `lanes_per_pass`: lanes of 4 bytes served at once; of 8 or 16 bytes half or a quarter as many. Atomics
// share nothing: each lane of a bank takes a turn. A bank may deliver so many words at once: one of each of
// as many neighbouring rows of the banks; or, where so many successive words lie in each bank, those. To
// `bank_turns` (none, or one for each bank) it adds the turns in which each has something to serve.
// `pairs_share`: loads of 8 and 16 bytes serve two such sets together where all lanes of a wave have the
// address of the next one of an even lane, or all that of the second next of those with bit 1 clear.
BankPasses bank_passes(const Access& access, u32 wave_lanes, u32 lanes_per_pass, u32 banks,
                       u32 words_of_bank = 1, u32 successive_words = 1, std::span<u64> bank_turns = {},
                       bool pairs_share = false);

}  // namespace lockstep
