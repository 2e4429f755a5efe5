// Program flow, hardware registers, register indexing, messages.
#include "amd_step.h"
#include "isa/amd/format.h"
#include "isa/amd/register_index.h"

namespace lockstep::amd {
namespace {

// Four instructions of 4 bytes each at image address 0x1000, loaded at 0x700000000000.
struct Program4 {
  Stepper step;
  std::array<u32, 4> index_of_word{0, 1, ~u32{0}, 2};
  static constexpr u64 text = 0x1000, base = 0x700000000000;
  Program4() {
    step.context.index_of_word = index_of_word.data();
    step.context.text_address = text;
    step.context.text_words = index_of_word.size();
    step.wave.code_base = base;
    step.wave.pc = 1;
  }
  // A branch at the first word; the displacement counts words from the next instruction.
  bool branches(const std::string& mnemonic) {
    Instruction in = step.decoded(mnemonic + " L", {2}, text);
    EXPECT_EQ(in.operand[1].value, text + 12);
    in.target = 2;
    step.wave.pc = 1;
    step.run(in);
    return step.wave.pc == 2;
  }
};

TEST(Control, Branches) {
  Program4 p;
  EXPECT_TRUE(p.branches("s_branch"));
  p.step.wave.scc = true;
  EXPECT_TRUE(p.branches("s_cbranch_scc1"));
  EXPECT_FALSE(p.branches("s_cbranch_scc0"));
  p.step.wave.scc = false;
  EXPECT_FALSE(p.branches("s_cbranch_scc1"));
  EXPECT_TRUE(p.branches("s_cbranch_scc0"));
  p.step.wave.write_scalar64(scalar_register::vcc_lo, u64{1} << 63);
  EXPECT_TRUE(p.branches("s_cbranch_vccnz"));
  EXPECT_FALSE(p.branches("s_cbranch_vccz"));
  p.step.wave.write_scalar64(scalar_register::vcc_lo, 0);
  EXPECT_FALSE(p.branches("s_cbranch_vccnz"));
  EXPECT_TRUE(p.branches("s_cbranch_vccz"));
  p.step.wave.set_exec(u64{1} << 40);
  EXPECT_TRUE(p.branches("s_cbranch_execnz"));
  EXPECT_FALSE(p.branches("s_cbranch_execz"));
  p.step.wave.set_exec(0);
  EXPECT_FALSE(p.branches("s_cbranch_execnz"));
  EXPECT_TRUE(p.branches("s_cbranch_execz"));
  EXPECT_FALSE(p.branches("s_cbranch_cdbgsys"));
}

TEST(Control, BranchToNowhere) {
  Program4 p;
  Instruction in = p.step.decoded("s_branch L", {0x7FFF}, Program4::text);
  in.target = ~u32{0};
  p.step.run(in);
  EXPECT_EQ(p.step.context.fault.kind, FaultKind::unknown_target);
  EXPECT_EQ(p.step.context.fault.address, Program4::base + Program4::text + 4 + 4 * 0x7FFF);
}

TEST(Control, Calls) {
  Program4 p;
  const u64 next = Program4::base + Program4::text + 4;
  p.step.run("s_getpc_b64 s[4:5]", {0}, Program4::text);
  EXPECT_EQ(p.step.wave.read_scalar64(4), next);
  p.step.wave.write_scalar64(6, Program4::base + Program4::text + 12);
  p.step.run("s_swappc_b64 s[6:7], s[6:7]", {0}, Program4::text);
  EXPECT_EQ(p.step.wave.pc, 2u);
  EXPECT_EQ(p.step.wave.read_scalar64(6), next);
  p.step.run("s_setpc_b64 s[6:7]", {0}, Program4::text);
  EXPECT_EQ(p.step.wave.pc, 1u);
  Instruction call = p.step.decoded("s_call_b64 s[8:9], L", {2}, Program4::text);
  call.target = 2;
  p.step.run(call);
  EXPECT_EQ(p.step.wave.pc, 2u);
  EXPECT_EQ(p.step.wave.read_scalar64(8), next);
  // Into the middle of an instruction, off a word, before and behind the text.
  for (const u64 offset : {u64{8}, u64{2}, u64{16}, ~u64{3}}) {
    p.step.wave.write_scalar64(6, Program4::base + Program4::text + offset);
    p.step.run("s_setpc_b64 s[6:7]", {0}, Program4::text);
    EXPECT_EQ(p.step.context.fault.kind, FaultKind::unknown_target) << offset;
  }
}

TEST(Control, Events) {
  Stepper step;
  step.run("s_barrier", {0});
  EXPECT_EQ(step.context.event, Event::barrier);
  step.run("s_sleep 1", {1});
  EXPECT_EQ(step.context.event, Event::yield);
  step.run("s_endpgm", {0});
  EXPECT_EQ(step.context.event, Event::end);
  for (const char* hint : {"s_nop 0", "s_setprio 3", "s_icache_inv", "s_sethalt 0", "v_nop"}) {
    step.run(hint, {0});
    EXPECT_EQ(step.context.event, Event::none) << hint;
  }
  step.run("s_trap 2", {2});
  EXPECT_EQ(step.context.fault.kind, FaultKind::trap);
  step.run("s_trap 3", {3});
  EXPECT_EQ(step.context.fault.kind, FaultKind::none);
  step.run("s_sendmsg sendmsg(MSG_INTERRUPT)", {1});
  EXPECT_EQ(step.context.fault.kind, FaultKind::none);
  step.run("s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)", {3});
  EXPECT_EQ(step.context.fault.kind, FaultKind::not_supported);
  EXPECT_STREQ(step.context.fault.text, "s_sendmsg MSG_GS_DONE");
  step.run("s_cbranch_g_fork s[4:5], s[6:7]", {0});
  EXPECT_EQ(step.context.fault.kind, FaultKind::not_supported);
}

TEST(Control, WaitCounts) {
  Stepper step;
  const Instruction in = step.decoded("s_waitcnt vmcnt(17) lgkmcnt(2)", {0x4271});
  const WaitCounts counts = WaitCounts::unpack(in);
  EXPECT_EQ(counts.vector, 17);
  EXPECT_EQ(counts.local, 2);
  EXPECT_EQ(counts.exported, 0xFF);
  step.run(in);
  EXPECT_EQ(step.context.event, Event::none);
}

constexpr u32 field(u32 number, u32 first, u32 width) {
  return number | first << 6 | (width - 1) << 11;
}

TEST(Control, Mode) {
  Stepper step;
  step.wave.mode = 0xF0;
  step.wave.ieee_mode = true;
  step.wave.dx10_clamp = true;
  step.run("s_getreg_b32 s4, hwreg(HW_REG_MODE)", {field(1, 0, 32)});
  EXPECT_EQ(step.wave.read_scalar(4), 0x3F0u);
  step.run("s_getreg_b32 s4, hwreg(HW_REG_MODE, 4, 2)", {field(1, 4, 2)});
  EXPECT_EQ(step.wave.read_scalar(4), 3u);
  // Rounding of f32 towards zero, the rest as it was.
  step.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3", {field(1, 0, 2), 3});
  EXPECT_EQ(step.wave.mode, 0xF3u);
  EXPECT_TRUE(step.wave.ieee_mode);
  step.wave.write_scalar(5, 0xFFFFFFF0);
  step.run("s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s5", {field(1, 4, 4)});
  EXPECT_EQ(step.wave.mode, 0x03u) << "only the field's bits are taken";
  step.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), 1", {field(1, 8, 2), 1});
  EXPECT_TRUE(step.wave.dx10_clamp);
  EXPECT_FALSE(step.wave.ieee_mode);
  EXPECT_EQ(step.wave.mode, 0x03u);
  step.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x8f0f0", {field(1, 0, 32), 0x8F0F0});
  EXPECT_EQ(step.wave.mode, 0x8F0F0u) << "a constant of 32 bits is taken whole";
  step.run("s_getreg_b32 s4, hwreg(63)", {field(63, 0, 32)});
  EXPECT_EQ(step.context.fault.kind, FaultKind::not_supported);
  Stepper rdna("gfx1030", 32);
  rdna.run("s_round_mode 0x5", {5});
  rdna.run("s_denorm_mode 0xc", {12});
  EXPECT_EQ(rdna.wave.mode, 0xC5u);
}

TEST(Control, StatusAndPlace) {
  Stepper step;
  step.wave.scc = true;
  step.wave.set_exec(0);
  step.wave.write_scalar64(scalar_register::vcc_lo, 1);
  step.run("s_getreg_b32 s4, hwreg(HW_REG_STATUS, 0, 11)", {field(2, 0, 11)});
  EXPECT_EQ(step.wave.read_scalar(4), 1u | 1u << 9) << "SCC and EXECZ";
  step.wave.slot = 5;
  step.context.simd = 2;
  step.context.compute_unit = 16 * 3 + 9;
  step.run("s_getreg_b32 s4, hwreg(HW_REG_HW_ID, 4, 2)", {field(4, 4, 2)});
  EXPECT_EQ(step.wave.read_scalar(4), 2u);
  step.run("s_getreg_b32 s4, hwreg(HW_REG_HW_ID, 8, 4)", {field(4, 8, 4)});
  EXPECT_EQ(step.wave.read_scalar(4), 9u);
  step.run("s_getreg_b32 s4, hwreg(HW_REG_HW_ID, 13, 2)", {field(4, 13, 2)});
  EXPECT_EQ(step.wave.read_scalar(4), 3u);
  step.run("s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC, 8, 6)", {field(5, 8, 6)});
  EXPECT_EQ(step.wave.read_scalar(4), 7u) << "32 registers are eight granules of four";
}

TEST(Control, Clock) {
  const u64 now = u64{0x12} << 32 | 0x89ABCDEF;
  Stepper rdna3("gfx1100", 32);
  rdna3.context.now_cycles = now;
  rdna3.run("s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES, 0, 20)", {field(29, 0, 20)});
  EXPECT_EQ(rdna3.wave.read_scalar(4), 0xBCDEFu);
  rdna3.run("s_getreg_b32 s4, hwreg(30)", {field(30, 0, 32)});
  EXPECT_EQ(rdna3.context.fault.kind, FaultKind::not_supported);
  Stepper rdna4("gfx1201", 32);
  rdna4.context.now_cycles = now;
  rdna4.run("s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES_LO)", {field(29, 0, 32)});
  EXPECT_EQ(rdna4.wave.read_scalar(4), 0x89ABCDEFu);
  rdna4.run("s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES_HI)", {field(30, 0, 32)});
  EXPECT_EQ(rdna4.wave.read_scalar(4), 0x12u);
}

TEST(Control, RelativeMoves) {
  Stepper step;
  for (u32 i = 0; i < 16; ++i) step.wave.write_scalar(i, 1000 + i);
  step.wave.write_scalar(scalar_register::m0, 5);
  step.run("s_movrels_b32 s20, s2");
  EXPECT_EQ(step.wave.read_scalar(20), 1007u);
  step.run("s_movreld_b64 s[24:25], s[2:3]");
  EXPECT_EQ(step.wave.read_scalar(29), 1002u);
  EXPECT_EQ(step.wave.read_scalar(30), 1003u);
  step.wave.write_scalar(scalar_register::m0, 200);
  step.run("s_movrels_b32 s20, s2");
  EXPECT_EQ(step.context.fault.kind, FaultKind::not_supported);
  Stepper rdna("gfx1030", 32);
  rdna.fill(7, 70);
  rdna.fill(1, 10);
  rdna.wave.write_scalar(scalar_register::m0, 6);
  rdna.run("v_movrels_b32_e32 v2, v1");
  EXPECT_EQ(rdna.wave.row(2)[31], 70u);
  rdna.run("v_movreld_b32_e32 v3, v1");
  EXPECT_EQ(rdna.wave.row(9)[0], 10u);
}

TEST(Control, IndexedRegisters) {
  Stepper step;
  for (u32 row = 0; row < 16; ++row) step.fill(row, 100 * row);
  step.wave.write_scalar(4, 3);
  std::vector<Instruction> program{
      step.decoded("s_set_gpr_idx_on s4, gpr_idx(SRC0)", {0xBF110104}),
      step.decoded("v_add_u32_e32 v20, v1, v2"),
      step.decoded("s_set_gpr_idx_mode gpr_idx(DST)", {0xBF9D0008}),
      step.decoded("v_add_u32_e32 v20, v1, v2"),
      step.decoded("s_set_gpr_idx_idx s4"),
      step.decoded("v_mov_b32_e32 v24, v5"),
      step.decoded("s_set_gpr_idx_off", {0xBF9C0000}),
      step.decoded("v_mov_b32_e32 v26, v5"),
  };
  wire_register_indexing(program, 64);
  step.run(program[0]);
  step.run(program[1]);
  EXPECT_EQ(step.wave.row(20)[0], 400u + 200u) << "the first source moves by 3";
  step.run(program[2]);
  step.run(program[3]);
  EXPECT_EQ(step.wave.row(23)[0], 100u + 200u) << "the result moves by 3";
  step.wave.write_scalar(4, 1);
  step.run(program[4]);
  step.run(program[5]);
  EXPECT_EQ(step.wave.row(25)[0], 500u);
  step.run(program[6]);
  step.run(program[7]);
  EXPECT_EQ(step.wave.row(26)[0], 500u);
  // Programs that never switch the mode on keep their run functions.
  std::vector<Instruction> plain{step.decoded("v_mov_b32_e32 v26, v5")};
  const RunFunction before = plain[0].run;
  wire_register_indexing(plain, 64);
  EXPECT_EQ(plain[0].run, before);
  // Beyond the wave's 32 rows.
  step.wave.write_scalar(4, 31);
  step.run(program[0]);
  step.run(program[1]);
  EXPECT_EQ(step.context.fault.kind, FaultKind::not_supported) << "v1 + 31 is v32";
}

// What s_icache_inv and its like cost is no matter of the vector or scalar memory's pipes.
TEST(CacheControl, IsOfMemoryInstructionsAlone) {
  for (const Row& row : all_rows()) {
    if (row.cost != Cost::cache_control) continue;
    EXPECT_TRUE(is_memory_mnemonic(row.mnemonic)) << row.mnemonic;
  }
}

TEST(Decoding, RefusesModifiersThatItDoesNotKnow) {
  const Target& target = *find_target("gfx900");
  const auto refused = decode({"v_add_f32_e32 v0, v1, v2 shear:1", {}, 0}, target);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'shear:1'"), std::string::npos);
  EXPECT_TRUE(decode({"v_add_f32_e64 v0, v1, v2 mul:2", {}, 0}, target));
}

}  // namespace
}  // namespace lockstep::amd
