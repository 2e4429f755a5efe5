// Writes generated kernels as corpus cases:
//
//   generate_kernels --write DIRECTORY [--first SEED] [--modules N] [--kernels N] [--without FILE]
//   generate_kernels --seed SEED [--kernels N] [--without FILE]
//
// --types integers makes kernels without floats and 64-bit atomics (--types all: with them).
//
// The first form writes DIRECTORY/seed_SEED.cl for N seeds from the first on (a file that would not change is
// left alone); the second prints one module. FILE lists kernels to leave out, one a line: seed, number,
// reason. Exit code: 0, or 2 for a wrong usage or a file that cannot be read or written.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "tree.h"

namespace lockstep::generate {
namespace {

struct Options {
  std::string directory, without;
  u64 first = 1;
  u64 modules = 1;
  u64 kernels = 10;
  bool integers = false;
  bool good = true;
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string& word = words[i];
    if (i + 1 == words.size()) {
      options.good = false;
      break;
    }
    const std::string& value = words[i + 1];
    if (word == "--write" || word == "--without") {
      (word == "--write" ? options.directory : options.without) = value;
      continue;
    }
    if (word == "--types") {
      options.integers = value == "integers";
      options.good = options.good && (options.integers || value == "all");
      continue;
    }
    u64* number = word == "--first" || word == "--seed" ? &options.first
                  : word == "--modules"                 ? &options.modules
                  : word == "--kernels"                 ? &options.kernels
                                                        : nullptr;
    const char* end = value.data() + value.size();
    if (number == nullptr || std::from_chars(value.data(), end, *number).ptr != end) options.good = false;
  }
  return options;
}

bool write(const std::string& path, const std::string& text) {
  std::ostringstream there;
  there << std::ifstream(path).rdbuf();
  if (there.str() == text) return true;
  std::ofstream out(path);
  out << text;
  return static_cast<bool>(out.flush());
}

// Seeds and kernels, from the lines of a file that are no comment. Nothing when the file is not there.
std::optional<std::set<std::pair<u64, u32>>> read_list(const std::string& path) {
  std::set<std::pair<u64, u32>> list;
  if (path.empty()) return list;
  std::ifstream in(path);
  if (!in) return std::nullopt;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::pair<u64, u32> entry;
    if (words >> entry.first >> entry.second) list.insert(entry);
  }
  return list;
}

int run(const Options& options) {
  if (!options.good) {
    fmt::print(stderr,
               "usage: generate_kernels (--write DIRECTORY [--first SEED] [--modules N] | --seed SEED) "
               "[--kernels N] [--without FILE] [--types all|integers]\n");
    return 2;
  }
  const auto without = read_list(options.without);
  if (!without) {
    fmt::print(stderr, "cannot read {}\n", options.without);
    return 2;
  }
  const auto text = [&](u64 seed) {
    Module module = generate(seed, static_cast<u32>(options.kernels), options.integers);
    std::erase_if(module.kernels,
                  [&](const Kernel& kernel) { return without->contains({seed, kernel.number}); });
    return print(module);
  };
  if (options.directory.empty()) {
    fmt::print("{}", text(options.first));
    return 0;
  }
  std::error_code error;
  std::filesystem::create_directories(options.directory, error);
  for (u64 seed = options.first; seed < options.first + options.modules; ++seed) {
    const std::string path = fmt::format("{}/seed_{}.cl", options.directory, seed);
    if (!write(path, text(seed))) {
      fmt::print(stderr, "cannot write {}\n", path);
      return 2;
    }
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::generate

int main(int count, char** arguments) {
  return lockstep::generate::run(lockstep::generate::parse({arguments + 1, arguments + count}));
}
