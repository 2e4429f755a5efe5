// The dispatcher: work-groups go to compute units in order, round robin over shader engines and over the
// compute units of each; all waves of a group are placed at once or none. A wave's slot and registers are
// free again when it ends, local memory and the group's barrier when the last wave of the group does.
#include <fmt/format.h>

#include <algorithm>

#include "time/gcn5_device.h"

namespace lockstep {

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

namespace gcn5 {

bool Device::place(u32 number, u32 waves, DispatchLimit& limit) {
  ComputeUnit& unit = units_[number];
  if (unit.groups >= limits_.groups_local) {
    limit = DispatchLimit::local_memory;
    return false;
  }
  if (waves > 1 && unit.barrier_groups >= limits_.groups_barriers) {
    limit = DispatchLimit::group_slots;
    return false;
  }
  const u32 per_simd = limits_.waves_per_simd();
  u32 free = 0;
  for (u32 s = 0; s < p_.simds; ++s) {
    const u32 used = static_cast<u32>(std::popcount(simds_[number * p_.simds + s].used_slots));
    free += used < per_simd ? per_simd - used : 0;
  }
  if (free < waves) {
    limit = per_simd == limits_.waves_per_simd_slots    ? DispatchLimit::wave_slots
            : per_simd == limits_.waves_per_simd_vector ? DispatchLimit::vector_registers
                                                        : DispatchLimit::scalar_registers;
    return false;
  }
  return true;
}

void Device::dispatch() {
  u32 budget = p_.groups_per_cycle;
  const u32 engines = p_.shader_engines;
  const u32 per_engine = p_.compute_units / engines;
  while (next_group_ < total_groups_ && budget > 0) {
    const u32 waves = waves_of_group(launch_.range, next_group_, 64);
    u64 next_port = never;
    DispatchLimit limit = DispatchLimit::port;
    bool placed = false;
    for (u32 e = 0; e < engines && !placed; ++e) {
      const u32 engine = (next_engine_ + e) % engines;
      for (u32 c = 0; c < per_engine; ++c) {
        const u32 number = engine * per_engine + (engine_next_[engine] + c) % per_engine;
        if (!units_[number].may_fit) continue;
        if (!place(number, waves, limit)) {
          // Groups differ in size only at the range's ends: what doesn't fit now fits after a release.
          units_[number].may_fit = false;
          continue;
        }
        if (port_free_[engine] > now()) {
          next_port = std::min(next_port, port_free_[engine]);
          break;
        }
        if (dispatch_blocked_since_ != never) {
          counts_.dispatch_stalls[static_cast<std::size_t>(dispatch_limit_)] +=
              now() - dispatch_blocked_since_;
          dispatch_blocked_since_ = never;
        }
        engine_next_[engine] = (number - engine * per_engine + 1) % per_engine;
        next_engine_ = (engine + 1) % engines;
        start_group(number, waves, engine);
        placed = true;
        break;
      }
    }
    if (!placed) {
      if (dispatch_blocked_since_ == never) {
        dispatch_blocked_since_ = now();
        dispatch_limit_ = next_port != never ? DispatchLimit::port : limit;
      }
      if (next_port != never) queue_.wake(dispatcher_component(), next_port);
      return;
    }
    --budget;
  }
  if (next_group_ < total_groups_) queue_.wake(dispatcher_component(), now() + 1);
}

void Device::start_group(u32 number, u32 waves, u32 engine) {
  ComputeUnit& unit = units_[number];
  u32 index = 0;
  if (free_groups_.empty()) {
    index = static_cast<u32>(groups_.size());
    groups_.emplace_back();
  } else {
    index = free_groups_.back();
    free_groups_.pop_back();
  }
  Group& group = groups_[index];
  group.index = next_group_++;
  group.compute_unit = number;
  group.alive = group.waves = waves;
  group.arrived = 0;
  group.handles.clear();
  ++unit.groups;
  if (waves > 1) ++unit.barrier_groups;
  const u32 per_simd = limits_.waves_per_simd();
  for (u32 i = 0; i < waves; ++i) {
    u32 simd = unit.next_simd;
    while (static_cast<u32>(std::popcount(simds_[number * p_.simds + simd].used_slots)) >= per_simd)
      simd = (simd + 1) % p_.simds;
    unit.next_simd = (simd + 1) % p_.simds;
    Simd& s = simds_[number * p_.simds + simd];
    const u32 slot = static_cast<u32>(std::countr_one(s.used_slots));
    s.used_slots |= 1u << slot;
    s.order[s.count++] = static_cast<u8>(slot);
    s.ready[slot] = never;
    const u32 handle = (number * p_.simds + simd) * p_.waves_per_simd + slot;
    Wave& wave = waves_[handle];
    ++wave.generation;
    wave.group = index;
    wave.resident = true;
    wave.blocked = wave.at_barrier = false;
    wave.reason = Stall::launch;
    wave.began = wave.since = now();
    wave.blocks = 0;
    wave.scalar_pending = {};
    wave.vm_issued = wave.vm_resolved = 0;
    wave.lgkm_used = 0;
    group.handles.push_back(handle);
    timeline_.change(now(), 1);
    ++waves_started_;
  }
  source_.begin_group(group.index, number, group.handles);
  // The shader engine's port starts one wave after the other.
  for (u32 handle : group.handles) {
    Wave& wave = waves_[handle];
    wave.pc = static_cast<u32>(source_.peek(handle) - launch_.code.data());
    LOCKSTEP_ASSERT(wave.pc < launch_.code.size(), "a wave executes the launch's code");
    port_free_[engine] = std::max(port_free_[engine], now()) + p_.cycles_per_wave;
    queue_.send(std::max(port_free_[engine] + p_.wave_start_cycles, now() + 1),
                simd_component(number * p_.simds + wave.simd), static_cast<u8>(MessageKind::wave_start),
                handle);
  }
}

void Device::start_wave(Wave& wave) {
  flush_buffer(wave, now());
  prepare(wave, now());
}

void Device::end_wave(Wave& wave) {
  Simd& simd = simd_of(wave);
  const u32 position = static_cast<u32>(
      std::find(simd.order.begin(), simd.order.begin() + simd.count, wave.slot) - simd.order.begin());
  for (u32 i = position; i + 1 < simd.count; ++i) simd.order[i] = simd.order[i + 1];
  --simd.count;
  simd.used_slots &= ~(1u << wave.slot);
  simd.ready[wave.slot] = never;
  wave.resident = false;
  ++wave.generation;
  wave_cycles_ += now() + 1 - wave.began;
  timeline_.end(now());
  last_end_ = std::max(last_end_, now() + 1);

  ComputeUnit& unit = units_[wave.compute_unit];
  Group& group = groups_[wave.group];
  unit.may_fit = true;
  if (--group.alive == 0) {
    source_.end_group(group.index, wave.compute_unit);
    --unit.groups;
    if (group.waves > 1) --unit.barrier_groups;
    free_groups_.push_back(wave.group);
    ++groups_done_;
  } else if (group.arrived == group.alive) {
    release_barrier(group);
  }
  if (next_group_ < total_groups_) queue_.wake(dispatcher_component(), now() + 1);
}

void Device::arrive_at_barrier(Wave& wave) {
  Group& group = groups_[wave.group];
  wave.at_barrier = true;
  wave.blocked = true;
  wave.reason = Stall::barrier;
  simd_of(wave).ready[wave.slot] = never;
  ++counts_.barriers;
  if (++group.arrived == group.alive) release_barrier(group);
}

void Device::release_barrier(Group& group) {
  if (group.arrived == 0) return;
  group.arrived = 0;
  for (u32 handle : group.handles) {
    Wave& wave = waves_[handle];
    if (!wave.resident || !wave.at_barrier || &groups_[wave.group] != &group) continue;
    wave.at_barrier = wave.blocked = false;
    settle(wave, now() + p_.barrier_cycles);
    prepare(wave, now() + p_.barrier_cycles);
  }
}

Diagnostic Device::deadlock() const {
  std::string waves;
  u32 listed = 0, blocked = 0;
  for (const Wave& wave : waves_) {
    if (!wave.resident) continue;
    ++blocked;
    if (listed == 8) continue;
    ++listed;
    waves +=
        fmt::format("{}wave {} of group {} at instruction {} waits for {}", listed == 1 ? "" : "; ",
                    wave.handle, groups_[wave.group].index, wave.pc,
                    wave.at_barrier ? "the other waves of its group at a barrier" : meaning(wave.reason));
  }
  if (blocked > listed) waves += fmt::format("; and {} more", blocked - listed);
  return {"deadlock",
          {},
          fmt::format("at cycle {} no wave can go on, {} of {} work-groups are done: {}", now(), groups_done_,
                      total_groups_, blocked == 0 ? "no wave is resident" : waves),
          "a barrier must be reached by all waves of a work-group"};
}

}  // namespace gcn5
}  // namespace lockstep
