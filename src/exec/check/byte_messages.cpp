// Definedness through messages of ISAs whose registers are bytes: between their payloads and memory.
#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/check/step.h"

namespace lockstep {

using check::ByteShadow;
using check::Origin;

namespace {

constexpr u32 most_dwords = 16;

u32 byte_of(const std::array<u32, most_dwords>& dwords, u32 at) {
  return (dwords[at / 4] >> (8 * (at % 4))) & 0xFF;
}

bool is_set(u64 lanes, u32 lane) {
  return ((lanes >> lane) & 1) != 0;
}

// Runs `function(place, first byte in memory, bytes)` for each element of a lane, up to so many bytes.
template <class F>
void for_elements(const ByteTransfer& transfer, u32 lane, u32 bytes, F function) {
  for (u32 i = 0; i < transfer.elements; ++i) {
    const u32 begin = i * transfer.bytes;
    if (begin >= bytes) return;
    function(transfer.at + i * transfer.row + (lane - transfer.first) * transfer.slot, begin,
             std::min(transfer.bytes, bytes - begin));
  }
}

}  // namespace

void RunChecker::check_byte_message(Step& step) {
  ByteShadow& shadow = step.shadow.bytes;
  ByteMessage message;
  launch_.module().isa->byte_registers->message(step.wave, step.in, step.context, message);
  const ByteChannels& channels = message.channels;
  // A message that a predicate leaves out reaches nothing: it is a branch.
  if (const u32 undecided = undecided_channels(shadow, channels)) {
    raise_undecided(step, channels, undecided);
    if (step.context.fault.kind != FaultKind::none) return;
  }
  if (channels.taken == 0) return;
  const auto check = [&](u32 at, u32 bytes, u32 lane) {
    if (shadow.read(at, bytes) == 0) return true;
    raise_undefined(step, FaultKind::undefined_address, lane, shadow.origin(at, bytes));
    return step.context.fault.kind == FaultKind::none;
  };
  const u32 first_lane = channels.first + static_cast<u32>(std::countr_zero(channels.taken));
  for (u32 i = 0; i < message.parts; ++i)
    if (!check(message.part[i].at, message.part[i].bytes, first_lane)) return;
  for (u32 i = 0; i < message.addresses; ++i) {
    for (u32 rest = channels.taken; rest != 0; rest &= rest - 1) {
      const u32 channel = static_cast<u32>(std::countr_zero(rest));
      const u32 at = message.address[i][channel];
      if (shadow.read(at, message.address_bytes) == 0) continue;
      if (!check(at, message.address_bytes, channels.first + channel)) return;
      break;  // one of them is enough
    }
  }
  // What comes back counts as defined until its access shows where it is not.
  if (message.cleared_bytes != 0) shadow.define(message.cleared_at, message.cleared_bytes);
  for (u32 rest = channels.taken; rest != 0; rest &= rest - 1) {
    const u32 channel = static_cast<u32>(std::countr_zero(rest));
    const ByteTransfer& back = message.response;
    for (u32 i = 0; i < back.elements; ++i)
      shadow.define(back.at + i * back.row + channel * back.slot, back.slot);
  }
}

ByteTransfer RunChecker::byte_transfer(const Step& step, u32 number) const {
  return launch_.module().isa->byte_registers->transfer(step.wave, step.in, number);
}

void RunChecker::carry_byte_access(Step& step, const Access& access) {
  ByteShadow& shadow = step.shadow.bytes;
  const ByteReach& reach = byte_reach_[step.index];
  if (access.kind == AccessKind::store) {
    if (shadow.units.meets(reach.reads)) return carry_byte_store(step, access);
    return define_memory(step.wave, step.shadow, access);
  }
  if (all_defined(step.wave, step.shadow, access) && !shadow.units.meets(reach.writes)) return;
  carry_byte_load(step, access);
  shadow.settle(reach.writes);
}

Origin RunChecker::origin_in_memory(const Step& step, const Access& access, u32 lane) const {
  if (access.space == Space::private_memory) {
    // A variable that holds what was loaded elsewhere.
    const auto stored = step.shadow.private_origin.find(access.address[lane] & ~u64{3});
    if (stored != step.shadow.private_origin.end()) return stored->second;
  }
  return {step.index, access.space, access.address[lane]};
}

void RunChecker::carry_byte_load(Step& step, const Access& access) {
  ByteShadow& shadow = step.shadow.bytes;
  const ByteTransfer transfer = byte_transfer(step, step.shadow.accesses);
  std::array<u32, most_dwords> undefined;
  check::for_lanes(access.lanes, [&](u32 lane) {
    read_undefined(step.wave, step.shadow, access, lane, undefined.data());
    const Origin origin = origin_in_memory(step, access, lane);
    for_elements(transfer, lane, access.bytes, [&](u32 at, u32 begin, u32 bytes) {
      for (u32 i = 0; i < bytes; ++i) shadow.write(at + i, 1, byte_of(undefined, begin + i), origin);
      if (bytes < transfer.slot) shadow.define(at + bytes, transfer.slot - bytes);
    });
  });
}

void RunChecker::carry_byte_store(Step& step, const Access& access) {
  const ByteShadow& shadow = step.shadow.bytes;
  const ByteTransfer transfer = byte_transfer(step, step.shadow.accesses);
  const bool is_private = access.space == Space::private_memory;
  std::array<u32, most_dwords> undefined;
  std::array<Origin, most_dwords> origin;
  check::for_lanes(access.lanes, [&](u32 lane) {
    undefined.fill(0);
    for_elements(transfer, lane, access.bytes, [&](u32 at, u32 begin, u32 bytes) {
      for (u32 i = 0; i < bytes; ++i) {
        const u32 bits = static_cast<u32>(shadow.read(at + i, 1)), to = begin + i;
        undefined[to / 4] |= bits << (8 * (to % 4));
        if (is_private && bits != 0) origin[to / 4] = shadow.origin(at + i, 1);
      }
    });
    for (u32 k = 0; is_private && k < (access.bytes + 3u) / 4; ++k) {
      const u64 dword = (access.address[lane] & ~u64{3}) + u64{4} * k;
      if (undefined[k] == 0 || origin[k].instruction == Origin::unwritten)
        step.shadow.private_origin.erase(dword);
      else
        step.shadow.private_origin[dword] = origin[k];
    }
    write_undefined(step.wave, step.shadow, access, lane, undefined.data());
  });
}

void RunChecker::carry_byte_atomic(Step& step, const Access& access) {
  ByteShadow& shadow = step.shadow.bytes;
  const ByteReach& reach = byte_reach_[step.index];
  const ByteTransfer operands = byte_transfer(step, 0), back = byte_transfer(step, 1);
  const u64 items = access.lanes & step.wave.valid_lanes;
  const bool reads = shadow.units.meets(reach.reads), writes = shadow.units.meets(reach.writes);
  if (!reads && !writes && all_defined(step.wave, step.shadow, access)) return;
  const auto place = [](const ByteTransfer& transfer, u32 element, u32 lane) {
    return transfer.at + element * transfer.row + (lane - transfer.first) * transfer.slot;
  };
  bool raised = false;
  const auto raise = [&](u32 lane, const Origin& origin, const char* text) {
    if (!raised && is_set(items, lane)) raise_atomic(step, access, lane, origin, text);
    raised = raised || is_set(items, lane);
  };
  std::array<u32, most_dwords> undefined{};
  check::for_lanes(access.lanes, [&](u32 lane) {
    u64 value = 0;
    for (u32 i = 0; i < operands.elements; ++i) {
      const u32 at = place(operands, i, lane);
      if (i == 0) std::memcpy(&value, reinterpret_cast<const u8*>(step.wave.row(0)) + at, access.bytes);
      if (shadow.read(at, access.bytes) != 0)
        raise(lane, shadow.origin(at, access.bytes), "takes an operand that nothing wrote");
    }
    read_undefined(step.wave, step.shadow, access, lane, undefined.data());
    const u64 before = undefined[0] | u64{access.bytes > 4 ? undefined[1] : 0} << 32;
    const Origin origin{step.index, access.space, access.address[lane]};
    if (check::depends(step.rule.combining, before, value) != 0)
      raise(lane, origin, "changes memory that nothing wrote");
    if (back.elements != 0) shadow.write(place(back, 0, lane), access.bytes, before, origin);
  });
  if (step.context.fault.kind != FaultKind::none) return;
  shadow.settle(reach.writes);
  define_memory(step.wave, step.shadow, access);
}

// Of texels it is known whether anything wrote them: all of a lane's result is undefined, or nothing of it.
void RunChecker::put_image_lanes(Step& step, const Access& access, u64 lanes) {
  ByteShadow& shadow = step.shadow.bytes;
  const ByteTransfer to = byte_transfer(step, step.shadow.accesses);
  check::for_lanes(lanes, [&](u32 lane) {
    const u64 bits = is_set(step.shadow.image_lanes, lane) ? ~u64{0} : 0;
    const Origin origin{step.index, Space::image, access.address[lane]};
    for_elements(to, lane, to.elements * to.bytes,
                 [&](u32 at, u32, u32 bytes) { shadow.write(at, bytes, bits, origin); });
  });
  shadow.settle(byte_reach_[step.index].writes);
}

bool RunChecker::stores_defined_texel(const Step& step, u32 lane) const {
  const ByteTransfer from = byte_transfer(step, step.shadow.accesses);
  bool defined = from.elements == 0;
  for_elements(from, lane, from.elements * from.bytes, [&](u32 at, u32, u32 bytes) {
    defined = defined || step.shadow.bytes.read(at, bytes) != check::ones(8 * bytes);
  });
  return defined;
}

}  // namespace lockstep
