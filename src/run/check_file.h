// What `lockstep check` holds kernels and applications to: a TOML file. docs/ci.md lists its keys.
#pragma once
#include <string>
#include <vector>

#include "run/limits.h"
#include "run/request.h"

namespace lockstep {

struct CheckLimits {
  std::vector<Limit> limits;
  std::string baseline;  // a report's path; empty: none
  f64 within = 0;        // of the baseline's time, relative
  Place baseline_at;
};

// One launch, as `lockstep run` makes it, on one GPU.
struct KernelCheck {
  std::string name;
  LaunchRequest request;
  bool functional = false;
  CheckLimits limits;
  Place at;
};

// An application's launches of the kernels whose names fit a pattern.
struct ApplicationKernel {
  std::string pattern;  // as fnmatch(3) has it
  CheckLimits limits;
  Place at;
};

struct ApplicationCheck {
  std::string name;
  std::vector<std::string> command;
  std::string folder;  // that it runs in
  std::string gpu;     // may be empty
  std::string checks;  // may be empty
  bool functional = false;
  std::vector<ApplicationKernel> kernels;
  Place at;
};

struct CheckFile {
  std::string path;
  std::vector<KernelCheck> kernels;
  std::vector<ApplicationCheck> applications;
};

// `default_gpu` is for launches that name none. Errors: "cannot-read", "bad-check-file" with the line.
Expected<CheckFile> read_check_file(const std::string& path, const std::string& default_gpu);

}  // namespace lockstep
