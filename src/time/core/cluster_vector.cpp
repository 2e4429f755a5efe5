// Vector memory of a unit's path: a queue of instructions, an address unit that turns some lanes a cycle into
// cache lines and looks lines up, the first-level cache, and the way back to the registers.
//
// The cache is write-through. A store that misses takes no line (a line of which only some bytes were written
// could not serve loads), one that hits keeps it. Loads that a cache shared by more must serve, and all
// atomics, pass the cache by and drop the line.
//
// The address unit works ahead: what happens to a line in its cycle is decided when the instruction is
// issued, as far as that can be known. Only a missing free miss, or too many stores on their way, stops it,
// and then it goes on when that ends.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"
#include "time/units/local_memory.h"

namespace lockstep {
namespace {

// What its first-level cache counts as transactions: lines, or those sectors of them that are touched.
u32 transactions_of(std::span<const LineAccess> lines, u32 line_bytes, u32 sector_bytes) {
  if (sector_bytes == line_bytes) return static_cast<u32>(lines.size());
  const u32 granules = 64 * sector_bytes / line_bytes;
  const u64 sector = (u64{1} << granules) - 1;
  u32 sectors = 0;
  for (const LineAccess& line : lines) {
    for (u64 bytes = line.bytes; bytes != 0; bytes >>= granules) sectors += (bytes & sector) != 0;
  }
  return sectors;
}

// Where the cache lies in local memory's banks, an instruction takes the passes that they need, or those in
// which its lines are looked up: all of them together, whatever line a pass belongs to.
void spread(std::span<LineAccess> lines, u32 passes) {
  const u32 count = static_cast<u32>(lines.size());
  for (u32 i = 0; i < count; ++i)
    lines[i].cycles = static_cast<u8>((i + 1) * passes / count - i * passes / count);
}

}  // namespace

void Cluster::issue_vector(Unit& unit, Wave& wave, const TimedOp& op, u32 token, u64 start) {
  const u32 number = path_number(wave);
  Path& path = path_of(number);
  const u32 o = new_op();
  MemoryOp& memory = ops_[o];
  raise_counters(wave, op, memory);
  memory.remaining = 1;
  memory.token = token;

  PipeEntry& entry = scratch_;
  entry.op = o;
  entry.kind = AccessKind::load;
  entry.done = 0;
  entry.lines.clear();
  entry.not_before = 0;
  entry.data_cycles = 0;
  entry.ordered = token != no_index;
  if (entry.ordered) {
    entry.order = first_order_ + static_cast<u32>(ordered_.size());
    ordered_.push_back({token});
  }
  entry.earliest = start;
  entry.idle_after = f_.front_queue == 0 ? address_cycles_ : 1;
  entry.streaming = (op.flags & TimedOp::streaming) != 0;
  entry.device_wide = (op.flags & TimedOp::device_wide) != 0;
  if (op.flags & TimedOp::cache_control) {
    path.l1.invalidate_all();
    entry.idle_after = 0;
  } else if (op.flags & TimedOp::memory_store) {
    entry.kind = AccessKind::store;
  } else if (op.flags & TimedOp::memory_atomic) {
    entry.kind = (op.flags & TimedOp::memory_returns) ? AccessKind::atomic_return : AccessKind::atomic;
  }
  const u32 line_bytes = f_.l1.line_bytes;
  u32 lane_bytes = 4, images = 0, passes = 0;
  InstructionFigures& figures = figures_of(wave);
  bool local = false;
  for (const SegmentAccess& access : accesses_of(wave)) {
    if (access.space == Space::local) {
      local = true;
      continue;
    }
    entry.kind = access.kind;
    images += access.space == Space::image;
    lane_bytes = std::max<u32>(lane_bytes, access.bytes);
    const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
    Coalesced coalesced;
    const bool all = lanes == context_.wave_lanes;
    const bool plain = access.kind == AccessKind::load || access.kind == AccessKind::store;
    if (all && plain && access.pattern == Pattern::strided && access.stride == access.bytes) {
      coalesced = coalesce_consecutive(access.base, access.bytes, context_.wave_lanes,
                                       f_.lanes_per_address_cycle, line_bytes, line_buffer_);
    } else {
      expand(*wave.segment, access, expanded_);
      coalesced = coalesce(expanded_, context_.wave_lanes, f_.lanes_per_address_cycle, line_bytes,
                           f_.gather_window_bytes, line_buffer_);
    }
    entry.lines.insert(entry.lines.end(), line_buffer_.begin(), line_buffer_.begin() + coalesced.lines);
    entry.idle_after = coalesced.idle_after;
    if (f_.l1_tags_per_cycle != 0) {
      const u32 look_ups = (coalesced.lines + f_.l1_tags_per_cycle - 1) / f_.l1_tags_per_cycle;
      BankPasses banks{.groups = std::max(1u, context_.wave_lanes * access.bytes / 4 / f_.local_banks)};
      const bool in_line = all && access.pattern == Pattern::strided && access.stride == access.bytes;
      if (!plain) banks.groups = coalesced.lines;
      if (plain && !in_line)
        banks = bank_passes(expanded_, context_.wave_lanes, f_.local_lanes_per_pass, f_.local_banks);
      passes += std::max(look_ups, banks.groups + banks.extra);
    }
    const u32 sector_bytes = f_.l1_sector_bytes != 0 ? f_.l1_sector_bytes : line_bytes;
    const u32 made = transactions_of({line_buffer_.data(), coalesced.lines}, line_bytes, sector_bytes);
    const u64 ideal = std::min<u64>(made, (u64{lanes} * access.bytes + sector_bytes - 1) / sector_bytes);
    counts_.vector_lines += made;
    counts_.vector_ideal_lines += ideal;
    figures.transactions += made;
    figures.ideal_transactions += ideal;
    (access.kind == AccessKind::load ? counts_.load_bytes : counts_.write_bytes) += u64{lanes} * access.bytes;
  }
  if (local) {
    // A flat access whose addresses lie in local memory.
    const u64 done = local_access(unit, wave, op, start);
    memory.first_ready = std::min(memory.first_ready, done);
    memory.last_ready = std::max(memory.last_ready, done);
  }
  if (passes != 0) {
    spread(entry.lines, passes);
    hold_front(simd_of(wave), f_.front_cycles + (passes - 1) * f_.front_pass_cycles);
  }
  entry.bypass = entry.kind == AccessKind::load && (op.flags & TimedOp::bypasses_near) != 0;
  memory.returns = entry.kind == AccessKind::load || entry.kind == AccessKind::atomic_return;
  u32 return_cycles =
      std::max<u32>(1, context_.wave_lanes * ((lane_bytes + 3) / 4 * 4) / f_.return_bytes_per_cycle);
  if (images > 0) return_cycles = std::max(return_cycles, context_.wave_lanes / f_.image_lanes_per_cycle);
  if (op.flags & TimedOp::cache_control) return_cycles = 1;
  memory.return_cycles = static_cast<u16>(return_cycles);
  if (!memory.returns) {
    // Data leaves the registers at its own rate.
    entry.data_cycles = context_.wave_lanes * lane_bytes / f_.store_bytes_per_cycle;
  } else if (f_.returns_in_order) {
    if (path.return_last == no_index) {
      path.return_first = o;
    } else {
      ops_[path.return_last].next = o;
    }
    path.return_last = o;
  }
  ++path.issued;
  counts_.most_vector_queue = std::max(counts_.most_vector_queue, path.issued - path.finished);

  // Straight through when nothing is stuck in front of it.
  if (path.pipe_count == 0 && send_lines(path, number, entry)) return;
  LOCKSTEP_ASSERT(path.pipe_count < path.pipe.size(), "the queue has room for what is issued");
  path.pipe[(path.pipe_first + path.pipe_count++) % path.pipe.size()] = entry;
}

// Goes on with what is stuck.
void Cluster::pump(u32 number) {
  Path& path = path_of(number);
  while (path.pipe_count > 0 && send_lines(path, number, path.pipe[path.pipe_first])) {
    path.pipe_first = (path.pipe_first + 1) % static_cast<u32>(path.pipe.size());
    --path.pipe_count;
  }
}

// False when it got stuck before the last line.
bool Cluster::send_lines(Path& path, u32 number, PipeEntry& entry) {
  if (entry.not_before == 0) entry.not_before = std::max(path.pipe_time, now_) + entry.data_cycles;
  u64 busy = 0;
  while (entry.done < entry.lines.size()) {
    LineAccess& line = entry.lines[entry.done];
    path.pipe_time = std::max({path.pipe_time, now_, entry.earliest}) + line.idle_before;
    line.idle_before = 0;
    if (!send_line(path, number, entry, line)) {
      path.address_busy += busy;
      return false;
    }
    path.pipe_time += line.cycles;
    busy += line.cycles;
    ++entry.done;
  }
  path.pipe_time = std::max({path.pipe_time, now_, entry.earliest}) + entry.idle_after;
  path.pipe_time = std::max(path.pipe_time, entry.not_before);
  path.address_busy += busy + entry.idle_after;

  MemoryOp& op = ops_[entry.op];
  if (entry.lines.empty()) {
    const u64 ready = path.pipe_time - 1 + l1_data_cycles_;
    op.first_ready = std::min(op.first_ready, ready);
    op.last_ready = std::max(op.last_ready, ready);
  }
  path.finish[path.finished++ % f_.vector_queue] = path.pipe_time;
  if (path.queue_waiters) {
    path.queue_waiters = false;
    const u32 first = number / f_.paths * f_.simds, each = f_.simds / f_.paths;
    for (u32 s = 0; s < each; ++s)
      schedule(first + number % f_.paths * each + s, std::max(path.pipe_time, now_ + 1));
  }
  if (--op.remaining == 0) {
    if (op.returns) {
      return_in_order(path, entry.op);
    } else {
      complete(entry.op, std::max(op.last_ready, now_ + 1));
    }
  }
  return true;
}

// One line, in the cycle path.pipe_time. False when it cannot go yet.
bool Cluster::send_line(Path& path, u32 number, PipeEntry& entry, const LineAccess& line) {
  MemoryOp& op = ops_[entry.op];
  const u64 time = path.pipe_time;
  const u64 key = line.address >> line_shift_;
  if (entry.kind != AccessKind::load) {
    if (path.stores >= f_.stores_outstanding) return false;
    const u32 found = path.l1.find(key, key);
    const bool atomic = entry.kind != AccessKind::store;
    if (atomic && found != CacheTags::none) path.l1.invalidate(found);
    ++op.remaining;
    ++path.stores;
    ++(atomic ? counts_.atomic_requests : counts_.write_requests);
    send_request(path, number, entry, line, tag(Client::vector_store, number, entry.op));
    return true;
  }
  if (!path.sectors.empty()) return send_sectors(path, number, entry, line);
  u32 found = path.l1.find(key, key);
  if (entry.bypass && found != CacheTags::none) {
    path.l1.invalidate(found);
    found = CacheTags::none;
  }
  u32 miss = no_index;
  if (found != CacheTags::none) {
    miss = path.l1.miss(found);
    if (miss == CacheTags::arrived) {
      ++counts_.l1_hits;
      ++per_instruction_[op.pc].served[0];
      // Tags are taken when a miss is sent, data count from their arrival.
      const u64 ready = time + l1_data_cycles_;
      op.first_ready = std::min(op.first_ready, ready);
      op.last_ready = std::max(op.last_ready, ready);
      return true;
    }
    ++counts_.l1_merges;
    // A line on its way serves no one before its own look-up.
    op.last_ready = std::max(op.last_ready, time + l1_data_cycles_);
  } else {
    if (path.free_misses.empty()) return false;
    ++counts_.l1_misses;
    miss = path.free_misses.back();
    path.free_misses.pop_back();
    // When lines are on their way to all entries of the set, the line is not kept.
    const u32 victim = entry.bypass ? CacheTags::none : path.l1.victim(key);
    path.misses[miss] = {victim, no_index};
    if (victim != CacheTags::none) path.l1.place(victim, key, miss);
    send_request(path, number, entry, line, tag(Client::vector_miss, number, miss));
  }
  path.misses[miss].first_waiter = add_waiter(entry.op, path.misses[miss].first_waiter);
  ++op.remaining;
  return true;
}

// The same where lines are in sectors: those that the load needs and that are neither there nor on their way
// are asked for, neighbouring ones together.
bool Cluster::send_sectors(Path& path, u32 number, PipeEntry& entry, const LineAccess& line) {
  MemoryOp& op = ops_[entry.op];
  const u64 time = path.pipe_time;
  const u64 key = line.address >> line_shift_;
  const u32 count = f_.l1.line_bytes / f_.l1_sector_bytes, granules = 64 / count;
  u8 need = 0;
  for (u32 i = 0; i < count; ++i) {
    if ((line.bytes >> i * granules & ((u64{1} << granules) - 1)) != 0) need |= static_cast<u8>(1 << i);
  }
  u32 found = path.l1.find(key, key);
  if (entry.bypass && found != CacheTags::none) {
    if (path.l1.miss(found) == CacheTags::arrived) path.l1.invalidate(found);
    found = CacheTags::none;
  }
  const u8 valid = found == CacheTags::none ? 0 : path.sectors[found].valid;
  const u8 on_way = found == CacheTags::none ? 0 : path.sectors[found].on_way;
  const u8 missing = static_cast<u8>(need & ~valid & ~on_way);
  u32 runs = 0;
  for (u32 i = 0; i < count; ++i)
    runs += (missing >> i & 1) != 0 && (i == 0 || (missing >> (i - 1) & 1) == 0);
  if (runs > path.free_misses.size()) return false;
  if ((need & ~valid) == 0) {
    ++counts_.l1_hits;
    ++per_instruction_[op.pc].served[0];
    const u64 ready = time + l1_data_cycles_;
    op.first_ready = std::min(op.first_ready, ready);
    op.last_ready = std::max(op.last_ready, ready);
    return true;
  }
  // A line on its way serves no one before its own look-up.
  op.last_ready = std::max(op.last_ready, time + l1_data_cycles_);
  ++(missing == 0 ? counts_.l1_merges : counts_.l1_misses);
  u32 part = 0;
  const auto wait_for = [&](u32 miss) {
    path.misses[miss].first_waiter = add_waiter(entry.op | part, path.misses[miss].first_waiter);
    ++op.remaining;
    part = further_part;
  };
  u32 last = no_index;
  for (u32 i = 0; i < count; ++i) {
    if ((need & on_way & 1 << i) == 0) continue;
    const u32 miss = path.sectors[found].miss[i];
    if (miss != last) wait_for(miss);
    last = miss;
  }
  if (missing == 0) return true;
  if (found == CacheTags::none && !entry.bypass) {
    // When lines are on their way to all entries of the set, the line is not kept.
    found = path.l1.victim(key);
    if (found != CacheTags::none) path.sectors[found] = {};
  }
  for (u32 i = 0; i < count;) {
    if ((missing >> i & 1) == 0) {
      ++i;
      continue;
    }
    const u32 first = i;
    while (i < count && (missing >> i & 1) != 0) ++i;
    const u32 miss = path.free_misses.back();
    path.free_misses.pop_back();
    const u8 sectors = static_cast<u8>(((1u << (i - first)) - 1) << first);
    path.misses[miss] = {found, no_index, sectors};
    if (found != CacheTags::none) {
      path.l1.place(found, key, miss);
      Sectors& state = path.sectors[found];
      state.on_way |= sectors;
      for (u32 s = first; s < i; ++s) state.miss[s] = miss;
    }
    send_request(path, number, entry, line, tag(Client::vector_miss, number, miss),
                 {first * f_.l1_sector_bytes, (i - first) * f_.l1_sector_bytes});
    wait_for(miss);
  }
  return true;
}

// Hands a request to the first shared level, once its page is known. The caches are addressed virtually: only
// what leaves them asks.
void Cluster::send_request(Path& path, u32 number, const PipeEntry& entry, const LineAccess& line,
                           u32 request_tag, LinePart part) {
  Mail mail;
  u32 data = 0;
  switch (entry.kind) {
    case AccessKind::load:
      mail.kind = MailKind::read;
      break;
    case AccessKind::store:
      mail.kind = MailKind::write;
      mail.bytes = line.bytes;
      data = static_cast<u32>(std::popcount(line.bytes)) * std::max(1u, f_.l1.line_bytes / 64);
      break;
    default:
      mail.kind = MailKind::atomic;
      mail.bytes =
          AtomicWork{static_cast<u16>(line.hot_address - line.address), line.lanes, line.most_same}.packed();
      data = line.lanes * 4u;
      break;
  }
  mail.address = line.address;
  mail.size = static_cast<u16>(part.bytes != 0 ? part.bytes : f_.l1.line_bytes);
  mail.address += part.offset;
  mail.tag = request_tag;
  mail.streaming = entry.streaming;
  mail.device_wide = entry.device_wide;
  if (entry.ordered && entry.done == 0) {
    mail.ordered = true;
    mail.detail = static_cast<u16>(number_);
    mail.order = entry.order;
  }
  const u64 slot = std::max(path.pipe_time, path.request_free);
  path.request_free = slot + std::max<u32>(1, (data + f_.request_bytes - 1) / f_.request_bytes);

  const u64 page = hierarchy_.translation.page_of(line.address);
  ++counts_.tlb_lookups;
  if (path.tlb.find(page)) return post(mail, slot);
  ++counts_.tlb_misses;
  bool asked = false;
  for (const WaitingRequest& waiting : path.translating) asked |= waiting.page == page;
  path.translating.push_back({mail, slot, page});
  if (asked) return;
  Mail question;
  question.kind = MailKind::translate;
  question.address = page;
  question.tag = number;
  outbox_->send(context_.map->translation(),
                std::max(path.pipe_time, now_) + hierarchy_.translation.way_cycles, question);
}

void Cluster::post(const Mail& mail, u64 leaves) {
  outbox_->send(context_.map->slice(0, mail.address, group_),
                std::max(leaves, now_) + hierarchy_.levels[0].way_cycles, mail);
}

void Cluster::translated(const Mail& mail) {
  Path& path = path_of(mail.tag);
  path.tlb.insert(mail.address);
  std::size_t kept = 0;
  for (WaitingRequest& waiting : path.translating) {
    if (waiting.page == mail.address) {
      post(waiting.mail, waiting.leaves);
    } else {
      path.translating[kept++] = waiting;
    }
  }
  path.translating.resize(kept);
}

// A line that loads wait for has come.
void Cluster::vector_returned(Path& path, u32 number, u32 miss_number, u8 level) {
  const u64 time = std::max(now_, path.response_free);
  Miss& miss = path.misses[miss_number];
  const u32 bytes = path.sectors.empty() ? f_.l1.line_bytes
                                         : static_cast<u32>(std::popcount(miss.sectors)) * f_.l1_sector_bytes;
  path.response_free = time + std::max(1u, bytes / f_.response_bytes);
  if (path.sectors.empty()) {
    if (miss.entry != no_index) path.l1.set_miss(miss.entry, CacheTags::arrived);
  } else if (miss.entry != no_index) {
    Sectors& sectors = path.sectors[miss.entry];
    sectors.valid |= miss.sectors;
    sectors.on_way &= static_cast<u8>(~miss.sectors);
    if (sectors.on_way == 0) path.l1.set_miss(miss.entry, CacheTags::arrived);
  }
  u32 waiting = miss.first_waiter;
  miss.first_waiter = no_index;
  path.free_misses.push_back(miss_number);
  while (waiting != no_index) {
    const u32 payload = take_waiter(waiting);
    line_ready(path, payload & ~further_part, time, level, (payload & further_part) == 0);
  }
  if (path.pipe_count > 0) pump(number);
}

// A store or atomic has been performed.
void Cluster::store_returned(Path& path, u32 number, u32 o, u8 level) {
  u64 time = now_;
  if (ops_[o].returns) {
    time = std::max(now_, path.response_free);
    path.response_free = time + std::max(1u, f_.l1.line_bytes / f_.response_bytes);
  }
  --path.stores;
  counts_.last_end = std::max(counts_.last_end, now_);
  line_ready(path, o, time, level, true);
  if (path.pipe_count > 0) pump(number);
}

void Cluster::line_ready(Path& path, u32 o, u64 time, u8 level, bool counts) {
  MemoryOp& op = ops_[o];
  if (counts) ++per_instruction_[op.pc].served[level];
  op.first_ready = std::min(op.first_ready, time);
  op.last_ready = std::max(op.last_ready, time);
  if (--op.remaining != 0) return;
  if (op.returns) {
    return_in_order(path, o);
  } else {
    complete(o, std::max(time, op.last_ready));
  }
}

// Loads whose lines are all there write the registers, as many bytes a cycle as the way has; in the order of
// issue, where the path keeps it.
void Cluster::return_in_order(Path& path, u32 ready) {
  const auto deliver = [&](u32 o) {
    MemoryOp& op = ops_[o];
    const u64 end =
        std::max(std::max(path.return_free, op.first_ready) + op.return_cycles, op.last_ready + 1);
    path.return_free = end;
    path.return_busy += op.return_cycles;
    complete(o, end);
  };
  if (!f_.returns_in_order) return deliver(ready);
  while (path.return_first != no_index && ops_[path.return_first].remaining == 0) {
    const u32 o = path.return_first;
    path.return_first = ops_[o].next;
    if (path.return_first == no_index) path.return_last = no_index;
    deliver(o);
  }
}

}  // namespace lockstep
