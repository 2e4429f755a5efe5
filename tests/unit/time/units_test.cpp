// The parts by themselves: coalescer, banks, DRAM channel, cache tags, clocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support/synthetic.h"
#include "time/units/cache_tags.h"
#include "time/units/clock_ratio.h"
#include "time/units/coalescer.h"
#include "time/units/local_memory.h"
#include "time/units/occupancy_timeline.h"

namespace lockstep {
namespace {

Access global(u32 bytes, u64 base, u64 stride) {
  Access access;
  access.bytes = static_cast<u8>(bytes);
  access.lanes = ~u64{0};
  strided(access, base, stride);
  return access;
}

u32 lines(const Access& access) {
  std::array<LineAccess, most_line_accesses> out;
  return coalesce(access, 64, 16, 64, 16, out).lines;
}

TEST(Coalescer, LinesByStride) {
  // A quarter of 16 lanes touches max(1, 16 * stride / 64) lines.
  EXPECT_EQ(lines(global(4, 0, 0)), 4u);
  EXPECT_EQ(lines(global(1, 0, 1)), 4u);
  EXPECT_EQ(lines(global(4, 0, 4)), 4u);
  EXPECT_EQ(lines(global(8, 0, 8)), 8u);
  EXPECT_EQ(lines(global(16, 0, 16)), 16u);
  EXPECT_EQ(lines(global(4, 0, 16)), 16u);
  EXPECT_EQ(lines(global(4, 0, 64)), 64u);
  EXPECT_EQ(lines(global(4, 0, 4096)), 64u);
  EXPECT_EQ(lines(global(4, 4, 4)), 8u);         // each quarter crosses into a second line
  EXPECT_EQ(lines(global(4, 62, 64)), 4 * 17u);  // each lane crosses; neighbours share a line
}

u32 address_cycles(const Access& access) {
  std::array<LineAccess, most_line_accesses> out;
  const Coalesced c = coalesce(access, 64, 16, 64, 16, out);
  u32 cycles = 0;
  for (u32 i = 0; i < c.lines; ++i) cycles += out[i].cycles;
  return cycles;
}

// Accesses of all kinds: any lanes, addresses near each other, in rows, or far apart.
Access any_access(std::mt19937& random) {
  Access access;
  const auto below = [&](u32 limit) { return random() % limit; };
  access.bytes = std::array<u8, 6>{1, 2, 4, 8, 12, 16}[below(6)];
  access.lanes = below(3) == 0 ? ~u64{0} : u64{random()} << 32 | random();
  const u64 base = u64{0x7F00'0000} + below(256) * (below(2) == 0 ? access.bytes : 1);
  const u32 kind = below(4), spread = std::array<u32, 3>{64, 1024, 65536}[below(3)];
  for (u32 lane = 0; lane < 64; ++lane) {
    const u64 place = kind == 0   ? lane
                      : kind == 1 ? lane % 16 + lane / 16 * u64{spread}
                      : kind == 2 ? u64{lane} * (spread / 64)
                                  : below(spread);
    access.address[lane] = base + place * (below(64) == 0 ? 1 : access.bytes);
  }
  return access;
}

TEST(Coalescer, CountsLinesAsItMakesThem) {
  std::mt19937 random(5);
  std::array<LineAccess, most_line_accesses> out;
  for (int i = 0; i < 20000; ++i) {
    const Access access = any_access(random);
    for (const auto& [at_once, line_bytes] : {std::pair<u32, u32>{16, 64}, {32, 128}, {64, 128}, {32, 32}})
      ASSERT_EQ(count_lines(access, 64, at_once, line_bytes),
                coalesce(access, 64, at_once, line_bytes, 0, out).lines)
          << "access " << i;
  }
}

TEST(Coalescer, StridedAccessesMakeTheSameRequests) {
  std::mt19937 random(7);
  std::array<LineAccess, most_line_accesses> out, expected;
  const auto below = [&](u32 limit) { return static_cast<u32>(random() % limit); };
  for (int i = 0; i < 20000; ++i) {
    StridedAccess strided;
    strided.bytes = std::array<u32, 6>{1, 2, 4, 8, 12, 16}[below(6)];
    strided.stride = std::array<u32, 7>{0,  strided.bytes, 2 * strided.bytes, below(20),
                                        64, below(300),    64 * below(40)}[below(7)];
    strided.base = u64{0x7F00'0000} + below(256) * (below(2) == 0 ? strided.bytes : 1);
    const u32 shape = below(4);
    strided.lanes = shape == 0   ? ~u64{0}
                    : shape == 1 ? u64{1} << below(64)
                    : shape == 2 ? (u64{1} << below(64)) - 1
                                 : u64{random()} << 32 | random();
    if (strided.lanes == 0) strided.lanes = 1;
    Access access;
    access.bytes = static_cast<u8>(strided.bytes);
    access.lanes = strided.lanes;
    for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = strided.base + lane * strided.stride;
    static constexpr LoadPasses quarters{.lanes = 4}, waves{.lanes = 32, .row_bytes = 128};
    struct Unit {
      u32 at_once, line_bytes, window;
      const LoadPasses* passes = nullptr;
    };
    for (const auto& [at_once, line_bytes, window, passes] :
         {Unit{16, 64, 16}, Unit{32, 128, 0}, Unit{64, 128, 16}, Unit{32, 32, 0}, Unit{16, 64, 0, &quarters},
          Unit{32, 128, 0, &waves}}) {
      // Passes of lanes side by side are an estimate where they cross lines (ARunTakesWhatItsLanesTake).
      if (passes != nullptr && strided.stride == strided.bytes) continue;
      const Coalesced one = coalesce_strided(strided, 64, at_once, line_bytes, window, out, passes);
      const Coalesced other = coalesce(access, 64, at_once, line_bytes, window, expected, passes);
      ASSERT_EQ(one.lines, other.lines) << "access " << i;
      ASSERT_EQ(one.idle_after, other.idle_after) << "access " << i;
      for (u32 line = 0; line < one.lines; ++line) {
        ASSERT_EQ(out[line].address, expected[line].address) << "access " << i;
        ASSERT_EQ(out[line].bytes, expected[line].bytes) << "access " << i;
        ASSERT_EQ(out[line].cycles, expected[line].cycles) << "access " << i;
        ASSERT_EQ(out[line].idle_before, expected[line].idle_before) << "access " << i;
      }
    }
  }
}

u32 passes_of(const LoadPasses& rule, u32 group, u32 bytes, u64 base, auto word) {
  std::vector<u64> addresses;
  for (u32 lane = 0; lane < group; ++lane) addresses.push_back(base + word(lane) * u64{bytes});
  return count_passes(rule, addresses, (u64{1} << group) - 1, group, bytes);
}

// What an MI210 takes for 16 lanes, in cycles of its first level (BEN, gpu-strides, of 16 lanes).
TEST(LoadPasses, QuartersOfAWave) {
  const LoadPasses rule{.lanes = 4, .row_bytes = 64};
  const auto strides = [&](u32 bytes, u32 stride) {
    double passes = 0;
    for (u32 at = 0; at < 32; at += 4)  // the source's eight loads
      for (u32 quarter = 0; quarter < 4; ++quarter)
        passes += passes_of(rule, 16, bytes, (quarter * 16 * stride + at) * bytes,
                            [&](u32 lane) { return lane * stride; });
    return passes / 32;
  };
  for (const auto& [stride, published] : {std::pair<u32, double>{1, 1.09},
                                          {2, 8.05},
                                          {3, 4.05},
                                          {4, 16.1},
                                          {5, 7.05},
                                          {7, 7.05},
                                          {12, 16.1},
                                          {15, 12.1},
                                          {17, 12.1},
                                          {18, 8.05},
                                          {31, 12.1},
                                          {47, 12.1}})
    EXPECT_NEAR(strides(4, stride), published, 0.2) << stride;
  for (const auto& [stride, published] : {std::pair<u32, double>{1, 4.05},
                                          {3, 4.05},
                                          {4, 8.05},
                                          {8, 16.1},
                                          {9, 4.05},
                                          {10, 6.05},
                                          {11, 8.05},
                                          {13, 6.05},
                                          {25, 4.05},
                                          {30, 12.1}})
    EXPECT_NEAR(strides(8, stride), published, 0.2) << stride;
  // Rows of four words side by side, and words in any order of one line.
  EXPECT_EQ(passes_of(rule, 16, 4, 0, [](u32 lane) { return lane % 4 + lane / 4 * 1024; }), 4u);
  EXPECT_EQ(passes_of(rule, 16, 4, 0, [](u32 lane) { return lane * 5 % 16; }), 4u);
  EXPECT_EQ(passes_of(rule, 16, 16, 0, [](u32 lane) { return lane; }), 4u);
  EXPECT_EQ(passes_of(rule, 16, 4, 60, [](u32) { return 7; }), 1u);
}

// What an RX 6900 XT takes for 32 lanes.
TEST(LoadPasses, WholeWaves) {
  const LoadPasses rule{.lanes = 32, .row_bytes = 128};
  for (const auto& [stride, published] : {std::pair<u32, u32>{1, 1},
                                          {2, 2},
                                          {3, 2},
                                          {4, 4},
                                          {5, 2},
                                          {7, 2},
                                          {9, 3},
                                          {12, 4},
                                          {16, 16},
                                          {17, 5},
                                          {24, 8},
                                          {32, 32},
                                          {33, 8}})
    EXPECT_EQ(passes_of(rule, 32, 4, 16, [&](u32 lane) { return lane * stride; }), published) << stride;
  EXPECT_EQ(passes_of(rule, 32, 8, 0, [](u32 lane) { return lane * 9; }), 5u);
  EXPECT_EQ(passes_of(rule, 32, 16, 0, [](u32 lane) { return lane; }), 4u);
}

TEST(LoadPasses, ARunTakesWhatItsLanesTake) {
  for (const LoadPasses& rule : {LoadPasses{.lanes = 4, .row_bytes = 64}, {.lanes = 32, .row_bytes = 128}}) {
    const u32 group = rule.lanes == 4 ? 16 : 32;
    for (const u32 bytes : {4u, 8u, 16u})
      EXPECT_EQ(count_passes_of_run(rule, group, bytes),
                passes_of(rule, group, bytes, 0, [](u32 lane) { return lane; }))
          << bytes;
  }
}

TEST(LocalMemory, TurnsAreTheMostDifferentWordsOfABank) {
  std::mt19937 random(6);
  for (int i = 0; i < 5000; ++i) {
    Access access = any_access(random);
    access.kind = random() % 3 == 0 ? AccessKind::atomic : AccessKind::load;
    for (const auto& [at_once, banks] : {std::pair<u32, u32>{32, 32}, {16, 16}, {64, 64}, {32, 24}}) {
      const u32 dwords = std::max<u32>(1, (access.bytes + 3u) / 4);
      const u32 lanes = std::max<u32>(1, at_once / std::bit_ceil(dwords));
      u32 extra = 0, groups = 0;
      for (u32 first = 0; first < 64; first += lanes, ++groups) {
        std::map<u64, std::vector<u64>> words;  // by bank
        for (u32 lane = first; lane < first + lanes; ++lane) {
          if ((access.lanes >> lane & 1) == 0) continue;
          for (u32 d = 0; d < dwords; ++d) {
            const u64 word = access.address[lane] / 4 + d;
            std::vector<u64>& in_bank = words[word % banks];
            if (access.kind == AccessKind::load && std::ranges::find(in_bank, word) != in_bank.end())
              continue;
            in_bank.push_back(word);
          }
        }
        std::size_t most = 1;
        for (const auto& [bank, in_bank] : words) most = std::max(most, in_bank.size());
        extra += static_cast<u32>(most) - 1;
      }
      const BankPasses passes = bank_passes(access, 64, at_once, banks);
      ASSERT_EQ(passes.groups, groups);
      ASSERT_EQ(passes.extra, extra) << "access " << i << ", " << banks << " banks";
    }
  }
}

TEST(Coalescer, StridesGiveTheBytesACycleMeasuredOnMi210) {
  // 256 bytes of a wave at 64, 8, 4, 4, 4, 4 bytes a cycle; measured: 59, 7.9, 4, 4, 4, 4 at strides of 1, 2,
  // 4, 8, 16, 32 floats (gpu-benches, gpu-strides).
  EXPECT_EQ(256 / address_cycles(global(4, 0, 4)), 64u);
  EXPECT_EQ(256 / address_cycles(global(4, 0, 8)), 8u);
  for (const u64 stride : {4, 8, 16, 32})
    EXPECT_EQ(256 / address_cycles(global(4, 0, 4 * stride)), 4u) << stride;
  EXPECT_EQ(address_cycles(global(16, 0, 16)), 16u);  // consecutive 16-byte accesses keep 64 bytes a cycle
  EXPECT_EQ(address_cycles(global(4, 128, 0)), 4u);   // one address for all: a cycle for each quarter
}

TEST(Coalescer, BytesLanesAndIdleQuarters) {
  Access access = global(4, 1024, 4);
  access.lanes = 0x0000'00F0'0000'0000;  // lanes 36 to 39: the third quarter
  std::array<LineAccess, most_line_accesses> out;
  const Coalesced c = coalesce(access, 64, 16, 64, 16, out);
  ASSERT_EQ(c.lines, 1u);
  EXPECT_EQ(out[0].address, (1024u + 36 * 4) / 64 * 64);
  EXPECT_EQ(out[0].bytes, u64{0xFFFF} << ((1024 + 36 * 4) % 64));
  EXPECT_EQ(out[0].lanes, 4);
  EXPECT_EQ(out[0].idle_before, 2);
  EXPECT_EQ(c.idle_after, 1u);
}

TEST(Coalescer, AtomicsKnowTheirHottestAddress) {
  Access access = global(4, 0, 4);
  access.kind = AccessKind::atomic;
  access.lanes = 0xFFFF;
  for (u32 lane = 0; lane < 10; ++lane) access.address[lane] = 20;
  std::array<LineAccess, most_line_accesses> out;
  ASSERT_EQ(coalesce(access, 64, 16, 64, 16, out).lines, 1u);
  EXPECT_EQ(out[0].hot_address, 20u);
  EXPECT_EQ(out[0].most_same, 10);
}

u32 conflicts(u32 bytes, u64 stride, AccessKind kind = AccessKind::load) {
  Access access = global(bytes, 0, stride);
  access.kind = kind;
  return bank_passes(access, 64, 32, 32).extra;
}

TEST(LocalMemory, ConflictsByStride) {
  // 32 lanes of 4 bytes a pass, two passes a wave: with a stride of s words, gcd(s, 32) lanes meet in a bank.
  EXPECT_EQ(conflicts(4, 4), 0u);
  EXPECT_EQ(conflicts(4, 8), 2u * 1);
  EXPECT_EQ(conflicts(4, 12), 0u);
  EXPECT_EQ(conflicts(4, 16), 2u * 3);
  EXPECT_EQ(conflicts(4, 32 * 4), 2u * 31);
  EXPECT_EQ(conflicts(4, 33 * 4), 0u);
  EXPECT_EQ(conflicts(4, 0), 0u);  // one word for all
  EXPECT_EQ(conflicts(1, 1), 0u);  // four lanes share a word
  EXPECT_EQ(conflicts(8, 8), 0u);
  EXPECT_EQ(conflicts(16, 16), 0u);
  EXPECT_EQ(conflicts(16, 128), 8u * 7);  // eight passes of eight lanes, all in the same four banks
}

TEST(LocalMemory, TurnsOfEachBank) {
  const auto turns = [](u64 stride, AccessKind kind) {
    Access access = global(4, 0, stride);
    access.kind = kind;
    std::vector<u64> found(32);
    const BankPasses passes = bank_passes(access, 64, 32, 32, 1, 1, found);
    EXPECT_EQ(*std::ranges::max_element(found), passes.groups + passes.extra);
    return found;
  };
  EXPECT_EQ(turns(4, AccessKind::load), std::vector<u64>(32, 2));
  std::vector<u64> even(32);
  for (u32 i = 0; i < 32; i += 2) even[i] = 4;
  EXPECT_EQ(turns(8, AccessKind::load), even);
  EXPECT_EQ(turns(128, AccessKind::load)[0], 64u);
  EXPECT_EQ(turns(0, AccessKind::load)[0], 2u);
  EXPECT_EQ(turns(0, AccessKind::atomic)[0], 64u);
}

TEST(LocalMemory, AtomicsShareNothing) {
  EXPECT_EQ(conflicts(4, 0, AccessKind::atomic), 2u * 31);
  EXPECT_EQ(conflicts(4, 4, AccessKind::atomic_return), 0u);
  // Turns for one word are told from those for other words of a bank.
  Access access = global(4, 0, 0);
  access.kind = AccessKind::atomic;
  EXPECT_EQ(bank_passes(access, 64, 32, 32).same, 2u * 31);
  access = global(4, 0, 32 * 4);
  access.kind = AccessKind::atomic;
  EXPECT_EQ(bank_passes(access, 64, 32, 32).extra, 2u * 31);
  EXPECT_EQ(bank_passes(access, 64, 32, 32).same, 0u);
  access.kind = AccessKind::load;
  EXPECT_EQ(bank_passes(access, 64, 32, 32).same, 0u);
}

// Compute capability 3.x (CUDA C Programming Guide): with banks of 4 bytes words 32 apart in an aligned 256
// bytes go together; with banks of 8 bytes those of the same 8 bytes do, and a warp's doubles take one pass.
// experiments/h200-timing/wide.txt: loads of 8 and 16 bytes take half their passes where lanes agree in pairs
// or by twos, and no less where all agree; not where lanes eight apart do.
TEST(LocalMemory, WideLoadsOfLanesThatAgreeShareTheirPasses) {
  const auto passes = [](u32 lanes_alike, u32 places, u8 bytes, AccessKind kind = AccessKind::load) {
    Access access;
    access.kind = kind;
    access.bytes = bytes;
    access.lanes = 0xFFFFFFFF;
    for (u32 lane = 0; lane < 32; ++lane) access.address[lane] = u64{lane / lanes_alike % places} * bytes;
    const BankPasses result = bank_passes(access, 32, 32, 32, 1, 1, {}, true);
    EXPECT_EQ(result.apart, u32{bytes} / 4);
    return result.groups + result.extra;
  };
  for (const auto& [bytes, alone] : {std::pair<u8, u32>{8, 2}, {16, 4}}) {
    EXPECT_EQ(passes(1, 32, bytes), alone);
    EXPECT_EQ(passes(1, 8, bytes), alone);
    EXPECT_EQ(passes(1, 2, bytes), alone / 2);
    EXPECT_EQ(passes(2, 16, bytes), alone / 2);
    EXPECT_EQ(passes(32, 1, bytes), alone / 2);
    EXPECT_EQ(passes(32, 1, bytes, AccessKind::store), alone);
  }
  EXPECT_EQ(passes(32, 1, 4), 1u);
}

TEST(LocalMemory, BanksOfEightBytes) {
  const auto extra = [](u32 bytes, u64 first, u64 stride, u32 successive) {
    Access access = global(bytes, first, stride);
    access.lanes = 0xFFFFFFFF;
    const BankPasses passes = bank_passes(access, 32, 32 * successive, 32, 2, successive);
    EXPECT_EQ(passes.groups, bytes == 8 && successive == 1 ? 2u : 1u);
    return passes.extra;
  };
  EXPECT_EQ(extra(4, 0, 8, 1), 0u);
  EXPECT_EQ(extra(4, 128, 8, 1), 1u) << "over two aligned 256 bytes: of banks 0 to 30";
  EXPECT_EQ(extra(4, 128, 8, 2), 0u);
  EXPECT_EQ(extra(4, 0, 4, 2), 0u);
  EXPECT_EQ(extra(4, 4, 4, 2), 0u);
  EXPECT_EQ(extra(4, 0, 16, 2), 1u);
  EXPECT_EQ(extra(4, 0, 128, 2), 15u);
  EXPECT_EQ(extra(8, 0, 8, 2), 0u);
  EXPECT_EQ(extra(8, 0, 16, 2), 1u);
  EXPECT_EQ(extra(8, 0, 256, 2), 31u);
}

TEST(CacheTags, ReplacesTheLeastRecentlyUsedThatHasArrived) {
  CacheTags tags(1, 3);
  for (u64 line = 10; line < 13; ++line) tags.place(tags.victim(0), line, CacheTags::arrived);
  EXPECT_NE(tags.find(10, 0), CacheTags::none);
  EXPECT_EQ(tags.line(tags.victim(0)), 11u);
  tags.set_miss(tags.find(11, 0), 5);
  tags.find(10, 0);
  EXPECT_EQ(tags.line(tags.victim(0)), 12u);
  tags.set_miss(tags.find(10, 0), 6);
  tags.set_miss(tags.find(12, 0), 7);
  EXPECT_EQ(tags.victim(0), CacheTags::none);
}

// Many more cycles than samples: neighbours are joined, and nothing is lost.
TEST(OccupancyTimeline, SamplesAddUpToTheWavesCycles) {
  OccupancyTimeline a, b;
  u64 cycles = 0;
  for (u64 i = 0; i < 1000; ++i) {
    OccupancyTimeline& one = i % 2 == 0 ? a : b;
    one.change(i * 97, 1);
    one.end(i * 97 + 50);  // in its last cycle
    cycles += 51;
  }
  b.change(200'000, 2);
  b.change(300'000, -2);
  cycles += 200'000;
  EXPECT_EQ(b.resident(), 0u);
  OccupancyTimeline both;
  both.add(a);
  both.add(b);
  const std::vector<OccupancySample> samples = both.samples(300'001);
  EXPECT_LE(samples.size(), 256u);
  u64 sum = 0, next = 0;
  for (const OccupancySample& sample : samples) {
    EXPECT_EQ(sample.begin_cycle, next);
    next += sample.cycles;
    sum += sample.wave_cycles;
  }
  EXPECT_EQ(next, 300'001u);
  EXPECT_EQ(sum, cycles);
  // Where two waves were resident all the time.
  for (const OccupancySample& sample : samples) {
    if (sample.begin_cycle >= 200'000 + samples[0].cycles && sample.begin_cycle + sample.cycles <= 300'000) {
      EXPECT_EQ(sample.wave_cycles, 2 * sample.cycles);
    }
  }
}

TEST(ClockRatio, IsExact) {
  const ClockRatio ratio(1'500'000'000, 852'000'000);
  for (u64 cycle : {0ull, 1ull, 124ull, 125ull, 126ull, 999'999'999'999ull}) {
    const u64 clock = ratio.to_other(cycle);
    EXPECT_EQ(clock, static_cast<u64>(static_cast<unsigned __int128>(cycle) * 71 / 125));
    EXPECT_LE(ratio.to_core(clock), cycle);
    EXPECT_EQ(ratio.to_other(ratio.to_core(clock)), clock);
    EXPECT_EQ(ratio.to_other_up(cycle), clock + (static_cast<unsigned __int128>(cycle) * 71 % 125 != 0));
  }
  EXPECT_EQ(ratio.to_core(71), 125u);
}

}  // namespace
}  // namespace lockstep
