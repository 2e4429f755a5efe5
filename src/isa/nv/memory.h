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

// Instruction::format of memory instructions: what is added to the address.
enum class Base : u8 { nothing, image, arguments, frame };

// Addresses by Instruction::addressing: global, local (shared memory), scratch (local memory), scalar
// (parameters and constants: global memory that the program only reads), generic.
struct PtxAddress {
  static constexpr std::string_view name = "ptx";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places);
};

// nullptr where there is none. `type_bytes` of each element, `parts` 1, 2 or 4; `register_rows` 1 or 2.
const Semantic* find_load(u32 type_bytes, bool sign, u32 register_rows, u32 parts);
const Semantic* find_store(u32 type_bytes, u32 parts);
// "add.u32", "cas.b64"
const Semantic* find_atomic(std::string_view operation_and_type);

}  // namespace lockstep::nv
