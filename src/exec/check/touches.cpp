// Data races: an access against those that the shadow remembers.
#include <algorithm>

#include "exec/check/race_step.h"
#include "exec/check/shadow.h"

namespace lockstep {

using check::covers;
using check::LineTouch;
using check::race;
using check::RaceCell;
using check::RaceLine;
using check::Sort;
using check::Touch;
using check::WaveClock;

// Whether an earlier access is of another work-item and nothing orders it before this one.
bool RaceChecker::conflicts(Step& step, u32 lane, const Touch& before) const {
  if (before.wave_number() != step.clock.wave) {
    if (!step.clock.behind(before.stamp())) return true;
    step.ordered = before;
    return false;
  }
  return selection_.lane_races && before.clock >= step.clock.barrier_clock && before.lane() != lane;
}

// What most accesses find in a cell: nobody, the wave itself, one that is known to come before, an atomic
// beside an atomic. False where it takes a closer look.
bool RaceChecker::touch_quickly(Step& step, const Touch& now, RaceCell& cell) {
  const WaveClock& clock = step.clock;
  const auto before = [&](const Touch& touch) {
    if (touch.wave == 0 || touch.wave == now.wave ||
        (touch.wave == step.ordered.wave && touch.clock <= step.ordered.clock))
      return true;
    if (!clock.behind(touch.stamp())) return false;
    step.ordered = touch;
    return true;
  };
  if (!before(cell.write)) return false;
  if (step.sort != Sort::read) {
    if (race(step.sort, Sort::read) && (!before(cell.read[0]) || !before(cell.read[1]))) return false;
  }
  if (step.sort != Sort::atomic) {
    for (const Touch& touch : cell.atomic) {
      if (touch.wave != 0 && race(step.sort, touch.atomic_sort()) && !before(touch)) return false;
    }
  }
  if (step.sort == Sort::write) {
    cell.write = now;
    cell.read[0].wave = cell.read[1].wave = cell.atomic[0].wave = cell.atomic[1].wave = 0;
    return true;
  }
  if (step.sort != Sort::read) {
    keep_atomic(step, now, cell);
    return true;
  }
  if (before(cell.read[0])) {
    cell.read[0] = now;
    return true;
  }
  if (before(cell.read[1])) {
    cell.read[1] = now;
    return true;
  }
  // Two that nothing orders are kept; of those, readers of two groups tell more than two of one. Two others
  // of its own group are as good, and a division is needed only where both may be of one other group.
  const u32 count = static_cast<u32>(clock.known.size());
  const u32 first = cell.read[0].wave_number(), second = cell.read[1].wave_number();
  if ((first - clock.first < count && second - clock.first < count) || first - second + count >= 2 * count)
    return true;
  const u32 group = first / count;
  if (group == second / count && group != clock.wave / count) cell.read[1] = now;
  return true;
}

// In the place of one that it makes superfluous, in a free one, or in that of one that races with less. Of
// three alike that nothing orders two are kept; of two groups rather than of one.
void RaceChecker::keep_atomic(const Step& step, const Touch& now, RaceCell& cell) {
  const WaveClock& clock = step.clock;
  for (Touch& touch : cell.atomic) {
    if (touch.wave == 0 || !covers(step.sort, touch.atomic_sort())) continue;
    if (touch.wave == now.wave || clock.behind(touch.stamp())) {
      touch = now;
      return;
    }
  }
  for (Touch& touch : cell.atomic) {
    if (touch.wave == 0) {
      touch = now;
      return;
    }
  }
  for (Touch& touch : cell.atomic) {
    if (!covers(touch.atomic_sort(), step.sort)) {
      touch = now;
      return;
    }
  }
  // Divisions only where both may be of one other group.
  const u32 count = static_cast<u32>(clock.known.size()), first = cell.atomic[0].wave_number();
  if (first - clock.first < count || first - cell.atomic[1].wave_number() + count >= 2 * count) return;
  const u32 group = first / count;
  if (group == cell.atomic[1].wave_number() / count && group != clock.wave / count) cell.atomic[1] = now;
}

// The same for a line. What the touch replaces may be gone from the line also where the answer is false.
bool RaceChecker::touch_line(const Step& step, RaceLine& line, u64 bytes, u64 what) {
  const WaveClock& clock = step.clock;
  const u64 who = LineTouch::who_of(step.now.wave, step.now.clock);
  const auto& before = line.touches;
  if ((before[0].bytes | before[1].bytes | before[2].bytes | before[3].bytes) == 0) {
    line.touches[0] = {bytes, who, what};
    return true;
  }
  LineTouch* free = nullptr;
  LineTouch* same = nullptr;
  LineTouch* others[2] = {nullptr, nullptr};  // of its sort, which nothing orders before this one
  u32 alike = 0;
  for (LineTouch& touch : line.touches) {
    if ((touch.bytes & bytes) == 0) {
      if (touch.bytes == 0) {
        free = &touch;
      } else if (touch.who == who && touch.what == what) {
        same = &touch;
      }
      continue;
    }
    const Sort sort = touch.sort();
    const bool before = touch.wave() == step.now.wave || clock.behind({touch.wave_number(), touch.clock()});
    if (!before && race(step.sort, sort)) return false;
    if (!covers(step.sort, sort)) continue;
    if (!before) {
      if (!covers(sort, step.sort)) continue;
      if (alike == 2) return false;
      others[alike++] = &touch;
      continue;
    }
    touch.bytes &= ~bytes;
    if (touch.bytes == 0) free = &touch;
  }
  if (alike == 2) {
    // Two are kept; of those, two of different groups tell more than two of one.
    const u64 twice = others[0]->bytes & others[1]->bytes & bytes;
    const u32 count = static_cast<u32>(clock.known.size());
    const u32 group = others[0]->wave_number() / count;
    if (group == others[1]->wave_number() / count && group != clock.wave / count) {
      others[1]->bytes &= ~twice;
      if (others[1]->bytes == 0) free = others[1];
    } else {
      bytes &= ~twice;
      if (bytes == 0) return true;
    }
  }
  if (same != nullptr) {
    same->bytes |= bytes;
    return true;
  }
  if (free == nullptr && step.local) {
    // What came before the group last met comes before all that is still to come.
    for (LineTouch& touch : line.touches) {
      if (touch.clock() < step.group.waves[touch.wave_number() - clock.first].met_clock) free = &touch;
    }
  }
  if (free == nullptr) return false;
  *free = {bytes, who, what};
  return true;
}

// Bytes of a line by their cells.
void RaceChecker::touch_cells(Step& step, RaceLine& line, u64 bytes, u64 what) {
  const LineTouch now{bytes, LineTouch::who_of(step.now.wave, step.now.clock), what};
  step.shadow.take_apart(line, bytes);
  RaceCell* const cells = line.cells();
  const u32 width = line.cell_bytes();
  for (u64 rest = bytes; rest != 0;) {
    const u32 byte = static_cast<u32>(std::countr_zero(rest)), number = byte / width;
    rest &= ~(check::ones(width) << (number * width));
    const Touch touch = now.at(byte);
    if (selection_.lane_races || !touch_quickly(step, touch, cells[number]))
      touch_closely(step, touch.lane(), touch, cells[number]);
  }
}

// Lanes side by side, or one.
void RaceChecker::touch_run(Step& step, u32 first, u32 count) {
  const u32 bytes = step.access.bytes;
  u64 offset = step.access.address[first] - step.base;
  u64 left = u64{count} * bytes;
  // An access outside of memory is another check's business.
  const u64 size = step.local ? step.wave.local.size() : step.context.global.size;
  if (offset > size || left > size - offset) {
    if (count == 1) return;
    for (u32 i = 0; i < count; ++i) touch_run(step, first + i, 1);
    return;
  }
  const u32 lane_bytes = count > 1 ? bytes : 0;
  i32 start = static_cast<i32>(first);
  if (count > 1) start = start * static_cast<i32>(bytes) - static_cast<i32>(offset % RaceLine::bytes);
  while (left != 0) {
    const u32 within = static_cast<u32>(offset % RaceLine::bytes);
    const u32 here = static_cast<u32>(std::min<u64>(left, RaceLine::bytes - within));
    const u64 reached = check::ones(here) << within;
    const u64 what = LineTouch::what_of(step.now.packed, start, lane_bytes, step.sort);
    RaceLine& line = step.shadow.line(offset);
    if (line.is_apart() || selection_.lane_races || !touch_line(step, line, reached, what))
      touch_cells(step, line, reached, what);
    offset += here;
    left -= here;
    if (count > 1) start += RaceLine::bytes;
  }
}

// One lane's dword, in a line that has a cell for it.
void RaceChecker::touch_dword(Step& step, u32 lane) {
  const u64 offset = step.access.address[lane] - step.base;
  const u64 size = step.local ? step.wave.local.size() : step.context.global.size;
  if (offset > size || size - offset < 4 || (offset & 3) != 0) return touch_run(step, lane, 1);
  RaceLine& line = step.shadow.line(offset);
  if (!line.is_apart() || line.cell_bytes() != 4) return touch_run(step, lane, 1);
  RaceCell& cell = line.cells()[offset % RaceLine::bytes / 4];
  const Touch now{step.now.wave, step.now.clock, step.now.packed | lane << 2};
  if (!touch_quickly(step, now, cell)) touch_closely(step, lane, now, cell);
}

// Atomics of single lanes upon dwords of local memory that have cells: as touch_dword() where only such
// atomics and what comes before is there, but without branches, since nobody can foresee which wave comes to
// a place that data chooses. The cells of local memory hold waves of the group alone. Returns the other
// lanes.
u64 RaceChecker::touch_local_atomics(Step& step, u64 lanes) {
  constexpr u32 sort_bits = 3;
  const WaveClock& clock = step.clock;
  const u32* const known = clock.known.data();
  const u64* const address = step.access.address.data();
  const u64 size = step.wave.local.size();
  Touch now = step.now;
  const auto before = [&](const Touch& touch) {
    const u32 other = touch.wave != 0 ? touch.wave_number() - clock.first : 0;
    return (touch.wave == 0) | (touch.wave == now.wave) | (known[other] >= touch.clock);
  };
  const auto other_sort = [&](const Touch& touch) {
    return (touch.wave != 0) & (((touch.packed ^ now.packed) & sort_bits) != 0);
  };
  u64 rest = 0;
  check::for_lanes(lanes, [&](u32 lane) {
    const u64 offset = address[lane];
    const u64 bit = u64{1} << lane;
    rest |= bit;
    if (offset > size || size - offset < 4 || (offset & 3) != 0) return;
    const RaceLine& line = step.shadow.line(offset);
    if (!line.is_apart() || line.cell_bytes() != 4) return;
    RaceCell& cell = line.cells()[offset % RaceLine::bytes / 4];
    Touch &first = cell.atomic[0], &second = cell.atomic[1];
    const bool simple = before(cell.write) & before(cell.read[0]) & before(cell.read[1]) &
                        !other_sort(first) & !other_sort(second);
    if (!simple) return;
    rest ^= bit;
    now.packed = step.now.packed | lane << 2;
    Touch nobody;
    Touch* place = before(second) ? &second : &nobody;
    place = before(first) ? &first : place;
    *place = now;
  });
  return rest;
}

void RaceChecker::touch_lanes(Step& step) {
  const u64* address = step.access.address.data();
  const u32 bytes = step.access.bytes;
  u64 lanes = step.lanes;
  if (step.in_row && !selection_.lane_races) {
    touch_run(step, static_cast<u32>(std::countr_zero(lanes)), static_cast<u32>(std::popcount(lanes)));
    return;
  }
  if (selection_.lane_races) {
    check::for_lanes(lanes, [&](u32 lane) { touch_run(step, lane, 1); });
    return;
  }
  if (step.local && step.sort == Sort::atomic && bytes == 4) lanes = touch_local_atomics(step, lanes);
  if (lanes == 0) return;
  const u64 begin = address[std::countr_zero(lanes)], end = address[63 - std::countl_zero(lanes)];
  if (!step.local && end - begin > 4096) {
    check::for_lanes(lanes, [&](u32 lane) { step.shadow.prefetch(address[lane] - step.base); });
  }
  // Places that several lanes load: once, by the first of them.
  std::array<u64, 64> seen;
  constexpr u32 few = 8;  // so many are faster without
  u32 places = 0;
  u64 last = ~u64{0};
  u32 last_count = 0;
  while (lanes != 0) {
    const u32 first = static_cast<u32>(std::countr_zero(lanes));
    const u32 most = static_cast<u32>(std::countr_one(lanes >> first));
    const u64 place = address[first];
    u32 count = 1;
    while (count < most && address[first + count] == place + u64{bytes} * count) ++count;
    u32 taken = count;
    if (count == 1 && !step.writes()) {
      while (taken < most && address[first + taken] == place) ++taken;
    }
    lanes &= ~(check::ones(taken) << first);
    if (!step.writes()) {
      if (count <= last_count && place == last) continue;
      if (count == 1 && ++places > few) {
        if (places == few + 1) seen.fill(~u64{0});
        u64& known = seen[(place >> 2) & 63];
        if (known == place) continue;
        known = place;
      }
      last = place;
      last_count = count;
    }
    if (count == 1 && bytes == 4) {
      touch_dword(step, first);
    } else {
      touch_run(step, first, count);
    }
  }
}

void RaceChecker::touch_closely(Step& step, u32 lane, const Touch& now, RaceCell& cell) {
  const WaveClock& clock = step.clock;
  const auto look_at = [&](const Touch& before, Sort sort) {
    if (!before.exists() || !race(step.sort, sort) || !conflicts(step, lane, before)) return;
    const bool both_store = sort == Sort::write || sort == Sort::unsure;
    if (!both_store || !stores_same(step, lane)) report(step, lane, before, sort);
  };
  look_at(cell.write, Sort::write);
  for (const Touch& touch : cell.read) look_at(touch, Sort::read);
  for (const Touch& touch : cell.atomic) look_at(touch, touch.atomic_sort());
  if (step.sort == Sort::write) {
    cell = {.write = now, .read = {}, .atomic = {}};
    return;
  }
  if (step.sort != Sort::read) return keep_atomic(step, now, cell);
  Touch* const reads = cell.read.data();
  if (reads[0].wave == now.wave || !reads[0].exists()) {
    reads[0] = now;
  } else if (reads[1].wave == now.wave) {
    reads[1] = now;
  } else if (clock.behind(reads[0].stamp())) {
    step.ordered = reads[0];
    reads[0] = now;
  } else if (!reads[1].exists() || clock.behind(reads[1].stamp())) {
    reads[1] = now;
  } else {
    // Readers of two groups tell more than two of one.
    const u32 count = static_cast<u32>(clock.known.size());
    const u32 group = reads[0].wave_number() / count;
    if (group == reads[1].wave_number() / count && group != clock.wave / count) reads[1] = now;
  }
}

}  // namespace lockstep
