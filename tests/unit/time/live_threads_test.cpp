// Live execution timed on several host threads: waves of all clusters are executed side by side, and nothing
// of the result shows it. (Under ThreadSanitizer, too: scripts/test.sh long.)
#include "machine/machine.h"
#include "source_kernel.h"
#include "time/source/recorded.h"
#include "time/source/recorder.h"
#include "time/timing.h"

namespace lockstep {
namespace {

// Loads, stores, barriers, local memory, atomics whose result is used, and a loop.
const std::string kernel_text = R"(
.visible .entry mix(.param .u64 p0, .param .u64 p1, .param .u64 p2)
{
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b32 tile[128];
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  ld.param.u64 %rd3, [p2];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  mov.u32 %r5, 0;
  mov.u32 %r6, 0;
  mov.u32 %r7, tile;
  shl.b32 %r8, %r1, 2;
  add.u32 %r7, %r7, %r8;
LOOP:
  ld.global.u32 %r9, [%rd5];
  st.shared.u32 [%r7], %r9;
  bar.sync 0;
  ld.shared.u32 %r10, [%r7];
  add.u32 %r6, %r6, %r10;
  bar.sync 0;
  and.b32 %r9, %r1, 31;
  setp.eq.u32 %p2, %r9, 0;
  @%p2 atom.global.add.u32 %r11, [%rd3], 1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 4;
  @%p1 bra LOOP;
  st.global.u32 [%rd6], %r6;
  ret;
}
)";

constexpr u32 groups = 400, items = 128;

struct Timed {
  TimingResult result;
  std::vector<u32> sums, count;
};

enum class Way { live, recorded, played };

Timed time_with(u32 threads, u32 window, Way way = Way::live) {
  const auto machine = load_machine(machine_directory(), "v100");
  EXPECT_TRUE(machine.ok());
  auto device = TimedDevice::make(*machine);
  EXPECT_TRUE(device.ok());
  Kernel kernel(kernel_text, groups, items);
  std::vector<u32> words(groups * items);
  for (u32 i = 0; i < words.size(); ++i) words[i] = i * 7;
  kernel.buffer(words);
  kernel.buffer(std::vector<u32>(words.size()));
  kernel.buffer({0});
  const auto launch = kernel.prepare(16384);
  const TimedLaunch timed = kernel.timed(*launch);
  TimingOptions options;
  options.threads = threads;
  options.window_cycles = window;
  LiveFactory live(*launch);
  RecorderFactory recorder(live, *launch);
  auto result =
      (*device)->launch(timed, way == Way::live ? static_cast<SourceFactory&>(live) : recorder, options);
  if (result.ok() && way == Way::played) {
    auto recording = recorder.take();
    EXPECT_TRUE(recording.ok());
    auto played = RecordedFactory::make(*recording, *kernel.module, kernel.module->programs[0]);
    EXPECT_TRUE(played.ok());
    device = TimedDevice::make(*machine);
    result = (*device)->launch(timed, **played, options);
  }
  if (!result.ok()) {
    ADD_FAILURE() << to_string(result.error());
    return {};
  }
  return {std::move(*result), kernel.read(1), kernel.read(2)};
}

TEST(LiveThreads, SeveralGiveWhatOneGives) {
  const Timed one = time_with(1, 1);
  EXPECT_EQ(one.count[0], groups * items / 32 * 4);
  EXPECT_EQ(one.sums[1000], 1000u * 7 * 4);
  EXPECT_GT(one.result.counter("l1.atomics"), 0u);
  for (const auto& [threads, window, way] : {std::tuple<u32, u32, Way>{1, 0, Way::live},
                                             {2, 0, Way::live},
                                             {3, 7, Way::live},
                                             {2, 0, Way::recorded},
                                             {2, 0, Way::played}}) {
    SCOPED_TRACE(std::to_string(threads) + " threads, windows of " + std::to_string(window));
    const Timed other = time_with(threads, window, way);
    EXPECT_EQ(other.sums, one.sums);
    EXPECT_EQ(other.count, one.count);
    ASSERT_EQ(other.result.counters.size(), one.result.counters.size());
    for (std::size_t i = 0; i < one.result.counters.size(); ++i)
      EXPECT_EQ(other.result.counters[i].value, one.result.counters[i].value) << one.result.counters[i].name;
  }
}

}  // namespace
}  // namespace lockstep
