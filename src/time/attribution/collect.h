// From what the shards counted to named counters.
#pragma once
#include <span>

#include "time/core/cluster.h"
#include "time/dispatch/dispatcher.h"
#include "time/memory/channel.h"
#include "time/memory/slice.h"
#include "time/memory/translation.h"

namespace lockstep {

// All shards of a device, by kind.
struct DeviceParts {
  const CoreFigures* figures = nullptr;
  const Hierarchy* hierarchy = nullptr;
  const Dispatcher* dispatcher = nullptr;
  std::span<const std::unique_ptr<Cluster>> clusters;
  std::span<const std::unique_ptr<Slice>> slices;  // of all levels, in the map's order
  std::span<const std::unique_ptr<Channel>> channels;
  const Translation* translation = nullptr;
  std::span<const std::unique_ptr<FiguresTable>> per_instruction;  // of each host thread
};

// `write_back_cycles`: that lines took to leave after the waves' end.
TimingResult collect(const DeviceParts& parts, u64 write_back_cycles);

}  // namespace lockstep
