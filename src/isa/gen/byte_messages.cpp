// Which bytes of the registers messages take addresses and data from, for checked runs.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/gen/byte_registers.h"
#include "isa/gen/image.h"
#include "isa/gen/message.h"
#include "isa/gen/message_parts.h"

namespace lockstep::gen {
namespace {

using Kind = Message::Kind;

constexpr u32 register_place(u32 number) {
  return file::register_bytes * number;
}

// A dword of each channel, in one of the two payloads of a message to an image.
void add_element(const Operation& operation, u32 element, ByteMessage& made) {
  if (made.addresses == made.address.size()) return;
  BytePlaces& places = made.address[made.addresses++];
  for (u32 i = 0; i < operation.message.lanes; ++i) {
    const PayloadPlace at = place_in_payload(operation, element, i);
    places[i] = register_place(at.number) + at.byte;
  }
}

// The header's dword that says where a block or a buffer lies.
void add_header(const Operation& operation, ByteMessage& made) {
  const Message& message = operation.message;
  const u32 header = register_place(operation.payload);
  const bool scratch = message.kind == Kind::scratch_read || message.kind == Kind::scratch_write;
  const bool stateless = !message.wide_addresses &&
                         (message.surface == stateless_surface || message.surface == stateless_incoherent);
  if (scratch || (stateless && message.header)) made.part[made.parts++] = {header + 20, 4};
  if (!made.blocks || scratch) return;
  made.part[made.parts++] =
      message.wide_addresses ? ByteMessage::Part{header, 8} : ByteMessage::Part{header + 8, 4};
}

u32 done_before(u32 mask, u32 number) {
  u32 done = 0;
  for_component_runs(mask, [&](u32, u32 count, u32 run) {
    if (run < number) done += count;
  });
  return done;
}

u32 run_length(u32 mask, u32 number) {
  u32 length = 0;
  for_component_runs(mask, [&](u32, u32 count, u32 run) {
    if (run == number) length = count;
  });
  return length;
}

// All that comes back for channels, but of blocks.
ByteTransfer response_of(const Operation& operation) {
  const Message& message = operation.message;
  ByteTransfer made;
  made.at = register_place(operation.response);
  made.first = operation.first;
  made.row = 4u * message.lanes;
  const u32 slot = message.element == 8 ? 8 : 4;
  switch (message.kind) {
    case Kind::untyped_read:
    case Kind::typed_read:
      made.elements = static_cast<u32>(std::popcount(message.mask));
      break;
    case Kind::sample:
      made.elements = message.registers / (message.lanes / 8u);
      break;
    case Kind::scattered_read:
      made = {made.at, message.count, message.element, slot, slot * message.lanes, operation.first};
      break;
    case Kind::scratch_read:
      if (message.by_channel) made.elements = message.count;
      break;
    case Kind::atomic:
      made = {made.at, message.returns ? 1u : 0u, message.element, slot, 0, operation.first};
      break;
    default:
      break;
  }
  if (!operation.responds) made.elements = 0;
  return made;
}

}  // namespace

void describe_message(const WaveState& wave, const Instruction& in, const StepContext& context,
                      ByteMessage& made) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  describe_channels(wave, operation, made.channels);
  made.channels.running &= channel_mask(message.lanes);
  made.channels.taken &= channel_mask(message.lanes);
  if (message.in_register) made.part[made.parts++] = {static_cast<u32>(operation.source[0].offset), 4};
  // Of an atomic its access tells what was there.
  if (message.kind != Kind::atomic) made.response = response_of(operation);
  switch (message.kind) {
    case Kind::untyped_read:
    case Kind::untyped_write:
    case Kind::scattered_read:
    case Kind::scattered_write:
    case Kind::atomic: {
      add_header(operation, made);
      made.addresses = 1;
      made.address_bytes = message.wide_addresses ? 8 : 4;
      const u32 begin = register_place(operation.payload + (message.header ? 1u : 0u));
      for (u32 i = 0; i < message.lanes; ++i) made.address[0][i] = begin + made.address_bytes * i;
      return;
    }
    case Kind::scratch_read:
    case Kind::block_read:
    case Kind::scratch_write:
    case Kind::block_write:
      made.blocks = true;
      add_header(operation, made);
      if (made.response.elements != 0) return;
      break;
    case Kind::sample:
    case Kind::typed_read:
    case Kind::typed_write:
      for (u32 used = image_elements(wave, operation, context); used != 0; used &= used - 1)
        add_element(operation, static_cast<u32>(std::countr_zero(used)), made);
      return;
    default:
      break;
  }
  if (!operation.responds) return;
  made.cleared_at = register_place(operation.response);
  made.cleared_bytes = file::register_bytes * registers_of(message).response;
}

ByteTransfer describe_transfer(const WaveState& wave, const Instruction& in, u32 number) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  ByteTransfer made = response_of(operation);
  const u32 slot = message.element == 8 ? 8 : 4;
  switch (message.kind) {
    case Kind::untyped_write:
      made.at = register_place(operation.second_payload);
      [[fallthrough]];
    case Kind::untyped_read:
      made.at += done_before(message.mask, number) * made.row;
      made.elements = run_length(message.mask, number);
      break;
    case Kind::scattered_write:
      made = {register_place(operation.second_payload),
              message.count,
              message.element,
              slot,
              slot * message.lanes,
              operation.first};
      break;
    case Kind::atomic:
      if (number == 0)
        made = {register_place(operation.second_payload),
                registers_of(message).data * file::register_bytes / (slot * message.lanes),
                message.element,
                slot,
                slot * message.lanes,
                operation.first};
      break;
    case Kind::scratch_read:
    case Kind::block_read:
    case Kind::scratch_write:
    case Kind::block_write: {
      const bool reads = message.kind == Kind::scratch_read || message.kind == Kind::block_read;
      const u32 begin = register_place(reads ? operation.response : operation.second_payload);
      // A register of all channels, or a stretch for the first one.
      if (message.by_channel)
        made = {begin + file::register_bytes * number, 1, 4, 4, 0, operation.first};
      else
        made = {begin + 64 * number, 1, 64, 4, 0, 0};
      break;
    }
    case Kind::typed_write: {
      // Its components, behind the coordinates; as far as they lie behind each other.
      const u32 components = static_cast<u32>(std::popcount(message.mask));
      const u32 first = payload_elements(operation) - components;
      const u32 begin = place_in_payload(operation, first, 0).number;
      u32 together = 1;
      while (together < components &&
             place_in_payload(operation, first + together, 0).number == begin + together)
        ++together;
      made = {register_place(begin), together, 4, 4, file::register_bytes, operation.first};
      break;
    }
    default:
      break;
  }
  return made;
}

}  // namespace lockstep::gen
