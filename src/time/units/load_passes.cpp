#include "time/units/load_passes.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr u32 most_lanes = 64, most_banks = 64, quad = 4;

// Counts different values by bank; the fullest bank's are what matters.
template <u32 banks>
struct Fullest {
  std::array<std::array<u64, most_lanes>, banks> values;
  std::array<u32, banks> count{};
  u32 most = 0;

  void add(u32 bank, u64 value) {
    const auto begin = values[bank].begin(), end = begin + count[bank];
    if (std::find(begin, end, value) != end) return;
    values[bank][count[bank]++] = value;
    most = std::max(most, count[bank]);
  }
};

u32 unit_of(u32 bytes) {
  return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

u32 passes_of_set(const LoadPasses& rule, std::span<const u64> addresses, u32 unit) {
  const u32 banks = std::min(most_banks, rule.row_bytes / unit);
  const u32 row_shift = static_cast<u32>(std::countr_zero(rule.row_bytes)),
            unit_shift = static_cast<u32>(std::countr_zero(unit));
  if (addresses.size() <= quad) {
    // How many of each lane's predecessors want its bank, or its tag bank, for something else: no more than
    // four are left to compare.
    u32 most = 1;
    for (u32 i = 1; i < addresses.size(); ++i) {
      u32 words = 1, lines = 1;
      for (u32 k = 0; k < i; ++k) {
        const u64 word = addresses[i] >> unit_shift, line = addresses[i] >> row_shift;
        const u64 other_word = addresses[k] >> unit_shift, other_line = addresses[k] >> row_shift;
        bool word_again = false, line_again = false;
        for (u32 j = k + 1; j < i; ++j) {
          word_again |= addresses[j] >> unit_shift == other_word;
          line_again |= addresses[j] >> row_shift == other_line;
        }
        words += !word_again && word != other_word && (word - other_word) % banks == 0;
        lines += !line_again && line != other_line && (line - other_line) % rule.tag_banks == 0;
      }
      most = std::max({most, words, lines});
    }
    return most;
  }
  Fullest<most_banks> words;
  Fullest<8> lines;
  u32 different = 0;
  for (const u64 address : addresses) {
    words.add(static_cast<u32>(address >> unit_shift) % banks, address >> unit_shift);
    lines.add(static_cast<u32>(address >> row_shift) % rule.tag_banks, address >> row_shift);
  }
  for (u32 b = 0; b < rule.tag_banks; ++b) different += lines.count[b];
  const u32 least = rule.lanes > quad && different > 2 ? 2 : 1;
  return std::max({least, words.most, lines.most});
}

// Whether each quad's lanes lie side by side or at one address.
bool quads_join(std::span<const u64> addresses, u64 run, u32 bytes) {
  u32 i = 0;
  for (u64 rest = run; i < addresses.size();) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    const u32 count = static_cast<u32>(std::popcount(rest >> lane / quad * quad & 0xF));
    for (u32 k = 1; k < count; ++k, rest &= rest - 1) {
      const u32 next = static_cast<u32>(std::countr_zero(rest & (rest - 1)));
      const u32 behind = next - static_cast<u32>(std::countr_zero(rest));
      const u64 step = addresses[i + k] - addresses[i + k - 1];
      if (step != 0 && step != u64{behind} * bytes) return false;
    }
    rest &= rest - 1;
    i += count;
  }
  return true;
}

}  // namespace

u32 count_passes(const LoadPasses& rule, std::span<const u64> addresses, u64 run, u32 group_lanes,
                 u32 bytes) {
  LOCKSTEP_ASSERT(rule.tag_banks <= 8 && addresses.size() <= most_lanes, "lanes and tag banks have bounds");
  const u32 unit = unit_of(bytes);
  if (rule.lanes >= group_lanes || (unit == 4 && quads_join(addresses, run, bytes)))
    return passes_of_set(rule, addresses, unit);
  const u32 sets = group_lanes / rule.lanes;
  std::array<u64, most_lanes> of_set;
  u32 passes = 0;
  for (u32 set = 0; set < sets; ++set) {
    u32 count = 0, i = 0;
    for (u64 rest = run; rest != 0; rest &= rest - 1, ++i) {
      const u32 lane = static_cast<u32>(std::countr_zero(rest));
      if ((unit == 4 ? lane % sets : lane / rule.lanes) == set) of_set[count++] = addresses[i];
    }
    if (count != 0) passes += passes_of_set(rule, {of_set.data(), count}, unit);
  }
  return passes;
}

u32 count_passes_of_run(const LoadPasses& rule, u32 count, u32 bytes) {
  const u32 unit = unit_of(bytes), of_data = (count * bytes + rule.row_bytes - 1) / rule.row_bytes;
  return unit == 4 ? of_data : std::max(of_data, (count + rule.lanes - 1) / rule.lanes);
}

}  // namespace lockstep
