// A recording played back is what live execution was; and a recording says when it must not be played back
// with other figures.
#include "source_kernel.h"
#include "time/source/recorded.h"
#include "time/source/recorder.h"

namespace lockstep {
namespace {

// All that a wave was seen to do.
struct Seen {
  std::vector<Segment> segments;
};
using SeenWaves = std::map<std::pair<u64, u32>, Seen>;

bool same(const Segment& a, const Segment& b) {
  const auto same_access = [&](const SegmentAccess& x, const SegmentAccess& y) {
    if (x.instruction != y.instruction || x.space != y.space || x.kind != y.kind || x.bytes != y.bytes ||
        x.pattern != y.pattern || x.lanes != y.lanes || x.base != y.base || x.stride != y.stride)
      return false;
    if (x.pattern != Pattern::list) return true;
    Access left, right;
    expand(a, x, left);
    expand(b, y, right);
    for (u64 lanes = x.lanes; lanes != 0; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      if (left.address[lane] != right.address[lane]) return false;
    }
    return true;
  };
  return a.first == b.first && a.count == b.count && a.next_pc == b.next_pc && a.end == b.end &&
         a.at_issue == b.at_issue && a.ordered == b.ordered && a.active == b.active &&
         std::equal(a.accesses.begin(), a.accesses.end(), b.accesses.begin(), b.accesses.end(), same_access);
}

void expect_same(const SeenWaves& a, const SeenWaves& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [wave, seen] : a) {
    const auto other = b.find(wave);
    ASSERT_NE(other, b.end());
    ASSERT_EQ(seen.segments.size(), other->second.segments.size()) << "group " << wave.first;
    for (std::size_t i = 0; i < seen.segments.size(); ++i) {
      ASSERT_TRUE(same(seen.segments[i], other->second.segments[i]))
          << "group " << wave.first << " wave " << wave.second << " segment " << i << " at "
          << seen.segments[i].first;
    }
  }
}

SeenWaves drive(SourceFactory& factory, const PreparedLaunch& launch, const DriveOptions& options) {
  SeenWaves seen;
  Drive drive(factory, launch, options);
  drive.on_segment = [&](u64 group, u32 wave, const Segment& segment) {
    seen[{group, wave}].segments.push_back(segment);
  };
  const auto error = drive.run();
  if (error) ADD_FAILURE() << to_string(*error);
  return seen;
}

// Local memory, a loop, divergence, loads by index, barriers.
const std::string mixed = R"(
.visible .entry mixed(.param .u64 p0, .param .u64 p1) {
  .reg .b64 %rd<10>; .reg .b32 %r<16>; .reg .pred %p<4>;
  .shared .align 4 .b8 room[512];
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  mov.u32 %r6, room;
  shl.b32 %r7, %r1, 2;
  add.u32 %r8, %r6, %r7;
  st.shared.u32 [%r8], %r5;
  bar.sync 0;
  and.b32 %r9, %r5, 7;
  mov.u32 %r10, 0;
LOOP:
  setp.eq.u32 %p1, %r9, 0;
  @%p1 bra OUT;
  add.u32 %r10, %r10, %r9;
  sub.u32 %r9, %r9, 1;
  bra LOOP;
OUT:
  xor.b32 %r11, %r7, 4;
  add.u32 %r12, %r6, %r11;
  ld.shared.u32 %r13, [%r12];
  add.u32 %r14, %r13, %r10;
  and.b32 %r15, %r5, 127;
  mul.wide.u32 %rd5, %r15, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.u32 %r15, [%rd6];
  add.u32 %r14, %r14, %r15;
  add.s64 %rd7, %rd2, %rd3;
  st.global.u32 [%rd7], %r14;
  ret;
})";

std::vector<u32> hashes(u32 count) {
  std::vector<u32> words(count);
  for (u32 i = 0; i < count; ++i) words[i] = i * 2654435761u >> 7;
  return words;
}

struct Recorded {
  Recording recording;
  SeenWaves live;
};

// Records the kernel's launch with fresh buffers.
template <class Prepare>
Recorded record(const std::string& text, u32 groups, u32 items, const DriveOptions& options, Prepare prepare,
                std::unique_ptr<Kernel>& kernel, std::unique_ptr<PreparedLaunch>& launch) {
  launch.reset();  // before the memory that it lies in
  kernel = std::make_unique<Kernel>(text, groups, items);
  prepare(*kernel);
  launch = kernel->prepare(Drive::resident_waves(options, (items + 31) / 32));
  Recorded out;
  LiveFactory live(*launch);
  RecorderFactory recorder(live, *launch);
  out.live = drive(recorder, *launch, options);
  Expected<Recording> taken = recorder.take();
  if (!taken.ok()) {
    ADD_FAILURE() << to_string(taken.error());
  } else {
    out.recording = std::move(*taken);
  }
  return out;
}

TEST(RecordedSource, PlaysBackWhatWasLive) {
  const auto with_mixed = [](Kernel& kernel) {
    kernel.buffer(hashes(13 * 96));
    kernel.buffer(std::vector<u32>(13 * 96, 0));
  };
  const auto with_tickets = [](Kernel& kernel) {
    kernel.buffer(std::vector<u32>(13 * 96, 0));
    kernel.buffer({0, 0, 0, 0});
    kernel.buffer(std::vector<u32>(13 * 96, 0));
  };
  for (const u64 seed : {0, 3, 99}) {
    const DriveOptions options{2, seed, 3, 1 << 22};
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<PreparedLaunch> launch;
    const Recorded one = record(mixed, 13, 96, options, with_mixed, kernel, launch);
    EXPECT_FALSE(one.recording.timing_dependent);
    auto factory = RecordedFactory::make(one.recording, *kernel->module, kernel->module->programs[0]);
    ASSERT_TRUE(factory.ok()) << to_string(factory.error());
    expect_same(one.live, drive(**factory, *launch, options));

    const Recorded two = record(tickets, 13, 96, options, with_tickets, kernel, launch);
    EXPECT_TRUE(two.recording.timing_dependent);
    auto other = RecordedFactory::make(two.recording, *kernel->module, kernel->module->programs[0]);
    ASSERT_TRUE(other.ok()) << to_string(other.error());
    expect_same(two.live, drive(**other, *launch, options));

    const auto wrong = RecordedFactory::make(one.recording, *kernel->module, kernel->module->programs[0]);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().code, "wrong-recording");
  }
}

// What a ticket counts is only kept.
const std::string kept = R"(
.visible .entry kept(.param .u64 p0, .param .u64 p1) {
  .reg .b64 %rd<6>; .reg .b32 %r<8>;
  ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd2, %rd3;
  atom.global.add.u32 %r5, [%rd1], 1;
  ld.global.u32 %r6, [%rd4];
  add.u32 %r6, %r6, 3;
  add.u32 %r5, %r5, %r6;
  atom.global.add.u32 %r7, [%rd1], 1;
  st.global.u32 [%rd4], %r5;
  ret;
})";

TEST(RecordedSource, IsCutAsLiveExecutionWithTheOtherTiming) {
  const auto prepare = [](Kernel& kernel) {
    kernel.buffer({0});
    kernel.buffer(std::vector<u32>(9 * 64, 0));
  };
  std::unique_ptr<Kernel> kernel, other_kernel;
  std::unique_ptr<PreparedLaunch> launch, other_launch;
  const Recorded first = record(kept, 9, 64, {2, 17, 3, 1 << 22}, prepare, kernel, launch);
  EXPECT_FALSE(first.recording.timing_dependent);
  auto factory = RecordedFactory::make(first.recording, *kernel->module, kernel->module->programs[0]);
  ASSERT_TRUE(factory.ok());
  for (const u64 seed : {0, 1, 2, 3}) {
    const DriveOptions options{2, seed, 3, 1 << 22};
    const Recorded live = record(kept, 9, 64, options, prepare, other_kernel, other_launch);
    expect_same(live.live, drive(**factory, *launch, options));
  }
}

TEST(RecordedSource, KnowsWhatDependsOnWhen) {
  const auto body = [](const std::string& text) {
    return ".visible .entry k(.param .u64 p0) { .reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .pred %p<4>; "
           ".reg .f32 %f<4>; ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; "
           "add.s64 %rd3, %rd1, %rd2; " +
           text + " ret; }";
  };
  const std::vector<std::pair<std::string, bool>> cases = {
      {"mov.u32 %r2, %clock; st.global.u32 [%rd3], %r2;", false},
      {"mov.u32 %r2, %clock; and.b32 %r2, %r2, 4; cvt.u64.u32 %rd4, %r2; add.s64 %rd4, %rd1, %rd4; "
       "st.global.u32 [%rd4], %r1;",
       true},
      {"mov.u32 %r2, %clock; setp.gt.u32 %p1, %r2, 100; @%p1 bra L; st.global.u32 [%rd3], %r1; L:", true},
      {"mov.u32 %r2, %clock; mov.u32 %r2, 5; setp.gt.u32 %p1, %r2, 100; @%p1 bra L; "
       "st.global.u32 [%rd3], %r1; L:",
       false},
      // Its order shows in the sum, and the sum in a later address.
      {"mov.f32 %f1, 0f3F800000; red.global.add.f32 [%rd1], %f1; bar.sync 0; ld.global.u32 %r2, [%rd1]; "
       "and.b32 %r2, %r2, 4; cvt.u64.u32 %rd4, %r2; add.s64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r1;",
       true},
      {"mov.f32 %f1, 0f3F800000; red.global.add.f32 [%rd1], %f1;", false},
      {"red.global.add.u32 [%rd1], 4; ld.global.u32 %r2, [%rd3+128]; and.b32 %r2, %r2, 4; "
       "cvt.u64.u32 %rd4, %r2; add.s64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r1;",
       false},
      {"ld.volatile.global.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 0; @%p1 bra L; st.global.u32 [%rd3], %r1; "
       "L:",
       true},
      // Who comes first waits.
      {"bar.sync 1, 32; st.global.u32 [%rd3], %r1;", true},
  };
  for (const auto& [text, depends] : cases) {
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<PreparedLaunch> launch;
    const Recorded one =
        record(body(text), 2, 32, {}, [](Kernel& k) { k.buffer(std::vector<u32>(128, 0)); }, kernel, launch);
    EXPECT_EQ(one.recording.timing_dependent, depends) << text;
  }
}

TEST(RecordedSource, IsNotKeptWhereItIsTooLarge) {
  Kernel kernel(mixed, 13, 96);
  kernel.buffer(hashes(13 * 96));
  kernel.buffer(std::vector<u32>(13 * 96, 0));
  const auto launch = kernel.prepare(Drive::resident_waves({}, 3));
  LiveFactory live(*launch);
  {
    RecorderFactory recorder(live, *launch, 1000);
    drive(recorder, *launch, {});
    const auto taken = recorder.take();
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error().code, "recording-too-large");
  }
  RecorderFactory recorder(live, *launch);
  const auto taken = recorder.take();
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, "recording-incomplete");
}

}  // namespace
}  // namespace lockstep
