// Instruction fetch: each wave has a buffer of a few fetch blocks, which it refills as it goes. The SIMDs of
// a port start one fetch after the other, in the order in which waves ask; the cluster's instruction cache
// fills from the shared levels, with lines ahead where the hardware does. A taken branch empties the buffer.
#include <algorithm>

#include "time/core/cluster.h"

namespace lockstep {

// Restarts at the wave's pc; fetches begin at `from`.
void Cluster::flush_buffer(Wave& wave, u64 from) {
  wave.first_block = context_.hints[wave.pc].block;
  wave.blocks = 0;
  fetch_more(wave, from);
}

void Cluster::fetch_more(Wave& wave, u64 from) {
  while (wave.blocks < f_.fetch_buffer_blocks) {
    const u64 block = wave.first_block + wave.blocks;
    ++wave.blocks;
    wave.arrival[block % wave.arrival.size()] = fetch_block(wave, block, from);
  }
}

// The same where each SIMD has an instruction cache of its own: it has a port of its own, too, as fast as it
// issues, so that only its misses cost. A miss brings the lines ahead along, one after the other.
u64 Cluster::fetch_near(Wave& wave, u64 block, u64 from) {
  Simd& simd = simd_of(wave);
  ++counts_.fetches;
  const u64 line = code_line(block);
  NearLine& latest = simd.near_latest_of(line);
  if (latest.line != line) {
    const u32 found = simd.near_code.find(line, line);
    if (found != CacheTags::none) latest = {line, simd.near_code_ready[found]};
  }
  if (latest.line == line) {
    ++counts_.fetch_hits;
    return std::max(from + f_.near_instruction_hit_cycles, latest.ready);
  }
  const u64 time = look_up_instructions(wave, block, from);
  if (time != never) keep_near(units_[wave.unit], simd, line, time);
  return time;
}

// When a line of code gets to a SIMD, asked for so that it would be there at `time`. What others of the unit
// have asked for, and what they have not got yet, is sent to all of them.
u64 Cluster::send_code(Unit& unit, u64 line, u64 time) {
  if (f_.unit_instruction_line_cycles == 0) return time;
  CodeWay& way = unit.code;
  for (const NearLine& sent : way.latest) {
    if (sent.line == line && time <= sent.ready + f_.instruction_hit_cycles)
      return std::max(time, sent.ready);
  }
  time = std::max(time, way.free);
  way.free = time + f_.unit_instruction_line_cycles;
  way.latest[way.next] = {line, time};
  way.next = (way.next + 1) % static_cast<u32>(way.latest.size());
  return time;
}

// A line has come from the cluster's cache; those behind it follow, as far as that has them.
void Cluster::keep_near(Unit& unit, Simd& simd, u64 line, u64 time) {
  NearCache& cache = instruction_cache_;
  const u64 asked = time;
  for (u32 ahead = 0; ahead <= f_.near_instruction_prefetch_lines; ++ahead) {
    if (ahead != 0) {
      const u32 there = cache.tags.find(line + ahead, line + ahead);
      if (there == CacheTags::none || cache.tags.miss(there) != CacheTags::arrived) return;
    }
    NearLine& latest = simd.near_latest_of(line + ahead);
    if (ahead != 0) {
      const u32 here = simd.near_code.find(line + ahead, line + ahead);
      if (here != CacheTags::none) {
        latest = {line + ahead, simd.near_code_ready[here]};
        return;
      }
    }
    const u32 entry = simd.near_code.victim(line + ahead);
    simd.near_code.place(entry, line + ahead, CacheTags::arrived);
    time = std::max(send_code(unit, line + ahead, asked), simd.near_code_free);
    simd.near_code_free = time + f_.near_instruction_line_cycles;
    simd.near_code_ready[entry] = time;
    latest = {line + ahead, time};
  }
}

// What is left of earlier launches is as old as time; the launch itself brings the beginning of its code.
void Cluster::begin_code() {
  for (Simd& simd : simds_) {
    std::fill(simd.near_code_ready.begin(), simd.near_code_ready.end(), 0);
    simd.near_latest = {};
  }
  if (f_.launch_code_bytes == 0 || context_.program->ops.empty()) return;
  const u64 begin = context_.program->ops.front().address;
  const u64 end = std::min(begin + f_.launch_code_bytes, context_.program->ops.back().address + 1);
  for (u64 line = begin >> code_shift_; line <= (end - 1) >> code_shift_; ++line)
    hold_line(code_place_ + line);
}

// The cluster's cache has the line from now on.
void Cluster::hold_line(u64 line) {
  forget_latest_code();
  CacheTags& tags = instruction_cache_.tags;
  if (tags.find(line, line) == CacheTags::none) tags.place(tags.victim(line), line, CacheTags::arrived);
}

// Puts all code, and the line behind each that buffers fetch ahead, into the instruction caches.
void Cluster::hold_code() {
  u64 last = never;
  for (const TimedOp& op : context_.program->ops) {
    const u64 line = code_place_ + (op.address >> code_shift_);
    if (line == last) continue;
    last = line;
    for (const u64 one : {line, line + 1}) {
      hold_line(one);
      if (f_.near_instruction_cache.size_bytes == 0) continue;
      for (Simd& simd : simds_) {
        if (simd.near_code.find(one, one) != CacheTags::none) continue;
        const u32 entry = simd.near_code.victim(one);
        simd.near_code.place(entry, one, CacheTags::arrived);
        simd.near_code_ready[entry] = 0;
      }
    }
  }
}

u64 Cluster::fetch_block(Wave& wave, u64 block, u64 from) {
  if (f_.near_instruction_cache.size_bytes != 0) return fetch_near(wave, block, from);
  Simd& port = simds_[wave.unit * f_.simds + wave.simd / f_.simds_per_fetch * f_.simds_per_fetch];
  const u64 start = std::max(from, port.fetch_free);
  port.fetch_free = std::max(now_, port.fetch_free) + f_.cycles_per_fetch;
  ++counts_.fetches;
  const u64 line = code_line(block);
  if (code_latest_of(line) == line) {
    ++counts_.fetch_hits;
    return start + f_.instruction_hit_cycles;
  }
  return look_up_instructions(wave, block, start);
}

// Asks for a line of code; its miss, or none where no miss is free.
u32 Cluster::request_code(u64 line, u64 start) {
  NearCache& cache = instruction_cache_;
  const u32 victim = cache.tags.victim(line);
  if (cache.free_misses.empty() || victim == CacheTags::none) return no_index;
  const u32 miss = cache.free_misses.back();
  cache.free_misses.pop_back();
  cache.misses[miss] = {victim, no_index};
  cache.tags.place(victim, line, miss);
  Mail mail;
  mail.address = (line - code_place_) << code_shift_;
  mail.what = Mail::what_of(MailKind::read, f_.instruction_cache.line_bytes);
  mail.tag = tag(Client::instruction, 0, miss);
  post_near(mail, start, cache.way);
  return miss;
}

u64 Cluster::look_up_instructions(Wave& wave, u64 block, u64 start) {
  NearCache& cache = instruction_cache_;
  const u64 line = code_line(block);
  const u32 found = cache.tags.find(line, line);
  if (found != CacheTags::none && cache.tags.miss(found) == CacheTags::arrived) {
    code_latest_of(line) = line;
    ++counts_.fetch_hits;
    return start + f_.instruction_hit_cycles;
  }
  forget_latest_code();
  u32 miss = found == CacheTags::none ? no_index : cache.tags.miss(found);
  if (miss == no_index) {
    miss = request_code(line, start);
    if (miss == no_index) {
      cache.deferred.push_back({wave.handle, wave.generation, block});
      return never;
    }
    ++counts_.fetch_misses;
    for (u32 ahead = 1; ahead <= f_.instruction_prefetch_lines; ++ahead) {
      if (cache.tags.find(line + ahead, line + ahead) == CacheTags::none) request_code(line + ahead, start);
    }
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
  cache.misses[miss].first_waiter = add_waiter(wait, cache.misses[miss].first_waiter);
  return never;
}

void Cluster::instructions_returned(u32 number) {
  NearCache& cache = instruction_cache_;
  Miss& miss = cache.misses[number];
  cache.tags.set_miss(miss.entry, CacheTags::arrived);
  u32 waiting = miss.first_waiter;
  miss.first_waiter = no_index;
  cache.free_misses.push_back(number);
  const auto deliver = [this](u32 handle, u32 generation, u64 block, u64 time) {
    Wave& wave = waves_[handle];
    if (!wave.resident || wave.generation != generation) return;
    if (block - wave.first_block >= wave.blocks) return;  // a branch left it behind
    if (f_.near_instruction_cache.size_bytes != 0)
      keep_near(units_[wave.unit], simd_of(wave), code_line(block), time);
    wave.arrival[block % wave.arrival.size()] = time;
    if (wave.blocked && !wave.at_barrier && !wave.without_segment) evaluate(wave);
  };
  while (waiting != no_index) {
    const u32 index = take_waiter(waiting);
    const FetchWait wait = fetch_waits_[index];
    free_fetch_waits_.push_back(index);
    deliver(wait.wave, wait.generation, wait.block, now_ + f_.instruction_hit_cycles);
  }
  std::size_t retries = cache.deferred.size();
  while (retries-- > 0 && !cache.free_misses.empty()) {
    const NearCache::Deferred deferred = cache.deferred.front();
    cache.deferred.pop_front();
    Wave& wave = waves_[deferred.wave];
    if (!wave.resident || wave.generation != deferred.generation) continue;
    if (deferred.block - wave.first_block >= wave.blocks) continue;
    const u64 time = look_up_instructions(wave, deferred.block, now_);
    if (time != never) deliver(deferred.wave, deferred.generation, deferred.block, time);
  }
}

}  // namespace lockstep
