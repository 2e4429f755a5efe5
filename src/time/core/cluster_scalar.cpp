// Scalar memory: a data cache that the cluster's units share; it answers out of order.
#include <algorithm>

#include "time/core/cluster.h"

namespace lockstep {

void Cluster::issue_scalar(Unit& unit, Wave& wave, const TimedOp& op, u64 from) {
  NearCache& cache = scalar_cache_;
  const u32 number = new_op();
  MemoryOp& memory = ops_[number];
  raise_counters(wave, op, memory);
  wave.waits_for_scalar = true;
  memory.remaining = 1;
  const auto done_at = [&](u64 time) { complete(number, time); };
  if (op.flags & TimedOp::clock_read) return done_at(now_ + f_.clock_read_cycles);
  const std::span<const SegmentAccess> accesses = accesses_of(wave);
  if ((op.flags & TimedOp::cache_control) != 0 || accesses.empty() || accesses[0].lanes == 0) {
    if (op.flags & TimedOp::cache_control) cache.tags.invalidate_all();
    return done_at(from - f_.front_latency_cycles + f_.scalar_latency());
  }
  const u64 address = accesses[0].base;
  const u32 bytes = std::max<u32>(1, accesses[0].bytes);
  const u32 transfer = (bytes + f_.scalar_bytes_per_cycle - 1) / f_.scalar_bytes_per_cycle;
  unit.scalar_free = now_ + transfer;
  counts_.scalar_bytes += bytes;
  memory.return_cycles = static_cast<u16>(transfer);

  u64 done = 0;
  const u64 last = (address + bytes - 1) >> scalar_shift_;
  for (u64 line = address >> scalar_shift_; line <= last; ++line) {
    const u64 start = std::max(from - f_.front_latency_cycles, cache.port_free);
    cache.port_free = start + 1;
    ++cache.busy;
    ++counts_.scalar_requests;
    ++figures_of(wave).scalar_lines;
    const u32 found = cache.tags.find(line, line);
    if (found != CacheTags::none && cache.tags.miss(found) == CacheTags::arrived) {
      ++counts_.scalar_hits;
      ++figures_of(wave).served[0];
      done = std::max(done, start + f_.scalar_latency() + transfer - 1);
      continue;
    }
    u32 miss = found == CacheTags::none ? no_index : cache.tags.miss(found);
    ++(miss == no_index ? counts_.scalar_misses : counts_.scalar_merges);
    if (miss == no_index) {
      miss = cache.free_misses.back();
      cache.free_misses.pop_back();
      const u32 victim = cache.tags.victim(line);
      cache.misses[miss] = {victim, no_index};
      if (victim != CacheTags::none) cache.tags.place(victim, line, miss);
      Mail mail;
      mail.address = line << scalar_shift_;
      mail.what = Mail::what_of(MailKind::read, f_.scalar_cache.line_bytes);
      mail.tag = tag(Client::scalar, 0, miss);
      post_near(mail, start, cache.way);
    }
    ++memory.remaining;
    cache.misses[miss].first_waiter = add_waiter(number, cache.misses[miss].first_waiter);
  }
  if (--memory.remaining == 0) done_at(done);
}

void Cluster::scalar_returned(u32 number, u8 level) {
  NearCache& cache = scalar_cache_;
  Miss& miss = cache.misses[number];
  if (miss.entry != no_index) cache.tags.set_miss(miss.entry, CacheTags::arrived);
  u32 waiting = miss.first_waiter;
  miss.first_waiter = no_index;
  cache.free_misses.push_back(number);
  while (waiting != no_index) {
    const u32 op = take_waiter(waiting);
    MemoryOp& memory = ops_[op];
    ++memory.figures->served[level];
    if (--memory.remaining == 0) complete(op, now_ + f_.scalar_latency() + memory.return_cycles - 1);
  }
}

// Sends a near cache's request to the first shared level, by its own way: its latency is a figure of its own.
void Cluster::post_near(Mail mail, u64 leaves, const NearWay& way) {
  mail.detail = static_cast<u16>(way.back);
  outbox_->send(context_.map->slice(0, mail.address, group_), std::max(leaves, now_) + way.out, mail);
}

}  // namespace lockstep
