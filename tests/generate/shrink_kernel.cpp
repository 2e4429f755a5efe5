// Reduces a generated kernel on which a target fails to a small one that fails in the same way:
//
//   shrink_kernel --seed SEED --target NAME --optimise LEVEL [--kernels N] [--kernel NUMBER] [--tests N]
//                 [--directory DIRECTORY] [--witness-platform TEXT] [--well-defined COMMAND]
//                 [--types all|integers]
//
// A step is taken when the witness (PoCL) still runs the kernel and the target still fails in the first
// failure's way: other results than the witness's, or the same diagnostic. COMMAND, if given, is run with the
// file's path behind it and must succeed too (an interpreter that finds undefined behaviour, for example).
// The result stays in DIRECTORY as shrunk_SEED_TARGET_LEVEL.cl and is printed with the commands that run it
// again. Exit code: 0 shrunk, 1 nothing fails, 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "shrink.h"

namespace lockstep::generate {
namespace {

struct Options {
  u64 seed = 0, kernels = 10, tests = 2000;
  i64 kernel = -1;
  std::string target, level, directory = LOCKSTEP_BINARY_DIR "/shrunk";
  std::string platform = "Portable Computing Language";
  std::string well_defined;
  std::string types = "all";  // as generate_kernels takes them
};

// Runs a command; its output, and whether it succeeded.
std::string run(const std::string& command, bool& good) {
  std::string output;
  good = false;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) != 0;) output.append(part, n);
  good = ::pclose(pipe) == 0;
  return output;
}

struct Runner {
  Options options;
  std::string name, folder;
  u32 count = 0;

  std::string path() const { return fmt::format("{}/{}.cl", folder, name); }
  std::string witness_command() const {
    return fmt::format("{}/tests/differential/opencl_witness --platform '{}' --write {}/witness {}",
                       LOCKSTEP_BINARY_DIR, options.platform, folder, path());
  }
  std::string target_command() const {
    return fmt::format(
        "{}/tests/differential/corpus_runner --cases {} --witness {}/witness --target {} --optimise {} {}",
        LOCKSTEP_BINARY_DIR, folder, folder, options.target, options.level, name);
  }

  // How the module fails: empty when it does not, or when it is no valid program.
  std::string failure(const Module& module, std::string* story = nullptr) {
    ++count;
    std::ofstream(path()) << print(module);
    bool good = false;
    const std::string witnessed = run("timeout 120 " + witness_command(), good);
    if (story != nullptr) *story = witnessed;
    if (!good) return {};
    const std::string output = run("LOCKSTEP_CACHE=off timeout 300 " + target_command(), good);
    if (story != nullptr) *story = output;
    if (good) return {};
    if (!options.well_defined.empty()) {
      run(options.well_defined + " " + path(), good);
      if (!good) return {};
    }
    return kind(output);
  }

  // "REFUSED", "mismatch", or the diagnostic's code and the words of its message without numbers.
  static std::string kind(const std::string& output) {
    if (output.find("REFUSED") != output.npos) return "REFUSED";
    const std::size_t error = output.find("error: ");
    if (error == output.npos) return output.find("FAILED") != output.npos ? "mismatch" : "";
    const std::size_t end = std::min(output.find('\n', error), output.size());
    std::string text = output.substr(error, end - error);
    const std::size_t code = text.rfind('[');
    const std::size_t first_number = text.find_first_of("0123456789");
    return text.substr(0, first_number) + (code == text.npos ? "" : text.substr(code));
  }
};

bool parse(const std::vector<std::string>& words, Options& options) {
  if (words.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string& word = words[i];
    const std::string& value = words[i + 1];
    const char* end = value.data() + value.size();
    const auto number = [&](auto& out) { return std::from_chars(value.data(), end, out).ptr == end; };
    bool good = true;
    if (word == "--seed")
      good = number(options.seed);
    else if (word == "--kernels")
      good = number(options.kernels);
    else if (word == "--kernel")
      good = number(options.kernel);
    else if (word == "--tests")
      good = number(options.tests);
    else if (word == "--target")
      options.target = value;
    else if (word == "--optimise")
      options.level = value;
    else if (word == "--types")
      options.types = value;
    else if (word == "--directory")
      options.directory = value;
    else if (word == "--witness-platform")
      options.platform = value;
    else if (word == "--well-defined")
      options.well_defined = value;
    else
      good = false;
    if (!good) return false;
  }
  return options.seed != 0 && !options.target.empty() && !options.level.empty();
}

int shrink_main(const std::vector<std::string>& words) {
  Options options;
  if (!parse(words, options)) {
    fmt::print(
        stderr,
        "usage: shrink_kernel --seed SEED --target NAME --optimise LEVEL [--kernels N] [--kernel NUMBER] "
        "[--tests N] [--directory DIRECTORY] [--witness-platform TEXT] [--well-defined COMMAND]\n");
    return 2;
  }
  Module module = generate(options.seed, static_cast<u32>(options.kernels), options.types == "integers");
  if (options.kernel >= 0) {
    std::erase_if(module.kernels, [&](const Kernel& kernel) { return kernel.number != options.kernel; });
  }
  Runner runner{options, fmt::format("shrunk_{}_{}_{}", options.seed, options.target, options.level), {}};
  runner.folder = options.directory + "/" + runner.name;
  std::error_code error;
  std::filesystem::create_directories(runner.folder, error);
  std::string story;
  const std::string first = runner.failure(module, &story);
  if (first.empty()) {
    fmt::print("{}seed {} does not fail on {} at -O{}\n", story, options.seed, options.target, options.level);
    return 1;
  }
  fmt::print("shrinking: {}\n", first);
  std::fflush(stdout);
  const Module small = shrink(
      std::move(module),
      [&](const Module& candidate) {
        const bool shows = runner.failure(candidate) == first;
        if (shows)
          std::filesystem::copy_file(runner.path(), runner.path() + ".best",
                                     std::filesystem::copy_options::overwrite_existing, error);
        return shows;
      },
      static_cast<u32>(options.tests));
  runner.failure(small, &story);
  fmt::print("{}\n{}\nafter {} tests; run it again with\n  {}\n  {}\n", print(small), story, runner.count,
             runner.witness_command(), runner.target_command());
  return 0;
}

}  // namespace
}  // namespace lockstep::generate

int main(int count, char** arguments) {
  return lockstep::generate::shrink_main({arguments + 1, arguments + count});
}
