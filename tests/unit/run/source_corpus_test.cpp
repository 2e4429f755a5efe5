// Kernels of the corpus, executed as timing executes them: in segments, waves in turn or at random, ordered
// accesses late and out of order. Memory must hold afterwards what the functional runner leaves. And steps
// that only look change nothing.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>

#include "../time/source_drive.h"
#include "corpus_launches.h"
#include "exec/functional.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "time/source/live.h"
#include "time/source/recorded.h"
#include "time/source/recorder.h"

namespace lockstep {
namespace {

std::string corpus_path(const std::string& name) {
  return LOCKSTEP_SOURCE_DIR "/tests/corpus/" + name + ".cl";
}

constexpr u32 waves_of_any_launch = 2048;

std::optional<Diagnostic> functional(const PreparedLaunch& launch) {
  const Expected<FunctionalResult> result = run_functional(launch, {});
  if (!result.ok()) return result.error();
  return std::nullopt;
}

DriveOptions drive_options(const PreparedLaunch& launch, u64 seed) {
  DriveOptions options;
  options.clusters = 2;
  options.seed = seed;
  options.groups_at_once =
      std::clamp<u32>(launch.resident_waves() / 2 / launch.state().waves_per_group, 1, 4);
  return options;
}

std::optional<Diagnostic> driven(const PreparedLaunch& launch, u64 seed) {
  LiveFactory factory(launch);
  Drive drive(factory, launch, drive_options(launch, seed));
  return drive.run();
}

// A fingerprint of all that a wave was seen to do.
using Prints = std::map<std::pair<u64, u32>, u64>;
void watch(Drive& drive, Prints& prints) {
  drive.on_segment = [&prints](u64 group, u32 wave, const Segment& segment) {
    u64& print = prints[{group, wave}];
    const auto mix = [&](u64 value) { print = (print ^ value) * 0x9E37'79B9'7F4A'7C15 + (print >> 29); };
    mix(segment.first | u64{segment.count} << 32);
    mix(segment.next_pc | u64{static_cast<u8>(segment.end)} << 32 | u64{segment.at_issue} << 40 |
        u64{segment.ordered} << 41);
    for (const u64 mask : segment.active) mix(mask);
    for (const SegmentAccess& access : segment.accesses) {
      mix(access.instruction | u64{access.bytes} << 32 | static_cast<u64>(access.space) << 40 |
          static_cast<u64>(access.kind) << 44 | static_cast<u64>(access.pattern) << 48);
      mix(access.lanes);
      mix(access.base);
      mix(static_cast<u64>(access.stride));
    }
    for (const u64 address : segment.addresses) mix(address);
  };
}

// Executes the launch with a recorder, and plays back what it recorded.
std::optional<Diagnostic> recorded(const PreparedLaunch& launch, u64 seed, u64& bytes, u64& instructions) {
  LiveFactory live(launch);
  RecorderFactory recorder(live, launch);
  const DriveOptions options = drive_options(launch, seed);
  Prints first, second;
  {
    Drive drive(recorder, launch, options);
    watch(drive, first);
    if (auto error = drive.run()) return error;
  }
  Expected<Recording> recording = recorder.take();
  if (!recording.ok()) return recording.error();
  bytes += recording->bytes;
  instructions += recording->instructions;
  auto factory = RecordedFactory::make(*recording, launch.module(), launch.program());
  if (!factory.ok()) return factory.error();
  Drive drive(**factory, launch, options);
  watch(drive, second);
  if (auto error = drive.run()) return error;
  EXPECT_TRUE(first == second) << launch.program().name;
  return std::nullopt;
}

// Everything of a wave that a step could change.
struct Registers {
  std::vector<u32> rows, scalars;
  u32 pc = 0, mode = 0;
  bool scc = false;
  u64 own = 0;
  bool operator==(const Registers&) const = default;
};

Registers registers_of(const WaveState& wave) {
  Registers out;
  out.rows.assign(wave.row(0), wave.row(0) + std::size_t{wave.vector_rows()} * wave.lanes);
  for (u32 i = 0; i < wave.scalars(); ++i) out.scalars.push_back(wave.read_scalar(i));
  out.pc = wave.pc;
  out.mode = wave.mode;
  out.scc = wave.scc;
  if (wave.isa != nullptr) out.own = wave.isa->fingerprint();
  return out;
}

// The bytes that the accesses reach, where the lanes' bytes lie together.
std::vector<std::span<u8>> bytes_of(WaveState& wave, const Outcome& outcome, const GlobalMemory& memory) {
  std::vector<std::span<u8>> all;
  for (u32 i = 0; i < outcome.access_count; ++i) {
    const Access& access = outcome.access[i];
    for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const u64 address = access.address[static_cast<u32>(std::countr_zero(lanes))];
      if (access.space == Space::local) {
        if (address + access.bytes <= wave.local.size())
          all.push_back(wave.local.subspan(address, access.bytes));
      } else if (access.space != Space::private_memory && memory.contains(address, access.bytes)) {
        all.push_back({memory.at(address), access.bytes});
      }
    }
  }
  return all;
}

// Executes the instruction, but looks before.
void look_and_run(const PreparedLaunch& launch, WaveState& wave, const Instruction& in,
                  StepContext& context) {
  const std::string& text = launch.module().code.text[wave.pc - 1];
  Outcome looked, executed;
  looked.access_count = executed.access_count = 0;
  context.outcome = &looked;
  context.look_only = true;
  const Registers before = registers_of(wave);
  in.run(wave, in, context);
  // Now that it is known where it reaches: once more, with other bytes there where they are written only.
  const bool writes = looked.access_count != 0 && looked.access[0].kind != AccessKind::load;
  const std::vector<std::span<u8>> bytes =
      writes ? bytes_of(wave, looked, context.global) : std::vector<std::span<u8>>();
  std::vector<u8> kept;
  for (const std::span<u8> one : bytes) {
    kept.insert(kept.end(), one.begin(), one.end());
    std::fill(one.begin(), one.end(), u8{0xA5});
  }
  context.outcome = &executed;
  in.run(wave, in, context);
  for (const std::span<u8> one : bytes) {
    for (const u8 byte : one) ASSERT_EQ(byte, 0xA5) << text;
  }
  std::size_t end = kept.size();
  for (auto one = bytes.rbegin(); one != bytes.rend(); ++one) {  // the first ones kept what was there
    end -= one->size();
    std::copy_n(kept.begin() + static_cast<std::ptrdiff_t>(end), one->size(), one->begin());
  }
  context.look_only = false;
  EXPECT_TRUE(registers_of(wave) == before) << text;
  executed.access_count = 0;
  in.run(wave, in, context);
  ASSERT_EQ(looked.access_count, executed.access_count) << text;
  for (u32 i = 0; i < looked.access_count; ++i) {
    const Access &a = looked.access[i], &b = executed.access[i];
    ASSERT_TRUE(a.lanes == b.lanes && a.kind == b.kind && a.bytes == b.bytes && a.space == b.space) << text;
    for (u64 lanes = a.lanes; lanes != 0; lanes &= lanes - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(lanes));
      ASSERT_EQ(a.address[lane], b.address[lane]) << text;
    }
  }
}

// Runs the launch group after group, and looks at memory instructions before they are executed.
std::optional<Diagnostic> looked_at(const PreparedLaunch& launch, u64 most_looks) {
  StepContext context = make_context(launch);
  Outcome outcome;
  const Instruction* code = launch.module().code.instructions.data();
  std::vector<u32> slots(launch.state().waves_per_group);
  for (u32 i = 0; i < slots.size(); ++i) slots[i] = i;
  u64 looks = 0;
  for (u64 g = 0; g < launch.state().range.total_groups(); ++g) {
    Group group;
    group.begin(launch, g, slots);
    while (!group.done()) {
      for (u32 i = 0; i < slots.size(); ++i) {
        for (u32 n = 0; n < 64 && group.status[i] == WaveStatus::running; ++n) {
          WaveState& wave = group.waves[i];
          const Instruction& in = code[wave.pc++];
          context.event = Event::none;
          if (in.meaning != nullptr && in.meaning->shape == Shape::memory && looks < most_looks) {
            ++looks;
            look_and_run(launch, wave, in, context);
          } else {
            context.outcome = nullptr;
            in.run(wave, in, context);
          }
          if (context.event == Event::fault) return describe_fault(launch, wave, wave.pc - 1, context.fault);
          if (context.event == Event::end) group.end(i);
          if (context.event == Event::barrier) group.arrive(i);
        }
      }
      if (group.barrier_complete()) group.release_barrier();
    }
  }
  return std::nullopt;
}

class SourceCorpus : public testing::TestWithParam<const char*> {};

constexpr const char* gpus[] = {"mi25", "rx6900xt", "v100", "hd5870", "hd530"};

TEST_P(SourceCorpus, SegmentsLeaveTheSameMemory) {
  u32 ran = 0;
  for (const char* gpu : gpus) {
    const Case which{gpu, corpus_path(GetParam())};
    const auto expected = contents_after(which, waves_of_any_launch, functional);
    if (!expected) continue;
    for (const u64 seed : {0, 5, 4711}) {
      const auto found = contents_after(which, waves_of_any_launch,
                                        [&](const PreparedLaunch& launch) { return driven(launch, seed); });
      ASSERT_TRUE(found);
      EXPECT_TRUE(*found == *expected) << gpu << ", seed " << seed;
    }
    ++ran;
  }
  EXPECT_NE(ran, 0u) << "some GPU has the features";
}

TEST_P(SourceCorpus, RecordingsPlayBack) {
  for (const char* gpu : gpus) {
    u64 bytes = 0, instructions = 0;
    const auto found = contents_after(
        {gpu, corpus_path(GetParam())}, waves_of_any_launch,
        [&](const PreparedLaunch& launch) { return recorded(launch, 11, bytes, instructions); });
    if (!found) continue;
    // Masks and addresses are mostly those before them.
    EXPECT_LT(bytes, 16 * instructions) << gpu;
  }
}

TEST_P(SourceCorpus, LookingChangesNothing) {
  for (const char* gpu : gpus) {
    const Case which{gpu, corpus_path(GetParam())};
    const auto expected = contents_after(which, waves_of_any_launch, functional);
    if (!expected) continue;
    const auto found = contents_after(which, waves_of_any_launch,
                                      [&](const PreparedLaunch& launch) { return looked_at(launch, 20000); });
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == *expected) << gpu;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, SourceCorpus,
                         testing::Values("atomics_global", "atomics_float_add", "atomics_long",
                                         "atomics_queue", "atomics_c11", "atomics_local", "barrier_exchange",
                                         "image_linear", "image_read_write", "image_shapes", "address_spaces",
                                         "flow_calls", "flow_ackermann", "half_storage", "constant_vectors3",
                                         "local_types", "pattern_radix_sort"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace lockstep
