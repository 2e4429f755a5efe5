// Figures by instruction of which there are only those that something was counted for: a kernel is a small
// part of a module of many.
#pragma once
#include <algorithm>
#include <vector>

#include "base/types.h"

namespace lockstep {

template <class Figures>
class InstructionTable {
 public:
  static constexpr u32 per_page = 16;

  InstructionTable() = default;
  // Of so many instructions, with the pages of these numbers, in rising order and each once; all figures are
  // zero.
  InstructionTable(std::size_t instructions, const std::vector<u32>& pages)
      : size_(instructions),
        place_((instructions + per_page - 1) / per_page, absent),
        pages_(pages),
        figures_(pages.size() * per_page) {
    for (u32 i = 0; i < pages.size(); ++i) place_[pages[i]] = i;
  }

  std::size_t size() const { return size_; }
  const Figures& operator[](std::size_t instruction) const {
    static const Figures none{};
    const u32 place = place_[instruction / per_page];
    return place == absent ? none : figures_[std::size_t{place} * per_page + instruction % per_page];
  }
  // Of a page that is there.
  Figures& at(std::size_t instruction) {
    return figures_[std::size_t{place_[instruction / per_page]} * per_page + instruction % per_page];
  }
  // Those that are there, by instruction; the others are zero.
  auto begin() const { return figures_.begin(); }
  auto end() const { return figures_.end(); }
  // Their instructions.
  std::vector<u32> present() const {
    std::vector<u32> found;
    found.reserve(figures_.size());
    for (const u32 page : pages_) {
      const u32 first = page * per_page;
      for (u32 i = first; i < first + per_page && i < size_; ++i) found.push_back(i);
    }
    return found;
  }

 private:
  static constexpr u32 absent = ~u32{0};
  std::size_t size_ = 0;
  std::vector<u32> place_;  // of each page among those that are there
  std::vector<u32> pages_;
  std::vector<Figures> figures_;
};

}  // namespace lockstep
