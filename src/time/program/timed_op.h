// A timed program: what each instruction asks of a compute unit of one machine, worked out once per module
// and machine. Costs come from the machine file by name; nothing of the instruction is looked at again.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "isa/cost.h"

namespace lockstep {

// The pipes of a compute unit that instructions are issued to. In one turn a SIMD issues at most one
// instruction to each.
enum class Pipe : u8 {
  vector,  // vector ALU
  scalar,  // scalar ALU
  scalar_memory,
  vector_memory,
  local_memory,
  branch,    // branches and messages
  internal,  // waits, barriers, nops: handled at the wave's buffer, take no slot
  count
};
inline constexpr std::size_t pipe_count = static_cast<std::size_t>(Pipe::count);

std::string_view name(Pipe pipe);  // "vector"

// A wave's wait counters: what a family does not have is not used.
enum class WaitCounter : u8 { load, store, local, scalar, sample, count };
inline constexpr std::size_t wait_counter_count = static_cast<std::size_t>(WaitCounter::count);
// Of TimedOp::counters.
constexpr u32 counter_bit(WaitCounter which) {
  return 1u << static_cast<u32>(which);
}

struct TimedOp {
  // Bits of `flags`.
  static constexpr u16 memory_store = 1 << 0, memory_atomic = 1 << 1, memory_returns = 1 << 2;
  static constexpr u16 image = 1 << 3;
  static constexpr u16 cache_control = 1 << 4;   // invalidates the cache that its pipe leads to
  static constexpr u16 bypasses_near = 1 << 5;   // passes by the compute unit's cache
  static constexpr u16 set_priority = 1 << 6;    // of the wave among its SIMD's: `argument`
  static constexpr u16 transcendental = 1 << 7;  // also holds the unit beside the ALU
  static constexpr u16 matrix = 1 << 8;          // also holds the matrix unit
  static constexpr u16 crossbar = 1 << 9;        // local memory's crossbar without its banks
  static constexpr u16 clock_read = 1 << 10;
  static constexpr u16 streaming = 1 << 11;
  static constexpr u16 per_pass = 1 << 12;     // cycles are those of one pass of SIMD-many lanes
  static constexpr u16 second_half = 1 << 13;  // of a packet: issues with the instruction before it
  static constexpr u16 passes_on = 1 << 14;    // the wave goes on in the next cycle, the ALU stays taken
  static constexpr u16 co_issues = 1 << 15;    // may share its turn with one of the same kind of another wave
  static constexpr u32 carries_access = 1 << 16;  // in regions: it has its instruction's accesses
  static constexpr u32 performs = 1 << 17;  // in regions: what is executed at issue is executed with this one

  static constexpr u32 unit_shared = 1 << 19;    // `unit` is the compute unit's, which all its SIMDs share
  static constexpr u32 through_front = 1 << 18;  // passes its SIMD's queue of memory instructions

  static constexpr u32 device_wide = 1 << 20;  // passes by all caches that the device does not share
  static constexpr u32 pairs = 1 << 26;        // its wave's next instruction may issue in the same cycle

  static constexpr u32 in_clause = 1 << 21;    // of vector instructions, of which a SIMD has a few at a time
  static constexpr u32 ends_clause = 1 << 22;  // the last of them
  static constexpr u32 uncached = 1 << 24;     // a load: no cache keeps what it reads
  static constexpr u32 by_words = 1 << 25;     // a store: its words go one by one
  static constexpr u32 moves_local = 1 << 23;  // a vector instruction with an access of local memory
  static constexpr u32 one_lane = 1 << 28;     // an atomic that one lane makes for all of its instruction's
  static constexpr u32 shares_words = 1
                                      << 29;  // an atomic of local memory whose lanes on a word count as one
  static constexpr u32 two_turns = 1 << 30;   // an atomic of local memory that reads, and writes another time
  static constexpr u32 holds_arithmetic = u32{1}
                                          << 31;  // of memory instructions: the SIMD's waits for `cycles`
  static constexpr u32 second_pipe = 1 << 27;  // of a SIMD with two vector pipes: only the second can do it

  // The instruction may not issue before `cycles` cycles after the one `distance` back in the same straight
  // line did.
  struct Dependence {
    u8 distance = 0;
    u16 cycles = 0;
  };
  static constexpr u32 most_dependences = 4;
  static constexpr u32 most_distance = 63;

  static constexpr u8 no_barrier = 0xFF, all_accesses = 0xFF, spilled = 0xFE;
  static constexpr u32 barriers = 6;  // a wave's dependence barriers
  static constexpr u32 units = 16;
  static constexpr u8 when_slow = 0xFF, unless_slow = 0xFE;  // of `every`

  u64 address = 0;        // in device memory
  u32 instruction = 0;    // in regions: of the module's code, whose lanes and accesses it has
  u16 cycles = 0;         // that it holds its pipe (vector: the SIMD)
  u16 unit_cycles = 0;    // that it holds the unit beside the ALU (transcendental, matrix), or `unit`
  u16 result_cycles = 0;  // from its issue to its result where a dependence barrier tells of that
  u32 flags = 0;
  // Nop, sleep: cycles; priority; an atomic of local memory: 1 where it is made anew until no other lane
  // comes between; a branch: 1 where it goes elsewhere when its instruction does not; a message: 1 where it
  // takes a round for each value of its lanes; what is `spilled`: which word of a work-item.
  u16 argument = 0;
  // What a memory instruction moves with all its lanes, where that is not by the wave's lanes; 0: it is.
  u16 moved_bytes = 0;
  u8 size = 0;
  u8 parts = 1;  // instructions of the module's code that it stands for, from its own on: a packet's
  u8 slots = 0;  // operations of a packet, where the machine's instructions are some
  Pipe pipe = Pipe::internal;
  Cost cost = Cost::nop;
  u8 dependences = 0;
  u8 counters = 0;  // bit for each wait counter that it raises
  u8 unit = 0;      // beside the SIMD's port: 0 none
  // Instead of `unit` where it issues together with the instruction before it; 0: the same.
  u8 second_unit = 0;
  u16 second_unit_cycles = 0;
  // What control bits say: the wave's next instruction comes so many cycles later at least; barriers raised
  // until its result is written, until its sources have been read; those that must be down before it issues.
  u8 stall = 0;
  u8 write_barrier = no_barrier, read_barrier = no_barrier;
  u8 wait_mask = 0;
  u8 access = all_accesses;  // which of its instruction's; `spilled`: one that only the machine's code has
  u8 access_bytes = 0;       // of a lane, where it is that of several instructions; 0: the access says it
  // Issued at every n-th execution of its region; 0: where its instruction accesses memory; when_slow: where
  // operands of lanes send its instruction a slow way; unless_slow: where they do not.
  u8 every = 1;
  u8 waits_every = 1;  // waits for barriers at every n-th execution of its region
  std::array<Dependence, most_dependences> dependence{};
  // Waits: the most operations outstanding in each counter; 0xFF: not waited for. Others: what the counters'
  // sizes demand of an instruction that raises them.
  std::array<u8, wait_counter_count> most_outstanding{0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
};

// Instructions [first, first + count) of a straight line, for which ops [begin, end) are issued, in their
// order: each with the lanes and accesses of its instruction.
struct TimedRegion {
  u32 first = 0, count = 0;
  u32 begin = 0, end = 0;
  u32 counter = no_op;  // where executions are counted: it has ops that are not issued at each

  static constexpr u32 no_op = ~u32{0};
};

// Regions that are issued with no lanes when all lanes that execute a branch go one way: the machine has
// guards in place of the branch.
struct TimedBypass {
  std::vector<u32> if_taken, if_not_taken;
};

struct TimedProgram {
  // Without regions op i is instruction i.
  std::vector<TimedOp> ops;
  std::vector<TimedRegion> regions;
  std::vector<u32> region_of;  // by instruction; none where no op stands for it
  std::vector<TimedBypass> bypasses;
  std::vector<u32> bypass_of;  // by instruction: a branch's in bypasses, or none
  // By instruction, empty where there are none: behind a branch that guards replace, and behind what they
  // guard, the instruction with which the straight line goes on for all lanes; none elsewhere.
  std::vector<u32> goes_on_at;
  u32 instructions = 0;      // of the module's code
  u32 counters = 0;          // regions whose executions are counted
  u32 vector_registers = 0;  // per lane, where the kernel's needs do not say them
  u32 spilled_words = 0;     // of a lane, in private memory: values that have no register

  static constexpr u32 none = ~u32{0};
};

}  // namespace lockstep
