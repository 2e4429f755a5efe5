#include "time/source/segment.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace lockstep {
namespace {

// Whether each lane of the mask is at base + lane * stride.
bool is_strided(const Access& access, u64 base, u64 stride) {
  u64 wrong = 0;
  if ((access.lanes & (access.lanes + 1)) == 0) {
    // The first lanes, all of them: a loop that compilers make vectors of.
    const u32 count = static_cast<u32>(std::popcount(access.lanes));
    u64 expected = base;
    for (u32 lane = 0; lane < count; ++lane, expected += stride) wrong |= access.address[lane] ^ expected;
    return wrong == 0;
  }
  for (u64 lanes = access.lanes; lanes != 0 && wrong == 0; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    wrong = access.address[lane] ^ (base + lane * stride);
  }
  return wrong == 0;
}

}  // namespace

void add_access(Segment& segment, u32 instruction, const Access& access) {
  if (access.lanes == 0) return;
  SegmentAccess& out = segment.accesses.emplace_back();
  out.instruction = instruction;
  out.space = access.space;
  out.kind = access.kind;
  out.bytes = access.bytes;
  out.lanes = access.lanes;
  const u32 first = static_cast<u32>(std::countr_zero(access.lanes));
  out.base = access.address[first];
  const u64 others = access.lanes & (access.lanes - 1);
  if (others == 0) return;
  const u32 second = static_cast<u32>(std::countr_zero(others));
  const i64 apart = static_cast<i64>(access.address[second] - access.address[first]);
  const i64 lanes_apart = i64{second} - first;
  const i64 stride = lanes_apart == 1 ? apart : apart / lanes_apart;
  const u64 base = access.address[first] - first * static_cast<u64>(stride);
  if (is_strided(access, base, static_cast<u64>(stride))) {
    out.pattern = stride == 0 ? Pattern::uniform : Pattern::strided;
    out.base = base;
    out.stride = stride;
    return;
  }
  out.pattern = Pattern::list;
  out.list = static_cast<u32>(segment.addresses.size());
  for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1)
    segment.addresses.push_back(access.address[static_cast<u32>(std::countr_zero(lanes))]);
}

void put(Segment& segment, const Segment& more) {
  const u32 at = more.first - segment.first, list = static_cast<u32>(segment.addresses.size());
  if (segment.active.size() < at + more.count) segment.active.resize(at + more.count, 0);
  std::ranges::copy(more.active, segment.active.begin() + at);
  // In the order of instructions: in front of what is of later ones.
  const auto insert = [at](auto& all, auto one) {
    one.instruction += at;
    auto place = all.end();
    while (place != all.begin() && std::prev(place)->instruction > one.instruction) --place;
    all.insert(place, one);
  };
  for (SegmentAccess access : more.accesses) {
    access.list += list;
    insert(segment.accesses, access);
  }
  segment.addresses.insert(segment.addresses.end(), more.addresses.begin(), more.addresses.end());
  for (const SegmentSlowWay& slow : more.slow_ways) insert(segment.slow_ways, slow);
  segment.count = static_cast<u32>(segment.active.size());
  segment.next_pc = more.next_pc;
  segment.end = more.end;
}

u64 slow_lanes_of(const Segment& segment, u32 instruction) {
  for (const SegmentSlowWay& slow : segment.slow_ways) {
    if (segment.first + slow.instruction == instruction) return slow.lanes;
  }
  return 0;
}

void expand(const Segment& segment, const SegmentAccess& access, Access& out) {
  out.space = access.space;
  out.kind = access.kind;
  out.bytes = access.bytes;
  out.lanes = access.lanes;
  if (access.pattern != Pattern::list) {
    u64 address = access.base;
    for (u64& lane : out.address) {
      lane = address;
      address += static_cast<u64>(access.stride);
    }
    return;
  }
  const u64* from = segment.addresses.data() + access.list;
  for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1)
    out.address[static_cast<u32>(std::countr_zero(lanes))] = *from++;
}

}  // namespace lockstep
