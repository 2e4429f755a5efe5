// Source: LLVM 14, "User Guide for AMDGPU Backend", Code Object V2 Metadata; the YAML is what LLVM's writer
// makes: blocks by indentation, "- " before list items, flow lists of scalars, plain and quoted scalars.
#include "isa/amd/metadata_v2.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/align.h"
#include "base/take_line.h"

namespace lockstep::amd {
namespace {

using nlohmann::json;

struct Line {
  std::size_t indent = 0;
  std::string_view text;  // without the indentation
  u32 number = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// `most_lists` bounds the lists within lists, each of which is a call.
json scalar(std::string_view text, u32 most_lists = 4) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    std::string plain;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      plain += text[i];
      if (text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
    }
    return plain;
  }
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return std::string(text.substr(1, text.size() - 2));
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']' && most_lists != 0) {
    json list = json::array();
    text = text.substr(1, text.size() - 2);
    while (!trimmed(text).empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      list.push_back(scalar(text.substr(0, comma), most_lists - 1));
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return list;
  }
  if (text == "true" || text == "false") return text == "true";
  i64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return number;
  return std::string(text);
}

class Reader {
 public:
  explicit Reader(std::vector<Line> lines) : lines_(std::move(lines)) {}

  // The block of lines that are indented by `indent` at least, from the current one on.
  json block(std::size_t indent, u32 most_levels = 16) {
    if (at_ >= lines_.size() || lines_[at_].indent < indent) return nullptr;
    if (most_levels == 0) {
      failed_ = lines_[at_].number;
      return nullptr;
    }
    const std::size_t here = lines_[at_].indent;
    const bool list = is_item(lines_[at_].text);
    json result = list ? json::array() : json::object();
    while (at_ < lines_.size() && lines_[at_].indent == here && is_item(lines_[at_].text) == list &&
           !failed_) {
      if (list) {
        // The item's first line belongs to what is indented behind the dash.
        Line& line = lines_[at_];
        const std::string_view rest = trimmed(line.text.substr(1));
        line.indent += line.text.size() - rest.size();
        line.text = rest;
        if (key_end(rest) == std::string_view::npos) {
          result.push_back(scalar(rest));
          ++at_;
        } else {
          result.push_back(block(line.indent, most_levels - 1));
        }
        continue;
      }
      const Line line = lines_[at_];
      const std::size_t colon = key_end(line.text);
      if (colon == std::string_view::npos) {
        failed_ = line.number;
        break;
      }
      ++at_;
      const std::string_view value = trimmed(line.text.substr(colon + 1));
      const std::string key(trimmed(line.text.substr(0, colon)));
      result[key] = value.empty() ? block(here + 1, most_levels - 1) : scalar(value);
    }
    if (at_ < lines_.size() && lines_[at_].indent > here && !failed_) failed_ = lines_[at_].number;
    return result;
  }
  u32 failed() const { return failed_; }
  bool finished() const { return at_ == lines_.size(); }

 private:
  static bool is_item(std::string_view text) { return text.starts_with("- "); }
  // The colon behind a plain key.
  static std::size_t key_end(std::string_view text) {
    if (text.empty() || text.front() == '\'' || text.front() == '"' || text.front() == '[')
      return std::string_view::npos;
    const std::size_t colon = text.find(':');
    return colon + 1 == text.size() || (colon < text.size() && text[colon + 1] == ' ')
               ? colon
               : std::string_view::npos;
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
  u32 failed_ = 0;
};

// "HiddenGlobalOffsetX" to "hidden_global_offset_x", as later versions write it.
std::string with_underscores(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !result.empty()) result += '_';
    result += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

u64 number_of(const json& map, const char* key) {
  const auto at = map.find(key);
  return at != map.end() && at->is_number_integer() ? at->get<u64>() : 0;
}

void copy(const json& from, const char* old_key, json& to, const char* key) {
  const auto at = from.find(old_key);
  if (at != from.end() && !at->is_null()) to[key] = *at;
}

// As copy, for enumerators.
void copy_word(const json& from, const char* old_key, json& to, const char* key) {
  const auto at = from.find(old_key);
  if (at != from.end() && at->is_string() && *at != "Default")
    to[key] = with_underscores(at->get<std::string>());
}

json argument(const json& old, u64& offset) {
  json made = json::object();
  const u64 size = number_of(old, "Size"), align = std::max<u64>(number_of(old, "Align"), 1);
  offset = align_up(offset, align);
  made[".offset"] = offset;
  made[".size"] = size;
  offset += size;
  copy(old, "Name", made, ".name");
  copy(old, "TypeName", made, ".type_name");
  copy_word(old, "ValueKind", made, ".value_kind");
  copy_word(old, "AddrSpaceQual", made, ".address_space");
  copy(old, "PointeeAlign", made, ".pointee_align");
  copy(old, "IsConst", made, ".is_const");
  copy(old, "IsRestrict", made, ".is_restrict");
  copy(old, "IsVolatile", made, ".is_volatile");
  copy_word(old, "AccQual", made, ".access");
  return made;
}

json kernel(const json& old) {
  json made = json::object();
  copy(old, "Name", made, ".name");
  const json properties = old.value("CodeProps", json::object());
  if (properties.is_object()) {
    copy(properties, "KernargSegmentSize", made, ".kernarg_segment_size");
    copy(properties, "GroupSegmentFixedSize", made, ".group_segment_fixed_size");
    copy(properties, "PrivateSegmentFixedSize", made, ".private_segment_fixed_size");
    copy(properties, "NumSGPRs", made, ".sgpr_count");
    copy(properties, "NumVGPRs", made, ".vgpr_count");
    copy(properties, "MaxFlatWorkGroupSize", made, ".max_flat_workgroup_size");
  }
  const json attributes = old.value("Attrs", json::object());
  if (attributes.is_object()) copy(attributes, "ReqdWorkGroupSize", made, ".reqd_workgroup_size");
  made[".args"] = json::array();
  const auto arguments = old.find("Args");
  u64 offset = 0;
  if (arguments != old.end() && arguments->is_array()) {
    for (const json& one : *arguments) {
      if (one.is_object()) made[".args"].push_back(argument(one, offset));
    }
  }
  return made;
}

}  // namespace

Expected<json> metadata_of_version2(std::string_view yaml, const std::string& name) {
  std::vector<Line> lines;
  u32 number = 0;
  while (!yaml.empty()) {
    std::string_view line = take_line(yaml);
    line = line.substr(0, line.find('\0'));
    ++number;
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos || line.starts_with("---") || line.starts_with("...")) continue;
    lines.push_back({indent, trimmed(line), number});
  }
  Reader reader(std::move(lines));
  const json old = reader.block(0);
  if (reader.failed() != 0 || !reader.finished() || !old.is_object()) {
    return Diagnostic{
        "bad-metadata",
        {name, 0, 0},
        fmt::format("the code object's metadata is not readable at its line {}", reader.failed()),
        ""};
  }
  json made = json::object();
  made["amdhsa.kernels"] = json::array();
  const auto kernels = old.find("Kernels");
  if (kernels != old.end() && kernels->is_array()) {
    for (const json& one : *kernels) {
      if (one.is_object()) made["amdhsa.kernels"].push_back(kernel(one));
    }
  }
  const auto formats = old.find("Printf");
  if (formats != old.end() && formats->is_array()) made["amdhsa.printf"] = *formats;
  return made;
}

}  // namespace lockstep::amd
