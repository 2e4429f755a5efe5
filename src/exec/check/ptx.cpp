// PTX: its loads and stores, which spread elements over registers of their own.
#include <algorithm>

#include "exec/check/step.h"

namespace lockstep {

using check::Origin;
using check::WaveShadow;

namespace {

constexpr std::array<u32, 4> load_slots{0, 2, 3, 4}, store_slots{2, 3, 4, 5};

u64 sign_extended(u64 bits, u32 bytes) {
  if (bytes == 8) return bits;
  const u32 above = 64 - 8 * bytes;
  return static_cast<u64>(static_cast<i64>(bits << above) >> above);
}

}  // namespace

// The registers that no rule follows: all that the instruction names, since some of its shapes write several.
void RunChecker::carry_ptx_load(Step& step, const Access& access) {
  WaveShadow& shadow = step.shadow;
  const u32 parts = step.rule.ptx_parts, bytes = access.bytes / parts;
  const bool defined = all_defined(step.wave, shadow, access);
  for (const u32 slot : std::span(load_slots).first(parts)) {
    const Operand& to = step.in.operand[slot];
    if (to.kind == OperandKind::vector) shadow.define_lanes(to.index, step.rule.register_rows, access.lanes);
  }
  if (defined) return;
  std::array<u32, 16> undefined;
  check::for_lanes(access.lanes, [&](u32 lane) {
    read_undefined(step.wave, shadow, access, lane, undefined.data());
    Origin origin{step.index, access.space, access.address[lane]};
    if (access.space == Space::private_memory) {
      const auto stored = shadow.private_origin.find(access.address[lane] & ~u64{3});
      if (stored != shadow.private_origin.end()) origin = stored->second;
    }
    for (u32 i = 0; i < parts; ++i) {
      const Operand& to = step.in.operand[load_slots[i]];
      if (to.kind != OperandKind::vector) continue;
      const u32 at = i * bytes;
      u64 bits = undefined[at / 4] >> (8 * (at % 4));
      if (bytes == 8) bits |= u64{undefined[at / 4 + 1]} << 32;
      bits &= check::ones(8 * bytes);
      if (step.rule.is_signed) bits = sign_extended(bits, bytes);
      for (u32 k = 0; k < step.rule.register_rows; ++k) {
        const u32 row = to.index + k, now = static_cast<u32>(bits >> (32 * k));
        if (now == 0) continue;
        shadow.set(row, lane, now);
        shadow.row_origin[row] = origin;
      }
    }
  });
}

void RunChecker::carry_ptx_store(Step& step, const Access& access) {
  WaveShadow& shadow = step.shadow;
  const u32 parts = step.rule.ptx_parts, bytes = access.bytes / parts;
  const u32 rows = bytes == 8 ? 2 : 1;
  u64 lanes = 0;
  for (const u32 slot : std::span(store_slots).first(parts)) {
    const Operand& from = step.in.operand[slot];
    if (from.kind == OperandKind::vector) lanes |= shadow.any_lanes(from.index, rows);
  }
  if ((lanes & access.lanes) == 0) return define_memory(step.wave, shadow, access);
  check::for_lanes(access.lanes, [&](u32 lane) {
    std::array<u32, 16> undefined{};
    for (u32 i = 0; i < parts; ++i) {
      const Operand& from = step.in.operand[store_slots[i]];
      if (from.kind != OperandKind::vector) continue;
      const u32 at = i * bytes;
      const u64 low = shadow.undefined(from.index, lane) & check::ones(8 * std::min(bytes, 4u));
      undefined[at / 4] |= static_cast<u32>(low << (8 * (at % 4)));
      if (rows == 2) undefined[at / 4 + 1] = shadow.undefined(from.index + 1, lane);
      if (access.space != Space::private_memory) continue;
      for (u32 k = 0; k < rows; ++k) {
        const u64 dword = (access.address[lane] & ~u64{3}) + (at / 4 + k) * u64{4} * step.wave.lanes;
        const Origin& origin = shadow.row_origin[from.index + k];
        if (shadow.undefined(from.index + k, lane) == 0 || origin.instruction == Origin::unwritten) {
          shadow.private_origin.erase(dword);
        } else {
          shadow.private_origin[dword] = origin;
        }
      }
    }
    write_undefined(step.wave, shadow, access, lane, undefined.data());
  });
}

}  // namespace lockstep
