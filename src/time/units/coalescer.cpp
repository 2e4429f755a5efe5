#include "time/units/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/assert.h"

namespace lockstep {
namespace {

u64 mask_of(u32 first, u32 count) {
  return (count >= 64 ? ~u64{0} : (u64{1} << count) - 1) << first;
}

// Granules that bytes [offset, offset + bytes) of a line touch; a granule is line / 64 bytes.
u64 granules(u32 offset, u32 bytes, u32 line_bytes) {
  if (line_bytes <= 64) return mask_of(offset, bytes);
  const u32 shift = static_cast<u32>(std::countr_zero(line_bytes / 64));
  const u32 first = offset >> shift, last = (offset + bytes - 1) >> shift;
  return mask_of(first, last - first + 1);
}

// The address that most of `lanes`, which all touch the request's line, share where they begin in it.
void count_same(const Access& access, u64 lanes, u32 line_shift, LineAccess& request) {
  for (u64 rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 address = access.address[static_cast<u32>(std::countr_zero(rest))];
    if ((address >> line_shift) << line_shift != request.address) continue;
    if (static_cast<u32>(std::popcount(rest)) <= request.most_same) return;
    u8 same = 0;
    for (u64 others = rest; others != 0; others &= others - 1)
      same += access.address[static_cast<u32>(std::countr_zero(others))] == address;
    if (same > request.most_same) {
      request.most_same = same;
      request.hot_address = address;
    }
  }
}

// Cycles that the unit spends on one request of a group.
u8 request_cycles(u64 touched, u32 line_bytes, u32 window_bytes) {
  const u64 run = touched >> std::countr_zero(touched);
  const bool gapless = (run & (run + 1)) == 0;
  if (gapless || window_bytes == 0) return 1;
  u8 windows = 0;
  for (u32 at = 0; at < line_bytes; at += window_bytes)
    windows += (touched & granules(at, window_bytes, line_bytes)) != 0;
  return windows;
}

// Shares a group's cycles out among its requests.
void share_out(u32 cycles, std::span<LineAccess> requests) {
  const u32 count = static_cast<u32>(requests.size());
  u32 before = 0;
  for (u32 i = 0; i < count; ++i) {
    const u32 until = cycles * (i + 1) / count;
    requests[i].cycles = static_cast<u8>(until - before);
    before = until;
  }
}

}  // namespace

Coalesced coalesce(const Access& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes,
                   u32 window_bytes, std::span<LineAccess> out, const LoadPasses* passes) {
  LOCKSTEP_ASSERT(line_bytes <= 128 && std::has_single_bit(line_bytes), "a line has at most 128 bytes");
  const u32 shift = static_cast<u32>(std::countr_zero(line_bytes));
  const u64 group_mask = lanes_per_cycle >= 64 ? ~u64{0} : (u64{1} << lanes_per_cycle) - 1;
  const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
  std::array<u64, most_line_accesses> of_line;  // of a group: lanes that touch each of its lines
  Coalesced result;
  u8 idle = 0;
  for (u32 lane = 0; lane < wave_lanes; lane += lanes_per_cycle) {
    const u64 group = access.lanes & group_mask << lane;
    if (group == 0) {
      ++idle;
      continue;
    }
    const u32 begin = result.lines;
    u32 last = begin;
    u64 highest = 0;
    for (u64 rest = group; rest != 0; rest &= rest - 1) {
      u64 address = access.address[static_cast<u32>(std::countr_zero(rest))];
      u32 left = access.bytes;
      do {
        const u64 line = address >> shift << shift;
        const u32 offset = static_cast<u32>(address - line);
        const u32 here = offset + left > line_bytes ? line_bytes - offset : left;
        if (last == result.lines || out[last].address != line) {
          last = line > highest ? result.lines : begin;
          while (last < result.lines && out[last].address != line) ++last;
          highest = std::max(highest, line);
          if (last == result.lines) {
            LOCKSTEP_ASSERT(result.lines < out.size(), "a wave's access touches a bounded number of lines");
            out[result.lines++] = {line, 0, address, 0, 1, idle, 1};
            of_line[last - begin] = 0;
            idle = 0;
          }
        }
        out[last].bytes |= granules(offset, here, line_bytes);
        ++out[last].lanes;
        if (atomic) of_line[last - begin] |= rest & -rest;
        address += here;
        left -= here;
      } while (left != 0);
    }
    if (passes != nullptr) {
      std::array<u64, 64> addresses;
      u32 count = 0;
      for (u64 rest = group; rest != 0; rest &= rest - 1)
        addresses[count++] = access.address[static_cast<u32>(std::countr_zero(rest))];
      share_out(passes->cycles * count_passes(*passes, {addresses.data(), count}, group >> lane,
                                              std::min(lanes_per_cycle, wave_lanes), access.bytes),
                out.subspan(begin, result.lines - begin));
      continue;
    }
    for (u32 i = begin; i < result.lines; ++i)
      out[i].cycles = request_cycles(out[i].bytes, line_bytes, window_bytes);
    if (atomic) {
      for (u32 i = begin; i < result.lines; ++i) count_same(access, of_line[i - begin], shift, out[i]);
    }
  }
  result.idle_after = idle;
  return result;
}

Coalesced coalesce_strided(const StridedAccess& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes,
                           u32 window_bytes, std::span<LineAccess> out, const LoadPasses* passes) {
  const u64 in_line = line_bytes - 1;
  const u64 group_mask = lanes_per_cycle >= 64 ? ~u64{0} : (u64{1} << lanes_per_cycle) - 1;
  const u32 bytes = access.bytes;
  // Each lane begins at the same place of a line of its own, and ends there.
  const u32 place = static_cast<u32>(access.base & in_line);
  const bool own_lines = access.stride != 0 && (access.stride & in_line) == 0 && place + bytes <= line_bytes;
  // Groups differ by whole rows of banks: those of the same lanes take the same passes.
  const bool same_banks = passes != nullptr && lanes_per_cycle * access.stride % passes->row_bytes == 0;
  u64 counted = 0;  // lanes of a group whose passes are known
  u32 passes_counted = 0;
  Coalesced result;
  u8 idle = 0;
  for (u32 lane = 0; lane < wave_lanes; lane += lanes_per_cycle) {
    const u64 group = access.lanes & group_mask << lane;
    if (group == 0) {
      ++idle;
      continue;
    }
    const u32 begin = result.lines;
    const u32 first = static_cast<u32>(std::countr_zero(group));
    const u64 run = group >> first;
    const auto add = [&](u64 line, u64 address, u64 touched) {
      out[result.lines++] = {line, touched, address, 0, 1, idle, 1};
      idle = 0;
    };
    if (access.stride == bytes && (run & (run + 1)) == 0) {
      // One piece of memory.
      u64 address = access.base + u64{first} * bytes;
      for (u32 left = static_cast<u32>(std::popcount(group)) * bytes; left != 0;) {
        const u32 offset = static_cast<u32>(address & in_line);
        const u32 here = std::min(left, line_bytes - offset);
        add(address - offset, address, granules(offset, here, line_bytes));
        address += here;
        left -= here;
      }
      if (passes != nullptr)
        share_out(
            passes->cycles * count_passes_of_run(*passes, static_cast<u32>(std::popcount(group)), bytes),
            out.subspan(begin, result.lines - begin));
      continue;
    }
    // Addresses rise: a lane begins in the line where the one before it ended, or, where it overlaps with
    // that, in the one before that, or in a new one.
    bool shared = false;  // a line by several lanes
    if (own_lines) {
      const u64 touched = granules(place, bytes, line_bytes);
      for (u64 rest = group; rest != 0; rest &= rest - 1) {
        const u64 address = access.base + static_cast<u32>(std::countr_zero(rest)) * access.stride;
        add(address - place, address, touched);
      }
    }
    const u64 others = own_lines ? 0 : access.stride == 0 ? group & -group : group;
    for (u64 rest = others; rest != 0; rest &= rest - 1) {
      u64 address = access.base + static_cast<u32>(std::countr_zero(rest)) * access.stride;
      for (u32 left = bytes; left != 0;) {
        const u32 offset = static_cast<u32>(address & in_line);
        const u32 here = std::min(left, line_bytes - offset);
        const u64 line = address - offset, touched = granules(offset, here, line_bytes);
        if (result.lines == begin || out[result.lines - 1].address < line) {
          add(line, address, touched);
        } else {
          out[result.lines - (out[result.lines - 1].address == line ? 1 : 2)].bytes |= touched;
          shared = true;
        }
        address += here;
        left -= here;
      }
    }
    if (passes != nullptr) {
      const u64 of = run << (first - lane);
      if (!same_banks || counted != of) {
        std::array<u64, 64> addresses;
        u32 count = 0;
        for (u64 rest = of; rest != 0; rest &= rest - 1)
          addresses[count++] =
              access.base + (lane + static_cast<u32>(std::countr_zero(rest))) * access.stride;
        passes_counted = count_passes(*passes, {addresses.data(), count}, of,
                                      std::min(lanes_per_cycle, wave_lanes), bytes);
        counted = of;
      }
      share_out(passes->cycles * passes_counted, out.subspan(begin, result.lines - begin));
      continue;
    }
    if (!shared) continue;
    for (u32 i = begin; i < result.lines; ++i)
      out[i].cycles = request_cycles(out[i].bytes, line_bytes, window_bytes);
  }
  result.idle_after = idle;
  return result;
}

u32 count_lines(const Access& access, u32 wave_lanes, u32 lanes_per_cycle, u32 line_bytes) {
  const u32 shift = static_cast<u32>(std::countr_zero(line_bytes));
  const u64 group_mask = lanes_per_cycle >= 64 ? ~u64{0} : (u64{1} << lanes_per_cycle) - 1;
  alignas(64) std::array<u64, 64> line;  // of the group's lanes, one after the other
  u32 lines = 0;
  for (u32 first = 0; first < wave_lanes; first += lanes_per_cycle) {
    const u64 group = access.lanes & group_mask << first;
    if (group == 0) continue;
    u32 count = 0;
    u64 crosses = 0;
    const auto add = [&](u64 address) {
      line[count] = address >> shift;
      crosses |= line[count++] ^ (address + access.bytes - 1) >> shift;
    };
    if (group == group_mask << first) {
      for (u32 i = 0; i < lanes_per_cycle; ++i) add(access.address[first + i]);
    } else {
      for (u64 rest = group; rest != 0; rest &= rest - 1)
        add(access.address[static_cast<u32>(std::countr_zero(rest))]);
    }
    if (crosses != 0) {
      std::array<LineAccess, most_line_accesses> room;
      return coalesce(access, wave_lanes, lanes_per_cycle, line_bytes, 0, room).lines;
    }
    u32 changes = 0;
    u64 falls = 0;
    for (u32 i = 1; i < count; ++i) {
      changes += line[i] != line[i - 1];
      falls |= line[i] - line[i - 1];  // negative where the lines go back
    }
    if (static_cast<i64>(falls) >= 0) {
      lines += 1 + changes;
      continue;
    }
    for (u32 i = 0; i < count; ++i) {
      u32 seen = 0;
      for (u32 k = 0; k < i; ++k) seen |= line[k] == line[i];
      lines += 1 - seen;
    }
  }
  return lines;
}

namespace {

LineAccess segment_access(u64 begin, u32 size) {
  LineAccess made;
  made.address = begin / largest_segment * largest_segment;
  made.bytes = granules(static_cast<u32>(begin - made.address), size, largest_segment);
  made.hot_address = begin;
  made.lanes = 1;
  return made;
}

u32 segments_of_half(const Access& access, u64 lanes, std::span<LineAccess> out) {
  const u32 first_size = access.bytes == 1 ? 32 : access.bytes == 2 ? 64 : largest_segment;
  u32 made = 0;
  while (lanes != 0) {
    u64 begin = access.address[static_cast<u32>(std::countr_zero(lanes))] / first_size * first_size;
    u32 size = first_size;
    u64 low = ~u64{0}, high = 0;
    for (u64 rest = lanes; rest != 0; rest &= rest - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(rest));
      const u64 address = access.address[lane];
      if (address / first_size * first_size != begin) continue;
      lanes &= ~(u64{1} << lane);
      low = std::min(low, address);
      high = std::max(high, address + access.bytes);
    }
    while (size > smallest_segment) {
      const u64 middle = begin + size / 2;
      if (low < middle && high > middle) break;
      if (low >= middle) begin = middle;
      size /= 2;
    }
    out[made++] = segment_access(begin, size);
  }
  return made;
}

u32 ordered_half(const Access& access, u64 lanes, u32 first, std::span<LineAccess> out) {
  const u32 bytes = access.bytes;
  const u64 lowest = static_cast<u64>(std::countr_zero(lanes)) - first;
  const u64 begin = access.address[first + lowest] - lowest * bytes;
  bool ordered = (bytes == 4 || bytes == 8 || bytes == 16) && begin % (u64{half_wave} * bytes) == 0;
  for (u64 rest = lanes; ordered && rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    ordered = access.address[lane] == begin + u64{lane - first} * bytes;
  }
  u32 made = 0;
  if (ordered) {
    const u32 size = std::min(half_wave * bytes, largest_segment);
    for (u32 at = 0; at < half_wave * bytes; at += size) out[made++] = segment_access(begin + at, size);
    return made;
  }
  for (u64 rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 address = access.address[static_cast<u32>(std::countr_zero(rest))];
    out[made++] = segment_access(address / smallest_segment * smallest_segment, smallest_segment);
  }
  return made;
}

}  // namespace

u32 coalesce_half(const Access& access, u64 lanes, u32 first, HalfWaves rule, std::span<LineAccess> out) {
  return rule == HalfWaves::segments ? segments_of_half(access, lanes, out)
                                     : ordered_half(access, lanes, first, out);
}

Transactions count_segments(const Access& access, u32 wave_lanes, HalfWaves rule) {
  Transactions result;
  std::array<LineAccess, half_wave> room;
  for (u32 first = 0; first < wave_lanes; first += half_wave) {
    const u64 lanes = access.lanes & u64{0xFFFF} << first;
    if (lanes == 0) continue;
    const u32 made = coalesce_half(access, lanes, first, rule, room);
    const u32 bytes = static_cast<u32>(std::popcount(lanes)) * access.bytes;
    result.made += made;
    result.ideal += std::min(made, (bytes + largest_segment - 1) / largest_segment);
  }
  return result;
}

}  // namespace lockstep
