#include "time/units/dram.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/assert.h"

namespace lockstep {
namespace {

u32 log2_of(u32 value) {
  return static_cast<u32>(std::countr_zero(value));
}

// Orders banks by the age of a request, and says which bank it is.
i64 order_of(u64 sequence, u32 bank) {
  return static_cast<i64>(sequence << 6 | bank);
}

// The first of the banks in order; there is one. A loop that compilers make vectors of.
u32 oldest_of(const std::array<i64, 64>& order, u64 banks) {
  if ((banks & (banks - 1)) == 0) return static_cast<u32>(std::countr_zero(banks));
  i64 best = std::numeric_limits<i64>::max();
  for (u32 first = 0; banks != 0; first += 16, banks >>= 16) {
    for (u32 i = 0; i < 16; ++i) {
      const i64 one = (banks >> i & 1) != 0 ? order[first + i] : std::numeric_limits<i64>::max();
      best = one < best ? one : best;
    }
  }
  return static_cast<u32>(best & 63);
}

}  // namespace

DramChannel::DramChannel(const DramParameters& parameters)
    : p_(parameters),
      row_shift_(log2_of(parameters.row_bytes)),
      group_shift_(log2_of(parameters.bank_groups)),
      request_shift_(log2_of(parameters.request_bytes)),
      bank_shift_(log2_of(parameters.banks)),
      next_refresh_(parameters.refresh_interval == 0 ? no_time : parameters.refresh_interval) {
  const auto power = [](u32 value) { return std::has_single_bit(value); };
  LOCKSTEP_ASSERT(power(p_.banks) && p_.banks <= 64 && power(p_.bank_groups) && p_.bank_groups <= p_.banks &&
                      power(p_.row_bytes) && power(p_.request_bytes) && p_.request_bytes <= p_.row_bytes &&
                      p_.burst_bytes > 0 && p_.burst_clocks > 0 && p_.queue > 0,
                  "a channel has banks, groups, rows and bursts, each a power of two, and a queue");
  p_.tccd = std::max({1u, p_.tccd, p_.burst_clocks});
  p_.tccd_long = p_.bank_groups > 1 ? std::max(p_.tccd, p_.tccd_long) : p_.tccd;
  same_group_ = 0;
  for (u32 bank = 0; bank < p_.banks; bank += p_.bank_groups) same_group_ |= u64{1} << bank;
}

// Consecutive requests go round the bank groups, rows round the banks of a group. Rows and requests that lie
// a power of two apart meet in different banks: higher bits of the address are mixed in.
DramChannel::Location DramChannel::locate(u64 address) const {
  const u64 request = address >> request_shift_;
  const u64 in_group = request >> group_shift_;
  const u64 mix = in_group ^ in_group >> 2 ^ in_group >> 5 ^ in_group >> 9 ^ in_group >> 13;
  const u32 group = static_cast<u32>(request ^ mix) & (p_.bank_groups - 1);
  const u64 rows = in_group >> (row_shift_ - request_shift_);
  const u32 bank_bits = bank_shift_ - group_shift_;
  const u64 row = rows >> bank_bits;
  const u32 in = static_cast<u32>(rows ^ row ^ row >> 4) & ((1u << bank_bits) - 1);
  return {row, in << group_shift_ | group};
}

void DramChannel::push(u64 arrival, u64 address, u32 bytes, bool is_write, u64 tag) {
  const Direction direction = is_write ? write : read;
  Arrival entry;
  entry.time = arrival;
  const Location location = locate(address);
  entry.row = location.row;
  entry.bank = static_cast<u16>(location.bank);
  entry.bursts = static_cast<u16>(p_.bursts(bytes));
  entry.tag = tag;
  if (incoming_[direction].empty()) next_incoming_[direction] = arrival;
  incoming_[direction].push_back(entry);
  if (visible_[direction] < p_.queue) next_ = std::min(next_, arrival);
  counts_.most_queued = std::max<u64>(counts_.most_queued, waiting());
}

// Requests that have arrived become visible to the choice, as far as its queue reaches.
void DramChannel::admit(Direction direction, u64 now) {
  Ring<Arrival>& incoming = incoming_[direction];
  do {
    const Arrival& arrival = incoming.front();
    u32 index = 0;
    if (free_.empty()) {
      index = static_cast<u32>(requests_.size());
      requests_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    Request& request = requests_[index];
    request.row = arrival.row;
    request.sequence = sequence_++;
    request.tag = arrival.tag;
    request.bank = arrival.bank;
    request.bursts = arrival.bursts;
    request.touched = false;
    request.next = request.younger = none;
    incoming.pop_front();
    next_incoming_[direction] = incoming.empty() ? no_time : incoming.front().time;
    request.older = youngest_[direction];
    (youngest_[direction] == none ? oldest_[direction] : requests_[youngest_[direction]].younger) = index;
    youngest_[direction] = index;
    const u32 bank = request.bank;
    Waiting& waiting = banks_.waiting[direction][bank];
    request.previous = waiting.last;
    if (waiting.last == none) {
      waiting.first = index;
      banks_.first_order[direction][bank] = order_of(request.sequence, bank);
    } else {
      requests_[waiting.last].next = index;
    }
    waiting.last = index;
    const u64 bit = u64{1} << bank;
    const bool waited = (pending_[direction] & ~hits_[direction] & bit) != 0;
    pending_[direction] |= bit;
    if (waiting.hit == none && banks_.row[bank] == request.row) {
      waiting.hit = index;
      banks_.hit_order[direction][bank] = order_of(request.sequence, bank);
      hits_[direction] |= bit;
      if (waited) rows_next_ = 0;
    } else if (!waited && waiting.hit == none && direction == direction_) {
      row_wanted(bank);
    }
    ++visible_[direction];
  } while (due(direction, now));
}

// The oldest request from `from` on that is for the bank's open row.
inline void DramChannel::find_hit(u32 bank, Direction direction, u32 from) {
  const u64 row = banks_.row[bank];
  while (from != none && requests_[from].row != row) from = requests_[from].next;
  banks_.waiting[direction][bank].hit = from;
  const u64 bit = u64{1} << bank;
  if (from == none) {
    hits_[direction] &= ~bit;
  } else {
    hits_[direction] |= bit;
    banks_.hit_order[direction][bank] = order_of(requests_[from].sequence, bank);
  }
}

void DramChannel::close(u32 bank) {
  const u64 bit = u64{1} << bank;
  banks_.row[bank] = no_row;
  banks_.open &= ~bit;
  for (const Direction direction : {read, write}) {
    banks_.waiting[direction][bank].hit = none;
    hits_[direction] &= ~bit;
  }
}

inline void DramChannel::remove(u32 index, Direction direction) {
  const Request request = requests_[index];
  (request.older == none ? oldest_[direction] : requests_[request.older].younger) = request.younger;
  (request.younger == none ? youngest_[direction] : requests_[request.younger].older) = request.older;
  const u32 bank = request.bank;
  Waiting& waiting = banks_.waiting[direction][bank];
  if (request.previous == none) {
    waiting.first = request.next;
    if (request.next != none)
      banks_.first_order[direction][bank] = order_of(requests_[request.next].sequence, bank);
  } else {
    requests_[request.previous].next = request.next;
  }
  (request.next == none ? waiting.last : requests_[request.next].previous) = request.previous;
  const u64 bit = u64{1} << bank;
  if (waiting.first == none) pending_[direction] &= ~bit;
  find_hit(bank, direction, request.next);
  if ((pending_[direction] & ~hits_[direction] & bit) != 0) row_wanted(bank);
  --visible_[direction];
  free_.push_back(index);
}

// All banks are closed, then the channel is refreshed.
void DramChannel::refresh(u64 now) {
  const u64 passed = (now - next_refresh_) / p_.refresh_interval;
  ++counts_.refreshes;
  next_refresh_ += passed * p_.refresh_interval;
  u64 start = next_refresh_;
  for (u64 open = banks_.open; open != 0; open &= open - 1) {
    const u64 precharge = banks_.precharge[static_cast<u32>(std::countr_zero(open))];
    start = std::max(start, std::max(precharge, next_refresh_) + p_.trp);
  }
  for (u32 b = 0; b < p_.banks; ++b) {
    close(b);
    banks_.activate[b] = std::max(banks_.activate[b], start + p_.refresh);
  }
  banks_.had_row = 0;
  rows_next_ = 0;
  next_refresh_ += p_.refresh_interval;
}

void DramChannel::turn(Direction direction) {
  direction_ = direction;
  overtaken_ = 0;
  rows_next_ = 0;
  ++counts_.turnarounds;
}

// The bank whose column command goes now: the oldest of those that can. None: when one can.
inline u32 DramChannel::next_column(u64 now, u64 candidates, u64& next) {
  // When the bus and the command before allow one: to a bank of another group, of the same.
  const u64 lead = direction_ == read ? p_.tcl : p_.tcwl;
  const u64 bus = bus_free_ + (direction_ == write && bus_read_ ? p_.turnaround : 0);
  u64 other = bus > lead ? bus - lead : 0;
  if (direction_ == read) other = std::max(other, read_from_);
  u64 same = other;
  u64 group = 0;
  if (any_column_) {
    group = same_group_ << last_group_;
    same = std::max(same, last_column_ + p_.tccd_long);
    other = std::max(other, last_column_ + p_.tccd);
  }
  for (u64 bits = banks_.opening; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    if (banks_.column[bank] <= now) banks_.opening &= ~(u64{1} << bank);
  }
  const u64 ready = candidates & ~banks_.opening;
  if (other <= now) {
    const u64 go = same <= now ? ready : ready & ~group;
    if (go != 0) {
      return oldest_of(banks_.hit_order[direction_], go);
    }
  }
  if ((ready & ~group) != 0) next = std::min(next, other);
  if ((ready & group) != 0) next = std::min(next, same);
  for (u64 bits = candidates & banks_.opening; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    next = std::min(next, std::max(banks_.column[bank], (group >> bank & 1) != 0 ? same : other));
  }
  return none;
}

// When the next column command can go after one in this clock.
u64 DramChannel::columns_next() const {
  // That one's data are what the bus has last, so that its own gap is all that counts.
  const u64 other = last_column_ + p_.tccd, same = last_column_ + p_.tccd_long;
  const u64 group = same_group_ << last_group_, candidates = hits_[direction_];
  const u64 ready = candidates & ~banks_.opening;
  u64 next = (ready & ~group) != 0 ? other : (ready & group) != 0 ? same : no_time;
  for (u64 bits = candidates & banks_.opening; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    next = std::min(next, std::max(banks_.column[bank], (group >> bank & 1) != 0 ? same : other));
  }
  return next;
}

// Issues one column command, if one can be; else says when.
bool DramChannel::issue_column(u64 now, std::vector<Served>& served, u64& next) {
  u64 candidates = hits_[direction_];
  if (candidates == 0) return false;
  if (urgent()) {
    const u32 bank = requests_[oldest_[direction_]].bank;
    const u64 bit = u64{1} << bank;
    if (banks_.waiting[direction_][bank].hit == oldest_[direction_]) {
      candidates = bit;
    } else {
      candidates &= ~bit;
    }
  }
  const u32 bank = next_column(now, candidates, next);
  if (bank == none) return false;
  const u32 index = banks_.waiting[direction_][bank].hit;
  Request& request = requests_[index];
  if (!request.touched) {
    ++counts_.row_hits;
    request.touched = true;
  }
  if (index == oldest_[direction_]) {
    overtaken_ = 0;
  } else {
    ++overtaken_;
  }
  // Without bank groups nothing can usefully come between the bursts of one request.
  const u32 bursts = p_.bank_groups > 1 ? 1 : request.bursts;
  const u64 last = now + u64{bursts - 1} * p_.tccd;
  const u64 data_end = last + (direction_ == read ? p_.tcl : p_.tcwl) + p_.burst_clocks;
  any_column_ = true;
  last_column_ = last;
  last_group_ = bank & (p_.bank_groups - 1);
  bus_free_ = data_end;
  bus_read_ = direction_ == read;
  counts_.busy_clocks += u64{bursts} * p_.burst_clocks;
  u64& precharge = banks_.precharge[bank];
  if (direction_ == read) {
    counts_.reads += bursts;
    precharge = std::max(precharge, last + p_.trtp);
  } else {
    counts_.writes += bursts;
    precharge = std::max(precharge, data_end + p_.twr);
    read_from_ = data_end + p_.twtr;
  }
  request.bursts = static_cast<u16>(request.bursts - bursts);
  if (request.bursts == 0) {
    served.push_back({direction_ == write, request.tag, last, data_end});
    remove(index, direction_);
  }
  return true;
}

// Closes rows that nobody wants any more and opens one that the oldest request of its bank waits for.
bool DramChannel::issue_rows(u64 now, u64& next) {
  const u64 candidates = pending_[direction_] & ~hits_[direction_];
  if (urgent()) [[unlikely]] {
    const Request& oldest = requests_[oldest_[direction_]];
    const u64 bit = banks_.row[oldest.bank] != oldest.row ? u64{1} << oldest.bank : 0;
    rows_next_ = 0;
    const bool issued = (candidates | bit) != 0 && change_rows(now, candidates | bit, next);
    rows_next_ = 0;
    return issued;
  }
  if (candidates == 0) return false;
  if (rows_next_ <= now) return change_rows(now, candidates, next);
  next = std::min(next, rows_next_);
  return false;
}

bool DramChannel::change_rows(u64 now, u64 candidates, u64& next) {
  const u64 allowed = activations_allowed();
  u64 closable = no_time, openable = no_time;  // the next ones after this clock
  u64 ready = 0;                               // closed banks whose row could be opened now
  for (u64 bits = candidates; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    const u64 bit = u64{1} << bank;
    if ((banks_.open & bit) != 0) {
      if (banks_.precharge[bank] > now) {
        closable = std::min(closable, banks_.precharge[bank]);
        continue;
      }
      close(bank);
      banks_.had_row |= bit;
      banks_.activate[bank] = std::max(banks_.activate[bank], now + p_.trp);
    }
    if (banks_.activate[bank] <= now) {
      ready |= bit;
    } else {
      openable = std::min(openable, banks_.activate[bank]);
    }
  }
  if (ready == 0 || allowed > now) {
    if (ready != 0) openable = allowed;
    rows_next_ = std::min(closable, openable == no_time ? no_time : std::max(openable, allowed));
    next = std::min(next, rows_next_);
    return false;
  }
  const u32 best = oldest_of(banks_.first_order[direction_], ready);
  open_row(best, now);
  if ((ready & (ready - 1)) != 0) openable = 0;
  rows_next_ = std::min(closable, openable == no_time ? no_time : std::max(openable, activations_allowed()));
  return true;
}

void DramChannel::open_row(u32 bank, u64 now) {
  const u64 bit = u64{1} << bank;
  Request& request = requests_[banks_.waiting[direction_][bank].first];
  ++((banks_.had_row & bit) != 0 ? counts_.row_conflicts : counts_.row_misses);
  request.touched = true;
  banks_.had_row &= ~bit;
  banks_.open |= bit;
  banks_.opening |= bit;
  banks_.row[bank] = request.row;
  banks_.column[bank] = now + p_.trcd;
  banks_.precharge[bank] = now + p_.tras;
  for (const Direction direction : {read, write})
    find_hit(bank, direction, banks_.waiting[direction][bank].first);
  last_activation_ = now + 1;
  activations_[next_activation_] = now + 1;
  next_activation_ = (next_activation_ + 1) % static_cast<u32>(activations_.size());
}

void DramChannel::step(u64 now, std::vector<Served>& served) {
  if (now >= next_refresh_) refresh(now);
  while (true) {
    for (const Direction direction : {read, write}) {
      if (due(direction, now)) admit(direction, now);
    }
    const Direction wanted = wanted_direction();
    if (wanted != direction_) turn(wanted);
    next_ = no_time;
    const bool opened = issue_rows(now, next_);
    const bool moved = issue_column(now, served, next_);
    if (!opened && !moved) break;
    // Whether anything else can go in this clock.
    const bool rows = (pending_[direction_] & ~hits_[direction_]) != 0;
    if (due(read, now) || due(write, now) || wanted_direction() != direction_ || urgent() ||
        (rows && rows_next_ <= now))
      continue;
    if (moved) next_ = columns_next();
    if (rows) next_ = std::min(next_, rows_next_);
    break;
  }
  for (const Direction direction : {read, write}) {
    if (visible_[direction] < p_.queue) next_ = std::min(next_, next_incoming_[direction]);
  }
}

void DramChannel::begin_launch() {
  begin_phase();
  counts_ = {};
}

void DramChannel::begin_phase() {
  const auto row = banks_.row;
  const u64 open = banks_.open;
  const DramCounts counts = counts_;
  *this = DramChannel(p_);
  banks_.row = row;
  banks_.open = open;
  counts_ = counts;
}

}  // namespace lockstep
