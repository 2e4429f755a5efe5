// What both readers of listings share.
#pragma once
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/elf.h"
#include "isa/listing.h"

namespace lockstep {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

class ListingBuilder {
 public:
  u32 file(const std::string& name) {
    const auto [at, added] = files_.emplace(name, static_cast<u32>(listing_.files.size()));
    if (added) listing_.files.push_back(name);
    return at->second;
  }
  // `encoding` holds 4 to 20 bytes.
  void line(u64 address, std::span<const u8> encoding, std::string_view text, u32 file, u32 line,
            u32 column) {
    LOCKSTEP_ASSERT(encoding.size() <= 20, "an instruction has at most five words");
    ListingLine made;
    made.address = address;
    made.size_bytes = static_cast<u32>(encoding.size());
    std::memcpy(made.words.data(), encoding.data(), encoding.size());
    made.text_offset = static_cast<u32>(listing_.texts.size());
    made.text_bytes = static_cast<u32>(text.size());
    listing_.texts += text;
    made.file = file;
    made.line = line;
    made.column = column;
    listing_.lines.push_back(made);
  }
  void label(std::string_view name, u64 address) { labels_.emplace(name, address); }

  // Sorts, and adds the object's functions.
  Listing finish(const ElfFile& elf) {
    std::sort(listing_.lines.begin(), listing_.lines.end(),
              [](const ListingLine& a, const ListingLine& b) { return a.address < b.address; });
    std::set<std::string_view> kernels;
    for (const ElfSymbol& symbol : elf.symbols)
      if (symbol.name.ends_with(".kd")) kernels.insert(symbol.name);
    for (const ElfSymbol& symbol : elf.symbols) {
      if (symbol.section == 0 || symbol.section >= elf.sections.size() ||
          !elf.sections[symbol.section].executable() || symbol.name.empty())
        continue;
      const bool kernel = kernels.contains(symbol.name + ".kd");
      // Assembly by hand may leave out ".type name,@function".
      if (!symbol.function() && !kernel) continue;
      listing_.functions.push_back({symbol.name, symbol.value, symbol.size_bytes, kernel});
      labels_.emplace(symbol.name, symbol.value);
    }
    std::sort(listing_.functions.begin(), listing_.functions.end(),
              [](const ListingFunction& a, const ListingFunction& b) {
                return a.address != b.address ? a.address < b.address : a.name < b.name;
              });
    for (const auto& [name, address] : labels_) listing_.labels.push_back({name, address});
    return std::move(listing_);
  }

 private:
  Listing listing_;
  std::map<std::string, u32> files_;
  std::map<std::string, u64, std::less<>> labels_;
};

}  // namespace lockstep
