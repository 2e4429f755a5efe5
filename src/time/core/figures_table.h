// Figures by instruction that cost only what was executed: pages of a few instructions, made when one of
// them is first asked for. Pages never move, and a table that begins anew uses its pages again. One for each
// host thread: all that its clusters count is in its own caches, and sums do not depend on how they are
// split.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/types.h"
#include "time/counters.h"

namespace lockstep {

class FiguresTable {
 public:
  // Of so many instructions; all figures are zero.
  void begin(std::size_t instructions) {
    for (const u32 page : used_) pages_[page] = nullptr;
    used_.clear();
    instructions_ = instructions;
    pages_.resize(std::max(pages_.size(), (instructions + per_page - 1) / per_page), nullptr);
  }

  InstructionFigures& operator[](u32 instruction) {
    Page* page = pages_[instruction / per_page];
    if (page == nullptr) [[unlikely]]
      page = make(instruction / per_page);
    return page->figures[instruction % per_page];
  }

  // What all of them counted, together.
  static InstructionTable<InstructionFigures> sum(std::span<const std::unique_ptr<FiguresTable>> tables) {
    std::size_t instructions = 0;
    std::vector<u32> pages;
    for (const auto& table : tables) {
      instructions = std::max(instructions, table->instructions_);
      pages.insert(pages.end(), table->used_.begin(), table->used_.end());
    }
    std::ranges::sort(pages);
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    InstructionTable<InstructionFigures> all(instructions, pages);
    for (const auto& table : tables) {
      for (const u32 page : table->used_) {
        const std::size_t first = std::size_t{page} * per_page;
        for (std::size_t i = 0; i < per_page; ++i) all.at(first + i) += table->pages_[page]->figures[i];
      }
    }
    return all;
  }

 private:
  static constexpr u32 per_page = InstructionTable<InstructionFigures>::per_page;
  struct alignas(64) Aligned : InstructionFigures {};
  struct Page {
    Aligned figures[per_page];
  };

  Page* make(u32 number) {
    if (used_.size() == store_.size()) store_.push_back(std::make_unique<Page>());
    Page* const page = store_[used_.size()].get();
    *page = {};
    used_.push_back(number);
    pages_[number] = page;
    return page;
  }

  std::size_t instructions_ = 0;
  std::vector<Page*> pages_;  // by number; null: nothing of it was asked for
  std::vector<u32> used_;     // numbers of those that are there, in the order of asking
  std::vector<std::unique_ptr<Page>> store_;
};

}  // namespace lockstep
