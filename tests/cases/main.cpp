// test_cases [--list] [NAME...]: runs all instruction cases, or those whose name or file contains one of the
// words. All cases together must execute every instruction that compute needs.
// test_cases --emit-jobs DIRECTORY [NAME...]: writes the PTX cases as jobs for tests/nvidia/runner.cpp, for a
// GPU of sm_90. Exit code 0 when every case passes, 1 otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "cases/execute.h"
#include "cases/gen_execute.h"
#include "cases/ptx_execute.h"
#include "cases/register_check.h"
#include "cases/vliw_execute.h"
#include "isa/vliw/operations.h"
#include "machine/target.h"

namespace lockstep::cases {
namespace {

struct Job {
  const Case* entry;
  std::string target;
};

bool wanted(const Case& entry, const std::vector<std::string>& words) {
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return entry.name.find(word) != std::string::npos || entry.file.find(word) != std::string::npos;
         });
}

// Of IGA's list (tests/opcodes/gen9.txt): what no case executes, and what stands there as not needed although
// one does.
int tell_gen_coverage(const std::set<std::string>& executed) {
  int failures = 0;
  std::ifstream list(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/opcodes/gen9.txt");
  u32 names = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    ++names;
    const std::size_t colon = line.find(':');
    const std::string name = line.substr(0, colon);
    // A mnemonic may say more behind a dot: goto.b.
    const auto found = executed.lower_bound(name);
    const bool has = found != executed.end() && (*found == name || found->starts_with(name + "."));
    if (has == (colon == line.npos)) continue;
    ++failures;
    fmt::print("Gen9: {} {}\n", name,
               has ? "is not needed, but a case executes it" : "is in no passing case");
  }
  if (names == 0) fmt::print("Gen9: there is no list of its instructions\n");
  return failures + (names == 0);
}

int run(const std::vector<std::string>& words, bool only_list, const std::string& job_folder) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(LOCKSTEP_SOURCE_DIR) / "tests" / "cases";
  std::vector<std::string> paths;
  for (const fs::path& folder : {root, fs::path(LOCKSTEP_GENERATED_CASES)}) {
    for (const auto& item : fs::recursive_directory_iterator(folder)) {
      if (item.path().extension() == ".case") paths.push_back(item.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<Case>> files;
  int failures = 0;
  for (const std::string& path : paths) {
    auto cases = read_case_file(path);
    if (!cases) {
      fmt::print("{}\n", to_string(cases.error()));
      ++failures;
      continue;
    }
    files.push_back(std::move(*cases));
  }
  if (!job_folder.empty()) {
    fs::create_directories(job_folder);
    u32 number = 0;
    for (const auto& cases : files) {
      for (const Case& entry : cases) {
        if (!wanted(entry, words) || !entry.targets.front().starts_with("sm_")) continue;
        const std::string problem =
            emit_ptx_job(entry, "sm_90", job_folder, fmt::format("case{}-{}", ++number, entry.line));
        if (!problem.empty()) fmt::print("left out {}: {}\n", entry.name, problem);
      }
    }
    return number == 0;
  }
  std::map<std::pair<std::string, u32>, std::vector<Job>> batches;
  for (const auto& cases : files) {
    for (const Case& entry : cases) {
      if (!wanted(entry, words)) continue;
      if (only_list) fmt::print("{}\n", entry.name);
      for (const std::string& target : entry.targets)
        batches[{target, entry.lanes}].push_back({&entry, target});
    }
  }
  if (only_list) return failures != 0;
  int ran = 0;
  Coverage coverage;
  std::set<std::string> vliw_operations, gen_operations;  // that passing cases have
  const auto tell = [&](const Case& entry, const std::string& target, const std::string& story) {
    ++ran;
    if (story.empty()) return;
    ++failures;
    fmt::print("FAILED {} on {} ({}:{})\n{}  rerun: build/tests/cases/test_cases '{}'\n\n", entry.name,
               target, entry.file, entry.line, story, entry.name);
  };
  for (const auto& [key, jobs] : batches) {
    const Target* target = find_target(key.first);
    if (target != nullptr && target->isa == IsaFamily::ptx) {
      for (const Job& job : jobs) tell(*job.entry, key.first, run_ptx_case(*job.entry, key.first, coverage));
      continue;
    }
    if (target != nullptr && target->isa == IsaFamily::r600) {
      for (const Job& job : jobs) {
        const std::string story = run_vliw_case(*job.entry, key.first);
        tell(*job.entry, key.first, story);
        for (const std::string& line : job.entry->code) {
          if (story.empty()) vliw_operations.insert(line.substr(0, line.find_first_of(" *")));
        }
      }
      continue;
    }
    if (target != nullptr && target->isa == IsaFamily::gen) {
      for (const Job& job : jobs) {
        const std::string story = run_gen_case(*job.entry, key.first);
        tell(*job.entry, key.first, story);
        for (const std::string& line : job.entry->code) {
          if (story.empty()) gen_operations.insert(gen_mnemonic(line));
        }
      }
      continue;
    }
    std::vector<const std::vector<std::string>*> code;
    for (const Job& job : jobs) code.push_back(&job.entry->code);
    const auto assembled = assemble(key.first, key.second, code);
    if (!assembled) {
      fmt::print("{}\n", to_string(assembled.error()));
      return 1;
    }
    for (std::size_t i = 0; i < jobs.size(); ++i)
      tell(*jobs[i].entry, key.first, run_case(*jobs[i].entry, key.first, (*assembled)[i], coverage));
  }
  if (words.empty()) {
    for (const vliw::Operation& operation : vliw::all_operations()) {
      if (vliw_operations.contains(std::string(operation.mnemonic))) continue;
      ++failures;
      fmt::print("VLIW: no passing case executes {}\n", operation.mnemonic);
    }
    failures += tell_gen_coverage(gen_operations);
    const auto missing = coverage.missing(LOCKSTEP_SOURCE_DIR);
    for (const auto& [target, mnemonics] : missing) {
      ++failures;
      fmt::print("{}: no passing case executes {} of its instructions:\n", target, mnemonics.size());
      for (const std::string& mnemonic : mnemonics) fmt::print("  {}\n", mnemonic);
    }
  }
  fmt::print("{} cases, {} failed; the registers of {} instructions looked at\n", ran, failures,
             register_check().steps());
  if (const std::string never = register_check().never_written(); words.empty() && !never.empty()) {
    ++failures;
    fmt::print("FAILED said to be written, and written in no case (by range of the record):\n{}", never);
  }
  if (ran == 0) fmt::print("no case has such a name\n");
  return failures == 0 && ran != 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::cases

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  const bool only_list = std::erase(words, "--list") != 0;
  std::string job_folder;
  if (words.size() >= 2 && words[0] == "--emit-jobs") {
    job_folder = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  return lockstep::cases::run(words, only_list, job_folder);
}
