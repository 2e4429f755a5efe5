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

}  // namespace

bool check_lanes(const Access& access, const View& view, const u8* whole_dwords, StepContext& context) {
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
  u64 low = 0, bad = 0;
  for_lanes(access.lanes, [&](u32 lane) { low |= access.address[lane]; });
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

}  // namespace lockstep::memory
