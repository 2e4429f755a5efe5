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

// Components of a mask that lie side by side: as first, count and the run's number.
template <class F>
void for_component_runs(u32 mask, F function) {
  u32 number = 0;
  for (u32 first = 0; first < 4;) {
    if (((mask >> first) & 1) == 0) {
      ++first;
      continue;
    }
    u32 end = first;
    while (end < 4 && ((mask >> end) & 1) != 0) ++end;
    function(first, end - first, number++);
    first = end;
  }
}

// Where a channel's element of a message to an image is, whose payload lies in two pieces: registers from the
// header's on.
struct PayloadPlace {
  u32 number = 0;  // of the register
  u32 byte = 0;
};
inline PayloadPlace place_in_payload(const Operation& operation, u32 element, u32 lane) {
  const Message& message = operation.message;
  const u32 rows = message.lanes / 8u, first = message.first_registers;
  const u32 number = (message.header ? 1u : 0u) + element * rows + lane / 8;
  return {number < first ? operation.payload + number : operation.second_payload + number - first,
          4 * (lane % 8)};
}
// How many elements each channel has there.
inline u32 payload_elements(const Operation& operation) {
  const Message& message = operation.message;
  const u32 all = u32{message.first_registers} + message.second_registers, header = message.header ? 1 : 0;
  return all < header ? 0 : (all - header) / (message.lanes / 8u);
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
