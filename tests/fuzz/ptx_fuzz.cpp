// Mutation fuzz over the PTX loader:
//
//   ptx_fuzz [--seconds N] [--seed S] [--corpus] [--keep FILE] [FILE.ptx...]
//
// Seeds are the instruction cases (tests/cases/nv), with --corpus also what the compiler makes of
// tests/corpus, and the files given. Every mutated text must load or be refused by a diagnostic with a line
// and that line's text, within most_seconds. Seconds are of processor time. What crashes or hangs the loader
// is written to FILE. Exit code: 0 nothing found, 1 something found, 2 wrong usage.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "cases/case_file.h"
#include "compile/nvptx.h"
#include "fuzz/time_limit.h"
#include "isa/nv/module.h"
#include "time/program/nv/lower.h"
#include "time/program/nv/text.h"

namespace lockstep::fuzz {
namespace {

constexpr unsigned most_seconds = 10;  // for one text

std::string kept_path = LOCKSTEP_BINARY_DIR "/ptx_fuzz_failure.ptx";
const std::string* current = nullptr;  // for the signal handler

void write_current() {
  if (current == nullptr) return;
  std::ofstream(kept_path, std::ios::binary) << *current;
}

extern "C" void on_signal(int number) {
  write_current();
  const char* what = is_over_limit(number) ? "the loader hangs\n" : "the loader crashes\n";
  const ssize_t ignored = write(2, what, std::strlen(what));
  (void)ignored;
  _exit(1);
}

std::string text_of(const cases::Case& entry) {
  std::string text = fmt::format(".version 8.5\n.target {}\n.address_size 64\n", entry.targets[0]);
  for (const std::string& line : entry.module) text += line + "\n";
  text += ".visible .entry test(.param .u64 io)\n{\n";
  text += "  .reg .b64 %mem;\n  .shared .align 16 .b8 lds[4096];\n";
  text +=
      "  .reg .pred %p<9>;\n  .reg .b16 %rs<9>;\n  .reg .b16 %h<9>;\n  .reg .b32 %r<420>;\n  .reg .b64 "
      "%rd<420>;\n";
  text += "  .reg .f32 %f<9>;\n  .reg .f64 %fd<9>;\n";
  for (const std::string& line : entry.code) text += "  " + line + "\n";
  return text + "  ret;\n}\n";
}

std::vector<std::string> case_seeds() {
  std::vector<std::string> seeds, paths;
  for (const auto& item : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/cases/nv"))
    paths.push_back(item.path().string());
  paths.push_back(LOCKSTEP_GENERATED_CASES "/ptx_matrix.case");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    auto read = cases::read_case_file(path);
    if (!read) continue;
    for (const cases::Case& entry : *read) seeds.push_back(text_of(entry));
  }
  return seeds;
}

std::vector<std::string> corpus_seeds() {
  std::vector<std::string> seeds, paths;
  for (const auto& item : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/corpus")) {
    if (item.path().extension() == ".cl") paths.push_back(item.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream file(path);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    CompileRequest request;
    request.path = path;
    request.target = find_target("sm_70");
    request.optimisation = 1;
    const auto compiled = compile_nvptx(request, SourceLanguage::opencl_c, source);
    if (compiled && compiled->ptx.size() < 60000) seeds.push_back(compiled->ptx);
  }
  return seeds;
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) {
  return n == 0 ? 0 : static_cast<std::size_t>(random() % n);
}

// Where tokens begin and end, roughly: words, numbers and signs.
std::vector<std::pair<std::size_t, std::size_t>> tokens_of(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> tokens;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '.';
  };
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
    tokens.push_back({at, end - at});
    at = end;
  }
  return tokens;
}

const char* const words[] = {"{",
                             "}",
                             "(",
                             ")",
                             "[",
                             "]",
                             "<",
                             ">",
                             ",",
                             ";",
                             ":",
                             "@",
                             "!",
                             "|",
                             "+",
                             "-",
                             "=",
                             "_",
                             "0",
                             "1",
                             "-1",
                             "0xffffffffffffffff",
                             "18446744073709551616",
                             "0f3F800000",
                             "0dZZ",
                             "1e999",
                             "4294967295",
                             "999999999999",
                             ".reg",
                             ".param",
                             ".local",
                             ".shared",
                             ".global",
                             ".const",
                             ".align",
                             ".v2",
                             ".v4",
                             ".b8",
                             ".u32",
                             ".b64",
                             ".f64",
                             ".pred",
                             ".b128",
                             ".func",
                             ".entry",
                             ".callprototype",
                             ".branchtargets",
                             ".calltargets",
                             ".extern",
                             ".visible",
                             "ret",
                             "bra",
                             "call",
                             "exit",
                             "bar.sync",
                             "brx.idx",
                             "mov.b64",
                             "ld.param.u64",
                             "setp.eq.u32",
                             "shfl.sync.idx.b32",
                             "%r1",
                             "%rd1",
                             "%p1",
                             "%tid.x",
                             "%laneid",
                             "test",
                             "lds",
                             "io",
                             "generic",
                             "0xFF(lds)",
                             "//",
                             "/*",
                             "\"",
                             ".file",
                             ".loc",
                             ".section",
                             ".version",
                             ".target",
                             ".address_size",
                             ".pragma",
                             "WARP_SZ",
                             ".texref",
                             ".ptr",
                             ".maxntid",
                             ".reqntid",
                             "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
                             "wmma.load.a.sync.aligned.row.m16n16k16.f16",
                             "cp.async.ca.shared.global",
                             "{1, 2, 3}",
                             "<1048577>"};

void mutate(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  const auto tokens = tokens_of(text);
  if (tokens.empty()) return;
  const auto [at, size] = tokens[below(random, tokens.size())];
  switch (below(random, 12)) {
    case 0:  // a token less
      text.erase(at, size);
      break;
    case 1:  // twice
      text.insert(at, text.substr(at, size) + " ");
      break;
    case 2:
    case 3:  // another word
      text.replace(at, size, words[below(random, std::size(words))]);
      break;
    case 4:  // one more word
      text.insert(at, std::string(words[below(random, std::size(words))]) + " ");
      break;
    case 5: {  // a token from elsewhere
      const auto [from, length] = tokens[below(random, tokens.size())];
      text.replace(at, size, text.substr(from, length));
      break;
    }
    case 6:  // a byte
      text[below(random, text.size())] = static_cast<char>(random());
      break;
    case 7:  // cut off
      if (below(random, 4) == 0) text.resize(at);
      break;
    case 8: {  // a line less or twice
      const std::size_t begin = text.rfind('\n', at) + 1,
                        end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::string line = text.substr(begin, end - begin);
      if (below(random, 2) == 0)
        text.erase(begin, end - begin);
      else
        text.insert(begin, line);
      break;
    }
    case 9: {  // a piece of another text
      const std::string& other = seeds[below(random, seeds.size())];
      const std::size_t from = below(random, other.size());
      text.insert(at, other.substr(from, below(random, 200)));
      break;
    }
    case 10: {  // a word's letter
      if (size > 1) text[at + below(random, size)] = static_cast<char>('0' + below(random, 75));
      break;
    }
    default: {  // a word of the same kind: the part behind a dot
      const std::size_t dot = text.find('.', at);
      const auto [from, length] = tokens[below(random, tokens.size())];
      if (dot < at + size) text.replace(dot, at + size - dot, text.substr(from, length));
      break;
    }
  }
}

f64 processor_seconds() {
  return static_cast<f64>(std::clock()) / CLOCKS_PER_SEC;
}

struct Options {
  f64 seconds = 4;
  u64 seed = 1;
  bool corpus = false;
  std::vector<std::string> files;
};

int run(const Options& options) {
  std::vector<std::string> seeds = case_seeds();
  if (options.corpus) {
    std::vector<std::string> more = corpus_seeds();
    seeds.insert(seeds.end(), more.begin(), more.end());
  }
  for (const std::string& path : options.files) {
    std::ifstream file(path);
    seeds.push_back({std::istreambuf_iterator<char>(file), {}});
  }
  if (seeds.empty()) {
    fmt::print(stderr, "there are no seeds\n");
    return 2;
  }
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM, SIGPROF})
    signal(number, on_signal);
  const Target* targets[] = {find_target("sm_20"), find_target("sm_35"), find_target("sm_70"),
                             find_target("sm_90")};
  Random random(options.seed);
  u64 loaded = 0, refused = 0;
  const f64 begin = processor_seconds();
  while (processor_seconds() - begin < options.seconds) {
    std::string text = seeds[below(random, seeds.size())];
    for (std::size_t i = 0, count = 1 + below(random, 6); i < count; ++i) mutate(text, seeds, random);
    current = &text;
    limit_seconds(most_seconds);
    const auto module = nv::load_module(text, *targets[below(random, std::size(targets))], "fuzz.ptx");
    // What loads is lowered, too, where its target has rules.
    if (module && (*module)->target->major >= 7) {
      for (const Program& program : (*module)->programs) {
        const auto lowered = lower_kernel(**module, program);
        const std::string printed = lowered ? print_lowered(*lowered) : std::string{};
        const auto again =
            lowered ? read_lowered(printed, "fuzz") : Expected<LoweredProgram>(lowered.error());
        if (again && print_lowered(*again) == printed) continue;
        fmt::print(stderr, "a lowered program that does not read back: {}\n",
                   again ? program.name : to_string(again.error()));
        write_current();
        return 1;
      }
    }
    limit_seconds(0);
    if (module) {
      ++loaded;
      continue;
    }
    ++refused;
    const Diagnostic& error = module.error();
    if (error.place.line == 0 || error.message.find("\n  ") == std::string::npos || error.code != "bad-ptx") {
      fmt::print(stderr, "a message without line or text: {}\n", to_string(error));
      write_current();
      return 1;
    }
  }
  fmt::print("{} texts from {} seeds: {} loaded, {} refused\n", loaded + refused, seeds.size(), loaded,
             refused);
  return 0;
}

}  // namespace
}  // namespace lockstep::fuzz

int main(int count, char** arguments) {
  lockstep::fuzz::Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--corpus") {
      options.corpus = true;
    } else if (word.starts_with("--") && i + 1 == count) {
      fmt::print(stderr, "{} needs a value\n", word);
      return 2;
    } else if (word == "--seconds") {
      options.seconds = std::atof(arguments[++i]);
    } else if (word == "--seed") {
      options.seed = std::strtoull(arguments[++i], nullptr, 0);
    } else if (word == "--keep") {
      lockstep::fuzz::kept_path = arguments[++i];
    } else if (word.starts_with("--")) {
      fmt::print(stderr, "unknown option {}\n", word);
      return 2;
    } else {
      options.files.push_back(word);
    }
  }
  return lockstep::fuzz::run(options);
}
