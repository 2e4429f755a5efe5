// A cache of two halves: the clusters of each are nearer to their own.
//
// A line belongs to one half, where it is written back from and where atomics on it are performed. What a
// cluster of the other half reads or writes whole is copied to its half, so that it comes as fast from there
// the next time; a write or an atomic that goes by the copy's half ends the copy. Both halves evict what was
// used longest ago, be it their own or a copy: of data that all clusters read the cache holds half of its
// size, of data of which each half reads its own part all of it (measured on an H200:
// experiments/h200-timing/partitions.txt).
//
// A slice stands for one of each half here, which have half of its sets each: it has the copies of its own
// lines, as many as its partner's would be where lines and clusters are spread alike.
#include "time/memory/slice_steps.h"

namespace lockstep {

// Whether the half of who asks has a copy that serves it. One whose line is still on its way has not come
// either.
bool Slice::read_copy(const Mail& mail, u32 set, u64 now) {
  const u64 line = mail.address >> line_shift_;
  const u32 need = needed(mail);
  const u32 copy = tags_.peek_in(line | copy_bit, set ^ 1);
  if (copy == Tags::none || (need & ~tags_.data(copy).valid) != 0) return false;
  const u32 own = tags_.peek_in(line, set);
  if (own != Tags::none && tags_.miss(own) != Tags::arrived && (need & ~tags_.data(own).valid) != 0)
    return false;
  tags_.use(copy, set ^ 1);
  ++counts_.reads;
  ++counts_.hits;
  serve(mail, copy, now, static_cast<u8>(level_ + 1));
  if (mail.streaming()) tags_.age(copy);
  return true;
}

// These words of the line are in the other half, too, if there is room.
void Slice::keep_copy(u64 line, u32 set, u32 words, u64 now) {
  set ^= 1;
  u32 copy = tags_.find_in(line | copy_bit, set);
  if (copy == Tags::none) {
    copy = tags_.victim_in(set);
    if (copy == Tags::none || (is_dirty(copy) && write_backs_ >= f_.misses)) return;
    take(line | copy_bit, set, copy, Tags::arrived);
    leave_together(now);
  }
  tags_.data(copy).valid |= words;
}

// What a request that the line's own half has served means for the copy.
void Slice::follow(const Mail& mail, u32 set, u64 now) {
  const u64 line = mail.address >> line_shift_;
  const bool far = far_from(mail);
  if (mail.kind() == MailKind::read) {
    if (!far) return;
    looked_up(now);  // in both halves
    if (mail.marked()) return;
    // With what was fetched beside it, as far as the line's own half has that or will have it.
    const u32 need = needed(mail), fetched = fetched_with(need);
    const u32 own = fetched != need ? tags_.peek_in(line, set) : Tags::none;
    u32 come = 0;
    if (own != Tags::none) {
      come = tags_.data(own).valid;
      if (tags_.miss(own) != Tags::arrived) come |= misses_[tags_.miss(own)].on_way;
    }
    keep_copy(line, set, need | (fetched & come), now);
    return;
  }
  if (mail.kind() == MailKind::write && far) {
    const u32 own = granule_shift(mail.size());
    u32 whole = 0;  // words of sectors that are written whole
    for (u32 at = 0; at < mail.size(); at += request_sector) {
      const u64 part = low_bits(request_sector >> own) << (at >> own);
      if ((mail.bytes & part) == part) whole |= words(mail.address + at, request_sector);
    }
    if (whole != 0) return keep_copy(line, set, whole, now);
    return;  // a copy is written, too
  }
  forget(line | copy_bit, set ^ 1);
}

}  // namespace lockstep
