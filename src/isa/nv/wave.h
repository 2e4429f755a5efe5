// What only a PTX wave has: which lanes run, which wait for which, and where; calls; and where fixed
// registers lie.
#pragma once
#include <vector>

#include "isa/program.h"
#include "isa/step.h"
#include "isa/wave.h"

namespace lockstep::nv {

// Rows of lanes that every wave has; the program's own follow.
namespace fixed_row {
inline constexpr u32 tid = 0;  // x, y, z
inline constexpr u32 lane = 3;
inline constexpr u32 frame = 4;  // where the function's frame lies in private memory, bytes
inline constexpr u32 first_free = 5;
}  // namespace fixed_row

// Wave-wide values; predicates follow.
namespace fixed_scalar {
inline constexpr u32 ntid = scalar_register::first_free;  // x, y, z
inline constexpr u32 ctaid = ntid + 3;
inline constexpr u32 nctaid = ctaid + 3;
inline constexpr u32 offset = nctaid + 3;       // of the NDRange
inline constexpr u32 offset_high = offset + 3;  // its upper halves
inline constexpr u32 dimensions = offset_high + 3;
inline constexpr u32 wave_in_group = dimensions + 1;
inline constexpr u32 waves_in_group = wave_in_group + 1;
inline constexpr u32 dynamic_local_bytes = waves_in_group + 1;
inline constexpr u32 local_bytes = dynamic_local_bytes + 1;
inline constexpr u32 zero = local_bytes + 1;
inline constexpr u32 carry = zero + 1;  // the condition code's carry flag, a mask
inline constexpr u32 first_free = carry + 1;
}  // namespace fixed_scalar

inline constexpr u32 nowhere = ~u32{0};

// A place where lanes that parted meet again (or, with `call`, where a function's lanes return to).
struct Meeting {
  u32 at = nowhere;      // instruction index; the meeting instruction itself
  u32 parent = nowhere;  // the meeting around it
  u32 expected = 0;      // lanes that have not passed it yet
  u32 arrived = 0;
  bool call = false;
  u32 return_pc = 0;
  u32 frame_bytes = 0;  // of the caller
};

// Lanes with a program counter of their own.
struct Split {
  u32 pc = 0;
  u32 lanes = 0;
  u32 meeting = nowhere;
};

struct Tables;

struct PtxWave final : IsaWaveState {
  const Tables* tables = nullptr;
  bool independent = false;  // Volta and later: every lane makes progress
  u32 alive = 0;
  u32 meeting = nowhere;  // the running split's innermost
  std::vector<Meeting> meetings;
  std::vector<u32> free_meetings;
  std::vector<Split> ready;       // may run
  std::vector<Split> at_barrier;  // wait for their group
  u32 patience = 0;               // backward branches since the last change of split
  u64 arguments_address = 0;

  // Where lanes wait for the running ones, for messages; `nowhere` if none does.
  u32 waiting_pc() const;
};

inline PtxWave& ptx(WaveState& wave) {
  return static_cast<PtxWave&>(*wave.isa);
}
inline const PtxWave& ptx(const WaveState& wave) {
  return static_cast<const PtxWave&>(*wave.isa);
}

// Registers of instructions that have more operands than Instruction holds (matrix fragments).
struct Tables {
  std::vector<std::vector<u32>> registers;
  std::vector<std::string> strings;
  std::vector<u64> function_addresses;
};

struct PtxProgram final : IsaProgram {
  std::shared_ptr<const Tables> tables;
  u32 rows = 0;
  u32 scalars = 0;
  u32 static_local_bytes = 0;
};

}  // namespace lockstep::nv
