#include "isa/gen/message.h"

#include <fmt/format.h>

#include <bit>

namespace lockstep::gen {
namespace {

// Shared functions, in the extended descriptor's low four bits.
enum : u32 { sampler = 2, gateway = 3, spawner = 7, data_cache_0 = 10, data_cache_1 = 12 };

Diagnostic unknown(u32 function, u32 descriptor) {
  constexpr std::string_view names[] = {"null",
                                        "?",
                                        "sampler",
                                        "gateway",
                                        "sampler's data port",
                                        "render cache",
                                        "URB",
                                        "thread spawner",
                                        "video",
                                        "constant cache",
                                        "data port 0",
                                        "pixel interpolator",
                                        "data port 1",
                                        "?",
                                        "?",
                                        "?"};
  return {"not-supported",
          {},
          fmt::format("a message to the {} with descriptor {:#010x} is not supported", names[function & 15],
                      descriptor),
          ""};
}

u32 bits(u32 value, u32 high, u32 low) {
  return (value >> low) & ((u32{1} << (high - low + 1)) - 1);
}

Expected<Message> data_port_0(u32 descriptor) {
  Message made;
  made.surface = static_cast<u8>(descriptor);
  made.header = bits(descriptor, 19, 19) != 0;
  made.registers = static_cast<u8>(bits(descriptor, 24, 20));
  const u32 control = bits(descriptor, 13, 8);
  if (bits(descriptor, 18, 18) != 0) {  // scratch blocks
    made.kind = bits(descriptor, 17, 17) != 0 ? Message::Kind::scratch_write : Message::Kind::scratch_read;
    made.by_channel = bits(descriptor, 16, 16) != 0;
    made.count = static_cast<u8>(u32{1} << bits(descriptor, 13, 12));
    made.block_offset = static_cast<u16>(bits(descriptor, 11, 0));
    made.lanes = 8;
    return made;
  }
  switch (bits(descriptor, 17, 14)) {
    case 0:    // oword block read
    case 1:    // unaligned
    case 8: {  // write
      constexpr std::array<u8, 8> owords{1, 1, 2, 4, 8, 0, 0, 0};
      made.kind = bits(descriptor, 17, 14) == 8 ? Message::Kind::block_write : Message::Kind::block_read;
      made.count = owords[control & 7];
      // Of one oword, the upper half of the register.
      if (made.count == 0 || (control & 7) == 1) return unknown(data_cache_0, descriptor);
      made.mask = bits(descriptor, 17, 14) == 1 ? 1 : 16;  // the unit of the offset: bytes or owords
      return made;
    }
    case 3:     // dword gather
    case 11: {  // scatter
      made.kind =
          bits(descriptor, 17, 14) == 3 ? Message::Kind::scattered_read : Message::Kind::scattered_write;
      made.lanes = (control & 3) == 3 ? 16 : 8;
      made.element = 4;
      made.mask = 4;  // offsets count dwords
      return made;
    }
    case 4:     // byte gather
    case 12: {  // scatter
      made.kind =
          bits(descriptor, 17, 14) == 4 ? Message::Kind::scattered_read : Message::Kind::scattered_write;
      made.lanes = (control & 1) != 0 ? 16 : 8;
      const u32 size = bits(control, 3, 2);
      if (size > 2) return unknown(data_cache_0, descriptor);
      made.element = static_cast<u8>(u32{1} << size);
      made.mask = 1;
      return made;
    }
    case 7:
      made.kind = Message::Kind::fence;
      return made;
    default:
      return unknown(data_cache_0, descriptor);
  }
}

Expected<Message> data_port_1(u32 descriptor) {
  Message made;
  made.surface = static_cast<u8>(descriptor);
  made.header = bits(descriptor, 19, 19) != 0;
  made.registers = static_cast<u8>(bits(descriptor, 24, 20));
  const u32 control = bits(descriptor, 13, 8), type = bits(descriptor, 18, 14);
  // The lower bits of untyped and typed messages: a set bit leaves a component out.
  const auto components = [&](u32 lanes_field) {
    made.mask = static_cast<u8>(~control & 15);
    made.lanes = lanes_field == 1 ? 16 : 8;
    return made.mask != 0 && lanes_field != 0 && lanes_field != 3;
  };
  switch (type) {
    case 0x01:
    case 0x09:
      made.kind = type == 0x01 ? Message::Kind::untyped_read : Message::Kind::untyped_write;
      if (!components(bits(control, 5, 4))) return unknown(data_cache_1, descriptor);
      return made;
    case 0x11:
    case 0x19:
      made.kind = type == 0x11 ? Message::Kind::untyped_read : Message::Kind::untyped_write;
      made.wide_addresses = true;
      if (!components(bits(control, 5, 4))) return unknown(data_cache_1, descriptor);
      return made;
    case 0x02:
      made.kind = Message::Kind::atomic;
      made.lanes = bits(control, 4, 4) != 0 ? 8 : 16;
      made.atomic = static_cast<u8>(control & 15);
      made.returns = bits(control, 5, 5) != 0;
      return made;
    case 0x12:
      made.kind = Message::Kind::atomic;
      made.wide_addresses = true;
      made.lanes = 8;
      made.element = bits(control, 4, 4) != 0 ? 8 : 4;
      made.atomic = static_cast<u8>(control & 15);
      made.returns = bits(control, 5, 5) != 0;
      return made;
    case 0x05:
    case 0x0D:
      made.kind = type == 0x05 ? Message::Kind::typed_read : Message::Kind::typed_write;
      made.mask = static_cast<u8>(~control & 15);
      made.lanes = 8;
      // 1 is the low eight channels, 2 the high ones of sixteen.
      if (made.mask == 0 || bits(control, 5, 4) != 1) return unknown(data_cache_1, descriptor);
      return made;
    case 0x10:
    case 0x1A: {
      made.kind = type == 0x10 ? Message::Kind::scattered_read : Message::Kind::scattered_write;
      made.wide_addresses = true;
      made.lanes = bits(control, 4, 4) != 0 ? 16 : 8;
      const u32 unit = bits(control, 1, 0), count = u32{1} << bits(control, 3, 2);
      if (unit > 2 || (unit == 0 && count == 8)) return unknown(data_cache_1, descriptor);
      made.element = static_cast<u8>(unit == 0 ? count : unit == 1 ? 4 : 8);
      made.count = static_cast<u8>(unit == 0 ? 1 : count);
      return made;
    }
    case 0x14:
    case 0x15: {
      made.kind = type == 0x14 ? Message::Kind::block_read : Message::Kind::block_write;
      made.wide_addresses = true;
      constexpr std::array<u8, 8> owords{1, 1, 2, 4, 8, 0, 0, 0};
      made.count = owords[control & 7];
      if (made.count == 0 || (control & 7) == 1 || bits(control, 4, 3) > 1)
        return unknown(data_cache_1, descriptor);
      made.mask = 1;
      return made;
    }
    default:
      return unknown(data_cache_1, descriptor);
  }
}

Expected<Message> sampler_message(u32 descriptor) {
  Message made;
  made.kind = Message::Kind::sample;
  made.surface = static_cast<u8>(descriptor);
  made.header = bits(descriptor, 19, 19) != 0;
  made.registers = static_cast<u8>(bits(descriptor, 24, 20));
  made.sampler = static_cast<u8>(bits(descriptor, 11, 8));
  const u32 width = bits(descriptor, 18, 17), returns_halves = bits(descriptor, 30, 30);
  if (returns_halves != 0 || (width != 1 && width != 2)) return unknown(sampler, descriptor);
  made.lanes = width == 2 ? 16 : 8;
  switch (bits(descriptor, 16, 12)) {
    case 0x00:  // sample: of one level, whatever the derivatives
    case 0x18:  // sample_lz
      made.sample = Message::Sample::filtered;
      return made;
    case 0x02:  // sample_l
      made.sample = Message::Sample::filtered_at_level;
      return made;
    case 0x07:  // ld
      made.sample = Message::Sample::texel_at_level;
      return made;
    case 0x1A:  // ld_lz
      made.sample = Message::Sample::texel;
      return made;
    case 0x0A:  // resinfo
      made.sample = Message::Sample::size;
      return made;
    default:
      return unknown(sampler, descriptor);
  }
}

Expected<Message> decode_parts(u32 function, u32 descriptor) {
  Message made;
  switch (function & 15) {
    case spawner:
      made.kind = Message::Kind::end_of_thread;
      return made;
    case gateway:
      if (bits(descriptor, 2, 0) != 4) return unknown(gateway, descriptor);
      made.kind = Message::Kind::barrier;
      return made;
    case data_cache_0:
      return data_port_0(descriptor);
    case data_cache_1:
      return data_port_1(descriptor);
    case sampler:
      return sampler_message(descriptor);
    default:
      return unknown(function, descriptor);
  }
}

}  // namespace

Expected<Message> decode_message(u32 function, u32 descriptor) {
  Expected<Message> made = decode_parts(function, descriptor);
  if (!made) return made;
  made->first_registers = static_cast<u8>(bits(descriptor, 28, 25));
  made->second_registers = static_cast<u8>(bits(function, 9, 6));
  const u32 components = static_cast<u32>(std::popcount(made->mask));
  const u32 payload = made->first_registers + made->second_registers - (made->header ? 1u : 0u);
  if ((made->kind == Message::Kind::typed_read && made->registers < components) ||
      (made->kind == Message::Kind::typed_write && payload < components))
    return unknown(function, descriptor);
  return made;
}

PayloadRegisters registers_of(const Message& message) {
  using Kind = Message::Kind;
  const u32 header = message.header ? 1 : 0, row = message.lanes / 8u;
  const u32 addresses = header + row * (message.wide_addresses ? 2 : 1);
  u32 components = 0;
  for (u32 i = 0; i < 4; ++i) components += (message.mask >> i) & 1;
  const u32 data = row * (message.element == 8 ? 2 : 1) * message.count;
  const u32 block = (message.count + 1u) / 2;
  switch (message.kind) {
    case Kind::none:
      return {};
    case Kind::end_of_thread:
    case Kind::barrier:
      return {1, 0, 0};
    case Kind::fence:
      return {1, 0, message.registers};
    case Kind::untyped_read:
      return {addresses, 0, row * components};
    case Kind::untyped_write:
      return {addresses, row * components, 0};
    case Kind::scattered_read:
      return {addresses, 0, data};
    case Kind::scattered_write:
      return {addresses, data, 0};
    case Kind::block_read:
      return {1, 0, block};
    case Kind::block_write:
      return {1, block, 0};
    case Kind::atomic: {
      const bool compares = message.atomic == 14 || message.atomic == 0;
      const bool lone = message.atomic == 5 || message.atomic == 6 || message.atomic == 15;
      return {addresses, lone ? 0 : compares ? 2 * data : data, message.returns ? data : 0};
    }
    case Kind::scratch_read:
      return {1, 0, message.count};
    case Kind::scratch_write:
      return {1, message.count, 0};
    case Kind::typed_read:
    case Kind::typed_write:
    case Kind::sample:
      return {message.first_registers, message.second_registers, message.registers};
  }
  return {};
}

}  // namespace lockstep::gen
