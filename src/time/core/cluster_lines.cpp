// The address unit's work on lines: look-ups in the first-level cache, requests for what is not there, and
// the way back to the registers.
#include <algorithm>
#include <bit>
#include <utility>

#include "time/core/cluster.h"
#include "time/memory/granules.h"

namespace lockstep {

// Goes on with what is stuck.
void Cluster::go_on(Path& path, u32 number) {
  while (path.pipe_count > 0 && send_lines(path, number, path.pipe[path.pipe_first])) {
    path.pipe_first = (path.pipe_first + 1) % static_cast<u32>(path.pipe.size());
    --path.pipe_count;
  }
}

// False when it got stuck before the last line.
bool Cluster::send_lines(Path& path, u32 number, PipeEntry& entry) {
  if (entry.kind != AccessKind::load) return send_lines_of<false, false>(path, number, entry);
  return sectors_ == 1 ? send_lines_of<true, true>(path, number, entry)
                       : send_lines_of<true, false>(path, number, entry);
}

// `whole`: lines have one sector.
template <bool load, bool whole>
bool Cluster::send_lines_of(Path& path, u32 number, PipeEntry& entry) {
  // Where the banks' schedule says when, instructions that came by other ways do not hold this one up.
  if (f_.l1_tags_per_cycle != 0 && entry.done == 0) path.pipe_time = std::max(now_, entry.earliest);
  if (entry.not_before == 0) entry.not_before = std::max(path.pipe_time, now_) + entry.data_cycles;
  const u64 from = std::max(now_, entry.earliest);
  u64 busy = 0;
  while (entry.done < entry.lines.size()) {
    LineAccess& line = entry.lines[entry.done];
    path.pipe_time = std::max(path.pipe_time, from) + line.idle_before;
    line.idle_before = 0;
    if (!(load ? send_load<whole>(path, number, entry, line) : send_store(path, number, entry, line))) {
      end_run(path, number);
      path.address_busy += busy;
      return false;
    }
    path.pipe_time += line.cycles;
    busy += line.cycles;
    ++entry.done;
  }
  end_run(path, number);
  path.pipe_time = std::max(path.pipe_time, from) + entry.idle_after;
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
    // They are asked in turn, each time from the next one on.
    const u64 step = f_.turn_cycles == 1 ? 1 : 0;
    for (u32 s = 0; s < each; ++s)
      schedule(first + number % f_.paths * each + (path.first_asked + s) % each,
               std::max(path.pipe_time, now_ + 1) + s * step);
    path.first_asked = (path.first_asked + 1) % each;
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

// The first request of an ordered access says which one it is.
[[gnu::always_inline]] inline void name_ordered(ClusterMemory::PipeEntry& entry, Mail& mail, u32 cluster) {
  if (!entry.ordered) return;
  entry.ordered = false;
  mail.what |= Mail::ordered_bit;
  mail.detail = static_cast<u16>(cluster);
  mail.order = entry.order;
}

// When a line of a store or atomic begins to leave. Such lines leave in the order in which they came, a
// sector a cycle, and a cycle more where not all of their bytes are written; stores some cycles after the
// latest that wrote to them, since what a later one has of sectors that have not left yet goes with them
// (Mail::merged). But stores that others shall see at once join nothing. Where there is no room left the
// address unit waits until the first of them has left.
u64 Cluster::leave_in_turn(Path& path, PipeEntry& entry, const LineAccess& line, Mail& mail) {
  name_ordered(entry, mail, number_);
  Ring<OpenLine>& open = path.open_lines;
  const u64 key = line.address >> line_shift_;
  const bool joins = entry.kind == AccessKind::store && !mail.ordered() &&
                     (entry.marks & (Mail::device_wide_bit | Mail::marked_bit)) == 0;
  const auto leave_first = [&] {
    path.way_free = open.front().leaves;
    open.pop_front();
  };
  const auto sectors = [&](u64 bytes) { return sectors_of(bytes, f_.l1.line_bytes, request_sector); };
  const auto write = [&](OpenLine& one, u64 bytes, bool masked) {
    one.bytes = bytes;
    one.cycles = sectors(bytes) + masked;
    one.leaves_from = path.pipe_time + (joins ? f_.open_store_cycles : 0);
  };
  // None comes before the one before it, though other instructions do not wait for what these wait for.
  path.pipe_time = std::max(path.pipe_time, path.stored_until);
  while (!open.empty() && open.front().leaves <= path.pipe_time) leave_first();
  std::size_t at = joins ? 0 : open.size();
  while (at < open.size() && open[at].line != key) ++at;
  if (at < open.size()) {
    const u64 bytes = open[at].bytes | line.bytes;
    const u32 written = sectors(line.bytes), joined = written + sectors(open[at].bytes) - sectors(bytes);
    mail.detail = static_cast<u16>(joined == written ? joined | Mail::merged_bit : joined);
    write(open[at], bytes, ~bytes != 0);
  } else {
    if (open.size() >= f_.open_store_lines) {
      path.pipe_time = std::max(path.pipe_time, open.front().leaves);
      leave_first();
    }
    at = open.size();
    write(open.push_back({joins ? key : never}), line.bytes,
          entry.kind == AccessKind::store ? ~line.bytes != 0 : line.lanes > 1);
  }
  path.stored_until = path.pipe_time + line.cycles;
  u64 free = at == 0 ? path.way_free : open[at - 1].leaves;
  for (std::size_t i = at; i < open.size(); ++i)
    free = open[i].leaves = std::max(free, open[i].leaves_from) + open[i].cycles;
  return open[at].leaves - open[at].cycles;
}

// One line of a store or atomic, in the cycle path.pipe_time. False when it cannot go yet.
[[gnu::always_inline]] inline bool Cluster::send_store(Path& path, u32 number, PipeEntry& entry,
                                                       const LineAccess& line) {
  const bool stores_run = entry.in_runs && entry.kind == AccessKind::store;
  const u32 wanted = stores_run && line.address != run_.next ? lines_together(entry) : 1;
  if (path.stores != 0 && path.stores + wanted > f_.stores_outstanding) return false;
  const u64 key = line.address >> line_shift_;
  const u32 set = l1_set(path, key);
  const u32 found = path.l1.find_in(key, set);
  if (f_.l1_keeps_stores && entry.kind == AccessKind::store) keep_stored(path, entry, line, found, set);
  ++ops_[entry.op].remaining;
  ++path.stores;
  Mail mail;
  mail.address = line.address;
  u32 size = f_.l1.line_bytes;
  mail.tag = tag(Client::vector_store, number, entry.op);
  u32 data = 0;
  if (entry.kind == AccessKind::store) {
    ++counts_.write_requests;
    mail.bytes = line.bytes;
    if (f_.half_waves != HalfWaves::none) {
      // A segment is a request of its own size.
      const u32 granule = f_.l1.line_bytes / 64;
      mail.address += static_cast<u32>(std::countr_zero(line.bytes)) * granule;
      size = static_cast<u32>(std::popcount(line.bytes)) * granule;
      mail.bytes = size >= 64 ? ~u64{0} : (u64{1} << size) - 1;
    }
    mail.what = Mail::what_of(MailKind::write, size);
    data = static_cast<u32>(std::popcount(line.bytes)) * std::max(1u, f_.l1.line_bytes / 64);
  } else {
    if (found != CacheTags::none) path.l1.invalidate(found);
    ++counts_.atomic_requests;
    mail.what = Mail::what_of(MailKind::atomic, size);
    mail.bytes =
        AtomicWork{static_cast<u16>(line.hot_address - line.address), line.lanes, line.most_same,
                   sectors_of(line.bytes, f_.l1.line_bytes, 32), entry.kind == AccessKind::atomic_return}
            .packed();
    data = line.lanes * 4u;
  }
  mail.what |= entry.marks;
  const u64 slot = f_.open_store_lines != 0 ? leave_in_turn(path, entry, line, mail)
                                            : request_slot(path, entry, mail, data);
  const u32 line_bytes = f_.l1.line_bytes;
  if (stores_run && whole_words(mail.bytes, line_bytes)) {
    mail.bytes = words_of(mail.bytes, line_bytes);
    if (joins_run(mail)) {
      extend_run(slot, mail.bytes);
    } else {
      begin_run(path, number, mail, slot, entry.op);
    }
    return true;
  }
  end_run(path, number);
  hand_on(path, number, mail, 1, slot, ops_[entry.op].figures);
  return true;
}

// The sectors of a line in which any of the granules lie.
[[gnu::always_inline]] inline u32 Cluster::sectors_with(u64 granules) const {
  const u64 of_sector = (u64{1} << sector_granules_) - 1;
  u32 sectors = 0;
  for (u32 i = 0; i < sectors_; ++i)
    sectors |= static_cast<u32>((granules >> i * sector_granules_ & of_sector) != 0) << i;
  return sectors;
}

// What a store leaves of its line in the first level, where it allocates stores.
inline void Cluster::keep_stored(Path& path, const PipeEntry& entry, const LineAccess& line, u32 found,
                                 u32 set) {
  if (found == CacheTags::none) {
    if (entry.bypass || entry.ordered || (entry.marks & Mail::device_wide_bit) != 0) return;
    found = path.l1.make_room_in(set);
    if (found == CacheTags::none) return;
    path.l1.data(found) = {};
    path.stored[found] = 0;
    path.l1.place_in(set, found, line.address >> line_shift_, CacheTags::arrived);
  }
  path.stored[found] |= line.bytes;
}

// One line of a load: those of its sectors that the load needs and that are neither there nor on their way
// are asked for together, or neighbouring ones are.
template <bool whole>
[[gnu::always_inline]] inline bool Cluster::send_load(Path& path, u32 number, PipeEntry& entry,
                                                      const LineAccess& line) {
  MemoryOp& op = ops_[entry.op];
  const u64 ready = path.pipe_time + l1_data_cycles_;
  const u64 key = line.address >> line_shift_;
  const u32 need = whole ? 1 : sectors_with(line.bytes);
  const u32 set = l1_set(path, key);
  // What was absent when the line got stuck still is: lines come in order.
  u32 found = path.misses_wanted != 0 && path.wanted_absent ? CacheTags::none : path.l1.find_in(key, set);
  bool keeps = !entry.bypass;
  if (found != CacheTags::none) {
    if (entry.bypass) {
      if (whole || path.l1.miss(found) == CacheTags::arrived) path.l1.invalidate(found);
      found = CacheTags::none;
    } else if (entry.ordered) {
      // It is performed where it is served: that is not here.
      found = CacheTags::none;
      keeps = false;
    }
  }
  u32 valid = 0, on_way = 0;
  if (found != CacheTags::none) {
    const Sectors& state = path.l1.data(found);
    valid = state.valid;
    on_way = state.on_way;
    if (!whole && f_.l1_keeps_stores && path.stored[found] != 0)
      valid |= need & ~sectors_with(line.bytes & ~path.stored[found]);
    if ((need & ~valid) == 0) {
      ++counts_.l1_hits;
      ++op.figures->served[0];
      op.first_ready = std::min(op.first_ready, ready);
      op.last_ready = std::max(op.last_ready, ready);
      return true;
    }
  }
  const u32 missing = need & ~valid & ~on_way;
  // Each request takes a miss. Lines that can go together wait for each other's.
  u32 misses = joins_sectors_ ? missing != 0 : static_cast<u32>(std::popcount(missing & ~(missing << 1)));
  if (entry.in_runs && line.address != run_.next) misses = std::min(lines_together(entry), f_.l1_misses);
  if (misses > path.misses_left) {
    path.misses_wanted = misses;
    path.wanted_absent = found == CacheTags::none && keeps;
    return false;
  }
  path.misses_wanted = 0;
  // A line on its way serves no one before its own look-up.
  if (missing == 0 || !whole) op.last_ready = std::max(op.last_ready, ready);
  ++(missing == 0 ? counts_.l1_merges : counts_.l1_misses);
  u32 part = 0;
  const auto wait_for = [&](u32 miss) {
    path.misses[miss].first_waiter = add_waiter(entry.op | part, path.misses[miss].first_waiter);
    ++op.remaining;
    part = further_part;
  };
  u32 last = no_index;
  for (u32 bits = need & ~valid & on_way; bits != 0; bits &= bits - 1) {
    const u32 miss =
        whole ? path.l1.miss(found) : path.sector_misses[found][static_cast<u32>(std::countr_zero(bits))];
    if (miss != last) wait_for(miss);
    last = miss;
  }
  if (missing == 0) return true;
  if (found == CacheTags::none && keeps) {
    // When lines are on their way to all entries of the set, the line is not kept.
    found = path.l1.make_room_in(set);
    if (found != CacheTags::none) {
      path.l1.data(found) = {};
      if (!whole && f_.l1_keeps_stores) path.stored[found] = 0;
    }
  }
  for (u32 rest = missing; rest != 0;) {
    const u32 first = whole ? 0 : static_cast<u32>(std::countr_zero(rest));
    const u32 sectors = whole || joins_sectors_
                            ? rest
                            : low_bits32(static_cast<u32>(std::countr_one(rest >> first))) << first;
    rest &= ~sectors;
    const u32 span = whole ? 1 : static_cast<u32>(std::bit_width(sectors)) - first;
    Mail mail;
    mail.address = line.address + first * sector_bytes_;
    mail.what = Mail::what_of(MailKind::read, span * sector_bytes_) | entry.marks;
    if (!whole && sectors >> first != low_bits32(span)) mail.bytes = sectors >> first;
    const bool joins = entry.in_runs && joins_run(mail);
    const u32 miss = joins ? run_.miss : path.free_misses.back();
    LineMiss& of = path.misses[miss];
    --path.misses_left;
    if (joins) {
      of.entries[of.lines] = found;
      of.to_come |= static_cast<u8>(1u << of.lines);
      ++of.lines;
    } else {
      path.free_misses.pop_back();
      of.entries[0] = found;
      of.op = entry.op | part;
      of.first_waiter = no_index;
      of.lines = of.to_come = 1;
      of.sectors = static_cast<u8>(sectors);
      ++op.remaining;
    }
    part = further_part;
    if (found != CacheTags::none) {
      path.l1.place_in(set, found, key, miss);
      Sectors& state = path.l1.data(found);
      state.on_way |= static_cast<u8>(sectors);
      for (u32 bits = whole ? 0 : sectors; bits != 0; bits &= bits - 1)
        path.sector_misses[found][static_cast<u32>(std::countr_zero(bits))] = static_cast<u16>(miss);
    }
    mail.tag = tag(Client::vector_miss, number, miss);
    const u64 slot = request_slot(path, entry, mail, 0);
    if (joins) {
      extend_run(slot, 0);
    } else if (entry.in_runs) {
      begin_run(path, number, mail, slot, entry.op);
      run_.miss = miss;
    } else {
      hand_on(path, number, mail, 1, slot, ops_[entry.op].figures);
    }
  }
  return true;
}

// When a request with `data` bytes leaves the unit.
[[gnu::always_inline]] inline u64 Cluster::request_slot(Path& path, PipeEntry& entry, Mail& mail, u32 data) {
  name_ordered(entry, mail, number_);
  const u64 slot = std::max(path.pipe_time, path.request_free);
  path.request_free =
      slot + (data <= f_.request_bytes ? 1 : (data + f_.request_bytes - 1) / f_.request_bytes);
  return slot;
}

[[gnu::always_inline]] inline void Cluster::begin_run(Path& path, u32 number, const Mail& mail, u64 leaves,
                                                      u32 op) {
  end_run(path, number);
  run_.mail = mail;
  run_.lines = 1;
  run_.op = op;
  run_.next = next_in_run(mail.address);
  run_.leaves = leaves;
}

[[gnu::always_inline]] inline void Cluster::extend_run(u64 leaves, u64 words) {
  run_.mail.bytes |= words << run_.lines * (f_.l1.line_bytes / 4);
  ++run_.lines;
  run_.next = next_in_run(run_.next);
  run_.leaves = leaves;
}

// The run leaves with its last line.
[[gnu::always_inline]] inline void Cluster::end_run(Path& path, u32 number) {
  if (run_.lines == 0) return;
  const u32 lines = std::exchange(run_.lines, 0);
  run_.next = never;
  Mail& mail = run_.mail;
  if (lines > 1) {
    mail.resize(lines << line_shift_);
    if (mail.kind() == MailKind::read) mail.bytes = low_bits(lines);
  } else if (mail.kind() == MailKind::write) {
    mail.bytes = granules_of(mail.bytes, f_.l1.line_bytes);
  }
  hand_on(path, number, mail, lines, run_.leaves, ops_[run_.op].figures);
}

// To the first shared level, once the request's page is known. The caches are addressed virtually: only what
// leaves them asks.
[[gnu::always_inline]] inline void Cluster::hand_on(Path& path, u32 number, const Mail& mail, u32 lines,
                                                    u64 leaves, InstructionFigures* figures) {
  const u64 page = hierarchy_.translation.page_of(mail.address);
  counts_.tlb_lookups += lines;
  if (path.tlb.find(page)) return post(mail, leaves);
  counts_.tlb_misses += lines;
  path.translating.push_back({mail, leaves, page, figures});
  if (std::ranges::find(path.asked_pages, page) != path.asked_pages.end()) return;
  path.asked_pages.push_back(page);
  Mail question;
  question.what = Mail::what_of(MailKind::translate, 0);
  question.address = page;
  question.tag = number;
  outbox_->send(context_.map->translation(),
                std::max(path.pipe_time, now_) + hierarchy_.translation.way_cycles, question);
}

inline void Cluster::post(const Mail& mail, u64 leaves) {
  outbox_->send(context_.map->slice(0, mail.address, group_),
                std::max(leaves, now_) + hierarchy_.levels[0].way_cycles, mail);
}

void Cluster::translated(const Mail& mail) {
  Path& path = path_of(mail.tag);
  path.tlb.insert(mail.address);
  std::erase(path.asked_pages, mail.address);
  std::size_t kept = 0;
  for (WaitingRequest& waiting : path.translating) {
    if (waiting.page == mail.address) {
      if (now_ > waiting.leaves)
        waiting.figures->translation_cycles += (now_ - waiting.leaves) * waiting.mail.lines(line_shift_);
      post(waiting.mail, waiting.leaves);
    } else {
      path.translating[kept++] = waiting;
    }
  }
  path.translating.resize(kept);
}

// Lines that loads wait for have come, the last one now; `came`: which of the request's, 0 for all.
void Cluster::vector_returned(Path& path, u32 number, u32 miss_number, u64 came, u8 level) {
  LineMiss& miss = path.misses[miss_number];
  if (came == 0) came = miss.to_come;
  const u32 lines = static_cast<u32>(std::popcount(came));
  const u32 bytes = static_cast<u32>(std::popcount(miss.sectors)) * sector_bytes_;
  const u32 each = bytes <= f_.response_bytes ? 1 : bytes / f_.response_bytes;
  const u64 first = std::max(now_ - (lines - 1) * each, path.response_free);
  const u64 time = first + (lines - 1) * each;
  path.response_free = time + each;
  for (u64 bits = came; bits != 0; bits &= bits - 1) {
    const u32 entry = miss.entries[static_cast<u32>(std::countr_zero(bits))];
    if (entry == no_index) continue;
    Sectors& sectors = path.l1.data(entry);
    sectors.valid |= miss.sectors;
    sectors.on_way &= static_cast<u8>(~miss.sectors);
    if (sectors.on_way == 0) path.l1.set_miss(entry, CacheTags::arrived);
  }
  path.misses_left += lines;
  miss.to_come &= static_cast<u8>(~came);
  const u32 asked = miss.op & ~further_part;
  MemoryOp& op = ops_[asked];
  if ((miss.op & further_part) == 0) op.figures->served[level] += lines;
  op.first_ready = std::min(op.first_ready, first);
  if (miss.to_come != 0) {
    op.last_ready = std::max(op.last_ready, time);
    return pump(path, number);
  }
  u32 waiting = miss.first_waiter;
  miss.first_waiter = no_index;
  path.free_misses.push_back(miss_number);
  while (waiting != no_index) {
    const u32 payload = take_waiter(waiting);
    if ((payload & further_part) == 0) ++ops_[payload & ~further_part].figures->served[level];
    line_ready(path, payload & ~further_part, time, 1);
  }
  line_ready(path, asked, time, 1);
  pump(path, number);
}

// Lines of a store or atomic have been performed.
void Cluster::store_returned(Path& path, u32 number, u32 o, u32 lines, u8 level) {
  u64 time = now_;
  if (ops_[o].returns) {
    time = std::max(now_, path.response_free);
    path.response_free = time + std::max(1u, f_.l1.line_bytes / f_.response_bytes);
  }
  path.stores -= lines;
  counts_.last_end = std::max(counts_.last_end, now_);
  ops_[o].figures->served[level] += lines;
  line_ready(path, o, time, lines);
  pump(path, number);
}

[[gnu::always_inline]] inline void Cluster::line_ready(Path& path, u32 o, u64 time, u32 parts) {
  MemoryOp& op = ops_[o];
  op.first_ready = std::min(op.first_ready, time);
  op.last_ready = std::max(op.last_ready, time);
  op.remaining = static_cast<u16>(op.remaining - parts);
  if (op.remaining != 0) return;
  if (op.returns) {
    return_in_order(path, o);
  } else {
    complete(o, std::max(time, op.last_ready));
  }
}

// Loads whose lines are all there write the registers, as many bytes a cycle as the way has; in the order of
// issue, where the path keeps it.
inline void Cluster::return_in_order(Path& path, u32 ready) {
  const auto deliver = [&](u32 o) {
    MemoryOp& op = ops_[o];
    const u64 end = std::max(
        std::max(f_.l1_tags_per_cycle != 0 ? 0 : path.return_free, op.first_ready) + op.return_cycles,
        op.last_ready + 1);
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
