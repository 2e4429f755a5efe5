// What a launch tells an ISA: the NDRange, argument values and addresses; and what the ISA must do to begin
// one.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "base/types.h"

namespace lockstep {

struct ByteRegisters;
struct Instruction;
struct Module;
struct Program;
class RegisterUse;
struct WaveState;

// As in OpenCL: work-items by dimension, their offset, and the group's size. The global size need not be a
// multiple of the local size: the last groups are then smaller.
struct NdRange {
  u32 dimensions = 1;
  std::array<u64, 3> global{1, 1, 1};
  std::array<u64, 3> offset{0, 0, 0};
  std::array<u32, 3> local{1, 1, 1};
  u32 dynamic_local_bytes =
      0;  // local memory beyond the kernel's own: HIP's and CUDA's third launch parameter

  u64 groups(u32 dimension) const { return (global[dimension] + local[dimension] - 1) / local[dimension]; }
  u64 total_groups() const { return groups(0) * groups(1) * groups(2); }
  u32 group_items() const { return local[0] * local[1] * local[2]; }
  u64 total_items() const { return global[0] * global[1] * global[2]; }
};

// One explicit argument as the host set it: the bytes of a value, or of a device address; or a local size.
struct ArgumentValue {
  std::vector<u8>
      bytes;  // by-value bytes, or the 8-byte device address of a buffer, image or sampler descriptor
  u64 local_bytes = 0;  // local pointers: how much local memory
};

// Where the launch's pieces lie in device memory.
struct LaunchState {
  const Module* module = nullptr;
  const Program* program = nullptr;
  NdRange range;
  u64 image_address = 0;      // at which the module's image was loaded
  u64 arguments_address = 0;  // of the argument segment
  u64 dispatch_packet_address = 0;
  u64 printf_buffer_address = 0;
  u64 private_base = 0;  // of the private memory of resident slot 0
  u64 private_bytes_per_wave = 0;
  u64 private_bytes_per_item = 0;
  u32 local_bytes = 0;  // per group: static, dynamic and arguments
  u32 waves_per_group = 1;
};

// One group's place in the NDRange.
struct GroupId {
  std::array<u32, 3> id{0, 0, 0};
  u32 linear = 0;
};

// The registers that a wave begins with: the first ones of each kind.
struct FirstRegisters {
  u32 vector_rows = 0;
  u32 scalars = 0;
};

// The work that only an ISA room knows how to do.
struct IsaInterface {
  // The argument segment's bytes: explicit values at their offsets, hidden ones from the launch.
  // Local-pointer arguments get offsets in the group's local memory behind the static part; `local_bytes` of
  // the state is set.
  std::vector<u8> (*arguments)(LaunchState& state, std::span<const ArgumentValue> values);
  // Bytes of launch-wide data in device memory beside the arguments (AMD: the dispatch packet), already
  // filled in.
  std::vector<u8> (*dispatch_packet)(const LaunchState& state);
  // Sets a wave's registers for its first instruction. `wave.slot`, `wave.index_in_group`, `wave.local` are
  // set.
  void (*begin_wave)(WaveState& wave, const LaunchState& state, const GroupId& group);
  // Which registers begin_wave gives values to.
  FirstRegisters (*first_registers)(const LaunchState& state);
  // The instruction with the registers that it reaches now, where registers are chosen by an index at run
  // time: in `room` if that changes it.
  const Instruction& (*indexed)(const WaveState& wave, const Instruction& instruction, Instruction& room);
  // Adds the registers that an instruction of the program reads and writes, of a packet (Instruction::slots)
  // those of all of its instructions.
  void (*register_use)(const Program& program, const Instruction& instruction, RegisterUse& use);
  // Where lanes of the wave wait for those that run (an instruction's index), ~0 if none do; null where the
  // code itself masks lanes.
  u32 (*waiting_lanes)(const WaveState& wave);
  // Whether what the instruction gives depends on when or where it runs: clocks, numbers of compute units.
  bool (*depends_on_issue)(const Instruction& instruction);
  // Of registers that are bytes, for checked runs; null where they are rows of lanes.
  const ByteRegisters* byte_registers = nullptr;
};

}  // namespace lockstep
