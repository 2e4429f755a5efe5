// What a cluster knows of its memory instructions and of the caches near its compute units.
#pragma once
#include <array>
#include <deque>
#include <span>
#include <vector>

#include "time/core/cluster_context.h"
#include "time/core/counts.h"
#include "time/engine/shard.h"
#include "time/memory/granules.h"
#include "time/memory/hierarchy.h"
#include "time/program/timed_op.h"
#include "time/units/bank_schedule.h"
#include "time/units/cache_tags.h"
#include "time/units/coalescer.h"
#include "time/units/ring.h"
#include "time/units/tlb.h"

namespace lockstep {

struct ClusterMemory {
  // An outstanding miss of a near cache, with those who wait for it.
  struct Miss {
    u32 entry = no_index;  // in the tags; none for what is not kept
    u32 first_waiter = no_index;
    u8 sectors = 0;  // of the line: which it fetches
  };
  // The sectors of a first-level line (it may be one): those that are there, and those on their way. A GPU
  // has so many lines that what few of its kind need is elsewhere (Path).
  struct Sectors {
    u8 valid = 0, on_way = 0;
  };
  using LineTags = CacheTagsWith<Sectors, u16>;
  // Lines of a first-level cache that one request asks for (memory/granules.h), or sectors of one line.
  struct LineMiss {
    u32 op = no_index;                        // whose request it is (a waiter's payload)
    u32 first_waiter = no_index;              // further ones
    std::array<u32, most_run_lines> entries;  // in the tags; no_index for what is not kept
    u8 lines = 1, to_come = 1;                // bits of the lines
    u8 sectors = 0;                           // of the line
  };
  // A run that the address unit is putting together.
  struct Run {
    Mail mail;  // of its first line
    u32 lines = 0, op = 0, miss = 0;
    u64 next = never;  // the address behind it, if it can join
    u64 leaves = 0;    // cycle of its last line
  };
  struct Waiter {
    u32 payload = 0, next = no_index;
  };
  // A memory instruction on its way, of any pipe.
  struct MemoryOp {
    u32 wave = 0, generation = 0;
    InstructionFigures* figures = nullptr;
    std::array<u32, 2> number{};  // in the order of each counter
    std::array<u8, 2> counter{};
    u8 counters = 0;
    bool returns = false;
    u8 level = 0;       // the farthest that served it
    u16 remaining = 0;  // lines not there yet, and one until all are sent
    u16 return_cycles = 0;
    u8 write_barrier = TimedOp::no_barrier;
    u32 token = no_index;
    u32 next = no_index;  // in the order of return, or free
    u64 first_ready = never, last_ready = 0;
    u64 issued = 0;
  };
  // Lines that an address unit has not worked on yet.
  struct PipeEntry {
    u32 op = 0;
    AccessKind kind = AccessKind::load;
    bool bypass = false;
    bool in_runs = false;  // its lines may go together
    u16 marks = 0;         // of its requests
    u32 done = 0;
    u32 idle_after = 0;
    u32 data_cycles = 0;   // store data on its way out of the registers
    u64 not_before = 0;    // it ends no earlier because of them
    bool ordered = false;  // an access that is performed where it is served
    u32 order = 0;
    u64 earliest = 0;  // cycle in which it reaches the address unit
    std::span<LineAccess> lines;
    std::vector<LineAccess> kept;  // they, once it is stuck
  };
  // A line of a store or atomic until it leaves: by which stores it was written, and how long it takes.
  struct OpenLine {
    u64 line = 0;  // never: nothing may join it
    u64 bytes = 0, leaves_from = 0, leaves = 0;
    u32 cycles = 0;
  };
  // A request that waits for its page's translation.
  struct WaitingRequest {
    Mail mail;
    u64 leaves = 0;  // not before
    u64 page = 0;
    InstructionFigures* figures = nullptr;
  };
  // Vector memory of a unit.
  struct Path {
    u64 next = 0;       // cycle in which it takes an instruction
    u64 pipe_time = 0;  // next cycle of the address unit
    u64 issued = 0, finished = 0;
    std::vector<u64> finish;      // ring of the queue's size
    std::vector<PipeEntry> pipe;  // what is stuck: a ring of the queue's size
    u32 pipe_first = 0, pipe_count = 0;
    bool queue_waiters = false;
    u32 waiting_simds = 0;        // bits of those that it has refused an instruction since they issued one
    u32 latest_simd = 0;          // whose instruction it has taken
    u64 any_simd_from = ~u64{0};  // cycle from which on it does not matter whose turn is next
    u32 first_asked = 0;          // of its SIMDs, when they wait for the queue
    bool wanted_absent = false;
    u32 misses_wanted = 0;  // by the line that is stuck for lack of them; whether the cache has nothing of it
    u32 stores = 0;         // requests of stores and atomics that have not been answered
    Ring<OpenLine> open_lines;  // oldest first
    u64 way_free = 0;           // when the one before them has left
    u64 stored_until = 0;       // when the next such line can come
    u64 request_free = 0, response_free = 0, return_free = 0;
    LineTags l1;
    // By entry. Of a line in sectors: by which miss each is on its way. Where stores leave something there:
    // in which granules (64 a line), of sectors that are not there.
    std::vector<std::array<u16, 4>> sector_misses;
    std::vector<u64> stored;
    Tlb tlb;
    std::vector<LineMiss> misses;
    std::vector<u32> free_misses;  // numbers of those; there are as many as lines that may be on their way
    u32 misses_left = 0;           // lines
    std::vector<WaitingRequest> translating;
    std::vector<u64> asked_pages;  // of them
    u32 return_first = no_index, return_last = no_index;
    u64 address_busy = 0, return_busy = 0;
  };
  struct OrderedAccess {
    u32 token = no_index;
    bool performed = false;
  };
  struct LocalPort {
    u64 free = 0;
    u32 left = 0;  // bytes of what it has moved that did not fill a cycle
    u64 issued = 0;
    std::vector<u64> start;  // of the latest instructions, ring of the port's share of the queue
  };
  // A word of local memory whose latest exchange by a sum of floats ends at `free`.
  struct ExchangedWord {
    u64 word = 0;
    u32 group = no_index;
    u64 free = 0;
  };
  static constexpr u32 exchanged_words = 1024;
  // A line of code in a cache of instructions: there from `ready` on.
  struct NearLine {
    u64 line = ~u64{0};
    u64 ready = 0;
  };
  // Lines of code on their way to the caches of a unit's SIMDs, one after the other.
  struct CodeWay {
    u64 free = 0;
    std::array<NearLine, 32> latest;
    u32 next = 0;  // of these, the oldest
  };
  struct Unit {
    CodeWay code;
    std::vector<ExchangedWord> exchanged;  // by some bits of the word and group; empty: none yet
    u64 local_next = 0, scalar_free = 0;
    u64 stage_free = 0, arrival_free = 0;
    std::array<u64, TimedOp::units> unit_free{};
    std::vector<LocalPort> ports;
    std::array<BankSchedule, 2> banks;  // of each half
    std::array<u32, 2> groups_in_half{};
    u64 local_busy = 0, scalar_busy = 0, wave_cycles = 0;
    std::vector<Path> paths;
  };
  // The cluster's instruction or scalar cache.
  struct NearCache {
    CacheTags tags;
    std::vector<Miss> misses;
    std::vector<u32> free_misses;
    u64 port_free = 0;
    // Its cycles, where loads have several addresses; then `port_free` is when all is done.
    BankSchedule port;
    u64 busy = 0;
    NearWay way;
    struct Deferred {
      u32 wave, generation;
      u64 block;
    };
    std::deque<Deferred> deferred;  // fetches that found no free miss
  };
};

}  // namespace lockstep
