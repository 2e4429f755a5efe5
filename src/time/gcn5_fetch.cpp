// Instruction fetch: each wave has a buffer of a few fetch blocks, which it refills as it goes. A compute
// unit starts one fetch after the other, in the order in which waves ask; the instruction cache is shared by
// neighbouring compute units and fills from the second level. A taken branch empties the buffer.
#include <algorithm>

#include "time/gcn5_device.h"

namespace lockstep::gcn5 {

// Restarts at the wave's pc; fetches begin at `from`.
void Device::flush_buffer(Wave& wave, u64 from) {
  wave.first_block = info_[wave.pc].address / p_.bytes_per_fetch;
  wave.blocks = 0;
  fetch_more(wave, from);
}

void Device::fetch_more(Wave& wave, u64 from) {
  while (wave.blocks < buffer_blocks_) {
    const u64 block = wave.first_block + wave.blocks;
    ++wave.blocks;
    wave.arrival[block % wave.arrival.size()] = fetch_block(wave, block, from);
  }
}

u64 Device::fetch_block(Wave& wave, u64 block, u64 from) {
  ComputeUnit& unit = units_[wave.compute_unit];
  const u64 start = std::max(from, unit.fetch_free);
  unit.fetch_free = std::max(now(), unit.fetch_free) + p_.cycles_per_fetch;
  const u32 number = wave.compute_unit / p_.instruction_units_sharing;
  ++counts_.fetches;
  return look_up_instructions(instruction_caches_[number], number, wave, block, start);
}

u64 Device::look_up_instructions(SharedCache& cache, u32 number, Wave& wave, u64 block, u64 start) {
  const u64 line = block * p_.bytes_per_fetch >> line_shift_;
  const u32 found = cache.tags.find(line, line);
  if (found != CacheTags::none && cache.tags.miss(found) == CacheTags::arrived) {
    ++counts_.fetch_hits;
    return start + p_.instruction_hit_cycles;
  }
  u32 miss = found == CacheTags::none ? no_index : cache.tags.miss(found);
  if (miss == no_index) {
    const u32 victim = cache.tags.victim(line);
    if (cache.free_misses.empty() || victim == CacheTags::none) {
      cache.deferred.push_back({wave.handle, wave.generation, block});
      return never;
    }
    ++counts_.fetch_misses;
    miss = cache.free_misses.back();
    cache.free_misses.pop_back();
    cache.misses[miss] = {victim, no_index};
    cache.tags.place(victim, line, miss);
    const u32 r = new_request();
    Request& request = requests_[r];
    request.line = line;
    request.client = number;
    request.tag = miss;
    request.kind = RequestKind::instruction_read;
    send_to_l2(start + instruction_go_, r);
  } else {
    ++counts_.fetch_hits;
  }
  u32 wait = 0;
  if (free_fetch_waits_.empty()) {
    wait = static_cast<u32>(fetch_waits_.size());
    fetch_waits_.emplace_back();
  } else {
    wait = free_fetch_waits_.back();
    free_fetch_waits_.pop_back();
  }
  fetch_waits_[wait] = {wave.handle, wave.generation, block};
  u32 node = cache.free_waiter;
  if (node == no_index) {
    node = static_cast<u32>(cache.waiters.size());
    cache.waiters.emplace_back();
  } else {
    cache.free_waiter = cache.waiters[node].next;
  }
  cache.waiters[node] = {wait, cache.misses[miss].first_waiter};
  cache.misses[miss].first_waiter = node;
  return never;
}

void Device::instructions_returned(u32 r) {
  const Request request = requests_[r];
  free_request(r);
  SharedCache& cache = instruction_caches_[request.client];
  Miss& miss = cache.misses[request.tag];
  cache.tags.set_miss(miss.entry, CacheTags::arrived);
  u32 node = miss.first_waiter;
  miss.first_waiter = no_index;
  cache.free_misses.push_back(request.tag);
  const auto deliver = [this](u32 handle, u32 generation, u64 block, u64 time) {
    Wave& wave = waves_[handle];
    if (!wave.resident || wave.generation != generation) return;
    if (block - wave.first_block >= wave.blocks) return;  // a branch left it behind
    wave.arrival[block % wave.arrival.size()] = time;
    if (wave.blocked && !wave.at_barrier) evaluate(wave);
  };
  while (node != no_index) {
    const FetchWait wait = fetch_waits_[cache.waiters[node].payload];
    free_fetch_waits_.push_back(cache.waiters[node].payload);
    const u32 next = cache.waiters[node].next;
    cache.waiters[node].next = cache.free_waiter;
    cache.free_waiter = node;
    deliver(wait.wave, wait.generation, wait.block, now() + p_.instruction_hit_cycles);
    node = next;
  }
  std::size_t retries = cache.deferred.size();
  while (retries-- > 0 && !cache.free_misses.empty()) {
    const SharedCache::Deferred deferred = cache.deferred.front();
    cache.deferred.pop_front();
    Wave& wave = waves_[deferred.wave];
    if (!wave.resident || wave.generation != deferred.generation) continue;
    if (deferred.block - wave.first_block >= wave.blocks) continue;
    const u64 time = look_up_instructions(cache, request.client, wave, deferred.block, now());
    if (time != never) deliver(deferred.wave, deferred.generation, deferred.block, time);
  }
}

// When the whole instruction is in the buffer.
u64 Device::buffered_at(const Wave& wave, const InstructionInfo& info) const {
  const u64 first = info.address / p_.bytes_per_fetch;
  const u64 last = (info.address + info.size - 1) / p_.bytes_per_fetch;
  u64 time = wave.arrival[first % wave.arrival.size()];
  if (last != first) time = std::max(time, wave.arrival[last % wave.arrival.size()]);
  return time;
}

}  // namespace lockstep::gcn5
