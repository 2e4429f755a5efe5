// One DRAM channel: banks in bank groups, each with an open row, one data bus. Commands are issued when the
// standard's constraints allow: rows are closed and opened for the oldest request of a bank while others use
// the bus; of the requests whose rows are open the one goes first whose command can be issued first, the
// oldest of equals, and nobody is overtaken for ever. Writes wait in their own queue and are sent in batches,
// so that the bus turns seldom. All times are clocks of the memory.
//
// Each bank has its requests in the order of their arrival and knows the first of them for its open row; sets
// of banks are bits of a word. So a choice compares the ages of one request for each bank, or the times that
// banks wait for, sixteen at a time: a loop over them would end where the host does not expect it.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "base/types.h"
#include "time/units/bank_numbers.h"
#include "time/units/dram_parameters.h"
#include "time/units/ring.h"

namespace lockstep {

class DramChannel {
 public:
  DramChannel() = default;
  explicit DramChannel(const DramParameters& parameters);

  struct Location {
    u64 row = 0;
    u32 bank = 0;  // its lowest bits are the bank group
  };
  Location locate(u64 address) const;

  // `address` is within the channel, and so are all bytes of one row there. Requests come in the order of
  // `arrival`, none before a clock of which step() was called. `places`: of the queue among which the channel
  // chooses, one for each line.
  void push(u64 arrival, u64 address, u32 bytes, bool write, u64 tag, u32 places = 1);

  struct Served {
    bool write = false;
    u64 tag = 0;
    u64 issued = 0;  // clock of its last command
    u64 done = 0;    // clock after its last data
  };
  // What steps will read first comes into the host's nearest cache.
  void prefetch() const;

  // Issues what can be issued at `now`; appends requests whose last command that was. Called at each
  // next_time() in turn.
  void step(u64 now, std::vector<Served>& served);
  // The same for all clocks before `end` in which there is something to do.
  void run(u64 end, std::vector<Served>& served);

  // The next clock in which there is something to do: ~0 when there is none.
  u64 next_time() const { return next_; }

  // Counts and time begin anew; rows stay open. Requests that wait are dropped.
  void begin_launch();
  // The same, but for the counts.
  void begin_phase();
  void close_rows();

  std::size_t waiting() const { return waiting_; }
  DramCounts counts() const;

 private:
  static constexpr u32 none = ~0u;
  static constexpr u64 no_row = ~u64{0};
  static constexpr u64 no_time = ~u64{0};
  enum Direction : u8 { read, write };

  // A request that is not visible to the choice yet.
  struct Arrival {
    u64 time = 0;
    u32 request = 0;
  };
  struct Request {
    u64 row = 0, tag = 0;
    u32 previous = none, next = none;  // in its bank
    u16 age = 0;                       // orders those of its direction
    u16 bursts = 0;
    u8 bank = 0;
    u8 places = 1;
    bool opened_row = false;  // it is counted already
  };
  // The requests of one direction for one bank, oldest first, and the oldest of those for the open row.
  struct Waiting {
    u32 first = none, last = none;
    u32 hit = none;
  };
  struct alignas(64) Bank {
    u64 row = no_row;   // open; no_row: none
    u64 precharge = 0;  // earliest
    u64 closes = 0;     // when its row closes, where that is to come or has not been noted yet
    std::array<Waiting, 2> waiting;
  };
  static_assert(sizeof(Bank) == 64);
  // The requests of one direction.
  struct Queue {
    alignas(32) BankNumbers hit_age{}, first_age{};  // of those requests of Waiting
    u64 pending = 0, hits = 0;                       // bits of the banks that have requests, that have hits
    u32 visible = 0;                                 // places of those among which it chooses
    u32 oldest = none;                               // age, and its bank
    u32 oldest_bank = 0;
    u32 next_age = 0;
    u64 next_incoming = no_time;  // the first arrival of `incoming`
    Ring<Arrival> incoming;
  };

  void forget_passed(u64 now);
  void open_until(u64 now);
  void step_at(u64 now, std::vector<Served>& served);
  void admit(u64 now);
  void admit_one(Direction direction, u64 now);
  void admit_next();
  void number_anew(Queue& queue);
  void find_hit(u32 bank, Direction direction, u32 from);
  void find_hits();
  void close(u32 bank);
  void rest(u32 bank, u64 until);
  void close_when_allowed(u32 bank, u64 now);
  void closed_for_another(u32 bank);
  void keep_open(u32 bank);
  void settle_rows(u64 now);
  template <Direction direction>
  void remove(u32 bank, u64 now);
  void refresh(u64 now);
  // Writes go when there is nothing to read or a queue of them has gathered, until a quarter is left.
  void choose_direction() {
    const u32 reads = queues_[read].visible, writes = queues_[write].visible;
    if (direction_ == write) {
      wanted_ = reads > 0 && writes <= p_.queue / 4 ? read : write;
    } else {
      wanted_ = writes > 0 && (reads == 0 || writes >= p_.queue) ? write : read;
    }
  }
  void turn(Direction direction, u64 now);
  // The oldest has been passed so often that its bank serves nobody else any more.
  bool urgent() const { return overtaken_ >= overtaken_at_most_; }
  u64 urgent_columns() const;
  // When the channel takes a column command to the bank.
  u64 column_from(u64 bit) const { return (bit & group_) != 0 ? same_from_ : other_from_; }
  template <Direction direction>
  bool issue_column(u64 now, u64 candidates, std::vector<Served>& served);
  u64 columns_next(u64 candidates) const;
  bool issue_urgent_rows(u64 now, u64& next);
  bool open_wanted(u64 now, u64 candidates);
  void open_row(u32 bank, u64 now);

  DramParameters p_;
  u32 row_shift_ = 0, bank_bytes_shift_ = 0, group_shift_ = 0, block_shift_ = 0, bank_shift_ = 0;
  u32 overtaken_at_most_ = 0;
  u64 first_group_ = 0;               // bits of its banks
  std::array<u32, 2> to_data_end_{};  // clocks from a command to behind its data
  bool bus_idles_ = false;            // between data, for bus_percent

  std::array<Queue, 2> queues_;
  std::array<Bank, most_banks> banks_;
  u64 open_ = 0;                      // bit for each with an open row
  u64 closing_ = 0;                   // those of them whose row closes for another
  u64 had_row_ = 0;                   // closed for the request that opens it
  u64 opening_ = 0;                   // those whose row may not be open yet
  u64 resting_ = 0;                   // closed or closing ones that may not be opened yet, until `rested_`
  alignas(32) BankNumbers rested_{};  // lowest bits of clocks (forget_passed)
  u64 forget_at_ = DramParameters::most_wait;  // passed ones of these
  // When the rows of those are open that are opening: in that order, as all take the same time.
  struct Opening {
    u64 time = 0, bit = 0;
  };
  std::array<Opening, most_banks> openings_{};
  u32 first_opening_ = 0, openings_end_ = 0;  // counted on, modulo their number
  u64 next_opened_ = no_time;
  std::vector<Request> requests_;
  u32 free_ = none;
  u32 waiting_ = 0;

  Direction direction_ = read;
  Direction wanted_ = read;  // by what is visible
  u32 overtaken_ = 0;        // columns that passed the oldest of the current direction
  u64 admit_at_ = no_time;   // when a request arrives for which there is room
  // When the next row can be opened for the current direction, or earlier; 0: which rows are wanted has
  // changed.
  u64 rows_next_ = 0;
  // When the next column command can go, for a request that is visible; 0: that has changed.
  u64 columns_next_ = 0;
  // The next column command of the current direction, to a bank of another group than the last one's, of the
  // same.
  u64 other_from_ = 0, same_from_ = 0;
  u64 group_ = 0;  // bits of that group's banks
  u64 bus_free_ = 0;
  u32 bus_debt_ = 0;       // hundredths of clocks that the bus has yet to idle
  bool bus_read_ = false;  // what was on it last
  u64 read_from_ = 0;      // earliest read command after a write
  u64 last_column_ = 0;
  std::array<u64, 4> activations_{};  // the latest four, plus one each: 0 for none
  u32 next_activation_ = 0;
  u64 activations_from_ = 0;  // the earliest that the channel as a whole allows
  u64 next_refresh_ = 0;
  u64 next_ = no_time;
  DramCounts counts_;
};

// Consecutive requests go round the bank groups, rows round the banks of a group. Rows and requests that lie
// a power of two apart meet in different banks: higher bits of the address are mixed in.
inline DramChannel::Location DramChannel::locate(u64 address) const {
  if (p_.bank_bytes != 0) {
    const u64 row = address >> (row_shift_ + bank_shift_);
    u64 bank = address >> bank_bytes_shift_;
    // Each of four bits by every fourth of the row, as MI300's driver has it (Linux, amd/ras: umc_v12_0.h).
    if (p_.hashed_banks) {
      if (bank_shift_ == 4) {
        u64 turns = row ^ row >> 32;
        turns ^= turns >> 16;
        turns ^= turns >> 8;
        bank ^= turns ^ turns >> 4;
      } else {
        for (u64 turns = row; turns != 0; turns >>= bank_shift_) bank ^= turns;
      }
    }
    return {row, static_cast<u32>(bank) & (p_.banks - 1)};
  }
  const u64 request = address >> block_shift_;
  const u64 in_group = request >> group_shift_;
  const u64 mix = in_group ^ in_group >> 2 ^ in_group >> 5 ^ in_group >> 9 ^ in_group >> 13;
  const u32 group = static_cast<u32>(request ^ mix) & (p_.bank_groups - 1);
  const u64 rows = in_group >> (row_shift_ - block_shift_);
  const u32 bank_bits = bank_shift_ - group_shift_;
  const u64 row = rows >> bank_bits;
  const u32 in = static_cast<u32>(rows ^ row ^ row >> 4) & ((1u << bank_bits) - 1);
  return {row, in << group_shift_ | group};
}

inline void DramChannel::push(u64 arrival, u64 address, u32 bytes, bool is_write, u64 tag, u32 places) {
  const Location location = locate(address);
  u32 index = free_;
  if (index == none) {
    index = static_cast<u32>(requests_.size());
    requests_.emplace_back();
  } else {
    free_ = requests_[index].next;
    if (free_ != none) __builtin_prefetch(&requests_[free_], 1);
  }
  Request& request = requests_[index];
  request.row = location.row;
  request.tag = tag;
  request.bursts = static_cast<u16>(p_.bursts(bytes));
  request.bank = static_cast<u8>(location.bank);
  request.places = static_cast<u8>(places);
  request.opened_row = false;
  request.next = none;
  Queue& queue = queues_[is_write];
  if (queue.incoming.empty()) queue.next_incoming = arrival;
  queue.incoming.push_back({arrival, index});
  if (queue.visible < p_.queue) {
    admit_at_ = std::min(admit_at_, arrival);
    next_ = std::min(next_, arrival);
  }
  counts_.most_queued = std::max<u64>(counts_.most_queued, ++waiting_);
}

}  // namespace lockstep
