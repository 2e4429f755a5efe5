// A DRAM channel by itself: each of the standard's constraints at the clock before and at it, the order in
// which it serves, and the bandwidth that it reaches.
#include <map>
#include <random>
#include <set>

#include "machine/machine.h"
#include "memory_support.h"

namespace lockstep {
namespace {

using namespace memory_test;

struct Probe {
  DramChannel channel;
  std::vector<DramChannel::Served> served;
  u32 next_tag = 0;

  explicit Probe(const DramParameters& parameters) : channel(parameters) {}
  u32 push(u64 arrival, u64 address, bool write = false, u32 bytes = 32) {
    channel.push(arrival, address, bytes, write, next_tag);
    return next_tag++;
  }
  void run() {
    for (u64 next = channel.next_time(); next != ~u64{0}; next = channel.next_time()) {
      channel.step(next, served);
      ASSERT_GT(channel.next_time(), next);
    }
  }
  // The clock of the request's last command.
  u64 issued(u32 tag) const {
    for (const DramChannel::Served& one : served) {
      if (one.tag == tag) return one.issued;
    }
    ADD_FAILURE() << "request " << tag << " was not served";
    return 0;
  }
  u64 done(u32 tag) const {
    for (const DramChannel::Served& one : served) {
      if (one.tag == tag) return one.done;
    }
    return 0;
  }
};

// An address in this bank and row.
u64 at(const DramParameters& parameters, u32 bank, u64 row, u32 nth = 0) {
  const DramChannel channel(parameters);
  for (u64 address = 0;; address += parameters.block_bytes) {
    const DramChannel::Location where = channel.locate(address);
    if (where.bank == bank && where.row == row && nth-- == 0) return address;
  }
}

TEST(BankNumbers, AreWhatALoopFinds) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const u32 count = 1u << random() % 7;
    const u64 now = u64{random()} << 12 | random() % 4096;
    alignas(32) BankNumbers ages, times;
    for (u32 bank = 0; bank < most_banks; ++bank) {
      ages[bank] = static_cast<u16>(i % 2 == 0 ? random() % 8 : random() % 32768);
      times[bank] = static_cast<u16>(now + random() % 64 - 32);
    }
    u64 banks = u64{random()} << 32 | random();
    if (i % 3 != 0) banks &= u64{random()} << 32 | random();
    if (count < 64) banks &= (u64{1} << count) - 1;
    u32 least = most_banks;
    u64 later = 0, first = ~u64{0};
    for (u32 bank = 0; bank < count; ++bank) {
      if ((banks >> bank & 1) == 0) continue;
      if (least == most_banks || ages[bank] < ages[least]) least = bank;
      const i16 ahead = static_cast<i16>(times[bank] - static_cast<u16>(now));
      later |= u64{ahead > 0} << bank;
      first = std::min(first, now + static_cast<u64>(std::max<i16>(ahead, 0)));
    }
    ASSERT_EQ(later_banks(times, banks, count, now), later);
    ASSERT_EQ(first_time(times, banks, count, now), first);
    if (banks == 0) continue;
    ASSERT_EQ(least_bank(ages, banks, count), least);
  }
}

TEST(Dram, ClosedRowOpenRowAndConflict) {
  const DramParameters p = test_dram();
  Probe probe(p);
  const u32 closed = probe.push(7, at(p, 3, 0), false, 64);
  const u32 open = probe.push(200, at(p, 3, 0, 1), false, 64);
  const u32 other = probe.push(400, at(p, 3, 5), false, 64);
  probe.run();
  EXPECT_EQ(probe.done(closed), 7u + 12 + 12 + 2);  // its row is opened when it arrives, not earlier
  EXPECT_EQ(probe.done(closed) - 7, p.closed_row_clocks(64));
  EXPECT_EQ(probe.done(open), 200u + 12 + 2);
  EXPECT_EQ(probe.done(other), 400u + 12 + 12 + 12 + 2);
  EXPECT_EQ(probe.channel.counts().row_misses, 1u);
  EXPECT_EQ(probe.channel.counts().row_hits, 1u);
  EXPECT_EQ(probe.channel.counts().row_conflicts, 1u);
}

// Each figure alone decides when the second command goes: one clock more of it is one clock later, one less
// one earlier.
template <typename Script>
void expect_decides(u32 DramParameters::* figure, u64 expected, const Script& script) {
  for (const i32 more : {0, 1, -1}) {
    DramParameters p = test_dram();
    p.bank_groups = 4;
    p.tccd_long = 3;
    p.tccd = 2;
    p.*figure = static_cast<u32>(static_cast<i32>(p.*figure) + more);
    Probe probe(p);
    const u32 tag = script(probe, p);
    probe.run();
    EXPECT_EQ(static_cast<i64>(probe.issued(tag)), static_cast<i64>(expected) + more);
  }
}

TEST(Dram, RowToColumn) {
  expect_decides(&DramParameters::trcd, 12,
                 [](Probe& probe, const DramParameters& p) { return probe.push(0, at(p, 0, 0)); });
}

TEST(Dram, RowsStayOpenForTheirTime) {
  expect_decides(&DramParameters::tras, 28 + 12 + 12, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    return probe.push(14, at(p, 0, 1));
  });
}

TEST(Dram, ClosingARow) {
  expect_decides(&DramParameters::trp, 100 + 12 + 12, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    return probe.push(100, at(p, 0, 1));
  });
}

// A row that is to close for another one stays open for who asks for it by then.
TEST(Dram, ARowStaysOpenForWhoAsksBeforeItCloses) {
  for (const u64 late : {0, 1}) {
    const DramParameters p = test_dram();
    Probe probe(p);
    probe.push(0, at(p, 0, 0));
    const u32 other = probe.push(14, at(p, 0, 1));  // may close the row after 28 clocks
    const u32 again = probe.push(p.tras + late, at(p, 0, 0, 1));
    probe.run();
    const DramCounts counts = probe.channel.counts();
    EXPECT_EQ(counts.row_hits, 1 - late);
    EXPECT_EQ(counts.row_conflicts, 1 + late);
    EXPECT_EQ(probe.issued(again) < probe.issued(other), late == 0);
    if (late != 0) {
      EXPECT_EQ(probe.issued(other), u64{p.tras} + p.trp + p.trcd);
    }
  }
}

// A time that has long passed is not taken for one to come: writes to one open row go on for as long as they
// come, while a read waits for a row of a bank that has just been closed.
TEST(Dram, WhatPassedLongAgoIsOver) {
  DramParameters p = test_dram();
  p.queue = 4;
  for (const u32 writes : {100, 30000, 40000, 50000, 70000}) {
    Probe probe(p);
    probe.push(0, at(p, 0, 0));
    const u32 other = probe.push(1, at(p, 0, 1));  // its row may be opened 12 clocks after the 28th
    u64 time = p.tras + 2;
    for (u32 i = 0; i < writes; ++i) {
      probe.push(time, at(p, 1, 0), true);
      time += i < 6 ? 0 : 1;
    }
    probe.run();
    ASSERT_EQ(probe.served.size(), writes + 2);
    // All but the last write go first.
    ASSERT_EQ(probe.served[writes].tag, other);
    const u64 before = probe.served[writes - 1].issued;
    EXPECT_GE(before, writes);
    EXPECT_LT(probe.issued(other) - before, 50u) << writes;
  }
}

// A line's bursts go one behind the other where another bank group's are in turn with them; alone they keep
// the distance that one group asks for.
TEST(Dram, ALinesBurstsAreCloserWhereAnotherGroupIsInTurn) {
  DramParameters p = test_dram();
  p.bank_groups = 4;
  p.tccd = 2;
  p.tccd_long = 5;
  const auto first = [&](u32 other) {
    Probe probe(p);
    for (const u32 bank : {0u, 1u, 4u}) probe.push(0, at(p, bank, 0));
    const u32 tag = probe.push(200, at(p, 0, 0), false, 64);
    probe.push(200, at(p, other, 0), false, 64);
    probe.run();
    EXPECT_EQ(probe.channel.counts().reads, 7u);
    return probe.issued(tag);
  };
  EXPECT_EQ(first(4), 200u + 5);  // a bank of the same group
  EXPECT_EQ(first(1), 200u + 2);
}

TEST(Dram, ReadToClosing) {
  expect_decides(&DramParameters::trtp, 100 + 4 + 12 + 12, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    probe.push(100, at(p, 0, 0));
    return probe.push(101, at(p, 0, 1));
  });
}

TEST(Dram, WriteToClosing) {
  // Command at 100, data from 104 to 105, ten clocks of recovery.
  expect_decides(&DramParameters::twr, 105 + 10 + 12 + 12, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0), true);
    probe.push(100, at(p, 0, 0), true);
    return probe.push(101, at(p, 0, 1), true);
  });
}

TEST(Dram, BetweenActivations) {
  expect_decides(&DramParameters::trrd, 3 + 12, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    return probe.push(0, at(p, 1, 0));
  });
}

TEST(Dram, FourActivationsInTheirWindow) {
  expect_decides(&DramParameters::tfaw, 16 + 12, [](Probe& probe, const DramParameters& p) {
    for (u32 bank = 0; bank < 4; ++bank) probe.push(0, at(p, bank, 0));
    return probe.push(0, at(p, 4, 0));
  });
}

TEST(Dram, BetweenColumnsOfOneGroupAndOfTwo) {
  const auto open = [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    probe.push(0, at(p, 1, 0));
    probe.push(0, at(p, 4, 0));
    probe.push(100, at(p, 0, 0));
  };
  expect_decides(&DramParameters::tccd_long, 103, [&](Probe& probe, const DramParameters& p) {
    open(probe, p);
    return probe.push(100, at(p, 4, 0));  // another bank of the group
  });
  expect_decides(&DramParameters::tccd, 102, [&](Probe& probe, const DramParameters& p) {
    open(probe, p);
    return probe.push(100, at(p, 1, 0));
  });
}

// A run's bursts go together: in one bank, in which they would be further apart, they fill the bus as they do
// with another group's in between; it takes as many places as it has lines.
TEST(Dram, ARunsBurstsGoTogether) {
  DramParameters p = test_dram();
  p.bank_groups = 4;
  p.tccd_long = 4;
  p.queue = 4;
  DramChannel dram(p);
  for (u64 run = 0; run < 3; ++run) dram.push(0, run * 256, 256, false, run, 4);
  std::vector<DramChannel::Served> served;
  dram.run(1000, served);
  ASSERT_EQ(served.size(), 3u);
  const u64 bursts = p.bursts(256), clocks = (bursts - 1) * std::max(p.tccd, p.burst_clocks);
  for (u64 run = 0; run < 3; ++run) EXPECT_EQ(served[run].tag, run);
  EXPECT_EQ(served[0].issued, p.trcd + clocks);
  EXPECT_GT(served[1].issued, served[0].issued + clocks) << "one after the other";
  EXPECT_EQ(dram.counts().reads, 3 * bursts);
  EXPECT_EQ(dram.counts().row_hits + dram.counts().row_misses + dram.counts().row_conflicts, 12u);
}

TEST(Dram, WriteToRead) {
  expect_decides(&DramParameters::twtr, 105 + 5, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    probe.push(50, at(p, 1, 0));
    probe.push(100, at(p, 0, 0), true);
    return probe.push(101, at(p, 1, 0));
  });
}

TEST(Dram, ReadToWriteLeavesTheBusIdle) {
  // Read data end at 113; two clocks later the write's begin, four after its command.
  expect_decides(&DramParameters::turnaround, 113 + 2 - 4, [](Probe& probe, const DramParameters& p) {
    probe.push(0, at(p, 0, 0));
    probe.push(100, at(p, 0, 0));
    return probe.push(101, at(p, 0, 0), true);
  });
}

TEST(Dram, RefreshClosesAllRows) {
  DramParameters p = test_dram();
  p.refresh_interval = 1000;
  p.refresh = 100;
  Probe probe(p);
  probe.push(0, at(p, 0, 0));
  const u32 after = probe.push(1001, at(p, 0, 0));
  const u32 later = probe.push(5500, at(p, 0, 0));
  probe.run();
  EXPECT_EQ(probe.issued(after), 1000u + 12 + 100 + 12);  // closed at 1000, refreshed, opened
  EXPECT_EQ(probe.issued(later), 5500u + 12);             // refreshed at 5000, long done
  EXPECT_EQ(probe.channel.counts().refreshes, 2u);
}

TEST(Dram, AnOpenRowGoesFirstButNotForEver) {
  DramParameters p = test_dram();
  p.queue = 4;
  Probe probe(p);
  probe.push(0, at(p, 0, 0));
  const u32 other = probe.push(1, at(p, 0, 7));
  std::vector<u32> hits;
  for (u32 i = 0; i < 64; ++i) hits.push_back(probe.push(2 + i, at(p, 0, 0, i % 32)));
  probe.run();
  EXPECT_LT(probe.issued(hits[2]), probe.issued(other));
  u32 before = 0;
  for (const u32 tag : hits) before += probe.issued(tag) < probe.issued(other);
  EXPECT_LE(before, 4 * p.queue + 1);
}

TEST(Dram, WritesGatherAndTurnTheBusSeldom) {
  DramParameters p = test_dram();
  Probe probe(p);
  for (u32 i = 0; i < 512; ++i) probe.push(i, at(p, i % 2, 0, i % 32), i % 2 == 1, 64);
  probe.run();
  EXPECT_EQ(probe.served.size(), 512u);
  EXPECT_LE(probe.channel.counts().turnarounds, 16u);
}

// The channel keeps to its constraints whatever comes: no two transfers on the bus at once, none before its
// request, everything served once.
TEST(Dram, AnyMixKeepsTheBusInOrder) {
  std::mt19937 random(5);
  for (const u32 groups : {1u, 4u}) {
    DramParameters p = test_dram();
    p.bank_groups = groups;
    p.tccd_long = 2;
    p.refresh_interval = 900;
    p.refresh = 80;
    Probe probe(p);
    std::vector<u64> arrivals;
    u64 time = 0;
    for (u32 i = 0; i < 4000; ++i) {
      time += random() % 4 == 0 ? random() % 30 : 0;
      arrivals.push_back(time);
      probe.push(time, u64{random() % 4096} * 64, random() % 3 == 0, 32);
    }
    probe.run();
    ASSERT_EQ(probe.served.size(), arrivals.size());
    std::set<u64> ends;
    for (const DramChannel::Served& one : probe.served) {
      EXPECT_GE(one.issued, arrivals[one.tag]);
      EXPECT_TRUE(ends.insert(one.done).second);  // a burst is one clock
    }
  }
}

// Stretches of a channel go round its banks, and every row is met as often as it holds some. What lies powers
// of two apart is in one bank, unless the row's bits turn the bank's.
TEST(Dram, BanksOfStretches) {
  DramParameters p = test_dram();
  p.bank_bytes = 256;
  for (const bool hashed : {false, true}) {
    p.hashed_banks = hashed;
    const DramChannel channel(p);
    std::map<std::pair<u32, u64>, u32> met;
    constexpr u32 rows = 64;
    for (u64 address = 0; address < u64{p.banks} * p.row_bytes * rows; address += p.bank_bytes) {
      const DramChannel::Location where = channel.locate(address), end = channel.locate(address + 255);
      EXPECT_EQ(where.bank, end.bank);
      EXPECT_EQ(where.row, end.row);
      ++met[{where.bank, where.row}];
    }
    EXPECT_EQ(met.size(), std::size_t{p.banks} * rows);
    for (const auto& [row, times] : met) EXPECT_EQ(times, p.row_bytes / p.bank_bytes);
    std::set<u32> side_by_side;
    for (u64 i = 0; i < p.banks; ++i) side_by_side.insert(channel.locate(i * p.bank_bytes).bank);
    EXPECT_EQ(side_by_side.size(), p.banks);
    for (u32 shift = 15; shift < 32; ++shift) {
      std::set<u32> apart;
      for (u64 i = 0; i < p.banks; ++i) apart.insert(channel.locate(i << shift).bank);
      EXPECT_EQ(apart.size(), hashed ? p.banks : 1u) << shift;
    }
  }
}

// The order of requests does not depend on how many a channel has served before (it numbers them, and begins
// anew now and then).
TEST(Dram, ALongPastChangesNothing) {
  DramParameters p = test_dram();
  p.bank_groups = 4;
  p.tccd_long = 2;
  const auto mix = [](Probe& probe, u64 begin) {
    std::mt19937 random(6);
    std::vector<u64> issued;
    u64 time = begin;
    const u32 first = probe.next_tag;
    for (u32 i = 0; i < 4000; ++i) {
      time += random() % 4 == 0 ? random() % 20 : 0;
      probe.push(time, u64{random() % 4096} * 64, random() % 3 == 0, 64);
    }
    probe.run();
    issued.resize(4000);
    for (const DramChannel::Served& one : probe.served) {
      if (one.tag >= first) issued[one.tag - first] = one.issued - begin;
    }
    return issued;
  };
  Probe fresh(p), old(p);
  constexpr u32 writes = 65536 - 600, reads = 65536 - 1300;  // up to the middle of the mix
  for (u32 i = 0; i < writes; ++i) old.push(0, u64{i} * 64, true, 64);
  old.run();
  for (u32 i = 0; i < reads; ++i) old.push(1'000'000, u64{i} * 64, false, 64);
  old.run();
  old.channel.close_rows();
  EXPECT_EQ(mix(old, 2'000'000), mix(fresh, 0));
}

// Streams, as all channels of each timed machine see them: close to the bus's rate, and never above it.
TEST(Dram, StreamsReachTheBandwidthOfEveryTimedMachine) {
  const auto machines = list_machines(machine_directory());
  ASSERT_TRUE(machines.ok());
  u32 timed = 0;
  for (const MachineSummary& summary : *machines) {
    const Expected<Machine> machine = load_machine(machine_directory(), summary.id);
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    if (!has(*machine, "timing.l1.next")) continue;
    ++timed;
    const Expected<Hierarchy> h =
        make_hierarchy(*machine, run_clock_hz(*machine),
                       static_cast<u32>(integer_or(*machine, "timing.l1.hit_cycles", 100)), 4);
    ASSERT_TRUE(h.ok()) << to_string(h.error());
    const u32 request = h->levels.back().sector_bytes;
    constexpr u32 requests = 40000;
    Probe probe(h->dram);
    u64 end = 0;
    u64 time = 0;
    // As many on their way as slices keep outstanding.
    std::size_t sent = 0;
    for (; sent < 128; ++sent) probe.push(0, sent * request, false, request);
    while (probe.served.size() < requests) {
      time = probe.channel.next_time();
      const std::size_t before = probe.served.size();
      probe.channel.step(time, probe.served);
      for (std::size_t i = before; i < probe.served.size(); ++i) {
        end = std::max(end, probe.served[i].done);
        probe.push(time + 1, sent++ * request, false, request);
      }
    }
    const f64 bytes_per_clock = static_cast<f64>(probe.served.size()) * request / static_cast<f64>(end);
    const f64 reached = bytes_per_clock * h->channels * number(*machine, "memory.clock_hz");
    const f64 stated = number(*machine, "memory.bytes_per_second");
    const f64 share = h->dram.bus_percent / 100.0;
    EXPECT_LE(reached, 1.005 * stated * share) << summary.id;
    EXPECT_GE(reached, 0.85 * stated * share) << summary.id;
    EXPECT_LE(bytes_per_clock * h->dram.burst_clocks, h->dram.burst_bytes) << summary.id;
  }
  EXPECT_GE(timed, 3u);
}

}  // namespace
}  // namespace lockstep
