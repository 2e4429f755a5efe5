// Mutation fuzz over what people hand to Lockstep beside PTX (ptx_fuzz.cpp):
//
//   file_fuzz KIND [--seconds N] [--rounds N] [--seed S] [--keep FILE]
//   file_fuzz --replay           every file of tests/data/fuzz/KIND
//   file_fuzz KIND --one FILE    reads one input
//   file_fuzz KIND --shrink FILE makes a finding smaller while it still is one; writes FILE.small
//   file_fuzz --kinds
//
// Every mutated input must be read, or refused by a diagnostic with a place, within most_seconds; what
// crashes or hangs a reader, raises an exception or is refused without a place is written to FILE. Seconds
// are of processor time. The same seed makes the same inputs. Exit code: 0 nothing found, 1 something found,
// 2 wrong usage.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>

#include "fuzz/kind.h"
#include "fuzz/time_limit.h"

#ifdef LOCKSTEP_FUZZ_SANITIZED
extern "C" void __sanitizer_set_death_callback(void (*callback)());
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0:max_allocation_size_mb="
         "4096";
}
#endif

namespace lockstep::fuzz {
namespace {

constexpr unsigned most_seconds = 20;  // for one input

std::string kept_path;
const std::string* current = nullptr;  // for the signal handler

// By system calls alone: the heap may be what was damaged.
void write_current() {
  if (current == nullptr || kept_path.empty()) return;
  const int file = open(kept_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  const ssize_t ignored = write(file, current->data(), current->size());
  (void)ignored;
  close(file);
}

extern "C" void on_signal(int number) {
  write_current();
  const char* what = is_over_limit(number) ? "the reader hangs\n" : "the reader crashes\n";
  const ssize_t ignored = write(2, what, std::strlen(what));
  (void)ignored;
  _exit(1);
}

std::optional<std::string> read_guarded(const Kind& kind, const std::string& input) {
  current = &input;
  limit_seconds(most_seconds);
  std::optional<std::string> wrong;
  try {
    wrong = kind.read(input);
  } catch (const std::exception& error) {
    wrong = fmt::format("an exception: {}", error.what());
  }
  limit_seconds(0);
  return wrong;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds = container_kinds();
  for (const auto& more : {object_kinds(), text_kinds(), vliw_kinds(), gen_kinds()})
    kinds.insert(kinds.end(), more.begin(), more.end());
  return kinds;
}

int fuzz(const Kind& kind, double seconds, u64 rounds, u64 seed) {
  const std::vector<std::string> seeds = kind.seeds();
  if (seeds.empty()) {
    fmt::print(stderr, "{} has no seeds\n", kind.name);
    return 2;
  }
  Random random(seed);
  const auto begin = std::clock();
  u64 done = 0;
  for (const std::string& input : seeds) {
    const auto wrong = read_guarded(kind, input);
    if (!wrong) continue;
    write_current();
    fmt::print("{}: a seed: {}\n", kind.name, *wrong);
    return 1;
  }
  while (done < rounds && static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC) {
    std::string input = seeds[below(random, seeds.size())];
    for (std::size_t left = 1 + below(random, 6); left != 0; --left) kind.mutate(input, seeds, random);
    ++done;
    const auto wrong = read_guarded(kind, input);
    if (!wrong) continue;
    write_current();
    fmt::print("{}: after {} inputs: {}\n  kept in {}\n", kind.name, done, *wrong, kept_path);
    return 1;
  }
  fmt::print("{}: {} inputs of {} seeds, seed {}, {:.0f} s: nothing found\n", kind.name, done, seeds.size(),
             seed, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  return 0;
}

// Whether a process of its own finds the input wrong.
bool still_wrong(const Kind& kind, const std::string& input) {
  const pid_t child = fork();
  if (child == 0) {
    kept_path.clear();
    (void)!freopen("/dev/null", "w", stderr);
    _exit(read_guarded(kind, input) ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

int shrink(const Kind& kind, const std::string& path) {
  std::string input = read_whole(path);
  if (!still_wrong(kind, input)) {
    fmt::print("{} is no finding\n", path);
    return 2;
  }
  for (std::size_t piece = input.size() / 2; piece != 0; piece /= 2) {
    for (std::size_t at = 0; at < input.size();) {
      std::string smaller = input;
      smaller.erase(at, piece);
      if (still_wrong(kind, smaller))
        input = std::move(smaller);
      else
        at += piece;
    }
  }
  std::ofstream(path + ".small", std::ios::binary) << input;
  fmt::print("{} bytes in {}.small\n", input.size(), path);
  return 0;
}

int replay(const std::vector<Kind>& kinds) {
  int wrongs = 0;
  u64 done = 0;
  for (const Kind& kind : kinds) {
    const std::string folder = fmt::format("tests/data/fuzz/{}", kind.name);
    if (!std::filesystem::exists(LOCKSTEP_SOURCE_DIR "/" + folder)) continue;
    for (const std::string& path : files_of(folder, "")) {
      if (std::filesystem::is_directory(path)) continue;
      const std::string input = read_whole(path);
      ++done;
      if (const auto wrong = read_guarded(kind, input)) {
        fmt::print("{}: {}\n", path, *wrong);
        ++wrongs;
      }
    }
  }
  fmt::print("{} kept findings, {} wrong\n", done, wrongs);
  return wrongs != 0 || done == 0;
}

int usage() {
  fmt::print(
      stderr,
      "file_fuzz KIND [--seconds N] [--rounds N] [--seed S] [--keep FILE] | --one FILE | --shrink FILE\n"
      "file_fuzz --replay | --kinds\n");
  return 2;
}

int run(const std::vector<std::string>& words) {
  const std::vector<Kind> kinds = all_kinds();
  if (words.empty()) return usage();
  if (words[0] == "--kinds") {
    for (const Kind& kind : kinds) fmt::print("{}\n", kind.name);
    return 0;
  }
  if (words[0] == "--replay") return replay(kinds);
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) { return words[0] == one.name; });
  if (kind == kinds.end() || words.size() % 2 == 0) return usage();
  kept_path = fmt::format("{}/fuzz_{}_finding", LOCKSTEP_BINARY_DIR, kind->name);
  double seconds = 1e9;
  u64 rounds = ~u64{0}, seed = 1;
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--seconds") {
      seconds = std::atof(value.c_str());
    } else if (words[i] == "--rounds") {
      rounds = std::strtoull(value.c_str(), nullptr, 0);
    } else if (words[i] == "--seed") {
      seed = std::strtoull(value.c_str(), nullptr, 0);
    } else if (words[i] == "--keep") {
      kept_path = value;
    } else if (words[i] == "--shrink") {
      return shrink(*kind, value);
    } else if (words[i] == "--one") {
      kept_path.clear();
      const auto wrong = read_guarded(*kind, read_whole(value));
      fmt::print("{}\n", wrong.value_or("nothing wrong"));
      return wrong.has_value();
    } else {
      return usage();
    }
  }
  return fuzz(*kind, seconds, rounds, seed);
}

}  // namespace
}  // namespace lockstep::fuzz

int main(int count, char** arguments) {
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGPROF})
    signal(number, lockstep::fuzz::on_signal);
#ifdef LOCKSTEP_FUZZ_SANITIZED
  __sanitizer_set_death_callback(lockstep::fuzz::write_current);
#endif
  return lockstep::fuzz::run({arguments + 1, arguments + count});
}
