// Which operands send divisions, reciprocals and roots their slow way, against an H200's times of all of
// them.
#include "isa/slow_way.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "isa/nv/cross_lane.h"
#include "isa/nv/opcodes.h"

namespace lockstep {
namespace {

struct Timed {
  const char *name, *opcode;
  u32 bits, inputs;
  SlowWay way;
};

constexpr Timed all[] = {{"div32", "div.rn.f32", 32, 2, SlowWay::divide_f32},
                         {"rcp32", "rcp.rn.f32", 32, 1, SlowWay::reciprocal_f32},
                         {"sqrt32", "sqrt.rn.f32", 32, 1, SlowWay::root_f32},
                         {"div64", "div.rn.f64", 64, 2, SlowWay::divide_f64},
                         {"rcp64", "rcp.rn.f64", 64, 1, SlowWay::reciprocal_f64},
                         {"sqrt64", "sqrt.rn.f64", 64, 1, SlowWay::root_f64}};

// The operands that slow_ways.py gives them.
std::vector<u64> operands(u32 bits) {
  const u32 mantissa = bits == 32 ? 23 : 52;
  const u64 most = bits == 32 ? 255 : 2047, half = u64{1} << (mantissa - 1);
  const auto make = [&](u64 exponent, u64 fraction) { return exponent << mantissa | fraction; };
  std::vector<u64> list = {
      0, 1, half, make(most, 0), make(most, half), make(most / 2, 0) | u64{1} << (bits - 1)};
  const auto range = [&](u64 begin, u64 end, u64 step) {
    for (u64 e = begin; e < end; e += step) list.push_back(make(e, half));
  };
  if (bits == 32) {
    range(1, 48, 1);
    range(48, 208, 8);
    range(208, 255, 1);
  } else {
    range(1, 130, 4);
    range(130, 880, 50);
    range(880, 920, 2);
    range(940, 1140, 20);
    range(1140, 1900, 76);
    range(1900, 2047, 4);
  }
  return list;
}

std::map<std::string, std::vector<u32>> cycles_of_h200() {
  std::map<std::string, std::vector<u32>> all_cycles;
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/experiments/h200-timing/slow_ways.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, word;
    if (line.starts_with('#')) continue;  // which device it was
    words >> name;
    while (words >> word) all_cycles[name].push_back(static_cast<u32>(std::stoul(word, nullptr, 0)));
  }
  return all_cycles;
}

TEST(SlowWays, AreThoseThatTheDeviceTakes) {
  const auto measured = cycles_of_h200();
  for (const Timed& operation : all) {
    const nv::Opcode* row = nv::opcodes().find(operation.opcode);
    ASSERT_NE(row, nullptr);
    Instruction in;
    in.meaning = row->meaning;
    EXPECT_EQ(slow_way_of(in), operation.way) << operation.name;
    const u32 words = operation.bits / 32;
    for (u32 i = 0; i < 2; ++i) {
      Operand& operand = in.operand[i + 1];
      operand.kind = OperandKind::vector;
      operand.index = static_cast<decltype(operand.index)>(2 * i);
      operand.registers = static_cast<decltype(operand.registers)>(words);
    }
    const std::vector<u64> list = operands(operation.bits);
    const std::size_t seconds = operation.inputs == 2 ? list.size() : 1;
    const auto found = measured.find(operation.name);
    ASSERT_NE(found, measured.end()) << operation.name;
    const std::vector<u32>& cycles = found->second;
    ASSERT_EQ(cycles.size(), list.size() * seconds) << operation.name;
    const u32 fast = *std::ranges::min_element(cycles);
    WaveState wave;
    wave.allocate(32, 4, 8);
    u32 slow = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const u64 a = list[i / seconds], b = list[i % seconds];
      const u32 lane = static_cast<u32>(i % 32);
      for (u32 word = 0; word < words; ++word) {
        wave.row(word)[lane] = static_cast<u32>(a >> (32 * word));
        wave.row(2 + word)[lane] = static_cast<u32>(b >> (32 * word));
      }
      wave.set_exec(u64{1} << lane);
      const bool expected = cycles[i] > 3 * fast / 2;
      slow += expected;
      EXPECT_EQ(slow_lanes(wave, in, operation.way), u64{expected} << lane)
          << operation.name << " of " << std::hex << a << " and " << b << std::dec << ": " << cycles[i] / 16
          << " cycles";
    }
    EXPECT_GT(slow, 3u) << operation.name;
    EXPECT_LT(slow, cycles.size()) << operation.name;
  }
}

TEST(SlowWays, OfMatchAreTheFirstLanesWithEachValue) {
  for (const bool wide : {false, true}) {
    Instruction in;
    in.meaning = nv::find_match(false, wide);
    const SlowWay way = slow_way_of(in);
    EXPECT_EQ(way, wide ? SlowWay::match_64 : SlowWay::match_32);
    in.operand[1].kind = OperandKind::vector;
    in.operand[1].registers = wide ? 2 : 1;
    WaveState wave;
    wave.allocate(32, 4, 8);
    for (u32 lane = 0; lane < 32; ++lane) {
      wave.row(0)[lane] = lane % 3;
      wave.row(1)[lane] = lane >= 16;  // of 64 bits the upper half
    }
    wave.set_exec(0xFFFF'FFFF);
    EXPECT_EQ(slow_lanes(wave, in, way), wide ? 0x7'0007u : 0x7u);
    wave.set_exec(0xFFFF'FFF0);
    EXPECT_EQ(slow_lanes(wave, in, way), wide ? 0x7'0070u : 0x70u);
    wave.set_exec(1u << 9);
    EXPECT_EQ(slow_lanes(wave, in, way), 1u << 9);
  }
  Instruction all;
  all.meaning = nv::find_match(true, false);
  EXPECT_EQ(slow_way_of(all), SlowWay::none);
}

TEST(SlowWays, ApproximationsAndIntegersHaveNone) {
  for (const char* name : {"div.approx.f32", "div.full.f32", "rcp.approx.ftz.f32", "sqrt.approx.f32",
                           "rsqrt.approx.f32", "div.u32", "fma.rn.f32"}) {
    const nv::Opcode* row = nv::opcodes().find(name);
    ASSERT_NE(row, nullptr) << name;
    Instruction in;
    in.meaning = row->meaning;
    EXPECT_EQ(slow_way_of(in), SlowWay::none) << name;
  }
  EXPECT_EQ(slow_way_of(Instruction{}), SlowWay::none);
}

}  // namespace
}  // namespace lockstep
