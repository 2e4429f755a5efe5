// What the messages to memory share.
#pragma once
#include <cstring>

#include "isa/gen/operation.h"
#include "isa/gen/wave.h"
#include "isa/memory_shapes.h"

namespace lockstep::gen {

inline u32 active_channels(const WaveState& wave, const Operation& operation) {
  return active_of(wave, operation) & channel_mask(operation.message.lanes);
}

inline const u8* registers(const WaveState& wave, u32 first) {
  return bytes_of(wave) + std::size_t{file::register_bytes} * first;
}
inline u8* registers(WaveState& wave, u32 first) {
  return bytes_of(wave) + std::size_t{file::register_bytes} * first;
}

// The message with what a descriptor in a register says: the surface and the sampler. False after a fault.
inline bool read_descriptor(const WaveState& wave, const Operation& operation, StepContext& context,
                            Message& message) {
  if (!message.in_register) return true;
  const Source& source = operation.source[0];
  u32 descriptor;
  std::memcpy(&descriptor, bytes_of(wave) + source.offset, 4);
  const bool sampler = message.kind == Message::Kind::sample;
  const u32 free = sampler ? 0xFFF : 0xFF;
  if (((descriptor ^ static_cast<u32>(source.value)) & ~free) != 0) {
    Fault fault;
    fault.kind = FaultKind::not_supported;
    fault.text = "a message that is another one than the code in front of it shows";
    context.raise(fault);
    return false;
  }
  message.surface = static_cast<u8>(descriptor);
  if (sampler) message.sampler = static_cast<u8>((descriptor >> 8) & 15);
  return true;
}

// False where nothing is to move: after a fault, or when the step only looks.
inline bool admitted(WaveState& wave, const Instruction& in, StepContext& context, const Access& access,
                     const memory::View& view) {
  if (access.lanes == 0) return false;
  if (context.checker != nullptr) [[unlikely]] {
    context.checker->access(wave, in, access, context);
    if (context.fault.kind != FaultKind::none) return false;
  }
  return memory::check_lanes(access, view, nullptr, context) && !context.look_only;
}

}  // namespace lockstep::gen
