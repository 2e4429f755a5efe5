// Waves that execute a made-up program: what tests and benchmarks of the timing model drive it with. All
// waves run the same code; counted loops; addresses from functions.
#pragma once
#include <functional>
#include <vector>

#include "time/source/wave_source.h"

namespace lockstep {

// Who executes a memory instruction, and for the how-manieth time.
struct SyntheticVisit {
  u64 group = 0;
  u32 wave = 0;   // in its group
  u64 count = 0;  // earlier executions of this instruction by this wave
};

// Fills the lanes and addresses; space, kind and bytes are set, and all 64 lanes.
using AddressFunction = std::function<void(const SyntheticVisit&, Access&)>;

class SyntheticProgram {
 public:
  // Each returns the instruction's index. Instructions take `size` bytes of code. Clock reads
  // (Cost::smem_time) are executed at issue.
  u32 add(Cost cost, u32 size = 4);
  u32 valu(u32 count = 1) { return repeat(Cost::valu_full, count, 4); }
  u32 repeat(Cost cost, u32 count, u32 size);
  u32 load(u32 bytes, AddressFunction addresses) {
    return memory(Cost::vmem_load, Space::global, AccessKind::load, bytes, std::move(addresses));
  }
  u32 store(u32 bytes, AddressFunction addresses) {
    return memory(Cost::vmem_store, Space::global, AccessKind::store, bytes, std::move(addresses));
  }
  // Atomics outside of local and private memory are ordered accesses.
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
  bool ordered(u32 instruction) const;
  std::vector<Extra> extra_;
  u64 bytes_ = 0;
};

// The program must outlive the factory, the factory its sources.
class SyntheticFactory final : public SourceFactory {
 public:
  explicit SyntheticFactory(const SyntheticProgram& program) : program_(program) {}
  std::unique_ptr<WaveSource> open(u32 cluster, u32 first_slot) override;
  bool parallel() const override { return !on_segment && !on_perform && !on_issue; }

  // Called when set: with each segment that a wave of the cluster is given (again when it has been executed
  // or captured), and with the instruction of each ordered access that is performed.
  std::function<void(u32 cluster, WaveHandle, const Segment&)> on_segment;
  std::function<void(u32 cluster, u32 instruction)> on_perform;
  // Called when set with each issue; each instruction is a segment of its own, executed at issue, then.
  std::function<void(u32 cluster, WaveHandle, u32 instruction, u64 now_cycles)> on_issue;

 private:
  const SyntheticProgram& program_;
};

class SyntheticSource final : public WaveSource {
 public:
  SyntheticSource(const SyntheticProgram& program, const SyntheticFactory& factory, u32 cluster)
      : program_(program), factory_(factory), cluster_(cluster) {}

  void begin_group(u64 group, std::span<const WaveHandle> waves) override;
  const Segment& next(WaveHandle wave) override;
  const Segment& execute(WaveHandle wave, const IssuePlace& place) override;
  u32 capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) override;
  void perform(u32 token) override;
  void commit(u32 token) override;
  void end_group(u64) override {}
  Diagnostic fault(WaveHandle) override;
  u64 instructions() const override { return instructions_; }

 private:
  struct State {
    u32 pc = 0;
    u64 group = 0;
    u32 wave = 0;
    std::vector<u64> visits;
    Segment segment;
  };
  void step(State& state);
  void tell(WaveHandle wave, const Segment& segment) const;
  const Segment& at_issue(WaveHandle wave, const IssuePlace& place);

  const SyntheticProgram& program_;
  const SyntheticFactory& factory_;
  u32 cluster_;
  std::vector<std::unique_ptr<State>> waves_;
  std::vector<u32> tokens_;  // the instruction, by token
  std::vector<u32> free_tokens_;
  Access access_;
  u64 instructions_ = 0;
};

// Lane i accesses base + i * stride.
void strided(Access& access, u64 base, u64 stride);

}  // namespace lockstep
