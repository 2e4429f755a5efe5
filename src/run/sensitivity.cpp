#include "run/sensitivity.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "run/simulation.h"
#include "time/source/recorded.h"

namespace lockstep {
namespace {

f64 number_of(const Machine& machine, const std::string& key) {
  return find_quantity(machine, key)->real;
}

// The time with one figure changed.
Expected<Sensitivity> with_changed(const Machine& machine, const std::string& key, u64 before,
                                   const std::function<Expected<TimingResult>(const Machine&)>& time) {
  Machine scaled = with_scaled(machine, key, 1.2);
  Expected<TimingResult> changed = time(scaled);
  if (!changed && changed.error().code == "machine-figures") {
    // A total cannot be below its parts: the figure is made smaller instead.
    scaled = with_scaled(machine, key, 0.8);
    changed = time(scaled);
  }
  if (!changed) return changed.error();
  // Small counts move by one and sizes double: by how much is told.
  const f64 stated = number_of(machine, key);
  const f64 factor = stated > 0 ? number_of(scaled, key) / stated : 1;
  const f64 change = before > 0 ? static_cast<f64>(changed->cycles) / static_cast<f64>(before) - 1 : 0;
  return Sensitivity{key, factor, change};
}

}  // namespace

Expected<TimingResult> replay(const Machine& machine, const Module& module, const Program& program,
                              const LaunchRecord& record, const std::function<bool()>& go_on) {
  const Expected<std::unique_ptr<RecordedFactory>> source =
      RecordedFactory::make(*record.recording, module, program);
  if (!source) return source.error();
  TimingOptions options;
  if (go_on) options.progress = [&](const RunProgress&) { return go_on(); };
  Expected<TimingResult> result = time_launch(machine, record.launch, **source, options);
  if (result && result->stopped) return run_stopped();
  return result;
}

Status measure_sensitivity(RunData& run, const SensitivityWork& work) {
  const std::vector<const Quantity*> assumed = assumed_quantities(*run.machine, "timing.");
  const u64 before = run.repeated.first ? run.repeated.first->cycles : run.timing->cycles;
  const LaunchRecord* record = work.record;
  run.sensitivity_executed.clear();
  if (record == nullptr || !record->recording) {
    run.sensitivity_executed = record == nullptr ? "nothing was recorded" : record->missing;
  } else if (record->recording->timing_dependent) {
    run.sensitivity_executed =
        "what waves do depends on when: a clock, a returned atomic or a volatile load reaches an address, "
        "the "
        "control flow or what others read";
  }
  const bool replays = run.sensitivity_executed.empty();
  const auto time = [&](const Machine& changed) {
    return replays ? replay(changed, *run.module, *run.program, *record, work.go_on) : work.again(changed);
  };

  std::vector<std::optional<Expected<Sensitivity>>> results(assumed.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex telling;
  u64 done = 0;
  const auto measure = [&] {
    for (std::size_t i = next++; i < assumed.size() && !stop; i = next++) {
      results[i].emplace(with_changed(*run.machine, std::string(assumed[i]->info->key), before, time));
      if (!results[i]->ok() || (work.go_on && !work.go_on())) stop = true;
      const std::lock_guard lock(telling);
      if (work.progress) work.progress(++done, assumed.size());
    }
  };
  // Executing again takes the host memory of the buffers each time, and its own threads.
  std::vector<std::thread> others;
  for (u32 i = 1; replays && i < work.threads && i < assumed.size(); ++i) others.emplace_back(measure);
  measure();
  for (std::thread& other : others) other.join();

  for (const auto& result : results) {
    if (result && !result->ok()) return result->error();
  }
  if (stop) return run_stopped();
  run.sensitivity.clear();
  for (const auto& result : results) {
    const Sensitivity& one = **result;
    if (std::fabs(one.change) > 0.02) run.sensitivity.push_back(one);
  }
  std::stable_sort(
      run.sensitivity.begin(), run.sensitivity.end(),
      [](const Sensitivity& a, const Sensitivity& b) { return std::fabs(a.change) > std::fabs(b.change); });
  run.sensitivity_measured = true;
  return Success{};
}

}  // namespace lockstep
