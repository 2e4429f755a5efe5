// The state of a GCN5 GPU while a launch is timed. One file per part of the machine works on it:
//   gcn5_dispatch.cpp  work-groups to compute units, waves' begin and end, barriers
//   gcn5_fetch.cpp     instruction buffers and the instruction caches
//   gcn5_issue.cpp     which wave issues what, and why the others don't
//   gcn5_local.cpp     local memory, scalar memory
//   gcn5_vector.cpp    address unit, first-level cache, data return
//   gcn5_l2.cpp        second level and memory channels
//   gcn5_result.cpp    counters
// Only inside src/time.
#pragma once
#include <array>
#include <deque>
#include <vector>

#include "time/engine/event_queue.h"
#include "time/timing.h"
#include "time/units/cache_tags.h"
#include "time/units/clock_ratio.h"
#include "time/units/coalescer.h"
#include "time/units/occupancy_timeline.h"
#include "time/units/tlb.h"

namespace lockstep::gcn5 {

inline constexpr u64 never = ~u64{0};
inline constexpr u32 no_index = ~u32{0};
inline constexpr u32 most_waves_per_simd = 16;

enum class Category : u8 { valu, salu, smem, vmem, lds, branch, internal, count };
inline constexpr std::size_t category_count = static_cast<std::size_t>(Category::count);

// What the model needs of an instruction, worked out once.
struct InstructionInfo {
  u64 address = 0;  // in device memory
  u8 size = 0;
  Category category = Category::internal;
  Cost cost = Cost::nop;
  bool flat = false;            // counts in both counters
  bool scalar_cache = false;    // cache control of the scalar cache
  u16 cycles = 0;               // of the wave
  std::array<u64, 2> reads{};   // scalar registers 0 to 127 that it reads
  std::array<u64, 2> writes{};  // VALU: scalar registers that it writes
};

struct Wave {
  u32 handle = 0, compute_unit = 0, simd = 0, slot = 0;
  u32 generation = 0;  // of the slot: late answers to an ended wave are known by it
  u32 group = 0;
  u32 pc = 0;
  Stall reason = Stall::launch;
  bool resident = false;
  bool blocked = false;  // until an event makes a time known
  bool at_barrier = false;
  u64 began = 0;
  u64 since = 0;  // stall cycles are charged up to here
  u64 base = 0;   // its own previous instruction is done

  // Instruction buffer: fetched blocks from first_block on, and when each arrives.
  u64 first_block = 0;
  u32 blocks = 0;
  std::array<u64, 8> arrival{};

  // A scalar result of a VALU instruction that the scalar side cannot read yet.
  std::array<u64, 2> scalar_pending{};
  u64 scalar_ready = 0;

  // vmcnt: operations return in order. vm_done holds final times for numbers below vm_resolved.
  u32 vm_issued = 0, vm_resolved = 0;
  std::array<u64, 64> vm_done{};

  // lgkmcnt: by entry, because scalar loads return in any order.
  u16 lgkm_used = 0;
  std::array<Stall, 16> lgkm_why{};
  std::array<u64, 16> lgkm_done{};
};

struct Simd {
  u32 count = 0;                                 // resident waves
  std::array<u8, most_waves_per_simd> order{};   // slots, oldest first
  std::array<u64, most_waves_per_simd> ready{};  // earliest cycle to issue; never: blocked
  std::array<Category, most_waves_per_simd> next{};
  u32 used_slots = 0;
  u64 wake_at = never;
  u64 valu_free = 0;
  u64 valu_busy = 0;
};

// An outstanding miss of a first-level cache, with those who wait for it.
struct Miss {
  u32 entry = no_index;  // in the tags; none for what is not kept
  u32 first_waiter = no_index;
};
struct Waiter {
  u32 payload = 0, next = no_index;
};

// A vector memory instruction on its way.
struct VectorOp {
  u32 wave = 0, generation = 0;
  u32 number = 0;             // in the wave's vmcnt order
  u32 lgkm_entry = no_index;  // flat instructions
  u32 next = no_index;        // in the order of return, or free
  u16 remaining = 0;          // lines not there yet, and one until all are sent
  u16 return_cycles = 0;
  bool returns = false;
  u64 first_ready = never, last_ready = 0;
};

// Lines that the address unit has not worked on yet.
struct PipeEntry {
  u32 op = 0;
  AccessKind kind = AccessKind::load;
  bool bypass = false;
  u32 done = 0;
  u32 idle_after = 0;
  u32 data_cycles = 0;  // store data on its way out of the registers
  u64 not_before = 0;   // it ends no earlier because of them
  std::vector<LineAccess> lines;
};

struct ComputeUnit {
  u32 next_simd = 0;
  u32 groups = 0, barrier_groups = 0;
  bool may_fit = true;

  u64 fetch_free = 0;
  u64 vmem_next = 0, local_next = 0, smem_free = 0;

  // Local memory
  struct LocalPort {
    u64 free = 0;
    u64 issued = 0;
    std::vector<u64> start;  // of the latest instructions, ring of the port's share of the queue
  };
  std::vector<LocalPort> local_ports;
  u64 bank_free = 0;
  u64 local_busy = 0;

  // Vector memory
  u64 pipe_time = 0;     // next cycle of the address unit
  u32 send_blocked = 0;  // requests that the second level has not taken in
  u64 vmem_issued = 0, vmem_finished = 0;
  std::vector<u64> vmem_finish;  // ring of the queue's size
  std::vector<PipeEntry> pipe;   // what is stuck: a ring of the queue's size
  u32 pipe_first = 0, pipe_count = 0;
  bool queue_waiters = false;
  u64 request_free = 0, response_free = 0, return_free = 0;
  CacheTags l1;
  Tlb tlb;
  std::vector<Miss> misses;
  std::vector<u32> free_misses;
  std::vector<VectorOp> ops;
  u32 free_op = no_index;
  u32 return_first = no_index, return_last = no_index;
  std::vector<Waiter> waiters;
  u32 free_waiter = no_index;
  u64 address_busy = 0, return_busy = 0, salu_busy = 0;
};

// A cache that several compute units share for reading: instructions or scalar data.
struct SharedCache {
  CacheTags tags;
  std::vector<Miss> misses;
  std::vector<u32> free_misses;
  std::vector<Waiter> waiters;
  u32 free_waiter = no_index;
  u64 port_free = 0;
  u64 busy = 0;
  struct Deferred {
    u32 wave, generation;
    u64 block;
  };
  std::deque<Deferred> deferred;  // fetches that found no free miss
};

struct ScalarOp {
  u32 wave = 0, generation = 0, lgkm_entry = 0, remaining = 0, transfer_cycles = 0;
};
struct FetchWait {
  u32 wave = 0, generation = 0;
  u64 block = 0;
};

enum class RequestKind : u8 { vector_read, vector_write, vector_atomic, scalar_read, instruction_read };

// What travels between a first-level cache and the second level.
struct Request {
  u64 line = 0;
  u64 bytes = 0;
  u64 hot_address = 0;
  u32 client = 0;  // compute unit or shared cache
  u32 tag = 0;     // the client's miss, or vector operation
  u32 next = no_index;
  RequestKind kind = RequestKind::vector_read;
  u8 lanes = 0, most_same = 0;
  bool blocks_client = false;
};

struct L2Miss {
  u32 entry = 0;
  u32 first = no_index, last = no_index;  // requests
};

struct Slice {
  CacheTags tags;
  std::vector<u64> valid;  // bytes of each line
  std::vector<u8> dirty;
  u64 free = 0;
  std::deque<u32> waiting;
  std::vector<L2Miss> misses;
  std::vector<u32> free_misses;
  struct AtomicWord {
    u64 address = never, free = 0;
  };
  std::vector<AtomicWord> atomics;  // latest use of addresses, direct mapped
  u64 busy = 0, most_waiting = 0;
};

struct Group {
  u64 index = 0;
  u32 compute_unit = 0, alive = 0, arrived = 0, waves = 0;
  std::vector<u32> handles;
};

enum class MessageKind : u8 {
  wave_start,
  l2_request,
  l2_fill,
  vector_return,
  scalar_return,
  instruction_return
};

// Counts that are no unit's busy time.
struct Counts {
  u64 instructions = 0, lanes = 0;
  std::array<u64, static_cast<std::size_t>(Cost::count)> by_cost{};
  std::array<u64, category_count> by_category{};
  u64 fetches = 0, fetch_hits = 0, fetch_misses = 0, branches = 0, branches_taken = 0;
  u64 scalar_requests = 0, scalar_hits = 0, scalar_merges = 0, scalar_misses = 0, scalar_bytes = 0;
  u64 local_conflict_cycles = 0, local_bytes = 0;
  u64 vector_lines = 0, vector_ideal_lines = 0, l1_hits = 0, l1_merges = 0, l1_misses = 0, l1_bytes = 0;
  u64 write_requests = 0, atomic_requests = 0, write_bytes = 0;
  u64 tlb_lookups = 0, tlb_misses = 0, tlb2_misses = 0;
  u64 l2_reads = 0, l2_writes = 0, l2_atomics = 0, l2_hits = 0, l2_merges = 0, l2_misses = 0;
  u64 l2_read_bytes = 0, l2_write_bytes = 0, l2_write_backs = 0, l2_blocked = 0;
  u64 atomic_wait_cycles = 0;
  u64 barriers = 0;
  u64 most_vector_queue = 0;
  std::array<u64, 6> dispatch_stalls{};
};

enum class DispatchLimit : u8 {
  port,
  wave_slots,
  vector_registers,
  scalar_registers,
  local_memory,
  group_slots
};

class Device {
 public:
  Device(const Gcn5Parameters& parameters, const LaunchLimits& limits, const TimedLaunch& launch,
         WaveSource& source, const TimingOptions& options);
  Expected<TimingResult> run();

  // Called by the event queue.
  void message(const Message& message);
  void run(u32 component);

 private:
  friend struct Report;

  // gcn5_dispatch.cpp
  void dispatch();
  bool place(u32 compute_unit, u32 waves, DispatchLimit& limit);
  void start_group(u32 compute_unit, u32 waves, u32 engine);
  void start_wave(Wave& wave);
  void end_wave(Wave& wave);
  void arrive_at_barrier(Wave& wave);
  void release_barrier(Group& group);
  Diagnostic deadlock() const;

  // gcn5_fetch.cpp
  void flush_buffer(Wave& wave, u64 from);
  void fetch_more(Wave& wave, u64 from);
  u64 fetch_block(Wave& wave, u64 block, u64 from);
  u64 look_up_instructions(SharedCache& cache, u32 number, Wave& wave, u64 block, u64 start);
  void instructions_returned(u32 request);
  u64 buffered_at(const Wave& wave, const InstructionInfo& info) const;

  // gcn5_run.cpp
  bool go_on() const;
  TimingResult stopped();

  // gcn5_issue.cpp
  void run_simd(u32 id);
  bool may_issue(ComputeUnit& unit, Simd& simd, Wave& wave, Category category, Stall& why, u64& again);
  bool issue(ComputeUnit& unit, Simd& simd, Wave& wave);
  void prepare(Wave& wave, u64 base);
  void evaluate(Wave& wave);
  u64 counters_reach(const Wave& wave, u32 vector, u32 local, Stall& why) const;
  void settle(Wave& wave, u64 time);
  void schedule(u32 simd, u64 time);

  // gcn5_local.cpp
  u32 add_lgkm(Wave& wave, u64 done, Stall why);
  void issue_local(ComputeUnit& unit, Wave& wave, const Outcome& outcome, const InstructionInfo& info);
  void issue_scalar(ComputeUnit& unit, Wave& wave, const Outcome& outcome, const InstructionInfo& info);
  void scalar_returned(u32 request);
  u64 local_access(ComputeUnit& unit, u32 simd, const Outcome& outcome, Cost cost);

  // gcn5_vector.cpp
  void issue_vector(ComputeUnit& unit, Wave& wave, const Outcome& outcome, const InstructionInfo& info);
  void pump(u32 compute_unit);
  bool send_lines(ComputeUnit& unit, u32 number, PipeEntry& entry);
  bool send_line(ComputeUnit& unit, u32 number, const PipeEntry& entry, const LineAccess& line);
  void send_request(ComputeUnit& unit, u32 number, RequestKind kind, const LineAccess& line, u32 tag,
                    u32 bytes);
  u64 translate(ComputeUnit& unit, u64 address, u64 time);
  void vector_returned(u32 request);
  void line_ready(ComputeUnit& unit, u32 op, u64 time);
  void return_in_order(ComputeUnit& unit);
  void complete(ComputeUnit& unit, u32 op, u64 time);
  u32 new_op(ComputeUnit& unit);

  // gcn5_l2.cpp
  u32 new_request();
  void free_request(u32 request);
  void l2_arrive(u32 slice, u32 request);
  bool l2_process(u32 slice, u32 request);
  void l2_retry(u32 slice);
  void l2_fill(u32 slice, u32 miss);
  void l2_answer(Slice& slice, u32 request, u64 time);
  bool write_back(u32 slice, u32 entry);
  void read_memory(u32 slice, u64 line, u32 miss);
  void run_channel(u32 channel);
  u64 hash(u64 line) const;
  u32 slice_of(u64 line) const;
  u64 set_of(u64 line) const;
  u32 channel_of(u64 line) const;
  u64 channel_address(u64 line) const;
  void send_to_l2(u64 time, u32 request);

  void hold_code();
  TimingResult result();

  u64 now() const { return queue_.now(); }
  u32 channel_component(u32 channel) const { return p_.l2_slices + channel; }
  u32 simd_component(u32 simd) const { return p_.l2_slices + p_.dram_channels + simd; }
  u32 dispatcher_component() const { return simd_component(p_.compute_units * p_.simds); }
  Simd& simd_of(const Wave& wave) { return simds_[wave.compute_unit * p_.simds + wave.simd]; }

  const Gcn5Parameters& p_;
  const LaunchLimits& limits_;
  const TimedLaunch& launch_;
  WaveSource& source_;
  const TimingOptions& options_;
  EventQueue queue_;
  bool delivering_ = false;

  std::vector<InstructionInfo> info_;
  std::vector<InstructionFigures> figures_;
  std::vector<Wave> waves_;
  std::vector<Simd> simds_;
  std::vector<ComputeUnit> units_;
  std::vector<SharedCache> scalar_caches_, instruction_caches_;
  std::vector<ScalarOp> scalar_ops_;
  std::vector<u32> free_scalar_ops_;
  std::vector<FetchWait> fetch_waits_;
  std::vector<u32> free_fetch_waits_;
  std::vector<Slice> slices_;
  std::vector<DramChannel> channels_;
  std::vector<u64> channel_wake_;
  std::vector<Request> requests_;
  u32 free_request_ = no_index;
  CacheTags tlb2_;
  ClockRatio dram_clock_;
  u32 slices_blocked_by_writes_ = 0;
  std::vector<u8> blocked_by_writes_;

  // Fixed by the parameters
  u32 quarters_ = 0;        // address cycles of a wave
  u32 l1_data_cycles_ = 0;  // from a look-up that hits to the data
  u32 l2_go_ = 0, l2_back_ = 0;
  u32 scalar_go_ = 0, scalar_back_ = 0, instruction_go_ = 0, instruction_back_ = 0;
  u32 memory_go_ = 0, memory_back_ = 0;
  u32 line_shift_ = 6;
  u32 slice_cycles_ = 1, response_cycles_ = 1;
  u64 full_line_ = 0;
  u32 buffer_blocks_ = 0;

  // Dispatch
  std::vector<Group> groups_;
  std::vector<u32> free_groups_;
  std::vector<u64> port_free_;    // of each shader engine
  std::vector<u32> engine_next_;  // next compute unit to try
  u32 next_engine_ = 0;
  u64 next_group_ = 0, groups_done_ = 0, total_groups_ = 0;
  u64 dispatch_blocked_since_ = never;
  DispatchLimit dispatch_limit_ = DispatchLimit::port;

  // Results
  Counts counts_;
  std::array<u64, 65> active_lanes_{};
  OccupancyTimeline timeline_;
  u64 waves_started_ = 0, wave_cycles_ = 0, issue_cycles_ = 0;
  u64 last_end_ = 0;
  PipeEntry scratch_;
  std::array<LineAccess, most_line_accesses> line_buffer_;
  bool failed_ = false;
  Diagnostic failure_;
};

}  // namespace lockstep::gcn5
