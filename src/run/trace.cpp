#include "run/trace.h"

#include <algorithm>

#include "time/source/recorded.h"
#include "time/what_if/changed.h"

namespace lockstep {
namespace {

constexpr u64 most_touches = u64{1} << 20;  // of lines, over all units: what is sorted takes time and room

}  // namespace

Expected<LaunchTrace> trace_launch(const RunData& run, const LaunchRecord& record, u64 most_each, u32 buckets,
                                   const std::function<bool()>& go_on) {
  if (!record.recording)
    return Diagnostic{"not-recorded",
                      {},
                      "what the launch's waves did over the time is not known: " + record.missing,
                      "a smaller launch, or one without --check"};
  const Expected<std::unique_ptr<RecordedFactory>> source =
      RecordedFactory::make(*record.recording, *run.module, *run.program);
  if (!source) return source.error();
  const TimingResult& timing = run.repeated.first ? *run.repeated.first : *run.timing;
  LaunchTrace trace;
  trace.most_each = most_each;
  trace.most_touches = most_touches / std::max<std::size_t>(1, timing.unit_wave_cycles.size());
  trace.bucket_cycles = std::max<u64>(1, (timing.cycles + buckets - 1) / buckets);
  TimingOptions options;
  if (go_on) options.progress = [&](const RunProgress&) { return go_on(); };
  ModelChange change;
  change.launch = [&](LaunchModel& model) { model.trace = &trace; };
  const Expected<TimingResult> result = time_changed(*run.machine, record.launch, **source, options, change);
  if (!result) return result.error();
  if (result->stopped) return Diagnostic{"stopped", {}, "the run was ended before its end", ""};
  return trace;
}

}  // namespace lockstep
