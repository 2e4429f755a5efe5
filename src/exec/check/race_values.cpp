// What instructions put into memory, lane by lane, before they have done so.
#include <algorithm>
#include <cstring>
#include <utility>

#include "exec/check/race_step.h"
#include "exec/check/shadow.h"
#include "isa/semantic.h"
#include "isa/stored_bytes.h"

namespace lockstep::check {

bool stored_value(const WaveState& wave, const Instruction& in, const Access& access, u32 number, u32 lane,
                  bool ptx, std::array<u8, 64>& bytes) {
  const auto put = [&](u32 at, u64 value, u32 count) { std::memcpy(bytes.data() + at, &value, count); };
  if (access.space == Space::image || access.bytes > 16) return false;
  if (const auto* own = dynamic_cast<const StoredBytes*>(wave.isa.get()))
    return own->stored_bytes(wave, in, access, number, lane, bytes.data());
  if (ptx) {
    const u32 parts = in.meaning->sources;
    if (parts == 0 || parts > 4) return false;
    const u32 each = access.bytes / parts;
    for (u32 i = 0; i < parts; ++i) {
      const Operand& from = in.operand[2 + i];
      u64 value = from.value;
      if (from.kind == OperandKind::vector) {
        value = wave.row(from.index)[lane];
        if (each == 8) value |= u64{wave.row(from.index + 1)[lane]} << 32;
      } else if (from.kind != OperandKind::immediate) {
        return false;
      }
      put(each * i, value, each);
    }
    return true;
  }
  const MemoryData& data = in.meaning->memory;
  const Operand& from = in.operand[data.pair && number == 1 ? 5 : 2];
  if (from.kind != OperandKind::vector || in.addressing == Addressing::scalar) return false;
  for (u32 at = 0; at < access.bytes; at += 4) {
    const u32 value = wave.row(from.index + at / 4)[lane];
    put(at, data.high_half ? value >> 16 : value, std::min(access.bytes - at, 4u));
  }
  return true;
}

// Lanes act in ascending order, each upon what those before it have left.
u64 failing_exchanges(const WaveState& wave, const Instruction& in, const Access& access, u64 lanes,
                      const StepContext& context) {
  const Combining combining = in.meaning->combining;
  if (combining != Combining::compare_exchange && combining != Combining::exchange_compare) return 0;
  const Operand &first = in.operand[2], &apart = in.operand[5];
  if (first.kind != OperandKind::vector || access.bytes > 8) return 0;
  const u32 rows = (access.bytes + 3u) / 4;
  const u32 second = apart.kind == OperandKind::vector ? apart.index : first.index + rows;
  const auto lane_value = [&](u32 row, u32 lane) {
    const u64 value = wave.row(row)[lane] | (rows == 2 ? u64{wave.row(row + 1)[lane]} << 32 : 0);
    return access.bytes >= 4 ? value : value & ones(8 * access.bytes);
  };
  std::array<std::pair<u64, u64>, most_lanes> changed;  // places and what is there now
  u32 changes = 0;
  u64 failing = 0;
  for_lanes(lanes, [&](u32 lane) {
    const u64 address = access.address[lane];
    const auto last = std::find_if(changed.begin(), changed.begin() + changes,
                                   [&](const auto& place) { return place.first == address; });
    u64 old = 0;
    if (last != changed.begin() + changes) {
      old = last->second;
    } else if (access.space == Space::local) {
      if (address > wave.local.size() || access.bytes > wave.local.size() - address) return;
      std::memcpy(&old, wave.local.data() + address, access.bytes);
    } else {
      if (!context.global.contains(address, access.bytes)) return;
      std::memcpy(&old, context.global.at(address), access.bytes);
    }
    const u64 a = lane_value(first.index, lane), b = lane_value(second, lane);
    const bool expects_first = combining == Combining::compare_exchange;
    if (old != (expects_first ? a : b)) {
      failing |= u64{1} << lane;
      return;
    }
    if (last == changed.begin() + changes) {
      changed[changes++] = {address, expects_first ? b : a};
    } else {
      last->second = expects_first ? b : a;
    }
  });
  return failing;
}

}  // namespace lockstep::check
