// Local memory and scalar memory.
//
// Local memory: neighbouring SIMDs share a port that takes their instructions in order and moves their data;
// the ports share the banks, which serve half a wave of 4-byte lanes a cycle. Conflicting lanes take further
// passes. Results come back in order, a fixed time after the last pass.
//
// Scalar memory: a data cache that neighbouring compute units share; it answers out of order.
#include <algorithm>
#include <bit>

#include "time/gcn5_device.h"
#include "time/units/local_memory.h"

namespace lockstep::gcn5 {

// Counts one operation in lgkmcnt until `done`; gives its entry.
u32 Device::add_lgkm(Wave& wave, u64 done, Stall why) {
  for (u32 used = wave.lgkm_used; used != 0; used &= used - 1) {
    const u32 entry = static_cast<u32>(std::countr_zero(used));
    if (wave.lgkm_done[entry] <= now()) wave.lgkm_used &= static_cast<u16>(~(1u << entry));
  }
  const u32 entry = static_cast<u32>(std::countr_one(wave.lgkm_used));
  LOCKSTEP_ASSERT(entry < 16, "lgkmcnt holds at most 15 operations");
  wave.lgkm_used |= static_cast<u16>(1u << entry);
  wave.lgkm_done[entry] = done;
  wave.lgkm_why[entry] = why;
  return entry;
}

// Runs the local accesses of an instruction through the banks; gives when its result is there.
u64 Device::local_access(ComputeUnit& unit, u32 simd, const Outcome& outcome, Cost cost) {
  BankPasses passes;
  u32 bytes = 0, lanes = 0;
  bool atomic = cost == Cost::lds_atomic;
  for (u32 i = 0; i < outcome.access_count; ++i) {
    const Access& access = outcome.access[i];
    if (access.space != Space::local) continue;
    const BankPasses one = bank_passes(access, 64, p_.local_lanes_per_pass, p_.local_banks);
    passes.groups += one.groups;
    passes.extra += one.extra;
    bytes += access.bytes;
    lanes = std::max(lanes, static_cast<u32>(std::popcount(access.lanes)));
    counts_.local_bytes += static_cast<u64>(access.bytes) * static_cast<u32>(std::popcount(access.lanes));
    atomic |= access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
  }
  const u32 width = bytes <= 4 ? 0 : bytes <= 8 ? 1 : 2;
  const bool store = cost == Cost::lds_store || cost == Cost::vmem_store;
  u32 cycles = atomic  ? p_.local_atomic[std::min<u32>(width, 1)]
               : store ? p_.local_write[width]
                       : p_.local_read[width];
  const u32 conflict = passes.extra * (atomic ? p_.local_atomic_conflict : 1);
  cycles += conflict;

  ComputeUnit::LocalPort& port = unit.local_ports[simd / p_.local_simds_per_port];
  const bool banks = cost != Cost::lds_permute;  // the crossbar works without them
  const u64 start = std::max({now(), port.free, banks ? unit.bank_free : 0});
  port.free = start + cycles;
  if (banks) {
    // What the banks still have to do: a port that waits for its own data does not hold them.
    unit.bank_free = std::max(unit.bank_free, now()) + passes.groups + conflict;
    unit.local_busy += passes.groups + conflict;
  }
  port.start[port.issued++ % port.start.size()] = start;
  counts_.local_conflict_cycles += conflict;
  figures_[outcome.pc].bank_conflict_cycles += conflict;
  return start + cycles + p_.local_latency - p_.local_read[0];
}

void Device::issue_local(ComputeUnit& unit, Wave& wave, const Outcome& outcome, const InstructionInfo& info) {
  add_lgkm(wave, local_access(unit, wave.simd, outcome, info.cost), Stall::local_memory);
}

void Device::issue_scalar(ComputeUnit& unit, Wave& wave, const Outcome& outcome,
                          const InstructionInfo& info) {
  const u32 number = wave.compute_unit / p_.scalar_units_sharing;
  SharedCache& cache = scalar_caches_[number];
  wave.base = now() + std::max(p_.smem_cycles, p_.turn_cycles);
  if (info.cost == Cost::smem_time) {
    add_lgkm(wave, now() + p_.memtime_cycles, Stall::scalar_memory);
    return;
  }
  if (info.cost == Cost::cache_control || outcome.access_count == 0) {
    if (info.cost == Cost::cache_control) cache.tags.invalidate_all();
    add_lgkm(wave, now() + p_.smem_hit_cycles, Stall::scalar_memory);
    return;
  }
  const Access& access = outcome.access[0];
  const u64 address = access.address[0];
  const u32 bytes = access.bytes;
  if (bytes > 32) {
    wave.base = now() + p_.smem_cycles_x16;
  } else if (bytes > 16) {
    wave.base = now() + p_.smem_cycles_x8;
  }
  const u32 transfer = (bytes + p_.scalar_bytes_per_cycle - 1) / p_.scalar_bytes_per_cycle;
  unit.smem_free = now() + transfer;
  counts_.scalar_bytes += bytes;

  const u32 entry = add_lgkm(wave, never, Stall::scalar_memory);
  u32 op = no_index;
  u64 done = 0;
  const u64 last = (address + bytes - 1) >> line_shift_;
  for (u64 line = address >> line_shift_; line <= last; ++line) {
    const u64 start = std::max(now(), cache.port_free);
    cache.port_free = start + 1;
    ++cache.busy;
    ++counts_.scalar_requests;
    const u32 found = cache.tags.find(line, line);
    if (found != CacheTags::none && cache.tags.miss(found) == CacheTags::arrived) {
      ++counts_.scalar_hits;
      done = std::max(done, start + p_.smem_hit_cycles + transfer - 1);
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
      const u32 r = new_request();
      Request& request = requests_[r];
      request.line = line;
      request.client = number;
      request.tag = miss;
      request.kind = RequestKind::scalar_read;
      send_to_l2(start + scalar_go_, r);
    }
    if (op == no_index) {
      if (free_scalar_ops_.empty()) {
        op = static_cast<u32>(scalar_ops_.size());
        scalar_ops_.emplace_back();
      } else {
        op = free_scalar_ops_.back();
        free_scalar_ops_.pop_back();
      }
      scalar_ops_[op] = {wave.handle, wave.generation, entry, 0, transfer};
    }
    ++scalar_ops_[op].remaining;
    u32 node = cache.free_waiter;
    if (node == no_index) {
      node = static_cast<u32>(cache.waiters.size());
      cache.waiters.emplace_back();
    } else {
      cache.free_waiter = cache.waiters[node].next;
    }
    cache.waiters[node] = {op, cache.misses[miss].first_waiter};
    cache.misses[miss].first_waiter = node;
  }
  if (op == no_index) wave.lgkm_done[entry] = done;
}

void Device::scalar_returned(u32 r) {
  const Request request = requests_[r];
  free_request(r);
  SharedCache& cache = scalar_caches_[request.client];
  Miss& miss = cache.misses[request.tag];
  if (miss.entry != no_index) cache.tags.set_miss(miss.entry, CacheTags::arrived);
  u32 node = miss.first_waiter;
  miss.first_waiter = no_index;
  cache.free_misses.push_back(request.tag);
  while (node != no_index) {
    const u32 number = cache.waiters[node].payload;
    const u32 next = cache.waiters[node].next;
    cache.waiters[node].next = cache.free_waiter;
    cache.free_waiter = node;
    node = next;
    ScalarOp& op = scalar_ops_[number];
    if (--op.remaining != 0) continue;
    free_scalar_ops_.push_back(number);
    Wave& wave = waves_[op.wave];
    if (!wave.resident || wave.generation != op.generation) continue;
    wave.lgkm_done[op.lgkm_entry] = now() + p_.smem_hit_cycles + op.transfer_cycles - 1;
    if (wave.blocked && !wave.at_barrier) evaluate(wave);
  }
}

}  // namespace lockstep::gcn5
