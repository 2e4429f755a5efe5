// Vector memory of a compute unit: a queue of instructions, an address unit that turns a quarter wave a cycle
// into cache lines and looks one line up a cycle, the first-level cache, and the path back to the registers.
//
// The cache is write-through. A store that misses takes no line (a line of which only some bytes were written
// could not serve loads), one that hits keeps it. Loads and atomics with a result come back in the order of
// issue. Loads that the device's cache must serve and all atomics pass the cache by and drop the line.
//
// The address unit works ahead: what happens to a line in its cycle is decided when the instruction is
// issued, as far as that can be known. Only a missing free miss, or a second level that takes nothing in,
// stops it, and then it goes on when that ends. Freed misses can only help, so this is exact.
#include <algorithm>
#include <bit>

#include "isa/amd/format.h"
#include "time/gcn5_device.h"

namespace lockstep::gcn5 {

u32 Device::new_op(ComputeUnit& unit) {
  u32 op = unit.free_op;
  if (op == no_index) {
    op = static_cast<u32>(unit.ops.size());
    unit.ops.emplace_back();
  } else {
    unit.free_op = unit.ops[op].next;
    unit.ops[op] = {};
  }
  return op;
}

void Device::issue_vector(ComputeUnit& unit, Wave& wave, const Outcome& outcome,
                          const InstructionInfo& info) {
  const Instruction& instruction = launch_.code[wave.pc];
  const u32 number = wave.compute_unit;
  const u32 o = new_op(unit);
  VectorOp& op = unit.ops[o];
  op.wave = wave.handle;
  op.generation = wave.generation;
  op.number = wave.vm_issued++;
  op.remaining = 1;
  wave.vm_done[op.number % wave.vm_done.size()] = never;
  if (info.flat) op.lgkm_entry = add_lgkm(wave, never, Stall::vector_memory);

  PipeEntry& entry = scratch_;
  entry.op = o;
  entry.kind = AccessKind::load;
  entry.bypass = false;
  entry.done = 0;
  entry.lines.clear();
  entry.not_before = 0;
  entry.data_cycles = 0;
  entry.idle_after = info.cost == Cost::cache_control ? 0 : quarters_;
  if (info.cost == Cost::cache_control) {
    unit.l1.invalidate_all();
  } else if (info.cost == Cost::vmem_store) {
    entry.kind = AccessKind::store;
  } else if (info.cost == Cost::vmem_atomic) {
    entry.kind = (instruction.flags & Instruction::returns) ? AccessKind::atomic_return : AccessKind::atomic;
  }
  u32 lane_bytes = 4;
  for (u32 i = 0; i < outcome.access_count; ++i) {
    const Access& access = outcome.access[i];
    if (access.space == Space::local) {
      // A flat access whose addresses lie in local memory.
      const u64 done = local_access(unit, wave.simd, outcome, info.cost);
      op.first_ready = std::min(op.first_ready, done);
      op.last_ready = std::max(op.last_ready, done);
      continue;
    }
    entry.kind = access.kind;
    lane_bytes = std::max<u32>(lane_bytes, access.bytes);
    const Coalesced coalesced = coalesce(access, 64, p_.lanes_per_address_cycle, 1u << line_shift_,
                                         p_.gather_window_bytes, line_buffer_);
    entry.lines.insert(entry.lines.end(), line_buffer_.begin(), line_buffer_.begin() + coalesced.lines);
    entry.idle_after = coalesced.idle_after;
    const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
    const u64 ideal = std::min<u64>(
        coalesced.lines, (static_cast<u64>(lanes) * access.bytes + (1u << line_shift_) - 1) >> line_shift_);
    counts_.vector_lines += coalesced.lines;
    counts_.vector_ideal_lines += ideal;
    figures_[wave.pc].transactions += coalesced.lines;
    figures_[wave.pc].ideal_transactions += ideal;
    (access.kind == AccessKind::load ? counts_.l1_bytes : counts_.write_bytes) +=
        static_cast<u64>(lanes) * access.bytes;
  }
  entry.bypass = entry.kind == AccessKind::load && instruction.policy.cached >= Scope::device;
  op.returns = entry.kind == AccessKind::load || entry.kind == AccessKind::atomic_return;
  op.return_cycles =
      static_cast<u16>(std::max<u32>(1, 64 * ((lane_bytes + 3) / 4 * 4) / p_.return_bytes_per_cycle));
  if (info.cost == Cost::cache_control) op.return_cycles = 1;
  if (!op.returns) {
    // Data leaves the registers at its own rate.
    entry.data_cycles = 64 * lane_bytes / p_.store_bytes_per_cycle;
  } else {
    if (unit.return_last == no_index) {
      unit.return_first = o;
    } else {
      unit.ops[unit.return_last].next = o;
    }
    unit.return_last = o;
  }
  ++unit.vmem_issued;
  counts_.most_vector_queue = std::max(counts_.most_vector_queue, unit.vmem_issued - unit.vmem_finished);

  // Straight through when nothing is stuck in front of it.
  if (unit.pipe_count == 0 && send_lines(unit, number, entry)) return;
  LOCKSTEP_ASSERT(unit.pipe_count < unit.pipe.size(), "the queue has room for what is issued");
  unit.pipe[(unit.pipe_first + unit.pipe_count++) % unit.pipe.size()] = entry;
}

// Goes on with what is stuck.
void Device::pump(u32 number) {
  ComputeUnit& unit = units_[number];
  while (unit.pipe_count > 0 && send_lines(unit, number, unit.pipe[unit.pipe_first])) {
    unit.pipe_first = (unit.pipe_first + 1) % static_cast<u32>(unit.pipe.size());
    --unit.pipe_count;
  }
}

// False when it got stuck before the last line.
bool Device::send_lines(ComputeUnit& unit, u32 number, PipeEntry& entry) {
  if (entry.not_before == 0) entry.not_before = std::max(unit.pipe_time, now()) + entry.data_cycles;
  u64 busy = 0;
  while (entry.done < entry.lines.size()) {
    LineAccess& line = entry.lines[entry.done];
    unit.pipe_time = std::max(unit.pipe_time, now()) + line.idle_before;
    line.idle_before = 0;
    if (unit.send_blocked > 0 || !send_line(unit, number, entry, line)) {
      unit.address_busy += busy;
      return false;
    }
    unit.pipe_time += line.cycles;
    busy += line.cycles;
    ++entry.done;
  }
  unit.pipe_time = std::max(unit.pipe_time, now()) + entry.idle_after;
  unit.pipe_time = std::max(unit.pipe_time, entry.not_before);
  unit.address_busy += busy + entry.idle_after;

  VectorOp& op = unit.ops[entry.op];
  if (entry.lines.empty()) {
    const u64 ready = unit.pipe_time - 1 + l1_data_cycles_;
    op.first_ready = std::min(op.first_ready, ready);
    op.last_ready = std::max(op.last_ready, ready);
  }
  unit.vmem_finish[unit.vmem_finished++ % p_.vmem_queue] = unit.pipe_time;
  if (unit.queue_waiters) {
    unit.queue_waiters = false;
    for (u32 s = 0; s < p_.simds; ++s) schedule(number * p_.simds + s, std::max(unit.pipe_time, now() + 1));
  }
  if (--op.remaining == 0) {
    if (op.returns) {
      return_in_order(unit);
    } else {
      complete(unit, entry.op, std::max(op.last_ready, now() + 1));
    }
  }
  return true;
}

// One line, in the cycle unit.pipe_time. False when it cannot go yet.
bool Device::send_line(ComputeUnit& unit, u32 number, const PipeEntry& entry, const LineAccess& line) {
  VectorOp& op = unit.ops[entry.op];
  const u64 time = unit.pipe_time;
  if (entry.kind != AccessKind::load) {
    const u32 found = unit.l1.find(line.line, line.line);
    const bool atomic = entry.kind != AccessKind::store;
    if (atomic && found != CacheTags::none) unit.l1.invalidate(found);
    ++op.remaining;
    ++(atomic ? counts_.atomic_requests : counts_.write_requests);
    send_request(unit, number, atomic ? RequestKind::vector_atomic : RequestKind::vector_write, line,
                 entry.op, static_cast<u32>(std::popcount(line.bytes)));
    return true;
  }
  u32 found = unit.l1.find(line.line, line.line);
  if (entry.bypass && found != CacheTags::none) {
    unit.l1.invalidate(found);
    found = CacheTags::none;
  }
  u32 miss = no_index;
  if (found != CacheTags::none) {
    miss = unit.l1.miss(found);
    if (miss == CacheTags::arrived) {
      ++counts_.l1_hits;
      // Tags are taken when a miss is sent, data count from their arrival.
      const u64 ready = time + l1_data_cycles_;
      op.first_ready = std::min(op.first_ready, ready);
      op.last_ready = std::max(op.last_ready, ready);
      return true;
    }
    ++counts_.l1_merges;
  } else {
    if (unit.free_misses.empty()) return false;
    ++counts_.l1_misses;
    miss = unit.free_misses.back();
    unit.free_misses.pop_back();
    // When lines are on their way to all entries of the set, the line is not kept.
    const u32 victim = entry.bypass ? CacheTags::none : unit.l1.victim(line.line);
    unit.misses[miss] = {victim, no_index};
    if (victim != CacheTags::none) unit.l1.place(victim, line.line, miss);
    send_request(unit, number, RequestKind::vector_read, line, miss, 0);
  }
  u32 node = unit.free_waiter;
  if (node == no_index) {
    node = static_cast<u32>(unit.waiters.size());
    unit.waiters.emplace_back();
  } else {
    unit.free_waiter = unit.waiters[node].next;
  }
  unit.waiters[node] = {entry.op, unit.misses[miss].first_waiter};
  unit.misses[miss].first_waiter = node;
  ++op.remaining;
  return true;
}

// Hands a request to the second level; `bytes` of data go with it.
void Device::send_request(ComputeUnit& unit, u32 number, RequestKind kind, const LineAccess& line, u32 tag,
                          u32 bytes) {
  const u64 slot = std::max(unit.pipe_time, unit.request_free);
  unit.request_free = slot + std::max<u32>(1, (bytes + p_.l2_request_bytes - 1) / p_.l2_request_bytes);
  const u64 leaves = std::max(slot, translate(unit, line.line << line_shift_, unit.pipe_time));
  const u32 r = new_request();
  Request& request = requests_[r];
  request.line = line.line;
  request.bytes = line.bytes;
  request.hot_address = line.hot_address;
  request.client = number;
  request.tag = tag;
  request.kind = kind;
  request.lanes = line.lanes;
  request.most_same = line.most_same;
  send_to_l2(std::max(leaves + l2_go_, now() + 1), r);
}

// When the address is translated. The caches are addressed virtually: only what leaves them asks.
u64 Device::translate(ComputeUnit& unit, u64 address, u64 time) {
  const u64 page = address / p_.page_bytes;
  ++counts_.tlb_lookups;
  if (const Tlb::Entry* entry = unit.tlb.find(page)) return std::max(time, entry->ready);
  ++counts_.tlb_misses;
  u64 ready = time + p_.tlb_miss_cycles;
  if (tlb2_.find(page, page) == CacheTags::none) {
    ++counts_.tlb2_misses;
    ready += p_.tlb_walk_cycles;
    tlb2_.place(tlb2_.victim(page), page, CacheTags::arrived);
  }
  unit.tlb.insert(page, ready);
  return ready;
}

// An answer of the second level has reached the compute unit.
void Device::vector_returned(u32 r) {
  const Request request = requests_[r];
  free_request(r);
  const u32 number = request.client;
  ComputeUnit& unit = units_[number];
  if (request.kind != RequestKind::vector_read) {
    u64 time = now();
    if (unit.ops[request.tag].returns) {
      time = std::max(now(), unit.response_free);
      unit.response_free = time + response_cycles_;
    }
    last_end_ = std::max(last_end_, now());
    line_ready(unit, request.tag, time);
    return;
  }
  const u64 time = std::max(now(), unit.response_free);
  unit.response_free = time + response_cycles_;
  Miss& miss = unit.misses[request.tag];
  if (miss.entry != no_index) unit.l1.set_miss(miss.entry, CacheTags::arrived);
  u32 node = miss.first_waiter;
  miss.first_waiter = no_index;
  unit.free_misses.push_back(request.tag);
  while (node != no_index) {
    const u32 op = unit.waiters[node].payload;
    const u32 next = unit.waiters[node].next;
    unit.waiters[node].next = unit.free_waiter;
    unit.free_waiter = node;
    node = next;
    line_ready(unit, op, time);
  }
  if (unit.pipe_count > 0) pump(number);
}

void Device::line_ready(ComputeUnit& unit, u32 o, u64 time) {
  VectorOp& op = unit.ops[o];
  op.first_ready = std::min(op.first_ready, time);
  op.last_ready = std::max(op.last_ready, time);
  if (--op.remaining != 0) return;
  if (op.returns) {
    return_in_order(unit);
  } else {
    complete(unit, o, time);
  }
}

// Loads whose lines are all there write the registers, in order, as many bytes a cycle as the path has.
void Device::return_in_order(ComputeUnit& unit) {
  while (unit.return_first != no_index && unit.ops[unit.return_first].remaining == 0) {
    const u32 o = unit.return_first;
    VectorOp& op = unit.ops[o];
    const u64 end =
        std::max(std::max(unit.return_free, op.first_ready) + op.return_cycles, op.last_ready + 1);
    unit.return_free = end;
    unit.return_busy += op.return_cycles;
    unit.return_first = op.next;
    if (unit.return_first == no_index) unit.return_last = no_index;
    complete(unit, o, end);
  }
}

void Device::complete(ComputeUnit& unit, u32 o, u64 time) {
  VectorOp& op = unit.ops[o];
  Wave& wave = waves_[op.wave];
  if (wave.resident && wave.generation == op.generation) {
    wave.vm_done[op.number % wave.vm_done.size()] = time;
    while (wave.vm_resolved < wave.vm_issued) {
      u64& done = wave.vm_done[wave.vm_resolved % wave.vm_done.size()];
      if (done == never) break;
      if (wave.vm_resolved > 0)
        done = std::max(done, wave.vm_done[(wave.vm_resolved - 1) % wave.vm_done.size()]);
      ++wave.vm_resolved;
    }
    if (op.lgkm_entry != no_index) wave.lgkm_done[op.lgkm_entry] = time;
    if (wave.blocked && !wave.at_barrier) evaluate(wave);
  }
  op.next = unit.free_op;
  unit.free_op = o;
}

}  // namespace lockstep::gcn5
