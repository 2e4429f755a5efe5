#include "time/dispatch/dispatcher.h"

#include <algorithm>

namespace lockstep {

std::string_view name(DispatchLimit limit) {
  constexpr std::array<std::string_view, dispatch_limit_count> names = {
      "port", "wave_slots", "vector_registers", "scalar_registers", "local_memory", "group_slots"};
  return names[static_cast<std::size_t>(limit)];
}

u32 waves_of_group(const NdRange& range, u64 group, u32 wave_lanes) {
  u64 items = 1;
  for (u32 d = 0; d < 3; ++d) {
    const u64 groups = range.groups(d);
    const u64 id = group % groups;
    group /= groups;
    items *= std::min<u64>(range.local[d], range.global[d] - id * range.local[d]);
  }
  return static_cast<u32>((items + wave_lanes - 1) / wave_lanes);
}

Dispatcher::Dispatcher(const CoreFigures& figures, u32 first_cluster)
    : f_(figures),
      first_cluster_(first_cluster),
      port_free_(figures.engines, 0),
      unit_free_(figures.units, 0),
      engine_next_(figures.engines, 0) {
  LOCKSTEP_ASSERT(f_.simds <= 8, "a unit has at most 8 SIMDs");
}

void Dispatcher::begin_launch(const LaunchLimits& limits, const NdRange& range, u32 wave_lanes, u64 first) {
  limits_ = limits;
  range_ = range;
  wave_lanes_ = wave_lanes;
  simds_per_part_ = limits.simds_per_group == 0 ? f_.simds : limits.simds_per_group;
  parts_per_unit_ = f_.simds / simds_per_part_;
  uses_.assign(f_.clusters(), false);
  first_uses_.clear();
  parts_.assign(std::size_t{f_.units} * parts_per_unit_, {});
  may_fit_.assign(parts_.size(), 1);
  std::fill(port_free_.begin(), port_free_.end(), 0);
  std::fill(unit_free_.begin(), unit_free_.end(), 0);
  std::fill(engine_next_.begin(), engine_next_.end(), 0);
  if (waited_) first_engine_ = next_engine_;
  waited_ = false;
  next_engine_ = first_engine_;
  next_start_ = next_end_ = 0;
  ends_.clear();
  last_end_ = ends_kept_room_ = 0;
  next_group_ = groups_done_ = 0;
  total_groups_ = range.total_groups();
  first_ = last_start_ = first;
  again_ = first;
  blocked_since_ = never;
  stalls_ = {};
}

u64 Dispatcher::sending_cycles() const {
  u64 room = 0;
  for (std::size_t i = 0; i < dispatch_limit_count; ++i)
    room += static_cast<DispatchLimit>(i) == DispatchLimit::port ? 0 : stalls_[i];
  const u64 all = last_start_ - first_;
  return all > room ? all - room + ends_kept_room_ : ends_kept_room_;
}

u64 Dispatcher::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  std::size_t mail = 0;
  while (true) {
    const u64 time = std::min({mail < inbox.size() ? begin + inbox[mail].cycle : never, again_,
                               ends_.empty() ? never : ends_.front().time});
    if (time >= end) return time;
    // Between two events nothing changes.
    if (!ends_.empty() && blocked_since_ != never && blocked_by_ != DispatchLimit::port)
      ends_kept_room_ += time - std::max(now_, blocked_since_);
    now_ = time;
    for (; !ends_.empty() && ends_.front().time == time; ends_.pop_front()) release(ends_.front().mail);
    for (; mail < inbox.size() && begin + inbox[mail].cycle == time; ++mail) heard(inbox[mail]);
    again_ = next_group_ < total_groups_ && now_ >= first_ ? dispatch(outbox) : again_;
    if (next_group_ >= total_groups_) again_ = never;
  }
}

void Dispatcher::heard(const Mail& mail) {
  LOCKSTEP_ASSERT(mail.kind() == MailKind::wave_ended, "the dispatcher hears of waves' ends");
  if (f_.cycles_per_256_ends == 0 || !mail.marked()) return release(mail);
  next_end_ = std::max(next_end_, now_ << 8) + f_.cycles_per_256_ends;
  ends_.push_back({(next_end_ + 255) >> 8, mail});
  last_end_ = ends_.back().time - f_.wave_end_cycles;
}

void Dispatcher::release(const Mail& mail) {
  const u32 simd = mail.size();
  const u32 number = mail.tag * parts_per_unit_ + simd / simds_per_part_;
  Part& part = parts_[number];
  if (limits_.whole_groups) {
    part.ended.push_back({mail.address, simd});
    if (!mail.marked()) return;
    std::erase_if(part.ended, [&](const Part::Ended& one) {
      if (one.group == mail.address) --part.used[one.simd % simds_per_part_];
      return one.group == mail.address;
    });
  } else {
    --part.used[simd % simds_per_part_];
  }
  may_fit_[number] = 1;
  if (!mail.marked()) return;
  --part.groups;
  if (mail.bytes > 1) --part.barrier_groups;
  ++groups_done_;
}

bool Dispatcher::place(const Part& part, u32 waves, DispatchLimit& limit) const {
  if (part.groups >= limits_.groups_local) {
    limit = DispatchLimit::local_memory;
    return false;
  }
  if (part.groups >= limits_.groups_any || (waves > 1 && part.barrier_groups >= limits_.groups_barriers)) {
    limit = DispatchLimit::group_slots;
    return false;
  }
  const u32 per_simd = limits_.waves_per_simd();
  u32 free = 0;
  for (u32 s = 0; s < simds_per_part_; ++s) free += part.used[s] < per_simd ? per_simd - part.used[s] : 0;
  if (free < waves) {
    limit = per_simd == limits_.waves_per_simd_slots    ? DispatchLimit::wave_slots
            : per_simd == limits_.waves_per_simd_vector ? DispatchLimit::vector_registers
                                                        : DispatchLimit::scalar_registers;
    return false;
  }
  return true;
}

// Groups go round the dies, and round the shader engines of each.
u32 Dispatcher::engine_of_turn(u32 turn) const {
  return turn % f_.dies * (f_.engines / f_.dies) + turn / f_.dies;
}

// Engines have as many units as each other, or one more.
u32 Dispatcher::first_part(u32 engine) const {
  return static_cast<u32>(u64{engine} * f_.units / f_.engines) * parts_per_unit_;
}

u64 Dispatcher::dispatch(Outbox& outbox) {
  u32 budget = f_.groups_per_cycle;
  if (next_start_ >> 8 > now_ && next_group_ < total_groups_) return next_start_ >> 8;
  const u32 engines = f_.engines;
  while (next_group_ < total_groups_ && budget > 0) {
    const u32 waves = waves_of_group(range_, next_group_, wave_lanes_);
    u64 next_port = never;
    DispatchLimit limit = DispatchLimit::port;
    bool placed = false;
    u32 emptiest = ~u32{0}, emptiest_engine = 0, emptiest_turn = 0;
    const auto place_in = [&](u32 number, u32 engine, u32 turn) {
      const u32 first = first_part(engine), count = first_part(engine + 1) - first;
      if (blocked_since_ != never) {
        stalls_[static_cast<std::size_t>(blocked_by_)] += now_ - blocked_since_;
        blocked_since_ = never;
      }
      engine_next_[engine] = (number - first + 1) % count;
      const bool stays = f_.by_engine && engine_next_[engine] != 0;
      next_engine_ = stays ? turn : (turn + 1) % engines;
      start(number, waves, engine, outbox);
      placed = true;
    };
    for (u32 e = 0; e < engines && !placed; ++e) {
      const u32 turn = (next_engine_ + e) % engines;
      const u32 engine = engine_of_turn(turn);
      const u32 first = first_part(engine);
      const u32 count = first_part(engine + 1) - first;
      for (u32 c = 0; c < count; ++c) {
        const u32 at = engine_next_[engine] + c;
        const u32 number = first + (at < count ? at : at - count);
        if (may_fit_[number] == 0) continue;
        const Part& part = parts_[number];
        if (!place(part, waves, limit)) {
          // Groups differ in size only at the range's ends: what doesn't fit now fits after a release.
          may_fit_[number] = 0;
          continue;
        }
        if (port_free_[engine] > now_) {
          next_port = std::min(next_port, port_free_[engine]);
          break;
        }
        if (const u64 free = unit_free_[number / parts_per_unit_]; free > now_) {
          next_port = std::min(next_port, free);
          continue;
        }
        // Engines of different sizes: breadth first is by what the units hold.
        if (limits_.whole_groups) {
          if (emptiest == ~u32{0} || part.groups < parts_[emptiest].groups)
            emptiest = number, emptiest_engine = engine, emptiest_turn = turn;
          break;
        }
        place_in(number, engine, turn);
        break;
      }
    }
    if (emptiest != ~u32{0}) place_in(emptiest, emptiest_engine, emptiest_turn);
    if (!placed) {
      if (blocked_since_ == never) {
        blocked_since_ = now_;
        blocked_by_ = next_port != never ? DispatchLimit::port : limit;
        waited_ = waited_ || (f_.by_engine && next_port == never);
      }
      return next_port;
    }
    --budget;
    if (next_start_ >> 8 > now_) return next_start_ >> 8;
  }
  return now_ + 1;
}

void Dispatcher::start(u32 number, u32 waves, u32 engine, Outbox& outbox) {
  Part& part = parts_[number];
  const u32 unit = number / parts_per_unit_;
  const u32 first_simd = number % parts_per_unit_ * simds_per_part_;
  const u32 per_simd = limits_.waves_per_simd();
  ++part.groups;
  if (waves > 1) ++part.barrier_groups;
  Mail mail;
  last_start_ = now_;
  mail.address = next_group_++;
  mail.what = Mail::what_of(MailKind::begin_group, waves);
  mail.tag = unit % f_.units_per_cluster;
  const u32 cluster = unit / f_.units_per_cluster;
  if (!uses_[cluster]) {
    uses_[cluster] = true;
    first_uses_.push_back(cluster);
    outbox.pause();
  }
  for (u32 i = 0; i < waves; ++i) {
    u32 simd = part.next_simd;
    while (part.used[simd] >= per_simd) simd = (simd + 1) % simds_per_part_;
    part.next_simd = (simd + 1) % simds_per_part_;
    ++part.used[simd];
    mail.bytes |= u64{(first_simd + simd) & 3} << 2 * i;
    mail.order |= (first_simd + simd) >> 2 << i;
  }
  if (f_.cycles_per_256_groups != 0)
    next_start_ = std::max(next_start_, now_ << 8) + f_.cycles_per_256_groups;
  // The shader engine's port starts one wave after the other, and so does the unit.
  port_free_[engine] = now_ + u64{waves} * f_.cycles_per_wave;
  unit_free_[unit] = now_ + u64{waves} * f_.unit_cycles_per_wave;
  outbox.send(first_cluster_ + cluster, now_ + f_.wave_start_cycles, mail);
}

}  // namespace lockstep
