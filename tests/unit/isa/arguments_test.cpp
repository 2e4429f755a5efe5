// The bytes of a launch's arguments: those of values whose bytes are not there are zero, and are copied from
// nowhere (a copy from a null pointer is undefined, of no bytes too).
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/gen/module.h"
#include "isa/nv/module.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/module.h"
#include "machine/target.h"

namespace lockstep {
namespace {

std::vector<u8> arguments_of(const Module& module, const std::vector<ArgumentValue>& values) {
  LaunchState state;
  state.module = &module;
  state.program = &module.programs.at(0);
  return module.isa->arguments(state, values);
}

ArgumentValue value_of(const std::vector<u8>& bytes) {
  ArgumentValue value;
  value.bytes = bytes;
  return value;
}

void put(std::vector<u8>& to, std::size_t at, const std::vector<u8>& bytes) {
  ASSERT_LE(at + bytes.size(), to.size());
  std::copy(bytes.begin(), bytes.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
}

const std::vector<u8> four{1, 2, 3, 4}, eight{0, 1, 0, 0, 0x10, 0, 0, 0}, other{5, 6, 7, 8, 9, 10, 11, 12};

// A value, a pointer, an image and a sampler: the last two are in tables of addresses behind the payload.
TEST(ArgumentBytes, ThatAreNotThereAreZeroOnGen9) {
  std::string text = "//@lockstep gen 1\n";
  for (const char* line : {"kernels:",
                           "  - name: k",
                           "    execution_env:",
                           "      grf_count: 128",
                           "      simd_size: 8",
                           "    payload_arguments:",
                           "      - arg_type: arg_byvalue",
                           "        offset: 0",
                           "        size: 4",
                           "        arg_index: 0",
                           "      - arg_type: arg_bypointer",
                           "        offset: 8",
                           "        size: 8",
                           "        arg_index: 1",
                           "        addrmode: stateless",
                           "        addrspace: global",
                           "      - arg_type: arg_bypointer",
                           "        offset: 0",
                           "        size: 0",
                           "        arg_index: 2",
                           "        addrmode: stateful",
                           "        addrspace: image",
                           "      - arg_type: arg_bypointer",
                           "        offset: 0",
                           "        size: 0",
                           "        arg_index: 3",
                           "        addrmode: stateful",
                           "        addrspace: sampler",
                           "        sampler_index: 0",
                           "    binding_table_indices:",
                           "      - bti_value: 0",
                           "        arg_index: 2"})
    text += std::string("//@lockstep info ") + line + "\n";
  text += "//@lockstep kernel k\n/* [0000] */ (W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  const auto module = gen::load_module(text, *find_target("gen9"), "k.s");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  // Whole registers of payload, then an address each of image and sampler.
  std::vector<u8> expected(32 + 8 + 8);
  EXPECT_EQ(arguments_of(**module, std::vector<ArgumentValue>(4)), expected);
  put(expected, 0, four);
  put(expected, 8, eight);
  put(expected, 32, other);
  put(expected, 40, eight);
  EXPECT_EQ(arguments_of(**module, {value_of(four), value_of(eight), value_of(other), value_of(eight)}),
            expected);
}

TEST(ArgumentBytes, ThatAreNotThereAreZeroInPtx) {
  const auto module = nv::load_module(
      ".version 7.8\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n)\n{\nret;\n}\n",
      *find_target("sm_70"), "k.ptx");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  const Program& program = (*module)->programs.at(0);
  ASSERT_EQ(program.parameters.size(), 2u);
  ASSERT_GE(program.needs.argument_bytes, 12u);
  std::vector<u8> expected(program.needs.argument_bytes);
  EXPECT_EQ(arguments_of(**module, std::vector<ArgumentValue>(2)), expected);
  put(expected, 0, eight);
  put(expected, 8, four);
  EXPECT_EQ(arguments_of(**module, {value_of(eight), value_of(four)}), expected);
}

TEST(ArgumentBytes, ThatAreNotThereAreZeroOnVliw) {
  const auto module = vliw::load_module(
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t4\n\t.text\n\t.type\tk,@function\nk:\n"
      "\tCF_END\n//@lockstep parameter k value 0 4 4\n//@lockstep parameter k global 4 4 4\n",
      *find_target("cypress"), "k.s");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  // Between the group's sizes and the dimensions.
  constexpr std::size_t begin = 36;
  const auto own = [&](const std::vector<ArgumentValue>& values) {
    std::vector<u8> bytes = arguments_of(**module, values);
    EXPECT_GE(bytes.size(), begin + 8);
    bytes.resize(begin + 8);
    bytes.erase(bytes.begin(), bytes.begin() + begin);
    return bytes;
  };
  EXPECT_EQ(own(std::vector<ArgumentValue>(2)), std::vector<u8>(8));
  // The kernel gets 32 bits of the address, which count from somewhere else.
  const u32 pointer = vliw::pointer_of(0x10'0000'0100);
  std::vector<u8> expected(8);
  put(expected, 0, four);
  for (u32 i = 0; i < 4; ++i) expected[4 + i] = static_cast<u8>(pointer >> (8 * i));
  EXPECT_EQ(own({value_of(four), value_of(eight)}), expected);
}

}  // namespace
}  // namespace lockstep
