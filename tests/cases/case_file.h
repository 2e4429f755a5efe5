// Instruction cases as text: a few assembly lines, the state before, the state after. tests/cases/README.md
// describes the format.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cases/values.h"

namespace lockstep::cases {

// What a line `before PLACE = VALUES` or `after PLACE = VALUES` names.
struct Setting {
  enum class Where : u8 { vector, scalar, scc, mode, ieee, dx10_clamp, local, memory, private_memory, named };
  Where where = Where::vector;
  u32 index = 0;      // register number, or byte offset in local memory or in the buffer
  u32 registers = 1;  // 2 for v[0:1]
  std::string place;  // as written
  std::vector<Value> values;
};

struct Case {
  std::string name;
  std::string file;
  u32 line = 0;
  std::vector<std::string> targets;
  u32 lanes = 0;  // 0: the target's own
  // PTX: threads of the group (0: 32), what stands before the kernel, and what is expected beside `after`.
  u32 threads = 0;
  std::vector<std::string> module;
  std::string refused;  // words of the loader's message
  std::string faults;   // words of the run's message
  std::string alarms;   // words of what a checked run reports beside
  std::string prints;   // printf's text
  std::vector<std::string> code;
  std::vector<Setting> before, after;
};

// All cases of one file. Errors: "bad-case" and "bad-value", with file and line.
Expected<std::vector<Case>> read_case_file(const std::string& path);

}  // namespace lockstep::cases
