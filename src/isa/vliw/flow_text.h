// One function's control-flow program to instructions, its clauses in the places where they run.
#pragma once
#include "isa/vliw/packet.h"

namespace lockstep::vliw {

struct BuiltFunction {
  std::vector<Built> code;  // targets count from its begin
  u32 constants = 0;        // dwords of the constant buffer that it reads
  bool barriers = false;
};

// Errors: those of load_module(); `name` is the file's.
Expected<BuiltFunction> build_function(const FunctionText& function, const RowLayout& layout,
                                       const Target& target, const std::string& name,
                                       const std::vector<std::string>& files);

}  // namespace lockstep::vliw
