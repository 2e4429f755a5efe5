#include "time/what_if/rewrite.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "time/units/coalescer.h"
#include "time/what_if/wave_writer.h"

namespace lockstep {
namespace {

// Memory that no buffer lies in.
constexpr u64 atomics_base = u64{1} << 45;

void count_bytes(Recording& recording) {
  recording.bytes = 0;
  for (const std::vector<u8>& wave : recording.waves) recording.bytes += wave.size();
}

// Each piece of each wave as `change` leaves it.
template <class Change>
Recording with_pieces(const Recording& from, Change&& change) {
  Recording made = empty_copy(from);
  Segment piece;
  for (std::size_t i = 0; i < from.waves.size(); ++i) {
    PieceReader reader(from.waves[i]);
    PieceWriter writer;
    while (reader.read(piece)) {
      change(piece, i);
      writer.write(piece, made.waves[i]);
    }
  }
  count_bytes(made);
  return made;
}

bool is_global_atomic(const auto& access) {
  return access.space == Space::global && access.kind != AccessKind::load && access.kind != AccessKind::store;
}

// The accesses of a piece, each as `change` gives it; one whose lanes it takes away is gone.
template <class Change>
void change_accesses(Segment& piece, Change&& change) {
  Segment made;
  for (const SegmentAccess& access : piece.accesses) {
    Access expanded;
    expand(piece, access, expanded);
    change(expanded);
    if (expanded.lanes != 0 || access.lanes == 0) add_access(made, access.instruction, expanded);
  }
  piece.accesses = std::move(made.accesses);
  piece.addresses = std::move(made.addresses);
}

// Puts the lanes one after the other into some of the lines that they touch. Which ones: evenly among them,
// and accesses that begin at another place of the bytes between two lanes (of their first line, where lanes
// are further apart than that) take others, so that all accesses together still touch what they touched.
void pack(Access& access, const RequestRule& rule) {
  const u32 bytes = std::max<u32>(1, access.bytes), per_line = rule.line_bytes / bytes;
  if (per_line == 0) return;
  std::array<u64, 64> lines;
  u32 count = 0;
  for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const u64 line = access.address[static_cast<u32>(std::countr_zero(lanes))] / rule.line_bytes;
    if (std::find(lines.begin(), lines.begin() + count, line) == lines.begin() + count) lines[count++] = line;
  }
  const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
  const u32 wanted = std::min(count, (lanes + per_line - 1) / per_line);
  const u64 period = std::clamp(count * rule.line_bytes / lanes, bytes, rule.line_bytes);
  const u64 first = access.address[static_cast<u32>(std::countr_zero(access.lanes))] % period;
  Access packed = access;
  u32 number = 0;
  for (u64 rest = access.lanes; rest != 0; rest &= rest - 1, ++number) {
    const u64 which = std::min(number / per_line, wanted - 1);
    const u64 line = lines[(which * period + first) * count / (wanted * period)];
    packed.address[static_cast<u32>(std::countr_zero(rest))] =
        line * rule.line_bytes + u64{number % per_line} * bytes;
  }
  const auto requests = [&](const Access& one) {
    return count_lines(one, rule.wave_lanes, rule.lanes_together, rule.line_bytes);
  };
  if (requests(packed) < requests(access)) access = packed;
}

}  // namespace

Recording perfectly_coalesced(const Recording& from, const RequestRule& rule) {
  return with_pieces(from, [&](Segment& piece, std::size_t) {
    if (piece.accesses.empty()) return;
    change_accesses(piece, [&](Access& access) {
      if (access.space != Space::global) return;
      if (access.kind == AccessKind::load || access.kind == AccessKind::store) pack(access, rule);
    });
  });
}

Recording with_atomics_apart(const Recording& from, u32 wave_lanes) {
  return with_pieces(from, [&](Segment& piece, std::size_t wave) {
    if (piece.accesses.empty()) return;
    change_accesses(piece, [&](Access& access) {
      if (!is_global_atomic(access)) return;
      for (u32 lane = 0; lane < wave_lanes; ++lane)
        access.address[lane] = atomics_base + (wave * wave_lanes + lane) * access.bytes;
    });
  });
}

Recording with_atomics_gathered(const Recording& from, u32 wave_lanes) {
  const std::size_t of_group = std::max<u32>(1, from.waves_per_group);
  std::vector<std::vector<u64>> words((from.waves.size() + of_group - 1) / of_group);
  std::vector<u64> before(from.waves.size() + 1);  // accesses of all waves in front of this one
  Segment piece;
  Access access;
  for (std::size_t i = 0; i < from.waves.size(); ++i) {
    std::vector<u64>& mine = words[i / of_group];
    before[i + 1] = before[i];
    PieceReader reader(from.waves[i]);
    while (reader.read(piece)) {
      for (const SegmentAccess& one : piece.accesses) {
        if (!is_global_atomic(one)) continue;
        ++before[i + 1];
        expand(piece, one, access);
        for (u64 rest = access.lanes; rest != 0; rest &= rest - 1)
          mine.push_back(access.address[static_cast<u32>(std::countr_zero(rest))]);
      }
    }
    std::ranges::sort(mine);
    mine.erase(std::ranges::unique(mine).begin(), mine.end());
  }
  // A group's words are dealt to its waves by how many accesses each makes, and go to the last of these.
  std::size_t wave = ~std::size_t{0};
  u64 seen = 0;
  return with_pieces(from, [&](Segment& changed, std::size_t i) {
    if (changed.accesses.empty()) return;
    if (i != wave) seen = 0;
    wave = i;
    const std::size_t group = i / of_group, first = group * of_group;
    const u64 begin = before[first], all = before[std::min(first + of_group, from.waves.size())] - begin;
    const std::vector<u64>& list = words[group];
    const u64 mine = all == 0 ? 0 : list.size() * (before[i] - begin) / all;
    const u64 end = all == 0 ? 0 : list.size() * (before[i + 1] - begin) / all;
    change_accesses(changed, [&](Access& one) {
      if (!is_global_atomic(one)) return;
      const u64 from_last = before[i + 1] - before[i] - ++seen;
      one.lanes = 0;
      for (u64 k = mine + from_last * wave_lanes, lane = 0; lane < wave_lanes && k < end; ++k, ++lane) {
        one.lanes |= u64{1} << lane;
        one.address[lane] = list[k];
      }
    });
  });
}

Recording spread_over_slices(const Recording& from, u32 block_bytes) {
  constexpr u32 row_bits = 7;
  const u32 shift = static_cast<u32>(std::countr_zero(block_bytes));
  LOCKSTEP_ASSERT(std::has_single_bit(block_bytes), "slices are dealt blocks of a power of two");
  return with_pieces(from, [&](Segment& piece, std::size_t) {
    if (piece.accesses.empty()) return;
    change_accesses(piece, [&](Access& access) {
      if (access.space != Space::global) return;
      for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) {
        u64& address = access.address[static_cast<u32>(std::countr_zero(rest))];
        // Any stride's rows get numbers that look like random ones.
        const u64 mixed = (address >> (shift + row_bits)) * 0x9E37'79B9'7F4A'7C15;
        address ^= mixed >> (64 - row_bits) << shift;
      }
    });
  });
}

Recording side_by_side(const Recording& from) {
  constexpr u32 shift = 8;
  const auto each_address = [](Access& access, auto&& see) {
    for (u64 rest = access.lanes; rest != 0; rest &= rest - 1)
      see(access.address[static_cast<u32>(std::countr_zero(rest))]);
  };
  std::vector<u64> blocks;
  std::size_t sorted = 0;
  const auto settle = [&] {
    std::ranges::sort(blocks);
    blocks.erase(std::ranges::unique(blocks).begin(), blocks.end());
    sorted = blocks.size();
  };
  Segment piece;
  Access access;
  for (const std::vector<u8>& wave : from.waves) {
    PieceReader reader(wave);
    while (reader.read(piece)) {
      for (const SegmentAccess& one : piece.accesses) {
        if (one.space != Space::global) continue;
        expand(piece, one, access);
        each_address(access, [&](u64 address) {
          const u64 block = address >> shift;
          if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
        });
      }
    }
    if (blocks.size() > 2 * sorted + (1 << 16)) settle();
  }
  settle();
  if (blocks.empty()) return from;
  const u64 first = blocks[0];
  return with_pieces(from, [&](Segment& changed, std::size_t) {
    if (changed.accesses.empty()) return;
    change_accesses(changed, [&](Access& moved) {
      if (moved.space != Space::global) return;
      each_address(moved, [&](u64& address) {
        const u64 block = address >> shift;
        const u64 number = static_cast<u64>(std::ranges::lower_bound(blocks, block) - blocks.begin());
        address = (first + number) << shift | (address & ((u64{1} << shift) - 1));
      });
    });
  });
}

Recording without_barriers(const Recording& from) {
  return with_pieces(from, [](Segment& piece, std::size_t) {
    if (piece.end == Event::barrier) piece.end = Event::none;
  });
}

Recording without_instructions(const Recording& from, const std::vector<bool>& gone,
                               const std::vector<bool>& once) {
  Recording made = empty_copy(from);
  Segment piece;
  for (std::size_t i = 0; i < from.waves.size(); ++i) {
    PieceReader reader(from.waves[i]);
    WaveWriter writer(made.waves[i]);
    while (reader.read(piece)) {
      std::size_t access = 0;
      for (u32 at = 0; at < piece.count; ++at) {
        const bool leaves = at + 1 == piece.count && piece.end != Event::none;
        const u32 which = piece.first + at;
        const bool stays = leaves || !gone[which] || (!once.empty() && once[which] && writer.last() != which);
        if (stays) writer.add(piece, at, piece.active[at]);
        for (; access < piece.accesses.size() && piece.accesses[access].instruction == at; ++access) {
          if (stays) writer.add_access(piece, piece.accesses[access], piece.accesses[access].lanes);
        }
      }
      writer.end(piece);
    }
    writer.finish();
  }
  count_bytes(made);
  return made;
}

Recording without_private_memory(const Recording& from, bool waits) {
  Recording made = empty_copy(from);
  Segment piece;
  for (std::size_t i = 0; i < from.waves.size(); ++i) {
    PieceReader reader(from.waves[i]);
    WaveWriter writer(made.waves[i]);
    while (reader.read(piece)) {
      std::size_t access = 0;
      for (u32 at = 0; at < piece.count; ++at) {
        const std::size_t first = access;
        // A store still waits for what it would have stored, as a move to a register does; where other
        // instructions do that, it is gone.
        bool only_private = true;
        for (; access < piece.accesses.size() && piece.accesses[access].instruction == at; ++access) {
          const SegmentAccess& one = piece.accesses[access];
          only_private &= one.space == Space::private_memory && (waits || one.kind == AccessKind::load);
        }
        const bool leaves = at + 1 == piece.count && piece.end != Event::none;
        if (first != access && only_private && !leaves) continue;
        writer.add(piece, at, piece.active[at]);
        for (std::size_t a = first; a < access; ++a) {
          if (piece.accesses[a].space != Space::private_memory)
            writer.add_access(piece, piece.accesses[a], piece.accesses[a].lanes);
        }
      }
      writer.end(piece);
    }
    writer.finish();
  }
  count_bytes(made);
  return made;
}

}  // namespace lockstep
