// Runs corpus cases (tests/corpus/README.md) on a modelled GPU's instruction set, functionally, and compares
// with the witness's results:
//
//   corpus_runner [--target NAME,NAME...] [--optimise 03] [--jobs N] [--witness DIRECTORY] [--cases
//   DIRECTORY]
//                 [--options "-D..."] [--list-passed] [--table] [--rotate N] [WORD...]
//
// A WORD chooses the cases whose name contains it. --rotate N runs every case on every target at one of the
// levels and not at all of them: the first case on the first target at the level N (modulo their number),
// then the next. Exit code: 0 every chosen case agrees (or is one that the target cannot run, which is said),
// 1 a case failed, 2 wrong usage or no case.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "compile/build_options.h"
#include "corpus/compare.h"
#include "exec/functional.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep::corpus {
namespace {

struct Options {
  std::vector<const Target*> targets;
  std::string levels = "03";
  std::string witness = LOCKSTEP_BINARY_DIR "/witness";
  std::string cases = LOCKSTEP_SOURCE_DIR "/tests/corpus";
  std::string build_options;
  u32 jobs = 1;
  bool list_passed = false;
  bool table = false;
  std::optional<u32> rotate;
  std::vector<std::string> words;
};

enum class Verdict : u8 { passed, failed, refused, skipped, limited };

struct Result {
  Verdict verdict = Verdict::failed;
  std::string story;  // why, for all but passed ones
  u64 wave_instructions = 0;
};

struct Job {
  const Case* test;
  const Target* target;
  u32 level;
  Result result;
};

Result failed(const Diagnostic& diagnostic) {
  return {Verdict::failed, to_string(diagnostic), 0};
}

// What the case needs and the target's hardware lacks; empty when it can run.
std::string missing(const Case& test, const Target& target) {
  if (target.isa == IsaFamily::gen) {
    for (const char* need : {"amdgcn", "wave64", "gfx8_dpp"})
      if (test.has_need(need)) return "it asks for what AMD's GPUs have";
  }
  if (target.isa == IsaFamily::ptx) {
    if (test.has_need("amdgcn")) return "its builtins are AMD's";
    if (test.has_need("wave64")) return "waves have 32 lanes";
    if (test.has_need("gfx8_dpp")) return "its lane permutations are GCN 3's to 5's";
  }
  const bool images = std::any_of(test.arguments.begin(), test.arguments.end(),
                                  [](const Argument& a) { return a.kind == ArgumentKind::image; });
  if (images && target.isa == IsaFamily::amdgcn && target.major == 9 && target.minor == 4)
    return "the GPU has no image instructions";
  if (images && image_limits(target).width == 0) return "its image descriptors are not modelled yet";
  if (test.has_need("gfx8_dpp") && target.major != 8 && target.major != 9)
    return "its lane permutations are GCN 3's to 5's";
  return {};
}

Expected<LoadedProgram> load(const Case& test, const Target& target, u32 level, const Options& options) {
  CompileRequest request;
  request.path = test.path;
  request.target = &target;
  request.optimisation = level;
  for (const std::string& text : {test.options, options.build_options}) {
    auto words = split_build_options(text);
    if (!words) return words.error();
    request.options.insert(request.options.end(), words->begin(), words->end());
  }
  // GCN 1 to 3 compute with f32 denormals as zeros unless told otherwise: cases that look at them tell.
  if (target.isa == IsaFamily::amdgcn && test.has_need("denormals") && target.major < 9)
    request.options.insert(request.options.end(), {"-Xclang", "-fdenormal-fp-math-f32=ieee"});
  if (test.has_need("wave64") && target.default_width == 32) request.options.push_back("-mwavefrontsize64");
  return load_program(request);
}

NdRange range_of(const Launch& launch) {
  NdRange range;
  range.dimensions = launch.dimensions;
  for (u32 i = 0; i < 3; ++i) {
    range.global[i] = launch.global[i];
    range.local[i] = static_cast<u32>(launch.local[i]);
    range.offset[i] = launch.offset[i];
  }
  return range;
}

// The machine's size only bounds how many waves have private memory at once: MI25's 64 CUs of 40 waves.
constexpr u32 machine_waves = 64 * 40;

Result launch(const Launch& launch, const Module& module, DeviceMemory& memory, const Buffers& buffers) {
  const auto program = find_kernel(module, launch.kernel);
  if (!program) return failed(program.error());
  const NdRange range = range_of(launch);
  std::vector<ArgumentValue> values;
  for (const u32 a : launch.arguments) values.push_back(buffers.values()[a]);
  const u32 waves = functional_resident_waves(range, (*program)->needs.wave_lanes, machine_waves);
  const auto prepared = PreparedLaunch::make(memory, module, **program, range, values, waves);
  if (!prepared) return failed(prepared.error());
  FunctionalOptions functional;
  functional.instructions_per_wave = u64{1} << 24;
  const auto run = run_functional(**prepared, functional);
  if (!run) return failed(run.error());
  return {Verdict::passed, {}, run->wave_instructions};
}

Result compare_all(const Case& test, const DeviceMemory& memory, const Buffers& buffers,
                   const Options& options) {
  Result result{Verdict::passed, {}, 0};
  for (const Comparison& comparison : test.comparisons) {
    const Argument& argument = test.arguments[comparison.argument];
    const auto actual = buffers.read(memory, comparison.argument);
    if (!actual) return failed(actual.error());
    const auto expected = read_expected(expected_path(options.witness, test, argument), argument);
    if (!expected) return failed(expected.error());
    const auto mismatch = compare(test, comparison, *expected, *actual);
    if (!mismatch) continue;
    result.verdict = Verdict::failed;
    result.story += fmt::format("{}: {}\n", argument.name, mismatch->text);
  }
  return result;
}

Result run(const Case& test, const Target& target, u32 level, const Options& options) {
  if (const std::string what = missing(test, target); !what.empty()) return {Verdict::skipped, what, 0};
  const auto loaded = load(test, target, level, options);
  if (!loaded) {
    Result result = failed(loaded.error());
    const std::string& code = loaded.error().code;
    if (code.starts_with("compile-") || code == "unsupported-by-target") result.verdict = Verdict::refused;
    return result;
  }
  DeviceMemory memory(u64{4} << 30);
  const auto buffers = Buffers::make(memory, target, test.arguments, initial_contents(test));
  if (!buffers) return failed(buffers.error());
  u64 instructions = 0;
  for (const Launch& step : test.launches) {
    Result done = launch(step, *loaded->module, memory, *buffers);
    if (done.verdict != Verdict::passed) return done;
    instructions += done.wave_instructions;
  }
  Result result = compare_all(test, memory, *buffers, options);
  result.wave_instructions = instructions;
  return result;
}

// tests/corpus/limits.txt
struct Limit {
  std::string target, levels, test, verdict, why;

  bool names(const Job& job) const {
    return job.target->name.starts_with(target) && job.test->name == test &&
           (levels.empty() || levels.find(static_cast<char>('0' + job.level)) != levels.npos);
  }
};

std::vector<Limit> read_limits(const Options& options) {
  std::vector<Limit> limits;
  std::ifstream in(options.cases + "/limits.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    Limit limit;
    std::istringstream words(line);
    words >> limit.target >> limit.test >> limit.verdict;
    std::getline(words, limit.why);
    if (const std::size_t at = limit.target.find('@'); at != limit.target.npos) {
      limit.levels = limit.target.substr(at + 1);
      limit.target.resize(at);
    }
    limits.push_back(limit);
  }
  return limits;
}

// A known limit of the compiler is no failure; one that is gone is, so that the list stays true.
void apply_limits(std::vector<Job>& jobs, const std::vector<Limit>& limits) {
  for (Job& job : jobs) {
    for (const Limit& limit : limits) {
      if (!limit.names(job)) continue;
      const Verdict expected = limit.verdict == "refused:" ? Verdict::refused : Verdict::failed;
      if (job.result.verdict == expected) {
        job.result = {Verdict::limited, limit.verdict + limit.why, 0};
      } else {
        job.result = {Verdict::failed, "limits.txt lists it, but it is not so: " + limit.why, 0};
      }
    }
  }
}

void run_all(std::vector<Job>& jobs, const Options& options) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      jobs[i].result = run(*jobs[i].test, *jobs[i].target, jobs[i].level, options);
    }
  };
  std::vector<std::thread> threads;
  for (u32 i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

std::string first_lines(const std::string& text, u32 most) {
  std::string out;
  std::size_t begin = 0;
  for (u32 line = 0; line < most && begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "  " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

// What a command that runs a case again says about where the cases are.
std::string elsewhere(const Options& options) {
  const Options usual;
  return options.cases == usual.cases
             ? ""
             : fmt::format(" --cases {} --witness {}", options.cases, options.witness);
}

void tell(const Job& job, const Options& options) {
  const Result& result = job.result;
  const std::string name = fmt::format("{} {} -O{}", job.target->name, job.test->name, job.level);
  switch (result.verdict) {
    case Verdict::passed:
      if (options.list_passed)
        fmt::print("passed  {}: {} wave-instructions\n", name, result.wave_instructions);
      break;
    case Verdict::skipped:
      if (options.list_passed) fmt::print("skipped {}: {}\n", name, result.story);
      break;
    case Verdict::limited:
      fmt::print("limit   {} {}\n", name, result.story);
      break;
    case Verdict::refused:
      fmt::print("REFUSED {} by the compiler\n{}", name, first_lines(result.story, 4));
      break;
    case Verdict::failed:
      fmt::print("FAILED  {}\n{}  rerun: {}{} --target {} --optimise {} {}\n", name,
                 first_lines(result.story, 8), "build/tests/differential/corpus_runner", elsewhere(options),
                 job.target->name, job.level, job.test->name);
      break;
  }
}

// One row per target and level.
void summarise(const std::vector<Job>& jobs, const Options& options) {
  fmt::print("{:<10} {:>5} {:>7} {:>7} {:>8} {:>8} {:>8}\n", "target", "level", "passed", "failed", "refused",
             "skipped", "limits");
  for (const Target* target : options.targets) {
    for (const char level : options.levels) {
      std::array<u32, 5> count{};
      for (const Job& job : jobs) {
        if (job.target == target && job.level == static_cast<u32>(level - '0'))
          ++count[static_cast<std::size_t>(job.result.verdict)];
      }
      fmt::print("{:<10} {:>5} {:>7} {:>7} {:>8} {:>8} {:>8}\n", target->name, fmt::format("-O{}", level),
                 count[0], count[1], count[2], count[3], count[4]);
    }
  }
}

Expected<std::vector<Case>> chosen_cases(const Options& options) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(options.cases, error)) {
    const std::string name = item.path().stem().string();
    const bool wanted = options.words.empty() ||
                        std::any_of(options.words.begin(), options.words.end(),
                                    [&](const std::string& word) { return name.find(word) != name.npos; });
    if (item.path().extension() == ".cl" && wanted) paths.push_back(item.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    auto test = read_case(path);
    if (!test) return test.error();
    cases.push_back(std::move(*test));
  }
  return cases;
}

Expected<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  const auto wrong = [](std::string message) { return Diagnostic{"usage", {}, std::move(message), ""}; };
  std::string targets = "gfx900";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      options.words.push_back(word);
      continue;
    }
    if (word == "--list-passed") {
      options.list_passed = true;
      continue;
    }
    if (word == "--table") {
      options.table = true;
      continue;
    }
    if (i + 1 >= arguments.size()) return wrong(fmt::format("{} needs a value", word));
    const std::string& value = arguments[++i];
    if (word == "--target") {
      targets = value;
    } else if (word == "--optimise") {
      options.levels = value;
      if (value.find_first_not_of("0123") != value.npos) return wrong("--optimise takes digits from 0 to 3");
    } else if (word == "--witness") {
      options.witness = value;
    } else if (word == "--cases") {
      options.cases = value;
    } else if (word == "--options") {
      options.build_options = value;
    } else if (word == "--jobs") {
      const auto end = value.data() + value.size();
      if (std::from_chars(value.data(), end, options.jobs).ptr != end || options.jobs == 0)
        return wrong("--jobs takes a positive number");
    } else if (word == "--rotate") {
      const auto end = value.data() + value.size();
      if (std::from_chars(value.data(), end, options.rotate.emplace()).ptr != end)
        return wrong("--rotate takes a number");
    } else {
      return wrong(fmt::format("unknown option {}", word));
    }
  }
  for (std::size_t begin = 0; begin <= targets.size();) {
    const std::size_t end = std::min(targets.find(',', begin), targets.size());
    const std::string name = targets.substr(begin, end - begin);
    const Target* target = find_target(name);
    if (target == nullptr) return wrong(fmt::format("no target is called {}", name));
    options.targets.push_back(target);
    begin = end + 1;
  }
  return options;
}

int corpus_main(const std::vector<std::string>& arguments) {
  const auto options = parse(arguments);
  if (!options) {
    fmt::print(stderr, "{}\n", to_string(options.error()));
    return 2;
  }
  const auto cases = chosen_cases(*options);
  if (!cases) {
    fmt::print(stderr, "{}\n", to_string(cases.error()));
    return 2;
  }
  std::vector<Job> jobs;
  const std::string& levels = options->levels;
  for (std::size_t t = 0; t < options->targets.size(); ++t) {
    for (std::size_t level = 0; level < levels.size(); ++level) {
      for (std::size_t c = 0; c < cases->size(); ++c) {
        if (options->rotate && (t + c + *options->rotate) % levels.size() != level) continue;
        jobs.push_back({&(*cases)[c], options->targets[t], static_cast<u32>(levels[level] - '0'), {}});
      }
    }
  }
  if (jobs.empty()) {
    fmt::print(stderr, "no case has such a name\n");
    return 2;
  }
  run_all(jobs, *options);
  apply_limits(jobs, read_limits(*options));
  std::array<u32, 5> count{};
  for (const Job& job : jobs) {
    tell(job, *options);
    ++count[static_cast<std::size_t>(job.result.verdict)];
  }
  if (options->table) summarise(jobs, *options);
  fmt::print("{} passed, {} failed, {} refused by the compiler, {} skipped, {} known limits\n", count[0],
             count[1], count[2], count[3], count[4]);
  return count[1] + count[2] == 0 && count[0] != 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** arguments) {
  return lockstep::corpus::corpus_main({arguments + 1, arguments + count});
}
