#include "compile/archive.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace lockstep {
namespace {

struct Writer {
  std::string bytes;

  template <class T>
    requires std::is_integral_v<T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string_view text) {
    put(u64{text.size()});
    bytes += text;
  }
  void put(const std::vector<std::string>& texts) {
    put(u64{texts.size()});
    for (const std::string& text : texts) put(std::string_view(text));
  }
};

struct ArchiveReader {
  std::string_view rest;
  bool good = true;

  std::string_view take(u64 size) {
    if (!good || size > rest.size()) {
      good = false;
      return {};
    }
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  template <class T>
  T get() {
    T value{};
    const std::string_view bytes = take(sizeof value);
    if (good) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(get<u64>())); }
  std::vector<std::string> texts() {
    std::vector<std::string> list;
    for (u64 left = count(); good && left != 0; --left) list.push_back(text());
    return list;
  }
  // A count of things that take at least one byte each.
  u64 count() {
    const u64 value = get<u64>();
    if (value > rest.size()) good = false;
    return good ? value : 0;
  }
};

// Whether a listing is one that the readers of listings could have made: what ISA rooms take for granted. Its
// instructions come in order and do not overlap, and lie no farther apart than the object is large.
bool well_formed(const CompiledObject& object) {
  const Listing& listing = object.listing;
  u64 end = 0;
  for (const ListingLine& line : listing.lines) {
    const bool whole_words = line.size_bytes >= 4 && line.size_bytes <= 20 && line.size_bytes % 4 == 0;
    const bool in_place = line.address >= end && line.address % 4 == 0 && line.address <= ~u64{0} - 20;
    const bool has_text = u64{line.text_offset} + line.text_bytes <= listing.texts.size();
    const bool has_file = line.file < listing.files.size() || line.file == ListingLine::no_file;
    if (!whole_words || !in_place || !has_text || !has_file) return false;
    end = line.address + line.size_bytes;
  }
  if (!listing.lines.empty() && end - listing.lines.front().address > object.elf.size()) return false;
  const auto labels = [](const ListingLabel& a, const ListingLabel& b) { return a.name >= b.name; };
  const auto functions = [](const ListingFunction& a, const ListingFunction& b) {
    return a.address > b.address;
  };
  return std::adjacent_find(listing.labels.begin(), listing.labels.end(), labels) == listing.labels.end() &&
         std::adjacent_find(listing.functions.begin(), listing.functions.end(), functions) ==
             listing.functions.end();
}

}  // namespace

std::string pack(const CompiledObject& object) {
  Writer out;
  out.put(std::string_view(object.target));
  out.put(std::string_view(object.log));
  out.put(std::string_view(reinterpret_cast<const char*>(object.elf.data()), object.elf.size()));
  const Listing& listing = object.listing;
  out.put(listing.files);
  out.put(std::string_view(listing.texts));
  out.put(u64{listing.lines.size()});
  for (const ListingLine& line : listing.lines) {
    out.put(line.address);
    for (const u32 word : line.words) out.put(word);
    for (const u32 value :
         {line.size_bytes, line.text_offset, line.text_bytes, line.file, line.line, line.column})
      out.put(value);
  }
  out.put(u64{listing.labels.size()});
  for (const ListingLabel& label : listing.labels) {
    out.put(std::string_view(label.name));
    out.put(label.address);
  }
  out.put(u64{listing.functions.size()});
  for (const ListingFunction& function : listing.functions) {
    out.put(std::string_view(function.name));
    out.put(function.address);
    out.put(function.size_bytes);
    out.put(u8{function.kernel});
  }
  out.put(object.unset_constants);
  return std::move(out.bytes);
}

std::optional<CompiledObject> unpack_object(std::string_view bytes) {
  ArchiveReader in{bytes};
  CompiledObject made;
  made.target = in.text();
  made.log = in.text();
  const std::string_view elf = in.take(in.get<u64>());
  made.elf.assign(elf.begin(), elf.end());
  Listing& listing = made.listing;
  listing.files = in.texts();
  listing.texts = in.text();
  for (u64 left = in.count(); in.good && left != 0; --left) {
    ListingLine line;
    line.address = in.get<u64>();
    for (u32& word : line.words) word = in.get<u32>();
    for (u32* value :
         {&line.size_bytes, &line.text_offset, &line.text_bytes, &line.file, &line.line, &line.column})
      *value = in.get<u32>();
    listing.lines.push_back(line);
  }
  for (u64 left = in.count(); in.good && left != 0; --left) {
    ListingLabel label;
    label.name = in.text();
    label.address = in.get<u64>();
    listing.labels.push_back(std::move(label));
  }
  for (u64 left = in.count(); in.good && left != 0; --left) {
    ListingFunction function;
    function.name = in.text();
    function.address = in.get<u64>();
    function.size_bytes = in.get<u64>();
    function.kernel = in.get<u8>() != 0;
    listing.functions.push_back(std::move(function));
  }
  made.unset_constants = in.texts();
  if (!in.good || !in.rest.empty() || !well_formed(made)) return std::nullopt;
  return made;
}

std::string pack(const PtxText& text) {
  Writer out;
  out.put(std::string_view(text.target));
  out.put(std::string_view(text.ptx));
  out.put(std::string_view(text.log));
  out.put(text.unset_constants);
  return std::move(out.bytes);
}

std::optional<PtxText> unpack_ptx(std::string_view bytes) {
  ArchiveReader in{bytes};
  PtxText made;
  made.target = in.text();
  made.ptx = in.text();
  made.log = in.text();
  made.unset_constants = in.texts();
  if (!in.good || !in.rest.empty()) return std::nullopt;
  return made;
}

}  // namespace lockstep
