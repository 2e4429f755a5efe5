// Scalar memory: a data cache that the cluster's units share; it answers out of order.
#include <algorithm>
#include <array>
#include <bit>

#include "time/core/cluster.h"
#include "time/units/same_address.h"

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
  const u32 bytes = std::max<u32>(1, accesses[0].bytes);
  const u32 transfer = (bytes + f_.scalar_bytes_per_cycle - 1) / f_.scalar_bytes_per_cycle;
  unit.scalar_free = now_ + transfer;
  counts_.scalar_bytes += bytes;
  memory.return_cycles = static_cast<u16>(transfer);

  u64 done = 0, earliest = from - f_.front_latency_cycles;
  const std::span<const u64> addresses = scalar_addresses(*wave.segment, accesses[0]);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    u64 start = earliest;
    if (f_.scalar_address_cycles != 0) {
      start = cache.port.take(now_, earliest, f_.scalar_address_cycles) - f_.scalar_address_cycles;
      earliest = start + f_.scalar_next_address_cycles;
      cache.port_free = std::max(cache.port_free, now_) + f_.scalar_address_cycles;
      cache.busy += f_.scalar_address_cycles;
    }
    const u64 last = (addresses[i] + bytes - 1) >> scalar_shift_;
    for (u64 line = addresses[i] >> scalar_shift_; line <= last; ++line) {
      if (f_.scalar_address_cycles == 0) {
        start = std::max(start, cache.port_free);
        cache.port_free = start + 1;
        ++cache.busy;
      }
      const bool all_there = memory.remaining == 1;
      const u64 ready = scalar_line(number, wave, line, start);
      if (ready != 0) {
        done = std::max(done, ready + transfer - 1);
      } else if (all_there) {
        // From the first that is not there on its addresses go by once more, when their lines are.
        const std::size_t again = (addresses.size() - 1 - i) * f_.scalar_next_address_cycles;
        memory.return_cycles = static_cast<u16>(transfer + again);
      }
    }
  }
  memory.last_ready = done;
  if (--memory.remaining == 0) done_at(done);
}

// The different addresses of its lanes, in their order.
std::span<const u64> Cluster::scalar_addresses(const Segment& segment, const SegmentAccess& access) {
  std::size_t count = 0;
  scalar_buffer_[count++] = access.base;
  const bool one = f_.scalar_address_cycles == 0 || std::popcount(access.lanes) <= 1 ||
                   (access.pattern == Pattern::strided && access.stride == 0);
  if (!one) {
    expand(segment, access, expanded_);
    std::array<SameAddress, 64> same;
    count = group_by_address(expanded_, same);
    for (std::size_t i = 0; i < count; ++i) scalar_buffer_[i] = expanded_.address[same[i].lane];
  }
  return std::span<const u64>(scalar_buffer_).first(count);
}

// Looks up a line for an operation: when its data is there; 0 where it waits for the line.
u64 Cluster::scalar_line(u32 number, Wave& wave, u64 line, u64 start) {
  NearCache& cache = scalar_cache_;
  ++counts_.scalar_requests;
  ++figures_of(wave).scalar_lines;
  const u32 found = cache.tags.find(line, line);
  if (found != CacheTags::none && cache.tags.miss(found) == CacheTags::arrived) {
    ++counts_.scalar_hits;
    ++figures_of(wave).served[0];
    return start + f_.scalar_latency();
  }
  u32 miss = found == CacheTags::none ? no_index : cache.tags.miss(found);
  ++(miss == no_index ? counts_.scalar_misses : counts_.scalar_merges);
  if (miss == no_index) {
    if (cache.free_misses.empty()) {
      // A load of many addresses that miss has them all on their way; the next one waits until few are.
      cache.free_misses.push_back(static_cast<u32>(cache.misses.size()));
      cache.misses.emplace_back();
    }
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
  ++ops_[number].remaining;
  cache.misses[miss].first_waiter = add_waiter(number, cache.misses[miss].first_waiter);
  return 0;
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
    if (--memory.remaining == 0)
      complete(op, std::max(now_ + f_.scalar_latency() + memory.return_cycles - 1, memory.last_ready));
  }
}

// Sends a near cache's request to the first shared level, by its own way: its latency is a figure of its own.
void Cluster::post_near(Mail mail, u64 leaves, const NearWay& way) {
  mail.detail = static_cast<u16>(way.back);
  outbox_->send(context_.map->slice(0, mail.address, group_), std::max(leaves, now_) + way.out, mail);
}

}  // namespace lockstep
