#include "time/units/dram.h"

#include <algorithm>

#include "base/assert.h"

namespace lockstep {

DramChannel::DramChannel(const DramParameters& parameters)
    : parameters_(parameters), banks_(parameters.banks), next_refresh_(parameters.refresh_interval) {
  LOCKSTEP_ASSERT(parameters.banks > 0 && parameters.row_bytes > 0 && parameters.burst_bytes > 0,
                  "a channel has banks, rows and bursts");
}

void DramChannel::push(u64 arrival, u64 address, bool write, u32 tag) {
  const u64 row = address / parameters_.row_bytes;
  const u64 number = row / parameters_.banks;
  Request request;
  request.arrival = arrival;
  // Rows that lie a power of two apart meet in different banks: the bank is hashed with the row's number.
  request.bank = static_cast<u32>((row ^ number ^ number >> 4) % parameters_.banks);
  request.row = number;
  request.tag = tag;
  (write ? writes_ : reads_).push_back(request);
  counts_.most_queued = std::max<u64>(counts_.most_queued, reads_.size() + writes_.size());
}

// The earliest clock at which its data can begin. The row of a bank may be closed and opened while others
// use the bus, from the moment when the request arrived.
u64 DramChannel::first_data(const Request& request) const {
  const Bank& bank = banks_[request.bank];
  u64 column = 0;
  if (bank.row == request.row) {
    column = std::max(request.arrival, bank.activated + parameters_.trcd);
  } else if (bank.row == ~u64{0}) {
    column = std::max(request.arrival, bank.free) + parameters_.trcd;
  } else {
    const u64 precharge = std::max({request.arrival, bank.free, bank.activated + parameters_.tras});
    column = precharge + parameters_.trp + parameters_.trcd;
  }
  return column + parameters_.tcl;
}

DramChannel::Served DramChannel::serve(u64 now) {
  Served served;
  if (now < bus_free_) return served;
  if (parameters_.refresh_interval != 0 && now >= next_refresh_) {
    // All banks are closed and the channel is idle for the refresh.
    while (now >= next_refresh_) {
      for (Bank& bank : banks_) {
        bank.row = ~u64{0};
        bank.free = std::max(bank.free, next_refresh_ + parameters_.refresh);
      }
      bus_free_ = std::max(bus_free_, next_refresh_ + parameters_.refresh);
      next_refresh_ += parameters_.refresh_interval;
      ++counts_.refreshes;
    }
    if (now < bus_free_) return served;
  }
  const auto ready = [now](const std::deque<Request>& queue) {
    return !queue.empty() && queue.front().arrival <= now;
  };
  const bool reads_ready = ready(reads_), writes_ready = ready(writes_);
  if (!reads_ready && !writes_ready) return served;
  // Writes go when there is nothing to read or a queue of them has gathered, until a quarter is left.
  const std::size_t many = parameters_.queue;
  bool write = writing_;
  if (writing_ && (!writes_ready || (reads_ready && writes_.size() <= many / 4))) write = false;
  if (!writing_ && writes_ready && (!reads_ready || writes_.size() >= many)) write = true;
  if (!write && !reads_ready) write = true;
  std::deque<Request>& queue = write ? writes_ : reads_;

  const u64 bus = bus_free_ + (write != writing_ ? parameters_.turnaround : 0);
  std::size_t best = 0;
  u64 best_start = ~u64{0};
  const std::size_t window = std::min<std::size_t>(queue.size(), parameters_.queue);
  for (std::size_t i = 0; i < window && queue[i].arrival <= now; ++i) {
    const u64 start = std::max(first_data(queue[i]), bus);
    if (start < best_start) {
      best = i;
      best_start = start;
    }
    if (i == 0 && queue[0].overtaken >= 4 * parameters_.queue) break;
    if (best_start == bus) break;
  }
  if (best != 0) ++queue[0].overtaken;

  const Request request = queue[best];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(best));
  Bank& bank = banks_[request.bank];
  if (bank.row == request.row) {
    ++counts_.row_hits;
  } else {
    ++(bank.row == ~u64{0} ? counts_.row_misses : counts_.row_conflicts);
    // Its activation was as early as the data allowed.
    bank.activated = first_data(request) - parameters_.tcl - parameters_.trcd;
    bank.row = request.row;
  }
  if (write != writing_) ++counts_.turnarounds;
  writing_ = write;
  const u32 clocks = parameters_.burst_clocks * parameters_.bursts_per_request;
  bus_free_ = best_start + clocks;
  bank.free = bus_free_;
  counts_.busy_clocks += clocks;
  (write ? counts_.writes : counts_.reads) += parameters_.bursts_per_request;
  served = {true, write, request.tag, bus_free_};
  return served;
}

u64 DramChannel::next_time() const {
  u64 arrival = ~u64{0};
  if (!reads_.empty()) arrival = reads_.front().arrival;
  if (!writes_.empty()) arrival = std::min(arrival, writes_.front().arrival);
  return arrival == ~u64{0} ? arrival : std::max(arrival, bus_free_);
}

}  // namespace lockstep
