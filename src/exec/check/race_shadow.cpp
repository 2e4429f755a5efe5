#include "exec/check/race_shadow.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace lockstep::check {
namespace {

static_assert(std::is_trivial_v<RaceLine>, "pages are cleared as memory");

constexpr std::size_t cells_of(LineTouch::Kind kind) {
  return kind == LineTouch::Kind::byte_cells ? RaceLine::bytes : RaceLine::dwords;
}

// Into a cell that is being made of a line's touches, of which no more are unordered than it holds.
void put(RaceCell& cell, Sort sort, const Touch& touch) {
  if (sort == Sort::write) {
    cell.write = touch;
  } else if (sort == Sort::read) {
    cell.read[cell.read[0].exists() ? 1 : 0] = touch;
  } else if (!cell.atomic[0].exists()) {
    cell.atomic[0] = touch;
  } else if (!cell.atomic[1].exists() || sort != Sort::atomic_load) {
    cell.atomic[1] = touch;
  }
}

constexpr std::size_t list_of(LineTouch::Kind kind) {
  return kind == LineTouch::Kind::byte_cells ? 1 : 0;
}

}  // namespace

void RaceShadow::find(u64 number) {
  const u64 chunk = number / chunk_pages;
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  if (chunks_[chunk] == nullptr) chunks_[chunk] = std::make_unique<Chunk>();
  Page*& page = (*chunks_[chunk])[number % chunk_pages];
  last_number_ = number;
  if (page == nullptr) {
    page = new_page();
    bytes_ += page_cost_bytes;
    order_.push_back(number);
    make_room();
  }
  last_ = page;
}

RaceShadow::Page* RaceShadow::new_page() {
  if (!free_pages_.empty()) {
    Page* page = free_pages_.back();
    free_pages_.pop_back();
    std::memset(static_cast<void*>(page), 0, sizeof(Page));
    return page;
  }
  if (slab_left_ == 0) {
    slab_pages_ = std::clamp<std::size_t>(2 * slab_pages_, 2, 256);
    slab_left_ = slab_pages_;
    slabs_.push_back(std::make_unique<Page[]>(slab_pages_));
  }
  return &slabs_.back()[slab_pages_ - slab_left_--];
}

RaceCell* RaceShadow::new_cells(LineTouch::Kind kind) {
  bytes_ += cells_of(kind) * sizeof(RaceCell);
  std::vector<RaceCell*>& list = free_cells_[list_of(kind)];
  if (list.empty()) return cells_.emplace_back(std::make_unique<RaceCell[]>(cells_of(kind))).get();
  RaceCell* cells = list.back();
  list.pop_back();
  std::fill_n(cells, cells_of(kind), RaceCell{});
  return cells;
}

void RaceShadow::free_cells(const RaceLine& line) {
  const LineTouch::Kind kind = line.touches[0].kind();
  bytes_ -= cells_of(kind) * sizeof(RaceCell);
  free_cells_[list_of(kind)].push_back(line.cells());
}

void RaceShadow::make_cells(RaceLine& line, u64 reached) {
  using Kind = LineTouch::Kind;
  if (line.is_apart()) {
    RaceCell* cells = new_cells(Kind::byte_cells);
    for (u32 i = 0; i < RaceLine::bytes; ++i) cells[i] = line.cells()[i / 4];
    free_cells(line);
    line.set_cells(cells, Kind::byte_cells);
  } else {
    bool whole = is_whole_dwords(reached);
    for (const LineTouch& touch : line.touches) whole = whole && is_whole_dwords(touch.bytes);
    const Kind kind = whole ? Kind::dword_cells : Kind::byte_cells;
    const u32 width = whole ? 4 : 1;
    RaceCell* cells = new_cells(kind);
    for (const LineTouch& touch : line.touches) {
      for (u64 rest = touch.bytes; rest != 0;) {
        const u32 byte = static_cast<u32>(std::countr_zero(rest));
        rest &= ~(((u64{1} << width) - 1) << byte);
        RaceCell& cell = cells[byte / width];
        put(cell, touch.sort(), touch.at(byte));
      }
    }
    line.set_cells(cells, kind);
  }
  make_room();
}

std::span<RaceCell> RaceShadow::cells(u64 offset, u32 bytes) {
  const u64 within = offset % RaceLine::bytes;
  const u64 reached = (bytes == 64 ? ~u64{0} : (u64{1} << bytes) - 1) << within;
  RaceLine& at = line(offset);
  take_apart(at, reached);
  return {at.cells() + within / at.cell_bytes(), bytes / at.cell_bytes()};
}

Touch RaceShadow::unsure_at(u64 offset) const {
  const u64 number = offset / page_bytes, chunk = number / chunk_pages;
  if (chunk >= chunks_.size() || chunks_[chunk] == nullptr) return {};
  const Page* page = (*chunks_[chunk])[number % chunk_pages];
  if (page == nullptr) return {};
  const RaceLine& line = (*page)[offset % page_bytes / RaceLine::bytes];
  const u32 byte = static_cast<u32>(offset % RaceLine::bytes);
  if (line.is_apart()) {
    for (const Touch& touch : line.cells()[byte / line.cell_bytes()].atomic) {
      if (touch.exists() && touch.atomic_sort() == Sort::unsure) return touch;
    }
    return {};
  }
  for (const LineTouch& touch : line.touches) {
    if (touch.sort() == Sort::unsure && ((touch.bytes >> byte) & 1) != 0) return touch.at(byte);
  }
  return {};
}

void RaceShadow::drop(u64 number) {
  Page*& page = (*chunks_[number / chunk_pages])[number % chunk_pages];
  for (const RaceLine& line : *page) {
    if (line.is_apart()) free_cells(line);
  }
  bytes_ -= page_cost_bytes;
  free_pages_.push_back(page);
  page = nullptr;
}

void RaceShadow::make_room() {
  while (bytes_ > most_bytes_ && order_.size() > 1) {
    const u64 oldest = order_.front();
    order_.pop_front();
    if (oldest == last_number_) {
      order_.push_back(oldest);
      continue;
    }
    drop(oldest);
    ++forgotten_;
  }
}

void RaceShadow::clear() {
  for (const u64 number : order_) drop(number);
  order_.clear();
  last_ = nullptr;
}

}  // namespace lockstep::check
