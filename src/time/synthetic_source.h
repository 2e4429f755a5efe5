// Waves that execute a made-up program: what tests and benchmarks of the timing model drive it with. All
// waves run the same code; counted loops; addresses from functions.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "time/wave_source.h"

namespace lockstep {

// Who executes a memory instruction, and for the how-manieth time.
struct SyntheticVisit {
  u64 group = 0;
  u32 wave = 0;   // in its group
  u64 count = 0;  // earlier executions of this instruction by this wave
};

// Fills the lanes and addresses; space, kind and bytes are set.
using AddressFunction = std::function<void(const SyntheticVisit&, Access&)>;

class SyntheticProgram {
 public:
  // Each returns the instruction's index. Instructions take `size` bytes of code.
  u32 add(Cost cost, u32 size = 4);
  u32 valu(u32 count = 1) { return repeat(Cost::valu_full, count, 4); }
  u32 repeat(Cost cost, u32 count, u32 size);
  u32 load(u32 bytes, AddressFunction addresses) {
    return memory(Cost::vmem_load, Space::global, AccessKind::load, bytes, std::move(addresses));
  }
  u32 store(u32 bytes, AddressFunction addresses) {
    return memory(Cost::vmem_store, Space::global, AccessKind::store, bytes, std::move(addresses));
  }
  u32 memory(Cost cost, Space space, AccessKind kind, u32 bytes, AddressFunction addresses);
  u32 wait(u32 vector, u32 local);  // 0xFF: not waited for
  u32 barrier() { return add(Cost::barrier); }
  u32 loop(u32 target, u32 trips);  // back to `target`, `trips` executions in all
  u32 end() { return add(Cost::end); }

  std::vector<Instruction> code;

 private:
  friend class SyntheticSource;
  struct Extra {
    AddressFunction addresses;
    Access access;
    u32 trips = 0;
  };
  std::vector<Extra> extra_;
  u64 bytes_ = 0;
};

class SyntheticSource : public WaveSource {
 public:
  explicit SyntheticSource(const SyntheticProgram& program) : program_(program) {}

  void begin_group(u64 group, u32 compute_unit, std::span<const WaveHandle> waves) override;
  const Instruction* peek(WaveHandle wave) override { return &program_.code[waves_[wave].pc]; }
  const Outcome& next(WaveHandle wave, u64 now_cycles, u32 compute_unit, u32 simd) override;
  void end_group(u64 group, u32 compute_unit) override;

  // Called before each instruction when set: (wave handle, instruction index, cycle).
  std::function<void(WaveHandle, u32, u64)> on_issue;

 private:
  struct State {
    u32 pc = 0;
    u64 group = 0;
    u32 wave = 0;
    std::vector<u64> visits;
  };
  const SyntheticProgram& program_;
  std::vector<State> waves_;
  Outcome outcome_;
};

// Lane i accesses base + i * stride.
void strided(Access& access, u64 base, u64 stride);

}  // namespace lockstep
