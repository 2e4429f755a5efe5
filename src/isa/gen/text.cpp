#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/take_line.h"
#include "isa/gen/syntax.h"

namespace lockstep::gen {
namespace {

std::string_view take_word(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool number(std::string_view word, u64& value, int base = 10) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc{} && end == word.data() + word.size();
}

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  Status line(std::string_view line) {
    ++at_;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
      line.remove_suffix(1);
    constexpr std::string_view note = "//@lockstep ";
    if (line.starts_with(note)) return this->note(line.substr(note.size()));
    std::string_view rest = line;
    while (rest.starts_with(' ') || rest.starts_with('\t')) rest.remove_prefix(1);
    if (rest.empty() || rest.starts_with("//")) return Success{};
    if (rest.ends_with(':') && rest.starts_with('L')) return Success{};  // operands name the address itself
    return instruction(rest);
  }

  ModuleText take() { return std::move(module_); }

 private:
  Diagnostic bad(std::string message) const {
    return {"bad-assembly", {name_, at_, 0}, std::move(message), ""};
  }

  Status instruction(std::string_view rest) {
    if (module_.kernels.empty())
      return Diagnostic{"bad-assembly",
                        {name_, at_, 0},
                        "an instruction before the first //@lockstep kernel NAME",
                        "lockstep reads the text that it makes of ocloc's objects"};
    u64 address = 0;
    const std::size_t open = rest.find('['), close = rest.find(']'), end = rest.find("*/");
    if (!rest.starts_with("/*") || open == rest.npos || close == rest.npos || end == rest.npos ||
        close > end || !number(rest.substr(open + 1, close - open - 1), address, 16) || address > 0xFFFFFFu)
      return bad("an instruction without its address: /* [0010] */ ...");
    Expected<LineText> parsed = parse_line(rest.substr(end + 2));
    if (!parsed) {
      Diagnostic error = parsed.error();
      error.place = {name_, at_, 0};
      return error;
    }
    KernelText& kernel = module_.kernels.back();
    if (!kernel.lines.empty() && kernel.lines.back().address >= address)
      return bad("the instructions' addresses do not rise");
    parsed->address = static_cast<u32>(address);
    parsed->text_line = at_;
    parsed->position = position_;
    kernel.lines.push_back(std::move(*parsed));
    return Success{};
  }

  Status note(std::string_view rest) {
    const std::string_view word = take_word(rest);
    if (word == "info") {
      if (!rest.empty()) rest.remove_prefix(1);
      module_.info.append(rest) += '\n';
      return Success{};
    }
    std::array<std::string_view, 4> words;
    for (std::string_view& one : words) one = take_word(rest);
    std::array<u64, 4> values{};
    const auto numbers = [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i)
        if (!number(words[i], values[i])) return false;
      return true;
    };
    bool fits = true;
    if (word == "gen") {
      fits = words[0] == "1";
    } else if (word == "file") {
      fits = numbers(0, 1) && values[0] == module_.files.size();
      std::string name(words[1]);
      for (std::size_t i = 2; i < words.size() && !words[i].empty(); ++i) name.append(" ").append(words[i]);
      module_.files.push_back(name + std::string(rest));
    } else if (word == "kernel" || word == "functions") {
      fits = !words[0].empty();
      module_.kernels.push_back({std::string(words[0]), word == "functions", at_, {}, {}});
      position_ = {};
    } else if (word == "line") {
      fits = numbers(0, 3) && values[0] < module_.files.size();
      position_ = {static_cast<u32>(values[0]), static_cast<u32>(values[1]), static_cast<u32>(values[2])};
    } else if (word == "address" || word == "pointer") {
      std::vector<AddressNote>* to =
          word == "pointer" ? (module_.data.empty() ? nullptr : &module_.data.back().pointers)
                            : (module_.kernels.empty() ? nullptr : &module_.kernels.back().addresses);
      fits = numbers(0, 2) && !words[2].empty() && to != nullptr && values[1] >= 1 && values[1] <= 3;
      if (fits)
        to->push_back({static_cast<u32>(values[0]), static_cast<u32>(values[1]), std::string(words[2])});
    } else if (word == "data") {
      fits = numbers(1, 1) && values[1] <= (u64{1} << 30);
      module_.data.push_back({std::string(words[0]), values[1], {}, {}});
    } else if (word == "bytes") {
      fits = !module_.data.empty() && words[0].size() % 2 == 0;
      for (std::size_t i = 0; fits && i < words[0].size(); i += 2) {
        u64 byte = 0;
        fits = number(words[0].substr(i, 2), byte, 16);
        module_.data.back().contents.push_back(static_cast<u8>(byte));
      }
      fits = fits && module_.data.back().contents.size() <= module_.data.back().bytes;
    } else if (word == "symbol") {
      fits = numbers(2, 2);
      module_.symbols.push_back({std::string(words[0]), std::string(words[1]), values[2], values[3]});
    } else {
      return bad(fmt::format("the note '{}' is not known", word));
    }
    if (!fits) return bad(fmt::format("the note '{}' does not have what it should", word));
    return Success{};
  }

  const std::string& name_;
  ModuleText module_;
  SourcePosition position_;
  u32 at_ = 0;
};

}  // namespace

Expected<ModuleText> parse_text(std::string_view text, const std::string& name) {
  Reader reader(name);
  while (!text.empty()) {
    if (Status status = reader.line(take_line(text)); !status) return status.error();
  }
  return reader.take();
}

}  // namespace lockstep::gen
