#include "time/units/local_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr u32 most_banks = 64;
constexpr u32 most_words = 64;  // of one pass

// How many turns the fullest bank takes for these words.
u32 turns(std::span<const u64> words, u32 banks, bool share) {
  std::array<u8, most_banks> count{};
  u32 most = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    bool counted = false;
    for (std::size_t j = 0; share && j < i && !counted; ++j) counted = words[j] == words[i];
    if (counted) continue;
    most = std::max<u32>(most, ++count[words[i] % banks]);
  }
  return most;
}

}  // namespace

BankPasses bank_passes(const Access& access, u32 wave_lanes, u32 lanes_per_pass, u32 banks) {
  LOCKSTEP_ASSERT(banks <= most_banks && lanes_per_pass <= 64, "local memory has at most 64 banks");
  const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
  const u32 dwords = std::max<u32>(1, (access.bytes + 3u) / 4);
  const u32 group_lanes = std::max<u32>(1, lanes_per_pass / std::bit_ceil(dwords));
  BankPasses result;
  for (u32 lane = 0; lane < wave_lanes; lane += group_lanes) {
    ++result.groups;
    const u64 mask = (group_lanes >= 64 ? ~u64{0} : (u64{1} << group_lanes) - 1) << lane;
    const u64 group = access.lanes & mask;
    std::array<u64, most_banks> held;  // the word that a bank serves, where `seen` says that it serves one
    std::array<u64, most_words> words;
    u32 count = 0;
    u64 seen = 0;
    bool conflict = false;
    for (u64 rest = group; rest != 0; rest &= rest - 1) {
      const u64 first = access.address[static_cast<u32>(std::countr_zero(rest))] / 4;
      for (u32 d = 0; d < dwords; ++d) {
        const u64 word = first + d;
        const u32 bank = static_cast<u32>(word % banks);
        words[count++] = word;
        if (seen >> bank & 1) {
          conflict |= atomic || held[bank] != word;
        } else {
          seen |= u64{1} << bank;
          held[bank] = word;
        }
      }
    }
    if (conflict) result.extra += turns({words.data(), count}, banks, !atomic) - 1;
  }
  return result;
}

}  // namespace lockstep
