#include "isa/memory_shapes.h"

#include <algorithm>

namespace lockstep::memory {
namespace {

FaultKind outside(Space space) {
  switch (space) {
    case Space::local:
      return FaultKind::outside_local;
    case Space::private_memory:
      return FaultKind::outside_private;
    default:
      return FaultKind::outside_memory;
  }
}

void raise(const Access& access, FaultKind kind, u32 lane, StepContext& context) {
  Fault fault;
  fault.kind = kind;
  fault.access = access.kind;
  fault.space = access.space;
  fault.bytes = access.bytes;
  fault.lane = lane;
  fault.address = access.address[lane];
  context.raise(fault);
}

// Calls `piece(address, position, bytes)` for the runs of bytes that lie together.
template <class F>
void for_pieces(const View& view, u64 address, u64 bytes, F piece) {
  u64 done = 0;
  while (done < bytes) {
    const u64 within = address & 3;
    const u64 now = std::min(bytes - done, 4 - within);
    piece(address, done, now);
    done += now;
    address = (address - within) + view.dword_stride;
  }
}

// Whether the first W lanes lie `step` bytes apart. Of most rows that don't the last lane does not either.
template <int W>
bool evenly_spaced(const u64* address, u64 step) {
  u64 wrong = 0, expected = address[0];
  if (address[W - 1] != expected + (W - 1) * step) return false;
  for (int lane = 0; lane < W; ++lane) wrong |= address[lane] ^ (expected + step * static_cast<u64>(lane));
  return wrong == 0;
}

// Whether every one of the first lanes lies within a linear memory.
inline bool all_within(const u64* address, int lanes, const View& view, u64 bytes) {
  if (bytes > view.size) return false;
  const i64 last = static_cast<i64>(view.size - bytes);
  i64 outside = 0;  // negative if some lane is
  for (int lane = 0; lane < lanes; ++lane) {
    const u64 offset = address[lane] - view.base;
    outside |= static_cast<i64>(offset | (static_cast<u64>(last) - offset));
  }
  return outside >= 0;
}

}  // namespace

bool check_lanes(const Access& access, const View& view, const u8* whole_dwords, StepContext& context) {
  // With those that take no part, first.
  const int lanes = static_cast<int>(std::bit_width(access.lanes));
  if (whole_dwords == nullptr && view.linear() &&
      all_within(access.address.data(), lanes, view, access.bytes))
    return true;
  u64 bad = 0;
  for_lanes(access.lanes, [&](u32 lane) {
    const u64 bytes = whole_dwords != nullptr ? u64{4} * whole_dwords[lane] : access.bytes;
    bad |= u64{!view.contains(access.address[lane], bytes)} << lane;
  });
  if (bad == 0) return true;
  raise(access, outside(access.space), static_cast<u32>(std::countr_zero(bad)), context);
  return false;
}

bool check_aligned(const Access& access, u64 bytes, StepContext& context) {
  // Of lanes that take no part, too, first: most are aligned as well, and a row is quicker than its lanes.
  const int lanes = static_cast<int>(std::bit_width(access.lanes));
  u64 low = 0, bad = 0;
  for (int lane = 0; lane < lanes; ++lane) low |= access.address[static_cast<u32>(lane)];
  if (std::has_single_bit(bytes) && (low & (bytes - 1)) == 0) return true;
  for_lanes(access.lanes, [&](u32 lane) { bad |= u64{access.address[lane] % bytes != 0} << lane; });
  if (bad == 0) return true;
  raise(access, FaultKind::misaligned, static_cast<u32>(std::countr_zero(bad)), context);
  return false;
}

void refuse_wide_private(StepContext& context) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = "a 64-bit atomic on private memory, whose dwords do not lie together (hardware does it wrong)";
  context.raise(fault);
}

void read_interleaved(const View& view, u64 address, u8* to, u64 bytes) {
  for_pieces(view, address, bytes,
             [&](u64 from, u64 done, u64 now) { std::memcpy(to + done, view.at(from), now); });
}

void write_interleaved(const View& view, u64 address, const u8* from, u64 bytes) {
  for_pieces(view, address, bytes,
             [&](u64 to, u64 done, u64 now) { std::memcpy(view.at(to), from + done, now); });
}

template <int W>
Pattern admit(WaveState& wave, const Instruction& in, StepContext& context, const Place& place) {
  const Access& access = *place.access;
  if (access.lanes == 0) return Pattern::nothing;
  if (context.checker != nullptr) [[unlikely]] {
    context.checker->access(wave, in, access, context);
    if (context.fault.kind != FaultKind::none) return Pattern::nothing;
  }
  const View& view = place.view;
  if (context.look_only) [[unlikely]] {
    check_lanes(access, view, place.whole_dwords, context);
    return Pattern::nothing;
  }
  if (place.whole_dwords == nullptr) [[likely]] {
    const u64 bytes = access.bytes, first = access.address[0];
    const u64 spacing = view.linear() ? bytes : 4;
    const bool whole = view.linear() || (first % 4 == 0 && bytes % 4 == 0);
    if (whole && evenly_spaced<W>(access.address.data(), spacing)) {
      const u64 extent = (W - 1) * spacing + view.extent(first, bytes);
      if (first - view.base <= view.size && extent <= view.size - (first - view.base))
        return Pattern::consecutive;
    } else if (evenly_spaced<W>(access.address.data(), 0) && view.contains(first, bytes)) {
      return Pattern::uniform;
    } else if (view.linear() && all_within(access.address.data(), W, view, bytes)) {
      return Pattern::readable;
    }
  }
  return check_lanes(access, view, place.whole_dwords, context) ? Pattern::scattered : Pattern::nothing;
}

template Pattern admit<32>(WaveState&, const Instruction&, StepContext&, const Place&);
template Pattern admit<64>(WaveState&, const Instruction&, StepContext&, const Place&);

}  // namespace lockstep::memory
