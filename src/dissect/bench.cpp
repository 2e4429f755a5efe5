#include "dissect/bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::dissect {
namespace {

// Between the two lengths of a slope, where times are not exact: three orders above the resolution of events.
constexpr f64 least_difference_seconds = 400e-6;
constexpr f64 longest_launch_seconds = 0.5;
constexpr u32 tries = 5;
constexpr u32 most_rounds = 1u << 28;

}  // namespace

Bench::~Bench() {
  if (output_bytes_ != 0) backend_.release(output_);
  for (const BufferId buffer : buffers_) backend_.release(buffer);
}

Expected<BufferId> Bench::buffer(u64 bytes) {
  const Expected<BufferId> made = backend_.allocate(bytes);
  if (made) buffers_.push_back(*made);
  return made;
}

void Bench::release(BufferId buffer) {
  std::erase(buffers_, buffer);
  backend_.release(buffer);
}

Expected<f64> Bench::seconds_per_round(const RoundsLaunch& launch, u32 least_rounds,
                                       const std::function<void()>& before) {
  const auto time = [&](u32 rounds) {
    const Launch one = launch(rounds);
    if (before) before();
    return backend_.time(one);
  };
  u32 rounds = least_rounds;
  // Code, translations and clocks: nothing of the first launch counts.
  const Expected<f64> warm = time(rounds);
  if (!warm) return warm;
  Timed shorter, longer;
  for (;;) {
    const Expected<f64> less = time(rounds);
    if (!less) return less;
    const Expected<f64> more = time(2 * rounds);
    if (!more) return more;
    if (traits().exact || *more - *less >= least_difference_seconds || *more >= longest_launch_seconds ||
        rounds >= most_rounds) {
      shorter = {static_cast<f64>(rounds), {*less}};
      longer = {static_cast<f64>(2 * rounds), {*more}};
      break;
    }
    rounds *= *more - *less > least_difference_seconds / 8 ? 2 : 8;
  }
  for (u32 i = 1; !traits().exact && i < tries; ++i) {
    for (const bool is_longer : {false, true}) {
      const Expected<f64> seconds = time(is_longer ? 2 * rounds : rounds);
      if (!seconds) return seconds;
      (is_longer ? longer : shorter).seconds.push_back(*seconds);
    }
  }
  return *slope(shorter, longer);
}

Expected<f64> Bench::seconds_per_step(const KernelSource& source, u32 steps,
                                      const std::function<Launch(KernelId, u32 rounds)>& launch,
                                      u32 least_rounds) {
  // How often SHORT and LONG of repeat.h repeat.
  constexpr u32 repeats[] = {16, 48};
  f64 seconds[2];
  for (const bool is_longer : {false, true}) {
    const Expected<KernelId> compiled =
        backend_.compile({source.file, source.kernel + (is_longer ? "_long" : "_short"), source.defines});
    if (!compiled) return compiled.error();
    const Expected<f64> round =
        seconds_per_round([&](u32 rounds) { return launch(*compiled, rounds); }, least_rounds);
    if (!round) return round;
    seconds[is_longer] = *round;
  }
  return (seconds[1] - seconds[0]) / ((repeats[1] - repeats[0]) * steps);
}

Expected<BufferId> Bench::output(u64 bytes) {
  if (bytes <= output_bytes_) return output_;
  if (output_bytes_ != 0) backend_.release(output_);
  output_bytes_ = 0;
  const Expected<BufferId> made = backend_.allocate(bytes);
  if (!made) return made;
  output_ = *made;
  output_bytes_ = bytes;
  return made;
}

Figure& Bench::add(std::string name, std::string unit, f64 value, const Bounds& bounds,
                   std::optional<Stated> stated) {
  Figure figure;
  figure.name = std::move(name);
  figure.unit = std::move(unit);
  figure.value = value;
  figure.refused = impossible(value, bounds);
  figure.stated = std::move(stated);
  outcome_.figures.push_back(std::move(figure));
  return outcome_.figures.back();
}

std::optional<Stated> Bench::stated(const std::string& key, f64 factor) const {
  const Quantity* quantity = machine_ ? find_quantity(*machine_, key) : nullptr;
  if (!quantity) return std::nullopt;
  return Stated{quantity->real * factor, key, std::string(to_string(quantity->confidence)), quantity->source};
}

f64 Bench::figure_or(const std::string& key, f64 otherwise) const {
  const Quantity* quantity = machine_ ? find_quantity(*machine_, key) : nullptr;
  return quantity ? quantity->real : otherwise;
}

u64 Bench::last_cache_bytes() const {
  const f64 stated = std::max(figure_or("l2.size_bytes", 0), figure_or("last_level.size_bytes", 0));
  if (stated > 0) return static_cast<u64>(stated);
  return std::max(traits().last_cache_bytes, u64{128} << 20);
}

}  // namespace lockstep::dissect
