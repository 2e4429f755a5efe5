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

// Sectors of a line that have some of the granules, each a 64th of the line.
u8 sectors_of(u64 granules, u32 line_bytes, u32 sector_bytes) {
  const u32 each = std::max(1u, 64 * sector_bytes / line_bytes);
  const u64 sector = each >= 64 ? ~u64{0} : (u64{1} << each) - 1;
  u8 count = 0;
  for (u32 at = 0; at < 64; at += each) count += (granules >> at & sector) != 0;
  return count;
}

// What its first-level cache counts as transactions: lines, or those sectors of them that are touched.
u32 units_of(std::span<const LineAccess> lines, u32 line_bytes, u32 sector_bytes) {
  if (sector_bytes == line_bytes) return static_cast<u32>(lines.size());
  u32 sectors = 0;
  for (const LineAccess& line : lines) sectors += sectors_of(line.bytes, line_bytes, sector_bytes);
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
  path.waiting_simds &= ~(1u << wave.simd);
  path.any_simd_from = never;
  path.latest_simd = wave.simd;
  const u32 o = new_op();
  MemoryOp& memory = ops_[o];
  raise_counters(wave, op, memory);
  memory.remaining = 1;
  memory.token = token;

  PipeEntry& entry = scratch_;
  entry.op = o;
  entry.kind = AccessKind::load;
  entry.done = 0;
  entry.not_before = 0;
  entry.data_cycles = 0;
  entry.looked = false;
  entry.merged = 0;
  entry.ordered = token != no_index;
  if (entry.ordered) {
    entry.order = first_order_ + static_cast<u32>(ordered_.size());
    ordered_.push_back({token});
  }
  entry.earliest = start;
  entry.idle_after = f_.front_queue == 0 ? address_cycles_ : 1;
  const auto mark = [&op](u32 flags, u16 bit) { return (op.flags & flags) != 0 ? bit : u16{0}; };
  entry.marks = mark(TimedOp::streaming, Mail::streaming_bit) |
                mark(TimedOp::device_wide, Mail::device_wide_bit) |
                mark(TimedOp::uncached | TimedOp::by_words, Mail::marked_bit);
  if (op.flags & TimedOp::cache_control) {
    path.l1.invalidate_all();
    entry.idle_after = 0;
  } else if (op.flags & TimedOp::memory_store) {
    entry.kind = AccessKind::store;
  } else if (op.flags & TimedOp::memory_atomic) {
    entry.kind = (op.flags & TimedOp::memory_returns) ? AccessKind::atomic_return : AccessKind::atomic;
  }
  u32 lane_bytes = 4, images = 0, texel_bytes = 0, passes = 0;
  InstructionFigures& figures = figures_of(wave);
  bool local = false;
  std::size_t lines = 0;
  for (const SegmentAccess& access : accesses_of(wave)) {
    if (access.space == Space::local) {
      local = true;
      continue;
    }
    entry.kind = access.kind;
    // What executes has an old value that nobody reads; the machine's instruction does without.
    if (entry.kind == AccessKind::atomic_return && (op.flags & TimedOp::memory_returns) == 0)
      entry.kind = AccessKind::atomic;
    images += access.space == Space::image;
    lane_bytes = std::max<u32>(lane_bytes, access.bytes);
    const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
    // A filter's other texels lie in lines that are there already.
    if (access.space == Space::image) texel_bytes = std::max(texel_bytes, lanes * access.bytes);
    const Coalesced coalesced =
        coalesce_access(access, *wave.segment, std::span(line_buffer_).subspan(lines));
    const std::span<LineAccess> touched = std::span(line_buffer_).subspan(lines, coalesced.lines);
    lines += coalesced.lines;
    if (trace_ != nullptr) [[unlikely]]
      trace_->touch(now_, device_unit(wave.unit), touched);
    entry.idle_after = coalesced.idle_after;
    if (f_.l1_tags_per_cycle != 0) {
      const u32 look_ups = (coalesced.lines + f_.l1_tags_per_cycle - 1) / f_.l1_tags_per_cycle;
      BankPasses banks{.groups = std::max(1u, context_.wave_lanes * access.bytes / 4 / f_.local_banks)};
      const bool in_line =
          lanes == context_.wave_lanes && access.pattern == Pattern::strided && access.stride == access.bytes;
      if (access.kind != AccessKind::load && access.kind != AccessKind::store) {
        banks.groups = coalesced.lines;
      } else if (!in_line && f_.half_waves == HalfWaves::none) {
        expand(*wave.segment, access, expanded_);
        banks = bank_passes(expanded_, context_.wave_lanes, f_.local_lanes_per_pass, f_.local_banks,
                            f_.local_words_of_bank);
      }
      passes += std::max(look_ups, banks.groups + banks.extra);
    }
    if (op.flags & TimedOp::one_lane) {
      for (LineAccess& line : touched) line.lanes = line.most_same = 1;
    }
    const auto [made, ideal] = transactions_of(access, *wave.segment, touched);
    counts_.vector_lines += made;
    counts_.vector_ideal_lines += ideal;
    counts_.vector_look_ups += coalesced.lines;
    figures.transactions += made;
    figures.ideal_transactions += ideal;
    if (access.space == Space::private_memory) figures.private_transactions += made;
    if (access.kind != AccessKind::load && access.kind != AccessKind::store) figures.atomic_lanes += lanes;
    const u64 moved = u64{lanes} * access.bytes;
    (access.kind == AccessKind::load ? counts_.load_bytes : counts_.write_bytes) += moved;
    (access.kind == AccessKind::load ? figures.load_bytes : figures.store_bytes) += moved;
  }
  entry.lines = std::span(line_buffer_).first(lines);
  if (local) {
    // A flat access whose addresses lie in local memory.
    const u64 done = local_access(unit, wave, op, start);
    memory.first_ready = std::min(memory.first_ready, done);
    memory.last_ready = std::max(memory.last_ready, done);
  }
  entry.bypass = entry.kind == AccessKind::load && (op.flags & TimedOp::bypasses_near) != 0;
  memory.returns = entry.kind == AccessKind::load || entry.kind == AccessKind::atomic_return;
  if (memory.returns && !entry.lines.empty()) {
    memory.issued = now_;
    ++figures.memory_accesses;
  }
  const u32 moved = op.moved_bytes != 0 ? op.moved_bytes : context_.wave_lanes * ((lane_bytes + 3) / 4 * 4);
  u32 return_cycles = std::max<u32>(1, moved / f_.return_bytes_per_cycle);
  return_cycles = std::max(return_cycles, context_.wave_lanes / f_.return_lanes_per_cycle);
  if (images > 0) return_cycles = std::max(return_cycles, context_.wave_lanes / f_.image_lanes_per_cycle);
  if (f_.image_bytes_per_cycle != 0 && (op.flags & TimedOp::image) != 0) {
    const u32 rate = f_.image_bytes_per_cycle;
    return_cycles = std::max(return_cycles, (texel_bytes + rate / 2) / rate);
  }
  if (op.flags & TimedOp::cache_control) return_cycles = 1;
  if (passes != 0) {
    // The way to the registers is as wide as the banks.
    if (memory.returns) passes = std::max(passes, return_cycles);
    spread(entry.lines, passes);
    entry.earliest = unit.banks[f_.l1_beside_local ? 1 : 0].take(now_, start, passes) - passes;
    hold_front(simd_of(wave), f_.front_cycles + (passes - 1) * f_.front_pass_cycles);
  }
  memory.return_cycles = static_cast<u16>(return_cycles);
  if (!memory.returns) {
    // Data leaves the registers at its own rate.
    entry.data_cycles =
        (op.moved_bytes != 0 ? moved : context_.wave_lanes * lane_bytes) / f_.store_bytes_per_cycle;
    entry.parts = std::max(1u, context_.wave_lanes * lane_bytes / f_.l1.line_bytes);
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
  PipeEntry& stuck = path.pipe[(path.pipe_first + path.pipe_count++) % path.pipe.size()];
  std::vector<LineAccess> kept = std::move(stuck.kept);
  kept.assign(entry.lines.begin(), entry.lines.end());
  stuck = entry;
  stuck.kept = std::move(kept);
  stuck.lines = stuck.kept;
}

// What it counts as, by the rule that machines without a timing model are counted by, too.
Transactions Cluster::transactions_of(const SegmentAccess& access, const Segment& segment,
                                      std::span<const LineAccess> touched) {
  if (f_.half_waves != HalfWaves::none) {
    expand(segment, access, expanded_);
    return count_segments(expanded_, context_.wave_lanes, f_.half_waves);
  }
  const u32 made = units_of(touched, f_.l1.line_bytes, sector_bytes_);
  const u64 bytes = u64{static_cast<u32>(std::popcount(access.lanes))} * access.bytes;
  const u64 ideal = (bytes + sector_bytes_ - 1) >> std::countr_zero(sector_bytes_);
  return {made, static_cast<u32>(std::min<u64>(made, ideal))};
}

// The lines that the access touches.
Coalesced Cluster::coalesce_access(const SegmentAccess& access, const Segment& segment,
                                   std::span<LineAccess> out) {
  const u32 line_bytes = f_.l1.line_bytes;
  const bool plain = access.kind == AccessKind::load || access.kind == AccessKind::store;
  if (plain && f_.half_waves != HalfWaves::none && access.space != Space::image) {
    expand(segment, access, expanded_);
    Coalesced result;
    for (u32 first = 0; first < context_.wave_lanes; first += half_wave) {
      const u64 lanes = expanded_.lanes & u64{0xFFFF} << first;
      if (lanes != 0)
        result.lines += coalesce_half(expanded_, lanes, first, f_.half_waves, out.subspan(result.lines));
    }
    return result;
  }
  if (plain && access.pattern != Pattern::list && access.stride >= 0) {
    return coalesce_strided({access.base, static_cast<u64>(access.stride), access.bytes, access.lanes},
                            context_.wave_lanes, f_.lanes_per_address_cycle, line_bytes,
                            f_.gather_window_bytes, out);
  }
  expand(segment, access, expanded_);
  return coalesce(expanded_, context_.wave_lanes, f_.lanes_per_address_cycle, line_bytes,
                  f_.gather_window_bytes, out);
}

// Goes on with what is stuck.
void Cluster::go_on(Path& path, u32 number) {
  while (path.pipe_count > 0 && send_lines(path, number, path.pipe[path.pipe_first])) {
    path.pipe_first = (path.pipe_first + 1) % static_cast<u32>(path.pipe.size());
    --path.pipe_count;
  }
}

// False when it got stuck before the last line.
bool Cluster::send_lines(Path& path, u32 number, PipeEntry& entry) {
  return entry.kind == AccessKind::load ? send_lines_of<true>(path, number, entry)
                                        : send_lines_of<false>(path, number, entry);
}

template <bool load>
bool Cluster::send_lines_of(Path& path, u32 number, PipeEntry& entry) {
  // Where the banks' schedule says when, instructions that came by other ways do not hold this one up.
  if (f_.l1_tags_per_cycle != 0 && entry.done == 0) path.pipe_time = std::max(now_, entry.earliest);
  if (!load && f_.merged_store_lines != 0 && !entry.looked) merge_store(path, entry);
  if (entry.not_before == 0) entry.not_before = std::max(path.pipe_time, now_) + entry.data_cycles;
  const u64 from = std::max(now_, entry.earliest);
  u64 busy = 0;
  while (entry.done < entry.lines.size()) {
    LineAccess& line = entry.lines[entry.done];
    path.pipe_time = std::max(path.pipe_time, from) + line.idle_before;
    line.idle_before = 0;
    if (!(load ? send_load(path, number, entry, line) : send_store(path, number, entry, line))) {
      path.address_busy += busy;
      return false;
    }
    path.pipe_time += line.cycles;
    busy += line.cycles;
    ++entry.done;
  }
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

// What a wave's store has of the lines of its latest one joins that on its way, as long as those have not
// left: some cycles later they have, or when waves stored to so many others. Stores that others shall see at
// once, and atomics, join nothing.
void Cluster::merge_store(Path& path, PipeEntry& entry) {
  entry.looked = true;
  std::vector<OpenLine>& open = path.open_lines;
  const bool whole =
      std::ranges::all_of(entry.lines, [](const LineAccess& line) { return ~line.bytes == 0; });
  const bool joins = entry.kind == AccessKind::store && !entry.ordered && !whole &&
                     (entry.marks & (Mail::device_wide_bit | Mail::marked_bit)) == 0;
  if (open.empty() && !joins) return;
  const u64 time = std::max(path.pipe_time, std::max(now_, entry.earliest));
  const u32 wave = ops_[entry.op].wave, count = static_cast<u32>(entry.lines.size());
  const bool opens = joins && count <= f_.merged_store_lines;
  // Of 16 bytes a lane eight lanes go at a time, each as a store of its own: the first part meets what is
  // open, and the last part's lines are open behind it.
  const u32 part = (count + entry.parts - 1) / entry.parts;
  std::array<u64, 64> there{};  // bytes of each line that are open
  std::erase_if(open, [&](const OpenLine& one) {
    if (one.until <= time && path.pipe_count == 0) return true;  // none leaves while the way is full
    bool met = false;
    for (u32 i = 0; joins && i < std::min(part, 64u); ++i) {
      if (entry.lines[i].address >> line_shift_ != one.line) continue;
      met = true;
      there[i] = one.bytes;
      const u64 size = f_.l1.line_bytes;
      if (sectors_of(one.bytes | entry.lines[i].bytes, size, 32) == sectors_of(one.bytes, size, 32))
        entry.merged |= u64{1} << i;
    }
    // What a wave stored before goes when it stores elsewhere.
    return one.wave == wave || (met && opens);
  });
  if (!opens) return;
  const u64 until = time + count + f_.merged_store_cycles;
  for (u32 i = count - part; i < count; ++i) {
    const LineAccess& line = entry.lines[i];
    open.push_back({line.address >> line_shift_, until, there[i] | line.bytes, wave});
  }
  if (open.size() > f_.merged_store_lines)
    open.erase(open.begin(), open.end() - static_cast<std::ptrdiff_t>(f_.merged_store_lines));
}

// One line of a store or atomic, in the cycle path.pipe_time. False when it cannot go yet.
[[gnu::always_inline]] inline bool Cluster::send_store(Path& path, u32 number, PipeEntry& entry,
                                                       const LineAccess& line) {
  if (path.stores >= f_.stores_outstanding) return false;
  const u64 key = line.address >> line_shift_;
  const u32 found = path.l1.find(key, key);
  ++ops_[entry.op].remaining;
  ++path.stores;
  Mail mail;
  mail.address = line.address;
  u32 size = f_.l1.line_bytes;
  mail.tag = tag(Client::vector_store, number, entry.op);
  u32 data = 0;
  if (entry.kind == AccessKind::store) {
    mail.detail = entry.done < 64 && (entry.merged >> entry.done & 1) != 0;
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
  send_request(path, number, entry, mail, data);
  return true;
}

// One line of a load: those of its sectors that the load needs and that are neither there nor on their way
// are asked for, neighbouring ones together.
[[gnu::always_inline]] inline bool Cluster::send_load(Path& path, u32 number, PipeEntry& entry,
                                                      const LineAccess& line) {
  MemoryOp& op = ops_[entry.op];
  const u64 ready = path.pipe_time + l1_data_cycles_;
  const u64 key = line.address >> line_shift_;
  u32 need = 1;
  if (sectors_ > 1) {
    need = 0;
    for (u32 i = 0; i < sectors_; ++i) {
      const u64 granules = (u64{1} << sector_granules_) - 1;
      need |= static_cast<u32>((line.bytes >> i * sector_granules_ & granules) != 0) << i;
    }
  }
  const u32 set = path.l1.set_at(key);
  // What was absent when the line got stuck still is: lines come in order.
  u32 found = path.misses_wanted != 0 && path.wanted_absent ? CacheTags::none : path.l1.find_in(key, set);
  bool keeps = !entry.bypass;
  if (found != CacheTags::none) {
    if (entry.bypass) {
      if (sectors_ == 1 || path.l1.miss(found) == CacheTags::arrived) path.l1.invalidate(found);
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
    if ((need & ~valid) == 0) {
      ++counts_.l1_hits;
      ++op.figures->served[0];
      op.first_ready = std::min(op.first_ready, ready);
      op.last_ready = std::max(op.last_ready, ready);
      return true;
    }
  }
  const u32 missing = need & ~valid & ~on_way;
  // Each run of neighbours takes a miss.
  const u32 runs = static_cast<u32>(std::popcount(missing & ~(missing << 1)));
  if (runs > path.free_misses.size()) {
    path.misses_wanted = runs;
    path.wanted_absent = found == CacheTags::none && keeps;
    return false;
  }
  path.misses_wanted = 0;
  // A line on its way serves no one before its own look-up.
  if (missing == 0 || sectors_ > 1) op.last_ready = std::max(op.last_ready, ready);
  ++(missing == 0 ? counts_.l1_merges : counts_.l1_misses);
  u32 part = 0;
  const auto wait_for = [&](u32 miss) {
    path.misses[miss].first_waiter = add_waiter(entry.op | part, path.misses[miss].first_waiter);
    ++op.remaining;
    part = further_part;
  };
  u32 last = no_index;
  for (u32 bits = need & on_way; bits != 0; bits &= bits - 1) {
    const u32 miss = path.l1.data(found).miss[static_cast<u32>(std::countr_zero(bits))];
    if (miss != last) wait_for(miss);
    last = miss;
  }
  if (missing == 0) return true;
  if (found == CacheTags::none && keeps) {
    // When lines are on their way to all entries of the set, the line is not kept.
    found = path.l1.victim_in(set);
    if (found != CacheTags::none) path.l1.data(found) = {};
  }
  for (u32 rest = missing; rest != 0;) {
    const u32 first = static_cast<u32>(std::countr_zero(rest));
    const u32 count = static_cast<u32>(std::countr_one(rest >> first));
    const u32 sectors = ((1u << count) - 1) << first;
    rest &= ~sectors;
    const u32 miss = path.free_misses.back();
    path.free_misses.pop_back();
    path.misses[miss] = {found, no_index, static_cast<u8>(sectors)};
    if (found != CacheTags::none) {
      path.l1.place_in(set, found, key, miss);
      Sectors& state = path.l1.data(found);
      state.on_way |= static_cast<u8>(sectors);
      for (u32 s = first; s < first + count; ++s) state.miss[s] = miss;
    }
    Mail mail;
    mail.address = line.address + first * sector_bytes_;
    mail.what = Mail::what_of(MailKind::read, count * sector_bytes_);
    mail.tag = tag(Client::vector_miss, number, miss);
    send_request(path, number, entry, mail, 0);
    wait_for(miss);
  }
  return true;
}

// Hands a request with `data` bytes to the first shared level, once its page is known. The caches are
// addressed virtually: only what leaves them asks.
[[gnu::always_inline]] inline void Cluster::send_request(Path& path, u32 number, PipeEntry& entry, Mail& mail,
                                                         u32 data) {
  mail.what |= entry.marks;
  if (entry.ordered) {
    // Known by its first request.
    entry.ordered = false;
    mail.what |= Mail::ordered_bit;
    mail.detail = static_cast<u16>(number_);
    mail.order = entry.order;
  }
  const u64 slot = std::max(path.pipe_time, path.request_free);
  path.request_free = slot + (mail.merged()              ? 0
                              : data <= f_.request_bytes ? 1
                                                         : (data + f_.request_bytes - 1) / f_.request_bytes);

  const u64 page = hierarchy_.translation.page_of(mail.address);
  ++counts_.tlb_lookups;
  if (path.tlb.find(page)) return post(mail, slot);
  ++counts_.tlb_misses;
  path.translating.push_back({mail, slot, page, ops_[entry.op].figures});
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
      if (now_ > waiting.leaves) waiting.figures->translation_cycles += now_ - waiting.leaves;
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
  const u32 bytes = static_cast<u32>(std::popcount(miss.sectors)) * sector_bytes_;
  path.response_free = time + (bytes <= f_.response_bytes ? 1 : bytes / f_.response_bytes);
  if (miss.entry != no_index) {
    Sectors& sectors = path.l1.data(miss.entry);
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
  pump(path, number);
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
  pump(path, number);
}

[[gnu::always_inline]] inline void Cluster::line_ready(Path& path, u32 o, u64 time, u8 level, bool counts) {
  MemoryOp& op = ops_[o];
  if (counts) ++op.figures->served[level];
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
