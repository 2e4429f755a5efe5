// What a slice keeps from launch to launch: lines that the host changes or reads, lines that leave when it is
// cleaned.
#include <algorithm>
#include <bit>

#include "time/memory/granules.h"
#include "time/memory/slice.h"

namespace lockstep {

void Slice::begin_launch() {
  counts_ = {};
  begin_phase();
}

void Slice::begin_phase() {
  tags_.drop_misses();
  misses_.clear();
  free_misses_.clear();
  waiters_.clear();
  free_waiter_ = no_index;
  forwards_.clear();
  free_forwards_.clear();
  missing_ = forwarded_ = write_backs_ = 0;
  atomics_.clear();
  atomic_line_ = ~u64{0};
  written_back_at_ = 0;
  waiting_.clear();
  fetched_ = 0;
  blocked_ = false;
  lack_ = Lack::nothing_known;
  free_ = stores_free_ = look_up_free_ = look_up_cycle_ = not_before_ = 0;
  look_ups_ = 0;
  reading_ = storing_ = writing_ = {};
  performs_.clear();
  clean_next_ = no_index;
}

void Slice::invalidate() {
  tags_.invalidate_all();
  dirtied_ = false;
}

void Slice::drop(u64 address) {
  if (tags_.entries() == 0) return;
  const u64 line = address >> line_shift_;
  const u32 at = tags_.set_at(set(address));
  forget(line, at);
  if (has_halves()) forget(line | copy_bit, at ^ 1);
}

void Slice::write_back_unseen(u64 address) {
  if (tags_.entries() == 0) return;
  const u32 entry = tags_.find(address >> line_shift_, set(address));
  if (entry != Tags::none) tags_.data(entry).dirty = 0;
}

template <class Change>
void Slice::change_range(u64 begin, u64 end, Change change) {
  const u64 first = begin >> line_shift_, last = (end - 1) >> line_shift_;
  for (u32 entry = 0; entry < tags_.entries(); ++entry) {
    const u64 line = tags_.line(entry);
    const u64 of = line & ~copy_bit;
    if (line != Tags::invalid && of >= first && of <= last) change(entry);
  }
}

void Slice::drop(u64 begin, u64 end) {
  change_range(begin, end, [this](u32 entry) { tags_.invalidate(entry); });
}

void Slice::write_back_unseen(u64 begin, u64 end) {
  change_range(begin, end, [this](u32 entry) { tags_.data(entry).dirty = 0; });
}

void Slice::hold(u64 address) {
  build();
  const u64 line = address >> line_shift_, index = set(address);
  if (tags_.find(line, index) != Tags::none) return;
  const u32 entry = tags_.victim(index);
  if (entry == Tags::none) return;
  tags_.place(entry, line, Tags::arrived);
  tags_.data(entry) = {full_line_, 0};
}

// Where sectors count: one address in turn, and each round has the sectors of the addresses that are still to
// be done, about half as many as the first. Old values go back at no cost behind an atomic
// on the same line.
u32 Slice::atomic_cycles(const AtomicWork& work, bool at_once, bool same_line) {
  const u32 later = (work.most_same - 1u) * std::max(1u, (work.sectors + 1u) / 2);
  const u32 sectors = std::clamp<u32>(work.sectors + later, 1, std::max<u32>(1, work.lanes));
  const bool slower = work.returns && f_.atomic_return_bytes != 0 && !same_line;
  const u32 bytes = slower ? f_.atomic_return_bytes : f_.atomic_bytes;
  return std::max(1u, writing_.cycles(sectors * request_sector, bytes, 1, at_once));
}

bool Slice::clean(u64 time) {
  if (!dirtied_) {
    invalidate();
    return false;
  }
  clean_next_ = 0;
  not_before_ = std::max(not_before_, time);
  return true;
}

// Sends the next dirty line on its way; after the last one the slice is empty.
void Slice::clean_one(u64 now) {
  const u32 entries = tags_.entries();
  while (clean_next_ < entries &&
         (tags_.data(clean_next_).dirty == 0 || tags_.line(clean_next_) == Tags::invalid))
    ++clean_next_;
  if (clean_next_ == entries) {
    clean_next_ = no_index;
    invalidate();
    return;
  }
  if (write_backs_ >= f_.misses) {
    blocked_ = true;
    return;
  }
  const u32 dirty = tags_.data(clean_next_).dirty;
  const u64 start = std::max(now, free_);
  write_back(tags_.line(clean_next_), dirty, start);
  tags_.data(clean_next_).dirty = 0;
  busy(start, f_.read_cycles(static_cast<u32>(std::popcount(dirty)) << word_shift_));
}

}  // namespace lockstep
