// The part of the schema that the timing models read.
#pragma once
#include <span>

#include "machine/schema.h"

namespace lockstep {

// Behind the other keys in schema(), in this order: what compute units do, and what lies beyond them.
std::span<const KeyInfo> timing_keys();
std::span<const KeyInfo> memory_keys();

// All targets that timing models know, and integers of theirs that GCN5 machines have to state.
inline constexpr TargetGroups timed_groups =
    group_amdgcn | group_vliw | group_intel | group_nvidia | group_nvidia_old;
constexpr KeyInfo timing_of_all(std::string_view key, std::string_view unit, Step step,
                                std::string_view meaning) {
  return {key, unit, ValueKind::integer, step, timed_groups, group_gcn5, meaning};
}
// Of partitioned compute units, NVIDIA's.
constexpr KeyInfo timing_of_partitioned(std::string_view key, std::string_view unit, Step step,
                                        std::string_view meaning) {
  return {key, unit, ValueKind::integer, step, group_nvidia | group_nvidia_old, group_none, meaning};
}

}  // namespace lockstep
