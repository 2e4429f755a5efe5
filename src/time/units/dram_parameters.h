// What a DRAM channel is made of, and what it counts.
#pragma once
#include <algorithm>

#include "base/types.h"

namespace lockstep {

struct DramParameters {
  u32 banks = 0;  // at most 64
  u32 bank_groups = 1;
  u32 row_bytes = 0;
  // Consecutive bytes of the channel in one bank, where the next are the next bank's; 0: a row's, and higher
  // bits are mixed in.
  u32 bank_bytes = 0;
  bool hashed_banks = false;  // with bank_bytes: bits of the row turn those of the bank
  u32 burst_bytes = 0;
  u32 burst_clocks = 0;   // of the data bus
  u32 bus_percent = 100;  // of the bus's clocks that carry data at best
  u32 block_bytes = 0;    // consecutive bytes in one bank; then comes one of the next group
  u32 tcl = 0, tcwl = 0;  // read, write command to its first data
  u32 trcd = 0, trp = 0, tras = 0;
  u32 trrd = 0, tfaw = 0;                 // between two activations, and in which at most four of them fall
  u32 tccd = 0, tccd_long = 0;            // between two column commands; of one bank group
  u32 trtp = 0, twr = 0;                  // read command, last write data to precharge
  u32 twtr = 0;                           // last write data to a read command
  u32 turnaround = 0;                     // of the data bus, between a read and a write
  u32 refresh_interval = 0, refresh = 0;  // 0: none
  u32 queue = 0;                          // reads, and writes, among which it chooses

  u32 bursts(u32 bytes) const { return bytes <= burst_bytes ? 1 : (bytes + burst_bytes - 1) / burst_bytes; }
  // What a bank waits for at most, with all that may still be under way; shorter than `most_wait`.
  u64 longest_wait() const {
    const u64 columns = u64{bursts(most_request)} * std::max({tccd, tccd_long, burst_clocks});
    return columns + u64{tcwl} + twr + tras + trp + trcd + refresh;
  }
  static constexpr u32 most_wait = 1 << 13, most_request = 256;
  // From the arrival of a read to its last data, all rows closed.
  u32 closed_row_clocks(u32 bytes) const {
    const u32 step = bank_groups > 1 && tccd_long > tccd ? tccd_long : tccd;
    return trcd + tcl + (bursts(bytes) - 1) * (step > burst_clocks ? step : burst_clocks) + burst_clocks;
  }
};

struct DramCounts {
  u64 reads = 0, writes = 0;                            // bursts
  u64 row_hits = 0, row_misses = 0, row_conflicts = 0;  // requests: row open, none open, another one open
  u64 busy_clocks = 0;                                  // data on the bus
  u64 turnarounds = 0;
  u64 refreshes = 0;  // those of a stretch without requests count as one
  u64 most_queued = 0;
};

}  // namespace lockstep
