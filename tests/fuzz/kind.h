// A kind of input that people hand to Lockstep: how to make one that is nearly right, and how to read it.
#pragma once
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::fuzz {

using Random = std::mt19937_64;

struct Kind {
  const char* name;
  std::vector<std::string> (*seeds)();
  // Changes one thing of an input; other seeds may lend pieces.
  void (*mutate)(std::string& input, const std::vector<std::string>& seeds, Random& random);
  // Reads the input as Lockstep does. Returns what is wrong with the way it was refused, if anything is.
  std::optional<std::string> (*read)(const std::string& input);
};

std::vector<Kind> container_kinds();  // containers.cpp
std::vector<Kind> object_kinds();     // objects.cpp
std::vector<Kind> text_kinds();       // texts.cpp
std::vector<Kind> vliw_kinds();       // vliw.cpp
std::vector<Kind> gen_kinds();        // gen.cpp

// What a diagnostic must have; `with_line` where the input is text.
std::optional<std::string> check_diagnostic(const Diagnostic& diagnostic, bool with_line);

// Mutations that know nothing of the input: bits, bytes, numbers at the edges, pieces twice, gone or swapped.
void mutate_bytes(std::string& input, const std::vector<std::string>& seeds, Random& random);
// A bit of the word at a place, or all of it.
void mutate_word(std::string& input, std::size_t at, Random& random);
// And of texts: words, numbers, lines. `words` are the format's own.
void mutate_text(std::string& input, const std::vector<std::string>& seeds, Random& random,
                 const std::vector<std::string>& words);

inline std::size_t below(Random& random, std::size_t n) {
  return n == 0 ? 0 : static_cast<std::size_t>(random() % n);
}

// A number that formats stumble over: small ones, powers of two and their neighbours, all ones.
u64 edge_number(Random& random);

// A folder for readers that take files; gone at the end of the program, and a finding's is left to the
// system.
struct Folder {
  std::string path;
  Folder();
  ~Folder();
};

std::string read_whole(const std::string& path);
// The files of a folder of the source tree with this ending, sorted.
std::vector<std::string> files_of(const std::string& folder, const std::string& ending);

}  // namespace lockstep::fuzz
