// Runs of lines in a slice (granules.h): what happens to lines of the same fate happens to them together.
#include <algorithm>
#include <bit>

#include "time/memory/slice_steps.h"

namespace lockstep {

// The first lines of what is left of a run.
inline Mail Slice::part_of(const Mail& rest, u32 count) const {
  Mail part = rest;
  part.resize(count << line_shift_);
  if (rest.kind() == MailKind::read) {
    const u32 first = static_cast<u32>(std::countr_zero(rest.bytes));
    part.bytes = low_bits(count) << first;
  } else {
    part.bytes = rest.bytes & low_bits(count << line_shift_ >> 2);
    if (count == 1) part.bytes = granules_of(part.bytes, f_.line_bytes);
  }
  return part;
}

// Looks up lines from `first` on. False when what is left has to wait for an answer to arrive.
bool Slice::look_up_run(Mail& rest, u64 now, u64 first) {
  lack_ = Lack::nothing_known;
  u64 at = first;
  while (true) {
    const u32 lines = rest.size() >> line_shift_;
    const bool reads = rest.kind() == MailKind::read;
    const u32 done = reads ? read_lines(rest, now, at) : write_lines(rest, now, at);
    if (done == lines) return true;
    if (done == 0) {
      if (lines == 1 && !reads) rest.bytes = granules_of(rest.bytes, f_.line_bytes);  // it is no run any more
      rest.cycle = static_cast<u16>(set_of(rest));
      ++counts_.blocked;
      return false;
    }
    rest.address += u64{done} << line_shift_;
    rest.resize((lines - done) << line_shift_);
    if (reads) {
      rest.bytes &= ~low_bits(static_cast<u32>(std::countr_zero(rest.bytes)) + done);
    } else {
      rest.bytes >>= done << line_shift_ >> 2;
    }
  }
}

// The first lines of what is left, as long as they are there, or come by the same miss; how many that are.
u32 Slice::read_lines(const Mail& rest, u64 now, u64& at) {
  const u32 lines = rest.size() >> line_shift_;
  const u64 line = rest.address >> line_shift_, inner = inner_line(rest.address);
  const u32 set = tags_.set_at(hashed(inner));
  u32 entry = tags_.find_in(line, set);
  if (entry == Tags::none) return miss_lines(rest, now, at);
  const auto there = [&](u32 of) { return (full_line_ & ~tags_.data(of).valid) == 0; };
  u32 count = 1;
  if (there(entry)) {
    while (true) {
      if (rest.streaming()) tags_.age(entry);
      at = look_up_next(at);
      if (count == lines) break;
      const u64 next = line + count;
      entry = tags_.find_in(next, tags_.set_at(hashed(inner + count)));
      if (entry == Tags::none || !there(entry)) break;
      ++count;
    }
    counts_.reads += count;
    counts_.hits += count;
    serve_lines(part_of(rest, count), entry, std::max(look_up_cycle_, now), static_cast<u8>(level_ + 1));
    return count;
  }
  const u32 miss = tags_.miss(entry);
  if (miss == Tags::arrived || misses_[miss].lines == 1) {
    if (!read(part_of(rest, 1), set, std::max(at, now), entry)) return 0;
    at = look_up_next(at);
    return 1;
  }
  const Miss& of = misses_[miss];
  u32 place = of.place_of(entry);
  const u32 first = place;
  at = look_up_next(at);
  while (count < lines && place + 1 < of.lines) {
    const u64 next = line + count;
    const u32 found = tags_.find_in(next, tags_.set_at(hashed(inner + count)));
    if (found == Tags::none || tags_.miss(found) != miss || there(found)) break;
    at = look_up_next(at);
    ++place;
    ++count;
  }
  counts_.reads += count;
  counts_.merges += count;
  wait_for(miss, part_of(rest, count), low_bits32(count) << first);
  return count;
}

// Asks for the first lines of what is left that are not there.
u32 Slice::miss_lines(const Mail& rest, u64 now, u64& at) {
  const u32 lines = rest.size() >> line_shift_;
  const u64 line = rest.address >> line_shift_, inner = inner_line(rest.address);
  // All of it, or none: parts would ask for parts of their own, and so on.
  if (missing_ != 0 && missing_ + lines > f_.misses) {
    refuse(Lack::miss);
    return 0;
  }
  const u32 most = std::min(lines, f_.misses);
  const u32 number = new_miss();
  std::array<u32, most_run_lines> entries{};
  u32 count = 0;
  while (count < most) {
    const u64 next = line + count;
    const u32 set = tags_.set_at(hashed(inner + count));
    if (count != 0 && tags_.find_in(next, set) != Tags::none) break;
    // When lines are on their way to all entries of the set, what a load reads is not kept.
    u32 victim = tags_.victim_in(set);
    if (victim != Tags::none) {
      if (!may_leave(victim)) break;
      take(next, set, victim, number);
      if (rest.streaming()) tags_.age(victim);
    }
    entries[count++] = victim;
    at = look_up_next(at);
  }
  if (count == 0) {
    free_misses_.push_back(number);
    return 0;
  }
  const u64 end = std::max(look_up_cycle_, now);
  leave_together(end);
  missing_ += count;
  counts_.reads += count;
  counts_.misses += count;
  Miss& miss = misses_[number];
  miss = {};
  miss.entry = entries[0];
  miss.lines = count;
  std::copy(entries.begin() + 1, entries.end(), miss.later.begin());
  if (count == 1) {
    fetch(number, line, full_line_, end + 1);
    wait_for(number, part_of(rest, 1), full_line_);
    return 1;
  }
  miss.parts = count;
  Mail mail;
  mail.address = line << line_shift_;
  mail.bytes = low_bits(count);
  mail.what = Mail::what_of(MailKind::read, count << line_shift_);
  mail.tag = static_cast<u32>(Reply::miss) << reply_shift | number;
  send_on(mail, end + 1);
  wait_for(number, part_of(rest, count), low_bits32(count));
  return count;
}

// The first lines of what is left of a store that this slice takes, or sends on.
u32 Slice::write_lines(const Mail& rest, u64 now, u64& at) {
  const u32 lines = rest.size() >> line_shift_, words = f_.line_bytes / 4;
  const u64 line = rest.address >> line_shift_, inner = inner_line(rest.address);
  u32 count = 0, moved = 0, bytes = 0;
  bool taken = false;
  while (count < lines) {
    const u64 next = line + count;
    const u32 set = tags_.set_at(hashed(inner + count));
    u32 entry = tags_.find_in(next, set);
    const bool present = entry != Tags::none;
    const bool takes = f_.write_back && (present || f_.allocates_stores);
    if (count != 0 && takes != taken) break;
    taken = takes;
    if (!takes && forwarded_ + count >= f_.misses) {
      refuse(Lack::forward);
      break;
    }
    if (takes && !present) {
      entry = tags_.victim_in(set);
      if (!may_leave(entry)) break;
      take(next, set, entry, Tags::arrived);
    }
    ++(present ? counts_.hits : counts_.misses);
    const u64 written = rest.bytes >> count * words & low_bits(words);
    const u32 here = static_cast<u32>(std::popcount(written)) * 4;
    bytes += here;
    moved += std::max(here, f_.write_bytes);
    if (takes || present) {
      tags_.data(entry).valid |= static_cast<u32>(written);
      if (takes) tags_.data(entry).dirty |= static_cast<u32>(written);
      if (rest.streaming()) tags_.age(entry);
    }
    at = look_up_next(at);
    ++count;
  }
  if (count == 0) return 0;
  dirtied_ |= taken;
  const u64 end = std::max(look_up_cycle_, now);
  leave_together(end);
  counts_.writes += count;
  counts_.write_bytes += bytes;
  const u64 start = std::max(end + 1 - count, free_);
  const u32 cycles = storing_.cycles(moved, f_.write_bytes, 1, start == free_);
  busy(start, cycles);
  const u64 done = std::max(start + cycles, end + 1);
  const Mail part = part_of(rest, count);
  if (taken) {
    answer(part, done, static_cast<u8>(level_ + 1));
  } else {
    forward(part, done);
  }
  return count;
}

// Dirty lines whose entries were taken: those that lie side by side go together.
void Slice::send_leaving(u64 now) {
  const u32 words = f_.line_bytes / 4;
  for (u32 i = 0; i < leaving_count_;) {
    const u64 line = leaving_[i].line;
    Mail mail;
    u32 count = 0;
    while (i + count < leaving_count_ && leaving_[i + count].line == line + count &&
           (line & (run_lines_ - 1)) + count < run_lines_) {
      mail.bytes |= u64{leaving_[i + count].dirty} << count * words;
      ++count;
    }
    if (count <= 1) {
      write_back(line, leaving_[i].dirty, now);
      ++i;
      continue;
    }
    mail.address = line << line_shift_;
    mail.what = Mail::what_of(MailKind::write, count << line_shift_);
    mail.tag = static_cast<u32>(Reply::write_back) << reply_shift;
    counts_.write_backs += count;
    write_backs_ += count;
    send_on(mail, now);
    i += count;
  }
  leaving_count_ = 0;
}

// Some lines of a run have come.
void Slice::fill_run(u32 number, const Mail& mail, u64 now) {
  Miss& miss = misses_[number];
  const u64 came = mail.bytes != 0 ? mail.bytes : low_bits(miss.lines);
  for (u64 bits = came; bits != 0; bits &= bits - 1) {
    const u32 entry = miss.entry_of(static_cast<u32>(std::countr_zero(bits)));
    if (entry == Tags::none) continue;
    tags_.data(entry).valid = full_line_;
    tags_.set_miss(entry, Tags::arrived);
  }
  miss.valid |= static_cast<u32>(came);
  const u32 count = static_cast<u32>(std::popcount(came));
  miss.parts -= count;
  missing_ -= count;
  serve_waiters(miss, ~miss.valid, now, static_cast<u8>(mail.detail));
  ++ended_misses_;
  if (miss.parts == 0) free_misses_.push_back(number);
}

}  // namespace lockstep
