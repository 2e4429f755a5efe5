// What an instruction may reach beyond its own wave, and how it reports back.
#pragma once
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "base/types.h"
#include "isa/outcome.h"
#include "isa/wave.h"

namespace lockstep {

// The device's global memory: one contiguous stretch of device addresses on one stretch of host memory.
// Touching any byte of it is harmless to the simulator; which of it is allocated is the checker's business.
struct GlobalMemory {
  u8* host = nullptr;
  u64 base = 0;
  u64 size = 0;

  bool contains(u64 address, u64 bytes) const {
    return address - base <= size && bytes <= size - (address - base);
  }
  u8* at(u64 address) const { return host + (address - base); }
};

enum class FaultKind : u8 {
  none,
  outside_memory,      // the address lies in no memory at all
  outside_allocation,  // checked runs: in no allocation
  outside_local,
  outside_private,
  misaligned,
  undefined_branch,  // checked runs: depends on bytes that nothing wrote
  undefined_address,
  undefined_atomic,
  data_race,          // checked runs: nothing orders two work-items' accesses; `text` names the kind
  divergent_barrier,  // checked runs: a barrier that part of the wave's work-items do not execute
  unknown_target,     // a jump to where no instruction is
  past_end,           // the code ended before the wave did
  not_supported,      // `text` says what
  trap,
};

struct Fault {
  FaultKind kind = FaultKind::none;
  AccessKind access = AccessKind::load;
  Space space = Space::global;
  u8 bytes = 0;
  u32 lane = 0;
  u64 address = 0;
  const char* text = "";
};

// Watches the steps of a checked run; absent from unchecked ones.
struct StepChecker {
  virtual ~StepChecker() = default;
  // A work-group began: its waves have their first registers.
  virtual void begin(std::span<WaveState> waves) { (void)waves; }
  // All waves of a group have reached a barrier and go on.
  virtual void barrier(std::span<WaveState> waves) { (void)waves; }
  // A work-group ended.
  virtual void end(std::span<WaveState> waves) { (void)waves; }
  // All waves of a group that have not ended wait at a barrier, and others have ended. Whether they may go
  // on; if not, the diagnostic ends the run.
  virtual bool uneven_barrier(std::span<WaveState> waves, const Diagnostic& diagnostic) {
    (void)waves;
    (void)diagnostic;
    return false;
  }
  // Whether lanes of one wave that come to one barrier by several of its instructions execute these apart, so
  // that this sees them; else it is complete as soon as all are there, where the ISA has it so.
  virtual bool sees_lanes_at_barriers() const { return false; }
  // Called before each instruction, with the wave's program counter behind it already. May raise a fault; the
  // instruction is then not executed.
  virtual void before(WaveState& wave, const Instruction& instruction, StepContext& context) = 0;
  // The same for each instruction of a packet that executes its parts one behind the other (VLIW), behind the
  // packet's own: it sees what the parts before it have done.
  virtual void part(WaveState& wave, const Instruction& instruction, StepContext& context) {
    (void)wave;
    (void)instruction;
    (void)context;
  }
  // Called by memory instructions with their addresses before memory is touched, once for each memory (or
  // each of two places) that they reach. May raise a fault; the access is then not made.
  virtual void access(WaveState& wave, const Instruction& instruction, const Access& access,
                      StepContext& context) = 0;
  // More about the fault that this checker raised last, for its diagnostic; may be empty.
  virtual std::string note() const { return {}; }
  // The instruction whose source line says best where `instruction` of this wave belongs: a call of it, where
  // it is in a library without lines of its own.
  virtual u32 place(const WaveState&, u32 instruction) const { return instruction; }
};

struct StepContext {
  GlobalMemory global;
  Outcome* outcome = nullptr;  // null when nobody listens
  StepChecker* checker = nullptr;
  Event event = Event::none;
  // Memory instructions record their accesses and check them, faults included, but change neither memory nor
  // registers. Means nothing to other instructions.
  bool look_only = false;
  Fault fault;
  std::array<Access, 4> own_access;  // where addresses are gathered when there is no outcome, one a place

  // Jump targets: the instruction index by word of the text section, ~0 where none begins.
  const u32* index_of_word = nullptr;
  u64 text_address = 0;  // of the text section in the module's image
  u64 text_words = 0;

  // What a step may know of time and place (s_memtime, %clock, hardware ids).
  u64 now_cycles = 0;
  u32 compute_unit = 0;
  u32 simd = 0;

  void raise(const Fault& what) {
    if (fault.kind != FaultKind::none) return;
    fault = what;
    event = Event::fault;
  }
};

}  // namespace lockstep
