// What a PTX statement needs of the machine beyond compute capability 1.0. clang compiles for 2.0 at least,
// so that the GPUs before it (G80, GT200) execute here what their hardware would not have: reports say so.
// Source: "PTX ISA", the "Target ISA Notes" of each instruction; "CUDA C Programming Guide" 4.2, table F-1.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isa/nv/syntax.h"
#include "isa/program.h"

namespace lockstep::nv {

struct Requirement {
  u32 capability = 10;  // major * 10 + minor
  std::string_view feature;
};

// The highest capability that the statement needs, and why; nothing for what every machine has.
std::optional<Requirement> requirement(const Statement& statement);

// What the functions' statements need and `target` lacks, in the order of the features' names.
std::vector<LackedFeature> lacked_features(const ModuleTree& tree, const std::vector<u32>& functions,
                                           const Target& target, const std::string& name);

}  // namespace lockstep::nv
