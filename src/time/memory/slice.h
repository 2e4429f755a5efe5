// A slice of a shared cache: in-order look-ups at its bandwidth, misses with those who wait for them, its
// store policy, atomics in turn. One class for every level beyond the compute units.
//
// A slice that writes back takes a store that misses without reading the line, since it knows which bytes of
// a line are valid and which are dirty. A level that writes through updates a line that it has and sends the
// store on. Atomics are performed at the level that holds them; the others drop their copy and send them on.
//
// A cache of two halves (slice_halves.cpp) keeps a line in the half that it belongs to, and a copy of it in
// the other half for the clusters there.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "time/engine/outbox.h"
#include "time/memory/granules.h"
#include "time/memory/hierarchy.h"
#include "time/units/cache_tags.h"
#include "time/units/ring.h"

namespace lockstep {

struct SliceCounts {
  u64 reads = 0, writes = 0, atomics = 0;  // requests
  u64 hits = 0, merges = 0, misses = 0;    // of reads and atomics; and writes that found a line or not
  u64 read_bytes = 0, write_bytes = 0;     // delivered, taken in
  u64 write_backs = 0;                     // dirty lines that left
  u64 blocked = 0;                         // requests that found no free miss, line or way out
  u64 atomic_wait_cycles = 0;
  u64 hot_atomic_cycles = 0;  // in which the address with the most atomics had one at work
  u64 busy_cycles = 0, most_waiting = 0;

  SliceCounts& operator+=(const SliceCounts& other);
};

class Slice final : public Shard {
 public:
  // Costs next to nothing until it is first used. `hierarchy` and `map` outlive the slice. `group`: which
  // copy of the level it is of.
  Slice(const Hierarchy& hierarchy, const AddressMap& map, u32 level, u32 group);

  // Counts and time begin anew; the lines stay. What a stopped launch left under way is dropped.
  void begin_launch();
  // The same, but for the counts.
  void begin_phase();
  void invalidate();
  // The line of `address` is not there any more, whatever of it was dirty.
  void drop(u64 address);
  // The same for all lines that have bytes from `begin` to `end`.
  void drop(u64 begin, u64 end);
  // What is dirty of the line of `address` has been written back, at no cost; the line stays.
  void write_back_unseen(u64 address);
  // The same for all lines that have bytes from `begin` to `end`.
  void write_back_unseen(u64 begin, u64 end);
  // The line of `address` is there as if it had been read before.
  void hold(u64 address);
  // From `time` on its dirty lines leave, as fast as it can send them; then it is empty. False where it has
  // none and is empty at once.
  bool clean(u64 time);
  // When the last line that it wrote back had arrived; 0: none did.
  u64 written_back_at() const { return written_back_at_; }

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  const SliceCounts& counts() const { return counts_; }

 private:
  // What an answer to this slice is for, in the upper bits of its tag.
  enum class Reply : u32 { miss, forward, write_back };
  static constexpr u32 reply_shift = 30;
  static constexpr u32 sector_shift = 16, count_shift = 20;  // in the tag of a miss

  // Words of a line, each of 4 bytes, of lines of 256 bytes 8.
  struct Words {
    u32 valid, dirty;
  };
  using Tags = CacheTagsWith<Words, u16>;

  struct Miss {
    u32 entry = 0;                                // none: the line is not kept
    u32 parts = 0;                                // answers to come; of a run lines
    u32 on_way = 0;                               // words
    u32 first = no_index, last = no_index;        // who waits, in order
    u32 valid = 0;                                // words that have come, where the line is not kept
    u32 lines = 1;                                // of a run; then what is valid or needed are bits of these
    std::array<u32, most_run_lines - 1> later{};  // entries of the lines behind the first
    u32 entry_of(u32 line) const { return line == 0 ? entry : later[line - 1]; }
    u32 place_of(u32 of) const {
      u32 place = 0;
      while (entry_of(place) != of) ++place;
      return place;
    }
  };
  struct Waiter {
    Mail mail;
    u32 need = 0;  // words, or lines of a run
    u32 next = no_index;
  };
  // A request that waits. When it came does not matter any more: the set of its line takes that place.
  struct Request {
    Mail mail;
    u32 set() const { return mail.cycle; }
  };
  struct AtomicWord {
    u64 address = ~u64{0};
    u64 free = 0;
    u64 busy = 0;
  };

  // What the first of the requests that wait needs before it can go on.
  enum class Lack : u8 { nothing_known, miss, line, way_out, forward };

  void build();
  u64 next_work() const;
  std::size_t look_ahead(std::span<const Mail> inbox);
  void prefetch_waiting(std::size_t requests);
  void prefetch_lines(const Mail& mail, u32 set) const;
  void enqueue(const Mail& mail, u32 set, bool fetched);
  bool still_lacks() const;
  template <class Change>
  void change_range(u64 begin, u64 end, Change change);
  bool look_up(const Mail& mail, u32 set, u64 now);
  bool read(const Mail& mail, u32 set, u64 now, u32 entry);
  bool write(const Mail& mail, u32 set, u64 now, u32 entry);
  bool atomic_on(const Mail& mail, u64 now, u32 entry);
  bool may_forward() const { return forwarded_ < f_.misses; }
  void forward(const Mail& mail, u64 now);
  void answered(const Mail& mail, u64 now);
  void forward_answered(u32 number, const Mail& mail, u64 now);
  void fill(const Mail& mail, u64 now);
  u32 atomic_cycles(const AtomicWork& work, bool at_once, bool same_line);
  void serve(const Mail& mail, u32 entry, u64 now, u8 level);
  void serve_atomic(const Mail& mail, u32 entry, u64 now, u8 level);
  u32 spread(const Mail& mail) const;

  // slice_halves.cpp
  static constexpr u64 copy_bit = u64{1} << 47;  // in the number of a line: the other half's copy of it
  bool has_halves() const { return f_.far_cycles != 0; }
  // Multiprocessors of a GPC are in one half, and groups come to GPCs in turn, as many as these have (an
  // H200's: experiments/h200-timing/places.txt): 16 clusters in one half, the next 16 in the other.
  static bool far_from(const Mail& mail) { return second_half(mail.address) != ((mail.from >> 4 & 1) != 0); }
  bool is_far(const Mail& mail) const { return has_halves() && far_from(mail); }
  bool is_copy(u32 entry) const { return (tags_.line(entry) & copy_bit) != 0; }
  // More until what lies in the entry (none: what is not kept) has come to who asked.
  u32 way_over(const Mail& mail, u32 entry) const {
    if (!is_far(mail)) return 0;
    return entry != Tags::none && is_copy(entry) ? 0 : f_.far_cycles;
  }
  bool read_copy(const Mail& mail, u32 set, u64 now);
  void keep_copy(u64 line, u32 set, u32 words, u64 now);
  void follow(const Mail& mail, u32 set, u64 now);
  void answer(const Mail& mail, u64 time, u8 level);
  void perform(const Mail& mail, u64 time);
  void clean_one(u64 now);

  // slice_runs.cpp
  bool is_run(const Mail& mail) const { return mail.size() > f_.line_bytes; }
  bool look_up_run(Mail& rest, u64 now, u64 first);
  u32 read_lines(const Mail& rest, u64 now, u64& at);
  u32 miss_lines(const Mail& rest, u64 now, u64& at);
  u32 write_lines(const Mail& rest, u64 now, u64& at);
  void fill_run(u32 number, const Mail& mail, u64 now);
  void serve_lines(const Mail& mail, u32 entry, u64 end, u8 level);
  Mail part_of(const Mail& rest, u32 count) const;
  void leave_together(u64 now) {
    if (leaving_count_ != 0) send_leaving(now);
  }
  void send_leaving(u64 now);
  void serve_waiters(Miss& miss, u32 missing, u64 now, u8 level);
  u64 look_up_next(u64 at) {
    looked_up(at);
    return std::max(at, look_up_free_);
  }

  bool may_leave(u32 victim);
  bool is_dirty(u32 entry) { return tags_.line(entry) != Tags::invalid && tags_.data(entry).dirty != 0; }
  void take(u64 line, u32 set, u32 victim, u32 miss);
  void fetch(u32 miss, u64 line, u32 missing, u64 now);
  void write_back(u64 line, u32 dirty, u64 now);
  void limit_dirty(u32 set, u32 entry, u64 now);
  // The line, or the copy, is not there any more.
  void forget(u64 line, u32 set) {
    const u32 entry = tags_.peek_in(line, set);
    if (entry != Tags::none) tags_.invalidate(entry);
  }
  [[gnu::always_inline]] void send_on(const Mail& mail, u64 time) {
    const u32 to = last_ ? map_.channel(mail.address) : map_.slice(level_ + 1, mail.address, next_group_);
    outbox_->send(to, time + next_way_, mail);
  }
  void wait_for(u32 miss, const Mail& mail, u32 need);
  u32& valid_of(Miss& miss) { return miss.entry == Tags::none ? miss.valid : tags_.data(miss.entry).valid; }
  u32 words(u64 address, u32 bytes) const;
  u32 fetched_with(u32 words) const;
  bool leaves_out(const Mail& mail) const;
  u32 needed(const Mail& mail) const;
  u32 data_bytes(const Mail& mail) const;
  bool refuse(Lack lack) {
    lack_ = lack;
    ended_misses_at_lack_ = ended_misses_;
    return false;
  }
  // Which set a line of the slice is in, by its number there. Hashed: within blocks of eight lines, by the
  // bits above, so that what lies side by side still fills all sets alike and what lies 2, 4 or 8 lines apart
  // does, too.
  u64 hashed(u64 line) const {
    if (!f_.hashed_sets) return line;
    u64 above = line >> 3;
    above ^= above >> 12;
    above ^= above >> 6;
    above ^= above >> 3;
    return line ^ (above & 7);
  }
  u64 inner_line(u64 address) const { return interleave_.dense(address) >> line_shift_; }
  // Each half has sets of its own: a copy's is the other one of the two.
  u64 set(u64 address) const {
    const u64 number = hashed(inner_line(address));
    return has_halves() ? number << 1 | second_half(address) : number;
  }
  u32 set_of(const Mail& mail) const { return tags_.set_at(set(mail.address)); }
  bool may_miss() const { return missing_ < f_.misses; }
  u32 new_miss() {
    if (free_misses_.empty()) {
      misses_.emplace_back();
      return static_cast<u32>(misses_.size()) - 1;
    }
    const u32 miss = free_misses_.back();
    free_misses_.pop_back();
    return miss;
  }
  // Cycles for data that go one after the other: where they do not fill whole cycles, what is left of the
  // last one serves the next request if that comes at once. Requests share a cycle where it has several
  // look-ups.
  struct Transfer {
    u32 rest = 0;
    u32 cycles(u32 bytes, u32 rate, u32 look_ups, bool at_once) {
      const u32 left = at_once ? rest : 0;
      if (look_ups == 1 && left == 0 && bytes <= rate) {
        rest = 0;
        return 1;
      }
      const u32 least = std::max(bytes, rate / look_ups);
      const u32 needed = least > left ? (least - left + rate - 1) / rate : 0;
      rest = left + needed * rate - least;
      return needed;
    }
  };
  // Data leave in the order of look-ups, and look-ups go so many cycles ahead of them at most.
  static constexpr u64 look_ups_ahead = 8;
  u64 next_look_up() const {
    const u64 data = std::max(free_, stores_free_);
    return std::max(std::max(look_up_free_, not_before_), data > look_ups_ahead ? data - look_ups_ahead : 0);
  }
  void looked_up(u64 now) {
    if (now != look_up_cycle_) look_ups_ = 0;
    look_up_cycle_ = now;
    if (++look_ups_ >= f_.look_ups) look_up_free_ = now + 1;
  }
  void busy(u64 from, u64 cycles) {
    free_ = from + cycles;
    counts_.busy_cycles += cycles;
  }

  const AddressMap& map_;
  const CacheLevel& f_;
  Interleave interleave_;  // the level's
  u32 level_, next_group_;
  bool last_;  // the next level is memory
  u32 next_way_, next_line_;
  u32 interleave_shift_;
  u32 line_shift_, word_shift_, sector_words_, fetch_words_;
  u32 run_lines_;
  u32 sectors_, sectors_of_request_;  // of a line, and of those that are fetched at once
  u32 piece_shift_;                   // of what a line's write-back is made of
  u32 full_line_;

  Tags tags_;
  std::vector<Miss> misses_;  // as many as were needed so far
  std::vector<u32> free_misses_;
  u32 missing_ = 0;  // lines
  std::vector<Waiter> waiters_;
  u32 free_waiter_ = no_index;
  // A request that was sent on.
  struct Forward {
    Mail mail;
    u32 lines = 0;  // not answered
  };
  std::vector<Forward> forwards_;
  std::vector<u32> free_forwards_;
  u32 forwarded_ = 0;        // lines
  u32 write_backs_ = 0;      // lines, not acknowledged
  u64 written_back_at_ = 0;  // the last acknowledgement's time
  std::vector<AtomicWord> atomics_;
  u64 atomic_line_ = ~u64{0};  // of the latest one

  bool fetches_ahead_ = true;  // not where the level's tags are small
  Ring<Request> waiting_;      // in order
  std::size_t fetched_ = 0;    // of the first of them: by the host, ahead of their look-up
  // Of a window's mail: the requests with their sets; the misses whose lines have come.
  std::vector<const Mail*> requests_;
  std::vector<u32> sets_, came_;
  bool blocked_ = false;  // the first of them needs an answer to arrive
  Lack lack_ = Lack::nothing_known;
  u32 ended_misses_ = 0, ended_misses_at_lack_ = 0;
  u64 free_ = 0;         // the next data
  u64 stores_free_ = 0;  // those of stores, where they have a port of their own
  u64 look_up_free_ = 0, look_up_cycle_ = 0, not_before_ = 0;
  u32 look_ups_ = 0;  // in that cycle
  Transfer reading_, storing_, writing_;
  std::vector<std::pair<u64, Mail>> performs_;  // ordered accesses served in a later window
  u32 clean_next_ = no_index;                   // entry to look at next while it is cleaned

  // Dirty lines whose entries were taken and that have not been sent.
  struct Leaving {
    u64 line = 0;
    u32 dirty = 0;
  };
  std::array<Leaving, most_run_lines> leaving_;
  u32 leaving_count_ = 0;

  bool dirtied_ = false;  // since it was empty

  Outbox* outbox_ = nullptr;
  u64 end_ = 0;
  SliceCounts counts_;
};

}  // namespace lockstep
