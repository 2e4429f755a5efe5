// Messages to the shared functions: data port, sampler, gateway, thread spawner. Source: "Skylake PRM, volume
// 2d: Command Reference: Structures" (message descriptors), "volume 7: 3D-Media-GPGPU" (messages' payloads).
#pragma once
#include "base/diagnostic.h"
#include "isa/gen/operation.h"
#include "isa/semantic.h"

namespace lockstep::gen {

// What the descriptors ask for. Errors without a place: "not-supported", which names the message.
Expected<Message> decode_message(u32 function, u32 descriptor);

struct MessageRun {
  RunFunction run = nullptr;
  const Semantic* meaning = nullptr;
  Cost cost = Cost::nop;
  Addressing addressing = Addressing::none;
};
// For a message of this kind.
MessageRun run_of(const Message& message);
// Of those that reach images: reads by the sampler, typed reads and writes.
MessageRun image_run_of(const Message& message);

inline constexpr u8 local_surface = 0xFE, stateless_surface = 0xFF, stateless_incoherent = 0xFD;

// Registers that the message's first payload has, and its second.
struct PayloadRegisters {
  u32 addresses = 0, data = 0, response = 0;
};
PayloadRegisters registers_of(const Message& message);

}  // namespace lockstep::gen
