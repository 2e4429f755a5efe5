// From a bundle's text to a packet's instructions.
#pragma once
#include <string>
#include <vector>

#include "isa/vliw/control.h"
#include "isa/vliw/syntax.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {

struct Built {
  Instruction in;
  std::string text;
  SourcePosition position;
};

// Where a clause's KC0 and KC1 begin in the constant buffer, in vectors of four dwords, and how many they
// show.
struct Windows {
  std::array<u32, 2> first{0, 0}, count{0, 0};
};

// One clause's packets, in their order.
class ClauseBuilder {
 public:
  ClauseBuilder(const Target& target, const RowLayout& layout, const Windows& windows)
      : layout_(layout), windows_(windows), has_scalar_slot_(target.architecture == Architecture::vliw5) {}

  // Appends the packet. `next` is the bundle behind it in the clause, if there is one. Errors without a
  // place: "unknown-instruction", "bad-operand".
  Status add(const Bundle& bundle, const Bundle* next, After after, u64 address, std::vector<Built>& made);
  // Dwords of the constant buffer that the packets read.
  u32 constants() const { return constants_; }

 private:
  struct Part;
  Expected<Operand> source(const SlotOperand& operand, const Bundle& bundle, u32 slot);
  Status add_slot(const Bundle& bundle, const Slot& slot, u32 number, std::vector<Part>& parts);
  Status add_lanewise(const Slot& slot, const struct Operation& operation, u32 number,
                      std::vector<Operand> sources, std::vector<Part>& parts);
  Operand materialized(const Operand& from, const Slot& slot, std::vector<Part>& parts);

  const RowLayout& layout_;
  Windows windows_;
  bool has_scalar_slot_;
  u32 parity_ = 0;
  // The PRED_SET with ExecMask: which lanes run is the sequencer's, which learns of it when the clause ends,
  // so that what follows it in the clause runs for all lanes (LLVM counts on that: it copies values for both
  // ways there).
  const Slot* taking_ = nullptr;
  std::array<u32, 5> previous_{}, current_{};  // rows of PV.x to w and PS
  std::array<bool, 5> previous_known_{}, current_known_{};
  std::array<u32, 5> places_{};   // 0 to 4 for each slot of the bundle at hand
  std::array<bool, 5> wanted_{};  // PV.x to w and PS: the next bundle reads them
  u32 queued_ = 0, taken_ = 0;    // values put into the return queue and taken from it
  u32 materialized_ = 0, constants_ = 0;
};

}  // namespace lockstep::vliw
