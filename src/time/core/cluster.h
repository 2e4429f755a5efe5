// A cluster of compute units: what shares an instruction cache and a scalar cache. It takes groups from the
// dispatcher, issues their waves' instructions and asks the shared levels for what its own caches lack. One
// file per part works on it:
//   cluster.cpp          mail, groups, waves, barriers
//   cluster_ahead.cpp    what a window will go through, asked of the host's memory ahead
//   cluster_waits.cpp    memory operations on their way and wait counters
//   cluster_issue.cpp    which wave issues what, and why the others don't
//   cluster_plain.cpp    the same, for instructions that concern nothing but their SIMD
//   cluster_fetch.cpp    instruction buffers and the instruction cache
//   cluster_scalar.cpp   scalar memory
//   cluster_local.cpp    local memory
//   cluster_vector.cpp   address unit, first-level cache, data return
//   cluster_regions.cpp  which op comes next, where ops stand for regions of instructions
//   cluster_barriers.cpp dependence barriers
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "base/divider.h"
#include "time/attribution/trace.h"
#include "time/core/cluster_context.h"
#include "time/core/cluster_memory.h"
#include "time/core/counts.h"
#include "time/core/figures.h"
#include "time/core/figures_table.h"
#include "time/engine/outbox.h"
#include "time/memory/hierarchy.h"
#include "time/program/timed_op.h"
#include "time/source/repeats.h"
#include "time/source/wave_source.h"
#include "time/units/bank_schedule.h"
#include "time/units/cache_tags.h"
#include "time/units/coalescer.h"
#include "time/units/ready_times.h"
#include "time/units/ring.h"
#include "time/units/tlb.h"

namespace lockstep {

struct BankPasses;

class Cluster final : public Shard, private ClusterMemory {
 public:
  // Costs next to nothing until the first launch that it has part in.
  Cluster(const CoreFigures& figures, const Hierarchy& hierarchy, u32 number, u32 units);

  // Counts nothing, of a launch before this one neither. To be called before each launch.
  void rest();
  // Empties what a launch leaves behind, the caches included, and takes the next one's program and source.
  // Translations stay. To be called when the first group is on its way to the cluster.
  void begin_launch(const ClusterContext& context, std::unique_ptr<WaveSource> source);
  // Lets go of the launch's source, whose maker may not live as long as this.
  void end_launch() {
    source_.reset();
    trace_.reset();
  }
  // What the launch noted, where it was to.
  const LaunchTrace* trace() const { return trace_.get(); }
  // Empties caches and translations.
  void invalidate();

  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  // The ordered access that the cluster issued as number `order` of such is performed now.
  void perform(u32 order);
  bool takes_part() const { return source_ != nullptr; }
  bool failed() const { return failed_; }
  u64 failed_at() const { return now_; }
  const Diagnostic& failure() const { return failure_; }
  // Ends all resident waves' stalls at `time`: the run is stopped there.
  void stop(u64 time);
  // "wave 3 of group 7 at instruction 12 waits for ..." of waves that cannot go on.
  void list_blocked(std::vector<std::string>& into) const;

  void add_busy(ClusterBusy& into) const;
  const ClusterCounts& counts() const { return counts_; }
  WaveSource& source() { return *source_; }

 private:
  struct alignas(64) Wave {
    // What each issue reads and writes: one line of the host's cache.
    u64 since = 0;  // stall cycles are charged up to here
    u64 base = 0;   // its own previous instruction is done
    const Segment* segment = nullptr;
    u32 pc = 0;     // op of the program
    u32 at = 0;     // instruction of the segment
    u32 count = 0;  // of the segment's instructions
    // First access of the segment that is not of an earlier instruction; no_index: there is none.
    u32 access = no_index;
    u32 next_op = no_index;  // the op after this one in the same segment
    u32 issued = 0;          // instructions
    u32 handle = 0;
    u32 generation = 0;  // of the slot: late answers to an ended wave are known by it
    u8 unit = 0, simd = 0, slot = 0;
    u8 position = 0;  // in its SIMD, while it is resident
    Stall reason = Stall::launch;
    bool resident = false;
    bool blocked = false;                                  // until an event makes a time known
    bool at_barrier : 1 = false, looks_again : 1 = false;  // at one that the ISA counts, when others come
    // Instruction buffer: fetched blocks from first_block on, and when each arrives.
    u64 first_block = 0;
    u32 blocks = 0;
    u32 group = 0;
    // Programs of regions: where in them, and regions still to be issued with no lanes before the segment.
    u32 region = 0, next_region = 0;
    u16 bypassed_count = 0;
    u16 lanes_from = 0;
    u32 left_at = no_index;  // the instruction with which its latest segment ended, and its lanes
    u64 left_lanes = 0;
    const u32* bypassed = nullptr;
    bool was_unrolled = false;  // the op before this one is of a loop in which not every turn waits
    bool in_bypass = false;
    bool executed = false;          // its segment's instruction, which was at issue
    bool without_segment = false;   // what it does next depends on an ordered access that is on its way
    bool jumped = false;            // it has jumped there
    bool waits_for_scalar = false;  // the latest operation of the local counter is one of scalar memory
    // Of its segment, which lies elsewhere and is looked at where that does not do.
    bool at_issue = false;
    u8 lanes_count = 0;  // instructions from `lanes_from` on that have `lanes`
    u64 lanes = 0;
    std::array<u64, 8> arrival{};
  };
  // An even number of lines would leave parts of the host's nearest cache to nobody.
  static_assert(sizeof(Wave) == 192);
  // Operations of one wait counter: they complete in order; done holds final times below resolved.
  struct WaitQueue {
    u32 issued = 0, resolved = 0;
    std::array<u64, 64> done{};
  };
  // A wave's dependence barriers: raised so many times with unknown end, else down at `down`.
  struct Barriers {
    std::array<u64, TimedOp::barriers> down{};
    std::array<u32, TimedOp::barriers> raised{};
    std::array<Stall, TimedOp::barriers> reason{};
  };
  // Its waves have positions, in the order of issue; sets of them are masks of positions.
  struct Simd {
    u32 count = 0;                          // resident waves
    u32 awake = 0;                          // nothing of their own keeps them from issuing
    u32 timed = 0;                          // so from `ready` on; all others are blocked
    u32 losing = 0;                         // of those awake: charged for arbitration
    u32 piped = 0;                          // of those awake: charged for pipes that are all taken
    std::array<u32, pipe_count> to_pipe{};  // by what they issue next
    ReadyTimes ready{};
    std::array<Pipe, most_slots_per_simd> next{};
    std::array<u8, most_slots_per_simd> slots{};
    u32 used_slots = 0;
    u32 ended = 0;           // positions that go when its turn is over
    bool reordered = false;  // there are new priorities to go by then
    u64 vector_free = 0, transcendental_free = 0, matrix_free = 0;
    u64 second_free = 0;    // of the second of two vector pipes
    u64 half_turn = never;  // cycle in which one of two co-issuing instructions issued
    u32 in_clause = 0;      // those that are in clauses of vector instructions
    // Positions of those that others' clauses kept from issuing and that are charged for it: as long as no
    // clause ends and none of those before them goes without one, asking again gives the same.
    u32 for_clause = 0;
    // A wave of higher priority goes before older ones; both by slot.
    std::array<u8, most_slots_per_simd> priority{};
    std::array<u32, most_slots_per_simd> age{};  // number of the wave among those that came
    u32 arrivals = 0;
    u64 fetch_free = 0;  // of the first of those that share a way to the instruction cache
    u64 busy = 0, matrix_busy = 0, issued = 0;
    u8 latest = 0xFF;  // slot that issued last
    std::array<u64, TimedOp::units> unit_free{};
    // What its memory instructions pass first: cycles in which the latest ones left the queue.
    u64 front_free = 0, front_issued = 0;
    std::array<u64, 8> front_left{};
    // Its own instruction cache, and when each line is there.
    CacheTags near_code;
    std::vector<u64> near_code_ready;
    u64 near_code_free = 0;  // when the next line may come from the cache behind
    // The latest lines looked up there, by set, each its most recently used: looking again changes nothing.
    std::array<NearLine, 8> near_latest;
    NearLine& near_latest_of(u64 line) { return near_latest[near_code.set_at(line) % near_latest.size()]; }
  };
  struct Group {
    u64 index = 0;
    u32 unit = 0, alive = 0, arrived = 0, looking = 0;
    u64 latest_arrival = 0;
    u8 half = 0;  // of local memory that it lies in, where groups may lie in any
    std::vector<u32> handles;
  };
  struct FetchWait {
    u32 wave = 0, generation = 0;
    u64 block = 0;
  };
  // Whom an answer is for, in the upper bits of its tag.
  enum class Client : u8 { vector_miss, vector_store, scalar, instruction };
  static u32 tag(Client client, u32 path, u32 number) {
    return static_cast<u32>(client) << 29 | path << 22 | number;
  }
  struct Tag {
    Client client;
    u32 path, number;
  };
  static Tag read_tag(u32 tag) { return {static_cast<Client>(tag >> 29), tag >> 22 & 127, tag & 0x3FFFFF}; }

  // cluster.cpp
  void build();
  void reset();
  void set_l1(Path& path, u32 bytes);
  void keep_stored(Path& path, const PipeEntry& entry, const LineAccess& line, u32 found, u32 set);
  u32 sectors_with(u64 granules) const;
  u32 l1_set(const Path& path, u64 line) const {
    const SetHash& hash = f_.l1_set_hash;
    return hash.sets() != 0 && hash.sets() == path.l1.sets() ? hash(line) : path.l1.set_at(line);
  }
  static void clear(Simd& simd);
  void invalidate_data();
  void invalidate_code();
  void receive(const Mail& mail);
  void begin_group(const Mail& mail);
  void end_wave(Wave& wave);
  void arrive_at_barrier(Wave& wave);
  void release_barrier(Group& group);
  void look_again(Group& group);
  void fail(Diagnostic diagnostic);

  // cluster_ahead.cpp
  void look_ahead(std::span<const Mail> inbox);
  void begin_turns(u64 end);

  // cluster_issue.cpp
  void run_simd(u32 id);
  void set_priority(Simd& simd, const Wave& wave, u8 priority);
  bool may_issue(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op, Stall& why, u64& again,
                 bool second = false);
  void issue_second(Unit& unit, Simd& simd, Wave& wave);
  void wait_for_others(Wave& wave);
  void issue(Unit& unit, Simd& simd, Wave& wave, bool second = false);
  // What every issue counts.
  [[gnu::always_inline]] InstructionFigures& count_issue(Simd& simd, Wave& wave, const TimedOp& op,
                                                         u32 lanes) {
    InstructionFigures& figures = figures_of(wave);
    if (now_ > wave.since) charge_to(figures, wave, now_);
    // The first of a pair may have been charged for later cycles.
    wave.since = std::max(wave.since, now_ + 1);
    if (issue_ring_ != 0) issue_cycles_[wave.handle * issue_ring_ + (wave.issued & (issue_ring_ - 1))] = now_;
    ++wave.issued;
    ++figures.issued;
    figures.lanes_active += lanes;
    if (op.pipe != Pipe::internal) ++simd.issued;
    ++counts_.instructions;
    ++counts_.by_cost[static_cast<std::size_t>(op.cost)];
    const Pipe pipe = (op.flags & TimedOp::moves_local) != 0 ? Pipe::local_memory : op.pipe;
    ++counts_.by_pipe[static_cast<std::size_t>(pipe)];
    counts_.slots += op.slots;
    return figures;
  }
  void issue_plain(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op);
  void next_instruction(Wave& wave, u64 base, bool jumped);
  // Behind its last instruction, without a branch.
  void go_on_in_buffer(Wave& wave, u64 base) {
    const u64 block = context_.hints[wave.pc].block;
    const u64 passed = block - wave.first_block;
    if (passed == 0) return;
    if (passed > wave.blocks) {
      // The machine's code is unrolled there, or a clause begins or has ended, which is known before.
      flush_buffer(wave, in_regions() || f_.vector_clauses != 0 ? now_ : base);
    } else {
      wave.first_block = block;
      wave.blocks -= static_cast<u32>(passed);
      fetch_more(wave, now_);
    }
  }
  void enter_instruction(Wave& wave, u64 base, bool jumped);
  void evaluate(Wave& wave);
  u64 counters_reach(const Wave& wave, const TimedOp& op, Stall& why) const;
  // Charges the wave's cycles up to `time` to what it waits for.
  void settle(Wave& wave, u64 time) {
    if (time > wave.since) charge(wave, time);
  }
  [[gnu::noinline]] void charge(Wave& wave, u64 time) { charge_to(figures_of(wave), wave, time); }
  void charge_to(InstructionFigures& figures, Wave& wave, u64 time) {
    if (trace_ != nullptr) trace_wait(wave, time);
    figures.stalls[static_cast<std::size_t>(wave.reason)] += time - wave.since;
    wave.since = time;
  }
  void trace_wait(const Wave& wave, u64 time);
  void schedule(u32 simd, u64 time);
  void note_turn(u32 simd, u64 time) {
    const u32 cycle = static_cast<u32>(time - window_begin_);
    agenda_[cycle] |= u64{1} << simd;
    agenda_cycles_[cycle / 64] |= u64{1} << (cycle % 64);
    next_turn_ = std::min(next_turn_, cycle);
  }
  u32 turn_after(u32 cycle);
  // From `time` on the wave may issue. `before`: its pipe until now; if another, it kept nobody from a
  // clause.
  void set_ready(Simd& simd, const Wave& wave, u64 time, Pipe before = Pipe::vector) {
    const u32 bit = 1u << wave.position;
    simd.ready[wave.position] = time;
    simd.losing &= ~bit;
    simd.piped &= ~bit;
    const bool stood = before == Pipe::vector && (simd.awake & bit) != 0;
    if (stood && (simd.in_clause & bit) == 0) simd.for_clause = 0;
    simd.for_clause &= ~bit;
    simd.awake = (simd.awake & ~bit) | (time <= now_ ? bit : 0);
    simd.timed = (simd.timed & ~bit) | (time > now_ && time != never ? bit : 0);
  }
  // What it issues next goes to that pipe, and can from `time` on.
  void issues_next(Simd& simd, Wave& wave, Pipe pipe, u64 time) {
    const Pipe before = simd.next[wave.position];
    if (before != pipe) simd.to_pipe[static_cast<std::size_t>(before)] &= ~(1u << wave.position);
    simd.to_pipe[static_cast<std::size_t>(pipe)] |= 1u << wave.position;
    simd.next[wave.position] = pipe;
    set_ready(simd, wave, time, before);
    wave.blocked = time == never;
  }
  void wait_for_pipes(Simd& simd, u32 first, u32 positions);
  bool vector_memory_takes(const Wave& wave, Stall& why, u64& again);
  bool memory_refuses_all(Unit& unit, Simd& simd, u32 first, u64& again);
  void remove_from(Simd& simd, u32 id, u32 position);
  void sort_by_priority(Simd& simd, u32 id);
  const TimedOp& op_of(const Wave& wave) const { return program_ops_[wave.pc]; }
  // The instruction of the module's code that its op stands for.
  u32 instruction_of(const Wave& wave) const { return in_regions() ? op_of(wave).instruction : wave.pc; }
  InstructionFigures& figures_of(const Wave& wave) {
    return (*context_.per_instruction)[instruction_of(wave)];
  }
  u64& unit_free(Unit& unit, Simd& simd, const TimedOp& op, bool second) {
    const u8 which = second && op.second_unit != 0 ? op.second_unit : op.unit;
    return (op.flags & TimedOp::unit_shared) != 0 ? unit.unit_free[which] : simd.unit_free[which];
  }
  u64 pass_front(Unit& unit, Simd& simd);
  u32 pass_values(Unit& unit, const Segment& segment, const TimedOp& op) const;
  // The wave is in no clause of vector instructions any more: another one may begin its own.
  void leave_clause(Simd& simd, const Wave& wave);
  void hold_front(Simd& simd, u32 cycles);
  // Whether another vector instruction can issue in this cycle, of another wave.
  // The first of the SIMD's pipes for arithmetic that is free.
  u64 pipe_free(const Simd& simd) const {
    return f_.vector_pipes > 1 ? std::min(simd.vector_free, simd.second_free) : simd.vector_free;
  }
  bool vector_has_room(const Simd& simd) const { return f_.vector_pipes > 1 && pipe_free(simd) <= now_; }
  // Of those whose turns go round: the bit behind the latest one's, or the first.
  static u32 first_behind(u32 bits, u32 latest) {
    const u32 behind = bits & ~((2u << latest) - 1);
    return behind != 0 ? behind & -behind : bits & -bits;
  }
  // The first of the waves that are asked, in their order or, going round, from the one behind the latest on.
  u32 first_asked(const Simd& simd, u32 first, u32 asked) const;
  bool may_begin_clause(const Simd& simd, const Wave& wave) const;
  u32 refuse_clauses(Simd& simd, u32 first, u32 waiting);
  bool local_takes(const Unit& unit, const Wave& wave, Stall& why, u64& again) const;
  void wait_for_segment(Wave& wave, u64 base, bool jumped);
  bool in_regions() const { return in_regions_; }
  bool executes_now(const Wave& wave, const TimedOp& op) const {
    return !wave.in_bypass && !wave.executed && (op.flags & TimedOp::performs) != 0;
  }

  // cluster_regions.cpp
  enum class Step : u8 {
    found,  // an op
    waits,  // for an ordered access
    left,   // it has ended, come to a barrier (and gone on from there, perhaps) or failed
  };
  void begin_segment(Wave& wave, const Segment& segment);
  Step next_segment(Wave& wave);
  const Segment& straight_line(u32 handle);
  bool step_in_regions(Wave& wave);
  void seek(Wave& wave, u32 region, u32 op);
  u32 enter_region(Wave& wave, u32 instruction, u32 end);
  void leave_at_end(Wave& wave);
  void end_segment(Wave& wave);
  // The barriers that the op waits for: in a loop that is unrolled those of every n-th turn, and behind it
  // all that were left.
  u8 waits_for(const Wave& wave, const TimedOp& op) {
    if (op.waits_every == 1) return wave.was_unrolled ? u8{0x3F} : op.wait_mask;
    const TimedRegion& region = context_.program->regions[wave.region];
    return executions(wave, region) % op.waits_every == 0 ? op.wait_mask : u8{0};
  }
  // Whether an unrolled loop's turn counts: what is left over when turns are taken n at a time goes one by
  // one, taken here to be as many as can be.
  static bool counts_turn(u32 turn, u32 every) { return turn < every || turn % every == every - 1; }
  u16& executions(const Wave& wave, const TimedRegion& region) {
    return executions_[wave.handle * context_.program->counters + region.counter];
  }

  // cluster_barriers.cpp
  void raise_barrier(Wave& wave, u8 barrier, Stall reason);
  void lower_barrier(Wave& wave, u8 barrier, u64 time);
  static Stall barrier_reason(const TimedOp& op);
  u64 barriers_down(const Wave& wave, u8 barriers, Stall& why) const;

  // Wait counters
  WaitQueue& queue(u32 wave, u32 counter) { return wait_[wave * counters_ + counter_slot_[counter]]; }
  const WaitQueue& queue(u32 wave, u32 counter) const {
    return wait_[wave * counters_ + counter_slot_[counter]];
  }
  void raise_counters(Wave& wave, const TimedOp& op, MemoryOp& into);
  // The operation's results are there at `time`.
  void complete(u32 op, u64 time);
  void go_on_behind(Wave& wave, u64 time);
  u32 new_op();
  void resolve(Wave& wave, const MemoryOp& op, u64 time);

  // cluster_fetch.cpp
  void flush_buffer(Wave& wave, u64 from);
  void fetch_more(Wave& wave, u64 from);
  u64 fetch_block(Wave& wave, u64 block, u64 from);
  u64 fetch_near(Wave& wave, u64 block, u64 from);
  void keep_near(Unit& unit, Simd& simd, u64 line, u64 time);
  u64 send_code(Unit& unit, u64 line, u64 time);
  void begin_code();
  void hold_code();
  void hold_line(u64 line);
  u64 code_line(u64 block) const { return code_place_ + (block * f_.fetch_block_bytes >> code_shift_); }
  u64& code_latest_of(u64 line) {
    return code_latest_[instruction_cache_.tags.set_at(line) % code_latest_.size()];
  }
  void forget_latest_code() { code_latest_.fill(never); }
  u64 look_up_instructions(Wave& wave, u64 block, u64 start);
  u32 request_code(u64 line, u64 start);
  void instructions_returned(u32 miss);
  // When the whole instruction is in the buffer.
  u64 buffered_at(const Wave& wave) const {
    const OpHints& hints = context_.hints[wave.pc];
    const u64 last = hints.block + hints.further_blocks;
    return std::max(wave.arrival[hints.block % wave.arrival.size()],
                    wave.arrival[last % wave.arrival.size()]);
  }

  // cluster_scalar.cpp
  void issue_scalar(Unit& unit, Wave& wave, const TimedOp& op, u64 start);
  u64 scalar_line(u32 op, Wave& wave, u64 line, u64 start);
  std::span<const u64> scalar_addresses(const Segment& segment, const SegmentAccess& access);
  // Work of the scalar cache's that loads may wait behind: some of 32 addresses.
  static constexpr u64 scalar_cycles_ahead = 512;
  bool scalar_takes() const {
    const NearCache& cache = scalar_cache_;
    return cache.misses.size() - cache.free_misses.size() + 2 <= f_.scalar_misses;
  }
  void scalar_returned(u32 miss, u8 level);

  // cluster_local.cpp
  void issue_local(Unit& unit, Wave& wave, const TimedOp& op, u64 start);
  u64 sum_rounds(Unit& unit, const Wave& wave, Access access, u64 start, const BankPasses& first,
                 BankPasses& later);
  u64 local_access(Unit& unit, Wave& wave, const TimedOp& op, u64 start);

  // cluster_vector.cpp
  void issue_vector(Unit& unit, Wave& wave, const TimedOp& op, u32 token, u64 start);
  u32 look_ups_of(std::span<const LineAccess> touched) const;
  Coalesced coalesce_access(const SegmentAccess& access, const Segment& segment, std::span<LineAccess> out);
  Transactions transactions_of(const SegmentAccess& access, const Segment& segment,
                               std::span<const LineAccess> touched);
  void pump(Path& path, u32 number) {
    if (path.pipe_count != 0 && path.misses_left >= path.misses_wanted) go_on(path, number);
  }
  void go_on(Path& path, u32 number);
  bool send_lines(Path& path, u32 number, PipeEntry& entry);
  template <bool load, bool whole>
  bool send_lines_of(Path& path, u32 number, PipeEntry& entry);
  template <bool whole>
  bool send_load(Path& path, u32 number, PipeEntry& entry, const LineAccess& line);
  u64 leave_in_turn(Path& path, PipeEntry& entry, const LineAccess& line, Mail& mail);
  bool send_store(Path& path, u32 number, PipeEntry& entry, const LineAccess& line);
  static constexpr u32 further_part = 1u << 31;  // in a waiter's payload: its line waits for others as well
  u64 request_slot(Path& path, PipeEntry& entry, Mail& mail, u32 data);
  // Where the next line of a run would lie; never where the run ends with this one.
  u64 next_in_run(u64 address) const {
    const u64 next = address + f_.l1.line_bytes;
    return (next >> line_shift_ & (run_lines_ - 1)) == 0 ? never : next;
  }
  bool joins_run(const Mail& mail) const { return mail.address == run_.next && mail.what == run_.mail.what; }
  // Lines from the next one on that may be one run.
  u32 lines_together(const PipeEntry& entry) const {
    const u64 first = entry.lines[entry.done].address;
    const u32 most = run_lines_ - (static_cast<u32>(first >> line_shift_) & (run_lines_ - 1));
    u32 count = 1;
    while (count < most && entry.done + count < entry.lines.size() &&
           entry.lines[entry.done + count].address == first + (u64{count} << line_shift_))
      ++count;
    return count;
  }
  void begin_run(Path& path, u32 number, const Mail& mail, u64 leaves, u32 op);
  void extend_run(u64 leaves, u64 words);
  void end_run(Path& path, u32 number);
  void hand_on(Path& path, u32 number, const Mail& mail, u32 lines, u64 leaves, InstructionFigures* figures);
  void post(const Mail& mail, u64 leaves);
  void post_near(Mail mail, u64 leaves, const NearWay& way);
  void translated(const Mail& mail);
  void vector_returned(Path& path, u32 number, u32 miss, u64 lines, u8 level);
  void store_returned(Path& path, u32 number, u32 op, u32 lines, u8 level);
  void line_ready(Path& path, u32 op, u64 time, u32 parts);
  void return_in_order(Path& path, u32 ready);

  u32 add_waiter(u32 payload, u32 next) {
    u32 node = free_waiter_;
    if (node == no_index) {
      node = static_cast<u32>(waiters_.size());
      waiters_.emplace_back();
    } else {
      free_waiter_ = waiters_[node].next;
    }
    waiters_[node] = {payload, next};
    return node;
  }
  // Takes the first of a list of waiters off; its payload.
  u32 take_waiter(u32& first) {
    const u32 node = first;
    const u32 payload = waiters_[node].payload;
    first = waiters_[node].next;
    waiters_[node].next = free_waiter_;
    free_waiter_ = node;
    return payload;
  }
  Path& path_of(u32 number) { return *paths_[number]; }
  u32 path_number(const Wave& wave) const { return path_of_simd_[wave.unit * f_.simds + wave.simd]; }
  Simd& simd_of(const Wave& wave) { return simds_[wave.unit * f_.simds + wave.simd]; }
  std::span<const SegmentAccess> accesses_of(Wave& wave);
  std::span<const SegmentAccess> spilled(Wave& wave, const TimedOp& op);
  // Lanes with which its op is issued.
  u64 active_of(Wave& wave) {
    if (wave.in_bypass) return 0;
    const u32 at = in_regions() ? instruction_of(wave) - wave.segment->first : wave.at;
    if (at - wave.lanes_from >= wave.lanes_count) find_lanes(wave, at);
    return wave.lanes;
  }
  void find_lanes(Wave& wave, u32 at);
  u32 device_unit(u32 unit) const { return number_ * f_.units_per_cluster + unit; }

  const CoreFigures& f_;
  const Hierarchy& hierarchy_;
  const u32 number_;
  const u32 units_count_;
  u32 group_ = 0;  // its copy of the first shared level
  ClusterContext context_;
  std::unique_ptr<LaunchTrace> trace_;
  std::vector<u32> trace_wave_;  // by handle: its wave in trace_
  std::unique_ptr<WaveSource> source_;
  // By handle, where guards replace branches: what was put together, and what did not go on with it.
  std::vector<Segment> lines_;
  std::vector<const Segment*> taken_ahead_;
  Outbox* outbox_ = nullptr;
  u64 now_ = 0, window_end_ = 0;

  const TimedOp* program_ops_ = nullptr;
  bool in_regions_ = false, joins_sectors_ = false;
  u8 plain_ = 0;     // the bit of ops that issue_plain() is for; 0: of none
  Divider by_turn_;  // cycles of a turn
  std::vector<Wave> waves_;
  std::vector<u64> wave_began_;  // the cycle, by handle
  RepeatTable repeats_;          // by handle
  // Cycles of each wave's latest issues, for dependences: as many as the program looks back, a power of two.
  std::vector<u64> issue_cycles_;
  u32 issue_ring_ = 0;              // 0: it does not
  std::vector<Barriers> barriers_;  // of each wave
  std::vector<u16> executions_;     // of counted regions, wave after wave
  std::vector<WaitQueue> wait_;
  u32 counters_ = 0;
  std::array<u8, wait_counter_count> counter_slot_{};
  std::vector<Simd> simds_;
  std::vector<u64> wake_;                        // of each SIMD
  std::vector<u8> unit_of_simd_, turn_of_simd_;  // the first cycle that is its turn
  // Which SIMDs may have something to do in each cycle of the window (wake_ decides), and in which cycles
  // any may. All zeros between windows.
  std::vector<u64> agenda_, agenda_cycles_;
  u32 next_turn_ = no_index;  // the first of these cycles
  u32 running_simd_ = no_index;
  u64 running_next_ = never;  // when one of its waves is ready first, of those seen to meanwhile
  u64 window_begin_ = 0;
  std::vector<Unit> units_;
  std::vector<Path*> paths_;      // of all units
  std::vector<u8> path_of_simd_;  // its number
  std::vector<Group> groups_;
  std::vector<u32> free_groups_;
  NearCache scalar_cache_, instruction_cache_;
  // Where SIMDs have no cache of code: its lines found last, by set: looking them up would change nothing.
  std::array<u64, 32> code_latest_{};
  std::vector<MemoryOp> ops_;
  std::vector<Waiter> waiters_;
  u32 free_op_ = no_index, free_waiter_ = no_index;
  std::vector<FetchWait> fetch_waits_;
  std::vector<u32> free_fetch_waits_;
  std::vector<u32> came_, stored_;       // tags of a window's answers to loads and to stores
  std::vector<LineAccess> line_buffer_;  // of the instruction that issues
  SegmentAccess spilled_;                // likewise
  std::array<u64, 64> scalar_buffer_;    // its different addresses
  Access expanded_;
  PipeEntry scratch_;
  Run run_;
  // Ordered accesses on their way, oldest first, the first of them number first_order_.
  Ring<OrderedAccess> ordered_;
  u32 first_order_ = 0;

  u64 code_place_ = 0;  // this and what follows: fixed by the figures
  u32 address_cycles_ = 0, l1_data_cycles_ = 0, line_shift_ = 6, code_shift_ = 6, scalar_shift_ = 6;
  // Of a line of the first level; lines that a request of it may have.
  u32 sector_bytes_ = 64, sectors_ = 1, sector_granules_ = 64, run_lines_ = 1;

  ClusterCounts counts_;
  bool failed_ = false, groups_wait_ = false;  // a wave may, for what others of its group have on their way
  Diagnostic failure_;
};

}  // namespace lockstep
