// What one wave did by one instruction: the only thing that the timing model sees of execution.
#pragma once
#include <array>

#include "base/types.h"
#include "isa/instruction.h"

namespace lockstep {

enum class Space : u8 { global, local, private_memory, constant, image };

enum class AccessKind : u8 { load, store, atomic, atomic_return };

// One memory instruction's addresses, a lane each (structure of arrays). Two of them for ds_read2 and its
// like, up to four for a filtered image read (a row of texels each). Scalar loads have one lane (bit 0 of
// `lanes`) and `bytes` up to 64.
struct Access {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  u8 bytes = 0;                             // per lane
  u64 lanes = 0;                            // the lanes that really access memory
  alignas(64) std::array<u64, 64> address;  // device addresses; for local memory the offset in the group's
};

enum class Event : u8 {
  none,
  barrier,  // the wave waits for its group
  end,      // the wave is done
  fault,    // StepContext::fault says what is wrong
  yield,    // sleep or a spin hint: let others run
};

struct Outcome {
  const Instruction* instruction = nullptr;
  u32 pc = 0;  // index of the instruction
  u32 next_pc = 0;
  u64 active = 0;  // lanes that took part
  Event event = Event::none;
  u8 access_count = 0;
  std::array<Access, 4> access;
};

}  // namespace lockstep
