// Hand-written code of NVIDIA GPUs, timed.
#include "run/timed_listing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "machine/machine.h"

namespace lockstep {
namespace {

const Machine& v100() {
  static const Machine machine = *load_machine(machine_directory(), "v100");
  return machine;
}

std::string listing_of(const std::string& body, const std::string& target = "sm_70") {
  return ".timing test " + target + "\n.registers 128\n.launch 1 32\n.lanes 0xffffffff\n" + body;
}

u64 cycles_of(const std::string& body) {
  const auto listing = read_listing(listing_of(body), "test.timing");
  if (!listing) {
    ADD_FAILURE() << to_string(listing.error());
    return 0;
  }
  const auto timing = time_listing(v100(), *listing);
  if (!timing) {
    ADD_FAILURE() << to_string(timing.error());
    return 0;
  }
  return timing->cycles;
}

// Of one instruction in a chain: long ones beyond short ones.
f64 each(const std::string& instruction) {
  const auto chain = [&](u32 turns) {
    return ".loop " + std::to_string(turns) + "\n.repeat 64\n" + instruction + "\n.end\n";
  };
  return (static_cast<f64>(cycles_of(chain(12))) - static_cast<f64>(cycles_of(chain(4)))) / (8 * 64);
}

TEST(TimedListing, ChainsTakeTheirLatency) {
  EXPECT_NEAR(each("IADD3 R0, R0, R1, RZ;"), 4, 0.1);
  EXPECT_NEAR(each("IMAD R0, R0, R1, R3;"), 5, 0.1);
  EXPECT_NEAR(each("HFMA2 R0, R0, R1, R3;"), 6, 0.1);
  EXPECT_NEAR(each("DFMA R0:R1, R0:R1, R2:R3, R4:R5;"), 8, 0.2);
  EXPECT_NEAR(each("MUFU.RCP R0, R0;"), 14, 0.3);
}

TEST(TimedListing, OperandsOfOneBankTakeTurns) {
  const f64 apart = each("FFMA R6, R97, R99, R90;"), together = each("FFMA R6, R97, R99, R91;");
  EXPECT_GT(together, apart);
  EXPECT_NEAR(each("FFMA R6, R97.reuse, R99.reuse, R91;"), apart, 0.1);
}

TEST(TimedListing, LanesOfOneAddressTakeTurns) {
  const auto atomic = [](u32 together) {
    return each("ATOMS.ADD R0, [R1], R2; {atomic shared 4 at 0x0 stride 4 together " +
                std::to_string(together) + "}");
  };
  EXPECT_LT(atomic(1), atomic(4));
  EXPECT_LT(atomic(4), atomic(32));
}

// A round is done for one lane of each bank: 95 cycles for each further one, and two for each word more that
// a bank has to load for those that are left.
TEST(TimedListing, WhatIsTriedAgainTakesRounds) {
  const auto cycles = [](const std::string& kind, const std::string& lanes) {
    return each("ATOMS" + kind + " R0, [R1], R2, R3; {atomic shared 4 at 0x0 " + lanes + "}");
  };
  // A word's next exchange comes 45 cycles later at best; what is compared and exchanged has two turns.
  EXPECT_NEAR(cycles(".CAST.SPIN", "stride 4"), 45, 1);
  const f64 once = cycles(".CAS", "stride 4") - 6;
  EXPECT_NEAR(cycles(".CAST.SPIN", "stride 4 together 2") - once, 95, 4);
  EXPECT_NEAR(cycles(".CAST.SPIN", "stride 4 together 32") - once, 31 * 95, 4);
  EXPECT_NEAR(cycles(".CAST.SPIN", "stride 8") - once, 95, 4);
  EXPECT_NEAR(cycles(".CAST.SPIN", "stride 128") - once, 31 * 95 + 2 * 30 * 31 / 2, 4);
}

TEST(TimedListing, LoopsNestAndBarriersHold) {
  const std::string body = ".loop 3\n.loop 4\n.repeat 8\nIADD3 R0, R0, R1, RZ;\n.end\nBAR.SYNC 0x0;\n.end\n";
  const auto listing = read_listing(listing_of(body), "test.timing");
  ASSERT_TRUE(listing) << to_string(listing.error());
  const auto timing = time_listing(v100(), *listing);
  ASSERT_TRUE(timing) << to_string(timing.error());
  EXPECT_EQ(timing->instructions, 3u * (4 * 8 + 1) + 1);  // and EXIT
}

// Waves begin while others run: what those are at stays where it is.
TEST(TimedListing, GroupsBeginBesideOthers) {
  const auto listing = read_listing(
      ".timing test sm_70\n.registers 32\n.local 64\n.launch 2560 32\n.lanes 0xffffffff\n"
      ".loop 4\n.repeat 64\nLDS R4, [R4]; {load shared 4 at 0x0 stride 4}\n.end\n",
      "test.timing");
  ASSERT_TRUE(listing) << to_string(listing.error());
  const auto timing = time_listing(v100(), *listing);
  ASSERT_TRUE(timing) << to_string(timing.error());
  EXPECT_EQ(timing->instructions, u64{2560} * (4 * 64 + 1));  // and EXIT
}

TEST(TimedListing, OfAnotherTargetIsRefused) {
  const auto listing = read_listing(listing_of("IADD3 R0, R0, R1, RZ;\n", "sm_80"), "test.timing");
  ASSERT_TRUE(listing);
  const auto timing = time_listing(v100(), *listing);
  ASSERT_FALSE(timing);
  EXPECT_NE(timing.error().message.find("sm_80"), std::string::npos);
}

TEST(TimedListing, AnEmptyTextIsRefusedAtItsFirstLine) {
  const auto listing = read_listing("", "test.timing");
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code, "bad-listing");
  EXPECT_EQ(listing.error().place.line, 1u);
}

TEST(TimedListing, AFileHoldsSeveral) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "several.timing";
  {
    std::ofstream out(path);
    out << listing_of(".loop rounds\nIADD3 R0, R0, R1, RZ;\n.end\n");
    std::string other = listing_of(".loop 2\nFADD R0, R0, R1;\n.end\n");
    out << other.replace(other.find("test"), 4, "more");
  }
  const auto first = load_listing(path.string(), "test", {{"rounds", 7}});
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_EQ(first->loops.at(0).times, 7u);
  const auto second = load_listing(path.string(), "more", {});
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_EQ(second->program.instructions.at(0).opcode, LoweredOpcode::fadd);
  const auto none = load_listing(path.string(), "nothing", {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().hint.find("test, more"), std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lockstep
