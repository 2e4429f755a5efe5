// What .ze_info says of a kernel. Source: "ZEInfo format", in Intel's graphics compiler
// (documentation/zebin).
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {

// A list of keys and values with lists below it: as much of YAML as .ze_info has.
struct InfoNode {
  std::string key, value;
  std::vector<InfoNode> children;
  bool item = false;  // of a list

  const InfoNode* find(std::string_view name) const;
  std::string_view text(std::string_view name) const;  // empty where there is none
  u32 number(std::string_view name) const;             // 0 where there is none
};

// Error "bad-assembly".
Expected<InfoNode> parse_info(std::string_view text, const std::string& name);

struct KernelInfo {
  std::string name;
  KernelNeeds needs;
  std::vector<Parameter> parameters;
  GenProgram program;
  u32 simd = 8;
};

// One of "kernels", with what "kernels_misc_info" has of it. Errors: "not-supported", "bad-assembly".
Expected<KernelInfo> kernel_info(const InfoNode& kernel, const InfoNode* names, const std::string& name);

}  // namespace lockstep::gen
