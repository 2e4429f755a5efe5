// Holds a step against what IsaInterface::register_use says of its instruction: every register that the step
// changes is among the written ones, and registers that it does not read may hold anything before it without
// another outcome.
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>

#include "isa/program.h"
#include "isa/register_use.h"
#include "isa/step.h"
#include "isa/wave.h"

namespace lockstep::cases {

class RegisterCheck {
 public:
  // Whether an instruction of this text was not looked at yet on the target, or only where it faulted.
  bool wanted(const std::string& place) const { return !seen_.contains(place); }

  // Runs the instruction on copies of the wave, whose program counter is behind it already; `memories` are
  // all that it may reach, and are as before afterwards. Empty, or what is wrong.
  std::string check(const WaveState& wave, const Instruction& instruction, const StepContext& context,
                    std::span<const std::span<u8>> memories, const RegisterUse& use, const std::string& text,
                    const std::string& place);

  u64 steps() const { return steps_; }
  // Ranges of AMD's vector registers said to be written that no step wrote, by mnemonic.
  std::string never_written() const;

 private:
  std::set<std::string> seen_;
  std::map<std::string, bool> written_;  // by mnemonic and range
  u64 steps_ = 0;
};

// What all cases have shown.
RegisterCheck& register_check();

// Looks at each step before it is made: once for each text of an instruction on a target.
class RegisterWatch final : public StepChecker {
 public:
  RegisterWatch(const Module& module, const Program& program) : module_(module), program_(program) {}
  void before(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void access(WaveState&, const Instruction&, const Access&, StepContext&) override {}
  const std::string& story() const { return story_; }

 private:
  const Module& module_;
  const Program& program_;
  std::string story_;
};

}  // namespace lockstep::cases
