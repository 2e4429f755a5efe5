// What `lockstep check` found, in the forms that continuous integration reads.
#pragma once
#include <string>
#include <vector>

#include "run/limits.h"

namespace lockstep::cli {

// One kernel on one GPU, or an application's kernel.
struct CheckResult {
  std::string name;
  Place at;  // in the file of checks
  std::vector<Measurement> measurements;
  std::vector<Finding> findings;
  std::vector<std::string> remarks;
  bool could_not_run = false;  // the only finding says why
};

struct CheckResults {
  std::string path;  // of the file of checks
  std::vector<CheckResult> results;

  std::size_t failed() const;         // that ran
  std::size_t could_not_run() const;  // did not
};

// For people, as it goes: a line for each, and what is wrong below it.
std::string check_text(const CheckResult& result);
std::string check_summary(const CheckResults& results);

// https://github.com/testmoapp/junitxml: a test case for each.
std::string junit_xml(const CheckResults& results);

// The same with every measurement and finding: docs/ci.md has the keys.
std::string check_json(const CheckResults& results);

// SARIF 2.1.0 (OASIS): a result for each finding.
std::string sarif_json(const CheckResults& results);

// Workflow commands of GitHub Actions, by lines.
std::string github_annotations(const CheckResults& results);

}  // namespace lockstep::cli
