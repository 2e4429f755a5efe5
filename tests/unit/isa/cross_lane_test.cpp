// Values that move between lanes, or between lanes and scalar registers.
#include "amd_step.h"

namespace lockstep::amd {
namespace {

void number_lanes(Stepper& step, u32 row, u32 from = 100) {
  for (u32 lane = 0; lane < step.wave.lanes; ++lane) step.wave.row(row)[lane] = from + lane;
}

TEST(CrossLane, ReadFirstLane) {
  Stepper step;
  number_lanes(step, 0);
  step.run("v_readfirstlane_b32 s4, v0");
  EXPECT_EQ(step.wave.read_scalar(4), 100u);
  step.wave.set_exec(u64{1} << 63 | u64{1} << 40);
  step.run("v_readfirstlane_b32 s4, v0");
  EXPECT_EQ(step.wave.read_scalar(4), 140u);
  step.wave.set_exec(0);
  step.run("v_readfirstlane_b32 s4, v0");
  EXPECT_EQ(step.wave.read_scalar(4), 100u) << "lane 0 where no lane is active";
}

TEST(CrossLane, ReadAndWriteLane) {
  Stepper step;
  number_lanes(step, 0);
  step.wave.set_exec(1);
  step.run("v_readlane_b32 s4, v0, 63");
  EXPECT_EQ(step.wave.read_scalar(4), 163u) << "inactive lanes are read too";
  step.wave.write_scalar(5, 64 + 7);
  step.run("v_readlane_b32 s4, v0, s5");
  EXPECT_EQ(step.wave.read_scalar(4), 107u) << "the lane number wraps around";
  step.wave.write_scalar(scalar_register::m0, 9);
  step.run("v_readlane_b32 s4, v0, m0");
  EXPECT_EQ(step.wave.read_scalar(4), 109u);
  step.run("v_writelane_b32 v0, s4, s5");
  EXPECT_EQ(step.wave.row(0)[7], 109u);
  EXPECT_EQ(step.wave.row(0)[6], 106u);
  step.run("v_writelane_b32 v0, -1, 63");
  EXPECT_EQ(step.wave.row(0)[63], 0xFFFFFFFF);
  Stepper half("gfx1030", 32);
  number_lanes(half, 0);
  half.wave.write_scalar(5, 33);
  half.run("v_readlane_b32 s4, v0, s5");
  EXPECT_EQ(half.wave.read_scalar(4), 101u);
}

TEST(CrossLane, MaskCounts) {
  Stepper step;
  step.fill(1, 1000);
  step.wave.write_scalar64(4, 0xF000000180000003);
  step.run("v_mbcnt_lo_u32_b32 v2, s4, v1");
  step.run("v_mbcnt_hi_u32_b32 v3, s5, v2");
  u32 below = 0;
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(step.wave.row(3)[lane], 1000 + below) << lane;
    below += static_cast<u32>(0xF000000180000003 >> lane & 1);
  }
  // The lane's own number.
  step.run("v_mbcnt_lo_u32_b32 v2, -1, 0");
  step.run("v_mbcnt_hi_u32_b32 v2, -1, v2");
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(step.wave.row(2)[lane], lane);
}

TEST(CrossLane, Swap) {
  Stepper step;
  number_lanes(step, 0, 0);
  number_lanes(step, 1, 100);
  step.wave.set_exec(0x8000000000000001);
  step.run("v_swap_b32 v0, v1");
  EXPECT_EQ(step.wave.row(0)[0], 100u);
  EXPECT_EQ(step.wave.row(1)[0], 0u);
  EXPECT_EQ(step.wave.row(0)[1], 1u);
  EXPECT_EQ(step.wave.row(1)[63], 63u);
}

TEST(CrossLane, MoveWithPermutation) {
  Stepper step;
  number_lanes(step, 0);
  step.fill(1, 7);
  // quad_perm:[3,2,1,0]: control 0x1B, all banks and rows.
  step.run("v_mov_b32_dpp v1, v0 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf", {0x7E0202FA, 0xFF001B00});
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(step.wave.row(1)[lane], 100 + (lane ^ 3)) << lane;
  // row_shr:1 (0x111): the first lane of each row has no source and keeps its value.
  step.fill(1, 7);
  step.run("v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf", {0x7E0202FA, 0xFF011100});
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(step.wave.row(1)[lane], lane % 16 == 0 ? 7 : 99 + lane) << lane;
  }
}

TEST(CrossLane, PermuteRows) {
  Stepper step("gfx1030", 32);
  number_lanes(step, 0);
  step.wave.write_scalar(4, 0x01234567);  // lanes 0 to 7 read 7, 6, ...
  step.wave.write_scalar(5, 0xFEDCBA98);
  step.run("v_permlane16_b32 v1, v0, s4, s5");
  EXPECT_EQ(step.wave.row(1)[0], 107u);
  EXPECT_EQ(step.wave.row(1)[7], 100u);
  EXPECT_EQ(step.wave.row(1)[8], 108u);
  EXPECT_EQ(step.wave.row(1)[16], 123u);
  step.run("v_permlanex16_b32 v1, v0, s4, s5");
  EXPECT_EQ(step.wave.row(1)[0], 123u);
  EXPECT_EQ(step.wave.row(1)[31], 115u);
  // Lane 0 reads lane 7, which is off: it keeps its value, reads 0, or reads it all the same.
  step.fill(1, 5);
  step.wave.set_exec(1);
  step.run("v_permlane16_b32 v1, v0, s4, s5");
  EXPECT_EQ(step.wave.row(1)[0], 5u);
  step.run("v_permlane16_b32 v1, v0, s4, s5 op_sel:[0,1]");
  EXPECT_EQ(step.wave.row(1)[0], 0u);
  step.run("v_permlane16_b32 v1, v0, s4, s5 op_sel:[1,0]");
  EXPECT_EQ(step.wave.row(1)[0], 107u);
  EXPECT_EQ(step.wave.row(1)[1], 5u);
  Stepper wide("gfx1100", 64);
  number_lanes(wide, 0);
  wide.run("v_permlane64_b32 v1, v0");
  EXPECT_EQ(wide.wave.row(1)[0], 132u);
  EXPECT_EQ(wide.wave.row(1)[63], 131u);
}

}  // namespace
}  // namespace lockstep::amd
