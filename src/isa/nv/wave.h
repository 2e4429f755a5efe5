// What only a PTX wave has: which lanes run, which wait for which, and where; calls; and where fixed
// registers lie.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "isa/nv/matrix.h"
#include "isa/nv/register_bounds.h"
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
  // Calls that may come back to the caller's own code: what its registers held, and where they lie.
  std::vector<u32> saved{};
  const std::vector<u32>* saved_ranges = nullptr;  // first row, rows, first scalar, scalars
  u32 depth = 0;        // how many loops it shares with the branch at which its lanes parted
  bool broken = false;  // all who were to come have yielded, so nobody waits there any more
};

// Lanes with a program counter of their own.
struct Split {
  u32 pc = 0;
  u32 lanes = 0;
  u32 meeting = nowhere;
  u64 waits = no_wait;  // for a barrier with a count: number << 48 | phase; they have arrived there
  static constexpr u64 no_wait = ~u64{0};
  u32 barrier = nowhere;  // of the whole group, at which they wait
  bool in_front = false;  // of its instruction, which all lanes go on to together if they can
  bool yields = false;    // they have let others go first
};

// Lanes that wait at a .sync instruction for others of their member mask.
struct MemberWait {
  u32 pc = 0;  // of the instruction
  u32 lanes = 0;
  u32 meeting = nowhere;
  u32 members = 0;
  bool anywhere = false;  // bar.warp.sync: the others may come to another one
};

// A barrier of the group whose threads are counted.
struct CountedBarrier {
  static constexpr u32 remembered = 64;  // phases whose results are kept for waves that have not looked yet
  u32 arrived = 0;                       // threads, whole waves as 32
  u64 phase = 0;
  u32 population = 0;  // lanes that brought a true predicate, and whether all did, any did
  bool all = true, any = false;
  std::array<u32, remembered> result_population{};
  std::array<bool, remembered> result_all{}, result_any{};
};

// What the waves of one group share.
struct PtxGroup final : IsaGroupState {
  std::shared_ptr<IsaGroupState> clone() const override { return std::make_shared<PtxGroup>(*this); }
  u64 fingerprint() const override;
  std::array<CountedBarrier, 16> barrier;
  u32 whole_group = nowhere;    // which barrier of the whole group waves wait at
  u32 whole_group_waiting = 0;  // how many of them
  u32 waves = 1;                // that have not ended
  u64 polls = 0;                // looks at barriers since somebody arrived at one
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
  std::vector<MemberWait> at_members;
  std::vector<Split> joined;         // others that take part in the .sync instruction which is being executed
  u64 waits = Split::no_wait;        // of the running split
  std::array<u32, 16> arrived_at{};  // lanes, by counted barrier, in its current phase
  std::array<u64, 16> arrived_phase{};
  u32 patience = 0;      // backward branches since the last change of split
  u32 waited = 0;        // since lanes met or were let go
  u32 lane_of_turn = 0;  // from Volta on: that of the side chosen last
  u64 arguments_address = 0;
  u64 printf_buffer_address = 0;

  std::unique_ptr<IsaWaveState> clone() const override { return std::make_unique<PtxWave>(*this); }
  u64 fingerprint() const override;
  // Where lanes wait for the running ones, for messages; `nowhere` if none does.
  u32 waiting_pc() const;
};

inline PtxGroup& ptx_group(WaveState& wave) {
  return static_cast<PtxGroup&>(*wave.group_state);
}
inline PtxWave& ptx(WaveState& wave) {
  return static_cast<PtxWave&>(*wave.isa);
}
inline const PtxWave& ptx(const WaveState& wave) {
  return static_cast<const PtxWave&>(*wave.isa);
}

// The registers of an instruction that has more operands than Instruction holds (matrix fragments), results
// first; and how many rows each has.
struct WideRegisters {
  u32 results = 0;
  std::vector<u8> rows;
};

// A register of the PTX text: the rows, or the scalar, that are its own for a time. Instruction i of the
// module's code reads at 2 * i and writes at 2 * i + 1.
struct NamedRegister {
  std::string name;
  bool predicate = false;
  u32 place = 0, rows = 1;
  u32 first = 0, last = 0;
};

struct Tables {
  // Of wide instructions; lists of targets and of meetings; what calls keep.
  std::vector<std::vector<u32>> registers;
  std::map<u32, WideRegisters> wide;  // by index in `registers`
  std::vector<std::string> strings;
  std::vector<MatrixForm> forms;
  std::vector<NamedRegister> names;  // by place
  std::vector<u32> entries;  // by function: its first instruction; nowhere for those that are not defined
};

// A function's address: this and 16 times its number, from 1 on. Its text is not in memory.
inline constexpr u64 function_window = 0x0004'0000'0000'0000u;
inline u64 function_address(u32 function) {
  return function_window + 16 * (u64{function} + 1);
}

struct PtxProgram final : IsaProgram {
  std::shared_ptr<const Tables> tables;
  RegisterBounds bounds;
  u32 rows = 0;
  u32 scalars = 0;
  u32 static_local_bytes = 0;
};

}  // namespace lockstep::nv
