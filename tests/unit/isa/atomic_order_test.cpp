// How far the order of atomics shows: what their semantics declare is compared with what they do.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <vector>

#include "amd_step.h"
#include "isa/nv/memory.h"

namespace lockstep {
namespace {

constexpr u64 base = 0x0000'1000'0000'0000u;

// Old contents and data at which atomics differ: both zeros, numbers, infinities and NaNs as f32 and f64, the
// limits of increments, and integers of both signs.
constexpr u64 values[] = {0,
                          1,
                          2,
                          7,
                          0x80000000,
                          0x3F800000,
                          0x33800000,
                          0x7F800000,
                          0x7FC00001,
                          0x7FC00002,
                          0xFFFFFFFF,
                          0x8000000000000000,
                          0x3FF0000000000000,
                          0x3CA0000000000000,
                          0x7FF8000000000001,
                          0x7FF8000000000002,
                          0xFFFFFFFFFFFFFFFF,
                          0xBF800000,
                          0x7F800001,
                          0xBFF0000000000000,
                          0x3C001000,
                          0x10003C00,
                          0x3F803B80,
                          0x3B803F80};

struct Memory {
  alignas(64) std::array<u8, 256> bytes{};
  WaveState wave;
  StepContext context;

  Memory() {
    wave.allocate(64, 16, 132);
    wave.valid_lanes = 1;
    wave.set_exec(1);
    wave.row(0)[0] = static_cast<u32>(base);
    wave.row(1)[0] = static_cast<u32>(base >> 32);
    context.global = {bytes.data(), base, bytes.size()};
  }

  // Lane 0's data in v[2:3]: two values of 32 bits, or one of 64 whose second is 0.
  void act(const Instruction& in, u64 data) {
    wave.row(2)[0] = static_cast<u32>(data);
    wave.row(3)[0] = static_cast<u32>(data >> 32);
    context.event = Event::none;
    context.fault = {};
    in.meaning->run64(wave, in, context);
    ASSERT_EQ(context.fault.kind, FaultKind::none) << in.meaning->name;
  }
  u64 after(u64 old, const Instruction& first, u64 a, const Instruction& second, u64 b) {
    std::memcpy(bytes.data(), &old, 8);
    act(first, a);
    act(second, b);
    u64 result;
    std::memcpy(&result, bytes.data(), 8);
    return result;
  }
};

// Whether some contents and data show in which order the two acted.
bool order_shows(Memory& memory, const Instruction& one, const Instruction& other) {
  for (const u64 old : values) {
    for (const u64 a : values) {
      for (const u64 b : values) {
        if (memory.after(old, one, a, other, b) != memory.after(old, other, b, one, a)) return true;
      }
    }
  }
  return false;
}

TEST(AtomicOrder, IsDeclaredAsItShows) {
  Memory memory;
  std::map<std::string, Instruction> atomics;  // by meaning
  for (const char* name : {"gfx900", "gfx942", "gfx1030", "gfx1100", "gfx1201"}) {
    const Target& target = *find_target(name);
    for (const amd::Row& row : amd::all_rows()) {
      if (!row.mnemonic.starts_with("global_atomic_") || (row.generations & amd::generation_of(target)) == 0)
        continue;
      const auto in = amd::decode({std::string(row.mnemonic) + " v[0:1], v[2:5], off", {}, 0}, target);
      ASSERT_TRUE(in) << row.mnemonic;
      atomics.emplace(row.meaning->name, *in);
    }
  }
  EXPECT_GT(atomics.size(), 35u);
  for (const auto& [name, one] : atomics) {
    const Combining kind = one.meaning->combining;
    EXPECT_EQ(order_shows(memory, one, one), !commutes(kind)) << name;
    if (!commutes(kind)) continue;
    const bool wide = name.ends_with("64");
    for (const auto& [other_name, other] : atomics) {
      const Combining other_kind = other.meaning->combining;
      if (!commutes(other_kind) || other_name.ends_with("64") != wide) continue;
      EXPECT_EQ(order_shows(memory, one, other), kind != other_kind) << name << " and " << other_name;
    }
  }
}

TEST(AtomicOrder, EveryAtomicOfAmdDeclaresIt) {
  for (const amd::Row& row : amd::all_rows()) {
    const bool atomic = row.cost == Cost::vmem_atomic || row.cost == Cost::lds_atomic ||
                        row.mnemonic.find("_atomic_") != std::string_view::npos;
    EXPECT_EQ(row.meaning->combining != Combining::none, atomic) << row.mnemonic;
  }
}

TEST(AtomicOrder, EveryAtomicOfPtxDeclaresIt) {
  const std::map<std::string_view, Combining> expected{{"add.u32", Combining::sum},
                                                       {"add.s64", Combining::sum},
                                                       {"and.b32", Combining::conjunction},
                                                       {"or.b64", Combining::disjunction},
                                                       {"xor.b32", Combining::exclusive_or},
                                                       {"min.u32", Combining::unsigned_min},
                                                       {"max.u64", Combining::unsigned_max},
                                                       {"min.s32", Combining::signed_min},
                                                       {"max.s64", Combining::signed_max},
                                                       {"inc.u32", Combining::ordered},
                                                       {"dec.u32", Combining::ordered},
                                                       {"exch.b64", Combining::exchange},
                                                       {"cas.b16", Combining::compare_exchange},
                                                       {"cas.b32", Combining::compare_exchange},
                                                       {"add.f32", Combining::ordered},
                                                       {"add.f64", Combining::ordered},
                                                       {"add.noftz.f16", Combining::ordered},
                                                       {"add.noftz.f16x2", Combining::ordered}};
  for (const auto& [name, kind] : expected) {
    const Semantic* meaning = nv::find_atomic(name);
    ASSERT_NE(meaning, nullptr) << name;
    EXPECT_EQ(meaning->combining, kind) << name;
  }
}

}  // namespace
}  // namespace lockstep
