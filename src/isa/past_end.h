// What stands behind the last instruction of a kernel, and behind functions: control that comes there has run
// past the end of the code, where another kernel's may begin or nothing lies at all.
#pragma once
#include "isa/program.h"
#include "isa/semantic.h"
#include "isa/step.h"

namespace lockstep {

inline constexpr std::string_view past_end_name = "end of the code";
inline constexpr std::string_view past_end_text = "(no instruction)";  // in listings

// `ends_with`: what code of this ISA ends with, as a hint.
inline void raise_past_end(u64 address, StepContext& context, const char* ends_with) {
  Fault fault;
  fault.kind = FaultKind::past_end;
  fault.address = address;
  fault.text = ends_with;
  context.raise(fault);
}

// The meaning, of waves of any width. `run` raises the fault.
constexpr Semantic past_end_meaning(RunFunction run) {
  Semantic meaning;
  meaning.name = past_end_name;
  meaning.shape = Shape::control;
  meaning.run32 = meaning.run64 = run;
  return meaning;
}

// Puts it behind the code that there is, for waves of 64 lanes or of any width.
inline Instruction& add_past_end(Code& code, const Semantic& meaning, u64 address, u32 line) {
  code.text.emplace_back(past_end_text);
  Instruction& end = code.instructions.emplace_back();
  end.meaning = &meaning;
  end.run = meaning.run64;
  end.cost = Cost::end;
  end.address = address;
  end.line = line;
  return end;
}

}  // namespace lockstep
