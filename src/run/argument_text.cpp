#include "run/argument_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/nearest.h"
#include "corpus/case_reader.h"
#include "corpus/image_names.h"
#include "run/argument_types.h"
#include "run/structure_text.h"

namespace lockstep {
namespace {

using corpus::ElementType;

constexpr std::string_view forms =
    "NAME=VALUE or NAME=TYPE:VALUE for a value, NAME=TYPE[COUNT]:CONTENTS for a buffer, NAME=@FILE.npy, "
    "NAME=null, NAME=TYPE[COUNT]:local for local memory, NAME={TYPE:VALUE,..} for a structure, "
    "NAME=image2d:FORMAT[W,H]:CONTENTS for an image, NAME=sampler:normalized,repeat,linear for a sampler";

const std::vector<std::string> content_words = {"zero",   "random", "ramp",    "fill",
                                                "values", "bits",   "special", "local"};

Diagnostic bad(std::string message, std::string hint = "") {
  return {"bad-argument", {}, std::move(message), std::move(hint)};
}

std::string near_hint(std::string_view word, const std::vector<std::string>& names, std::string_view kind) {
  const std::vector<std::string> near = nearest_names(word, names);
  return near.empty() ? fmt::format("{}: {}", kind, fmt::join(names, ", "))
                      : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

// Splits at commas. An empty text has no words.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, end));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
    if (text.empty()) words.emplace_back();
  }
  return words;
}

Expected<ElementType> read_type(const std::string& name) {
  if (const auto type = find_type(name)) return *type;
  static const std::vector<std::string> names = {"char",   "uchar",  "short", "ushort",  "int",
                                                 "uint",   "long",   "ulong", "half",    "float",
                                                 "double", "size_t", "bytes", "sampler", "image2d"};
  return bad(name.empty() ? "the type is missing" : fmt::format("there is no type '{}'", name),
             near_hint(name, names, "types") +
                 (name.empty() ? "" : "; a structure is {TYPE:VALUE,..} or bytes:HEX"));
}

Expected<u64> read_count(std::string_view text) {
  u64 count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::result_out_of_range)
    return bad(fmt::format("the count {} does not fit 64 bits", text));
  if (error != std::errc() || end != text.data() + text.size())
    return bad(text.empty() ? "the count in brackets is missing" : fmt::format("'{}' is no count", text),
               "write for instance float[1024]");
  return count;
}

// "random(seed=1,min=0)": the word, then what stands in parentheses.
Expected<std::vector<std::string>> read_initial(std::string_view text) {
  if (text.empty()) return std::vector<std::string>{"zero"};
  const std::size_t open = text.find('(');
  std::vector<std::string> words = {std::string(text.substr(0, open))};
  const std::string& word = words[0];
  if (std::find(content_words.begin(), content_words.end(), word) == content_words.end())
    return bad(fmt::format("a buffer cannot begin with '{}'", text),
               near_hint(word, content_words, "contents") + "; or @FILE.npy");
  if (open == text.npos) return words;
  if (!text.ends_with(')')) return bad(fmt::format("')' is missing behind '{}'", text));
  const std::vector<std::string> inner = split(text.substr(open + 1, text.size() - open - 2));
  words.insert(words.end(), inner.begin(), inner.end());
  return words;
}

class ArgumentReader {
 public:
  explicit ArgumentReader(const std::string& text) { argument_.text = text; }

  Expected<ArgumentText> read() {
    const std::string& text = argument_.text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return bad("an argument has the form NAME=...", std::string(forms));
    argument_.name = text.substr(0, equals);
    // A variable's name may have scopes: ns::name.
    if (!std::all_of(argument_.name.begin(), argument_.name.end(),
                     [](char c) { return corpus::is_word(c) || c == ':'; }))
      return bad(fmt::format("'{}' is no name", argument_.name), std::string(forms));
    const Status done = right_side(text.substr(equals + 1));
    if (!done) return done.error();
    return std::move(argument_);
  }

 private:
  using Form = ArgumentText::Form;

  Status right_side(const std::string& text) {
    if (text.empty()) return bad(fmt::format("nothing is said of '{}'", argument_.name), std::string(forms));
    if (text.front() == '{') return structure(text);
    if (text.front() == '@') return file(text.substr(1));
    if (text == "null" || text == "NULL" || text == "nullptr") {
      argument_.form = Form::null_pointer;
      return Success{};
    }
    const std::size_t colon = text.find(':');
    const std::size_t bracket = text.find('[');
    if (bracket < colon) return counted(text, bracket);
    if (colon == std::string::npos) return untyped(text);
    const std::string type = text.substr(0, colon), rest = text.substr(colon + 1);
    if (type == "sampler") return sampler(rest);
    if (type.starts_with("image")) return image(type, rest);
    if (type == "bytes") return rest.starts_with('@') ? raw_file(rest.substr(1)) : raw_value(rest);
    return value(type, rest);
  }

  Status structure(const std::string& text) {
    Expected<std::vector<u8>> bytes = structure_bytes(text);
    if (!bytes) return bytes.error();
    argument_.form = Form::bytes;
    argument_.bytes = std::move(*bytes);
    return Success{};
  }

  Status file(const std::string& path) {
    if (path.empty()) return bad("the file's name is missing behind '@'", "NAME=@FILE.npy");
    argument_.form = Form::buffer;
    argument_.file = path;
    return Success{};
  }

  Status raw_file(const std::string& path) {
    argument_.raw = true;
    return file(path);
  }

  Status raw_value(const std::string& digits) {
    Expected<std::vector<u8>> bytes = hexadecimal_bytes(digits);
    if (!bytes) return bytes.error();
    argument_.form = Form::bytes;
    argument_.bytes = std::move(*bytes);
    return Success{};
  }

  Status untyped(const std::string& text) {
    if (const auto type = find_type(text))
      return bad(fmt::format("the value of '{}' is missing", argument_.name),
                 fmt::format("{}={}:VALUE, or {}={}[COUNT]:CONTENTS for a buffer", argument_.name, text,
                             argument_.name, text));
    const std::string word = text.substr(0, text.find('('));
    if (std::find(content_words.begin(), content_words.end(), word) != content_words.end())
      return bad(fmt::format("how many elements '{}' has is missing", argument_.name),
                 fmt::format("{}=[1024]:{}", argument_.name, text));
    return numbers(text);
  }

  Status value(const std::string& type_name, const std::string& text) {
    const Expected<ElementType> type = read_type(type_name);
    if (!type) return type.error();
    argument_.type = *type;
    if (text.empty()) return bad(fmt::format("the value of '{}' is missing", argument_.name));
    const Status read = numbers(text);
    if (!read) return read;
    if (argument_.numbers.size() != type->lanes)
      return bad(fmt::format("a {} takes {} value{}, not {}", type_text(*type), type->lanes,
                             type->lanes == 1 ? "" : "s", argument_.numbers.size()));
    for (const std::string& number : argument_.numbers) {
      const Expected<u64> bits = bits_of_number(type->scalar, number);
      if (!bits) return bits.error();
    }
    return Success{};
  }

  Status numbers(const std::string& text) {
    argument_.form = Form::value;
    argument_.numbers = split(text);
    for (const std::string& number : argument_.numbers) {
      if (number == "true" || number == "false" || corpus::parse_number(number)) continue;
      return bad(number.empty() ? "a number is missing" : fmt::format("'{}' is not a number", number),
                 std::string(forms));
    }
    return Success{};
  }

  // TYPE[COUNT] and what comes behind; the type may be missing, and the count where a file says it.
  Status counted(const std::string& text, std::size_t bracket) {
    const std::string type = text.substr(0, bracket);
    const std::size_t close = text.find(']', bracket);
    if (close == std::string::npos) return bad("']' is missing", "NAME=TYPE[COUNT]:CONTENTS");
    const std::string count = text.substr(bracket + 1, close - bracket - 1);
    std::string rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':')
      return bad(fmt::format("'{}' behind the count", rest),
                 "a colon comes before the contents: float[64]:ramp");
    if (!rest.empty()) rest.erase(0, 1);
    argument_.raw = type == "bytes";
    if (!type.empty() && !argument_.raw) {
      const Expected<ElementType> element = read_type(type);
      if (!element) return element.error();
      argument_.type = *element;
    }
    argument_.form = rest == "local" ? Form::local : Form::buffer;
    if (!count.empty() || !rest.starts_with('@')) {
      const Expected<u64> number = read_count(count);
      if (!number) return number.error();
      argument_.count = *number;
    }
    if (argument_.form == Form::local) {
      if (argument_.raw) argument_.type = ElementType{corpus::Scalar::u8, 1};
      if (*argument_.count == 0) return bad("local memory of no bytes");
      return Success{};
    }
    if (rest.starts_with('@')) return file(rest.substr(1));
    if (argument_.raw && !rest.empty() && rest != "zero") {
      Expected<std::vector<u8>> bytes = hexadecimal_bytes(rest);
      if (!bytes) return bytes.error();
      if (bytes->size() != *argument_.count)
        return bad(fmt::format("{} bytes are given for a buffer of {}", bytes->size(), *argument_.count));
      argument_.bytes = std::move(*bytes);
      return Success{};
    }
    return contents(rest);
  }

  Status contents(std::string_view text) {
    Expected<std::vector<std::string>> words = read_initial(text);
    if (!words) return words.error();
    argument_.initial = std::move(*words);
    if (argument_.initial[0] == "local") return bad("only arrays in brackets are local: TYPE[COUNT]:local");
    if (!argument_.type) return Success{};
    const Expected<corpus::Initial> initial =
        parse_initial(argument_.initial, *argument_.type, argument_.count.value_or(1));
    if (!initial) return initial.error();
    return Success{};
  }

  Status image(const std::string& kind, const std::string& text) {
    argument_.form = Form::image;
    corpus::Argument& image = argument_.image;
    image.kind = corpus::ArgumentKind::image;
    const auto shape = std::find_if(corpus::image_kinds.begin(), corpus::image_kinds.end(),
                                    [&](const corpus::ImageKind& entry) { return entry.name == kind; });
    if (shape == corpus::image_kinds.end()) {
      std::vector<std::string> names;
      for (const corpus::ImageKind& entry : corpus::image_kinds) names.emplace_back(entry.name);
      return bad(fmt::format("there is no kind of image '{}'", kind), near_hint(kind, names, "images"));
    }
    image.shape = shape->shape;
    const std::size_t open = text.find('['), close = text.find(']');
    const std::string format = text.substr(0, open);
    const auto found = std::find_if(corpus::format_names.begin(), corpus::format_names.end(),
                                    [&](const corpus::FormatName& entry) { return entry.name == format; });
    if (found == corpus::format_names.end()) {
      std::vector<std::string> names;
      for (const corpus::FormatName& entry : corpus::format_names) names.emplace_back(entry.name);
      return bad(fmt::format("there is no image format '{}'", format), near_hint(format, names, "formats"));
    }
    image.format = found->format;
    image.type = ElementType{found->format.storage, found->format.channels};
    if (open == std::string::npos || close == std::string::npos || close < open)
      return bad("the image's extent is missing", "write for instance image2d:rgba8[32,16]");
    const std::vector<std::string> extents = split(text.substr(open + 1, close - open - 1));
    if (extents.size() != shape->extents)
      return bad(fmt::format("an {} has {} extent{}, not {}", kind, shape->extents,
                             shape->extents == 1 ? "" : "s", extents.size()));
    image.count = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const Expected<u64> extent = read_count(extents[i]);
      if (!extent) return extent.error();
      if (*extent == 0 || *extent > 65536)
        return bad(fmt::format("an image's extent lies between 1 and 65536, not {}", *extent));
      image.extent[i] = static_cast<u32>(*extent);
      image.count *= *extent;
    }
    argument_.type = image.type;
    argument_.count = image.count;
    std::string rest = text.substr(close + 1);
    rest.erase(0, std::min(rest.find_first_not_of(": "), rest.size()));
    if (rest.starts_with('@')) {
      if (rest.size() == 1) return bad("the file's name is missing behind '@'");
      argument_.file = rest.substr(1);
      return Success{};
    }
    return contents(rest);
  }

  Status sampler(const std::string& text) {
    argument_.form = Form::sampler;
    argument_.image.kind = corpus::ArgumentKind::sampler;
    static const std::vector<std::string> coordinates = {"normalized", "unnormalized"};
    static const std::vector<std::string> filters = {"nearest", "linear"};
    const std::vector<std::string> words = split(text);
    if (words.size() != 3)
      return bad("a sampler has three words: coordinates, addressing, filter",
                 "NAME=sampler:normalized,repeat,linear");
    const auto known = [](const std::string& word, const std::vector<std::string>& names, const char* kind) {
      return std::find(names.begin(), names.end(), word) != names.end()
                 ? Status(Success{})
                 : Status(bad(fmt::format("'{}' is no {} of a sampler", word, kind),
                              fmt::format("known: {}", fmt::join(names, ", "))));
    };
    Status status = known(words[0], coordinates, "kind of coordinates");
    if (status) status = known(words[1], corpus::addressing_names, "addressing");
    if (status) status = known(words[2], filters, "filter");
    corpus::Sampler& sampler = argument_.image.sampler;
    sampler.normalized = words[0] == "normalized";
    sampler.addressing = words.at(1);
    sampler.linear = words.at(2) == "linear";
    return status;
  }

  ArgumentText argument_;
};

}  // namespace

Expected<ArgumentText> parse_argument_text(const std::string& text, std::string_view option) {
  Expected<ArgumentText> argument = ArgumentReader(text).read();
  if (argument) return argument;
  Diagnostic diagnostic = argument.error();
  diagnostic.place = {fmt::format("{} {}", option, text), 0, 0};
  return diagnostic;
}

Expected<corpus::Initial> parse_initial(const std::vector<std::string>& words, ElementType type, u64 count) {
  corpus::Initial initial;
  const std::string& word = words.at(0);
  const std::vector<std::string> values(words.begin() + 1, words.end());
  const auto number = [&](const std::string& text, corpus::Number& target, bool must_fit) {
    if (must_fit || !corpus::parse_number(text)) {
      const Expected<u64> bits = bits_of_number(type.scalar, text);
      if (!bits) return Status(bits.error());
    }
    target = *corpus::parse_number(text);
    // An integer written like 1e3.
    if (!target.is_integer && !corpus::is_float(type.scalar)) {
      const Expected<u64> bits = bits_of_number(corpus::Scalar::i64, text);
      if (!bits) return Status(bits.error());
      target.integer = static_cast<i64>(*bits);
      target.is_integer = true;
    }
    return Status(Success{});
  };
  const auto takes = [&](std::size_t least, std::size_t most) {
    return values.size() >= least && values.size() <= most
               ? Status(Success{})
               : Status(bad(fmt::format("'{}' takes {} value{}, not {}", word, most, most == 1 ? "" : "s",
                                        values.size())));
  };
  if (word == "zero") {
    const Status fits = takes(0, 0);
    if (!fits) return fits.error();
    return initial;
  }
  if (word == "fill") {
    initial.fill = corpus::Fill::value;
    Status status = takes(1, 1);
    if (status) status = number(values[0], initial.first, true);
    if (!status) return status.error();
    return initial;
  }
  if (word == "ramp") {
    initial.fill = corpus::Fill::ramp;
    if (values.size() == 1 || values.size() > 2)
      return bad("'ramp' takes a start and a step, or nothing for 0 and 1");
    Status status = number(values.empty() ? "0" : values[0], initial.first, true);
    if (status) status = number(values.empty() ? "1" : values[1], initial.second, false);
    if (!status) return status.error();
    return initial;
  }
  if (word == "values") {
    initial.fill = corpus::Fill::list;
    if (values.empty()) return bad("'values' takes at least one value");
    if (count != 0 && (values.size() - 1) / type.lanes >= count)
      return bad(fmt::format("{} values are more than a buffer of {} elements takes", values.size(), count));
    for (const std::string& value : values) {
      const Status status = number(value, initial.list.emplace_back(), true);
      if (!status) return status.error();
    }
    return initial;
  }
  // random, bits, special: named values.
  initial.fill = word == "random" ? corpus::Fill::random
                 : word == "bits" ? corpus::Fill::bits
                                  : corpus::Fill::special;
  initial.seed = 1;
  bool least = false, most = false;
  for (const std::string& pair : values) {
    const std::size_t equals = pair.find('=');
    const std::string key = pair.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : pair.substr(equals + 1);
    Status status = Success{};
    if (key == "seed" && !value.empty()) {
      const Expected<u64> seed = bits_of_number(corpus::Scalar::u64, value);
      if (!seed) return seed.error();
      initial.seed = *seed;
    } else if (word == "random" && key == "min" && !value.empty()) {
      status = number(value, initial.first, true);
      least = true;
    } else if (word == "random" && key == "max" && !value.empty()) {
      status = number(value, initial.second, true);
      most = true;
    } else {
      return bad(fmt::format("'{}' does not take '{}'", word, pair),
                 word == "random" ? "random(seed=S,min=A,max=B)" : fmt::format("{}(seed=S)", word));
    }
    if (!status) return status.error();
  }
  if (least != most) return bad("'random' takes min and max together", "random(seed=S,min=A,max=B)");
  initial.has_range = least;
  if (least && initial.first.real > initial.second.real) return bad("min is more than max");
  return initial;
}

}  // namespace lockstep
