// The lanes that run: a mask of the wave's own, and AMD's two registers as a view of it.
#include "isa/wave.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace scalar_register;

bool runs(WaveState& wave, u32 lane) {
  return wave.mask_row()[lane] != 0;
}

TEST(Wave, RegistersShowTheMask) {
  WaveState wave;
  wave.allocate(64, 1, first_free);
  EXPECT_EQ(wave.exec(), 0u);
  wave.set_exec(0x8000'0000'0000'0005);
  EXPECT_EQ(wave.read_scalar(exec_lo), 5u);
  EXPECT_EQ(wave.read_scalar(exec_hi), 0x80000000u);
  EXPECT_TRUE(runs(wave, 0) && !runs(wave, 1) && runs(wave, 2) && runs(wave, 63));
}

TEST(Wave, WritesToTheRegistersChangeTheMask) {
  WaveState wave;
  wave.allocate(64, 1, first_free);
  wave.set_exec(~u64{0});
  wave.write_scalar(exec_lo, 0xF0);
  EXPECT_EQ(wave.exec(), 0xFFFFFFFF'000000F0u);
  EXPECT_TRUE(!runs(wave, 3) && runs(wave, 4) && runs(wave, 32));
  wave.write_scalar64(exec_lo, 0x3'0000'0001);
  EXPECT_EQ(wave.exec(), 0x3'0000'0001u);
  EXPECT_TRUE(runs(wave, 0) && !runs(wave, 4) && runs(wave, 33) && !runs(wave, 34));
  wave.write_scalar(m0, 7);
  EXPECT_EQ(wave.exec(), 0x3'0000'0001u);
}

TEST(Wave, ANewAllocationRunsNoLane) {
  WaveState wave;
  wave.allocate(32, 1, first_free);
  wave.set_exec(0xFF);
  EXPECT_TRUE(runs(wave, 0));
  wave.allocate(32, 1, first_free);
  EXPECT_EQ(wave.exec(), 0u);
  EXPECT_FALSE(runs(wave, 0));
}

}  // namespace
}  // namespace lockstep
