// What an H100 was measured to do with constants at addresses of the lanes' own, with stores that follow each
// other into the same lines, and with lanes that part: experiments/h100/constants.txt, merge.txt,
// divergence.txt. What an H200 was, with loads whose lanes lie apart: experiments/h200-timing/lanes.txt.
#include "amd_assembly.h"

namespace lockstep {
namespace {

using amd_assembly::argument_value;

constexpr const char* source = R"(
__constant int table[32] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,
                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
__kernel void chain(__global int* out, int addresses, int mask, int step, int turns) {
  int k = get_local_id(0) % addresses;
  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < turns; ++i) k = table[k & mask] + step;
  out[get_local_id(0)] = k;
}
__kernel void records_2(__global int* out) {
  __global int* mine = out + 2 * get_global_id(0);
  mine[0] = 1, mine[1] = 2;
}
__kernel void records_3(__global int* out) {
  __global int* mine = out + 3 * get_global_id(0);
  mine[0] = 1, mine[1] = 2, mine[2] = 3;
}
// Work-items leave the inner loop one after the other, `ways` turns at most.
__kernel void leave(__global int* out, int turns, int ways) {
  int x = get_local_id(0);
  const int way = x % ways;
  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < turns; ++i) {
    __attribute__((opencl_unroll_hint(1))) for (int k = 0; k <= way; ++k) {
      __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
      __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
      __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
      __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
    }
    __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
  }
  out[get_global_id(0)] = x;
}
// Two words of sixteen lines each wave, which eight waves fill up: at once, and one after the other.
__kernel void runs(__global int* out, int apart) {
  const int lane = get_local_id(0) % 32, wave = get_local_id(0) / 32;
  int x = lane;
  for (int i = 0; i < wave * apart; ++i) __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(x));
  out[lane / 2 * 512 + wave * 2 + lane % 2] = x;
}
// Four stores of 16 bytes fill up 64 of each work-item.
__kernel void quads(__global int4* out) {
  __global int4* mine = out + 4 * get_global_id(0);
  mine[0] = 1, mine[1] = 2, mine[2] = 3, mine[3] = 4;
}
// The second store goes to other lines.
__kernel void far_apart(__global int* out) {
  out[2 * get_global_id(0)] = 1;
  out[65536 + 2 * get_global_id(0)] = 2;
}
// A word of each 64 bytes, or of each other stretch.
__kernel void touch(__global const int* in, __global int* out, int begin, int stride) {
  out[get_global_id(0)] = in[begin + get_global_id(0) * stride / 4];
}
)";

class NvMemoryUnits : public testing::Test {
 protected:
  void SetUp() override {
    const auto machine = load_machine(machine_directory(), "h100");
    ASSERT_TRUE(machine.ok());
    CompileRequest request;
    request.path = "units.cl";
    request.source = source;
    request.language = SourceLanguage::opencl_c;
    request.target = machine->target;
    Expected<LoadedProgram> loaded = load_program(request);
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    module_ = std::move(loaded->module);
    bench_ = std::make_unique<amd_assembly::Bench>("h100", *module_);
  }

  f64 cycles_of_constant(u32 addresses) {
    const auto cycles = [&](u32 turns) {
      const auto once = [&] {
        return bench_
            ->run_with("chain",
                       {argument_value(bench_->buffer()), argument_value(addresses), argument_value(31u),
                        argument_value(32u), argument_value(turns)},
                       1, 32)
            .cycles;
      };
      once();  // code and constants are near then
      return static_cast<f64>(once());
    };
    return (cycles(64) - cycles(16)) / 48;
  }
  TimingResult leave(u32 turns, u32 ways) {
    return bench_->run_with(
        "leave", {argument_value(bench_->buffer()), argument_value(turns), argument_value(ways)}, 1, 32);
  }
  // What a wave's stores ask the second level to write: a line each time.
  u64 lines_of_a_wave(const std::string& kernel, u32 waves = 1) {
    constexpr u32 groups = 16;
    return bench_->run_with(kernel, {argument_value(bench_->buffer())}, groups, 32 * waves)
               .counter("l2.writes") /
           (groups * waves);
  }
  u64 sectors_of_a_group(u32 apart) {
    return bench_->run_with("runs", {argument_value(bench_->buffer()), argument_value(apart)}, 1, 256)
        .counter("l2.writes");
  }
  // Of a wave that loads a word every `stride` bytes from the buffer's word `begin` on.
  TimingResult touch(u32 begin, u32 stride) {
    return bench_->run_with("touch",
                            {argument_value(bench_->buffer()), argument_value(bench_->buffer()),
                             argument_value(begin), argument_value(stride)},
                            1, 32);
  }

 private:
  std::unique_ptr<Module> module_;
  std::unique_ptr<amd_assembly::Bench> bench_;
};

TEST_F(NvMemoryUnits, EachDifferentAddressOfConstantsCostsItsCycles) {
  const f64 one = cycles_of_constant(1);
  EXPECT_NEAR(one, 56.08, 7);  // of which the loop is a third, by another compiler
  EXPECT_NEAR(cycles_of_constant(2) - one, 67.08 - 56.08, 0.1);
  EXPECT_NEAR(cycles_of_constant(8) - one, 133.08 - 56.08, 0.1);
  EXPECT_NEAR(cycles_of_constant(32) - one, 397.08 - 56.08, 0.1);
}

// experiments/h100/divergence.txt: 131.1, 211.8 and 372.3 cycles for a turn of 2, 4 and 8 (loop 1x32).
TEST_F(NvMemoryUnits, EachTurnInWhichLanesPartCostsItsBranch) {
  const auto cycles = [&](u32 ways) {
    return static_cast<f64>(leave(600, ways).cycles - leave(200, ways).cycles) / 400;
  };
  const f64 two = cycles(2), eight = cycles(8);
  EXPECT_NEAR((eight - two) / 6, (372.3 - 131.1) / 6, 2);
}

// Lanes that meet after each turn do not go on alone however many turns there are.
TEST_F(NvMemoryUnits, LanesOfALongLoopStayTogether) {
  const auto instructions = [&](u32 turns) { return leave(turns, 4).counter("instructions"); };
  const u64 first = instructions(1000);
  EXPECT_EQ(instructions(8000) - first, 7 * (instructions(2000) - first));
}

TEST_F(NvMemoryUnits, StoresToTheSameLinesLeaveTogether) {
  // The device's sectors of these are those of whole lines: 8 and 12 of a wave (records<N> 132x32 apart 0).
  EXPECT_EQ(lines_of_a_wave("records_2"), 2u);
  EXPECT_EQ(lines_of_a_wave("records_3"), 3u);
  EXPECT_EQ(lines_of_a_wave("far_apart"), 4u);
}

// experiments/h200-timing/runs.txt: eight waves that come out of a barrier send 1.28 times the least number
// of sectors, waves that come when they like 3.5 times.
TEST_F(NvMemoryUnits, StoresOfWavesThatComeTogetherLeaveTogether) {
  EXPECT_LE(sectors_of_a_group(0), 40u);  // of 128 that the waves have, 32 that there are
  EXPECT_EQ(sectors_of_a_group(200), 128u);
}

// There 1081344 half sectors of 1081344, of eight waves at once. (Of one alone 71808 of 135168, of which
// 67584 are different ones: records.txt, fill.f4_4.1.0.)
TEST_F(NvMemoryUnits, StoresOf16BytesThatLieApartLeaveOneByOne) {
  EXPECT_EQ(lines_of_a_wave("quads", 8), 64u);
  EXPECT_LT(lines_of_a_wave("quads"), 48u);
}

// There 8.389 million sectors by 4.194 million requests, for which 537 MB come from memory; of words 128
// bytes apart as many of each, 64 bytes for each; 512 bytes of 32 neighbours are asked for by four requests.
TEST_F(NvMemoryUnits, SectorsOfALineAreAskedForTogetherAndBring64Bytes) {
  touch(0, 0);  // code and parameters are near then
  const TimingResult one = touch(0, 0), all = touch(1024, 4), half = touch(4096, 64),
                     quarter = touch(8192, 128);
  const auto more = [&](const TimingResult& of, const char* name) {
    return of.counter(name) - one.counter(name);
  };
  EXPECT_EQ(more(all, "l2.reads"), 0u);
  EXPECT_EQ(more(all, "dram.read_bytes"), 128u);
  EXPECT_EQ(more(half, "l2.reads"), 15u);  // sixteen lines
  EXPECT_EQ(more(half, "l2.read_bytes"), 31u * 32);
  EXPECT_EQ(more(half, "dram.read_bytes"), 32u * 64);
  EXPECT_EQ(more(quarter, "l2.reads"), 31u);
  EXPECT_EQ(more(quarter, "dram.read_bytes"), 32u * 64);
}

}  // namespace
}  // namespace lockstep
