#include "count/address_counts.h"

namespace lockstep {

AddressCounts::Page& AddressCounts::page_of(u64 page) {
  std::unique_ptr<Page>& found = pages_[page];
  if (found == nullptr) found = std::make_unique<Page>();
  return *found;
}

void AddressCounts::add(const AddressCounts& other) {
  for (const auto& [number, words] : other.pages_) {
    Page& page = page_of(number);
    for (u64 i = 0; i < words_per_page; ++i) page[i] += (*words)[i];
  }
}

AddressCounts::Hottest AddressCounts::hottest() const {
  Hottest hottest;
  for (const auto& [number, words] : pages_) {
    for (u64 i = 0; i < words_per_page; ++i) {
      const u64 count = (*words)[i], address = (number << page_shift) + 4 * i;
      if (count > hottest.count || (count == hottest.count && count != 0 && address < hottest.address))
        hottest = {address, count};
    }
  }
  return hottest;
}

}  // namespace lockstep
