// Slices, channels and translation together: latencies that compose, store policies, atomics, and that
// windows may be cut anywhere.
#include <bit>
#include <random>

#include "memory_support.h"

namespace lockstep {
namespace {

using namespace memory_test;

// A script of everything that a client can ask: few lines, so that there are merges, evictions, partial
// lines.
std::vector<Sent> mixed_script(u32 seed, u32 count, u32 lines, bool stores_only_small = false) {
  std::mt19937 random(seed);
  std::vector<Sent> script;
  u64 time = 0;
  for (u32 i = 0; i < count; ++i) {
    time += random() % 3 == 0 ? random() % 20 : 0;
    const u64 address = u64{random() % lines} * 64;
    const u32 what = static_cast<u32>(random() % 10);
    Sent mail;
    if (what < 5) {
      mail = read(time, address, i);
      if (random() % 8 == 0) mail.what |= Mail::streaming_bit;
    } else if (what < 8) {
      mail = write(time, address, i);
      if (stores_only_small || random() % 2) mail.bytes = u64{0xFF} << random() % 57;
    } else if (what < 9) {
      mail = request(MailKind::atomic, time, address, i);
      const u8 lanes = static_cast<u8>(1 + random() % 64);
      mail.bytes = AtomicWork{0, lanes, static_cast<u8>(1 + random() % lanes)}.packed();
    } else {
      mail = request(MailKind::translate, time, random() % 40, i, 0);
    }
    if (mail.kind() != MailKind::translate && random() % 3 == 0) {
      mail.what |= Mail::ordered_bit;
      mail.order = i;
      mail.detail = static_cast<u16>(seed);
    }
    script.push_back(mail);
  }
  return script;
}

void expect_same(const SliceCounts& a, const SliceCounts& b) {
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.writes, b.writes);
  EXPECT_EQ(a.atomics, b.atomics);
  EXPECT_EQ(a.hits, b.hits);
  EXPECT_EQ(a.merges, b.merges);
  EXPECT_EQ(a.misses, b.misses);
  EXPECT_EQ(a.write_backs, b.write_backs);
  EXPECT_EQ(a.blocked, b.blocked);
  EXPECT_EQ(a.busy_cycles, b.busy_cycles);
  EXPECT_EQ(a.most_waiting, b.most_waiting);
  EXPECT_EQ(a.atomic_wait_cycles, b.atomic_wait_cycles);
}

TEST(MemoryWindows, WhereTheyAreCutChangesNothing) {
  for (Hierarchy figures : {second_level_only(), three_levels()}) {
    figures.translation.shared_entries = 16;
    figures.translation.walkers = 2;
    figures.dram_clock = ClockRatio(1500, 945);
    figures.dram.bank_groups = 4;
    figures.dram.tccd_long = 2;
    figures.dram.refresh_interval = 700;
    figures.dram.refresh = 60;
    for (CacheLevel& level : figures.levels) level.misses = 3;
    std::vector<std::unique_ptr<Rig>> rigs;
    for (const auto& [window, threads] :
         std::vector<std::pair<u32, u32>>{{1, 1}, {7, 1}, {16, 1}, {31, 1}, {31, 2}, {31, 4}}) {
      rigs.push_back(std::make_unique<Rig>(figures, 4));
      for (u32 c = 0; c < 4; ++c) rigs.back()->clients[c]->script = mixed_script(c, 1500, 600);
      rigs.back()->run(window, threads);
    }
    const Rig& first = *rigs[0];
    for (const auto& client : first.clients) EXPECT_EQ(client->answers.size(), client->script.size());
    std::size_t ordered = 0;
    for (const auto& client : first.clients) {
      for (const Sent& mail : client->script) ordered += mail.ordered();
    }
    EXPECT_EQ(first.performs.size(), ordered);
    EXPECT_TRUE(std::ranges::is_sorted(first.performs, {}, [](const auto& p) { return std::get<0>(p); }));
    EXPECT_GT(first.counts(0).blocked, 0u);
    for (const auto& rig : rigs) {
      EXPECT_EQ(rig->performs, first.performs);
      for (u32 c = 0; c < 4; ++c) {
        const std::vector<Answer>&a = first.clients[c]->answers, &b = rig->clients[c]->answers;
        ASSERT_EQ(a.size(), b.size());
        const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
        ASSERT_EQ(at, a.size()) << "answer to " << a[at].tag << " at " << a[at].time << ", to " << b[at].tag
                                << " at " << b[at].time;
      }
      for (u32 level = 0; level < figures.levels.size(); ++level)
        expect_same(rig->counts(level), first.counts(level));
      for (std::size_t c = 0; c < rig->channels.size(); ++c) {
        EXPECT_EQ(rig->channels[c]->counts().row_hits, first.channels[c]->counts().row_hits);
        EXPECT_EQ(rig->channels[c]->counts().busy_clocks, first.channels[c]->counts().busy_clocks);
      }
      EXPECT_EQ(rig->translation->counts().walks, first.translation->counts().walks);
    }
  }
}

// Cycles from the first to the last answer of so many reads of one line that is there.
u64 cycles_of_reads(u32 read_bytes, u32 look_ups, u32 count) {
  Hierarchy figures = second_level_only();
  figures.levels[0].slices = 1;
  figures.levels[0].read_bytes = read_bytes;
  figures.levels[0].look_ups = look_ups;
  Rig rig(figures);
  rig.clients[0]->script = {read(0, 0, 1000)};
  for (u32 i = 0; i < count; ++i) rig.clients[0]->script.push_back(read(1000, 0, i));
  rig.run();
  u64 first = ~u64{0}, last = 0;
  for (const Answer& answer : rig.clients[0]->answers) {
    if (answer.tag == 1000) continue;
    first = std::min(first, answer.time);
    last = std::max(last, answer.time);
  }
  return last - first;
}

TEST(Slice, RatesNeedNotDivideALine) {
  EXPECT_EQ(cycles_of_reads(64, 1, 100), 99u);
  EXPECT_EQ(cycles_of_reads(32, 1, 100), 198u);
  EXPECT_NEAR(static_cast<f64>(cycles_of_reads(27, 1, 100)), 99 * 64 / 27.0, 1);
  EXPECT_NEAR(static_cast<f64>(cycles_of_reads(44, 1, 100)), 99 * 64 / 44.0, 1);
}

TEST(Slice, SeveralLookUpsShareItsBytes) {
  EXPECT_EQ(cycles_of_reads(128, 1, 100), 99u);
  EXPECT_NEAR(static_cast<f64>(cycles_of_reads(128, 2, 100)), 49.5, 0.6);
  EXPECT_NEAR(static_cast<f64>(cycles_of_reads(96, 2, 100)), 99 * 64 / 96.0, 1);
}

TEST(Slice, ASetWhoseLinesAreAllOnTheirWayStopsNoLoad) {
  Hierarchy figures = second_level_only();
  figures.levels[0].slices = 1;
  figures.levels[0].ways = 1;
  figures.levels[0].size_bytes = 64;
  Rig rig(figures);
  rig.clients[0]->script = {read(0, 0, 1), read(0, 256, 2), read(1000, 0, 3), read(2000, 256, 4)};
  rig.run();
  EXPECT_EQ(rig.counts(0).blocked, 0u);
  EXPECT_LE(answered(*rig.clients[0], 2), answered(*rig.clients[0], 1) + 30);
  // The first line was kept, the second one was not.
  EXPECT_EQ(rig.counts(0).hits, 1u);
  EXPECT_EQ(rig.counts(0).misses, 3u);
}

TEST(Slice, AMissComesFromMemoryAndThenHits) {
  Rig rig(second_level_only());
  rig.clients[0]->script = {read(0, 0, 1), read(1000, 0, 2), read(1000, 0, 3)};
  rig.run();
  // 40 there, a look-up, 50 to memory, row and column and two bursts, 50 and 40 back, a cycle for the data.
  EXPECT_EQ(answered(*rig.clients[0], 1), 40u + 1 + 50 + 12 + 12 + 2 + 50 + 1 + 40);
  EXPECT_EQ(answered(*rig.clients[0], 2), 1000u + 40 + 1 + 40);
  EXPECT_EQ(answered(*rig.clients[0], 3), 1000u + 40 + 2 + 40);  // one a cycle
  EXPECT_EQ(rig.clients[0]->answers[0].level, 2);
  EXPECT_EQ(rig.clients[0]->answers[1].level, 1);
  EXPECT_EQ(rig.counts(0).misses, 1u);
  EXPECT_EQ(rig.counts(0).hits, 2u);
}

TEST(Slice, RequestsForALineOnItsWayMerge) {
  Rig rig(second_level_only());
  for (u32 i = 0; i < 5; ++i) rig.clients[0]->script.push_back(read(i, 4096, i));
  rig.run();
  EXPECT_EQ(rig.counts(0).misses, 1u);
  EXPECT_EQ(rig.counts(0).merges, 4u);
  for (u32 i = 1; i < 5; ++i)
    EXPECT_EQ(answered(*rig.clients[0], i), answered(*rig.clients[0], 0) + i);  // one a cycle goes out
}

TEST(Slice, MissesAreLimitedAndOthersWaitInOrder) {
  Hierarchy figures = second_level_only();
  figures.levels[0].misses = 2;
  Rig rig(figures);
  for (u32 i = 0; i < 4; ++i) rig.clients[0]->script.push_back(read(0, u64{i} * 64, i));  // one slice
  rig.run();
  const Client& client = *rig.clients[0];
  EXPECT_GT(rig.counts(0).blocked, 0u);
  EXPECT_GE(answered(client, 2), answered(client, 0) + 2 * 50);
  EXPECT_LT(answered(client, 2), answered(client, 3));
}

TEST(Slice, AStoreThatMissesTakesALineWithoutReadingIt) {
  Rig rig(second_level_only());
  Sent half = write(0, 0, 1);
  half.bytes = 0xFFFF'FFFF;
  rig.clients[0]->script = {half, read(500, 0, 2, 32), read(1000, 0, 3)};
  rig.run();
  const Client& client = *rig.clients[0];
  EXPECT_EQ(answered(client, 1), 40u + 1 + 40);
  EXPECT_EQ(answered(client, 2), 500u + 40 + 1 + 40);   // the written half is valid
  EXPECT_GT(answered(client, 3), 1000u + 40 + 1 + 40);  // the rest has to be fetched
  EXPECT_EQ(bursts(rig, &DramCounts::reads), 2u);
}

TEST(Slice, DirtyLinesPayTheirWayToMemory) {
  Hierarchy figures = second_level_only();
  figures.levels[0].size_bytes = 1024;
  figures.levels[0].ways = 4;  // 4 sets of 4 lines in each slice
  Rig rig(figures);
  // Lines of one slice and set: blocks of 256 bytes, 4 slices, each with 4 lines of a block.
  std::vector<u64> same;
  const u32 slice = rig.map.slice(0, 0, 0);
  for (u64 address = 0; same.size() < 6; address += 256) {
    if (rig.map.slice(0, address, 0) == slice && rig.map.set(0, address) % 4 == 0) same.push_back(address);
  }
  for (u32 i = 0; i < 6; ++i) rig.clients[0]->script.push_back(write(u64{i} * 500, same[i], i));
  rig.clients[0]->script.push_back(read(5000, same[0], 10));  // gone
  rig.clients[0]->script.push_back(read(6000, same[5], 11));  // there
  rig.run();
  EXPECT_EQ(rig.counts(0).write_backs, 3u);
  EXPECT_EQ(bursts(rig, &DramCounts::writes), 3u * 2);
  EXPECT_EQ(answered(*rig.clients[0], 11), 6000u + 81);
  EXPECT_GT(answered(*rig.clients[0], 10), 5000u + 81);
}

TEST(Slice, CleaningSendsAllDirtyLinesAndLeavesNone) {
  Rig rig(second_level_only());
  for (u32 i = 0; i < 100; ++i) rig.clients[0]->script.push_back(write(i, u64{i} * 64, i));
  const u64 end = rig.run();
  Windows windows(rig.shards(), 16, 1);
  for (u32 i = 0; i < rig.slices.size(); ++i) {
    rig.slices[i]->clean(end);
    windows.wake(rig.map.first_slice(0) + i, end);
  }
  while (windows.step([](const Perform&) {})) {
  }
  EXPECT_EQ(rig.counts(0).write_backs, 100u);
  EXPECT_GT(windows.now(0), end + 100);
  EXPECT_EQ(bursts(rig, &DramCounts::writes), 200u);
  for (const auto& slice : rig.slices) slice->begin_launch();
  EXPECT_EQ(rig.counts(0).write_backs, 0u);
}

TEST(Slice, AtomicsOnOneAddressTakeTurns) {
  Hierarchy figures = second_level_only();
  figures.levels[0].atomic_cycles = 3;
  Rig rig(figures);
  rig.slices[rig.map.slice(0, 0, 0) - rig.map.first_slice(0)]->hold(0);
  for (u32 i = 0; i < 8; ++i) {
    Sent mail = request(MailKind::atomic, 0, 0, i);
    mail.bytes = AtomicWork{0, 4, 4}.packed();
    mail.what |= Mail::ordered_bit;
    mail.order = i;
    rig.clients[0]->script.push_back(mail);
  }
  rig.run();
  for (u32 i = 1; i < 8; ++i)
    EXPECT_EQ(answered(*rig.clients[0], i) - answered(*rig.clients[0], i - 1), 4u * 3);
  ASSERT_EQ(rig.performs.size(), 8u);
  for (u32 i = 0; i < 8; ++i) {
    EXPECT_EQ(std::get<2>(rig.performs[i]), i);
    if (i > 0) {
      EXPECT_EQ(std::get<0>(rig.performs[i]) - std::get<0>(rig.performs[i - 1]), 12u);
    }
    // Performed before its answer can arrive.
    EXPECT_LT(std::get<0>(rig.performs[i]), answered(*rig.clients[0], i));
  }
  EXPECT_GT(rig.counts(0).atomic_wait_cycles, 0u);
}

// Atomics one after the other in blocks of 4 KB: half of the blocks lie in the half of the cache that is
// further away, as loads do not see, which find a copy.
TEST(Slice, AtomicsInTheOtherHalfAnswerLater) {
  Hierarchy figures = second_level_only();
  figures.levels[0].far_atomic_cycles = 200;
  Rig rig(figures);
  constexpr u32 blocks = 16;
  u64 begins[4 * blocks];
  for (u32 i = 0; i < 4 * blocks; ++i) {  // the second time the line is there
    begins[i] = 10000 * i;
    const u64 address = u64{4096} * (i / 2 % blocks);
    Sent mail =
        i < 2 * blocks ? request(MailKind::atomic, begins[i], address, i) : read(begins[i], address, i);
    if (i < 2 * blocks) mail.bytes = AtomicWork{0, 1, 1}.packed();
    rig.clients[0]->script.push_back(mail);
  }
  rig.run();
  const auto took = [&](u32 i) { return answered(*rig.clients[0], i) - begins[i]; };
  const u64 near = std::min(took(1), took(3));
  u32 far = 0;
  for (u32 b = 0; b < blocks; ++b) {
    const bool is_far = (std::popcount(b) & 1) != (took(1) == near ? 0 : 1);
    EXPECT_EQ(took(2 * b + 1), near + (is_far ? 200 : 0)) << b;
    far += is_far ? 1 : 0;
    EXPECT_EQ(took(2 * blocks + 2 * b + 1), took(2 * blocks + 1)) << b;
  }
  EXPECT_EQ(far, blocks / 2);
}

// Clients 0 and 16 are in different halves. Each line is read and written by both in turn: in half of the
// blocks the line is nearer to client 0, in the others to client 16.
TEST(Slice, HalvesKeepCopiesOfEachOthersLines) {
  Hierarchy figures = second_level_only();
  figures.levels[0].far_cycles = 200;
  Rig rig(figures, 32);
  constexpr u32 blocks = 16, steps = 11, other = 16;
  u64 now = 0;
  const auto ask = [&](u32 client, Sent mail) {
    mail.time = now += 10000;
    rig.clients[client]->script.push_back(mail);
  };
  for (u32 b = 0; b < blocks; ++b) {
    const u64 address = u64{4096} * b;
    const u32 tag = b * steps;
    ask(0, read(0, address, tag));
    ask(0, read(0, address, tag + 1));
    ask(other, read(0, address, tag + 2));
    ask(other, read(0, address, tag + 3));
    ask(0, write(0, address, tag + 4, 4));
    ask(other, read(0, address, tag + 5));
    ask(other, write(0, address, tag + 6, 32));
    ask(0, read(0, address, tag + 7));
    ask(other, read(0, address, tag + 8));
    ask(0, request(MailKind::atomic, 0, address, tag + 9));
    ask(other, read(0, address, tag + 10));
  }
  rig.run();
  constexpr u64 near = 40 + 1 + 40;
  u32 nearer_to_0 = 0;
  for (u32 b = 0; b < blocks; ++b) {
    const auto took = [&](u32 client, u32 step) {
      const auto& script = rig.clients[client]->script;
      const auto sent = std::ranges::find(script, b * steps + step, &Sent::tag);
      return answered(*rig.clients[client], b * steps + step) - sent->time;
    };
    const bool is_near = (std::popcount(b) & 1) == 0;
    nearer_to_0 += is_near ? 1 : 0;
    EXPECT_EQ(took(0, 1), near) << b;                             // its own line or the copy just made
    EXPECT_EQ(took(other, 2), is_near ? near + 200 : near) << b;  // the first one of the other half
    EXPECT_EQ(took(other, 3), near) << b;                         // has left a copy
    EXPECT_EQ(took(other, 5), is_near ? near + 200 : near) << b;  // which a write that is near has ended
    EXPECT_EQ(took(0, 7), is_near ? near : near + 200) << b;      // far ones write the copy as well
    EXPECT_EQ(took(other, 8), near) << b;
    EXPECT_EQ(took(other, 10), is_near ? near + 200 : near) << b;  // atomics are done near the line
  }
  EXPECT_EQ(nearer_to_0, blocks / 2);
}

// Reads so many lines twice, each by the clients that are near to it, far from it or both, with room for 256
// in a cache of two halves; the misses of the second time.
enum class Readers { near, far, both };
u64 second_misses(u32 lines, Readers readers) {
  Hierarchy figures = second_level_only();
  figures.levels[0].slices = 1;
  figures.levels[0].far_cycles = 200;
  Rig rig(figures, 32);
  for (u32 turn = 0; turn < 2; ++turn) {
    for (u32 i = 0; i < lines; ++i) {
      const u64 address = u64{64} * i;
      const u32 near = second_half(address) ? 16 : 0;
      const u64 time = 1000 * (u64{turn} * lines + i);
      if (readers != Readers::far) rig.clients[near]->script.push_back(read(time, address, turn * lines + i));
      if (readers != Readers::near)
        rig.clients[16 - near]->script.push_back(read(time + 500, address, turn * lines + i));
    }
  }
  rig.run();
  EXPECT_GE(rig.counts(0).misses, lines);
  return rig.counts(0).misses - lines;
}

TEST(Slice, WhatBothHalvesReadTakesTwiceTheRoom) {
  EXPECT_EQ(second_misses(256, Readers::near), 0u);
  EXPECT_EQ(second_misses(128, Readers::far), 0u);
  EXPECT_EQ(second_misses(128, Readers::both), 0u);
  EXPECT_EQ(second_misses(192, Readers::far), 192u);
  EXPECT_EQ(second_misses(192, Readers::both), 192u);
}

// Eight lines of one set are written: what goes to memory without any being replaced.
u64 written_early(u32 dirty_ways) {
  Hierarchy figures = second_level_only();
  figures.levels[0].slices = 1;
  figures.levels[0].size_bytes = 64 * 16;
  figures.levels[0].ways = 16;
  figures.levels[0].dirty_ways = dirty_ways;
  Rig rig(figures);
  for (u32 i = 0; i < 8; ++i) rig.clients[0]->script.push_back(write(u64{i} * 1000, u64{i} * 64, i));
  rig.clients[0]->script.push_back(write(10000, 7 * 64, 8));  // dirty already
  for (u32 i = 0; i < 8; ++i)
    rig.clients[0]->script.push_back(read(20000 + u64{i} * 1000, u64{i} * 64, 10 + i));
  rig.run();
  EXPECT_EQ(rig.counts(0).hits, 9u);  // all have stayed
  return rig.counts(0).write_backs;
}

TEST(Slice, OfASetSomeLinesMayBeDirty) {
  EXPECT_EQ(written_early(0), 0u);
  EXPECT_EQ(written_early(8), 0u);
  EXPECT_EQ(written_early(5), 3u);
  EXPECT_EQ(written_early(1), 7u);
}

// A store of one word of each of two sectors, and then another one: how long after the first one's the second
// one's answer comes.
u64 cycles_of_two_partial_sectors(bool by_sectors, u32 partial_cycles) {
  Hierarchy figures = second_level_only();
  figures.levels[0].write_bytes = 32;
  figures.levels[0].stores_by_sectors = by_sectors;
  figures.levels[0].partial_store_cycles = partial_cycles;
  Rig rig(figures);
  Sent words = write(0, 0, 1);
  words.bytes = 0xFu | u64{0xF} << 32;  // bits of bytes
  Sent others = words;
  others.tag = 2;
  rig.clients[0]->script = {words, others};
  rig.run();
  return answered(*rig.clients[0], 2) - answered(*rig.clients[0], 1);
}

TEST(Slice, StoresCountByBytesOrBySectors) {
  EXPECT_EQ(cycles_of_two_partial_sectors(false, 0), 1u);
  EXPECT_EQ(cycles_of_two_partial_sectors(true, 0), 2u);
  EXPECT_EQ(cycles_of_two_partial_sectors(true, 1), 3u);
}

TEST(Slice, ThroughALevelThatWritesThrough) {
  Rig rig(three_levels(), 4);
  Client& client = *rig.clients[0];
  client.script = {read(0, 0, 1), write(1000, 0, 2), read(2000, 0, 3), request(MailKind::atomic, 3000, 0, 4),
                   read(4000, 0, 5)};
  rig.run();
  EXPECT_EQ(client.answers[0].level, 4);  // memory
  EXPECT_EQ(client.answers[1].level, 2);  // stores are answered by the second level
  EXPECT_EQ(client.answers[2].level, 1);  // and update the nearer copy
  EXPECT_EQ(client.answers[3].level, 2);
  EXPECT_EQ(client.answers[4].level, 2);  // atomics drop it
  EXPECT_EQ(answered(client, 2), 1000u + 40 + 1 + 40 + 1 + 40 + 40);
  EXPECT_EQ(rig.counts(2).misses, 1u);  // half a line of the second level at first
}

TEST(Slice, ASecondLevelOfWideLinesFetchesAndWritesTheirParts) {
  Hierarchy figures = three_levels();
  figures.levels[1].sector_bytes = 64;
  Rig rig(figures);
  Client& client = *rig.clients[0];
  client.script = {read(0, 64, 1), read(1000, 0, 2), read(2000, 64, 3)};
  rig.run();
  EXPECT_EQ(rig.counts(1).misses, 2u);  // each half by itself
  EXPECT_EQ(client.answers[2].level, 1);
  EXPECT_EQ(bursts(rig, &DramCounts::reads), 4u);
}

// Lines of 128 bytes in sectors of 32.
Hierarchy in_sectors(u32 fetch_bytes) {
  Hierarchy figures = second_level_only();
  CacheLevel& level = figures.levels[0];
  level.line_bytes = 128;
  level.sector_bytes = 32;
  level.read_bytes = 64;
  level.fetch_bytes = fetch_bytes;
  figures.dram.block_bytes = 128;
  return figures;
}

TEST(Slice, AMissFetchesWhatLiesBesideIt) {
  for (const u32 fetch : {0u, 32u, 64u, 128u}) {
    Rig rig(in_sectors(fetch));
    Client& client = *rig.clients[0];
    for (u32 sector = 0; sector < 4; ++sector)
      client.script.push_back(read(1000 * sector, 4096 + 32 * (3 - sector), sector, 32));
    rig.run();
    const u32 each = std::max(1u, fetch / 32);
    EXPECT_EQ(rig.counts(0).misses, 4 / each);
    EXPECT_EQ(rig.counts(0).hits, 4 - 4 / each);
    EXPECT_EQ(rig.counts(0).read_bytes, 128u);
    EXPECT_EQ(bursts(rig, &DramCounts::reads), 4u);
  }
}

TEST(Slice, AFetchLeavesOutWhatIsThere) {
  Rig rig(in_sectors(128));
  Client& client = *rig.clients[0];
  client.script = {write(0, 4096 + 32, 0, 32), read(1000, 4096 + 32, 1, 32), read(2000, 4096, 2, 32),
                   read(3000, 4096 + 96, 3, 32)};
  rig.run();
  EXPECT_EQ(client.answers[1].level, 1);
  EXPECT_EQ(client.answers[2].level, 2);
  EXPECT_EQ(client.answers[3].level, 1);
  EXPECT_EQ(bursts(rig, &DramCounts::reads), 3u);
}

// Sectors 0 and 2 of a line in one request.
TEST(Slice, ARequestMayLeaveSectorsOut) {
  Rig rig(in_sectors(0));
  Sent both = read(0, 4096, 1, 96);
  both.bytes = 0b101;
  Client& client = *rig.clients[0];
  client.script = {both, read(1000, 4096 + 64, 2, 32), read(2000, 4096 + 32, 3, 32)};
  both.tag = 4;
  both.time = 3000;
  client.script.push_back(both);
  rig.run();
  EXPECT_EQ(client.answers[0].level, 2);
  EXPECT_EQ(client.answers[1].level, 1);
  EXPECT_EQ(client.answers[2].level, 2);  // what was left out
  EXPECT_EQ(client.answers[3].level, 1);
  EXPECT_EQ(client.answers[3].lines, 0u);
  EXPECT_EQ(rig.counts(0).read_bytes, 64u + 32 + 32 + 64);
  EXPECT_EQ(rig.counts(0).busy_cycles, 4u);  // 64 bytes a cycle, half a cycle's for a sector
}

TEST(Slice, WhatWillNotBeUsedAgainGoesFirst) {
  Hierarchy figures = second_level_only();
  figures.levels[0] = test_level("l2", 1, 1);
  figures.levels[0].holds_atomics = true;
  figures.levels[0].size_bytes = 256;
  figures.levels[0].ways = 4;
  Rig rig(figures);
  Sent stream = read(100, 256, 1);
  stream.what |= Mail::streaming_bit;
  rig.clients[0]->script = {read(0, 0, 0),      stream,          read(200, 512, 2), read(300, 768, 3),
                            read(400, 1024, 4), read(1000, 0, 5)};
  rig.run();
  EXPECT_EQ(answered(*rig.clients[0], 5), 1000u + 81);
}

TEST(Translation, WalksAreSharedAndLimited) {
  Hierarchy figures = second_level_only();
  figures.translation.walkers = 2;
  figures.translation.walk_cycles = 100;
  Rig rig(figures);
  Client& client = *rig.clients[0];
  for (u32 i = 0; i < 5; ++i) client.script.push_back(request(MailKind::translate, 0, i / 2, i, 0));
  client.script.push_back(request(MailKind::translate, 500, 1, 9, 0));
  rig.run();
  EXPECT_EQ(answered(client, 0), 180u);
  EXPECT_EQ(answered(client, 1), 180u);  // the same page
  EXPECT_EQ(answered(client, 2), 180u);  // the second walker
  EXPECT_EQ(answered(client, 4), 280u);  // waits for one
  EXPECT_EQ(answered(client, 9), 580u);  // known
  EXPECT_EQ(rig.translation->counts().walks, 3u);
  EXPECT_EQ(rig.translation->counts().merges, 2u);
  EXPECT_EQ(rig.translation->counts().hits, 1u);
}

}  // namespace
}  // namespace lockstep
