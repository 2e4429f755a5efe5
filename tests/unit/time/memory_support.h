// A small made-up hierarchy and a client that sends a script of requests, for tests of what lies beyond the
// compute units.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "time/engine/windows.h"
#include "time/memory/channel.h"
#include "time/memory/hierarchy.h"
#include "time/memory/slice.h"
#include "time/memory/translation.h"

namespace lockstep::memory_test {

inline DramParameters test_dram() {
  DramParameters p;
  p.banks = 16;
  p.bank_groups = 1;
  p.row_bytes = 2048;
  p.burst_bytes = 32;
  p.burst_clocks = 1;
  p.block_bytes = 64;
  p.tcl = p.trcd = p.trp = 12;
  p.tcwl = 4;
  p.tras = 28;
  p.trrd = 3;
  p.tfaw = 16;
  p.tccd = p.tccd_long = 1;
  p.trtp = 4;
  p.twr = 10;
  p.twtr = 5;
  p.turnaround = 2;
  p.queue = 64;
  return p;
}

inline CacheLevel test_level(const char* name, u32 slices, u32 groups) {
  CacheLevel level;
  level.name = name;
  level.slices = slices;
  level.groups = groups;
  level.size_bytes = 16384;
  level.misses = 16;
  level.way_cycles = 40;
  return level;
}

// One second level of four slices in front of two channels, memory at the core's clock.
inline Hierarchy second_level_only() {
  Hierarchy h;
  h.levels.push_back(test_level("l2", 4, 1));
  h.levels[0].holds_atomics = true;
  h.memory_way_cycles = 50;
  h.channels = 2;
  h.dram = test_dram();
  h.translation.way_cycles = 40;
  return h;
}

// Four caches of shader arrays that write through, a second level of two halves that performs atomics, and a
// cache in front of memory with other lines.
inline Hierarchy three_levels() {
  Hierarchy h = second_level_only();
  CacheLevel gl1 = test_level("gl1", 4, 4);
  gl1.write_back = gl1.allocates_stores = false;
  CacheLevel l2 = test_level("l2", 4, 2);
  l2.line_bytes = 128;
  l2.holds_atomics = true;
  CacheLevel mall = test_level("mall", 6, 1);
  mall.line_bytes = 64;
  h.levels = {gl1, l2, mall};
  for (CacheLevel& level : h.levels) level.size_bytes = 4096;
  h.code_level = 1;
  return h;
}

struct Answer {
  u64 time = 0;
  u32 tag = 0;
  u8 level = 0;
  u64 lines = 0;  // of a run's read: bits
  u32 size = 0;
  auto operator<=>(const Answer&) const = default;
};

// A request and when it is sent.
struct Sent : Mail {
  u64 time = 0;
};

// Sends its script and notes what comes back.
class Client final : public Shard {
 public:
  std::vector<Sent> script;
  std::vector<Answer> answers;

  Client(const Hierarchy& hierarchy, const AddressMap& map, u32 number)
      : hierarchy_(hierarchy), map_(map), number_(number) {}

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override {
    for (const Mail& mail : inbox)
      answers.push_back(
          {begin + mail.cycle, mail.tag, static_cast<u8>(mail.detail), mail.bytes, mail.size()});
    for (; next_ < script.size() && script[next_].time < end; ++next_) {
      const Sent& sent = script[next_];
      if (sent.kind() == MailKind::translate) {
        outbox.send(map_.translation(), sent.time + hierarchy_.translation.way_cycles, sent);
      } else {
        outbox.send(map_.slice(0, sent.address, map_.group_of_cluster(0, number_)),
                    sent.time + hierarchy_.levels[0].way_cycles, sent);
      }
    }
    return next_ < script.size() ? script[next_].time : never;
  }

 private:
  const Hierarchy& hierarchy_;
  const AddressMap& map_;
  u32 number_;
  std::size_t next_ = 0;
};

// Clients and everything beyond them.
struct Rig {
  Hierarchy hierarchy;
  AddressMap map;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::unique_ptr<Slice>> slices;
  std::vector<std::unique_ptr<Channel>> channels;
  std::unique_ptr<Translation> translation;
  std::vector<std::tuple<u64, u32, u32>> performs;  // time, origin, order

  explicit Rig(const Hierarchy& figures, u32 count = 1) : hierarchy(figures) {
    const Status status = check_hierarchy(hierarchy);
    if (!status.ok()) ADD_FAILURE() << to_string(status.error());
    map = AddressMap(hierarchy, count, count);
    for (u32 i = 0; i < count; ++i) clients.push_back(std::make_unique<Client>(hierarchy, map, i));
    for (u32 level = 0; level < hierarchy.levels.size(); ++level) {
      const CacheLevel& l = hierarchy.levels[level];
      for (u32 i = 0; i < l.slices; ++i)
        slices.push_back(std::make_unique<Slice>(hierarchy, map, level, i / (l.slices / l.groups)));
    }
    for (u32 i = 0; i < hierarchy.channels; ++i)
      channels.push_back(std::make_unique<Channel>(hierarchy, map));
    translation = std::make_unique<Translation>(hierarchy);
  }
  Rig(const Rig&) = delete;

  std::vector<Shard*> shards() {
    std::vector<Shard*> all;
    for (auto& client : clients) all.push_back(client.get());
    for (auto& slice : slices) all.push_back(slice.get());
    for (auto& channel : channels) all.push_back(channel.get());
    all.push_back(translation.get());
    EXPECT_EQ(all.size(), map.end());
    return all;
  }

  // Runs until nothing is under way; the time of the end.
  u64 run(u32 window = 1, u32 threads = 1) {
    Windows windows(shards(), window, threads);
    for (u32 i = 0; i < clients.size(); ++i) {
      if (!clients[i]->script.empty()) windows.wake(i, clients[i]->script[0].time);
    }
    while (
        windows.step([&](const Perform& one) { performs.emplace_back(one.time, one.origin, one.order); })) {
    }
    return windows.now(0);
  }

  SliceCounts counts(u32 level) const {
    SliceCounts sum;
    u32 first = 0;
    for (u32 i = 0; i < level; ++i) first += hierarchy.levels[i].slices;
    for (u32 i = 0; i < hierarchy.levels[level].slices; ++i) sum += slices[first + i]->counts();
    return sum;
  }
};

inline Sent request(MailKind kind, u64 time, u64 address, u32 tag, u32 size = 64) {
  Sent mail;
  mail.time = time;
  mail.address = address;
  mail.tag = tag;
  mail.what = Mail::what_of(kind, size);
  if (kind == MailKind::write) mail.bytes = size >= 64 ? ~u64{0} : (u64{1} << size) - 1;
  if (kind == MailKind::atomic) mail.bytes = AtomicWork{0, 1, 1}.packed();
  return mail;
}
inline Sent read(u64 time, u64 address, u32 tag, u32 size = 64) {
  return request(MailKind::read, time, address, tag, size);
}
inline Sent write(u64 time, u64 address, u32 tag, u32 size = 64) {
  return request(MailKind::write, time, address, tag, size);
}

// What all channels have counted.
inline u64 bursts(const Rig& rig, u64 DramCounts::* of) {
  u64 sum = 0;
  for (const auto& channel : rig.channels) sum += channel->counts().*of;
  return sum;
}

// The time of the answer with this tag.
inline u64 answered(const Client& client, u32 tag) {
  for (const Answer& answer : client.answers) {
    if (answer.tag == tag) return answer.time;
  }
  ADD_FAILURE() << "request " << tag << " was not answered";
  return 0;
}

}  // namespace lockstep::memory_test
