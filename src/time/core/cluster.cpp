#include "time/core/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {

std::vector<u32> descending(u32 count) {
  std::vector<u32> numbers(count);
  for (u32 i = 0; i < count; ++i) numbers[i] = count - 1 - i;
  return numbers;
}

}  // namespace

Cluster::Cluster(const CoreFigures& figures, const Hierarchy& hierarchy, u32 number, u32 units)
    : f_(figures), hierarchy_(hierarchy), number_(number), units_count_(units) {
  LOCKSTEP_ASSERT(f_.slots_per_simd <= most_slots_per_simd, "a SIMD has at most so many slots");
  LOCKSTEP_ASSERT(units * f_.simds <= 64, "a cluster has at most 64 SIMDs");
}

void Cluster::build() {
  waves_.resize(std::size_t{units_count_} * f_.slots_per_unit());
  wave_began_.resize(waves_.size());
  simds_.resize(std::size_t{units_count_} * f_.simds);
  wake_.assign(simds_.size(), never);
  units_.resize(units_count_);
  line_buffer_.resize(std::size_t{most_line_accesses} * std::tuple_size_v<decltype(Outcome::access)>);
  counters_ = 0;
  for (u32 i = 0; i < wait_counter_count; ++i) {
    if (f_.has_counter[i]) counter_slot_[i] = static_cast<u8>(counters_++);
  }
  wait_.resize(waves_.size() * counters_);
  barriers_.resize(waves_.size());
  if (f_.near_instruction_cache.size_bytes != 0) {
    for (Simd& simd : simds_) {
      simd.near_code = CacheTags(f_.near_instruction_cache.sets(), f_.near_instruction_cache.ways);
      simd.near_code_ready.resize(simd.near_code.entries());
    }
  }
  for (u32 i = 0; i < waves_.size(); ++i) {
    Wave& wave = waves_[i];
    wave.handle = i;
    wave.slot = static_cast<u8>(i % f_.slots_per_simd);
    wave.simd = static_cast<u8>(i / f_.slots_per_simd % f_.simds);
    wave.unit = static_cast<u8>(i / f_.slots_per_unit());
  }
  line_shift_ = log2_of(f_.l1.line_bytes);
  sector_bytes_ = f_.l1_sector_bytes != 0 ? f_.l1_sector_bytes : f_.l1.line_bytes;
  sectors_ = f_.l1.line_bytes / sector_bytes_;
  for (Unit& unit : units_) {
    unit.ports.resize(f_.local_ports);
    for (LocalPort& port : unit.ports) port.start.assign(std::max(1u, f_.local_queue / f_.local_ports), 0);
    unit.paths.resize(f_.paths);
    for (Path& path : unit.paths) {
      path.finish.assign(f_.vector_queue, 0);
      path.pipe.resize(f_.vector_queue);
      set_l1(path, f_.l1.size_bytes);
      path.tlb = Tlb(hierarchy_.translation.near_entries);
      path.misses.resize(f_.l1_misses);
      path.free_misses = descending(f_.l1_misses);
      path.misses_left = f_.l1_misses;
      paths_.push_back(&path);
    }
  }
  const auto near = [this](NearCache& cache, const CacheShape& shape, u32 misses, u32 miss_cycles) {
    cache.tags = CacheTags(shape.sets(), shape.ways);
    cache.misses.resize(misses);
    cache.free_misses = descending(misses);
    cache.way = near_way(hierarchy_, miss_cycles, shape.line_bytes);
  };
  near(scalar_cache_, f_.scalar_cache, f_.scalar_misses, f_.scalar_miss_cycles);
  near(instruction_cache_, f_.instruction_cache, f_.instruction_misses, f_.instruction_miss_cycles);
  for (u32 simd = 0; simd < simds_.size(); ++simd) {
    unit_of_simd_.push_back(static_cast<u8>(simd / f_.simds));
    const u32 path = simd / f_.simds * f_.paths + simd % f_.simds / (f_.simds / f_.paths);
    path_of_simd_.push_back(static_cast<u8>(path));
    turn_of_simd_.push_back(static_cast<u8>(simd % f_.simds % f_.turn_cycles));
  }
  by_turn_ = Divider(f_.turn_cycles);
  // The next level has to know sectors, too.
  joins_sectors_ = f_.l1_joins_sectors && sector_bytes_ == request_sector &&
                   hierarchy_.levels[0].sector_bytes < hierarchy_.levels[0].line_bytes;
  if (sectors_ == 1 && f_.l1.line_bytes == hierarchy_.levels[0].line_bytes && f_.open_store_lines == 0 &&
      f_.half_waves == HalfWaves::none)
    run_lines_ = hierarchy_.run_lines;
  sector_granules_ = 64 / sectors_;
  code_shift_ = log2_of(f_.instruction_cache.line_bytes);
  scalar_shift_ = log2_of(f_.scalar_cache.line_bytes);
}

void Cluster::rest() {
  counts_ = {};
  failed_ = false;
  for (Wave& wave : waves_) wave.resident = false;
  for (Simd& simd : simds_) clear(simd);
  for (Unit& unit : units_) {
    unit.local_busy = unit.scalar_busy = unit.wave_cycles = 0;
    for (Path& path : unit.paths) path.address_busy = path.return_busy = 0;
  }
  scalar_cache_.busy = 0;
}

void Cluster::set_l1(Path& path, u32 bytes) {
  const CacheShape shape{bytes, f_.l1.line_bytes, f_.l1.ways};
  // Hashed sets hold no more than hardware's storage does: what-if's larger ones are not hashed.
  const u32 hashed = f_.l1_set_hash.sets();
  const u32 sets = shape.sets() <= hashed ? hashed : std::max(1u, shape.sets());
  if (path.l1.entries() != sets * shape.ways) path.l1 = LineTags(sets, shape.ways);
  if (sectors_ > 1) path.sector_misses.resize(path.l1.entries());
  if (f_.l1_keeps_stores) path.stored.resize(path.l1.entries());
  path.l1.keep_at_most(bytes / shape.line_bytes);
  path.l1.protect(f_.l1_protected_ways);
}

void Cluster::begin_launch(const ClusterContext& context, std::unique_ptr<WaveSource> source) {
  if (units_.empty()) build();
  context_ = context;
  group_ = context.map->group_of_cluster(0, number_);
  source_ = std::move(source);
  counts_ = {};
  program_ops_ = context.program->ops.data();
  in_regions_ = !context.program->regions.empty();
  plain_ = in_regions_ || f_.vector_pipes > 1 ? 0 : OpHints::plain;
  if (!context.program->goes_on_at.empty()) {
    lines_.resize(waves_.size());
    taken_ahead_.assign(waves_.size(), nullptr);
  }
  issue_ring_ = context.looks_back == 0 ? 0 : std::bit_ceil(context.looks_back + 1);
  issue_cycles_.assign(waves_.size() * issue_ring_, 0);
  executions_.assign(waves_.size() * context.program->counters, 0);
  failed_ = false;
  address_cycles_ = std::max(1u, context.wave_lanes / f_.lanes_per_address_cycle);
  const u32 work = f_.front_queue == 0 ? f_.lane_cycles(context.wave_lanes) + f_.wait_cycles : f_.near_work();
  l1_data_cycles_ = f_.l1_hit_cycles > work ? f_.l1_hit_cycles - work : 1;
  if (context.limits->l1_bytes != 0) {
    for (Unit& unit : units_) {
      for (Path& path : unit.paths) set_l1(path, context.limits->l1_bytes);
    }
  }
  reset();
  code_place_ = context.code_place;
  invalidate_data();
  if (!f_.keeps_code) invalidate_code();
  begin_code();
  if (context.holds_code) hold_code();
  if (context.trace == nullptr) return;
  trace_ = std::make_unique<LaunchTrace>(*context.trace);
  trace_->line_bytes = f_.l1.line_bytes;
  trace_->bank_turns.assign(f_.local_banks, 0);
  trace_wave_.assign(waves_.size(), 0);
}

// All but its instruction cache.
void Cluster::clear(Simd& simd) {
  Simd fresh;
  std::swap(fresh.near_code, simd.near_code);
  std::swap(fresh.near_code_ready, simd.near_code_ready);
  simd = std::move(fresh);
}

// Time begins anew; nothing of an earlier launch is on its way.
void Cluster::reset() {
  now_ = 0;
  std::fill(agenda_.begin(), agenda_.end(), 0);
  std::fill(agenda_cycles_.begin(), agenda_cycles_.end(), 0);
  running_simd_ = no_index;
  ordered_.clear();
  first_order_ = 0;
  std::fill(wake_.begin(), wake_.end(), never);
  for (Simd& simd : simds_) clear(simd);
  for (Wave& wave : waves_) wave.resident = false;
  groups_.clear();
  free_groups_.clear();
  ops_.clear();
  free_op_ = no_index;
  waiters_.clear();
  free_waiter_ = no_index;
  fetch_waits_.clear();
  free_fetch_waits_.clear();
  const auto reset_misses = [](auto& misses, std::vector<u32>& free, auto& tags) {
    for (auto& miss : misses) miss = {};
    free = descending(static_cast<u32>(misses.size()));
    tags.drop_misses();
  };
  for (Unit& unit : units_) {
    unit.local_next = unit.scalar_free = 0;
    unit.code = {};
    unit.exchanged.clear();
    for (BankSchedule& half : unit.banks) half.clear();
    unit.groups_in_half = {};
    unit.stage_free = unit.arrival_free = 0;
    unit.unit_free = {};
    unit.local_busy = unit.scalar_busy = unit.wave_cycles = 0;
    for (LocalPort& port : unit.ports) port.free = port.issued = 0, port.left = 0;
    for (Path& path : unit.paths) {
      path.next = path.pipe_time = path.issued = path.finished = 0;
      path.pipe_first = path.pipe_count = path.stores = 0;
      path.open_lines.clear();
      path.first_asked = 0;
      path.queue_waiters = path.wanted_absent = false;
      path.waiting_simds = path.latest_simd = 0;
      path.any_simd_from = never;
      path.misses_wanted = 0;
      path.way_free = path.stored_until = path.request_free = path.response_free = path.return_free = 0;
      path.translating.clear();
      path.asked_pages.clear();
      path.return_first = path.return_last = no_index;
      path.address_busy = path.return_busy = 0;
      reset_misses(path.misses, path.free_misses, path.l1);
      path.misses_left = f_.l1_misses;
    }
  }
  forget_latest_code();
  for (NearCache* cache : {&scalar_cache_, &instruction_cache_}) {
    cache->port_free = cache->busy = 0;
    cache->port.clear();
    cache->deferred.clear();
    reset_misses(cache->misses, cache->free_misses, cache->tags);
  }
}

void Cluster::invalidate() {
  for (Unit& unit : units_) {
    for (Path& path : unit.paths) path.tlb.invalidate_all();
  }
  invalidate_data();
  invalidate_code();
}

void Cluster::invalidate_data() {
  for (Unit& unit : units_) {
    for (Path& path : unit.paths) path.l1.invalidate_all();
  }
  scalar_cache_.tags.invalidate_all();
}

void Cluster::invalidate_code() {
  instruction_cache_.tags.invalidate_all();
  forget_latest_code();
  for (Simd& simd : simds_) simd.near_code.invalidate_all();
}

u64 Cluster::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  outbox_ = &outbox;
  window_begin_ = begin;
  window_end_ = end;
  const std::size_t length = end - begin;
  if (agenda_.size() < length) {
    agenda_.resize(length);
    agenda_cycles_.resize((length + 63) / 64);
  }
  next_turn_ = no_index;
  look_ahead(inbox);
  begin_turns(end);
  const Mail* mail = inbox.data();
  const Mail* const last = mail + inbox.size();
  while (true) {
    if (mail != last && mail->cycle <= next_turn_) {
      now_ = begin + mail->cycle;
      receive(*mail++);
      if (failed_) return never;
      continue;
    }
    if (next_turn_ == no_index) break;
    const u32 cycle = next_turn_;
    now_ = begin + cycle;
    // In the order of their numbers; again when one is woken for this cycle by another behind it.
    u64& agenda = agenda_[cycle];
    while (agenda != 0) {
      for (u64 rest = ~u64{0}; (agenda & rest) != 0;) {
        const u32 simd = static_cast<u32>(std::countr_zero(agenda & rest));
        rest = simd == 63 ? 0 : ~u64{0} << (simd + 1);
        agenda &= ~(u64{1} << simd);
        if (wake_[simd] > now_) continue;
        run_simd(simd);
        if (failed_) return never;
      }
    }
    next_turn_ = turn_after(cycle);
  }
  now_ = end;
  u64 next = never;
  for (const u64 wake : wake_) next = std::min(next, wake);
  return next;
}

// Forgets the cycle of the window; the next one in which a SIMD may have its turn.
u32 Cluster::turn_after(u32 cycle) {
  std::size_t word = cycle / 64;
  agenda_cycles_[word] &= ~(u64{1} << (cycle % 64));
  while (word < agenda_cycles_.size() && agenda_cycles_[word] == 0) ++word;
  if (word == agenda_cycles_.size()) return no_index;
  return static_cast<u32>(word * 64) + static_cast<u32>(std::countr_zero(agenda_cycles_[word]));
}

void Cluster::fail(Diagnostic diagnostic) {
  failed_ = true;
  outbox_->alarm();
  failure_ = std::move(diagnostic);
}

void Cluster::perform(u32 order) {
  OrderedAccess& access = ordered_[order - first_order_];
  source_->perform(access.token);
  access.performed = true;
  for (; !ordered_.empty() && ordered_.front().performed; ++first_order_) ordered_.pop_front();
}

[[gnu::always_inline]] inline void Cluster::receive(const Mail& mail) {
  switch (mail.kind()) {
    case MailKind::begin_group:
      begin_group(mail);
      break;
    case MailKind::translated:
      translated(mail);
      break;
    default: {
      LOCKSTEP_ASSERT(mail.kind() == MailKind::answer, "a cluster gets groups, translations and answers");
      const auto [client, path, number] = read_tag(mail.tag);
      const u8 level = static_cast<u8>(mail.detail);
      switch (client) {
        case Client::vector_miss:
          vector_returned(path_of(path), path, number, mail.bytes, level);
          break;
        case Client::vector_store:
          store_returned(path_of(path), path, number, mail.lines(line_shift_), level);
          break;
        case Client::scalar:
          scalar_returned(number, level);
          break;
        case Client::instruction:
          instructions_returned(number);
          break;
      }
    }
  }
}

void Cluster::begin_group(const Mail& mail) {
  u32 index = 0;
  if (free_groups_.empty()) {
    index = static_cast<u32>(groups_.size());
    groups_.emplace_back();
  } else {
    index = free_groups_.back();
    free_groups_.pop_back();
  }
  Group& group = groups_[index];
  group.index = mail.address;
  group.unit = mail.tag;
  group.alive = mail.size();
  group.arrived = group.looking = 0;
  group.latest_arrival = 0;
  // All groups of a launch are of one size: the half with fewer of them has more room.
  std::array<u32, 2>& in_half = units_[group.unit].groups_in_half;
  group.half = f_.local_halves > 1 && in_half[1] < in_half[0] ? 1 : 0;
  ++in_half[group.half];
  group.handles.resize(mail.size());
  for (u32 turn = 0; turn < mail.size(); ++turn) {
    const u32 i = f_.greedy ? mail.size() - 1 - turn : turn;
    const u32 simd = group.unit * f_.simds + ((mail.bytes >> 2 * i & 3) | (mail.order >> i & 1) << 2);
    Simd& s = simds_[simd];
    const u32 slot = static_cast<u32>(std::countr_one(s.used_slots));
    LOCKSTEP_ASSERT(slot < f_.slots_per_simd, "the dispatcher knows which slots are free");
    s.used_slots |= 1u << slot;
    s.priority[slot] = 0;
    s.age[slot] = s.arrivals++;
    const u32 handle = simd * f_.slots_per_simd + slot;
    Wave& wave = waves_[handle];
    wave.position = static_cast<u8>(s.count++);
    s.slots[wave.position] = static_cast<u8>(slot);
    ++wave.generation;
    wave.group = index;
    wave.resident = true;
    wave.blocked = wave.at_barrier = wave.looks_again = wave.without_segment = false;
    wave.reason = Stall::launch;
    wave_began_[handle] = wave.since = now_;
    repeats_.begin_wave(handle);
    wave.blocks = 0;
    wave.issued = 0;
    for (u32 c = 0; c < counters_; ++c)
      wait_[handle * counters_ + c].issued = wait_[handle * counters_ + c].resolved = 0;
    barriers_[handle] = {};
    std::fill_n(executions_.begin() + handle * context_.program->counters, context_.program->counters,
                u16{0});
    wave.left_at = no_index;
    wave.in_bypass = false;
    group.handles[i] = handle;
    if (trace_ != nullptr) [[unlikely]] {
      trace_wave_[handle] = static_cast<u32>(trace_->waves.size());
      trace_->waves.push_back({group.index, i, device_unit(wave.unit), wave.simd, wave.slot, now_, now_});
    }
    counts_.timeline.change(now_, 1);
    ++counts_.waves;
  }
  source_->begin_group(group.index, group.handles);
  // One wave after the other gets its registers.
  u64 start = now_;
  for (const u32 handle : groups_[index].handles) {
    Wave& wave = waves_[handle];
    start += f_.cycles_per_wave;
    wave.base = start;
    if (in_regions()) {
      const Step step = next_segment(wave);
      LOCKSTEP_ASSERT(step == Step::found, "a wave begins with instructions");
    } else {
      begin_segment(wave, source_->next(handle));
      wave.pc = wave.segment->first;
    }
    flush_buffer(wave, start);
    evaluate(wave);
  }
}

void Cluster::end_wave(Wave& wave) {
  const u32 id = wave.unit * f_.simds + wave.simd;
  Simd& simd = simds_[id];
  set_ready(simd, wave, never);
  simd.used_slots &= ~(1u << wave.slot);
  if (id == running_simd_) {
    simd.ended |= 1u << wave.position;
  } else {
    remove_from(simd, id, wave.position);
  }
  wave.resident = false;
  ++wave.generation;
  if (trace_ != nullptr) [[unlikely]]
    trace_->waves[trace_wave_[wave.handle]].end = now_ + 1;
  const u64 resident = now_ + 1 - wave_began_[wave.handle];
  counts_.wave_cycles += resident;
  counts_.longest_wave_cycles = std::max(counts_.longest_wave_cycles, resident);
  units_[wave.unit].wave_cycles += resident;
  counts_.timeline.end(now_);
  counts_.last_end = std::max(counts_.last_end, now_ + 1);

  Group& group = groups_[wave.group];
  const bool last = --group.alive == 0;
  Mail mail;
  mail.address = group.index;
  mail.tag = device_unit(wave.unit);
  mail.what = Mail::what_of(MailKind::wave_ended, wave.simd);
  if (last) mail.what |= Mail::marked_bit;
  mail.bytes = group.handles.size();
  outbox_->send(context_.dispatcher, now_ + f_.wave_end_cycles, mail);
  if (last) {
    --units_[group.unit].groups_in_half[group.half];
    source_->end_group(group.index);
    free_groups_.push_back(wave.group);
  } else {
    if (group.arrived == group.alive) release_barrier(group);
    if (group.looking != 0) look_again(group);
  }
}

void Cluster::arrive_at_barrier(Wave& wave) {
  Group& group = groups_[wave.group];
  wave.at_barrier = true;
  wave.blocked = true;
  wave.reason = Stall::barrier;
  leave_clause(simd_of(wave), wave);
  set_ready(simd_of(wave), wave, never);
  ++counts_.barriers;
  Unit& unit = units_[wave.unit];
  unit.arrival_free = std::max(unit.arrival_free, now_) + f_.barrier_arrival_cycles;
  group.latest_arrival = std::max(now_, unit.arrival_free);
  if (++group.arrived == group.alive) release_barrier(group);
}

void Cluster::release_barrier(Group& group) {
  if (group.arrived == 0) return;
  group.arrived = 0;
  const u64 released = std::max(now_, group.latest_arrival) + f_.barrier_cycles;
  for (const u32 handle : group.handles) {
    Wave& wave = waves_[handle];
    if (!wave.resident || !wave.at_barrier || wave.looks_again || &groups_[wave.group] != &group) continue;
    wave.at_barrier = wave.blocked = false;
    next_instruction(wave, released, false);
    if (failed_) return;
  }
}

// Waves whose barriers the ISA counts learn of the others there: they look when one has come or ended. What
// finds nothing new has not issued.
void Cluster::look_again(Group& group) {
  group.looking = 0;
  for (const u32 handle : group.handles) {
    Wave& wave = waves_[handle];
    if (!wave.resident || !wave.looks_again || &groups_[wave.group] != &group) continue;
    wave.looks_again = wave.at_barrier = wave.blocked = false;
    next_instruction(wave, now_ + f_.barrier_cycles, false);
    if (failed_) return;
  }
}

void Cluster::stop(u64 time) {
  // What a wave is known to do until a later time has been charged to it already.
  std::vector<u64> ends;
  for (Wave& wave : waves_) {
    if (!wave.resident) continue;
    settle(wave, time);
    counts_.wave_cycles += wave.since - wave_began_[wave.handle];
    units_[wave.unit].wave_cycles += wave.since - wave_began_[wave.handle];
    ends.push_back(wave.since);
  }
  std::sort(ends.begin(), ends.end());
  for (const u64 end : ends) counts_.timeline.change(end, -1);
  counts_.last_end = std::max({counts_.last_end, time, ends.empty() ? 0 : ends.back()});
}

void Cluster::add_busy(ClusterBusy& into) const {
  if (units_.empty()) {
    const auto idle = [](std::vector<u64>& of, std::size_t count) { of.resize(of.size() + count); };
    idle(into.vector, std::size_t{units_count_} * f_.simds);
    idle(into.matrix, std::size_t{units_count_} * f_.simds);
    idle(into.issued, std::size_t{units_count_} * f_.simds);
    idle(into.wave_cycles, units_count_);
    idle(into.scalar, units_count_);
    idle(into.local, units_count_);
    idle(into.address, std::size_t{units_count_} * f_.paths);
    idle(into.back, std::size_t{units_count_} * f_.paths);
    idle(into.scalar_cache, 1);
    return;
  }
  for (const Simd& simd : simds_) {
    into.vector.push_back(simd.busy / f_.vector_pipes);
    into.issued.push_back(simd.issued);
    into.matrix.push_back(simd.matrix_busy);
  }
  for (const Unit& unit : units_) {
    into.wave_cycles.push_back(unit.wave_cycles);
    into.scalar.push_back(unit.scalar_busy);
    into.local.push_back(unit.local_busy);
    for (const Path& path : unit.paths) {
      into.address.push_back(path.address_busy);
      into.back.push_back(path.return_busy);
    }
  }
  into.scalar_cache.push_back(scalar_cache_.busy);
}

void Cluster::list_blocked(std::vector<std::string>& into) const {
  for (const Wave& wave : waves_) {
    if (!wave.resident) continue;
    into.push_back(fmt::format(
        "wave {} of group {} at instruction {}: {}", wave.handle, groups_[wave.group].index,
        instruction_of(wave),
        wave.at_barrier ? "waits for the other waves of its group at a barrier" : meaning(wave.reason)));
  }
}

// A value that the machine's code keeps in local memory and the module's in a register: a word of each
// lane, side by side, in the room of the wave's place in the device.
std::span<const SegmentAccess> Cluster::spilled(Wave& wave, const TimedOp& op) {
  constexpr u64 spill_window = u64{1} << 39;  // no launch's memory reaches so far
  const u64 lanes = active_of(wave), row = u64{4} * context_.wave_lanes;
  if (lanes == 0) return {};
  const u64 place = u64{number_} * f_.units_per_cluster * f_.slots_per_unit() + wave.handle;
  spilled_.space = Space::private_memory;
  spilled_.kind = (op.flags & TimedOp::memory_store) != 0 ? AccessKind::store : AccessKind::load;
  spilled_.bytes = op.access_bytes;
  spilled_.pattern = Pattern::strided;
  spilled_.lanes = lanes;
  spilled_.base = spill_window + (place * context_.program->spilled_words + op.argument) * row;
  spilled_.stride = op.access_bytes;
  return {&spilled_, 1};
}

std::span<const SegmentAccess> Cluster::accesses_of(Wave& wave) {
  const std::vector<SegmentAccess>& all = wave.segment->accesses;
  if (in_regions()) {
    const TimedOp& op = op_of(wave);
    if (wave.in_bypass) return {};
    if (op.access == TimedOp::spilled) return spilled(wave, op);
    if ((op.flags & TimedOp::carries_access) == 0) return {};
    const u32 at = op.instruction - wave.segment->first;
    const auto first = std::ranges::lower_bound(all, at, {}, &SegmentAccess::instruction);
    auto last = first;
    while (last != all.end() && last->instruction == at) ++last;
    if (op.access == TimedOp::all_accesses) return {first, last};
    if (op.access >= last - first) return {};
    return {first + op.access, 1};
  }
  if (wave.access == no_index) return {};
  u32 end = wave.access;
  while (end < all.size() && all[end].instruction == wave.at) ++end;
  return {all.data() + wave.access, end - wave.access};
}

}  // namespace lockstep
