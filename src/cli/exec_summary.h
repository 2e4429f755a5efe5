// The summary of an application's kernel launches, from the log that the driver left (launches.jsonl).
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::cli {

// All launches of one kernel on one GPU.
struct KernelSummary {
  std::string kernel, gpu;
  u64 launches = 0, failed = 0;
  u64 instructions = 0;  // wave-instructions
  f64 time_ns = 0;       // modelled
  u64 timed = 0;         // launches with a modelled time
  // Of those, by whether an earlier one of the same kernel left what it had touched in the caches.
  std::vector<f64> first_ns, repeated_ns;
  u64 host_ns = 0;
  std::vector<std::pair<std::string, u64>> bounds;  // what bounded how many launches, the most frequent first
  std::string stands_out;                           // in the first launch that was counted and has something
  // The reports of its launches, and how many launches have each: those that are the same share one.
  std::vector<std::pair<std::string, u64>> reports;
};

struct Summary {
  std::vector<KernelSummary> kernels;  // the longest modelled time first, then the most instructions
  u64 launches = 0, failed = 0;
  u64 violations = 0;  // that checks found
  // The processes in which something failed or was found, with their command lines.
  std::vector<std::pair<u64, std::string>> guilty;
  std::vector<std::string> found;  // the first of each launch, where they differ
  f64 time_ns = 0;
  std::vector<std::string> failures;  // messages, one for each that differs, in the order of the launches
};

// Errors: "bad-log" for a line that is no launch. A file that is not there has no launches.
Expected<Summary> read_summary(const std::string& log);

std::string summary_text(const Summary& summary);
std::string summary_json(const Summary& summary);

}  // namespace lockstep::cli
