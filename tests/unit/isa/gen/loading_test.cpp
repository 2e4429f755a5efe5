// Gen9: what is refused of a program when it is loaded: registers that there are not, jumps to where no
// instruction is, kernels that do not end.
#include <gtest/gtest.h>

#include "isa/gen/module.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr const char* end_of_thread = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}";

// A kernel of instructions of 16 bytes each, from line 8 on; the kernel itself begins in line 7. `notes`
// stand in front of the first one.
std::string kernel(const std::vector<std::string>& instructions, const std::string& notes = "",
                   const std::string& registers = "128") {
  std::string text =
      "//@lockstep gen 1\n//@lockstep info kernels:\n//@lockstep info   - name: k\n"
      "//@lockstep info     execution_env:\n//@lockstep info       grf_count: " +
      registers + "\n//@lockstep info       simd_size: 8\n//@lockstep kernel k\n" + notes;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    text += std::string("/* [00") + "0123456789ABCDEF"[i] + "0] */ " + instructions[i] + "\n";
  return text;
}

// The diagnostic of loading; empty if it loads.
std::string message_of(const std::string& text) {
  const auto module = gen::load_module(text, *find_target("gen9"), "k.s");
  return module.ok() ? "" : to_string(module.error());
}

std::string refused_first(const char* instruction) {
  return message_of(kernel({instruction, end_of_thread}));
}

struct Refused {
  const char *instruction, *what;
};

std::string expected(const Refused& test, const char* code) {
  return std::string("k.s:8: error: ") + test.what + ": " + test.instruction + " [" + code + "]";
}

TEST(GenLoading, RegistersThatThereAreNotAreRefused) {
  for (const Refused& test :
       {Refused{"mov (16|M0) r127.0<1>:d 1:d", "a result beyond the registers"},
        Refused{"mov (8|M0) r3.8<1>:d 1:d", "a register that there is not"},
        Refused{"mov (16|M0) r3.0<1>:d r127.0<8;8,1>:d", "a region beyond the registers"},
        Refused{"mov (8|M0) r3.0<1>:d r5.8<8;8,1>:d", "a register or region that there is not"},
        Refused{"mov (8|M0) acc2.0<1>:d 1:d", "an accumulator that there is not"},
        Refused{"mov (1|M0) a0.16<1>:uw 1:uw", "a register that there is not"},
        Refused{"mov (8|M0) r[a0.16]<1>:d 1:d", "an address register that there is not"},
        Refused{"mov (8|M0) r3.0<1>:d r[a0.16]<8;8,1>:d", "a region that there is not"},
        Refused{"call (8|M0) r127.7:ud L16", "a register that there is not"}})
    EXPECT_EQ(refused_first(test.instruction), expected(test, "bad-operand"));
  EXPECT_EQ(refused_first("mov (8|M0) r128.0<1>:d 1:d"),
            "k.s:8: error: 'r128.0<1>:d' is no operand [bad-assembly]");
  EXPECT_EQ(refused_first("mov (8|M0) r3.0<1>:d r128.0<8;8,1>:d"),
            "k.s:8: error: 'r128.0<8;8,1>:d' is no operand [bad-assembly]");
  EXPECT_EQ(message_of(kernel({end_of_thread}, "", "256")),
            "k.s: error: kernel 'k' has 256 registers, not 128 [not-supported]");
}

// The response, and one part or both of the payload.
TEST(GenLoading, MessagesHaveTheirRegisters) {
  const char* what = "a message's registers that there are not";
  for (const char* message :
       {"send (8|M0) r127:w r11 0x2 0x0243A000", "send (8|M0) r125:w r11 0x2 0x0243A000",
        "send (8|M0) r20:w r127 0x2 0x0443A000", "sends (8|M0) null:ud r126 r127 0x8C 0x02026CFE"})
    EXPECT_EQ(refused_first(message), expected({message, what}, "bad-operand"));
}

TEST(GenLoading, TheLastRegistersAreThere) {
  for (const char* instruction :
       {"mov (8|M0) r127.0<1>:d r127.0<8;8,1>:d", "mov (16|M0) r126.0<1>:d r126.0<8;8,1>:d",
        "mov (8|M0) acc1.0<1>:d 1:d", "mov (8|M0) r[a0.15]<1>:d 1:d", "call (8|M0) r127.6:ud L16",
        "send (8|M0) r124:w r11 0x2 0x0243A000", "send (8|M0) r20:w r126 0x2 0x0443A000",
        "sends (8|M0) null:ud r126 r127 0x4C 0x02026EFE"})
    EXPECT_EQ(refused_first(instruction), "") << instruction;
}

TEST(GenLoading, JumpsLeadToInstructions) {
  for (const Refused& test :
       {Refused{"jmpi (1|M0) L4", "a jump to 0x4, where no instruction is"},
        Refused{"jmpi (1|M0) L8", "a jump to 0x8, where no instruction is"},
        Refused{"jmpi (1|M0) L32", "a jump to 0x20, where no instruction is"},
        Refused{"(f0.0) if (8|M0) L40 L16", "a jump to 0x28, where no instruction is"},
        Refused{"(f0.0) if (8|M0) L16 L40", "a jump to 0x28, where no instruction is"},
        Refused{"(f0.0) goto (8|M0) L16 L4096", "a jump to 0x1000, where no instruction is"},
        Refused{"(f0.0) while (8|M0) L64", "a jump to 0x40, where no instruction is"},
        Refused{"call (8|M0) r2.0:ud L32", "a jump to 0x20, where no instruction is"}})
    EXPECT_EQ(refused_first(test.instruction), expected(test, "bad-jump"));
  // The padding behind a kernel is none of its instructions.
  EXPECT_EQ(message_of(kernel({"jmpi (1|M0) L32", end_of_thread, "illegal"})),
            "k.s:8: error: a jump to 0x20, where no instruction is: jmpi (1|M0) L32 [bad-jump]");
  // Compiled code has its source's places.
  EXPECT_EQ(message_of(kernel({"jmpi (1|M0) L32", end_of_thread},
                              "//@lockstep file 0 a.cl\n//@lockstep line 0 3 7\n")),
            "a.cl:3:7: error: a jump to 0x20, where no instruction is: jmpi (1|M0) L32 [bad-jump]");
  const auto module = gen::load_module(kernel({"jmpi (1|M0) L32", end_of_thread, "jmpi (1|M0) L16"}),
                                       *find_target("gen9"), "k.s");
  ASSERT_TRUE(module.ok()) << to_string(module.error());
  EXPECT_EQ((*module)->code.instructions[0].target, 2u);
  EXPECT_EQ((*module)->code.instructions[2].target, 1u);
}

TEST(GenLoading, KernelsEndWithAnEndOfThread) {
  const char* one = "mov (8|M0) r3.0<1>:d 1:d";
  const std::string without = "k.s:7: error: kernel 'k' does not end with an end of thread [bad-assembly]";
  EXPECT_EQ(message_of(kernel({})), without);
  EXPECT_EQ(message_of(kernel({"illegal"})), without);
  EXPECT_EQ(message_of(kernel({one})), without);
  EXPECT_EQ(message_of(kernel({one, "illegal"})), without);
  EXPECT_EQ(message_of(kernel({"jmpi (1|M0) L0"})), without);
  EXPECT_EQ(message_of(kernel({"ret (8|M0) r3.0:ud"})), without);
  // Control would go on behind the last instruction.
  EXPECT_EQ(message_of(kernel({end_of_thread, one})), without);
  EXPECT_EQ(message_of(kernel({"jmpi (1|M0) L32", end_of_thread, one})), without);
  for (const std::vector<std::string>& good : std::vector<std::vector<std::string>>{
           {end_of_thread}, {one, end_of_thread}, {one, end_of_thread, "illegal", "illegal"}})
    EXPECT_EQ(message_of(kernel(good)), "");
  const Refused other{"send (8|M0) r20:w r11 0x2 0x0243A000 {EOT}", "the end of a thread with this message"};
  EXPECT_EQ(refused_first(other.instruction), expected(other, "not-supported"));
}

}  // namespace
}  // namespace lockstep
