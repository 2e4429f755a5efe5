#include "report/stall_timeline.h"

#include <algorithm>

namespace lockstep {

StallTimeline stall_timeline(const LaunchTrace& trace) {
  const std::size_t count = trace.buckets.size();
  const f64 cycles = static_cast<f64>(trace.bucket_cycles);
  StallTimeline made;
  made.resident.assign(count, 0);
  for (const LaunchTrace::Wave& wave : trace.waves) {
    for (u64 at = wave.begin; at < wave.end;) {
      const u64 bucket = at / trace.bucket_cycles,
                next = std::min(wave.end, (bucket + 1) * trace.bucket_cycles);
      if (bucket >= count) break;
      made.resident[bucket] += static_cast<f64>(next - at);
      at = next;
    }
  }
  for (std::vector<f64>& reason : made.stalls) reason.assign(count, 0);
  made.issuing = made.resident;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t reason = 0; reason < stall_count; ++reason) {
      const f64 waited = static_cast<f64>(trace.buckets[i][reason]);
      made.stalls[reason][i] = waited / cycles;
      made.issuing[i] -= waited;
    }
    made.resident[i] /= cycles;
    made.issuing[i] = std::max(0.0, made.issuing[i]) / cycles;
  }
  return made;
}

}  // namespace lockstep
