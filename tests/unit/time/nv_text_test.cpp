// The text forms of lowered programs and of timing code that is written by hand.
#include <gtest/gtest.h>

#include "time/program/nv/listing.h"
#include "time/program/nv/text.h"

namespace lockstep {
namespace {

const std::string program = R"(.lowered k sm_80
.registers 12
.uniform 2
.predicates 1
.spilled 0
.bytes 160
.region 0 3
  [B------:R-:W0:-:S01] S2R R0 <- SR_TID.X; # from 0
  [B0-----:R-:W-:-:S05] IMAD.WIDE R2:R3 <- R0, 0x4, c[0x0][0x160]:2; # from 1
  [B------:R1:W2:Y:S12] @!P0 LDG.E R4 <- [R2:R3.64+-0x10]; # from 2 # access 0
.region 3 1 predicated
  [B-12---:R-:W-:-:S04] FFMA R5 <- -R4.reuse, |R4|, R0; # from 3 # every 4
  [B------:R-:W-:-:S01] CS2R R6, R8 <-; # from 3
.guarded 1 1
.branch 2 taken 1
)";

TEST(NvText, ReadsBackWhatItPrints) {
  const auto read = read_lowered(program, "k");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(print_lowered(*read), program);
  const LoweredInstruction& load = read->instructions[2];
  EXPECT_EQ(load.offset, -16);
  EXPECT_TRUE(load.carries_access);
  EXPECT_TRUE(load.control.yield);
  EXPECT_EQ(load.control.read_barrier, 1);
  EXPECT_EQ(load.source[0].width, 2);
  EXPECT_EQ(read->instructions[3].every, 4);
  EXPECT_TRUE(read->regions[1].predicated);
}

TEST(NvText, SaysWhatIsWrongWhere) {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string text = program;
    text.replace(text.find(from), from.size(), to);
    const auto read = read_lowered(text, "k.txt");
    EXPECT_FALSE(read) << to;
    return read ? std::string{} : to_string(read.error());
  };
  EXPECT_NE(refused("FFMA", "FFMAX").find("k.txt:12"), std::string::npos);
  EXPECT_NE(refused("R2:R3.64", "R300").find("operand"), std::string::npos);
  EXPECT_NE(refused("R2:R3.64", "SR_TID.X .64").find("operand"), std::string::npos);
  EXPECT_NE(refused("[B0-----", "[B7-----").find("control bits"), std::string::npos);
  EXPECT_NE(refused(".guarded 1 1", ".guarded 1 2").find("lies within a region"), std::string::npos);
  EXPECT_NE(refused("taken 1", "taken 9").find("no such region"), std::string::npos);
  EXPECT_NE(refused(".lowered k sm_80\n", "").find("begins with .lowered"), std::string::npos);
}

// The inner loop of S4's SGEMM on V100.
const std::string sgemm = R"(.timing sgemm sm_70
.registers 128
.local 8192
.launch 160 128
.lanes 0xffffffff
.loop 512
  LDS.128 R80, [R4+0x100]; {load shared 16 at 0x100 stride 16 turn 512}
  FFMA R17, R12.reuse, R80.reuse, R17;
  FFMA R16, R12, R81.reuse, R16;
  FFMA R25, R13.reuse, R80.reuse, R25;
  FFMA R24, R13, -R81.reuse, 0.5;
  ISETP.NE.AND P0, PT, R4, RZ, PT;
  IADD3 R4, P1, R4, 0x10, RZ;
.end
)";

TEST(NvListing, TakesTheVendorsSpelling) {
  const auto read = read_listing(sgemm, "sgemm.txt");
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->program.instructions.size(), 8u);
  EXPECT_EQ(read->program.instructions[7].opcode, LoweredOpcode::exit);  // said or not
  EXPECT_EQ(read->loops, (std::vector<ListingLoop>{{0, 7, 512}}));
  EXPECT_EQ(read->groups, 160u);
  EXPECT_EQ(read->group_items, 128u);
  const LoweredInstruction& ffma = read->program.instructions[1];
  EXPECT_EQ(ffma.destination[0].index, 17u);
  EXPECT_EQ(ffma.source[2].index, 17u);
  EXPECT_TRUE((ffma.source[0].modifiers & LoweredOperand::reuse) != 0);
  EXPECT_EQ(read->program.instructions[4].source[2].value, 0x3F000000u);
  EXPECT_EQ(read->program.instructions[5].destination[1].index, LoweredOperand::true_predicate);
  EXPECT_EQ(read->program.instructions[6].destination[1].index, 1u);
  ASSERT_EQ(read->accesses.size(), 1u);
  EXPECT_EQ(read->accesses[0].stride, 16);
  EXPECT_EQ(read->accesses[0].each_turn, 512);
  // Control words that a listing does not have are made: the load's result is waited for.
  EXPECT_LT(read->program.instructions[0].control.write_barrier, 6);
  EXPECT_NE(read->program.instructions[1].control.wait_mask, 0);
}

TEST(NvListing, SaysWhichAnnotationIsMissing) {
  const auto without = [](const std::string& what, const std::string& instead = "") {
    std::string text = sgemm;
    text.replace(text.find(what), what.size(), instead);
    const auto read = read_listing(text, "sgemm.txt");
    EXPECT_FALSE(read) << what;
    return read ? std::string{} : to_string(read.error());
  };
  EXPECT_NE(without(".lanes 0xffffffff\n").find("which lanes run"), std::string::npos);
  EXPECT_NE(without(" {load shared 16 at 0x100 stride 16 turn 512}").find("what memory 'LDS' reaches"),
            std::string::npos);
  EXPECT_NE(without(".launch 160 128\n").find("how many work-groups"), std::string::npos);
  EXPECT_NE(without(".registers 128\n").find("registers"), std::string::npos);
  EXPECT_NE(without(".end\n").find("end of a loop"), std::string::npos);
  EXPECT_NE(without("at 0x100 ").find("where the access begins"), std::string::npos);
  EXPECT_NE(without("ISETP.NE.AND P0, PT, R4, RZ, PT;", "BRA 0x10;").find("no branches"), std::string::npos);
  EXPECT_NE(without("load shared 16", "load shared 3").find("1, 2, 4, 8 or 16"), std::string::npos);
  EXPECT_NE(read_listing("", "empty.txt").error().message.find("which GPUs' instructions"),
            std::string::npos);
}

TEST(NvText, AnEmptyTextIsRefusedAtItsFirstLine) {
  const auto none = read_lowered("", "k");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, "bad-lowered");
  EXPECT_EQ(none.error().place.line, 1u);
}

}  // namespace
}  // namespace lockstep
