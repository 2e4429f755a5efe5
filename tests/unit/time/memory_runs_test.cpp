// Runs of lines: they end when their last line alone would, move the same bytes, and every line is answered
// once.
#include <bit>
#include <random>

#include "memory_support.h"
#include "time/memory/granules.h"

namespace lockstep {
namespace {

using namespace memory_test;

Hierarchy with_runs() {
  Hierarchy h = second_level_only();
  h.run_lines = 4;
  return h;
}

Sent read_run(u64 time, u64 address, u32 tag, u32 lines) {
  Sent mail = read(time, address, tag, lines * 64);
  mail.bytes = low_bits(lines);
  return mail;
}

// All words of all lines, or those that are said.
Sent write_run(u64 time, u64 address, u32 tag, u32 lines, u64 words = ~u64{0}) {
  Sent mail = write(time, address, tag, lines * 64);
  mail.bytes = words & low_bits(lines * 16);
  return mail;
}

TEST(Granules, WordsAndBack) {
  for (const u32 line : {64u, 128u}) {
    const u32 each = line == 64 ? 4 : 2;  // granules of a word
    std::mt19937_64 random(line);
    for (u32 i = 0; i < 200; ++i) {
      const u64 words = random() & random() & low_bits(line / 4);
      u64 granules = 0;
      for (u32 w = 0; w < line / 4; ++w) granules |= (words >> w & 1) * low_bits(each) << w * each;
      EXPECT_TRUE(whole_words(granules, line));
      EXPECT_EQ(words_of(granules, line), words);
      EXPECT_EQ(granules_of(words, line), granules);
      const u64 part = granules ^ u64 { 1 } << random() % 64;
      EXPECT_FALSE(whole_words(part, line));
    }
    EXPECT_EQ(words_of(~u64{0}, line), low_bits(line / 4));
    EXPECT_EQ(granules_of(low_bits(line / 4), line), ~u64{0});
  }
}

TEST(Runs, EndWithTheirLastLine) {
  Rig alone(with_runs()), together(with_runs());
  for (const u64 time : {0u, 2000u}) {
    for (u32 i = 0; i < 4; ++i)
      alone.clients[0]->script.push_back(read(time + i, i * 64, static_cast<u32>(time) + i));
    together.clients[0]->script.push_back(read_run(time + 3, 0, static_cast<u32>(time), 4));
  }
  alone.run();
  together.run();
  ASSERT_EQ(together.clients[0]->answers.size(), 2u);
  for (const Answer& answer : together.clients[0]->answers) {
    EXPECT_EQ(answer.lines, 0xFu);
    EXPECT_EQ(answer.size, 256u);
  }
  // From memory: its first line is asked for when the last one is.
  const u64 last = answered(*alone.clients[0], 3), run = answered(*together.clients[0], 0);
  EXPECT_GE(run, last);
  EXPECT_LE(run, last + 3);
  // Hits.
  EXPECT_EQ(answered(*together.clients[0], 2000), answered(*alone.clients[0], 2003));
  for (const Rig* rig : {&alone, &together}) {
    const SliceCounts counts = rig->counts(0);
    EXPECT_EQ(counts.reads, 8u);
    EXPECT_EQ(counts.hits, 4u);
    EXPECT_EQ(counts.misses, 4u);
    EXPECT_EQ(counts.read_bytes, 512u);
    EXPECT_EQ(counts.busy_cycles, 8u);
    EXPECT_EQ(bursts(*rig, &DramCounts::reads), 8u);
    EXPECT_EQ(bursts(*rig, &DramCounts::row_hits), 3u);
    EXPECT_EQ(bursts(*rig, &DramCounts::row_misses), 1u);
  }
}

TEST(Runs, LinesOfOtherFatesAreAnsweredApart) {
  Rig rig(with_runs());
  rig.clients[0]->script = {read(0, 64, 1), read_run(1000, 0, 2, 4)};
  rig.run();
  u64 lines = 0;
  std::vector<u64> parts;
  for (const Answer& answer : rig.clients[0]->answers) {
    if (answer.tag != 2) continue;
    EXPECT_EQ(lines & answer.lines, 0u);
    EXPECT_EQ(answer.size, 64u * static_cast<u32>(std::popcount(answer.lines)));
    lines |= answer.lines;
    parts.push_back(answer.lines);
  }
  EXPECT_EQ(lines, 0xFu);
  EXPECT_EQ(parts.front(), 0x2u) << "what is there comes first";
  EXPECT_EQ(parts.size(), 3u);
}

TEST(Runs, OthersWaitForTheirLines) {
  Rig rig(with_runs(), 2);
  rig.clients[0]->script = {read_run(0, 0, 1, 4)};
  rig.clients[1]->script = {read(5, 128, 2), read_run(6, 0, 3, 2)};
  rig.run();
  EXPECT_EQ(rig.counts(0).misses, 4u);
  EXPECT_EQ(rig.counts(0).merges, 3u);
  EXPECT_EQ(bursts(rig, &DramCounts::reads), 8u);
  const u64 first = answered(*rig.clients[0], 1);
  EXPECT_GT(answered(*rig.clients[1], 2), first);
  EXPECT_LT(answered(*rig.clients[1], 3), first + 10);
}

TEST(Runs, MoreThanThereAreMissesGoInParts) {
  for (const u32 misses : {1u, 2u, 3u}) {
    Hierarchy figures = with_runs();
    figures.levels[0].misses = misses;
    Rig rig(figures);
    for (u32 i = 0; i < 8; ++i) rig.clients[0]->script.push_back(read_run(i, u64{i} * 256, i, 4));
    rig.run();
    std::map<u32, u64> lines;
    for (const Answer& answer : rig.clients[0]->answers) {
      EXPECT_EQ(lines[answer.tag] & answer.lines, 0u);
      lines[answer.tag] |= answer.lines;
    }
    ASSERT_EQ(lines.size(), 8u) << misses;
    for (const auto& [tag, of] : lines) EXPECT_EQ(of, 0xFu) << tag;
  }
}

TEST(Runs, WhatTheyStoreLeavesTogether) {
  Hierarchy figures = with_runs();
  figures.levels[0].slices = 1;
  figures.levels[0].ways = 1;
  figures.channels = 1;
  Rig rig(figures);
  // Words 0 to 3 of each line; then other lines of the same sets.
  rig.clients[0]->script = {write_run(0, 0, 1, 4, 0x000F'000F'000F'000F), read_run(1000, 16384, 2, 4),
                            read_run(2000, 0, 3, 4)};
  rig.run();
  const SliceCounts counts = rig.counts(0);
  EXPECT_EQ(counts.writes, 4u);
  EXPECT_EQ(counts.write_bytes, 64u);
  EXPECT_EQ(counts.write_backs, 4u);
  EXPECT_EQ(counts.misses, 12u);
  EXPECT_EQ(bursts(rig, &DramCounts::writes), 8u);
  EXPECT_EQ(bursts(rig, &DramCounts::row_hits) + bursts(rig, &DramCounts::row_misses) +
                bursts(rig, &DramCounts::row_conflicts),
            12u);
}

TEST(Runs, StoresPassThroughALevel) {
  Hierarchy figures = with_runs();
  CacheLevel through = test_level("gl1", 4, 4);
  through.write_back = through.allocates_stores = false;
  figures.levels.insert(figures.levels.begin(), through);
  figures.code_level = 1;
  Rig rig(figures, 4);
  rig.clients[0]->script = {write_run(0, 0, 1, 4), read_run(1000, 0, 2, 4)};
  rig.run();
  ASSERT_EQ(rig.clients[0]->answers.size(), 2u);
  EXPECT_EQ(rig.clients[0]->answers[0].size, 256u);
  EXPECT_EQ(rig.counts(0).misses, 8u);
  EXPECT_EQ(rig.counts(1).writes, 4u);
  EXPECT_EQ(rig.counts(1).hits, 4u);
}

// Loads, stores and atomics of runs and of single lines, of so few lines that they meet.
std::vector<Sent> script_of(u32 seed, u32 count) {
  std::mt19937 random(seed);
  std::vector<Sent> script;
  u64 time = 0;
  for (u32 i = 0; i < count; ++i) {
    time += random() % 3 == 0 ? random() % 20 : 0;
    const u32 first = static_cast<u32>(random() % 4);
    const u32 lines = 1 + static_cast<u32>(random() % (4 - first));
    const u64 address = u64{random() % 150} * 256 + first * 64;
    const u32 what = static_cast<u32>(random() % 10);
    if (what < 5) {
      script.push_back(lines == 1 ? read(time, address, i) : read_run(time, address, i, lines));
      if (random() % 8 == 0) script.back().what |= Mail::streaming_bit;
    } else if (what < 9) {
      script.push_back(lines == 1 ? write(time, address, i)
                                  : write_run(time, address, i, lines, random() % 2 ? random() : ~u64{0}));
    } else {
      script.push_back(request(MailKind::atomic, time, address, i));
    }
  }
  return script;
}

TEST(Runs, EveryLineIsAnsweredOnceWhereverWindowsAreCut) {
  for (const bool through : {false, true}) {
    Hierarchy figures = with_runs();
    figures.dram.bank_groups = 4;
    figures.dram.tccd_long = 2;
    if (through) {
      CacheLevel level = test_level("gl1", 4, 4);
      level.write_back = level.allocates_stores = false;
      figures.levels.insert(figures.levels.begin(), level);
      figures.code_level = 1;
    }
    for (CacheLevel& level : figures.levels) level.misses = 5, level.size_bytes = 4096;
    std::vector<std::vector<Answer>> first;
    SliceCounts counts;
    for (const u32 window : {1u, 7u, 31u}) {
      Rig rig(figures, 4);
      for (u32 c = 0; c < 4; ++c) rig.clients[c]->script = script_of(c, 1000);
      rig.run(window);
      for (const auto& client : rig.clients) {
        std::map<u32, u32> bytes;
        std::map<u32, u64> lines;
        for (const Answer& answer : client->answers) {
          bytes[answer.tag] += answer.size;
          EXPECT_EQ(lines[answer.tag] & answer.lines, 0u);
          lines[answer.tag] |= answer.lines;
        }
        for (const Sent& sent : client->script) EXPECT_EQ(bytes[sent.tag], sent.size());
      }
      if (window == 1) {
        for (const auto& client : rig.clients) first.push_back(client->answers);
        counts = rig.counts(0);
        EXPECT_GT(counts.blocked, 0u);
        continue;
      }
      for (u32 c = 0; c < 4; ++c) EXPECT_EQ(rig.clients[c]->answers, first[c]) << window;
      EXPECT_EQ(rig.counts(0).busy_cycles, counts.busy_cycles);
      EXPECT_EQ(rig.counts(0).write_backs, counts.write_backs);
    }
  }
}

// What a launch leaves behind makes the next one's runs no later.
TEST(Runs, AnEarlierLaunchsTimesAreForgotten) {
  Rig rig(with_runs());
  rig.clients[0]->script = {read_run(50'000, 0, 1, 4)};
  rig.run();
  for (auto& slice : rig.slices) slice->begin_launch();
  for (auto& channel : rig.channels) channel->begin_launch();
  Rig fresh(with_runs());
  const auto hit_at = [](Rig& of) {
    of.clients[0] = std::make_unique<Client>(of.hierarchy, of.map, 0);
    of.clients[0]->script = {read_run(10, 0, 2, 4), read_run(3000, 0, 3, 4)};
    of.run();
    return answered(*of.clients[0], 3);
  };
  EXPECT_EQ(hit_at(rig), hit_at(fresh));
}

}  // namespace
}  // namespace lockstep
