// What a window will go through is asked of the host's memory ahead, at its begin.
#include <algorithm>
#include <array>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

// Between two windows the other shards have used the host's caches. What the answers lead to comes nearer,
// all of it at once: each step of the way is known when the one before it is there.
void Cluster::prefetch(std::span<const Mail> inbox) {
  if (inbox.size() < 2) return;
  const auto near = [](const auto& object) {
    __builtin_prefetch(&object, 1);
    __builtin_prefetch(reinterpret_cast<const u8*>(&object + 1) - 1, 1);
  };
  for (const Mail& mail : inbox) {
    if (mail.kind() != MailKind::answer) continue;
    const auto [client, path, number] = read_tag(mail.tag);
    if (client == Client::vector_miss) {
      const Path& of = path_of(path);
      __builtin_prefetch(&of.misses[number], 1);
      if (of.pipe_count != 0) __builtin_prefetch(&of.pipe[of.pipe_first], 1);
    } else if (client == Client::vector_store) {
      near(ops_[number]);
    }
  }
  for (const Mail& mail : inbox) {
    const auto [client, number, miss_number] = read_tag(mail.tag);
    if (mail.kind() != MailKind::answer || client != Client::vector_miss) continue;
    const Path& path = path_of(number);
    const LineMiss& miss = path.misses[miss_number];
    for (u32 i = 0; i < miss.lines; ++i) {
      if (miss.entries[i] != no_index) path.l1.prefetch_entry(miss.entries[i]);
    }
    if (miss.first_waiter != no_index) __builtin_prefetch(&waiters_[miss.first_waiter], 1);
    if (path.pipe_count == 0) continue;
    // What is stuck goes on by a line for each that comes.
    const PipeEntry& stuck = path.pipe[path.pipe_first];
    const LineAccess* const lines = stuck.lines.data() + stuck.done;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, stuck.lines.size() - stuck.done); i += 2)
      __builtin_prefetch(lines + i);
  }
  for (const Mail& mail : inbox) {
    const auto [client, number, miss_number] = read_tag(mail.tag);
    if (mail.kind() != MailKind::answer || client != Client::vector_miss) continue;
    const LineMiss& miss = path_of(number).misses[miss_number];
    near(ops_[miss.op & ~further_part]);
    const u32 waiter = miss.first_waiter;
    if (waiter != no_index) near(ops_[waiters_[waiter].payload & ~further_part]);
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
