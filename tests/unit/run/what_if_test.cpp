// Recordings with one thing changed: what a what-if plays.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "time/what_if/repeats.h"
#include "time/what_if/rewrite.h"

namespace lockstep {
namespace {

Recording empty_recording(u32 groups, u32 waves) {
  Recording recording;
  recording.groups = groups;
  recording.waves_per_group = waves;
  recording.waves.resize(std::size_t{groups} * waves);
  return recording;
}

Segment piece(u32 first, u32 count, u64 active, Event end = Event::none) {
  Segment made;
  made.first = first;
  made.count = count;
  made.next_pc = first + count;
  made.end = end;
  made.active.assign(count, active);
  return made;
}

std::vector<Segment> pieces_of(const std::vector<u8>& bytes) {
  std::vector<Segment> all;
  PieceReader reader(bytes);
  for (Segment one; reader.read(one);) all.push_back(one);
  return all;
}

u64 executed(const std::vector<u8>& bytes) {
  u64 sum = 0;
  for (const Segment& one : pieces_of(bytes)) sum += one.count;
  return sum;
}

// Sixteen waves walk the columns of a matrix: each access touches 64 lines, all of them together use each
// line whole. Coalesced, each touches four, and all of them together still every line once.
TEST(PerfectCoalescing, TouchesTheSameLinesWithFewerRequests) {
  Recording recording = empty_recording(16, 1);
  constexpr u64 row_bytes = 4096;
  for (u32 wave = 0; wave < 16; ++wave) {
    Segment one = piece(0, 1, ~u64{0}, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = lane * row_bytes + wave * 4;
    add_access(one, 0, access);
    PieceWriter().write(one, recording.waves[wave]);
  }
  const Recording made = perfectly_coalesced(recording, {64, 64, 16});
  std::multiset<u64> lines;
  for (const std::vector<u8>& wave : made.waves) {
    const std::vector<Segment> pieces = pieces_of(wave);
    ASSERT_EQ(pieces.size(), 1u);
    ASSERT_EQ(pieces[0].accesses.size(), 1u);
    Access access;
    expand(pieces[0], pieces[0].accesses[0], access);
    std::set<u64> touched;
    for (u32 lane = 0; lane < 64; ++lane) touched.insert(access.address[lane] / 64);
    EXPECT_EQ(touched.size(), 4u);
    lines.insert(touched.begin(), touched.end());
  }
  EXPECT_EQ(lines.size(), 64u);
  EXPECT_EQ(std::set<u64>(lines.begin(), lines.end()).size(), 64u);
}

// What is in a row already stays where it is.
TEST(PerfectCoalescing, LeavesGoodAccessesAlone) {
  Recording recording = empty_recording(1, 1);
  Segment one = piece(0, 1, ~u64{0}, Event::end);
  Access access;
  access.bytes = 4;
  access.lanes = ~u64{0};
  for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = 4096 + 4 * lane;
  add_access(one, 0, access);
  PieceWriter().write(one, recording.waves[0]);
  EXPECT_EQ(perfectly_coalesced(recording, {64, 64, 16}).waves, recording.waves);
}

// Four waves, in each of which a quarter of the lanes loops 100 times: afterwards one wave does.
TEST(Regrouping, PutsLongItemsIntoOneWave) {
  Recording recording = empty_recording(1, 4);
  constexpr u64 few = 0x1111'1111'1111'1111;
  for (std::vector<u8>& wave : recording.waves) {
    PieceWriter writer;
    writer.write(piece(0, 4, ~u64{0}), wave);
    for (int turn = 0; turn < 100; ++turn) {
      Segment loop = piece(4, 6, few);
      loop.next_pc = turn < 99 ? 4 : 10;
      writer.write(loop, wave);
    }
    writer.write(piece(10, 2, ~u64{0}, Event::end), wave);
  }
  const Recording made = regrouped(recording, 64);
  std::multiset<u64> counts;
  for (const std::vector<u8>& wave : made.waves) {
    counts.insert(executed(wave));
    const std::vector<Segment> pieces = pieces_of(wave);
    EXPECT_EQ(pieces.back().end, Event::end);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) EXPECT_EQ(pieces[i].next_pc, pieces[i + 1].first);
    for (const Segment& one : pieces) {
      for (const u64 active : one.active) EXPECT_EQ(active, ~u64{0});
    }
  }
  EXPECT_EQ(counts, (std::multiset<u64>{6, 6, 6, 606}));
}

// Eight groups of two waves, each with an item of its own that loops: without barriers they meet in one wave,
// which a barrier forbids.
TEST(Regrouping, CrossesGroupsThatNothingTiesTogether) {
  for (const bool tied : {false, true}) {
    Recording recording = empty_recording(8, 2);
    for (std::size_t i = 0; i < recording.waves.size(); ++i) {
      PieceWriter writer;
      writer.write(piece(0, 4, ~u64{0}, tied ? Event::barrier : Event::none), recording.waves[i]);
      if (i % 2 == 0) writer.write(piece(4, 6, 1), recording.waves[i]);
      Segment last = piece(i % 2 == 0 ? 10 : 4, i % 2 == 0 ? 2 : 8, ~u64{0}, Event::end);
      if (i % 2 != 0) last = piece(10, 2, ~u64{0}, Event::end);
      writer.write(last, recording.waves[i]);
    }
    u64 longest = 0;
    for (const std::vector<u8>& wave : regrouped(recording, 64).waves) longest += executed(wave) == 12;
    EXPECT_EQ(longest, tied ? 8 : 1);
  }
}

TEST(Regrouping, LeavesGroupsAloneThatDoNotDiverge) {
  Recording recording = empty_recording(2, 2);
  for (std::vector<u8>& wave : recording.waves) PieceWriter().write(piece(0, 5, 0xFFFF, Event::end), wave);
  EXPECT_EQ(regrouped(recording, 64).waves, recording.waves);
}

// Four loads of a structure of four words: each takes a quarter of the lines, another one.
TEST(PerfectCoalescing, KeepsWhatLoadsOfOneStructureTouchApart) {
  std::set<u64> lines;
  for (u64 field = 0; field < 4; ++field) {
    Recording recording = empty_recording(1, 1);
    Segment one = piece(0, 1, ~u64{0}, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    access.space = Space::global;
    access.kind = AccessKind::load;
    for (u64 lane = 0; lane < 64; ++lane) access.address[lane] = 4096 + lane * 16 + field * 4;
    add_access(one, 0, access);
    PieceWriter().write(one, recording.waves[0]);
    Access made;
    const Segment packed = pieces_of(perfectly_coalesced(recording, {64, 64, 16}).waves[0]).at(0);
    expand(packed, packed.accesses.at(0), made);
    for (const u64 address : made.address) lines.insert(address / 64);
  }
  EXPECT_EQ(lines.size(), 16u);
}

// A row in each page of two megabytes: afterwards they follow one another.
TEST(SideBySide, LeavesNoGaps) {
  Recording recording = empty_recording(1, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    Segment one = piece(0, 1, ~u64{0}, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    access.space = Space::global;
    access.kind = AccessKind::load;
    for (u64 lane = 0; lane < 64; ++lane) access.address[lane] = (2 - i) * (2 << 20) + lane * 4;
    add_access(one, 0, access);
    PieceWriter().write(one, recording.waves[i]);
  }
  const Recording made = side_by_side(recording);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(pieces_of(made.waves[i]).at(0).accesses.at(0).base, (2 - i) * 256);
}

// Rows that lie 64 KiB apart are all in one of sixteen channels; afterwards they are in many, each in its row
// of 128 blocks.
TEST(EvenSlices, SpreadAStride) {
  Recording recording = empty_recording(1, 64);
  for (u64 i = 0; i < 64; ++i) {
    Segment one = piece(0, 1, 1, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = 1;
    access.space = Space::global;
    access.kind = AccessKind::load;
    access.address[0] = i << 16;
    add_access(one, 0, access);
    PieceWriter().write(one, recording.waves[i]);
  }
  std::array<u32, 16> channels{};
  const Recording made = spread_over_slices(recording, 256);
  for (u64 i = 0; i < 64; ++i) {
    const u64 address = pieces_of(made.waves[i]).at(0).accesses.at(0).base;
    EXPECT_EQ(address >> 15, i << 16 >> 15);
    ++channels[address >> 8 & 15];
  }
  EXPECT_LE(*std::ranges::max_element(channels), 10u);
}

// Loads of private memory are gone, its stores stay and move nothing, other accesses stay.
TEST(PrivateMemory, IsNotTouched) {
  Recording recording = empty_recording(1, 1);
  Segment one = piece(0, 4, ~u64{0}, Event::end);
  const auto add = [&](u32 at, Space space, AccessKind kind) {
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    access.space = space;
    access.kind = kind;
    access.address.fill(64);
    add_access(one, at, access);
  };
  add(0, Space::private_memory, AccessKind::store);
  add(1, Space::private_memory, AccessKind::load);
  add(2, Space::global, AccessKind::load);
  PieceWriter().write(one, recording.waves[0]);
  std::vector<std::pair<u32, std::size_t>> seen;  // instruction, its accesses
  for (const Segment& made : pieces_of(without_private_memory(recording, false).waves[0])) {
    for (u32 i = 0; i < made.count; ++i)
      seen.emplace_back(made.first + i, std::ranges::count(made.accesses, i, &SegmentAccess::instruction));
  }
  EXPECT_EQ(seen, (std::vector<std::pair<u32, std::size_t>>{{0, 0}, {2, 1}, {3, 0}}));
}

// Three turns of a loop load a word, then store it: the first load and the last store stay, and those around
// a barrier. A load of another word each time is no repeat.
TEST(WithoutRepeats, LeavesTheFirstLoadAndTheLastStore) {
  for (const bool barrier : {false, true}) {
    Recording recording = empty_recording(1, 1);
    PieceWriter writer;
    for (u32 turn = 0; turn < 3; ++turn) {
      const Event end = turn == 2 ? Event::end : barrier ? Event::barrier : Event::none;
      Segment one = piece(0, 4, ~u64{0}, end);
      one.next_pc = turn == 2 ? 4 : 0;
      Access access;
      access.bytes = 4;
      access.lanes = ~u64{0};
      for (u32 at = 0; at < 3; ++at) {
        access.kind = at == 2 ? AccessKind::store : AccessKind::load;
        for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = 1024 + 4 * lane + (at == 1 ? turn : 0);
        add_access(one, at, access);
      }
      writer.write(one, recording.waves[0]);
    }
    std::vector<u32> accessing;
    const std::vector<bool> all(4, true), none(4, false);
    for (const Segment& made : pieces_of(without_repeats(recording, all, true, none).waves[0])) {
      for (const SegmentAccess& each : made.accesses) accessing.push_back(made.first + each.instruction);
    }
    EXPECT_EQ(accessing,
              barrier ? (std::vector<u32>{0, 1, 2, 0, 1, 2, 0, 1, 2}) : (std::vector<u32>{0, 1, 1, 1, 2}));
    EXPECT_EQ(executed(without_repeats(recording, all, true, all).waves[0]), 12u);
    EXPECT_EQ(executed(without_repeats(recording, all, false, none).waves[0]), barrier ? 12u : 10u);
  }
}

TEST(AtomicsApart, GiveEachLaneAWordOfItsOwn) {
  Recording recording = empty_recording(1, 2);
  for (std::vector<u8>& wave : recording.waves) {
    Segment one = piece(0, 1, ~u64{0}, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    access.kind = AccessKind::atomic;
    access.address.fill(256);
    add_access(one, 0, access);
    PieceWriter().write(one, wave);
  }
  std::set<u64> words;
  for (const std::vector<u8>& wave : with_atomics_apart(recording, 64).waves) {
    const Segment one = pieces_of(wave).at(0);
    Access access;
    expand(one, one.accesses.at(0), access);
    words.insert(access.address.begin(), access.address.end());
  }
  EXPECT_EQ(words.size(), 128u);
}

TEST(AtomicsGathered, LeaveEachGroupOneOfEachWord) {
  // Two groups of two waves, each of which loads, adds to one word and adds to 64.
  Recording recording = empty_recording(2, 2);
  for (std::vector<u8>& wave : recording.waves) {
    Segment one = piece(0, 4, ~u64{0}, Event::end);
    Access access;
    access.bytes = 4;
    access.lanes = ~u64{0};
    for (const u32 at : {0u, 1u, 2u}) {
      access.kind = at == 0 ? AccessKind::load : AccessKind::atomic;
      for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = 4 * (at == 1 ? 0 : 1 + lane * 3 / 2 % 95);
      add_access(one, at, access);
    }
    PieceWriter().write(one, wave);
  }
  const Recording made = with_atomics_gathered(recording, 64);
  for (std::size_t group = 0; group < 2; ++group) {
    std::vector<u64> loaded, changed;
    for (std::size_t wave = 2 * group; wave < 2 * group + 2; ++wave) {
      const Segment one = pieces_of(made.waves[wave]).at(0);
      EXPECT_EQ(one.count, 4u);
      for (const SegmentAccess& each : one.accesses) {
        Access access;
        expand(one, each, access);
        std::vector<u64>& list = access.kind == AccessKind::load ? loaded : changed;
        EXPECT_EQ(each.instruction, access.kind == AccessKind::load ? 0u : 2u);
        for (u64 rest = access.lanes; rest != 0; rest &= rest - 1)
          list.push_back(access.address[static_cast<u32>(std::countr_zero(rest))]);
      }
    }
    EXPECT_EQ(loaded.size(), 128u);
    EXPECT_EQ(changed.size(), 65u);
    EXPECT_EQ(std::set<u64>(changed.begin(), changed.end()).size(), 65u);
  }
}

TEST(WithoutInstructions, LeavesTheOthersAndTheirAccesses) {
  Recording recording = empty_recording(1, 1);
  Segment one = piece(0, 4, ~u64{0}, Event::end);
  Access access;
  access.bytes = 4;
  access.lanes = 1;
  for (const u32 at : {1u, 2u}) {
    access.address[0] = 64 * at;
    add_access(one, at, access);
  }
  PieceWriter().write(one, recording.waves[0]);
  // The last ends the wave and stays.
  const Recording made = without_instructions(recording, {false, true, false, true});
  EXPECT_EQ(executed(made.waves[0]), 3u);
  std::vector<u64> touched;
  for (const Segment& left : pieces_of(made.waves[0])) {
    for (const SegmentAccess& each : left.accesses) {
      Access expanded;
      expand(left, each, expanded);
      touched.push_back(expanded.address[0]);
    }
  }
  EXPECT_EQ(touched, std::vector<u64>{128});
  EXPECT_EQ(pieces_of(made.waves[0]).back().end, Event::end);
}

Segment with_stores(Segment one, u32 at, Space space, u64 lanes, u64 base) {
  Access access;
  access.space = space;
  access.kind = AccessKind::store;
  access.bytes = 4;
  access.lanes = lanes;
  for (u32 lane = 0; lane < 64; ++lane) access.address[lane] = base + u64{4} * lane;
  add_access(one, at, access);
  return one;
}

// Eight groups of 48: four of them fill three waves of 64, each lane with its own item's address.
TEST(Joined, PutsTheItemsOfGroupsSideBySide) {
  constexpr u64 mine = (u64{1} << 48) - 1;
  Recording recording = empty_recording(8, 1);
  for (u32 group = 0; group < 8; ++group) {
    Segment one = with_stores(piece(0, 2, mine, Event::end), 0, Space::global, mine, 4096 + group * 4 * 48);
    one = with_stores(std::move(one), 1, Space::local, mine, 0);
    PieceWriter().write(one, recording.waves[group]);
  }
  const Recording made = joined(recording, {4, 48, 64, 256});
  ASSERT_EQ(made.groups, 2u);
  ASSERT_EQ(made.waves_per_group, 3u);
  for (u32 wave = 0; wave < 6; ++wave) {
    const std::vector<Segment> pieces = pieces_of(made.waves[wave]);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].active, std::vector<u64>(2, ~u64{0}));
    EXPECT_EQ(pieces[0].end, Event::end);
    ASSERT_EQ(pieces[0].accesses.size(), 2u);
    Access global, local;
    expand(pieces[0], pieces[0].accesses[0], global);
    expand(pieces[0], pieces[0].accesses[1], local);
    EXPECT_EQ(global.lanes, ~u64{0});
    for (u32 lane = 0; lane < 64; ++lane) {
      const u64 item = u64{wave} * 64 + lane, of_group = item % (4 * 48);
      EXPECT_EQ(global.address[lane], 4096 + 4 * item);
      EXPECT_EQ(local.address[lane], of_group / 48 * 256 + of_group % 48 * 4);
    }
  }
}

// Where items go different ways, all go the longest.
TEST(Joined, GoesTheLongestWay) {
  Recording recording = empty_recording(2, 1);
  PieceWriter().write(with_stores(piece(0, 3, 0xFFFF, Event::end), 0, Space::global, 0xFFFF, 0),
                      recording.waves[0]);
  PieceWriter().write(with_stores(piece(0, 7, 0xFFFF, Event::end), 5, Space::global, 0xFFFF, 64),
                      recording.waves[1]);
  const Recording made = joined(recording, {2, 16, 32, 0});
  ASSERT_EQ(made.waves.size(), 1u);
  const std::vector<Segment> pieces = pieces_of(made.waves[0]);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].active, std::vector<u64>(7, 0xFFFF'FFFF));
  ASSERT_EQ(pieces[0].accesses.size(), 1u);
  EXPECT_EQ(pieces[0].accesses[0].lanes, 0xFFFF'FFFFu);
}

// A wait that follows itself where a loop around it is gone is one wait.
TEST(WithoutInstructions, KeepsAWaitOfALoopOnce) {
  Recording recording = empty_recording(1, 1);
  Segment all = piece(0, 1, 1);
  PieceWriter writer;
  writer.write(all, recording.waves[0]);
  for (u32 turn = 0; turn < 3; ++turn) {
    Segment loop = piece(1, 3, 1);
    loop.next_pc = turn < 2 ? 1 : 4;
    writer.write(loop, recording.waves[0]);
  }
  writer.write(piece(4, 1, 1, Event::end), recording.waves[0]);
  const Recording made =
      without_instructions(recording, {false, true, true, true, false}, {false, false, true, false, false});
  EXPECT_EQ(executed(made.waves[0]), 3u);
}

}  // namespace
}  // namespace lockstep
