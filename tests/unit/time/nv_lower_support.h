// PTX in a kernel `k(a, b, n)`, lowered, and what came of it.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>

#include "isa/nv/module.h"
#include "time/program/nv/lower.h"

namespace lockstep {

// A warp's index, 64 bits wide as OpenCL has it, for an element of `a`.
inline const char* const indexed = R"(
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r1, %r2; cvt.u64.u32 %rd3, %r3; add.s64 %rd4, %rd2, %rd3;
  cvt.u32.u64 %r4, %rd4;
  mul.wide.s32 %rd5, %r4, 4; add.s64 %rd6, %rd1, %rd5;
)";

struct Lowered {
  std::unique_ptr<Module> module;
  LoweredProgram program;
};

inline Lowered lower(const std::string& body, const char* target = "sm_80", std::span<const u8> cuts = {},
                     const std::string& directives = {}) {
  const std::string text = std::string(".version 7.0\n.target ") + target +
                           "\n.address_size 64\n.entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n" +
                           directives + "\n{\n" +
                           ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<16>; .reg "
                           ".f64 %d<8>;\n.shared .align 4 .b8 s[256];\n" +
                           body + "\nret;\n}\n";
  Lowered result;
  auto module = nv::load_module(text, *find_target(target), "k.ptx");
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error()));
  if (!module) return result;
  result.module = std::move(*module);
  auto program = lower_kernel(*result.module, result.module->programs[0], cuts);
  EXPECT_TRUE(program) << (program ? "" : to_string(program.error()));
  if (program) result.program = std::move(*program);
  return result;
}

inline std::map<std::string, int> mnemonics(const LoweredProgram& program) {
  std::map<std::string, int> count;
  for (const LoweredInstruction& in : program.instructions)
    ++count[std::string(info(in.opcode).mnemonic) + in.modifiers];
  return count;
}
// The same without modifiers.
inline std::map<std::string, int> opcodes(const LoweredProgram& program) {
  std::map<std::string, int> count;
  for (const LoweredInstruction& in : program.instructions) ++count[std::string(info(in.opcode).mnemonic)];
  return count;
}

}  // namespace lockstep
