#include "count/address_counts.h"

#include <iterator>

namespace lockstep {

AddressCounts::Page& AddressCounts::make_page(u64 address) {
  const u64 region = address >> region_shift;
  if (regions_.empty()) first_region_ = region;
  if (region < first_region_) {
    std::vector<std::unique_ptr<Region>> grown(first_region_ - region);
    std::move(regions_.begin(), regions_.end(), std::back_inserter(grown));
    regions_ = std::move(grown);
    first_region_ = region;
  }
  if (region - first_region_ >= regions_.size()) regions_.resize(region - first_region_ + 1);
  std::unique_ptr<Region>& of = regions_[region - first_region_];
  if (of == nullptr) of = std::make_unique<Region>();
  std::unique_ptr<Page>& page = (*of)[address >> page_shift & (pages_per_region - 1)];
  if (page == nullptr) page = std::make_unique<Page>();
  return *page;
}

// Every word with its count, by address; words that no atomic reached may be among them.
template <class Told>
void AddressCounts::each(Told told) const {
  for (u64 r = 0; r < regions_.size(); ++r) {
    if (regions_[r] == nullptr) continue;
    for (u64 p = 0; p < pages_per_region; ++p) {
      const Page* page = (*regions_[r])[p].get();
      if (page == nullptr) continue;
      const u64 begin = ((first_region_ + r) << region_shift) + (p << page_shift);
      if (large_.empty()) {
        for (u64 w = 0; w < words_per_page; ++w) told(begin + 4 * w, u64{(*page)[w]});
        continue;
      }
      for (u64 w = 0; w < words_per_page; ++w) {
        const auto found = large_.find(begin / 4 + w);
        told(begin + 4 * w, (*page)[w] + (found == large_.end() ? 0 : found->second << 16));
      }
    }
  }
}

void AddressCounts::add(const AddressCounts& other) {
  other.each([this](u64 address, u64 count) {
    if (count == 0) return;
    add(address, static_cast<u32>(count & 0xFFFF));
    if (count > 0xFFFF) large_[address / 4] += count >> 16;
  });
}

AddressCounts::Hottest AddressCounts::hottest() const {
  Hottest hottest;
  each([&hottest](u64 address, u64 count) {
    if (count > hottest.count) hottest = {address, count};
  });
  return hottest;
}

}  // namespace lockstep
