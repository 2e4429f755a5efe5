#include "corpus/case.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/nearest.h"
#include "corpus/case_reader.h"
#include "corpus/image_names.h"
#include "corpus/scalar_names.h"

namespace lockstep::corpus {
namespace {

const std::vector<std::string> directive_names = {"launch", "arg", "compare", "needs", "witness", "options"};
const std::vector<std::string> need_names = {
    "fp16",   "fp64",      "int64_atomics", "images",   "image_writes_3d",
    "amdgcn", "subgroups", "wave64",        "gfx8_dpp", "denormals"};
class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : text_(text) {
    test_.path = path;
    const size_t slash = path.find_last_of('/');
    test_.name = slash == path.npos ? path : path.substr(slash + 1);
    if (test_.name.ends_with(".cl")) {
      test_.name.resize(test_.name.size() - 3);
    }
    test_.source = std::string(text);
  }

  Expected<Argument> parse_one_argument(std::string_view text) {
    reader_.rest = text;
    if (!argument()) {
      return *error_;
    }
    return std::move(test_.arguments[0]);
  }

  Expected<Case> parse() {
    size_t position = 0;
    while (position < text_.size()) {
      size_t end = text_.find('\n', position);
      end = end == text_.npos ? text_.size() : end;
      const std::string_view line = text_.substr(position, end - position);
      position = end + 1;
      ++line_;
      if (!line.starts_with("//")) {
        break;
      }
      if (!directive(line.substr(2))) {
        return *error_;
      }
    }
    if (!finish()) {
      return *error_;
    }
    return std::move(test_);
  }

 private:
  bool fail(std::string code, std::string message, std::string hint = "") {
    error_ = Diagnostic{std::move(code), Place{test_.path, line_, 0}, std::move(message), std::move(hint)};
    return false;
  }

  bool unknown(const std::string& what, const std::string& word, const std::vector<std::string>& names) {
    std::string hint = "known:";
    const std::vector<std::string> near = nearest_names(word, names);
    for (const std::string& name : near.empty() ? names : near) {
      hint += " " + name;
    }
    return fail("unknown-" + what, "unknown " + what + " '" + word + "'", hint);
  }

  // A comment line is a directive when it is one lower-case word directly followed by a colon.
  bool directive(std::string_view line) {
    reader_.rest = line;
    const std::string word = reader_.word();
    const bool lower =
        !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!lower || !reader_.rest.starts_with(':')) {
      return true;
    }
    reader_.rest.remove_prefix(1);
    if (word == "arg") {
      return argument();
    }
    if (word == "launch") {
      return launch();
    }
    if (word == "compare") {
      return comparison();
    }
    if (word == "needs") {
      return needs();
    }
    if (word == "witness") {
      return witness();
    }
    if (word == "options") {
      reader_.skip_blanks();
      test_.options = std::string(reader_.rest);
      return true;
    }
    return unknown("directive", word, directive_names);
  }

  bool at_line_end() {
    if (reader_.at_end()) {
      return true;
    }
    return fail("case-syntax",
                "unexpected text '" + std::string(reader_.rest) + "' at the end of the directive");
  }

  bool number(Number& result) {
    const std::string text = reader_.number_text();
    const std::optional<Number> parsed = parse_number(text);
    if (!parsed) {
      return fail("case-syntax", text.empty() ? "a number is missing" : "'" + text + "' is not a number");
    }
    result = *parsed;
    return true;
  }

  bool positive(u64& result) {
    Number value;
    if (!number(value)) {
      return false;
    }
    if (!value.is_integer || value.integer <= 0) {
      return fail("case-value", "a count must be a positive integer");
    }
    result = static_cast<u64>(value.integer);
    return true;
  }

  bool element_type(ElementType& type) {
    const std::string word = reader_.word();
    const size_t digits = word.find_first_of("0123456789");
    const std::string base = word.substr(0, digits);
    const auto found = std::find_if(scalar_names.begin(), scalar_names.end(),
                                    [&](const ScalarName& n) { return n.name == base; });
    if (found == scalar_names.end()) {
      std::vector<std::string> names;
      for (const ScalarName& n : scalar_names) {
        names.emplace_back(n.name);
      }
      return unknown("type", word, names);
    }
    type.scalar = found->scalar;
    type.lanes = 1;
    if (digits != word.npos) {
      const std::string lanes = word.substr(digits);
      if (lanes != "2" && lanes != "3" && lanes != "4" && lanes != "8" && lanes != "16") {
        return fail("unknown-type", "'" + word + "' is not a vector type",
                    "vectors have 2, 3, 4, 8 or 16 lanes");
      }
      type.lanes = static_cast<u32>(std::stoul(lanes));
    }
    return true;
  }

  bool counted(ElementType& type, u64& count) {
    if (!element_type(type)) {
      return false;
    }
    if (!reader_.take('[')) {
      return fail("case-syntax", "a count in brackets is missing", "write for instance float4[64]");
    }
    if (!positive(count)) {
      return false;
    }
    return reader_.take(']') || fail("case-syntax", "']' is missing");
  }

  bool initial(Initial& result) {
    const std::string word = reader_.word();
    if (word == "zero") {
      result.fill = Fill::zero;
      return true;
    }
    static const std::vector<std::string> names = {"zero",   "fill", "ramp",   "values",
                                                   "random", "bits", "special"};
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      return unknown("initial", word, names);
    }
    if (!reader_.take('(')) {
      return fail("case-syntax", "'(' is missing after '" + word + "'");
    }
    const bool named = word == "random" || word == "bits" || word == "special";
    bool has_minimum = false;
    bool has_maximum = false;
    bool has_seed = false;
    do {
      Number value;
      if (!named) {
        if (!number(value)) {
          return false;
        }
        result.list.push_back(value);
        continue;
      }
      const std::string key = reader_.word();
      if (!reader_.take('=') || !number(value)) {
        return error_ ? false : fail("case-syntax", "'" + word + "' takes name=value pairs");
      }
      if (key == "seed" && value.is_integer) {
        result.seed = static_cast<u64>(value.integer);
        has_seed = true;
      } else if (key == "min" && word == "random") {
        result.first = value;
        has_minimum = true;
      } else if (key == "max" && word == "random") {
        result.second = value;
        has_maximum = true;
      } else {
        return fail("case-syntax", "'" + word + "' does not take '" + key + "'");
      }
    } while (reader_.take(','));
    if (!reader_.take(')')) {
      return fail("case-syntax", "')' is missing");
    }
    if (named) {
      result.has_range = has_minimum;
      if (!has_seed || has_minimum != has_maximum) {
        return fail("case-syntax", "'" + word + "' needs a seed, and min and max together");
      }
      result.fill = word == "random" ? Fill::random : word == "bits" ? Fill::bits : Fill::special;
      return true;
    }
    const size_t wanted = word == "fill" ? 1 : word == "ramp" ? 2 : result.list.size();
    if (result.list.size() != wanted) {
      return fail("case-syntax", "'" + word + "' takes " + std::to_string(wanted) + " values");
    }
    result.fill = word == "fill" ? Fill::value : word == "ramp" ? Fill::ramp : Fill::list;
    result.first = result.list[0];
    result.second = result.list.back();
    return true;
  }

  bool image(Argument& argument, const std::string& kind) {
    argument.kind = ArgumentKind::image;
    const ImageKind* const shape = std::find_if(image_kinds.begin(), image_kinds.end(),
                                                [&](const ImageKind& k) { return k.name == kind; });
    argument.shape = shape->shape;
    const std::string word = reader_.word();
    const auto found = std::find_if(format_names.begin(), format_names.end(),
                                    [&](const FormatName& n) { return n.name == word; });
    if (found == format_names.end()) {
      std::vector<std::string> names;
      for (const FormatName& n : format_names) {
        names.emplace_back(n.name);
      }
      return unknown("format", word, names);
    }
    argument.format = found->format;
    argument.type = ElementType{found->format.storage, found->format.channels};
    if (!reader_.take('[')) {
      return fail("case-syntax", "the image's extent is missing", "write for instance rgba8[32,16]");
    }
    const u32 wanted = shape->extents;
    argument.count = 1;
    for (u32 i = 0; i < wanted; ++i) {
      u64 extent = 0;
      if (i > 0 && !reader_.take(',')) {
        return fail("case-syntax", "a " + kind + " has " + std::to_string(wanted) + " extents");
      }
      if (!positive(extent)) {
        return false;
      }
      argument.extent[i] = static_cast<u32>(extent);
      argument.count *= extent;
    }
    if (!reader_.take(']')) {
      return fail("case-syntax", "']' is missing");
    }
    return initial(argument.initial);
  }

  bool sampler(Argument& argument) {
    argument.kind = ArgumentKind::sampler;
    const std::string coordinates = reader_.word();
    argument.sampler.addressing = reader_.word();
    const std::string filter = reader_.word();
    if (coordinates != "normalized" && coordinates != "unnormalized") {
      return unknown("coordinates", coordinates, {"normalized", "unnormalized"});
    }
    if (std::find(addressing_names.begin(), addressing_names.end(), argument.sampler.addressing) ==
        addressing_names.end()) {
      return unknown("addressing", argument.sampler.addressing, addressing_names);
    }
    if (filter != "nearest" && filter != "linear") {
      return unknown("filter", filter, {"nearest", "linear"});
    }
    argument.sampler.normalized = coordinates == "normalized";
    argument.sampler.linear = filter == "linear";
    return true;
  }

  bool argument() {
    Argument argument;
    argument.line = line_;
    argument.name = reader_.word();
    if (find_argument(argument.name)) {
      return fail("case-duplicate", "argument '" + argument.name + "' is declared twice");
    }
    const std::string kind = reader_.word();
    bool good = true;
    if (kind == "buffer") {
      good = counted(argument.type, argument.count) && initial(argument.initial);
    } else if (kind == "local") {
      argument.kind = ArgumentKind::local;
      good = counted(argument.type, argument.count);
    } else if (kind == "scalar") {
      argument.kind = ArgumentKind::scalar;
      good = element_type(argument.type);
      for (u32 i = 0; good && i < argument.type.lanes; ++i) {
        Number value;
        good = i == 0 || reader_.take(',') || fail("case-syntax", "a vector needs one value per lane");
        good = good && number(value);
        argument.scalars.push_back(value);
      }
    } else if (kind == "sampler") {
      good = sampler(argument);
    } else if (std::any_of(image_kinds.begin(), image_kinds.end(),
                           [&](const ImageKind& k) { return k.name == kind; })) {
      good = image(argument, kind);
    } else {
      std::vector<std::string> kinds = {"buffer", "local", "scalar", "sampler"};
      for (const ImageKind& k : image_kinds) kinds.emplace_back(k.name);
      return unknown("argument-kind", kind, kinds);
    }
    if (!good || !at_line_end()) {
      return false;
    }
    test_.arguments.push_back(std::move(argument));
    return true;
  }

  std::optional<u32> find_argument(const std::string& name) const {
    for (u32 i = 0; i < test_.arguments.size(); ++i) {
      if (test_.arguments[i].name == name) {
        return i;
      }
    }
    return std::nullopt;
  }

  bool argument_name(u32& index) {
    const std::string name = reader_.word();
    const std::optional<u32> found = find_argument(name);
    if (!found) {
      std::vector<std::string> names;
      for (const Argument& a : test_.arguments) {
        names.push_back(a.name);
      }
      return unknown("argument", name, names);
    }
    index = *found;
    return true;
  }

  bool extents(std::array<u64, 3>& result, u32& count, bool zero_allowed) {
    count = 0;
    do {
      Number value;
      if (count == 3) {
        return fail("case-syntax", "at most three dimensions");
      }
      if (!number(value)) {
        return false;
      }
      if (!value.is_integer || value.integer < (zero_allowed ? 0 : 1)) {
        return fail("case-value", "a size must be a positive integer");
      }
      result[count++] = static_cast<u64>(value.integer);
    } while (reader_.take(','));
    return true;
  }

  bool launch() {
    Launch launch;
    launch.line = line_;
    u32 global_dimensions = 0;
    u32 local_dimensions = 0;
    bool all_arguments = true;
    while (!reader_.at_end()) {
      const std::string key = reader_.word();
      if (!reader_.take('=')) {
        return fail("case-syntax", "'launch' takes name=value pairs");
      }
      u32 ignored = 0;
      if (key == "kernel") {
        launch.kernel = reader_.word();
      } else if (key == "global") {
        if (!extents(launch.global, global_dimensions, false)) {
          return false;
        }
      } else if (key == "local") {
        if (!extents(launch.local, local_dimensions, false)) {
          return false;
        }
      } else if (key == "offset") {
        if (!extents(launch.offset, ignored, true)) {
          return false;
        }
      } else if (key == "args") {
        all_arguments = false;
        do {
          u32 index = 0;
          if (!argument_name(index)) {
            return false;
          }
          launch.arguments.push_back(index);
        } while (reader_.take(','));
      } else {
        return unknown("launch-key", key, {"kernel", "global", "local", "offset", "args"});
      }
    }
    if (launch.kernel.empty() || global_dimensions == 0 || global_dimensions != local_dimensions) {
      return fail("case-syntax", "a launch needs kernel, global and local, the last two of equal dimensions");
    }
    launch.dimensions = global_dimensions;
    for (u32 i = 0; i < 3; ++i) {
      if (launch.global[i] % launch.local[i] != 0) {
        return fail("case-value", "the group size does not divide the global size");
      }
    }
    takes_all_.push_back(all_arguments);
    test_.launches.push_back(std::move(launch));
    return true;
  }

  bool comparison() {
    Comparison comparison;
    comparison.line = line_;
    if (!argument_name(comparison.argument)) {
      return false;
    }
    const Argument& argument = test_.arguments[comparison.argument];
    if (argument.kind != ArgumentKind::buffer && argument.kind != ArgumentKind::image) {
      return fail("case-value", "'" + argument.name + "' has no memory to compare");
    }
    bool exact = false;
    bool tolerant = false;
    while (!reader_.at_end()) {
      const std::string word = reader_.word();
      if (word == "exact" || word == "flush") {
        exact = exact || word == "exact";
        comparison.flush = comparison.flush || word == "flush";
        continue;
      }
      f64* target = word == "ulp"   ? &comparison.ulps
                    : word == "abs" ? &comparison.absolute
                    : word == "rel" ? &comparison.relative
                                    : nullptr;
      if (target == nullptr) {
        return unknown("criterion", word, {"exact", "ulp", "abs", "rel", "flush"});
      }
      Number value;
      if (!reader_.take('=') || !number(value)) {
        return error_ ? false : fail("case-syntax", "'" + word + "' needs a value");
      }
      *target = value.real;
      tolerant = true;
    }
    if (exact == tolerant) {
      return fail("case-syntax", "say either 'exact' or one of ulp=, abs=, rel=");
    }
    test_.comparisons.push_back(comparison);
    return true;
  }

  bool needs() {
    do {
      const std::string word = reader_.word();
      if (std::find(need_names.begin(), need_names.end(), word) == need_names.end()) {
        return unknown("need", word, need_names);
      }
      test_.needs.push_back(word);
    } while (reader_.take(',') || !reader_.at_end());
    return true;
  }

  bool witness() {
    const std::string word = reader_.word();
    if (word != "pocl" && word != "reference") {
      return unknown("witness", word, {"pocl", "reference"});
    }
    test_.witness = word == "pocl" ? Witness::pocl : Witness::reference;
    return at_line_end();
  }

  bool finish() {
    for (u32 i = 0; i < test_.launches.size(); ++i) {
      for (u32 k = 0; takes_all_[i] && k < test_.arguments.size(); ++k) {
        test_.launches[i].arguments.push_back(k);
      }
    }
    if (test_.launches.empty() || test_.comparisons.empty()) {
      return fail("case-incomplete",
                  "a case needs at least one 'launch:' and one 'compare:' in its leading comment");
    }
    return true;
  }

  std::string_view text_;
  Reader reader_;
  Case test_;
  std::vector<bool> takes_all_;  // by launch: no args= was given, so it takes every argument of the case
  u32 line_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace

bool Case::has_need(std::string_view need) const {
  return std::find(needs.begin(), needs.end(), need) != needs.end();
}

Expected<Case> parse_case(const std::string& path, std::string_view text) {
  return Parser(path, text).parse();
}

Expected<Argument> parse_argument(const std::string& where, std::string_view text) {
  return Parser(where, "").parse_one_argument(text);
}

Expected<Case> read_case(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Diagnostic{"missing-file", Place{path, 0, 0}, "cannot read the case", ""};
  }
  std::ostringstream text;
  text << file.rdbuf();
  return parse_case(path, text.str());
}

}  // namespace lockstep::corpus
