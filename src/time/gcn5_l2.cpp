// Second level and memory. Lines are spread over slices by address; each slice takes one request a cycle in
// the order of arrival and delivers a part of a line a cycle. It writes back; a store that misses takes a
// line without reading it, since the slice knows which bytes of a line are valid. Atomics are done here,
// those on one address after one another. What is dirty at the end of the launch stays: its way to memory is
// not charged.
#include <algorithm>
#include <bit>

#include "time/gcn5_device.h"

namespace lockstep::gcn5 {

u32 Device::new_request() {
  u32 r = free_request_;
  if (r == no_index) {
    r = static_cast<u32>(requests_.size());
    requests_.emplace_back();
  } else {
    free_request_ = requests_[r].next;
    requests_[r] = {};
  }
  return r;
}

void Device::free_request(u32 r) {
  requests_[r].next = free_request_;
  free_request_ = r;
}

// Consecutive blocks of interleave_bytes go round the slices and channels; higher address bits are mixed in,
// so that strides of a power of two reach more than one.
u64 Device::hash(u64 line) const {
  const u64 block = (line << line_shift_) / p_.l2_interleave_bytes;
  return block ^ block >> 5 ^ block >> 10 ^ block >> 15 ^ block >> 20;
}
u32 Device::slice_of(u64 line) const {
  return static_cast<u32>(hash(line) % p_.l2_slices);
}
u32 Device::channel_of(u64 line) const {
  return static_cast<u32>(hash(line) % p_.dram_channels);
}

u64 Device::set_of(u64 line) const {
  const u64 lines_per_block = p_.l2_interleave_bytes >> line_shift_;
  const u64 block = line / lines_per_block;
  return block / p_.l2_slices * lines_per_block + line % lines_per_block;
}

u64 Device::channel_address(u64 line) const {
  const u64 address = line << line_shift_;
  const u64 block = address / p_.l2_interleave_bytes;
  return block / p_.dram_channels * p_.l2_interleave_bytes + address % p_.l2_interleave_bytes;
}

void Device::send_to_l2(u64 time, u32 r) {
  queue_.send(time, slice_of(requests_[r].line), static_cast<u8>(MessageKind::l2_request), r);
}

void Device::l2_arrive(u32 s, u32 r) {
  Slice& slice = slices_[s];
  const Request& request = requests_[r];
  const bool vector = request.kind <= RequestKind::vector_atomic;
  if (slice.waiting.empty() && l2_process(s, r)) {
    // More than the queue holds is on its way through the slice: the sender pauses until there is room.
    const u64 room = now() + u64{p_.l2_queue} * slice_cycles_;
    if (vector && slice.free > room) {
      ComputeUnit& unit = units_[requests_[r].client];
      unit.pipe_time = std::max(unit.pipe_time, now() + (slice.free - room));
    }
    return;
  }
  slice.waiting.push_back(r);
  slice.most_waiting = std::max<u64>(slice.most_waiting, slice.waiting.size());
  ++counts_.l2_blocked;
  if (vector && slice.waiting.size() > p_.l2_queue) {
    requests_[r].blocks_client = true;
    ++units_[request.client].send_blocked;
  }
}

void Device::l2_retry(u32 s) {
  Slice& slice = slices_[s];
  while (!slice.waiting.empty()) {
    const u32 r = slice.waiting.front();
    // The request may be answered and reused from here on.
    const bool blocks = requests_[r].blocks_client;
    const u32 client = requests_[r].client;
    if (!l2_process(s, r)) return;
    slice.waiting.pop_front();
    if (blocks && --units_[client].send_blocked == 0) pump(client);
  }
}

// Starts the way of a dirty line to memory. False when the channel has no room for it.
bool Device::write_back(u32 s, u32 entry) {
  Slice& slice = slices_[s];
  const u64 line = slice.tags.line(entry);
  const u32 c = channel_of(line);
  DramChannel& channel = channels_[c];
  if (channel.waiting_writes() >= 2 * std::size_t{p_.dram.queue}) {
    if (!blocked_by_writes_[s]) {
      blocked_by_writes_[s] = 1;
      ++slices_blocked_by_writes_;
    }
    return false;
  }
  ++counts_.l2_write_backs;
  const u64 arrival = dram_clock_.to_other(now() + memory_go_);
  channel.push(arrival, channel_address(line), true, 0);
  queue_.wake(channel_component(c), now() + memory_go_);
  return true;
}

void Device::read_memory(u32 s, u64 line, u32 miss) {
  const u32 c = channel_of(line);
  channels_[c].push(dram_clock_.to_other(now() + memory_go_), channel_address(line), false, s << 16 | miss);
  queue_.wake(channel_component(c), now() + memory_go_);
}

// Looks a request up. False when it has to wait: no miss or line is free.
bool Device::l2_process(u32 s, u32 r) {
  Slice& slice = slices_[s];
  Request& request = requests_[r];
  const bool write = request.kind == RequestKind::vector_write;
  const u64 start = std::max(now(), slice.free);
  const u64 index = set_of(request.line);
  u32 entry = slice.tags.find(request.line, index);
  const bool present = entry != CacheTags::none;
  if (!present) {
    if (!write && slice.free_misses.empty()) return false;
    entry = slice.tags.victim(index);
    if (entry == CacheTags::none) return false;
    if (slice.tags.line(entry) != CacheTags::invalid && slice.dirty[entry] && !write_back(s, entry))
      return false;
    slice.tags.place(entry, request.line, CacheTags::arrived);
    slice.valid[entry] = 0;
    slice.dirty[entry] = 0;
  } else if (!write && slice.tags.miss(entry) == CacheTags::arrived && slice.valid[entry] != full_line_ &&
             slice.free_misses.empty()) {
    return false;
  }
  const u32 busy = write ? 1 : slice_cycles_;
  slice.free = start + busy;
  slice.busy += busy;
  if (write) {
    ++counts_.l2_writes;
    counts_.l2_write_bytes += static_cast<u32>(std::popcount(request.bytes));
    ++(present ? counts_.l2_hits : counts_.l2_misses);
    slice.valid[entry] |= request.bytes;
    slice.dirty[entry] = 1;
    l2_answer(slice, r, start + busy);
    return true;
  }
  ++(request.kind == RequestKind::vector_atomic ? counts_.l2_atomics : counts_.l2_reads);
  if (request.kind == RequestKind::vector_atomic) slice.dirty[entry] = 1;
  u32 miss = slice.tags.miss(entry);
  if (miss == CacheTags::arrived) {
    if (slice.valid[entry] == full_line_) {
      ++counts_.l2_hits;
      l2_answer(slice, r, start + busy);
      return true;
    }
    ++counts_.l2_misses;
    miss = slice.free_misses.back();
    slice.free_misses.pop_back();
    slice.misses[miss] = {entry, no_index, no_index};
    slice.tags.set_miss(entry, miss);
    read_memory(s, request.line, miss);
  } else {
    ++counts_.l2_merges;
  }
  L2Miss& waiting = slice.misses[miss];
  request.next = no_index;
  if (waiting.last == no_index) {
    waiting.first = r;
  } else {
    requests_[waiting.last].next = r;
  }
  waiting.last = r;
  return true;
}

// The line is there, or the store is taken in: the answer leaves at `time`, later for atomics in turn.
void Device::l2_answer(Slice& slice, u32 r, u64 time) {
  const Request& request = requests_[r];
  MessageKind kind = MessageKind::vector_return;
  u32 back = l2_back_;
  u32 component = simd_component(request.client * p_.simds);
  switch (request.kind) {
    case RequestKind::vector_read:
      counts_.l2_read_bytes += 1u << line_shift_;
      break;
    case RequestKind::vector_write:
      break;
    case RequestKind::vector_atomic: {
      // Different words of the line side by side, as many as the unit has lanes; one address in turn.
      const u64 throughput = (request.lanes + p_.l2_atomic_lanes - 1) / p_.l2_atomic_lanes;
      Slice::AtomicWord& word = slice.atomics[(request.hot_address >> 2) % slice.atomics.size()];
      u64 start = time;
      if (word.address == request.hot_address && word.free > start) {
        counts_.atomic_wait_cycles += word.free - start;
        start = word.free;
      }
      const u64 turn = std::max<u64>(throughput, u64{request.most_same} * p_.l2_atomic_cycles);
      word = {request.hot_address, start + turn};
      slice.free = std::max(slice.free, time + throughput - 1);
      time = start + turn - 1;
      break;
    }
    case RequestKind::scalar_read:
      kind = MessageKind::scalar_return;
      back = scalar_back_;
      component = simd_component(request.client * p_.scalar_units_sharing * p_.simds);
      counts_.l2_read_bytes += 1u << line_shift_;
      break;
    case RequestKind::instruction_read:
      kind = MessageKind::instruction_return;
      back = instruction_back_;
      component = simd_component(request.client * p_.instruction_units_sharing * p_.simds);
      counts_.l2_read_bytes += 1u << line_shift_;
      break;
  }
  queue_.send(time + back, component, static_cast<u8>(kind), r);
}

// A line has come from memory.
void Device::l2_fill(u32 s, u32 m) {
  Slice& slice = slices_[s];
  L2Miss& miss = slice.misses[m];
  slice.valid[miss.entry] = full_line_;
  slice.tags.set_miss(miss.entry, CacheTags::arrived);
  u32 r = miss.first;
  miss.first = miss.last = no_index;
  slice.free_misses.push_back(m);
  while (r != no_index) {
    const u32 next = requests_[r].next;
    const u64 start = std::max(now(), slice.free);
    slice.free = start + slice_cycles_;
    slice.busy += slice_cycles_;
    l2_answer(slice, r, start + slice_cycles_);
    r = next;
  }
  l2_retry(s);
}

void Device::run_channel(u32 c) {
  DramChannel& channel = channels_[c];
  const u64 clock = dram_clock_.to_other(now());
  bool wrote = false;
  for (u64 next = channel.next_time(); next != never && next <= clock;) {
    const DramChannel::Served served = channel.serve(clock);
    if (served.any && !served.write) {
      queue_.send(dram_clock_.to_core(served.done) + memory_back_, served.tag >> 16,
                  static_cast<u8>(MessageKind::l2_fill), served.tag & 0xFFFF);
    }
    wrote |= served.any && served.write;
    next = channel.next_time();
  }
  const u64 next = channel.next_time();
  if (next != never) {
    const u64 wake = std::max(dram_clock_.to_core(next), now() + 1);
    if (wake < channel_wake_[c] || channel_wake_[c] <= now()) {
      channel_wake_[c] = wake;
      queue_.wake(channel_component(c), wake);
    }
  }
  if (wrote && slices_blocked_by_writes_ > 0) {
    for (u32 s = 0; s < p_.l2_slices; ++s) {
      if (!blocked_by_writes_[s]) continue;
      blocked_by_writes_[s] = 0;
      --slices_blocked_by_writes_;
      l2_retry(s);
    }
  }
}

}  // namespace lockstep::gcn5
