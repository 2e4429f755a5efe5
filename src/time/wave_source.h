// Where the timing model gets its instructions from: live execution, a recording, or a synthetic stream.
#pragma once
#include <span>

#include "base/diagnostic.h"
#include "isa/outcome.h"

namespace lockstep {

// Names a resident wave: the number of its wave slot in the device. A slot is used again as soon as its wave
// has ended, which may be before the wave's group has.
using WaveHandle = u32;

struct WaveSource {
  virtual ~WaveSource() = default;

  // Makes the waves of work-group `group` (linear number in the launch): its i-th wave is waves[i] from now
  // on. All waves of a group live in one compute unit.
  virtual void begin_group(u64 group, u32 compute_unit, std::span<const WaveHandle> waves) = 0;

  // The instruction that the wave will execute next; it must be one of the launch's code. Changes nothing.
  virtual const Instruction* peek(WaveHandle wave) = 0;

  // Executes it. The outcome is valid until the next call. After Event::end the wave is gone; after
  // Event::barrier the model does not call again before all waves of the group have arrived.
  virtual const Outcome& next(WaveHandle wave, u64 now_cycles, u32 compute_unit, u32 simd) = 0;

  // All waves of the group have ended.
  virtual void end_group(u64 group, u32 compute_unit) = 0;

  // What went wrong after an outcome with Event::fault.
  virtual Diagnostic fault(WaveHandle) {
    return {"fault", {}, "the program did something that its machine does not allow", ""};
  }
};

}  // namespace lockstep
