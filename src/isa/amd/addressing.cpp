#include "isa/amd/addressing.h"

namespace lockstep::amd {
namespace {

using memory::add_place;
using memory::for_lanes;
using memory::Place;
using memory::Places;
using memory::View;

u64 active_lanes(const WaveState& wave) {
  return wave.exec() & wave.all_lanes();
}

// The 64-bit addresses of global and flat instructions: vector address, or scalar base plus 32-bit vector
// offset.
template <int W>
void wide_addresses(const WaveState& wave, const Instruction& in, u64* address) {
  const Operand& vector = in.operand[1];
  const Operand& scalar = in.operand[3];
  const u64 offset = static_cast<u64>(i64{in.offset});
  if (scalar.kind == OperandKind::none) {
    const u32* low = wave.row(vector.index);
    const u32* high = wave.row(vector.index + 1);
    for (int lane = 0; lane < W; ++lane) address[lane] = (low[lane] | u64{high[lane]} << 32) + offset;
    return;
  }
  const u64 base = scalar_value64(wave, scalar) + offset;
  if (vector.kind == OperandKind::vector) {
    const u32* row = wave.row(vector.index);
    for (int lane = 0; lane < W; ++lane) address[lane] = base + row[lane];
  } else {
    for (int lane = 0; lane < W; ++lane) address[lane] = base;
  }
}

}  // namespace

void refuse(StepContext& context, const char* what) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = what;
  context.raise(fault);
}

template <int W>
bool GlobalAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                           u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  const Place& place = add_place(places, context, memory::global_view(context), Space::global, kind, bytes,
                                 active_lanes(wave));
  wide_addresses<W>(wave, in, place.access->address.data());
  return true;
}

template <int W>
bool FlatAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                         u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  Row<u64> address;
  wide_addresses<W>(wave, in, address.data());
  constexpr u32 shared_high = shared_aperture_base >> 32, private_high = private_aperture_base >> 32;
  Row<u32> in_local, in_private;
  u32 any = 0;
  for (int lane = 0; lane < W; ++lane) {
    const u32 high = static_cast<u32>(address.lane[lane] >> 32);
    in_local.lane[lane] = high == shared_high;
    in_private.lane[lane] = high == private_high;
    any |= in_local.lane[lane] | in_private.lane[lane];
  }
  const u64 active = active_lanes(wave);
  u64 local = 0, own = 0;
  if (any != 0) {
    for_lanes(active, [&](u32 lane) {
      local |= u64{in_local.lane[lane]} << lane;
      own |= u64{in_private.lane[lane]} << lane;
    });
  }
  const u64 global = active & ~(local | own);
  if (global != 0 || active == 0) {
    const Place& place =
        add_place(places, context, memory::global_view(context), Space::global, kind, bytes, global);
    std::memcpy(place.access->address.data(), address.data(), W * sizeof(u64));
  }
  if (local != 0) {
    const Place& place =
        add_place(places, context, memory::local_view(wave), Space::local, kind, bytes, local);
    u64* const to = place.access->address.data();
    for (int lane = 0; lane < W; ++lane) to[lane] = static_cast<u32>(address.lane[lane]);
  }
  if (own != 0) {
    const Place& place = add_place(places, context, memory::private_view(wave, context),
                                   Space::private_memory, kind, bytes, own);
    memory::private_addresses<W>(wave, address, place.access->address.data());
  }
  return true;
}

template <int W>
bool ScratchAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                            u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  const Place& place = add_place(places, context, memory::private_view(wave, context), Space::private_memory,
                                 kind, bytes, active_lanes(wave));
  const Operand& vector = in.operand[1];
  const Operand& scalar = in.operand[3];
  u32 base = static_cast<u32>(in.offset);
  if (scalar.kind != OperandKind::none) base += scalar_value32(wave, scalar);
  u64* address = place.access->address.data();
  if (vector.kind == OperandKind::vector) {
    const u32* row = wave.row(vector.index);
    for (u32 lane = 0; lane < W; ++lane) {
      address[lane] = memory::private_address(wave, u32{base + row[lane]}, lane);
    }
  } else {
    const u64 first = memory::private_address(wave, base, 0);
    for (u32 lane = 0; lane < W; ++lane) address[lane] = first + u64{4} * lane;
  }
  return true;
}

template <int W>
bool LocalAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                          u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  Place& place =
      add_place(places, context, memory::local_view(wave), Space::local, kind, bytes, active_lanes(wave));
  u64* address = place.access->address.data();
  const u32* row = wave.row(in.operand[1].index);
  const u32 offset = static_cast<u32>(in.offset);
  // The sum wraps at 32 bits: compilers fold "index - 256" into a register and put 256 into the offset.
  for (int lane = 0; lane < W; ++lane) address[lane] = static_cast<u32>(row[lane] + offset);
  if (in.amd.memory & AmdFields::local_limit) limit_local(wave, place);
  return true;
}

void limit_local(const WaveState& wave, Place& place) {
  const u64 limit = wave.read_scalar(scalar_register::m0);
  if (limit >= wave.local.size()) return;  // what is behind the group's memory faults
  memory::for_lanes(place.access->lanes, [&](u32 lane) {
    if (place.access->address[lane] + place.access->bytes > limit) place.zeroed |= u64{1} << lane;
  });
  place.access->lanes &= ~place.zeroed;
}

template <int W>
bool LocalLaneAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                              u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  const Place& place =
      add_place(places, context, memory::local_view(wave), Space::local, kind, bytes, active_lanes(wave));
  const u32 first = (wave.read_scalar(scalar_register::m0) & 0xFFFF) + static_cast<u32>(in.offset);
  u64* const to = place.access->address.data();
  for (u32 lane = 0; lane < W; ++lane) to[lane] = first + 4 * lane;
  return true;
}

template <int W>
bool GlobalLaneAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                               u8 bytes, Places& places) {
  if (refused_flags(in, context)) return false;
  const Place& place = add_place(places, context, memory::global_view(context), Space::global, kind, bytes,
                                 active_lanes(wave));
  const u64 base = in.operand[3].kind == OperandKind::none ? 0 : scalar_value64(wave, in.operand[3]);
  const u64 first = base + static_cast<u64>(i64{in.offset});
  u64* const to = place.access->address.data();
  for (u64 lane = 0; lane < W; ++lane) to[lane] = first + 4 * lane;
  return true;
}

template bool LocalLaneAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                           Places&);
template bool LocalLaneAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                           Places&);
template bool GlobalLaneAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                            Places&);
template bool GlobalLaneAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                            Places&);

// Instantiates the generators for both wave widths.
template bool GlobalAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                        Places&);
template bool GlobalAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                        Places&);
template bool FlatAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8, Places&);
template bool FlatAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8, Places&);
template bool ScratchAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                         Places&);
template bool ScratchAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                         Places&);
template bool LocalAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8, Places&);
template bool LocalAddress::places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8, Places&);

}  // namespace lockstep::amd
