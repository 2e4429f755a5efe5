// Every computing PTX instruction of the table in isa/nv, each as a kernel of its own over the same inputs,
// so that a real GPU and the model can be asked the same.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "isa/nv/opcodes.h"

namespace lockstep::nv {

inline constexpr u32 operation_items = 8192;  // inputs of each operation
inline constexpr u32 group_items = 256;

struct Operation {
  std::string label;   // the opcode; with "#imm" where an immediate is part of it
  std::string kernel;  // "k12"
  char inputs = 'i';   // which inputs: i integers, h f16, b bf16, f f32, d f64
  u32 words = 1;       // 64-bit words of output for each item: the value, and a second for a flag
  u32 bytes = 8;       // of the value: 2, 4 or 8
  char value = 'i';    // what the value is: as `inputs`
  bool approximate = false;
  std::string body;
};

// All operations that can be asked by registers alone. The order is the table's.
std::vector<Operation> operations();

// One PTX module with a kernel for each.
std::string module_text(std::span<const Operation> operations, const std::string& target);

// Four 64-bit words for each item: a, b, c, d of the kind. Special values against each other first, then
// random ones. The same on every host.
std::vector<u64> inputs_of(char kind);
inline constexpr char input_kinds[] = {'i', 'h', 'b', 'f', 'd'};

}  // namespace lockstep::nv
