// The checker of a checked run: bounds, alignment, definedness, barriers in divergent control flow.
//
// Definedness is followed bit by bit through registers and through local and private memory, byte by byte
// through global memory. Undefined values may be loaded, moved, computed with and stored: a fault is raised
// where a branch, an address of an active lane or an atomic depends on them. Where the way of the bits
// through an instruction is not known, its result counts as defined: the checker would rather miss a fault
// than report one that is none.
#pragma once
#include <memory>
#include <vector>

#include "exec/check/rules.h"
#include "exec/check/selection.h"
#include "exec/check/shadow.h"
#include "exec/check/violations.h"
#include "exec/launch.h"
#include "isa/step.h"

namespace lockstep {

class RunChecker final : public StepChecker {
 public:
  // From here on the launch's memory keeps track of what was written; what was allocated before counts as
  // written, so a caller who wants buffers checked calls DeviceMemory::track_written() before making them.
  // Of the selection, races are another checker's. With a log, runs go on after a violation, whose value then
  // counts as defined; without, the first one is a fault.
  explicit RunChecker(const PreparedLaunch& launch, const CheckSelection& selection = CheckSelection::all(),
                      ViolationLog* log = nullptr);

  void begin(std::span<WaveState> waves) override;
  void before(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void part(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void access(WaveState& wave, const Instruction& instruction, const Access& access,
              StepContext& context) override;
  bool sees_lanes_at_barriers() const override { return true; }
  std::string note() const override { return note_; }
  u32 place(const WaveState& wave, u32 instruction) const override;

 private:
  struct Step;  // one instruction at hand
  struct Range {
    u64 begin = 0, end = 0;
    KernelUse use = KernelUse::loads_and_stores;
  };

  void set_image_rows(const Instruction& in, check::Rule& rule) const;
  u32 index_of(const Instruction& instruction) const;
  check::WaveShadow& shadow_of(WaveState& wave) const;
  std::string describe(const check::Origin& origin) const;
  void violate(const WaveState& wave, u32 index, StepContext& context, const Fault& fault, std::string note);
  void raise_undefined(Step& step, FaultKind kind, u32 lane, const check::Origin& origin);
  void check_scalar_address(Step& step);
  void check_barrier(Step& step);

  // Registers (check_registers.cpp).
  void carry_lanes(Step& step);
  void carry_halves(Step& step);
  void carry_scalar(Step& step);
  void carry_exec(Step& step);
  void carry_cross_lane(Step& step);
  void carry_read_indexed(Step& step);
  void carry_write_indexed(Step& step);
  // What an undefined guard leaves: of the lanes `doubt` nobody knows whether they take part.
  void carry_doubt(Step& step, u64 doubt);
  void define_result(Step& step);
  // False after a fault: the new EXEC is undefined for a work-item.
  bool exec_defined(Step& step, u64 undefined, const check::Origin& origin);

  // Registers that are bytes (bytes.cpp, byte_messages.cpp).
  void carry_bytes(Step& step);
  void check_byte_branch(Step& step, const ByteStep& now);
  void carry_byte_values(Step& step, const ByteStep& now);
  void check_byte_message(Step& step);
  void raise_undecided(Step& step, const ByteChannels& channels, u32 undecided);
  ByteTransfer byte_transfer(const Step& step, u32 number) const;
  void carry_byte_access(Step& step, const Access& access);
  void carry_byte_load(Step& step, const Access& access);
  void carry_byte_store(Step& step, const Access& access);
  void carry_byte_atomic(Step& step, const Access& access);
  void put_image_lanes(Step& step, const Access& access, u64 lanes);
  bool stores_defined_texel(const Step& step, u32 lane) const;
  check::Origin origin_in_memory(const Step& step, const Access& access, u32 lane) const;

  // Memory (check_memory.cpp).
  void check_address(Step& step);
  bool check_bounds(const WaveState& wave, const Access& access, u32 index, StepContext& context);
  bool check_byte_bounds(const WaveState& wave, const Access& access, u32 index, StepContext& context);
  bool check_alignment(const WaveState& wave, const Access& access, u32 index, StepContext& context);
  bool range_of(u64 address, u64 bytes, Range& range) const;
  // Undefined bits of what one lane reaches, dword by dword; bytes up to 64.
  void read_undefined(const WaveState& wave, const check::WaveShadow& shadow, const Access& access, u32 lane,
                      u32* undefined) const;
  void write_undefined(const WaveState& wave, check::WaveShadow& shadow, const Access& access, u32 lane,
                       const u32* undefined);
  bool all_defined(const WaveState& wave, const check::WaveShadow& shadow, const Access& access) const;
  void define_memory(const WaveState& wave, check::WaveShadow& shadow, const Access& access);
  void carry_load(Step& step, const Access& access);
  void carry_store(Step& step, const Access& access);
  void carry_atomic(Step& step, const Access& access);
  void raise_atomic(Step& step, const Access& access, u32 lane, const check::Origin& origin,
                    const char* text);
  u64 private_stride(const WaveState& wave) const;
  Space space_of(const WaveState& wave, const check::WaveShadow& shadow, const Access& access,
                 u32 lane) const;
  void carry_image_load(Step& step, const Access& access);   // images.cpp
  void carry_image_store(Step& step, const Access& access);  // images.cpp

  // PTX (ptx.cpp).
  void carry_ptx_load(Step& step, const Access& access);
  void carry_ptx_store(Step& step, const Access& access);

  void follow(WaveState& wave, const Instruction& instruction, StepContext& context);
  // `in` is the instruction at the index, with the registers that it means now.
  void follow_as(WaveState& wave, u32 index, const Instruction& in, StepContext& context);
  void carry(Step& step);
  void follow_pair(WaveState& wave, const Instruction& first, StepContext& context);

  const PreparedLaunch& launch_;
  CheckSelection selection_;
  ViolationLog* log_;
  DeviceMemory& memory_;
  const Instruction* code_ = nullptr;
  std::vector<check::Rule> rules_;
  std::vector<Range> ranges_;  // by instruction: the allocation that it reached last
  bool indexes_registers_ = false;
  bool ptx_ = false;
  const ByteRegisters* bytes_ = nullptr;  // registers are bytes
  std::vector<ByteReach> byte_reach_;     // by instruction
  bool packets_ = false;                  // VLIW: a packet's parts come one by one
  u32 target_major_ = 0;
  u64 text_begin_ = 0, text_end_ = 0;  // device addresses
  std::string note_;
};

}  // namespace lockstep
