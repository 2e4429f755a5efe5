#include "exec/check/race_shadow.h"

namespace lockstep::check {

RaceShadow::Page& RaceShadow::find(u64 number) {
  const u64 chunk = number / chunk_pages;
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  if (chunks_[chunk] == nullptr) chunks_[chunk] = std::make_unique<Chunk>();
  std::unique_ptr<Page>& page = (*chunks_[chunk])[number % chunk_pages];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    page->cells.resize(page_bytes / 4);
    bytes_ += page->cells.size() * sizeof(RaceCell);
    order_.push_back(number);
    last_number_ = number;
    last_ = page.get();
    make_room();
  }
  last_number_ = number;
  last_ = page.get();
  return *last_;
}

void RaceShadow::split(Page& page) {
  std::vector<RaceCell> cells(page_bytes);
  for (u64 i = 0; i < page_bytes; ++i) cells[i] = page.cells[i / 4];
  bytes_ += (cells.size() - page.cells.size()) * sizeof(RaceCell);
  page.cells.swap(cells);
  make_room();
}

void RaceShadow::make_room() {
  while (bytes_ > most_bytes_ && order_.size() > 1) {
    const u64 oldest = order_.front();
    order_.pop_front();
    if (oldest == last_number_) {
      order_.push_back(oldest);
      continue;
    }
    std::unique_ptr<Page>& page = (*chunks_[oldest / chunk_pages])[oldest % chunk_pages];
    bytes_ -= page->cells.size() * sizeof(RaceCell);
    page.reset();
    ++forgotten_;
  }
}

void RaceShadow::clear() {
  for (const u64 number : order_) (*chunks_[number / chunk_pages])[number % chunk_pages].reset();
  order_.clear();
  bytes_ = 0;
  last_ = nullptr;
}

}  // namespace lockstep::check
