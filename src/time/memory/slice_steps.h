// Steps of a slice's work that single lines and runs of them share, inlined into both.
#pragma once
#include <algorithm>
#include <bit>

#include "time/memory/slice.h"

namespace lockstep {

// Those of the line's words that the bytes touch.
inline u32 Slice::words(u64 address, u32 bytes) const {
  const u32 offset = static_cast<u32>(address & (f_.line_bytes - 1));
  const u32 first = offset >> word_shift_, last = (offset + bytes - 1) >> word_shift_;
  return low_bits32(last - first + 1) << first;
}

// A read of several sectors of a line may leave some out (shard.h).
inline bool Slice::leaves_out(const Mail& mail) const {
  return sectors_ != 1 && mail.kind() == MailKind::read && mail.bytes != 0;
}

// Those that the request is for.
[[gnu::always_inline]] inline u32 Slice::needed(const Mail& mail) const {
  if (!leaves_out(mail)) return words(mail.address, mail.size());
  u32 need = 0;
  for (u64 bits = mail.bytes; bits != 0; bits &= bits - 1)
    need |=
        words(mail.address + u64{request_sector} * static_cast<u32>(std::countr_zero(bits)), request_sector);
  return need;
}

[[gnu::always_inline]] inline u32 Slice::data_bytes(const Mail& mail) const {
  return leaves_out(mail) ? static_cast<u32>(std::popcount(mail.bytes)) * request_sector : mail.size();
}

// The words that are fetched where these are.
inline u32 Slice::fetched_with(u32 words) const {
  if (fetch_words_ == sector_words_) return words;
  u32 fetched = 0;
  for (u32 left = words; left != 0; left &= ~fetched)
    fetched |= low_bits32(fetch_words_) << (static_cast<u32>(std::countr_zero(left)) & ~(fetch_words_ - 1));
  return fetched;
}

// How much further than the nearest it is from a pair of clusters to a block's slice: evenly distributed, as
// an H200's latencies are within a few cycles (far.txt). Which pair is how far from which differs by board.
[[gnu::always_inline]] inline u32 Slice::spread(const Mail& mail) const {
  if (f_.spread_cycles == 0) return 0;
  const u64 which = (mail.address >> interleave_shift_ << 16) + (mail.from >> 1);
  return static_cast<u32>((which * 0x9E37'79B9'7F4A'7C15 >> 40) * f_.spread_cycles >> 24);
}

[[gnu::always_inline]] inline void Slice::answer(const Mail& mail, u64 time, u8 level) {
  Mail reply;
  reply.what = Mail::what_of(MailKind::answer, mail.size());
  reply.bytes = mail.kind() == MailKind::read && sectors_ == 1 ? mail.bytes : 0;
  reply.tag = mail.tag;
  reply.detail = level;
  const u32 way = mail.kind() == MailKind::read ? mail.back_cycles() : 0;
  outbox_->send(mail.from, time + (way != 0 ? way : f_.extra_cycles + f_.way_cycles + spread(mail)), reply);
}

[[gnu::always_inline]] inline void Slice::perform(const Mail& mail, u64 time) {
  if (!mail.ordered()) return;
  if (time < end_) {
    outbox_->perform(time, mail);
  } else {
    performs_.emplace_back(time, mail);
  }
}

// The line is there: its data go out as soon as the slice is free, those of atomics in turn.
[[gnu::always_inline]] inline void Slice::serve(const Mail& mail, u32 entry, u64 now, u8 level) {
  if (mail.kind() != MailKind::read) return serve_atomic(mail, entry, now, level);
  const u64 start = std::max(now, free_);
  const u32 bytes = data_bytes(mail);
  const u32 cycles = reading_.cycles(bytes, f_.read_bytes, f_.look_ups, start == free_);
  busy(start, cycles);
  counts_.read_bytes += bytes;
  perform(mail, start);
  answer(mail, start + cycles + way_over(mail, entry), level);
}

// Asks for the sectors of the missing words, those that lie side by side together.
inline void Slice::fetch(u32 miss, u64 line, u32 missing, u64 now) {
  const u32 sectors = sectors_, most = sectors_of_request_;
  if (sectors == 1) {
    Mail mail;
    mail.address = line << line_shift_;
    mail.what = Mail::what_of(MailKind::read, f_.sector_bytes);
    mail.tag = static_cast<u32>(Reply::miss) << reply_shift | 1u << count_shift | miss;
    send_on(mail, now);
    misses_[miss].on_way = full_line_;
    ++misses_[miss].parts;
    return;
  }
  const auto wanted = [&](u32 sector) {
    return (missing >> sector * sector_words_ & low_bits32(sector_words_)) != 0;
  };
  for (u32 sector = 0; sector < sectors;) {
    if (!wanted(sector)) {
      ++sector;
      continue;
    }
    u32 count = 1;
    while (count < most && sector + count < sectors && ((sector + count) & (most - 1)) != 0 &&
           wanted(sector + count))
      ++count;
    Mail mail;
    mail.address = (line << line_shift_) + u64{sector} * f_.sector_bytes;
    mail.what = Mail::what_of(MailKind::read, count * f_.sector_bytes);
    mail.tag =
        static_cast<u32>(Reply::miss) << reply_shift | count << count_shift | sector << sector_shift | miss;
    send_on(mail, now);
    misses_[miss].on_way |= low_bits32(count * sector_words_) << sector * sector_words_;
    ++misses_[miss].parts;
    sector += count;
  }
}

inline void Slice::wait_for(u32 number, const Mail& mail, u32 need) {
  u32 waiter = free_waiter_;
  if (waiter == no_index) {
    waiter = static_cast<u32>(waiters_.size());
    waiters_.emplace_back();
  } else {
    free_waiter_ = waiters_[waiter].next;
    if (free_waiter_ != no_index) __builtin_prefetch(&waiters_[free_waiter_], 1);
  }
  waiters_[waiter] = {mail, need, no_index};
  Miss& miss = misses_[number];
  (miss.last == no_index ? miss.first : waiters_[miss.last].next) = waiter;
  miss.last = waiter;
}

// Whether the entry can be taken for another line: not where lines are on their way to all of the set, or
// when a dirty one cannot leave yet.
inline bool Slice::may_leave(u32 victim) {
  if (victim == Tags::none) return refuse(Lack::line);
  if (is_dirty(victim) && write_backs_ + leaving_count_ >= f_.misses) return refuse(Lack::way_out);
  return true;
}

// Takes the victim's entry for the line, for which `miss` is under way; what was dirty leaves with the next
// leave_together().
inline void Slice::take(u64 line, u32 set, u32 victim, u32 miss) {
  if (is_dirty(victim)) leaving_[leaving_count_++] = {tags_.line(victim), tags_.data(victim).dirty};
  tags_.place_in(set, victim, line, miss);
  tags_.data(victim) = {};
}

// Reads, and atomics where they are performed.
[[gnu::always_inline]] inline bool Slice::read(const Mail& mail, u32 set, u64 now, u32 entry) {
  const u64 line = mail.address >> line_shift_;
  const u32 need = needed(mail);
  const bool present = entry != Tags::none;
  if (present && (need & ~tags_.data(entry).valid) == 0) {
    ++(mail.kind() == MailKind::atomic ? counts_.atomics : counts_.reads);
    ++counts_.hits;
    serve(mail, entry, now, static_cast<u8>(level_ + 1));
    if (mail.streaming()) tags_.age(entry);
    return true;
  }
  u32 miss = present ? tags_.miss(entry) : Tags::arrived;
  const bool merged = miss != Tags::arrived;
  if (!merged) {
    if (!may_miss()) return refuse(Lack::miss);
    // When lines are on their way to all entries of the set, what a load reads is not kept.
    const u32 victim = present ? entry : tags_.victim_in(set);
    const bool kept =
        mail.kind() == MailKind::atomic || (victim != Tags::none && (present || !mail.marked()));
    if (!present && kept && !may_leave(victim)) return false;
    miss = new_miss();
    ++missing_;
    if (present) {
      tags_.set_miss(entry, miss);
    } else if (kept) {
      entry = victim;
      take(line, set, victim, miss);
      leave_together(now);
    }
    misses_[miss] = {};
    misses_[miss].entry = kept ? entry : Tags::none;
    if (kept && mail.streaming()) tags_.age(entry);
  }
  ++(mail.kind() == MailKind::atomic ? counts_.atomics : counts_.reads);
  if (merged && misses_[miss].lines != 1) {
    ++counts_.merges;
    wait_for(miss, mail, 1u << misses_[miss].place_of(entry));
    return true;
  }
  const u32 missing = need & ~valid_of(misses_[miss]) & ~misses_[miss].on_way;
  ++(merged && missing == 0 ? counts_.merges : counts_.misses);
  if (missing != 0)
    fetch(miss, line, fetched_with(missing) & ~valid_of(misses_[miss]) & ~misses_[miss].on_way, now + 1);
  wait_for(miss, mail, need);
  return true;
}

// The lines, the first of which has the entry, are there, the last one since `end`.
inline void Slice::serve_lines(const Mail& mail, u32 entry, u64 end, u8 level) {
  const u32 lines = mail.lines(line_shift_);
  if (lines == 1) return serve(mail, entry, end, level);
  const u64 start = std::max(end + 1 - lines, free_);
  const u32 cycles = reading_.cycles(mail.size(), f_.read_bytes, f_.look_ups, start == free_);
  busy(start, cycles);
  counts_.read_bytes += mail.size();
  answer(mail, std::max(start + cycles, end + 1), level);
}

// Those who need nothing of what is still missing are served, in order.
[[gnu::always_inline]] inline void Slice::serve_waiters(Miss& miss, u32 missing, u64 now, u8 level) {
  u32 waiter = miss.first;
  miss.first = miss.last = no_index;
  while (waiter != no_index) {
    Waiter& one = waiters_[waiter];
    const u32 next = one.next;
    if ((one.need & missing) == 0) {
      const u32 line = miss.lines == 1 ? 0 : static_cast<u32>(std::countr_zero(one.need));
      serve_lines(one.mail, miss.entry_of(line), now, level);
      one.next = free_waiter_;
      free_waiter_ = waiter;
    } else {
      one.next = no_index;
      (miss.last == no_index ? miss.first : waiters_[miss.last].next) = waiter;
      miss.last = waiter;
    }
    waiter = next;
  }
}

}  // namespace lockstep
