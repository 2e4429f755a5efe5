#include "time/memory/slice.h"

#include <algorithm>
#include <bit>

#include "time/memory/slice_steps.h"

namespace lockstep {
namespace {

constexpr u32 atomic_words = 1024;  // addresses of a slice whose latest atomic is remembered
// Requests whose set of tags, and whose line in it, the host fetches before they are looked up.
constexpr std::size_t sets_ahead = 8, lines_ahead = 4;
// Bytes of a level's tags that stay in the second level of most hosts' caches, which is near enough.
constexpr std::size_t small_tags = 256 << 10;

}  // namespace

SliceCounts& SliceCounts::operator+=(const SliceCounts& other) {
  reads += other.reads;
  writes += other.writes;
  atomics += other.atomics;
  hits += other.hits;
  merges += other.merges;
  misses += other.misses;
  read_bytes += other.read_bytes;
  write_bytes += other.write_bytes;
  write_backs += other.write_backs;
  blocked += other.blocked;
  atomic_wait_cycles += other.atomic_wait_cycles;
  hot_atomic_cycles = std::max(hot_atomic_cycles, other.hot_atomic_cycles);
  busy_cycles += other.busy_cycles;
  most_waiting = std::max(most_waiting, other.most_waiting);
  return *this;
}

Slice::Slice(const Hierarchy& hierarchy, const AddressMap& map, u32 level, u32 group)
    : map_(map),
      f_(hierarchy.levels[level]),
      interleave_(map.interleave(level)),
      level_(level),
      next_group_(map.next_group(level, group)),
      last_(level + 1 == hierarchy.levels.size()),
      next_way_(last_ ? hierarchy.memory_way_cycles : hierarchy.levels[level + 1].way_cycles),
      next_line_(last_ ? f_.line_bytes : hierarchy.levels[level + 1].line_bytes),
      interleave_shift_(log2_of(f_.interleave_bytes)),
      line_shift_(log2_of(f_.line_bytes)),
      word_shift_(std::max(2u, line_shift_ - 5)),
      sector_words_(f_.sector_bytes >> word_shift_),
      fetch_words_(std::max(f_.fetch_bytes, f_.sector_bytes) >> word_shift_),
      run_lines_(hierarchy.run_lines),
      sectors_(f_.line_bytes / f_.sector_bytes),
      sectors_of_request_(std::min(sectors_, next_line_ / f_.sector_bytes)),
      piece_shift_(log2_of(last_ ? f_.sector_bytes : std::min(f_.line_bytes, next_line_))),
      full_line_(low_bits32(f_.line_bytes >> word_shift_)) {}

void Slice::build() {
  LOCKSTEP_ASSERT(f_.size_bytes / f_.line_bytes / f_.ways <= most_sets, "a slice has at most 65536 sets");
  if (tags_.entries() != 0) return;
  tags_ = Tags(std::max(1u, f_.size_bytes / f_.line_bytes / f_.ways), f_.ways);
  fetches_ahead_ = tags_.host_bytes() * f_.slices > small_tags;
}

// When it works on its own next, in the order of what waits.
inline u64 Slice::next_work() const {
  if (blocked_) return never;
  if (waiting_.empty() && clean_next_ == no_index) return never;
  return next_look_up();
}

u64 Slice::run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) {
  if (tags_.entries() == 0) build();
  outbox_ = &outbox;
  end_ = end;
  if (!performs_.empty()) {
    std::erase_if(performs_, [&](const std::pair<u64, Mail>& one) {
      if (one.first < end) outbox.perform(one.first, one.second);
      return one.first < end;
    });
  }
  std::size_t fetched_to_come = look_ahead(inbox);
  // Where nothing went on before answers came, as many were fetched as can go on now.
  const std::size_t fetch_below = blocked_ || !fetches_ahead_ ? 0 : lines_ahead;
  const u32* set_of_next = sets_.data();
  const Mail* next = inbox.data();
  const Mail* const last = next + inbox.size();
  u64 work = next_work();
  Mail arrived;  // what is left of a run
  while (true) {
    const u64 arrival = next != last ? begin + next->cycle : never;
    const bool arrives = arrival <= work;
    const Mail* request = next;
    u32 set = 0;
    bool fetched = false;
    u64 now = arrival;
    if (arrives) {
      if (next == last) break;
      ++next;
      if (request->kind() == MailKind::answer) {
        answered(*request, arrival);
        work = next_work();
        continue;
      }
      fetched = fetched_to_come != 0;
      fetched_to_come -= fetched;
      set = *set_of_next++;
      if (!waiting_.empty()) {
        enqueue(*request, set, fetched);
        continue;
      }
      if (next_look_up() > arrival) {
        enqueue(*request, set, fetched);
        work = next_work();
        continue;
      }
    } else {
      if (work >= end) break;
      if (waiting_.empty()) {
        clean_one(work);
        work = next_work();
        continue;
      }
      if (still_lacks()) {
        ++counts_.blocked;
        blocked_ = true;
        work = never;
        continue;
      }
      request = &waiting_.front().mail;
      set = waiting_.front().set();
      now = work;
    }
    bool done = false;
    if (is_run(*request)) {
      Mail& rest = arrives ? arrived = *request : waiting_.front().mail;
      request = &rest;
      const u64 first = arrives ? std::max(next_look_up(), now + 1 - rest.lines(line_shift_)) : now;
      done = look_up_run(rest, now, std::max(first, look_up_cycle_));
      set = rest.cycle;
    } else {
      done = look_up(*request, set, now);
    }
    if (!done) blocked_ = true;
    if (arrives) {
      if (!done) enqueue(*request, set, fetched);
    } else if (done) {
      waiting_.pop_front();
      fetched_ -= fetched_ != 0;
      if (fetch_below != 0) {
        if (waiting_.size() >= sets_ahead) tags_.prefetch_set(waiting_[sets_ahead - 1].set());
        if (fetched_ < fetch_below) prefetch_waiting(lines_ahead);
      }
    }
    work = next_work();
  }
  u64 wake = next_work();
  for (const auto& [time, mail] : performs_) wake = std::min(wake, time);
  return wake;
}

inline void Slice::enqueue(const Mail& mail, u32 set, bool fetched) {
  fetched_ += fetched && fetched_ == waiting_.size();
  if (!fetched && waiting_.size() < sets_ahead && fetches_ahead_) tags_.prefetch_set(set);
  Request& request = waiting_.push_back({mail});
  request.mail.cycle = static_cast<u16>(set);
  counts_.most_waiting = std::max<u64>(counts_.most_waiting, waiting_.size());
}

// The tags are a megabyte and more in all, and between two windows all other shards have used the host's
// caches: what this window reads of them, and of what waits for lines, is on its way to the nearest one while
// its first requests are served. How many of the window's requests that is asked for.
std::size_t Slice::look_ahead(std::span<const Mail> inbox) {
  if (sets_.size() < inbox.size()) {
    const std::size_t room = std::bit_ceil(inbox.size());
    requests_.resize(room);
    sets_.resize(room);
    came_.resize(room);
  }
  if (fetches_ahead_) {
    const std::size_t sets = std::min(sets_ahead, waiting_.size());
    for (std::size_t i = 0; i < sets; ++i) tags_.prefetch_set(waiting_[i].set());
  }
  // Which mail is what follows no pattern: lists are made without asking.
  std::size_t requests = 0, came = 0;
  for (const Mail& mail : inbox) {
    const bool answer = mail.kind() == MailKind::answer;
    requests_[requests] = &mail;
    requests += !answer;
    came_[came] = mail.tag & 0xFFFF;
    came += answer && static_cast<Reply>(mail.tag >> reply_shift) == Reply::miss;
  }
  for (std::size_t i = 0; i < requests; ++i) sets_[i] = set_of(*requests_[i]);
  if (!fetches_ahead_) return 0;
  // What was fetched in an earlier window may have left again. Of requests that are blocked each answer of
  // the kind that they wait for lets about one go on.
  fetched_ = 0;
  const std::size_t answers = inbox.size() - requests;
  if (!blocked_) {
    prefetch_waiting(lines_ahead);
  } else if (answers != 0) {
    prefetch_waiting((lack_ == Lack::miss || lack_ == Lack::line ? came : answers) + 1);
  }
  const std::size_t fetched = std::min(requests, waiting_.size() < lines_ahead ? 2 * lines_ahead : 0);
  for (std::size_t i = 0; i < fetched; ++i) prefetch_lines(*requests_[i], sets_[i]);
  for (std::size_t i = 0; i < came; ++i) {
    const Miss& miss = misses_[came_[i]];
    for (u32 line = 0; line < miss.lines; ++line) {
      if (miss.entry_of(line) != Tags::none) tags_.prefetch_entry(miss.entry_of(line));
    }
    if (miss.first == no_index) continue;
    __builtin_prefetch(&waiters_[miss.first]);
    __builtin_prefetch(&waiters_[miss.first].next);  // it may lie in two of the host's lines
  }
  return fetched;
}

// The same for the first of the requests that wait, from where it was not done before.
inline void Slice::prefetch_waiting(std::size_t requests) {
  requests = std::min(requests, waiting_.size());
  for (; fetched_ < requests; ++fetched_) prefetch_lines(waiting_[fetched_].mail, waiting_[fetched_].set());
}

// Of all its lines; `set`: of the first.
[[gnu::always_inline]] inline void Slice::prefetch_lines(const Mail& mail, u32 set) const {
  const u64 line = mail.address >> line_shift_;
  tags_.prefetch_line(line, set);
  if (is_far(mail)) tags_.prefetch_line(line | copy_bit, set ^ 1);
  if (!is_run(mail)) return;
  const u64 inner = inner_line(mail.address);
  for (u32 i = 1; i < mail.lines(line_shift_); ++i)
    tags_.prefetch_line(line + i, tags_.set_at(hashed(inner + i)));
}

// Whether the first request, which could not go on when it was looked up last, would find the same again.
inline bool Slice::still_lacks() const {
  const bool no_miss_ended = ended_misses_ == ended_misses_at_lack_;
  switch (lack_) {
    case Lack::nothing_known:
      break;
    case Lack::miss:
      return !may_miss();
    case Lack::line:
      return no_miss_ended;
    case Lack::way_out:
      return no_miss_ended && write_backs_ >= f_.misses;
    case Lack::forward:
      return !may_forward();
  }
  return false;
}

// False when it has to wait for an answer to arrive; then nothing has changed.
[[gnu::always_inline]] inline bool Slice::look_up(const Mail& mail, u32 set, u64 now) {
  if (is_far(mail) && mail.kind() == MailKind::read && read_copy(mail, set, now)) [[unlikely]] {
    looked_up(now);
    return true;
  }
  u32 entry = tags_.find_in(mail.address >> line_shift_, set);
  if (mail.device_wide() && !f_.write_back && f_.groups > 1 && entry != Tags::none &&
      tags_.miss(entry) == Tags::arrived) {
    tags_.invalidate(entry);
    entry = Tags::none;
  }
  lack_ = Lack::nothing_known;
  bool done = false;
  if (mail.kind() == MailKind::write) {
    done = write(mail, set, now, entry);
  } else if (mail.kind() == MailKind::atomic && !f_.holds_atomics) {
    done = atomic_on(mail, now, entry);
  } else {
    LOCKSTEP_ASSERT(mail.kind() == MailKind::read || mail.kind() == MailKind::atomic,
                    "a slice gets reads, writes, atomics and answers");
    done = read(mail, set, now, entry);
  }
  if (done) {
    if (has_halves()) [[unlikely]]
      follow(mail, set, now);
    if (!mail.merged()) looked_up(now);
  } else {
    ++counts_.blocked;
  }
  return done;
}

// An atomic that another level performs.
bool Slice::atomic_on(const Mail& mail, u64 now, u32 entry) {
  if (!may_forward()) return false;
  if (entry != Tags::none) {
    const u32 dirty = tags_.data(entry).dirty;
    if (dirty != 0 && write_backs_ >= f_.misses) return false;
    if (dirty != 0) write_back(mail.address >> line_shift_, dirty, now);
    tags_.data(entry).dirty = 0;
    tags_.invalidate(entry);
  }
  ++counts_.atomics;
  const u64 start = std::max(now, free_);
  busy(start, 1);
  forward(mail, start + 1);
  return true;
}

[[gnu::always_inline]] inline bool Slice::write(const Mail& mail, u32 set, u64 now, u32 entry) {
  const u64 line = mail.address >> line_shift_;
  const bool present = entry != Tags::none;
  const u32 own = granule_shift(mail.size());
  const u32 bytes = static_cast<u32>(std::popcount(mail.bytes)) << own;
  const bool takes = f_.write_back && (present || f_.allocates_stores);
  if (!takes && !may_forward()) return refuse(Lack::forward);
  if (takes && !present) {
    entry = tags_.victim_in(set);
    if (!may_leave(entry)) return false;
    take(line, set, entry, Tags::arrived);
    leave_together(now);
  }
  if (!mail.merged()) {
    ++counts_.writes;
    ++(present ? counts_.hits : counts_.misses);
  }
  counts_.write_bytes += bytes;
  if (takes || present) {
    // Of a word that is only partly written the rest is not known.
    const u32 apart = word_shift_ - own;
    u64 whole = mail.bytes, some = mail.bytes;
    for (u32 i = 0; i < apart; ++i) {
      whole &= whole >> (1u << i);
      some |= some >> (1u << i);
    }
    const u32 first = static_cast<u32>(mail.address & (f_.line_bytes - 1)) >> word_shift_;
    tags_.data(entry).valid |= static_cast<u32>(bits_apart(whole, apart)) << first;
    if (takes) {
      const bool was_clean = tags_.data(entry).dirty == 0;
      tags_.data(entry).dirty |= static_cast<u32>(bits_apart(some, apart)) << first;
      dirtied_ = true;
      if (f_.dirty_ways != 0 && was_clean) [[unlikely]]
        limit_dirty(set, entry, now);
    }
    if (mail.streaming()) tags_.age(entry);
  }
  u64& free = f_.stores_by_sectors ? stores_free_ : free_;
  const u64 start = std::max(now, free);
  u32 moved = bytes, more = 0;
  if (f_.stores_by_sectors) {
    moved = sectors_of(mail.bytes, mail.size(), request_sector) * request_sector;
    more = moved != bytes ? f_.partial_store_cycles : 0;
    if (!mail.merged()) moved -= mail.joined_sectors() * request_sector;
  }
  u32 cycles = storing_.cycles(moved, f_.write_bytes, 1, start == free) + more;
  if (mail.marked()) cycles = std::max(cycles, (bytes + 3) / 4 * f_.word_cycles);
  if (mail.merged()) cycles = 0;
  free = start + cycles;
  counts_.busy_cycles += cycles;
  if (takes) {
    perform(mail, start);
    answer(mail, start + cycles, static_cast<u8>(level_ + 1));
  } else {
    if (last_) perform(mail, start);  // memory knows no order
    forward(mail, start + cycles);
  }
  return true;
}

// Sends a request on as it is, under a tag of this slice.
void Slice::forward(const Mail& mail, u64 now) {
  u32 number = static_cast<u32>(forwards_.size());
  if (free_forwards_.empty()) {
    forwards_.emplace_back();
  } else {
    number = free_forwards_.back();
    free_forwards_.pop_back();
  }
  forwards_[number] = {mail, mail.lines(line_shift_)};
  forwarded_ += mail.lines(line_shift_);
  Mail on = mail;
  if (!on.ordered()) on.detail = 0;
  on.tag = static_cast<u32>(Reply::forward) << reply_shift | number;
  send_on(on, now);
}

[[gnu::always_inline]] inline void Slice::answered(const Mail& mail, u64 now) {
  const u32 number = mail.tag & 0x3FFF'FFFF;
  switch (static_cast<Reply>(mail.tag >> reply_shift)) {
    case Reply::miss:
      fill(mail, now);
      break;
    case Reply::forward:
      forward_answered(number, mail, now);
      break;
    case Reply::write_back:
      write_backs_ -= mail.lines(line_shift_);
      written_back_at_ = std::max(written_back_at_, now);
      break;
  }
  blocked_ = false;
  not_before_ = std::max(not_before_, now);
}

// A run may be answered in parts.
inline void Slice::forward_answered(u32 number, const Mail& mail, u64 now) {
  Forward& sent = forwards_[number];
  Mail part = sent.mail;
  const u32 lines = is_run(part) ? mail.lines(line_shift_) : 1;
  if (is_run(part)) part.resize(lines << line_shift_);
  answer(part, now, static_cast<u8>(mail.detail));
  forwarded_ -= lines;
  sent.lines -= lines;
  if (sent.lines == 0) free_forwards_.push_back(number);
}

// Sectors of a line have come: those who needed no more than what is there now are served, in order.
[[gnu::always_inline]] inline void Slice::fill(const Mail& mail, u64 now) {
  const u32 number = mail.tag & 0xFFFF;
  if (misses_[number].lines != 1) return fill_run(number, mail, now);
  const u32 sector = mail.tag >> sector_shift & 15, count = mail.tag >> count_shift & 15;
  const u32 part = low_bits32(count * sector_words_) << sector * sector_words_;
  Miss& miss = misses_[number];
  miss.on_way &= ~part;
  valid_of(miss) |= part;
  const u32 missing = full_line_ & ~valid_of(miss);
  serve_waiters(miss, missing, now, static_cast<u8>(mail.detail));
  if (--miss.parts != 0) return;
  LOCKSTEP_ASSERT(miss.first == no_index, "who waits for a line is served when all of it has come");
  if (miss.entry != Tags::none) tags_.set_miss(miss.entry, Tags::arrived);
  free_misses_.push_back(number);
  --missing_;
  ++ended_misses_;
}

void Slice::serve_atomic(const Mail& mail, u32 entry, u64 now, u8 level) {
  const u64 start = std::max(now, free_);
  const bool by_sectors = f_.atomic_bytes != 0;
  const AtomicWork work = AtomicWork::of(mail);
  const u64 address = mail.address + work.offset;  // of the most lanes
  const u64 line = mail.address >> line_shift_;
  const u32 cycles = by_sectors
                         ? atomic_cycles(work, start == free_, line == std::exchange(atomic_line_, line))
                         : reading_.cycles(mail.size(), f_.read_bytes, f_.look_ups, start == free_);
  busy(start, cycles);
  dirtied_ = true;
  const bool one_address = work.lanes <= work.most_same;
  tags_.data(entry).dirty |= one_address ? words(address & ~u64{f_.sector_bytes - 1}, f_.sector_bytes)
                                         : words(mail.address, mail.size());
  // Different words of the line side by side, as many as the slice has lanes; one address in turn.
  const u64 throughput = by_sectors ? 1 : (u64{work.lanes} + f_.atomic_lanes - 1) / f_.atomic_lanes;
  if (atomics_.empty()) atomics_.resize(atomic_words);
  AtomicWord& word = atomics_[address >> 2 & (atomic_words - 1)];
  u64 turn_begins = start + cycles;
  if (word.address == address && word.free > turn_begins) {
    counts_.atomic_wait_cycles += word.free - turn_begins;
    turn_begins = word.free;
  }
  const u64 others =
      std::min<u64>(work.most_same - std::min<u64>(work.most_same, 1), f_.atomic_conflict_lanes);
  const u64 turn =
      std::max({u64{1}, throughput, u64{work.most_same} * f_.atomic_cycles, u64{f_.atomic_line_cycles}}) +
      others * f_.atomic_conflict_cycles;
  word = {address, turn_begins + turn, (word.address == address ? word.busy : 0) + turn};
  counts_.hot_atomic_cycles = std::max(counts_.hot_atomic_cycles, word.busy);
  if (throughput > 1) {
    free_ += throughput - 1;
    counts_.busy_cycles += throughput - 1;
  }
  perform(mail, turn_begins);
  const u32 far = far_from(mail) ? f_.far_atomic_cycles : 0;
  answer(mail, turn_begins + turn - 1 + far, level);
}

}  // namespace lockstep
