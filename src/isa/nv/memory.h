// Loads, stores and atomics of PTX. Source: "Parallel Thread Execution ISA", version 8.5, 5.1 (State
// Spaces), 6.4 and 9.7.9 (ld, st, atom, red).
//
// Operands: [0] the result, [1] the address (vector register of one or two rows, or an immediate), [2] to [4]
// further results of vector loads, or [2] to [5] what is stored; atomics take [2] and, for cas, [5].
#pragma once
#include "isa/memory_shapes.h"

namespace lockstep::nv {

// Generic addresses in these windows mean shared and local memory: the lower half is the offset. Global
// memory lies below both. The real windows' places are the driver's choice.
inline constexpr u64 shared_window = 0x0001'0000'0000'0000u;
inline constexpr u64 local_window = 0x0002'0000'0000'0000u;

// NvFields::base of memory instructions: what is added to the address. `dynamic`: where the shared
// memory that the launch adds begins, behind the kernel's own variables.
enum class Base : u8 { nothing, image, arguments, frame, dynamic };
// For all but `frame`, which differs by lane.
u64 base_offset(const WaveState& wave, Base base);

// Addresses by Instruction::addressing: global, local (shared memory), scratch (local memory), scalar
// (parameters and constants: global memory that the program only reads), generic.
struct PtxAddress {
  static constexpr std::string_view name = "ptx";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// The address of each lane: operand [1], the instruction's offset and its base.
void lane_addresses(const WaveState& wave, const Instruction& in, u64* address);
// The memories that those of `lanes` reach, by the instruction's addressing. False after a fault (misaligned
// private memory).
bool places_at(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
               const Row<u64>& address, u64 lanes, memory::Places& places);
// `bytes` of each lane of all places to and from `data`, where lanes are `stride` bytes apart; false after a
// fault, such as an address that is no multiple of `alignment`. Where the step only looks nothing is moved.
bool move_lanes(WaveState& wave, const Instruction& in, StepContext& context, memory::Places& places,
                u8* data, u32 bytes, u32 stride, u32 alignment);

// nullptr where there is none. `type_bytes` of each element, `parts` 1, 2 or 4; `register_rows` 1 or 2.
const Semantic* find_load(u32 type_bytes, bool sign, u32 register_rows, u32 parts);
const Semantic* find_store(u32 type_bytes, u32 parts);
// cp.async of 4, 8 or 16 bytes: to [1] in shared memory, from [2] in global memory (its offset in the detail,
// its base in source_base); how many of them are read rather than zero [3], or (`ignores`) a predicate [3]
// that makes all of them zero.
const Semantic& copy_to_shared(u32 bytes, bool ignores);
// "add.u32", "cas.b64"
const Semantic* find_atomic(std::string_view operation_and_type);

}  // namespace lockstep::nv
