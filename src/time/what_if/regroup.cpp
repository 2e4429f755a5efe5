// The work-items of a group, or of a few neighbouring ones where nothing ties a group together, dealt out to
// their waves anew. Each item's way through the code is told apart by
// its length and a hash of it; items are ordered by length, then by way, and cut into waves. A new wave goes
// the way of its first item, the longest one: the recorded wave that this item was in, without the
// instructions that it took no part in.
#include <algorithm>
#include <array>
#include <bit>

#include "time/what_if/rewrite.h"
#include "time/what_if/wave_writer.h"

namespace lockstep {
namespace {

constexpr u64 hash_base = 0x9E37'79B9'7F4A'7C15;

// What one work-item executed. The hash is a polynomial of the instructions, so that it does not matter in
// which pieces they came.
struct Way {
  u64 count = 0, hash = 0;
  u32 wave = 0, lane = 0;

  bool same(const Way& other) const { return count == other.count && hash == other.hash; }
};

// The ways of a wave's lanes.
void trace(const std::vector<u8>& bytes, std::span<Way> lanes) {
  PieceReader reader(bytes);
  Segment piece;
  u64 mask = 0, count = 0, hash = 0, power = 1;  // of instructions that the same lanes executed
  const auto settle = [&] {
    for (u64 rest = mask; rest != 0; rest &= rest - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(rest));
      if (lane >= lanes.size()) break;
      lanes[lane].count += count;
      lanes[lane].hash = lanes[lane].hash * power + hash;
    }
    count = hash = 0;
    power = 1;
  };
  while (reader.read(piece)) {
    for (u32 i = 0; i < piece.count; ++i) {
      if (piece.active[i] != mask) {
        settle();
        mask = piece.active[i];
      }
      ++count;
      hash = hash * hash_base + (u64{piece.first} + i + 1);
      power *= hash_base;
    }
  }
  settle();
}

// A wave of `lanes` whose items all go the way of lane `leader` of a recorded wave.
void follow(const std::vector<u8>& from, u32 leader, u64 lanes, std::vector<u8>& out) {
  PieceReader reader(from);
  WaveWriter writer(out);
  Segment piece, back;
  bool went_back = false;  // over a branch that the leader took no part in
  while (reader.read(piece)) {
    std::size_t access = 0;
    for (u32 at = 0; at < piece.count; ++at) {
      const std::size_t first = access;
      while (access < piece.accesses.size() && piece.accesses[access].instruction == at) ++access;
      const bool is_last = at + 1 == piece.count;
      const bool takes_part = (piece.active[at] >> leader & 1) != 0;
      if (!takes_part && (!is_last || piece.end == Event::none)) {
        if (is_last && piece.next_pc <= piece.first + at) {
          back.first = piece.first;
          back.count = piece.count;
          back.next_pc = piece.next_pc;
          went_back = true;
        }
        continue;
      }
      if (went_back) {
        // Only a branch leads back.
        const u32 last = writer.last();
        if (last != WaveWriter::no_instruction && last < back.first + back.count - 1 &&
            piece.first + at <= last) {
          writer.add(back, back.count - 1, lanes);
          writer.end(back);
        }
        went_back = false;
      }
      writer.add(piece, at, takes_part ? lanes : 0);
      for (std::size_t a = first; a < access; ++a) {
        const SegmentAccess& one = piece.accesses[a];
        // Scalar accesses have one lane whatever the wave does.
        const bool scalar = one.lanes == 1 && piece.active[at] != 1;
        if (!scalar && (one.lanes >> leader & 1) == 0) continue;
        // What lies in a row goes on in it; of other addresses those are known that were used.
        writer.add_access(piece, one, one.pattern == Pattern::list || scalar ? one.lanes : lanes);
      }
    }
    writer.end(piece);
  }
  writer.finish();
}

constexpr u64 groups_together = 8;

// Barriers and local memory are a group's own: its items cannot leave it.
bool bound_together(const Recording& from) {
  Segment piece;
  const auto is_local = [](const SegmentAccess& access) { return access.space == Space::local; };
  // What one group does of this, all do: the first waves of some show it.
  for (u64 group = 0; group < from.groups; group += std::max<u64>(1, from.groups / 16)) {
    PieceReader reader(from.waves[group * from.waves_per_group]);
    while (reader.read(piece)) {
      if (piece.end == Event::barrier || std::ranges::any_of(piece.accesses, is_local)) return true;
    }
  }
  return false;
}

}  // namespace

Recording regrouped(const Recording& from, u32 wave_lanes) {
  Recording made = from;
  const u32 waves = from.waves_per_group;
  const u64 pool = bound_together(from) ? 1 : groups_together;
  std::vector<Way> ways;
  for (u64 group = 0; group < from.groups; group += pool) {
    const u64 groups = std::min(pool, from.groups - group);
    const std::size_t first_wave = group * waves, count = groups * waves;
    ways.assign(count * wave_lanes, {});
    bool diverges = false;
    for (std::size_t wave = 0; wave < count; ++wave) {
      const std::span<Way> lanes = std::span(ways).subspan(wave * wave_lanes, wave_lanes);
      for (u32 lane = 0; lane < wave_lanes; ++lane) {
        lanes[lane].wave = static_cast<u32>(wave);
        lanes[lane].lane = lane;
      }
      trace(from.waves[first_wave + wave], lanes);
      for (const Way& way : lanes) diverges |= way.count != 0 && !way.same(lanes[0]);
    }
    if (!diverges) continue;
    std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
      return a.count != b.count ? a.count > b.count : a.hash > b.hash;
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const Way> members = std::span(ways).subspan(i * wave_lanes, wave_lanes);
      u64 lanes = 0;
      for (u32 lane = 0; lane < wave_lanes; ++lane) lanes |= u64{members[lane].count != 0} << lane;
      std::vector<u8> bytes;
      follow(from.waves[first_wave + members[0].wave], members[0].lane, lanes, bytes);
      // Long waves come first: one to each group, at a place that changes by the sum of the digits of the
      // group's number to the base of so many waves, so that they meet on no SIMD: groups of one compute unit
      // are a fixed number apart, which may be a multiple of that base.
      const u64 to = i % groups;
      u64 place = i / groups;
      for (u64 rest = group + to; rest != 0 && waves > 1; rest /= waves) place += rest % waves;
      made.waves[first_wave + to * waves + place % waves] = std::move(bytes);
    }
  }
  made.bytes = 0;
  for (const std::vector<u8>& wave : made.waves) made.bytes += wave.size();
  return made;
}

}  // namespace lockstep
