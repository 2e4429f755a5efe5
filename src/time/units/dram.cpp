#include "time/units/dram.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace lockstep {
namespace {

// From here on ages begin anew. A queue is shorter than that.
constexpr u32 most_age = u32{1} << 15;

u32 log2_of(u32 value) {
  return static_cast<u32>(std::countr_zero(value));
}

}  // namespace

DramChannel::DramChannel(const DramParameters& parameters)
    : p_(parameters),
      row_shift_(log2_of(parameters.row_bytes)),
      bank_bytes_shift_(parameters.bank_bytes == 0 ? 0 : log2_of(parameters.bank_bytes)),
      group_shift_(log2_of(parameters.bank_groups)),
      block_shift_(log2_of(parameters.block_bytes)),
      bank_shift_(log2_of(parameters.banks)),
      overtaken_at_most_(4 * parameters.queue),
      to_data_end_{parameters.tcl + parameters.burst_clocks, parameters.tcwl + parameters.burst_clocks},
      bus_idles_(parameters.bus_percent < 100),
      next_refresh_(parameters.refresh_interval == 0 ? no_time : parameters.refresh_interval) {
  const auto power = [](u32 value) { return std::has_single_bit(value); };
  LOCKSTEP_ASSERT(power(p_.banks) && p_.banks <= most_banks && power(p_.bank_groups) &&
                      p_.bank_groups <= p_.banks && power(p_.row_bytes) && power(p_.block_bytes) &&
                      p_.block_bytes <= p_.row_bytes && p_.burst_bytes > 0 && p_.burst_clocks > 0 &&
                      p_.queue > 0 && p_.queue < most_age,
                  "a channel has banks, groups, rows and bursts, each a power of two, and a queue");
  LOCKSTEP_ASSERT(p_.tras + p_.trp >= p_.trcd, "a row is open before the next one of its bank is opened");
  LOCKSTEP_ASSERT(p_.longest_wait() < DramParameters::most_wait,
                  "a bank waits for some thousand clocks at most");
  p_.tccd = std::max({1u, p_.tccd, p_.burst_clocks});
  p_.tccd_long = p_.bank_groups > 1 ? std::max(p_.tccd, p_.tccd_long) : p_.tccd;
  for (u32 bank = 0; bank < p_.banks; bank += p_.bank_groups) first_group_ |= u64{1} << bank;
}

DramCounts DramChannel::counts() const {
  DramCounts counts = counts_;
  counts.busy_clocks = (counts.reads + counts.writes) * p_.burst_clocks;
  return counts;
}

void DramChannel::prefetch() const {
  const auto all = [](const void* begin, const void* end) {
    for (const u8* at = static_cast<const u8*>(begin); at < end; at += 64) __builtin_prefetch(at, 1);
  };
  all(banks_.data(), banks_.data() + p_.banks);
  for (const Queue& queue : queues_) {
    all(queue.hit_age.data(), queue.hit_age.data() + p_.banks);
    all(queue.first_age.data(), queue.first_age.data() + p_.banks);
  }
  for (const Direction direction : {read, write}) {
    for (u64 bits = queues_[direction].pending; bits != 0; bits &= bits - 1) {
      const Bank& bank = banks_[static_cast<u32>(std::countr_zero(bits))];
      __builtin_prefetch(&requests_[bank.waiting[direction].first], 1);
    }
  }
}

// Requests that have arrived become visible to the choice, as far as its queue reaches.
void DramChannel::admit(u64 now) {
  for (const Direction direction : {read, write}) {
    const Queue& queue = queues_[direction];
    while (queue.next_incoming <= now && queue.visible < p_.queue) admit_one(direction, now);
  }
  choose_direction();
  admit_next();
}

inline void DramChannel::admit_one(Direction direction, u64 now) {
  Queue& queue = queues_[direction];
  if (queue.next_age == most_age) [[unlikely]]
    number_anew(queue);
  const u32 index = queue.incoming.front().request;
  queue.incoming.pop_front();
  constexpr std::size_t ahead = 3;
  if (queue.incoming.size() > ahead) __builtin_prefetch(&requests_[queue.incoming[ahead].request], 1);
  queue.next_incoming = queue.incoming.empty() ? no_time : queue.incoming.front().time;
  Request& request = requests_[index];
  const u32 bank = request.bank;
  request.age = static_cast<u16>(queue.next_age++);
  const bool alone = queue.visible == 0;
  queue.visible += request.places;
  if (alone) {
    queue.oldest = request.age;
    queue.oldest_bank = bank;
  }
  Waiting& waiting = banks_[bank].waiting[direction];
  request.previous = waiting.last;
  if (waiting.last == none) {
    waiting.first = index;
    queue.first_age[bank] = request.age;
  } else {
    requests_[waiting.last].next = index;
  }
  waiting.last = index;
  const u64 bit = u64{1} << bank;
  const bool waited = (queue.pending & ~queue.hits & bit) != 0;
  queue.pending |= bit;
  if (direction != direction_) return;
  if ((closing_ & bit) != 0 && banks_[bank].closes < now) closed_for_another(bank);
  if (waiting.hit == none && banks_[bank].row == request.row) {
    waiting.hit = index;
    queue.hit_age[bank] = request.age;
    queue.hits |= bit;
    keep_open(bank);
    columns_next_ = 0;
  } else if (!waited && waiting.hit == none) {
    if ((open_ & bit) != 0) {
      close_when_allowed(bank, now);
    } else {
      rows_next_ = std::min(rows_next_, activations_from_);
    }
  }
}

void DramChannel::admit_next() {
  admit_at_ = no_time;
  for (const Queue& queue : queues_) {
    if (queue.visible < p_.queue) admit_at_ = std::min(admit_at_, queue.next_incoming);
  }
}

// The order stays, the numbers become small.
void DramChannel::number_anew(Queue& queue) {
  const Direction direction = &queue == &queues_[read] ? read : write;
  std::vector<u32> visible;
  for (u64 bits = queue.pending; bits != 0; bits &= bits - 1) {
    const Bank& bank = banks_[static_cast<u32>(std::countr_zero(bits))];
    for (u32 i = bank.waiting[direction].first; i != none; i = requests_[i].next) visible.push_back(i);
  }
  std::ranges::sort(visible, {}, [this](u32 i) { return requests_[i].age; });
  queue.next_age = 0;
  for (const u32 i : visible) {
    Request& request = requests_[i];
    request.age = static_cast<u16>(queue.next_age++);
    const Waiting& waiting = banks_[request.bank].waiting[direction];
    if (waiting.first == i) queue.first_age[request.bank] = request.age;
    if (waiting.hit == i) queue.hit_age[request.bank] = request.age;
  }
  queue.oldest = visible.empty() ? none : requests_[visible.front()].age;
}

// Rows that are open by now.
inline void DramChannel::open_until(u64 now) {
  while (next_opened_ <= now) {
    opening_ &= ~openings_[first_opening_ % most_banks].bit;
    ++first_opening_;
    next_opened_ = first_opening_ == openings_end_ ? no_time : openings_[first_opening_ % most_banks].time;
  }
}

// Before they look like times to come. None has been set since `forget_at_`.
void DramChannel::forget_passed(u64 now) {
  const bool all = now >= forget_at_ + DramParameters::most_wait;
  resting_ = all ? 0 : later_banks(rested_, resting_, p_.banks, now);
  forget_at_ = now + DramParameters::most_wait;
}

// The oldest request from `from` on that is for the bank's open row.
inline void DramChannel::find_hit(u32 bank, Direction direction, u32 from) {
  const u64 row = banks_[bank].row;
  while (from != none && requests_[from].row != row) from = requests_[from].next;
  banks_[bank].waiting[direction].hit = from;
  Queue& queue = queues_[direction];
  const u64 bit = u64{1} << bank;
  if (from == none) {
    queue.hits &= ~bit;
  } else {
    queue.hits |= bit;
    queue.hit_age[bank] = requests_[from].age;
  }
}

// Of a direction that it turns to: meanwhile nobody followed which of its requests are for open rows.
void DramChannel::find_hits() {
  Queue& queue = queues_[direction_];
  queue.hits = 0;
  for (u64 bits = queue.pending; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    find_hit(bank, direction_, banks_[bank].waiting[direction_].first);
  }
}

inline void DramChannel::close(u32 bank) {
  const u64 bit = u64{1} << bank;
  banks_[bank].row = no_row;
  open_ &= ~bit;
  closing_ &= ~bit;
  banks_[bank].waiting[direction_].hit = none;
  queues_[direction_].hits &= ~bit;
}

// The bank's next row can be opened from then on.
inline void DramChannel::rest(u32 bank, u64 until) {
  rested_[bank] = static_cast<u16>(until);
  resting_ |= u64{1} << bank;
}

// Another row of the bank is wanted from now on. The open one closes as soon as it may, unless somebody asks
// for it before; that needs no step of its own.
inline void DramChannel::close_when_allowed(u32 bank, u64 now) {
  const u64 closes = std::max(banks_[bank].precharge, now);
  banks_[bank].closes = closes;
  closing_ |= u64{1} << bank;
  rest(bank, closes + p_.trp);
  rows_next_ = std::min(rows_next_, std::max(closes + p_.trp, activations_from_));
}

inline void DramChannel::closed_for_another(u32 bank) {
  close(bank);
  had_row_ |= u64{1} << bank;
}

// Its row does not close for another one.
inline void DramChannel::keep_open(u32 bank) {
  const u64 kept = closing_ & u64{1} << bank;
  closing_ &= ~kept;
  resting_ &= ~kept;
}

// Rows that were to close have, before `now`, or stay open.
void DramChannel::settle_rows(u64 now) {
  for (u64 bits = closing_; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    if (banks_[bank].closes < now) {
      closed_for_another(bank);
    } else {
      keep_open(bank);
    }
  }
}

// The bank's hit of the current direction has been served.
template <DramChannel::Direction direction>
[[gnu::always_inline]] inline void DramChannel::remove(u32 bank, u64 now) {
  Queue& queue = queues_[direction];
  Waiting& waiting = banks_[bank].waiting[direction];
  const u32 index = waiting.hit;
  Request& request = requests_[index];
  const u32 previous = request.previous, next = request.next;
  const u64 bit = u64{1} << bank;
  if (previous == none) {
    waiting.first = next;
    if (next == none) {
      queue.pending &= ~bit;
    } else {
      queue.first_age[bank] = requests_[next].age;
    }
  } else {
    requests_[previous].next = next;
  }
  (next == none ? waiting.last : requests_[next].previous) = previous;
  find_hit(bank, direction, next);
  if ((queue.pending & ~queue.hits & bit) != 0) close_when_allowed(bank, now);
  if (request.age == queue.oldest) {
    queue.oldest = none;
    if (queue.pending != 0) {
      queue.oldest_bank = least_bank(queue.first_age, queue.pending, p_.banks);
      queue.oldest = queue.first_age[queue.oldest_bank];
    }
  }
  --waiting_;
  const bool was_full = queue.visible >= p_.queue;
  queue.visible -= request.places;
  request.next = free_;
  free_ = index;
  if (was_full && queue.visible < p_.queue) {
    // Who waited for room takes it at once.
    while (queue.next_incoming <= now && queue.visible < p_.queue) admit_one(direction, now);
    if (queue.visible < p_.queue) admit_at_ = std::min(admit_at_, queue.next_incoming);
  }
  choose_direction();
}

// All banks are closed, then the channel is refreshed.
void DramChannel::refresh(u64 now) {
  settle_rows(next_refresh_);
  const u64 passed = (now - next_refresh_) / p_.refresh_interval;
  ++counts_.refreshes;
  next_refresh_ += passed * p_.refresh_interval;
  u64 start = next_refresh_;
  for (u64 open = open_; open != 0; open &= open - 1) {
    const u64 precharge = banks_[static_cast<u32>(std::countr_zero(open))].precharge;
    start = std::max(start, std::max(precharge, next_refresh_) + p_.trp);
  }
  for (u32 b = 0; b < p_.banks; ++b) {
    close(b);
    rest(b, start + p_.refresh);
  }
  had_row_ = 0;
  rows_next_ = columns_next_ = 0;
  next_refresh_ += p_.refresh_interval;
}

void DramChannel::turn(Direction direction, u64 now) {
  settle_rows(now);
  direction_ = direction;
  find_hits();
  overtaken_ = 0;
  rows_next_ = columns_next_ = 0;
  ++counts_.turnarounds;
  // As long as the direction stays, the gap behind the last command is all that counts.
  const u64 lead = direction == read ? p_.tcl : p_.tcwl;
  const u64 bus = bus_free_ + (direction == write && bus_read_ ? p_.turnaround : 0);
  other_from_ = bus > lead ? bus - lead : 0;
  if (direction == read) other_from_ = std::max(other_from_, read_from_);
  same_from_ = other_from_;
  if (group_ == 0) return;
  same_from_ = std::max(same_from_, last_column_ + p_.tccd_long);
  other_from_ = std::max(other_from_, last_column_ + p_.tccd);
}

// The banks among which a column command is chosen when the oldest has been passed too often.
inline u64 DramChannel::urgent_columns() const {
  const Queue& queue = queues_[direction_];
  const u64 bit = u64{1} << queue.oldest_bank;
  if ((queue.hits & bit) != 0 && queue.hit_age[queue.oldest_bank] == queue.oldest) return bit;
  return queue.hits & ~bit;
}

// When the next column command to one of these banks can go.
inline u64 DramChannel::columns_next(u64 candidates) const {
  const u64 ready = candidates & ~opening_;
  if ((ready & ~group_) != 0) return other_from_;
  u64 next = ready != 0 ? same_from_ : no_time;
  if ((candidates & opening_) == 0) return next;
  for (u32 i = first_opening_; i != openings_end_; ++i) {
    const Opening& one = openings_[i % most_banks];
    if (one.time >= next) break;
    if ((one.bit & candidates) != 0) next = std::min(next, std::max(one.time, column_from(one.bit)));
  }
  return next;
}

// Issues the column commands of one request, if they can be: of the oldest of those that can.
template <DramChannel::Direction direction>
[[gnu::always_inline]] inline bool DramChannel::issue_column(u64 now, u64 candidates,
                                                             std::vector<Served>& served) {
  if (now < other_from_) return false;
  open_until(now);
  const u64 open = candidates & ~opening_;
  const u64 ready = now < same_from_ ? open & ~group_ : open;
  if (ready == 0) return false;
  Queue& queue = queues_[direction];
  const u32 bank_number = least_bank(queue.hit_age, ready, p_.banks);
  Bank& bank = banks_[bank_number];
  Request& request = requests_[bank.waiting[direction].hit];
  counts_.row_hits += request.places * u32{!request.opened_row};
  overtaken_ = (overtaken_ + 1) * u32{request.age != queue.oldest};
  group_ = first_group_ << (bank_number & (p_.bank_groups - 1));
  // A request's bursts and those of one for another group's bank go in turn. Here first all of the one and
  // then all of the other, which fills the bus as well; where there is no other, those of one line keep the
  // distance that their group asks for.
  const bool in_turn = request.places > 1 || (open & ~group_) != 0;
  const u32 bursts = request.bursts;
  const u64 last = now + u64{bursts - 1} * (in_turn ? p_.tccd : p_.tccd_long);
  const u64 data_end = last + to_data_end_[direction];
  last_column_ = last;
  other_from_ = last + p_.tccd;
  same_from_ = last + p_.tccd_long;
  if (bus_idles_) [[unlikely]] {
    bus_debt_ += bursts * p_.burst_clocks * (100 - p_.bus_percent);
    other_from_ += bus_debt_ / p_.bus_percent;
    same_from_ += bus_debt_ / p_.bus_percent;
    bus_debt_ %= p_.bus_percent;
  }
  bus_free_ = data_end;
  bus_read_ = direction == read;
  if (direction == read) {
    counts_.reads += bursts;
    bank.precharge = std::max(bank.precharge, last + p_.trtp);
  } else {
    counts_.writes += bursts;
    bank.precharge = std::max(bank.precharge, data_end + p_.twr);
    read_from_ = data_end + p_.twtr;
  }
  served.push_back({direction == write, request.tag, last, data_end});
  remove<direction>(bank_number, now);
  return true;
}

// The oldest one's bank goes to it, even if it has hits: whether a row was opened. Else `next` becomes the
// clock in which one can be.
bool DramChannel::issue_urgent_rows(u64 now, u64& next) {
  const u32 bank = queues_[direction_].oldest_bank;
  const Bank& of = banks_[bank];
  const u64 bit = u64{1} << bank;
  u64 closable = no_time;
  if ((open_ & ~closing_ & bit) != 0 && of.row != requests_[of.waiting[direction_].first].row) {
    closable = of.precharge;
    if (closable <= now) {
      close_when_allowed(bank, now);
      closed_for_another(bank);
    }
  }
  const Queue& queue = queues_[direction_];
  const u64 candidates = queue.pending & ~queue.hits;
  const bool opened = candidates != 0 && open_wanted(now, candidates);
  if (!opened && closable > now) next = closable;
  if (!opened && candidates != 0) next = std::min(next, rows_next_);
  rows_next_ = 0;
  return opened;
}

// Opens one row that the oldest request of its bank waits for: whether it has.
bool DramChannel::open_wanted(u64 now, u64 candidates) {
  for (u64 bits = candidates & open_ & ~closing_; bits != 0; bits &= bits - 1)
    close_when_allowed(static_cast<u32>(std::countr_zero(bits)), now);
  resting_ = later_banks(rested_, resting_, p_.banks, now);
  const u64 ready = candidates & ~resting_;
  const bool opens = ready != 0 && activations_from_ <= now;
  if (opens) open_row(least_bank(queues_[direction_].first_age, ready, p_.banks), now);
  // The next one after this clock, or earlier.
  const u64 left = opens ? ready & (ready - 1) : ready;
  rows_next_ = left != 0
                   ? activations_from_
                   : std::max(first_time(rested_, candidates & resting_, p_.banks, now), activations_from_);
  return opens;
}

void DramChannel::open_row(u32 number, u64 now) {
  const u64 bit = u64{1} << number;
  Bank& bank = banks_[number];
  if ((closing_ & bit) != 0) closed_for_another(number);
  Request& request = requests_[bank.waiting[direction_].first];
  ++((had_row_ & bit) != 0 ? counts_.row_conflicts : counts_.row_misses);
  counts_.row_hits += request.places - 1u;
  request.opened_row = true;
  had_row_ &= ~bit;
  open_ |= bit;
  bank.row = request.row;
  open_until(now);
  opening_ |= bit;
  openings_[openings_end_++ % most_banks] = {now + p_.trcd, bit};
  next_opened_ = openings_[first_opening_ % most_banks].time;
  bank.precharge = now + p_.tras;
  find_hit(number, direction_, bank.waiting[direction_].first);
  columns_next_ = std::min(columns_next_, std::max(now + p_.trcd, column_from(bit)));
  activations_[next_activation_] = now + 1;
  next_activation_ = (next_activation_ + 1) % static_cast<u32>(activations_.size());
  activations_from_ = now + p_.trrd;
  if (const u64 fourth = activations_[next_activation_]; fourth != 0)
    activations_from_ = std::max(activations_from_, fourth - 1 + p_.tfaw);
}

[[gnu::always_inline]] inline void DramChannel::step_at(u64 now, std::vector<Served>& served) {
  if (now >= forget_at_) [[unlikely]]
    forget_passed(now);
  if (now >= next_refresh_) [[unlikely]]
    refresh(now);
  if (admit_at_ <= now) admit(now);
  while (true) {
    if (wanted_ != direction_) turn(wanted_, now);
    const Queue& queue = queues_[direction_];
    next_ = no_time;
    bool opened = false;
    const bool is_urgent = urgent();
    if (is_urgent) [[unlikely]] {
      opened = issue_urgent_rows(now, next_);
    } else if (rows_next_ <= now) {
      opened = open_wanted(now, queue.pending & ~queue.hits);
    }
    const u64 candidates = is_urgent ? urgent_columns() : queue.hits;
    bool moved = false;
    if (columns_next_ <= now || is_urgent) {
      moved = direction_ == read ? issue_column<read>(now, candidates, served)
                                 : issue_column<write>(now, candidates, served);
      columns_next_ = 0;
    }
    const bool changed = opened || moved;
    if (is_urgent && !changed) [[unlikely]] {
      next_ = std::min(next_, columns_next(candidates));
      break;
    }
    // Whether anything else can go in this clock, once the room that a request left is taken.
    if (changed) {
      if (admit_at_ <= now) admit(now);
      if (urgent()) [[unlikely]]
        continue;
    }
    const bool rows = (queue.pending & ~queue.hits) != 0;
    if (changed && (wanted_ != direction_ || (rows && rows_next_ <= now))) continue;
    if (columns_next_ == 0) columns_next_ = columns_next(queue.hits);
    if (!rows) rows_next_ = no_time;
    next_ = std::min(columns_next_, rows_next_);
    break;
  }
  next_ = std::min(next_, admit_at_);
}

void DramChannel::step(u64 now, std::vector<Served>& served) {
  step_at(now, served);
}

void DramChannel::run(u64 end, std::vector<Served>& served) {
  while (next_ < end) step_at(next_, served);
}

void DramChannel::begin_launch() {
  begin_phase();
  counts_ = {};
}

void DramChannel::begin_phase() {
  std::array<u64, most_banks> rows;
  for (u32 b = 0; b < most_banks; ++b) rows[b] = banks_[b].row;
  const u64 open = open_;
  const DramCounts counts = counts_;
  *this = DramChannel(p_);
  for (u32 b = 0; b < most_banks; ++b) banks_[b].row = rows[b];
  open_ = open;
  counts_ = counts;
}

void DramChannel::close_rows() {
  for (Bank& bank : banks_) bank.row = no_row;
  open_ = 0;
}

}  // namespace lockstep
