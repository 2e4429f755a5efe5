// What every benchmark of the suite uses: a device, times by differences, figures with their bounds.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dissect/backend.h"
#include "dissect/figure.h"
#include "machine/machine.h"

namespace lockstep::dissect {

// A launch that does its work `rounds` times.
using RoundsLaunch = std::function<Launch(u32 rounds)>;

class Bench {
 public:
  // `machine`: what figures are compared with; null where there is none.
  Bench(Backend& backend, const Machine* machine) : backend_(backend), machine_(machine) {
    clock_hz_ = backend.traits().clock_hz;
  }

  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Backend& backend() { return backend_; }
  const Traits& traits() const { return backend_.traits(); }
  const Machine* machine() const { return machine_; }
  f64 clock_hz() const { return clock_hz_; }
  void set_clock(f64 hertz) { clock_hz_ = hertz; }
  // Seconds of one more round, by the difference of launches of two lengths, the shorter of at least
  // `least_rounds`; longer ones where times are not exact. A launch of neither comes before them.
  // `before` is called ahead of each, where there is anything to make ready.
  Expected<f64> seconds_per_round(const RoundsLaunch& launch, u32 least_rounds,
                                  const std::function<void()>& before = {});
  // Seconds of one more step of straight-line code: the difference of the kernels NAME_short and NAME_long,
  // which repeat `steps` steps 16 and 48 times a round (repeat.h), so that the loop around them falls out.
  Expected<f64> seconds_per_step(const KernelSource& source, u32 steps,
                                 const std::function<Launch(KernelId, u32 rounds)>& launch, u32 least_rounds);

  // A buffer that lives as long as the benchmark; the same one again while it is large enough.
  Expected<BufferId> output(u64 bytes);
  // A buffer of zeros that is released with the benchmark, or by release().
  Expected<BufferId> buffer(u64 bytes);
  void release(BufferId buffer);

  // Adds a figure, or the reason why it cannot be one.
  Figure& add(std::string name, std::string unit, f64 value, const Bounds& bounds = {},
              std::optional<Stated> stated = std::nullopt);
  Outcome& outcome() { return outcome_; }

  // The machine file's figure of a key; nothing without a machine or where it does not state the key.
  std::optional<Stated> stated(const std::string& key, f64 factor = 1) const;
  f64 figure_or(const std::string& key, f64 otherwise) const;
  // Of the largest cache, by the machine file where there is one; a device's own answer is often of another
  // cache, so that it is taken to have 128 MiB at least.
  u64 last_cache_bytes() const;

 private:
  Backend& backend_;
  const Machine* machine_;
  f64 clock_hz_ = 0;
  BufferId output_ = 0;
  u64 output_bytes_ = 0;
  std::vector<BufferId> buffers_;
  Outcome outcome_;
};

}  // namespace lockstep::dissect
