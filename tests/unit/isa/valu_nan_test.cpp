// Who computes with NaNs goes on with them: rows on the short ways are what each lane alone would give.
#include <array>

#include "amd_step.h"
#include "float/round.h"

namespace lockstep::amd {
namespace {

constexpr std::array<u32, 6> values{0x3F800000, 0xBF000000, 0x7FC00001, 0xFFC01234, 0x7F800000, 0x7FA00000};

TEST(NanRows, AreWhatEachLaneGives) {
  const struct {
    const char* text;
    f32 (*expected)(f32, f32, f32);
  } cases[] = {
      {"v_add_f32_e64 v3, v0, v1", [](f32 a, f32 b, f32) { return add_f32(a, b); }},
      {"v_sub_f32_e64 v3, v0, v1", [](f32 a, f32 b, f32) { return sub_f32(a, b); }},
      {"v_mul_f32_e64 v3, v0, v1", [](f32 a, f32 b, f32) { return mul_f32(a, b); }},
      {"v_fma_f32 v3, v0, v1, v2", [](f32 a, f32 b, f32 c) { return fma_f32(a, b, c); }},
  };
  for (const auto& [text, expected] : cases) {
    Stepper stepper;
    const Instruction in = stepper.decoded(text);
    // So often that the wave is known for its NaNs; then rows of all kinds: of one NaN, of different ones, of
    // some lanes' alone, of signalling ones.
    for (u32 round = 0; round < 300; ++round) {
      SCOPED_TRACE(testing::Message() << text << ", round " << round);
      std::array<std::array<u32, 64>, 3> source;
      for (u32 s = 0; s < 3; ++s) {
        const u32 kind = round < 100 ? 1 : (round + s * 5) % 7;
        for (u32 lane = 0; lane < 64; ++lane) {
          u32 value = values[(lane + round) % 2];
          if (kind == 1) value = 0x7FC00001;
          if (kind == 2) value = values[2 + lane % 2];
          if (kind == 3) value = lane == round % 64 ? values[0] : values[3];
          if (kind == 4) value = values[(lane * 7 + round) % values.size()];
          if (kind == 5) value = values[5];
          source[s][lane] = stepper.wave.row(s)[lane] = value;
        }
      }
      stepper.run(in);
      for (u32 lane = 0; lane < 64; ++lane) {
        const auto at = [&](u32 s) { return as_f32(source[s][lane]); };
        ASSERT_EQ(stepper.wave.row(3)[lane], as_u32(expected(at(0), at(1), at(2)))) << "lane " << lane;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::amd
