#include "run/device_timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/run_data.h"

namespace lockstep {
namespace {

constexpr std::size_t most_kept = 256;  // kernels whose spans are remembered
constexpr f64 slack = 1e-6;             // sums of shares are not exact

f64 busy_of(const DeviceShare& use, const std::string& resource) {
  for (const auto& [name, busy] : use.busy) {
    if (name == resource) return busy;
  }
  return 0;
}

}  // namespace

DeviceShare device_share(const RunData& run, u32 resident_waves) {
  DeviceShare use;
  const TimingResult& timing = *run.timing;
  if (resident_waves != 0)
    use.share = std::min(1.0, static_cast<f64>(timing.waves) / static_cast<f64>(resident_waves));
  const f64 active = static_cast<f64>(std::max<u64>(1, timing.cycles));
  for (const Resource& one : timing.resources) {
    if (one.busy_cycles.empty() || one.clocks <= 0) continue;
    const f64 sum = static_cast<f64>(std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0}));
    f64 busy = sum / (one.clocks * static_cast<f64>(one.busy_cycles.size()));
    if (one.ceiling > 0) busy = std::max(busy, one.amount / one.ceiling);
    // Before its first group goes out a launch keeps nothing busy.
    busy *= active / std::max(1.0, active - static_cast<f64>(timing.launch_cycles));
    if (busy > 0) use.busy.emplace_back(one.name, std::min(1.0, busy));
  }
  return use;
}

DeviceTimeline::Span DeviceTimeline::copy(bool to_host, u64 earliest_ns, u64 duration_ns) {
  u64& free = copy_free_ns_[to_host && copy_engines_ > 1 ? 1 : 0];
  const u64 begin = std::max(earliest_ns, free);
  free = begin + duration_ns;
  return {begin, free};
}

DeviceTimeline::Span DeviceTimeline::fit(u64 begin, u64 duration_ns, const DeviceShare& use) const {
  f64 left = static_cast<f64>(duration_ns);
  for (u64 now = begin;;) {
    // Who runs from now on, and until when nobody comes or goes.
    u64 until = ~u64{0};
    u32 beside = 0;
    f64 room = 1, rate = 1;
    for (const auto& [span, other] : kernels_) {
      if (span.begin_ns > now) until = std::min(until, span.begin_ns);
      if (span.begin_ns > now || span.end_ns <= now) continue;
      until = std::min(until, span.end_ns);
      ++beside;
      room -= other.share;
    }
    if (beside >= most_kernels_ || (beside != 0 && use.share > room + slack)) return {begin, 0};
    for (const auto& [name, busy] : use.busy) {
      f64 free = 1;
      for (const auto& [span, other] : kernels_) {
        if (span.begin_ns <= now && now < span.end_ns) free -= busy_of(other, name);
      }
      rate = std::min(rate, std::max(0.0, free) / busy);
    }
    const f64 needed = rate > 0 ? std::ceil(left / rate - slack) : INFINITY;
    if (until == ~u64{0} || needed <= static_cast<f64>(until - now))
      return {begin, now + static_cast<u64>(std::max(0.0, needed))};
    left -= rate * static_cast<f64>(until - now);
    now = until;
  }
}

DeviceTimeline::Span DeviceTimeline::kernel(u64 earliest_ns, u64 duration_ns, const DeviceShare& use) {
  std::vector<u64> begins{std::max(earliest_ns, forgotten_ns_)};
  for (const Placed& one : kernels_) {
    if (one.span.end_ns > begins[0]) begins.push_back(one.span.end_ns);
  }
  std::sort(begins.begin(), begins.end());
  Span span;
  for (const u64 begin : begins) {
    span = fit(begin, duration_ns, use);
    if (span.end_ns != 0 || duration_ns == 0) break;
  }
  if (duration_ns == 0) return {span.begin_ns, span.begin_ns};
  kernels_.push_back({span, use});
  if (kernels_.size() > most_kept) {
    const auto first =
        std::ranges::min_element(kernels_, {}, [](const Placed& one) { return one.span.end_ns; });
    forgotten_ns_ = std::max(forgotten_ns_, first->span.end_ns);
    kernels_.erase(first);
  }
  return span;
}

}  // namespace lockstep
