// One DRAM channel: banks in bank groups, each with an open row, one data bus. Commands are issued when the
// standard's constraints allow: rows are closed and opened for the oldest request of a bank while others use
// the bus; of the requests whose rows are open the one goes first whose command can be issued first, the
// oldest of equals, and nobody is overtaken for ever. Writes wait in their own queue and are sent in batches,
// so that the bus turns seldom. All times are clocks of the memory.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "base/types.h"
#include "time/units/ring.h"

namespace lockstep {

struct DramParameters {
  u32 banks = 0;  // at most 64
  u32 bank_groups = 1;
  u32 row_bytes = 0;
  u32 burst_bytes = 0;
  u32 burst_clocks = 0;   // of the data bus
  u32 request_bytes = 0;  // consecutive bytes in one bank group; then comes the next group
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

class DramChannel {
 public:
  DramChannel() = default;
  explicit DramChannel(const DramParameters& parameters);

  struct Location {
    u64 row = 0;
    u32 bank = 0;  // its lowest bits are the bank group
  };
  Location locate(u64 address) const;

  // `address` is within the channel. Requests come in the order of `arrival`, none before a clock of which
  // step() was called.
  void push(u64 arrival, u64 address, u32 bytes, bool write, u64 tag);

  struct Served {
    bool write = false;
    u64 tag = 0;
    u64 issued = 0;  // clock of its last command
    u64 done = 0;    // clock after its last data
  };
  // Issues what can be issued at `now`; appends requests whose last command that was. Called at each
  // next_time() in turn.
  void step(u64 now, std::vector<Served>& served);

  // The next clock in which there is something to do: ~0 when there is none.
  u64 next_time() const { return next_; }

  // Counts and time begin anew; rows stay open. Requests that wait are dropped.
  void begin_launch();
  // The same, but for the counts.
  void begin_phase();
  void close_rows() {
    banks_.row.fill(no_row);
    banks_.open = 0;
  }

  std::size_t waiting() const {
    return incoming_[0].size() + incoming_[1].size() + visible_[0] + visible_[1];
  }
  const DramCounts& counts() const { return counts_; }

 private:
  static constexpr u32 none = ~0u;
  static constexpr u64 no_row = ~u64{0};
  static constexpr u64 no_time = ~u64{0};
  static constexpr u32 most_banks = 64;
  enum Direction : u8 { read, write };

  struct Arrival {
    u64 time = 0, row = 0, tag = 0;
    u16 bank = 0, bursts = 0;
  };
  struct Request {
    u64 row = 0, sequence = 0, tag = 0;
    u16 bank = 0, bursts = 0;
    bool touched = false;              // counted as a hit or not
    u32 previous = none, next = none;  // in its bank
    u32 older = none, younger = none;  // of its direction
  };
  // The requests of one direction for one bank, oldest first, and the oldest of those for the open row.
  struct Waiting {
    u32 first = none, last = none;
    u32 hit = none;
  };
  // What is asked of many banks at once lies side by side.
  template <typename T>
  using PerBank = std::array<T, most_banks>;
  struct Banks {
    PerBank<u64> row;                                        // open; no_row: none
    PerBank<u64> column{};                                   // earliest column command to the open row
    PerBank<u64> precharge{};                                // earliest
    PerBank<u64> activate{};                                 // earliest, when closed
    std::array<PerBank<i64>, 2> hit_order{}, first_order{};  // of those requests of Waiting
    std::array<PerBank<Waiting>, 2> waiting;
    u64 open = 0;     // bit for each with an open row
    u64 had_row = 0;  // closed for the request that opens it
    u64 opening = 0;  // those whose `column` may lie ahead
    Banks() { row.fill(no_row); }
  };

  bool due(Direction direction, u64 now) const {
    return next_incoming_[direction] <= now && visible_[direction] < p_.queue;
  }
  void admit(Direction direction, u64 now);
  void find_hit(u32 bank, Direction direction, u32 from);
  void close(u32 bank);
  void remove(u32 request, Direction direction);
  void refresh(u64 now);
  // Writes go when there is nothing to read or a queue of them has gathered, until a quarter is left.
  Direction wanted_direction() const {
    const bool reads = visible_[read] > 0, writes = visible_[write] > 0;
    if (direction_ == write) return reads && visible_[write] <= p_.queue / 4 ? read : write;
    return writes && (!reads || visible_[write] >= p_.queue) ? write : read;
  }
  void turn(Direction direction);
  // The oldest has been passed so often that its bank serves nobody else any more.
  bool urgent() const { return overtaken_ >= 4 * p_.queue; }
  bool issue_column(u64 now, std::vector<Served>& served, u64& next);
  u32 next_column(u64 now, u64 candidates, u64& next);
  u64 columns_next() const;
  bool issue_rows(u64 now, u64& next);
  bool change_rows(u64 now, u64 candidates, u64& next);
  void open_row(u32 bank, u64 now);
  // The earliest activation that the channel as a whole allows.
  u64 activations_allowed() const {
    u64 allowed = 0;
    if (last_activation_ != 0) allowed = last_activation_ - 1 + p_.trrd;
    if (activations_[next_activation_] != 0)
      allowed = std::max(allowed, activations_[next_activation_] - 1 + p_.tfaw);
    return allowed;
  }
  // The bank waits for its row to be closed or opened from now on.
  void row_wanted(u32 bank) {
    const u64 time = (banks_.open >> bank & 1) != 0 ? banks_.precharge[bank]
                                                    : std::max(banks_.activate[bank], activations_allowed());
    rows_next_ = std::min(rows_next_, time);
  }

  DramParameters p_;
  u32 row_shift_ = 0, group_shift_ = 0, request_shift_ = 0, bank_shift_ = 0;
  Banks banks_;
  std::array<Ring<Arrival>, 2> incoming_;  // not visible to the choice yet
  std::array<u64, 2> next_incoming_{no_time, no_time};
  std::array<u32, 2> visible_{};
  std::array<u64, 2> pending_{}, hits_{};  // bit for each bank
  std::array<u32, 2> oldest_{none, none}, youngest_{none, none};
  u32 overtaken_ = 0;  // columns that passed the oldest of the current direction
  std::vector<Request> requests_;
  std::vector<u32> free_;
  u64 sequence_ = 0;

  u64 same_group_ = 1;  // bits of the banks of group 0

  Direction direction_ = read;
  // When the next row can be closed or opened for the current direction, as long as nothing changes that:
  // what does makes it 0, or earlier.
  u64 rows_next_ = 0;
  u64 bus_free_ = 0;
  bool bus_read_ = false;  // what was on it last
  u64 read_from_ = 0;      // earliest read command after a write
  u64 last_column_ = 0;
  u32 last_group_ = 0;
  bool any_column_ = false;
  std::array<u64, 4> activations_{};  // the latest four, plus one each: 0 for none
  u32 next_activation_ = 0;
  u64 last_activation_ = 0;  // plus one
  u64 next_refresh_ = 0;
  u64 next_ = no_time;
  DramCounts counts_;
};

}  // namespace lockstep
