// What only an Intel hardware thread has: its registers as bytes, channels that wait, accumulators.
#pragma once
#include <cstring>
#include <memory>
#include <vector>

#include "isa/launch.h"
#include "isa/program.h"
#include "isa/stored_bytes.h"
#include "isa/wave.h"

namespace lockstep::gen {

struct Operation;

// A thread's registers are bytes, which WaveState keeps in its rows, one behind the other: r0 to r127 of 32
// bytes each, then what the architecture's register file has that programs name, then addresses that the
// loader gave to the program's symbols.
namespace file {
inline constexpr u32 register_bytes = 32, registers = 128;
inline constexpr u32 address = register_bytes * registers;  // a0: 16 words
inline constexpr u32 flag = address + 32;                   // f0 and f1: 32 bits each
inline constexpr u32 control = flag + 16;                   // cr0
inline constexpr u32 notification = control + 16;           // n0
inline constexpr u32 state = notification + 16;             // sr0
inline constexpr u32 channels = state + 16;                 // ce0: the channels that run
inline constexpr u32 timestamp = channels + 16;             // tm0
inline constexpr u32 symbols = timestamp + 32;              // 8 bytes each
// How far an indexed operand reaches, at most, from its first byte: 32 elements of 8 bytes, four apart.
// Behind the last register is so much room.
inline constexpr u32 indexed_reach = 1024;
}  // namespace file

// Rounding and denormals in cr0 (Skylake PRM, volume 7, "Control Register").
namespace control_bits {
inline constexpr u32 rounding_shift = 4;  // 0 nearest even, 1 up, 2 down, 3 zero
inline constexpr u32 keep_f64_denormals = 1 << 6, keep_f32_denormals = 1 << 7, keep_f16_denormals = 1 << 10;
}  // namespace control_bits

// Where a symbol's address goes.
struct SymbolAddress {
  u64 address = 0;  // in the module's image
  u8 type = 1;      // 1 all 64 bits, 2 the low 32, 3 the high 32
  // Of a function: it counts from where the program's code begins, as the instruction pointer does.
  bool code = false;
};

// What the driver puts behind r0 when a thread begins, by the kernel's .ze_info: bytes in the cross-thread
// data.
struct PayloadField {
  enum class Kind : u8 {
    global_offset,
    local_size,
    enqueued_local_size,
    group_count,
    global_size,
    work_dimensions,
    argument_value,
    argument_address,
    argument_local,
    buffer_offset,
    private_base,
    global_base,    // of the module's variables
    constant_base,  // of its constants
    printf_buffer,
    image_width,
    image_height,
    image_depth,
    image_array,
    image_channel_order,
    image_channel_type,
    sampler_normalized,
    sampler_address,
    sampler_snap,
    zero,
  };
  Kind kind = Kind::zero;
  u32 offset = 0, bytes = 0;
  u32 argument = 0;
  u32 source_offset = 0;  // within the argument's value
  u32 described = 0;      // of images and samplers: the argument's number among those described
};

struct BindingEntry {
  u32 index = 0, argument = 0;
};

// Of the sampler table: an argument, or a sampler that the program's text has (sampler_bits).
struct SamplerEntry {
  static constexpr u32 no_argument = ~u32{0};
  u32 index = 0, argument = no_argument, bits = 0;
};

struct GenProgram final : IsaProgram {
  std::shared_ptr<const std::vector<Operation>> operations;  // of the module
  std::vector<SymbolAddress> symbols;                        // of the module
  std::vector<PayloadField> fields;
  std::vector<BindingEntry> bindings;
  std::vector<SamplerEntry> samplers;
  // Arguments of which fields say how the image or sampler is made.
  std::vector<u32> described;
  // Registers between r0 and the cross-thread data: the work-items' numbers in their group, at least one.
  u32 thread_registers = 1;
  // What lies behind each other in device memory: the cross-thread data, and tables of addresses by index.
  u32 payload_bytes = 0;
  u32 surfaces = 0;         // entries of the binding table
  u32 sampler_entries = 0;  // of the table of samplers; behind it those of `described`
  u32 local_id_dimensions = 0;
  u32 sampler_table() const { return payload_bytes + 8 * surfaces; }
  u32 described_table() const { return sampler_table() + 8 * sampler_entries; }
  u32 argument_bytes() const { return described_table() + 8 * static_cast<u32>(described.size()); }
  // Of a thread: what r0.5 points to, and behind it what code that was not optimised has for its variables.
  u32 scratch_bytes = 0, private_bytes = 0;
  u64 constant_base = 0, global_base = 0;  // in the module's image
  std::array<u32, 3> walk_order{0, 1, 2};
};

struct GenWave final : IsaWaveState, StoredBytes {
  static constexpr u32 nowhere = ~u32{0};
  const Operation* operations = nullptr;
  const GenProgram* program = nullptr;
  // Of the cross-thread data in device memory, which the dispatcher brings before the first instruction;
  // behind them lie the surfaces' addresses by binding table index.
  u64 arguments_address = 0;
  bool begun = false;
  u64 scratch_base = 0;        // what 32-bit stateless addresses count from
  std::array<u32, 32> wait{};  // by channel: the instruction at which it runs again
  u32 waiting = 0;             // the channels that wait
  bool signalled = false;      // the barrier's gateway has heard of this thread
  std::array<u64, 32> accumulator{};
  // The mantissas of the registers with extra precision (mme0 to mme7) by channel; made when first used.
  std::vector<__float128> extended;

  std::unique_ptr<IsaWaveState> clone() const override { return std::make_unique<GenWave>(*this); }
  u64 fingerprint() const override;
  bool read_dwords(const WaveState& wave, RegisterFile file, u32 index,
                   std::vector<u32>& dwords) const override;
  bool stored_bytes(const WaveState& wave, const Instruction& in, const Access& access, u32 number, u32 lane,
                    u8* bytes) const override;
};

inline GenWave& gen(WaveState& wave) {
  return static_cast<GenWave&>(*wave.isa);
}
inline const GenWave& gen(const WaveState& wave) {
  return static_cast<const GenWave&>(*wave.isa);
}
inline u8* bytes_of(WaveState& wave) {
  return reinterpret_cast<u8*>(wave.row(0));
}
inline const u8* bytes_of(const WaveState& wave) {
  return reinterpret_cast<const u8*>(wave.row(0));
}

// Where an operand begins that an element of a0 indexes: the general registers are all that it can reach.
inline u32 indexed_place(const WaveState& wave, u32 element, i32 offset) {
  u16 index;
  std::memcpy(&index, bytes_of(wave) + file::address + 2 * element, sizeof(index));
  const i32 at = index + offset;
  return static_cast<u32>(at < 0 ? 0 : at % static_cast<i32>(file::address));
}

}  // namespace lockstep::gen
