// The memory hierarchy of one machine beyond its compute units, as plain figures made from its file: which
// levels there are, where each leads, how its slices are chosen, and how many cycles lie between them.
// Nothing here knows a family.
//
// Latencies in machine files are load-to-use of an unloaded single access. The way between two levels is
// (latency of the farther - latency of the nearer - the farther one's work) / 2 each way; the nearer one's
// look-up that misses is a cycle of it.
#pragma once
#include <bit>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/divider.h"
#include "time/units/clock_ratio.h"
#include "time/units/dram_parameters.h"

namespace lockstep {

struct Machine;

inline constexpr u32 most_sets = 1 << 16;  // of a slice

// How an address's higher bits change which slice is its.
enum class Mixing : u8 { none, rows, pairs };

// A cache beyond the compute units: a shared first-level cache of a shader array, a second level, a cache in
// front of memory.
struct CacheLevel {
  std::string name;  // "gl1", "l2", "mall"; counters carry it
  u32 line_bytes = 64, ways = 16;
  u32 size_bytes = 0;     // of one slice
  u32 sector_bytes = 64;  // what is fetched from the next level at once: a line or a part of it
  u32 slices = 1;         // in the device, all groups together
  u32 groups = 1;         // copies: clusters of one group share its slices (shader arrays, dies)
  u32 interleave_bytes = 256;
  Mixing mixing = Mixing::rows;           // of higher address bits into the choice of a slice
  u32 read_bytes = 64, write_bytes = 64;  // a cycle and slice
  u32 look_ups = 1;                       // a cycle and slice; several share its bytes
  u32 misses = 256;        // lines outstanding from a slice; as many stores that it sent on, and dirty lines
  bool write_back = true;  // else stores go on at once (and update a line that is there)
  bool allocates_stores = true;
  bool holds_atomics = false;             // atomics are performed here
  bool cleaned_between_launches = false;  // dirty lines leave at a launch's end, and the lines with them
  bool in_front_of_memory = false;        // part of memory's side: all accesses to it come by, the host's too
  u32 way_cycles = 0;      // one way, from the level before (or the cluster) to this one; at least 1
  u32 extra_cycles = 0;    // 0 or 1: what the halves of an odd latency leave, spent before the answer leaves
  u32 latency_cycles = 0;  // load to use, as stated; for descriptions
  // Atomics
  u32 atomic_cycles = 2;       // between two on one address
  u32 atomic_line_cycles = 0;  // of a request, whatever its addresses
  // More for each lane on the busiest address of a request beyond the first, up to so many.
  u32 atomic_conflict_cycles = 0, atomic_conflict_lanes = 31;
  u32 atomic_lanes = 16;  // of different addresses of a line side by side, a cycle
  u32 word_cycles = 0;    // of a slice for each 4 bytes of stores that go word by word
  u32 atomic_bytes = 0;   // where not 0: a cycle, of the sectors that lanes of different addresses work on
  u32 atomic_return_bytes = 0;  // the same of those whose old values go back; 0: as the others
  u32 spread_cycles = 0;        // by which answers from its furthest block take longer than from the nearest
  u32 far_atomic_cycles = 0;  // more until the answer where the line's half of the cache is not the cluster's
  // The same of a read that the cluster's own half has no copy of; 0: the cache has no halves.
  u32 far_cycles = 0;
  u32 fetch_bytes = 0;       // of a line that a miss asks for at once; 0: a sector
  u32 dirty_ways = 0;        // lines of a set that may be dirty before the oldest one is written back; 0: all
  bool hashed_sets = false;  // which set a line is in goes by its number's upper bits, too
  // Stores count by whole sectors, at a port of their own, and one whose sectors are not all written whole
  // holds that for so many cycles more.
  bool stores_by_sectors = false;
  u32 partial_store_cycles = 0;

  // Cycles that a slice is busy with data of a request.
  u32 read_cycles(u32 bytes) const { return bytes <= read_bytes ? 1 : (bytes + read_bytes - 1) / read_bytes; }
  u32 write_cycles(u32 bytes) const {
    return bytes <= write_bytes ? 1 : (bytes + write_bytes - 1) / write_bytes;
  }
};

struct TranslationFigures {
  u32 page_shift = 21;  // log2 of the bytes of a page
  u64 page_of(u64 address) const { return address >> page_shift; }
  u32 near_entries = 32;  // of a compute unit's own TLB
  u32 shared_entries = 4096;
  u32 way_cycles = 32;   // one way between a unit's TLB and the shared one
  u32 extra_cycles = 0;  // as CacheLevel's
  u32 walk_cycles = 500;
  u32 walkers = 16;  // walks at the same time
};

// Levels are numbered from the nearest on; an answer's Mail::level is the number plus 1 (0 is the compute
// unit's own), memory's is the number of levels plus 1.
struct Hierarchy {
  std::vector<CacheLevel> levels;  // nearest first; the last one leads to memory
  u32 code_level = 0;              // the level that instruction and scalar caches ask (the second level)
  u32 memory_way_cycles = 0;       // one way between the last level and a channel
  u32 memory_extra_cycles = 0;     // as CacheLevel's
  u32 memory_latency_cycles = 0;   // load to use, as stated, row closed, the mean of both halves
  u32 channels = 1;
  u32 channel_interleave_bytes = 256;
  bool channels_mixed = true;  // by rows
  // Lines that a request may have (granules.h): as many as all levels and channels keep together, where all
  // levels have the same lines and fetch them whole; else one.
  u32 run_lines = 1;
  DramParameters dram;  // of a channel
  ClockRatio dram_clock;
  TranslationFigures translation;
};

// `nearest_latency`: load-to-use cycles of a hit in the compute unit's own cache; `nearest_work`: of those,
// cycles that a request which misses spends there as well (address unit and look-up).
// Errors: a missing figure, figures that contradict each other ("machine-figures", both keys named).
Expected<Hierarchy> make_hierarchy(const Machine& machine, u64 clock_hz, u32 nearest_latency,
                                   u32 nearest_work);

// Errors: figures that the model cannot work with, named as in a machine file.
Status check_hierarchy(const Hierarchy& hierarchy);

// Which half of a cache of two halves a line belongs to: blocks of 4 KB by the parity of their number, as an
// H200's latencies show (experiments/h200-timing/far.txt).
inline bool second_half(u64 address) {
  return (std::popcount(address >> 12) & 1) != 0;
}

// The address among those of its half: of each 8 KB one block of 4 KB is.
inline u64 within_half(u64 address) {
  return address >> 13 << 12 | (address & 4095);
}

// Blocks of consecutive bytes dealt out to a number of slices or channels. Within any aligned row of as many
// blocks as there are slices each slice has one: mixing by rows changes only which. Mixed by pairs, two
// blocks are two slices', half a block in turn, and any two neighbouring slices may be theirs, those of each
// half of the cache in turns of their own.
class Interleave {
 public:
  Interleave() = default;
  Interleave(u32 count, u32 block_bytes, Mixing mixing);

  u32 slice(u64 address) const {
    const u64 block = address >> shift_;
    if (mixing_ == Mixing::none) return static_cast<u32>(by_count_.remainder(block));
    if (mixing_ == Mixing::pairs) {
      const Place at = scattered(address);
      return static_cast<u32>(2 * by_pairs_.remainder(at.place) +
                              ((address >> (shift_ - 1) ^ at.place >> 4) & 1));
    }
    if (power_of_two_)
      return static_cast<u32>(
          by_count_.remainder(block ^ block >> 5 ^ block >> 10 ^ block >> 15 ^ block >> 20));
    // Other counts: each row of blocks is turned by a number made of the row's.
    const u64 row = by_count_.quotient(block);
    const u64 turn = row ^ row >> 5 ^ row >> 10 ^ row >> 15;
    return static_cast<u32>(by_count_.remainder(block + (turn & 0xFFFF)));
  }
  // The address within its slice: a slice's blocks follow one another. By pairs its neighbours may be
  // others'.
  u64 inner(u64 address) const {
    if (mixing_ == Mixing::pairs) return address >> shift_ << (shift_ - 1) | (address & (together() - 1));
    return by_count_.quotient(address >> shift_) << shift_ | (address & ((u64{1} << shift_) - 1));
  }
  // The same for choosing sets: by pairs, too, what lies side by side in one half has numbers that follow one
  // another there, but for a few at the ends of rows.
  u64 dense(u64 address) const {
    if (mixing_ != Mixing::pairs) return inner(address);
    const Place at = scattered(address);
    const u64 number =
        by_pairs_.quotient(at.place) - by_pairs_.quotient(at.turn) + by_pairs_.quotient(at.row * row_pairs);
    return (number << 1 | (address >> shift_ & 1)) << (shift_ - 1) | (address & (together() - 1));
  }
  // The address that lies there in this slice.
  u64 address(u32 slice, u64 inner) const;
  // Bytes that lie together in one slice.
  u32 together() const { return 1u << (mixing_ == Mixing::pairs ? shift_ - 1 : shift_); }

 private:
  // Each row of 512 pairs of a half in an order that looks like chance, another one's turned.
  static constexpr u64 row_pairs = 512;
  struct Place {
    u64 row, turn, place;
  };
  Place scattered(u64 address) const {
    const u64 number = within_half(address) >> (shift_ + 1);
    const u64 row = number / row_pairs, turn = (row << 1 | second_half(address)) * 0x9E37 & 0xFFFF'FFFF;
    u64 place = number % row_pairs;
    place = (place ^ place >> 5) * 757 % row_pairs;
    place = (place ^ place >> 5) * 435 % row_pairs;
    return {row, turn, turn + (place ^ place >> 5)};
  }

  Divider by_count_, by_pairs_;
  u32 shift_ = 8;
  Mixing mixing_ = Mixing::none;
  bool power_of_two_ = true;
};

// Which shard serves what. Shards of the hierarchy are numbered from `first` on: levels' slices in order, a
// group's side by side, then channels, then the shared translation.
class AddressMap {
 public:
  AddressMap() = default;
  AddressMap(const Hierarchy& hierarchy, u32 clusters, u32 first);

  // The shard of the level's slice that serves `address` for a cluster (group = its copy of the level).
  u32 slice(u32 level, u64 address, u32 group) const {
    const Level& l = levels_[level];
    return l.first + group * l.slices_per_group + l.interleave.slice(address);
  }
  u32 group_of_cluster(u32 level, u32 cluster) const { return cluster / levels_[level].clusters_per_group; }
  // The group of the next level that a group of `level` leads to.
  u32 next_group(u32 level, u32 group) const { return group / levels_[level].groups_per_next; }
  // The set in its slice that the address belongs to; to be taken modulo the sets.
  u64 set(u32 level, u64 address) const {
    return levels_[level].interleave.dense(address) >> levels_[level].line_shift;
  }
  // How addresses are dealt out to the slices of one copy of the level.
  const Interleave& interleave(u32 level) const { return levels_[level].interleave; }
  u32 channel(u64 address) const { return first_channel_ + channels_.slice(address); }
  // The address within its channel.
  u64 channel_address(u64 address) const { return channels_.inner(address); }
  u32 translation() const { return translation_; }
  u32 first_slice(u32 level) const { return levels_[level].first; }
  u32 first_channel() const { return first_channel_; }
  u32 end() const { return translation_ + 1; }

 private:
  struct Level {
    u32 first = 0, slices_per_group = 1, clusters_per_group = 1, groups_per_next = 1, line_shift = 6;
    Interleave interleave;
  };
  std::vector<Level> levels_;
  Interleave channels_;
  u32 first_channel_ = 0, translation_ = 0;
};

}  // namespace lockstep
