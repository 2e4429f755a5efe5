#include "time/source/recorder.h"

#include <utility>

#include "base/assert.h"

namespace lockstep {
namespace {

// Of a source's bytes: what all sources share is written by one of them at a time.
constexpr u64 counted_at_once = 1 << 14;

}  // namespace

RecorderFactory::RecorderFactory(SourceFactory& inner, const PreparedLaunch& launch, u64 most_bytes)
    : inner_(inner),
      most_bytes_(most_bytes),
      advance_(advance_rules(launch.module())),
      taint_rules_(launch.module(), launch.program(), advance_) {
  recording_.program_hash = launch.module().hash;
  recording_.kernel = launch.program().name;
  recording_.groups = launch.state().range.total_groups();
  recording_.waves_per_group = launch.state().waves_per_group;
  recording_.waves.resize(recording_.groups * recording_.waves_per_group);
}

std::unique_ptr<WaveSource> RecorderFactory::open(u32 cluster, u32 first_slot) {
  return std::make_unique<RecorderSource>(*this, inner_.open(cluster, first_slot));
}

Expected<Recording> RecorderFactory::take() {
  if (bytes_ > most_bytes_) {
    return Diagnostic{
        "recording-too-large",
        {},
        "what the launch's waves did takes more than " + std::to_string(most_bytes_) + " bytes to write down",
        "a smaller launch, or a higher limit"};
  }
  if (ended_ != recording_.waves.size()) {
    return Diagnostic{"recording-incomplete",
                      {},
                      std::to_string(ended_) + " of the launch's " + std::to_string(recording_.waves.size()) +
                          " waves came to their end while they were recorded",
                      ""};
  }
  recording_.bytes = bytes_;
  recording_.instructions = instructions_;
  recording_.timing_dependent = TaintFindings{steered_, steered_by_load_, stored_}.timing_dependent();
  return std::move(recording_);
}

void RecorderSource::begin_group(u64 group, std::span<const WaveHandle> waves) {
  inner_->begin_group(group, waves);
  Recording& recording = factory_.recording_;
  LOCKSTEP_ASSERT(waves.size() == recording.waves_per_group, "groups have the launch's waves");
  for (u32 i = 0; i < waves.size(); ++i) {
    if (waves[i] >= waves_.size()) waves_.resize(waves[i] + 1);
    Wave& wave = waves_[waves[i]];
    wave.kept = &recording.waves[group * recording.waves_per_group + i];
    wave.bytes.clear();
    wave.writer = {};
    wave.taint.begin();
  }
}

void RecorderSource::prefetch(std::span<const WaveHandle> waves) const {
  for (const WaveHandle handle : waves) {
    const Wave& wave = waves_[handle];
    __builtin_prefetch(wave.bytes.data() + wave.bytes.size(), 1);
  }
  inner_->prefetch(waves);
}

void RecorderSource::note(WaveHandle handle, const Segment& segment) {
  Wave& wave = waves_[handle];
  const bool is_last = segment.end == Event::end;
  if (is_last) ++factory_.ended_;
  if (factory_.bytes_.load(std::memory_order_relaxed) > factory_.most_bytes_) {
    wave.bytes.clear();
    return;
  }
  const std::size_t before = wave.bytes.size();
  wave.writer.write(segment, wave.bytes);
  bytes_ += wave.bytes.size() - before;
  instructions_ += segment.count;
  if (is_last || bytes_ >= counted_at_once) {
    factory_.bytes_ += std::exchange(bytes_, 0);
    factory_.instructions_ += std::exchange(instructions_, 0);
  }
  if (is_last) wave.kept->assign(wave.bytes.begin(), wave.bytes.end());
  const TaintRules& rules = factory_.taint_rules_;
  if (rules.idle() || factory_.steered_) return;
  for (u32 i = 0; i < segment.count; ++i) wave.taint.step(rules, segment.first + i, segment.active[i]);
  const TaintFindings& found = wave.taint.findings();
  if (found.steered) factory_.steered_ = true;
  if (found.steered_by_load) factory_.steered_by_load_ = true;
  if (found.stored) factory_.stored_ = true;
}

const Segment& RecorderSource::next(WaveHandle wave) {
  const Segment& segment = inner_->next(wave);
  if (segment.count != 0 && !segment.at_issue) note(wave, segment);
  return segment;
}

const Segment& RecorderSource::execute(WaveHandle wave, const IssuePlace& place) {
  const Segment& segment = inner_->execute(wave, place);
  note(wave, segment);
  return segment;
}

u32 RecorderSource::capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) {
  const u32 token = inner_->capture(wave, place, segment);
  note(wave, *segment);
  return token;
}

}  // namespace lockstep
