#include "time/units/dram.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace lockstep {
namespace {

u32 log2_of(u32 value) {
  return static_cast<u32>(std::countr_zero(value));
}

}  // namespace

DramChannel::DramChannel(const DramParameters& parameters)
    : p_(parameters),
      row_shift_(log2_of(parameters.row_bytes)),
      group_shift_(log2_of(parameters.bank_groups)),
      request_shift_(log2_of(parameters.request_bytes)),
      bank_shift_(log2_of(parameters.banks)),
      banks_(parameters.banks),
      next_refresh_(parameters.refresh_interval) {
  const auto power = [](u32 value) { return std::has_single_bit(value); };
  LOCKSTEP_ASSERT(power(p_.banks) && p_.banks <= 64 && power(p_.bank_groups) && p_.bank_groups <= p_.banks &&
                      power(p_.row_bytes) && power(p_.request_bytes) && p_.request_bytes <= p_.row_bytes &&
                      p_.burst_bytes > 0 && p_.burst_clocks > 0 && p_.queue > 0,
                  "a channel has banks, groups, rows and bursts, each a power of two, and a queue");
  p_.tccd = std::max({1u, p_.tccd, p_.burst_clocks});
  p_.tccd_long = p_.bank_groups > 1 ? std::max(p_.tccd, p_.tccd_long) : p_.tccd;
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

void DramChannel::push(u64 arrival, u64 address, u32 bytes, bool is_write, u32 tag) {
  const Direction direction = is_write ? write : read;
  Arrival entry;
  entry.time = arrival;
  const Location location = locate(address);
  entry.row = location.row;
  entry.bank = location.bank;
  entry.bursts = p_.bursts(bytes);
  entry.tag = tag;
  incoming_[direction].push_back(entry);
  if (visible_[direction] < p_.queue) next_ = std::min(next_, arrival);
  counts_.most_queued = std::max<u64>(counts_.most_queued, waiting());
}

// Requests that have arrived become visible to the choice, as far as its queue reaches.
void DramChannel::admit(u64 now) {
  for (const Direction direction : {read, write}) {
    std::deque<Arrival>& incoming = incoming_[direction];
    while (!incoming.empty() && incoming.front().time <= now && visible_[direction] < p_.queue) {
      const Arrival arrival = incoming.front();
      incoming.pop_front();
      u32 index = 0;
      if (free_.empty()) {
        index = static_cast<u32>(requests_.size());
        requests_.emplace_back();
      } else {
        index = free_.back();
        free_.pop_back();
      }
      Request& request = requests_[index];
      request = {};
      request.row = arrival.row;
      request.bank = arrival.bank;
      request.bursts = arrival.bursts;
      request.tag = arrival.tag;
      request.sequence = sequence_++;
      request.older = youngest_[direction];
      (youngest_[direction] == none ? oldest_[direction] : requests_[youngest_[direction]].younger) = index;
      youngest_[direction] = index;
      Bank& bank = banks_[request.bank];
      Waiting& waiting = bank.waiting[direction];
      request.previous = waiting.last;
      (waiting.last == none ? waiting.first : requests_[waiting.last].next) = index;
      waiting.last = index;
      const u64 bit = u64{1} << request.bank;
      pending_[direction] |= bit;
      if (waiting.hit == none && bank.row == request.row) {
        waiting.hit = index;
        hits_[direction] |= bit;
      }
      ++visible_[direction];
    }
  }
}

// The oldest request from `from` on that is for the bank's open row.
void DramChannel::find_hit(u32 number, Direction direction, u32 from) {
  Bank& bank = banks_[number];
  while (from != none && requests_[from].row != bank.row) from = requests_[from].next;
  bank.waiting[direction].hit = from;
  const u64 bit = u64{1} << number;
  hits_[direction] = from == none ? hits_[direction] & ~bit : hits_[direction] | bit;
}

void DramChannel::close(u32 number) {
  Bank& bank = banks_[number];
  bank.row = no_row;
  for (const Direction direction : {read, write}) {
    bank.waiting[direction].hit = none;
    hits_[direction] &= ~(u64{1} << number);
  }
}

void DramChannel::remove(u32 index, Direction direction) {
  const Request request = requests_[index];
  (request.older == none ? oldest_[direction] : requests_[request.older].younger) = request.younger;
  (request.younger == none ? youngest_[direction] : requests_[request.younger].older) = request.older;
  Waiting& waiting = banks_[request.bank].waiting[direction];
  (request.previous == none ? waiting.first : requests_[request.previous].next) = request.next;
  (request.next == none ? waiting.last : requests_[request.next].previous) = request.previous;
  if (waiting.first == none) pending_[direction] &= ~(u64{1} << request.bank);
  find_hit(request.bank, direction, request.next);
  --visible_[direction];
  free_.push_back(index);
}

// All banks are closed, then the channel is refreshed.
void DramChannel::refresh(u64 now) {
  if (p_.refresh_interval == 0 || now < next_refresh_) return;
  const u64 passed = (now - next_refresh_) / p_.refresh_interval;
  ++counts_.refreshes;
  next_refresh_ += passed * p_.refresh_interval;
  u64 start = next_refresh_;
  for (const Bank& bank : banks_) {
    if (bank.row != no_row) start = std::max(start, std::max(bank.precharge, next_refresh_) + p_.trp);
  }
  for (u32 b = 0; b < banks_.size(); ++b) {
    close(b);
    banks_[b].had_row = false;
    banks_[b].activate = std::max(banks_[b].activate, start + p_.refresh);
  }
  next_refresh_ += p_.refresh_interval;
}

// Writes go when there is nothing to read or a queue of them has gathered, until a quarter is left.
void DramChannel::choose_direction() {
  const bool reads = visible_[read] > 0, writes = visible_[write] > 0;
  Direction wanted = direction_;
  if (direction_ == write) {
    if (reads && visible_[write] <= p_.queue / 4) wanted = read;
  } else if (writes && (!reads || visible_[write] >= p_.queue)) {
    wanted = write;
  }
  if (wanted == direction_) return;
  direction_ = wanted;
  overtaken_ = 0;
  ++counts_.turnarounds;
}

// The oldest has been passed so often that its bank serves nobody else any more.
bool DramChannel::urgent() const {
  return overtaken_ >= 4 * p_.queue;
}

// The earliest column command of the current direction to the bank's open row.
u64 DramChannel::column_time(u32 number) const {
  u64 time = banks_[number].column;
  if (any_column_) {
    const bool same = ((number ^ last_group_) & (p_.bank_groups - 1)) == 0;
    time = std::max(time, last_column_ + (same ? p_.tccd_long : p_.tccd));
  }
  const u64 lead = direction_ == read ? p_.tcl : p_.tcwl;
  u64 bus = bus_free_;
  if (direction_ == read) {
    time = std::max(time, read_from_);
  } else if (bus_read_) {
    bus += p_.turnaround;
  }
  return std::max(time, bus > lead ? bus - lead : 0);
}

// Issues one column command, if one can be; else says when.
bool DramChannel::issue_column(u64 now, std::vector<Served>& served, u64& next) {
  u64 candidates = hits_[direction_];
  if (candidates == 0) return false;
  if (urgent()) {
    const u32 bank = requests_[oldest_[direction_]].bank;
    const u64 bit = u64{1} << bank;
    if (banks_[bank].waiting[direction_].hit == oldest_[direction_]) {
      candidates = bit;
    } else {
      candidates &= ~bit;
    }
  }
  u32 best = none;
  u64 best_time = no_time, best_sequence = 0;
  for (u64 bits = candidates; bits != 0; bits &= bits - 1) {
    const u32 number = static_cast<u32>(std::countr_zero(bits));
    const u64 time = std::max(now, column_time(number));
    const u64 sequence = requests_[banks_[number].waiting[direction_].hit].sequence;
    if (best == none || time < best_time || (time == best_time && sequence < best_sequence)) {
      best = number;
      best_time = time;
      best_sequence = sequence;
    }
  }
  if (best == none) return false;
  if (best_time > now) {
    next = std::min(next, best_time);
    return false;
  }
  Bank& bank = banks_[best];
  const u32 index = bank.waiting[direction_].hit;
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
  last_group_ = best & (p_.bank_groups - 1);
  bus_free_ = data_end;
  bus_read_ = direction_ == read;
  counts_.busy_clocks += u64{bursts} * p_.burst_clocks;
  (direction_ == read ? counts_.reads : counts_.writes) += bursts;
  if (direction_ == read) {
    bank.precharge = std::max(bank.precharge, last + p_.trtp);
  } else {
    bank.precharge = std::max(bank.precharge, data_end + p_.twr);
    read_from_ = data_end + p_.twtr;
  }
  request.bursts -= bursts;
  if (request.bursts == 0) {
    served.push_back({direction_ == write, request.tag, last, data_end});
    remove(index, direction_);
  }
  return true;
}

// Closes rows that nobody wants any more and opens one that the oldest request of its bank waits for.
bool DramChannel::issue_rows(u64 now, u64& next) {
  u64 candidates = pending_[direction_] & ~hits_[direction_];
  if (urgent()) {
    const Request& oldest = requests_[oldest_[direction_]];
    if (banks_[oldest.bank].row != oldest.row) candidates |= u64{1} << oldest.bank;
  }
  if (candidates == 0) return false;
  u64 allowed = 0;
  if (last_activation_ != 0) allowed = last_activation_ - 1 + p_.trrd;
  if (activations_[next_activation_] != 0)
    allowed = std::max(allowed, activations_[next_activation_] - 1 + p_.tfaw);
  u32 best = none;
  u64 best_sequence = 0;
  for (u64 bits = candidates; bits != 0; bits &= bits - 1) {
    const u32 number = static_cast<u32>(std::countr_zero(bits));
    Bank& bank = banks_[number];
    if (bank.row != no_row) {
      if (bank.precharge > now) {
        next = std::min(next, bank.precharge);
        continue;
      }
      close(number);
      bank.had_row = true;
      bank.activate = std::max(bank.activate, now + p_.trp);
    }
    const u64 time = std::max(bank.activate, allowed);
    if (time > now) {
      next = std::min(next, time);
      continue;
    }
    const u64 sequence = requests_[bank.waiting[direction_].first].sequence;
    if (best == none || sequence < best_sequence) {
      best = number;
      best_sequence = sequence;
    }
  }
  if (best == none) return false;
  Bank& bank = banks_[best];
  Request& request = requests_[bank.waiting[direction_].first];
  ++(bank.had_row ? counts_.row_conflicts : counts_.row_misses);
  request.touched = true;
  bank.had_row = false;
  bank.row = request.row;
  bank.column = now + p_.trcd;
  bank.precharge = now + p_.tras;
  for (const Direction direction : {read, write}) find_hit(best, direction, bank.waiting[direction].first);
  last_activation_ = now + 1;
  activations_[next_activation_] = now + 1;
  next_activation_ = (next_activation_ + 1) % static_cast<u32>(activations_.size());
  return true;
}

void DramChannel::step(u64 now, std::vector<Served>& served) {
  refresh(now);
  bool again = true;
  while (again) {
    admit(now);
    next_ = no_time;
    choose_direction();
    again = issue_rows(now, next_);
    again |= issue_column(now, served, next_);
  }
  for (const Direction direction : {read, write}) {
    if (!incoming_[direction].empty() && visible_[direction] < p_.queue)
      next_ = std::min(next_, incoming_[direction].front().time);
  }
}

void DramChannel::begin_launch() {
  std::vector<u64> rows;
  for (const Bank& bank : banks_) rows.push_back(bank.row);
  *this = DramChannel(p_);
  for (std::size_t b = 0; b < banks_.size(); ++b) banks_[b].row = rows[b];
}

}  // namespace lockstep
