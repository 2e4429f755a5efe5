// Messages to the data port: addresses from the payload's registers, data from and to registers.
#include <atomic>
#include <bit>
#include <cstring>

#include "isa/combine.h"
#include "isa/gen/message.h"
#include "isa/gen/message_parts.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

using memory::View;

constexpr u32 local_mask = 0x0FFFFFFF;

struct Target {
  View view;
  Space space = Space::global;
  u64 base = 0;  // what the payload's addresses count from
};

bool in_scratch(const WaveState& wave, u64 address) {
  return address - wave.private_base < wave.private_bytes_per_lane * wave.lanes;
}

// False after a fault.
bool target_of(const WaveState& wave, const Operation& operation, StepContext& context, Target& target) {
  Message message = operation.message;
  if (!read_descriptor(wave, operation, context, message)) return false;
  const GenWave& own = gen(wave);
  target.view = memory::global_view(context);
  if (message.wide_addresses) return true;
  if (message.surface == local_surface) {
    target.view = memory::local_view(wave);
    target.space = Space::local;
    return true;
  }
  if (message.surface == stateless_surface || message.surface == stateless_incoherent) {
    target.base = own.scratch_base;
    // A header says where the buffer begins.
    if (message.header) {
      u32 buffer;
      std::memcpy(&buffer, bytes_of(wave) + file::register_bytes * operation.payload + 20, 4);
      target.base += buffer & ~u32{1023};
    }
    return true;
  }
  const u64 entry = own.arguments_address + own.program->payload_bytes + u64{8} * message.surface;
  if (message.surface < own.program->surfaces && context.global.contains(entry, 8))
    std::memcpy(&target.base, context.global.at(entry), 8);
  if (target.base != 0) return true;
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = "a message to a surface that the kernel's binding table does not have";
  context.raise(fault);
  return false;
}

// The message's addresses, as the launch's channels number them. `skip` bytes are added.
Access& make_access(const WaveState& wave, const Operation& operation, StepContext& context,
                    const Target& target, u32 active, u32 number, AccessKind kind, u32 bytes, u64 skip,
                    u32 unit = 1) {
  const Message& message = operation.message;
  Access& access = memory::next_access(context, number);
  access.space = target.space;
  access.kind = kind;
  access.bytes = static_cast<u8>(bytes);
  access.lanes = u64{active} << operation.first;
  const u8* from = registers(wave, operation.payload + (message.header ? 1u : 0u));
  u64* const to = access.address.data() + operation.first;
  const u32 lanes = std::min<u32>(message.lanes, most_lanes - operation.first);
  if (message.wide_addresses) {
    for (u32 i = 0; i < lanes; ++i) {
      u64 address;
      std::memcpy(&address, from + std::size_t{8} * i, 8);
      to[i] = address + skip;
    }
  } else {
    // Pointers to local memory have a tag above their 64 KB.
    const u32 mask = target.space == Space::local ? local_mask : ~0u;
    const u64 base = target.base + skip;
    for (u32 i = 0; i < lanes; ++i) {
      u32 offset;
      std::memcpy(&offset, from + std::size_t{4} * i, 4);
      to[i] = base + u64{offset & mask} * unit;
    }
  }
  if (access.space == Space::global && active != 0 &&
      in_scratch(wave, access.address[operation.first + static_cast<u32>(std::countr_zero(active))]))
    access.space = Space::private_memory;
  return access;
}

// Runs `function(lane of the message, place in memory)` for each channel that takes part.
template <class F>
void for_places(const Access& access, const Operation& operation, const View& view, F function) {
  memory::for_lanes(access.lanes,
                    [&](u32 lane) { function(lane - operation.first, view.at(access.address[lane])); });
}

void run_untyped_read(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  const u32 active = active_channels(wave, operation);
  Target target;
  if (active == 0 || !target_of(wave, operation, context, target)) return;
  const std::size_t row = std::size_t{4} * message.lanes;
  std::array<u32, 4 * 16> values;
  u32 done = 0;
  u32 components = 0;
  bool moves = true;
  for_component_runs(message.mask, [&](u32 first, u32 count, u32 number) {
    const Access& access = make_access(wave, operation, context, target, active, number, AccessKind::load,
                                       4 * count, u64{4} * first);
    moves = moves && admitted(wave, in, context, access, target.view);
    if (!moves) return;
    // The destination may be where the addresses are.
    u32* const into = &values[done * 16];
    if (count == 1) {
      for_places(access, operation, target.view,
                 [&](u32 lane, const u8* from) { std::memcpy(into + lane, from, 4); });
    } else {
      for_places(access, operation, target.view, [&](u32 lane, const u8* from) {
        for (u32 k = 0; k < count; ++k) std::memcpy(into + k * 16 + lane, from + 4 * k, 4);
      });
    }
    done += count;
    components = done;
  });
  if (!moves || !operation.responds) return;
  u8* to = registers(wave, operation.response);
  const bool all = active == (u64{1} << message.lanes) - 1;
  for (u32 k = 0; k < components; ++k) {
    if (all) {
      std::memcpy(to + k * row, &values[k * 16], row);
      continue;
    }
    for (u32 rest = active; rest != 0; rest &= rest - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(rest));
      std::memcpy(to + k * row + 4 * lane, &values[k * 16 + lane], 4);
    }
  }
}

void run_untyped_write(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  const u32 active = active_channels(wave, operation);
  Target target;
  if (active == 0 || !target_of(wave, operation, context, target)) return;
  const std::size_t row = std::size_t{4} * message.lanes;
  const u8* data = registers(wave, operation.second_payload);
  u32 done = 0;
  bool moves = true;
  for_component_runs(message.mask, [&](u32 first, u32 count, u32 number) {
    const Access& access = make_access(wave, operation, context, target, active, number, AccessKind::store,
                                       4 * count, u64{4} * first);
    moves = moves && admitted(wave, in, context, access, target.view);
    if (!moves) return;
    for_places(access, operation, target.view, [&](u32 lane, u8* to) {
      for (u32 k = 0; k < count; ++k) std::memcpy(to + 4 * k, data + (done + k) * row + 4 * lane, 4);
    });
    done += count;
  });
}

// Bytes, dwords or qwords: elements narrower than a dword have one for themselves.
void run_scattered(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  const bool loads = message.kind == Message::Kind::scattered_read;
  const u32 active = active_channels(wave, operation);
  Target target;
  if (active == 0 || !target_of(wave, operation, context, target)) return;
  const u32 bytes = u32{message.element} * message.count;
  const u32 unit = message.wide_addresses ? 1 : message.mask;
  const Access& access = make_access(wave, operation, context, target, active, 0,
                                     loads ? AccessKind::load : AccessKind::store, bytes, 0, unit);
  if (!admitted(wave, in, context, access, target.view)) return;
  const u32 slot = message.element == 8 ? 8 : 4;
  const std::size_t row = std::size_t{slot} * message.lanes;
  u8* data = registers(wave, loads ? operation.response : operation.second_payload);
  if (loads && !operation.responds) return;
  for_places(access, operation, target.view, [&](u32 lane, u8* place) {
    for (u32 k = 0; k < message.count; ++k) {
      u8* own = data + k * row + std::size_t{slot} * lane;
      if (loads) {
        u64 value = 0;
        std::memcpy(&value, place + k * message.element, message.element);
        std::memcpy(own, &value, slot);
      } else {
        std::memcpy(place + k * message.element, own, message.element);
      }
    }
  });
}

// Registers one behind the other, of which a channel that does not take part leaves its dword as it is.
void run_by_channel(WaveState& wave, const Instruction& in, StepContext& context, const View& view,
                    u64 address, bool loads) {
  const Operation& operation = operation_of(wave, in);
  const u32 active = active_channels(wave, operation);
  if (active == 0) return;
  u8* data = registers(wave, loads ? operation.response : operation.second_payload);
  for (u32 row = 0; row < operation.message.count; ++row) {
    Access& access = memory::next_access(context, row % 4);
    access.space = Space::private_memory;
    access.kind = loads ? AccessKind::load : AccessKind::store;
    access.bytes = 4;
    access.lanes = u64{active} << operation.first;
    for (u32 i = 0; i < 8 && i + operation.first < most_lanes; ++i)
      access.address[operation.first + i] = address + u64{32} * row + u64{4} * i;
    if (!admitted(wave, in, context, access, view)) return;
    for_places(access, operation, view, [&](u32 lane, u8* place) {
      u8* own = data + std::size_t{32} * row + std::size_t{4} * lane;
      if (loads)
        std::memcpy(own, place, 4);
      else
        std::memcpy(place, own, 4);
    });
  }
}

// Whole registers from one address for all channels: a header has it, or the message's kind.
void run_block(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  if (active_of(wave, operation) == 0) return;
  const bool scratch =
      message.kind == Message::Kind::scratch_read || message.kind == Message::Kind::scratch_write;
  const bool loads = message.kind == Message::Kind::block_read || message.kind == Message::Kind::scratch_read;
  Target target;
  if (scratch) {
    target.view = memory::global_view(context);
  } else if (!target_of(wave, operation, context, target)) {
    return;
  }
  const u8* header = registers(wave, operation.payload);
  u64 address;
  u32 bytes = u32{message.count} * 16;
  if (scratch) {
    u32 base;
    std::memcpy(&base, header + 20, 4);
    address = gen(wave).scratch_base + (base & ~u32{1023}) + u64{32} * message.block_offset;
    bytes = u32{message.count} * 32;
  } else if (message.wide_addresses) {
    std::memcpy(&address, header, 8);
  } else {
    u32 offset;
    std::memcpy(&offset, header + 8, 4);
    address = target.base + u64{offset} * message.mask;
  }
  if (message.by_channel) {
    run_by_channel(wave, in, context, target.view, address, loads);
    return;
  }
  // One channel stands for all; of more bytes than a record has, each register is one.
  u8* data = registers(wave, loads ? operation.response : operation.second_payload);
  for (u32 done = 0; done < bytes; done += 64) {
    const u32 now = std::min(bytes - done, 64u);
    Access& access = memory::next_access(context, done / 64 % 4);
    access.space = scratch || in_scratch(wave, address) ? Space::private_memory : target.space;
    access.kind = loads ? AccessKind::load : AccessKind::store;
    access.bytes = static_cast<u8>(now);
    access.lanes = 1;
    access.address[0] = address + done;
    if (!admitted(wave, in, context, access, target.view)) return;
    u8* place = target.view.at(address + done);
    if (loads)
      std::memcpy(data + done, place, now);
    else
      std::memcpy(place, data + done, now);
  }
}

template <class T, class F>
T exchange(u8* place, bool shared, F function) {
  T* at = reinterpret_cast<T*>(place);
  if (!shared) {
    T old;
    std::memcpy(&old, place, sizeof(T));
    const T made = function(old);
    std::memcpy(place, &made, sizeof(T));
    return old;
  }
  std::atomic_ref<T> cell(*at);
  T old = cell.load(std::memory_order_relaxed);
  while (
      !cell.compare_exchange_weak(old, function(old), std::memory_order_acq_rel, std::memory_order_relaxed)) {
  }
  return old;
}

template <class T>
T combined(u32 operation, T old, T first, T second) {
  switch (operation) {
    case 1:
      return combine::And::apply(old, first);
    case 2:
      return combine::Or::apply(old, first);
    case 3:
      return combine::Xor::apply(old, first);
    case 4:
      return first;
    case 5:
      return old + 1;
    case 6:
    case 15:
      return old - 1;
    case 7:
      return old + first;
    case 8:
      return old - first;
    case 9:
      return first - old;
    case 10:
      return combine::SignedMax::apply(old, first);
    case 11:
      return combine::SignedMin::apply(old, first);
    case 12:
      return combine::UnsignedMax::apply(old, first);
    case 13:
      return combine::UnsignedMin::apply(old, first);
    default:
      return combine::CompareStore::apply(old, first, second);
  }
}

template <class T>
void atomics(WaveState& wave, const Operation& operation, const Access& access, const View& view) {
  const Message& message = operation.message;
  const std::size_t row = sizeof(T) * message.lanes;
  const u8* data = registers(wave, operation.second_payload);
  std::array<T, 16> old{};
  u32 lanes = 0;
  for_places(access, operation, view, [&](u32 lane, u8* place) {
    T first = 0, second = 0;
    const u32 given = registers_of(message).data;
    if (given != 0) std::memcpy(&first, data + sizeof(T) * lane, sizeof(T));
    if (message.atomic == 14) std::memcpy(&second, data + row + sizeof(T) * lane, sizeof(T));
    old[lane] = exchange<T>(place, view.shared,
                            [&](T value) { return combined<T>(message.atomic, value, first, second); });
    // Decrements may give what they have left there.
    if (message.atomic == 15) old[lane] -= 1;
    lanes |= u32{1} << lane;
  });
  if (!message.returns || !operation.responds) return;
  u8* to = registers(wave, operation.response);
  for (; lanes != 0; lanes &= lanes - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(lanes));
    std::memcpy(to + sizeof(T) * lane, &old[lane], sizeof(T));
  }
}

void run_atomic(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  const u32 active = active_channels(wave, operation);
  Target target;
  if (active == 0 || !target_of(wave, operation, context, target)) return;
  const Access& access =
      make_access(wave, operation, context, target, active, 0,
                  message.returns ? AccessKind::atomic_return : AccessKind::atomic, message.element, 0);
  if (!memory::check_aligned(access, message.element, context)) return;
  if (!admitted(wave, in, context, access, target.view)) return;
  if (message.element == 8)
    atomics<u64>(wave, operation, access, target.view);
  else
    atomics<u32>(wave, operation, access, target.view);
}

void run_end(WaveState&, const Instruction&, StepContext& context) {
  context.event = Event::end;
}
void run_signal(WaveState& wave, const Instruction&, StepContext&) {
  gen(wave).signalled = true;
}
void run_fence(WaveState&, const Instruction&, StepContext&) {}

constexpr Semantic memory_semantic(std::string_view name, Combining combining = Combining::none) {
  Semantic made;
  made.name = name;
  made.shape = Shape::memory;
  made.flow = Flow::own;
  made.implied = implies::reads_exec;
  made.combining = combining;
  return made;
}
constexpr Semantic plain(std::string_view name) {
  Semantic made;
  made.name = name;
  made.shape = Shape::control;
  made.flow = Flow::own;
  return made;
}
constexpr Semantic untyped_read = memory_semantic("untyped read"),
                   untyped_write = memory_semantic("untyped write"),
                   scattered_read = memory_semantic("gathering read"),
                   scattered_write = memory_semantic("scattering write"),
                   block_read = memory_semantic("block read"), block_write = memory_semantic("block write"),
                   end = plain("end of thread"), signal = plain("barrier signal"),
                   fence = plain("memory fence");
constexpr std::array<Semantic, 16> atomic_meanings{
    memory_semantic("atomic compare and swap", Combining::compare_exchange),
    memory_semantic("atomic and", Combining::conjunction),
    memory_semantic("atomic or", Combining::disjunction),
    memory_semantic("atomic xor", Combining::exclusive_or),
    memory_semantic("atomic store", Combining::exchange),
    memory_semantic("atomic increment", Combining::sum),
    memory_semantic("atomic decrement", Combining::sum),
    memory_semantic("atomic add", Combining::sum),
    memory_semantic("atomic subtract", Combining::sum),
    memory_semantic("atomic reverse subtract", Combining::ordered),
    memory_semantic("atomic signed maximum", Combining::signed_max),
    memory_semantic("atomic signed minimum", Combining::signed_min),
    memory_semantic("atomic unsigned maximum", Combining::unsigned_max),
    memory_semantic("atomic unsigned minimum", Combining::unsigned_min),
    memory_semantic("atomic compare and swap", Combining::compare_exchange),
    memory_semantic("atomic decrement and return", Combining::sum)};

}  // namespace

bool GenWave::stored_bytes(const WaveState& wave, const Instruction& in, const Access& access, u32 number,
                           u32 lane, u8* bytes) const {
  using Kind = Message::Kind;
  const Operation& operation = operation_of(wave, in);
  const Message& message = operation.message;
  const u8* data = registers(wave, operation.second_payload);
  const u32 channel = lane - operation.first;
  if (message.kind == Kind::untyped_write) {
    u32 before = 0;
    for_component_runs(message.mask, [&](u32, u32 count, u32 run) {
      if (run < number) before += count;
    });
    const std::size_t row = std::size_t{4} * message.lanes;
    for (u32 k = 0; k < access.bytes / 4u; ++k)
      std::memcpy(bytes + 4 * k, data + (before + k) * row + std::size_t{4} * channel, 4);
    return true;
  }
  if (message.kind == Kind::scattered_write) {
    const std::size_t slot = message.element == 8 ? 8 : 4, row = slot * message.lanes;
    for (u32 k = 0; k < message.count; ++k)
      std::memcpy(bytes + k * message.element, data + k * row + slot * channel, message.element);
    return true;
  }
  return false;
}

MessageRun run_of(const Message& message) {
  using Kind = Message::Kind;
  const bool local = !message.wide_addresses && message.surface == local_surface;
  const Addressing addressing = local                    ? Addressing::local
                                : message.wide_addresses ? Addressing::global
                                                         : Addressing::buffer;
  const Cost load = local ? Cost::lds_load : Cost::vmem_load,
             store = local ? Cost::lds_store : Cost::vmem_store;
  switch (message.kind) {
    case Kind::end_of_thread:
      return {run_end, &end, Cost::end, Addressing::none};
    case Kind::barrier:
      return {run_signal, &signal, Cost::message, Addressing::none};
    case Kind::fence:
      return {run_fence, &fence, Cost::wait, Addressing::none};
    case Kind::untyped_read:
      return {run_untyped_read, &untyped_read, load, addressing};
    case Kind::untyped_write:
      return {run_untyped_write, &untyped_write, store, addressing};
    case Kind::scattered_read:
      return {run_scattered, &scattered_read, load, addressing};
    case Kind::scattered_write:
      return {run_scattered, &scattered_write, store, addressing};
    case Kind::block_read:
    case Kind::scratch_read:
      return {run_block, &block_read, load, addressing};
    case Kind::block_write:
    case Kind::scratch_write:
      return {run_block, &block_write, store, addressing};
    case Kind::atomic:
      return {run_atomic, &atomic_meanings[message.atomic], local ? Cost::lds_atomic : Cost::vmem_atomic,
              addressing};
    case Kind::sample:
    case Kind::typed_read:
    case Kind::typed_write:
      return image_run_of(message);
    case Kind::none:
      break;
  }
  return {};
}

}  // namespace lockstep::gen
