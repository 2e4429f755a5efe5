// Shared by the chapters of local memory.
#pragma once
#include "isa/amd/memory_rows.h"

namespace lockstep::amd {

// The two places of ds_read2 and its like: the address plus `offset` and plus `detail`, both in bytes.
template <int W>
inline bool two_local_places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                             u8 bytes, memory::Places& places) {
  if (!LocalAddress::places<W>(wave, in, context, kind, bytes, places)) return false;
  const memory::Place& first = places.place[0];
  memory::Place& second =
      add_place(places, context, first.view, Space::local, kind, bytes, first.access->lanes);
  const u64 further = static_cast<u64>(i64{in.detail} - in.offset);
  const u64* const from = first.access->address.data();
  u64* const to = second.access->address.data();
  for (int lane = 0; lane < W; ++lane) to[lane] = static_cast<u32>(from[lane] + further);
  second.access->lanes |= first.zeroed;
  if (in.amd.memory & AmdFields::local_limit) limit_local(wave, second);
  return true;
}

void add_local_atomics(RowList& rows);  // local_atomic.cpp

}  // namespace lockstep::amd
