#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/kind.h"

namespace lockstep::fuzz {

u64 edge_number(Random& random) {
  switch (below(random, 6)) {
    case 0:
      return below(random, 16);
    case 1:
      return ~u64{0} - below(random, 16);
    case 2:
      return (u64{1} << below(random, 64)) - 1;
    case 3:
      return u64{1} << below(random, 64);
    case 4:
      return 0 - (u64{1} << below(random, 64));
    default:
      return random();
  }
}

Folder::Folder() : path((std::filesystem::temp_directory_path() / "lockstep_fuzz.XXXXXX").string()) {
  if (mkdtemp(path.data()) == nullptr) std::abort();
}

Folder::~Folder() {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_of(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths;
  for (const auto& item : std::filesystem::recursive_directory_iterator(LOCKSTEP_SOURCE_DIR "/" + folder)) {
    if (item.path().string().ends_with(ending)) paths.push_back(item.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::optional<std::string> check_diagnostic(const Diagnostic& diagnostic, bool with_line) {
  if (diagnostic.code.empty()) return "a diagnostic without a code: " + to_string(diagnostic);
  if (diagnostic.message.empty()) return "a diagnostic without a message: " + to_string(diagnostic);
  if (diagnostic.place.file.empty()) return "a diagnostic without a file: " + to_string(diagnostic);
  if (with_line && diagnostic.place.line == 0) return "a diagnostic without a line: " + to_string(diagnostic);
  return std::nullopt;
}

void mutate_word(std::string& input, std::size_t at, Random& random) {
  u32 word = 0;
  std::memcpy(&word, input.data() + at, 4);
  word = below(random, 4) == 0 ? static_cast<u32>(random()) : word ^ (u32{1} << below(random, 32));
  std::memcpy(input.data() + at, &word, 4);
}

void mutate_bytes(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  if (input.empty()) input = "\1";
  const std::size_t at = below(random, input.size());
  const std::size_t size = 1 + below(random, std::min<std::size_t>(input.size() - at, 64));
  switch (below(random, 9)) {
    case 0:
      input[at] = static_cast<char>(input[at] ^ (1 << below(random, 8)));
      break;
    case 1:
      input[at] = static_cast<char>(random());
      break;
    case 2:
    case 3: {  // a number of 2, 4 or 8 bytes, mostly where numbers lie
      const std::size_t bytes = std::size_t{2} << below(random, 3);
      const std::size_t where = below(random, 4) == 0 ? at : at / bytes * bytes;
      const u64 number = edge_number(random);
      if (where + bytes <= input.size()) std::memcpy(input.data() + where, &number, bytes);
      break;
    }
    case 4: {  // a number that is nearly the one that was there
      const std::size_t where = at / 4 * 4;
      u32 number = 0;
      if (where + 4 > input.size()) break;
      std::memcpy(&number, input.data() + where, 4);
      number += static_cast<u32>(below(random, 9)) - 4;
      std::memcpy(input.data() + where, &number, 4);
      break;
    }
    case 5:
      input.erase(at, size);
      break;
    case 6:
      input.insert(at, input.substr(below(random, input.size()), size));
      break;
    case 7:
      if (below(random, 4) == 0) input.resize(at);
      break;
    default: {  // a piece of another one
      const std::string& other = seeds[below(random, seeds.size())];
      if (!other.empty()) {
        const std::string piece = other.substr(below(random, other.size()), size);
        input.replace(at, std::min(piece.size(), input.size() - at), piece);
      }
    }
  }
}

namespace {

struct Word {
  std::size_t at = 0, size = 0;
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (inside(text[at]) && end < text.size() && inside(text[end])) ++end;
    words.push_back({at, end - at});
    at = end;
  }
  return words;
}

std::string a_number(Random& random) {
  switch (below(random, 8)) {
    case 0:
      return "0x" + std::string(1 + below(random, 24), 'f');
    case 1:
      return std::string(1 + below(random, 30), '9');
    case 2:
      return "-" + std::to_string(edge_number(random));
    case 3:
      return "1e" + std::to_string(below(random, 500));
    case 4:
      return below(random, 2) == 0 ? "nan" : "-inf";
    default:
      return std::to_string(edge_number(random));
  }
}

}  // namespace

void mutate_text(std::string& input, const std::vector<std::string>& seeds, Random& random,
                 const std::vector<std::string>& own) {
  const std::vector<Word> words = words_of(input);
  if (words.empty() || below(random, 16) == 0) return mutate_bytes(input, seeds, random);
  const auto [at, size] = words[below(random, words.size())];
  switch (below(random, 8)) {
    case 0:
      input.erase(at, size);
      break;
    case 1:
      input.insert(at, input.substr(at, size) + " ");
      break;
    case 2:
      input.replace(at, size, own.empty() ? "" : own[below(random, own.size())]);
      break;
    case 3:
      input.insert(at, (own.empty() ? "" : own[below(random, own.size())]) + " ");
      break;
    case 4: {  // a number for a number
      const auto number = std::find_if(
          words.begin() + static_cast<std::ptrdiff_t>(below(random, words.size())), words.end(),
          [&](const Word& word) { return std::isdigit(static_cast<unsigned char>(input[word.at])); });
      if (number != words.end()) input.replace(number->at, number->size, a_number(random));
      break;
    }
    case 5: {  // two words change places
      const auto [other, other_size] = words[below(random, words.size())];
      const std::string here = input.substr(at, size), there = input.substr(other, other_size);
      if (at < other) {
        input.replace(other, other_size, here);
        input.replace(at, size, there);
      }
      break;
    }
    case 6: {  // a line less, or twice
      const std::size_t begin = input.rfind('\n', at) + 1, end = std::min(input.find('\n', at), input.size());
      const std::string line = input.substr(begin, end - begin) + "\n";
      if (below(random, 2) == 0)
        input.erase(begin, line.size());
      else
        input.insert(begin, line);
      break;
    }
    default: {  // a line of another one
      const std::string& other = seeds[below(random, seeds.size())];
      if (other.empty()) break;
      const std::size_t middle = below(random, other.size());
      const std::size_t begin = other.rfind('\n', middle) + 1;
      const std::size_t end = std::min(other.find('\n', middle), other.size());
      input.insert(input.rfind('\n', at) + 1, other.substr(begin, end - begin) + "\n");
    }
  }
}

}  // namespace lockstep::fuzz
