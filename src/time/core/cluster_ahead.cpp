// What a window will go through is asked of the host's memory ahead, at its begin.
#include <algorithm>
#include <array>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

// Between two windows the other shards have used the host's caches. What the answers lead to comes nearer,
// all of it at once: which mail is what follows no pattern, so lists are made without asking, and no way to
// what an answer leads to waits for another's.
void Cluster::look_ahead(std::span<const Mail> inbox) {
  if (inbox.size() < 2) return;
  const auto near = [](const auto& object) {
    __builtin_prefetch(&object, 1);
    __builtin_prefetch(reinterpret_cast<const u8*>(&object + 1) - 1, 1);
  };
  if (came_.size() < inbox.size()) {
    came_.resize(std::bit_ceil(inbox.size()));
    stored_.resize(came_.size());
  }
  std::size_t came = 0, stored = 0;
  for (const Mail& mail : inbox) {
    const bool answer = mail.kind() == MailKind::answer;
    const Client client = read_tag(mail.tag).client;
    came_[came] = stored_[stored] = mail.tag;
    came += answer && client == Client::vector_miss;
    stored += answer && client == Client::vector_store;
  }
  for (std::size_t i = 0; i < stored; ++i) near(ops_[read_tag(stored_[i]).number]);
  for (std::size_t i = 0; i < came; ++i) {
    const Tag tag = read_tag(came_[i]);
    const Path& path = path_of(tag.path);
    const LineMiss& miss = path.misses[tag.number];
    for (u32 line = 0; line < miss.lines; ++line) {
      if (miss.entries[line] != no_index) path.l1.prefetch_entry(miss.entries[line]);
    }
    near(ops_[miss.op & ~further_part]);
    if (miss.first_waiter != no_index) near(ops_[waiters_[miss.first_waiter].payload & ~further_part]);
  }
}

// Notes the window's turns. What they go through comes nearer: first SIMDs, then those of their waves that
// may issue, whose positions the SIMDs know.
void Cluster::begin_turns(u64 end) {
  const auto near = [](const auto& object) { __builtin_prefetch(&object, 1); };
  for (u32 simd = 0; simd < wake_.size(); ++simd) {
    if (wake_[simd] >= end) continue;
    note_turn(simd, std::max(wake_[simd], window_begin_));
    const Simd& s = simds_[simd];
    near(s.count);
    near(s.ready[2]);  // behind the first line
    near(s.next);
    near(s.vector_free);
    near(s.latest);
  }
  std::array<WaveHandle, 32> soon;
  std::size_t count = 0;
  for (u32 simd = 0; simd < wake_.size(); ++simd) {
    if (wake_[simd] >= end) continue;
    const Simd& s = simds_[simd];
    for (u32 bits = (s.awake & ~s.for_clause) | s.timed; bits != 0; bits &= bits - 1) {
      const u32 position = static_cast<u32>(std::countr_zero(bits));
      if (s.ready[position] >= end) continue;
      const u32 handle = simd * f_.slots_per_simd + s.slots[position];
      const Wave& wave = waves_[handle];
      near(wave.since);
      near(wave.first_block);
      near(wave.arrival);
      if (count < soon.size()) soon[count++] = handle;
    }
  }
  source_->prefetch(std::span(soon).first(count));
}

}  // namespace lockstep
