#include "run/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <numeric>
#include <thread>

#include "report/code_marks.h"
#include "report/timed_lines.h"
#include "report/words.h"
#include "run/simulation.h"
#include "time/core/core_figures.h"
#include "time/source/recorded.h"
#include "time/what_if/changed.h"
#include "time/what_if/repeats.h"
#include "time/what_if/rewrite.h"

namespace lockstep {
namespace {

struct Question {
  std::string name, title;
  bool applies = true;  // else the answer is known: nothing changes
  ModelChange change;
  std::function<Recording(const Recording&)> rewrite;  // of what waves do; may be empty
  std::function<void(TimedLaunch&)> launch;            // of its groups; may be empty
  std::optional<u64> formula;                          // the answer without any timing
};

u32 half(u32 cycles) {
  return std::max(1u, cycles / 2);
}

// The size to which a cache has to grow to keep all that came into it: every miss brought a line, and none
// has to leave again. Four times that leaves room for sets that fill unevenly, as far as a cache has sets.
u32 size_for(u64 misses, u64 copies, u32 line_bytes, u32 ways, u32 size_bytes) {
  const u64 wanted = 4 * misses / std::max<u64>(1, copies) * line_bytes;
  const u64 most = std::min(u64{1} << 31, u64{most_sets} * ways * line_bytes);
  u64 size = size_bytes;
  while (size < wanted && 2 * size <= most) size *= 2;
  return static_cast<u32>(size);
}

void enlarge(CacheShape& shape, u64 misses, u64 copies) {
  shape.size_bytes = size_for(misses, copies, shape.line_bytes, shape.ways, shape.size_bytes);
}

void enlarge_instruction_caches(DeviceFigures& f) {
  constexpr u32 most_code = 4 << 20;
  for (CacheShape* shape : {&f.core.instruction_cache, &f.core.near_instruction_cache}) {
    while (shape->size_bytes != 0 && shape->size_bytes < most_code) shape->size_bytes *= 2;
  }
}

// Bytes of the smallest blocks that slices or channels are dealt; 0 where there is one of each.
u32 even_rows(const Hierarchy& h) {
  u32 bytes = h.channels > 1 ? h.channel_interleave_bytes : 0;
  for (const CacheLevel& level : h.levels) {
    if (level.slices > 1)
      bytes = bytes == 0 ? level.interleave_bytes : std::min(bytes, level.interleave_bytes);
  }
  return bytes;
}

class Questions {
 public:
  Questions(const RunData& run, const TimingResult& timing, const DeviceFigures& figures)
      : run_(run), timing_(timing), figures_(figures), words_(words_of(*run.machine)) {
    for (const InstructionFigures& one : timing.per_instruction) all_ += one;
  }

  std::vector<Question> make() {
    flaws();
    caches();
    resources();
    return std::move(made_);
  }

 private:
  Question& ask(std::string name, std::string title, bool applies = true) {
    Question& made = made_.emplace_back();
    made.name = std::move(name);
    made.title = std::move(title);
    made.applies = applies;
    return made;
  }

  bool executed(const std::vector<bool>& marked) const {
    for (std::size_t i = 0; i < marked.size(); ++i) {
      if (marked[i] && timing_.per_instruction[i].issued != 0) return true;
    }
    return false;
  }

  // What the source could do otherwise.
  void flaws() {
    const u32 lanes = run_.program->needs.wave_lanes;
    ask("no_bank_conflicts", "no bank conflicts", all_.bank_conflict_cycles > all_.same_word_cycles)
        .change.device = [](DeviceFigures& f) { f.core.local_conflict = f.core.local_atomic_conflict = 0; };
    ask("local_atomics_apart",
        fmt::format("each lane's atomics on {} on a word and bank of its own", words_.local),
        all_.same_word_cycles != 0)
        .change.device = [](DeviceFigures& f) { f.core.local_same_word = 0; };
    const RequestRule rule{figures_.core.l1.line_bytes, lanes, figures_.core.lanes_per_address_cycle};
    ask("perfect_coalescing", "perfect coalescing", all_.transactions > all_.ideal_transactions).rewrite =
        [rule](const Recording& r) { return perfectly_coalesced(r, rule); };
    const u64 full = all_.issued * lanes;
    ask("no_divergence", "no divergence: items that do the same side by side", all_.lanes_active < full)
        .rewrite = [lanes](const Recording& r) { return regrouped(r, lanes); };
    full_waves();
    const CodeMarks& marks = code_marks(*run_.module);
    Question& floats =
        ask("floats_for_doubles", "32-bit floats in place of 64-bit ones", executed(marks.doubles));
    floats.rewrite = [gone = marks.converts](const Recording& r) { return without_instructions(r, gone); };
    floats.change.launch = floats_for_doubles;
    ask("no_integer_division", "no integer is divided", executed(marks.divides)).rewrite =
        [gone = marks.divides](const Recording& r) { return without_instructions(r, gone); };
    ask("no_private_memory", fmt::format("all of {} in registers", words_.private_memory),
        all_.private_transactions != 0)
        .rewrite = [waits = waits()](const Recording& r) { return without_private_memory(r, waits); };
    no_repeats();
    ask("atomics_apart", "each work-item's atomics on a word of its own", all_.atomic_lanes != 0).rewrite =
        [lanes, loops = marks.lane_loops, waits = waiting()](const Recording& r) {
          return with_atomics_apart(without_instructions(r, loops, waits), lanes);
        };
    ask("atomics_gathered", fmt::format("each {} changes a word once", words_.group), all_.atomic_lanes != 0)
        .rewrite = [lanes](const Recording& r) { return with_atomics_gathered(r, lanes); };
    ask("no_barriers", "no waiting at barriers", timing_.counter("barriers") != 0).rewrite =
        [](const Recording& r) { return without_barriers(r); };
    equal_work();
    ask("no_dependences", fmt::format("no {} waits for its own results", words_.wave)).change.launch =
        [](LaunchModel& model) {
          for (TimedOp& op : model.program.ops) {
            op.dependences = op.wait_mask = op.stall = 0;
            op.most_outstanding.fill(0xFF);
          }
        };
  }

  // Instructions that only wait.
  std::vector<bool> waiting() const {
    std::vector<bool> found;
    for (const Instruction& in : run_.module->code.instructions) found.push_back(in.cost == Cost::wait);
    return found;
  }
  bool waits() const { return std::ranges::count(waiting(), true) != 0; }

  void no_repeats() {
    const auto& figures = timing_.per_instruction;
    std::vector<bool> repeating(figures.size()), mostly(figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
      repeating[i] = figures[i].repeated_accesses != 0;
      mostly[i] = 4 * figures[i].repeated_accesses >= 3 * figures[i].issued && repeating[i];
    }
    Question& made =
        ask("no_repeated_accesses", "what is accessed again and again in a register", executed(repeating));
    const IsaFamily isa = run_.machine->target->isa;
    std::vector<bool> stays(figures.size(), isa == IsaFamily::ptx);
    const std::vector<Instruction>& code = run_.module->code.instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
      for (std::size_t k = 0; code[i].slots > 1 && k < code[i].slots && i + k < stays.size(); ++k)
        stays[i + k] = true;
    }
    made.rewrite = [repeating, waits = waits(), stays](const Recording& r) {
      return without_repeats(r, repeating, waits, stays);
    };
    if (isa == IsaFamily::ptx || isa == IsaFamily::gen)
      made.change.launch = [mostly](LaunchModel& m) { drop_repeats(m.program, mostly); };
  }

  void caches() {
    const auto misses_of = [this](std::string_view name) {
      for (const CacheFigures& cache : timing_.caches) {
        if (cache.name == name) return cache.misses;
      }
      return u64{0};
    };
    const CoreFigures& core = figures_.core;
    const u64 clusters = core.clusters(), paths = u64{core.units} * core.paths;
    const u64 near = misses_of("l1");
    ask("infinite_l1", "first-level cache of any size", near != 0).change = {
        [=](DeviceFigures& f) { enlarge(f.core.l1, near, paths); },
        [near, paths, line = core.l1.line_bytes, ways = core.l1.ways](LaunchModel& m) {
          u32& bytes = m.limits.l1_bytes;
          if (bytes != 0) bytes = size_for(near, paths, line, ways, bytes);
        }};
    const u64 scalar = misses_of("scalar");
    ask("infinite_scalar_cache", "scalar cache of any size", scalar != 0).change.device =
        [=](DeviceFigures& f) { enlarge(f.core.scalar_cache, scalar, clusters); };
    for (std::size_t i = 0; i < figures_.hierarchy.levels.size(); ++i) {
      const CacheLevel& level = figures_.hierarchy.levels[i];
      const u64 misses = misses_of(level.name);
      std::string title = level.name;
      for (const CacheFigures& cache : timing_.caches) {
        if (cache.name == level.name) title = cache.title;
      }
      ask("infinite_" + level.name, title + " of any size", misses != 0).change.device =
          [=](DeviceFigures& f) {
            CacheLevel& one = f.hierarchy.levels[i];
            one.size_bytes = size_for(misses, one.slices, one.line_bytes, one.ways, one.size_bytes);
          };
      ask(level.name + "_bandwidth_doubled", title + " twice as wide").change.device = [i](DeviceFigures& f) {
        CacheLevel& one = f.hierarchy.levels[i];
        one.read_bytes *= 2;
        one.write_bytes *= 2;
        one.look_ups *= 2;
      };
    }
    ask("infinite_instruction_cache", "instruction caches of any size", misses_of("instruction") != 0)
        .change.device = enlarge_instruction_caches;
    ask("no_instruction_misses", "all code in the instruction caches", misses_of("instruction") != 0)
        .change = {enlarge_instruction_caches, [](LaunchModel& m) { m.holds_code = true; }};
    const u32 rows = even_rows(figures_.hierarchy);
    ask("even_slices", "addresses spread evenly over slices and channels", rows != 0).rewrite =
        [rows](const Recording& r) { return spread_over_slices(r, rows); };
    ask("no_translation", "one page holds all memory", misses_of("tlb") != 0).change.device =
        [](DeviceFigures& f) { f.hierarchy.translation.page_shift = 63; };
    ask("side_by_side", "all that is used of memory side by side", misses_of("tlb") != 0).rewrite =
        side_by_side;
  }

  void resources() {
    const Occupancy& o = run_.occupancy;
    ask("unlimited_occupancy",
        fmt::format("all {} slots filled, whatever a {} needs", words_.wave, words_.group),
        o.waves_per_cu < o.wave_slots)
        .change.launch = [](LaunchModel& m) {
      LaunchLimits& limits = m.limits;
      limits.waves_per_simd_vector = limits.waves_per_simd_scalar = limits.waves_per_simd_slots;
      limits.groups_local = limits.groups_barriers = limits.groups_any = ~0u;
    };
    ask("memory_bandwidth_doubled", "memory with twice the channels").change.device = [](DeviceFigures& f) {
      f.hierarchy.channels *= 2;
    };
    ask("latency_halved", "half the way to the shared caches and to memory").change.device =
        [](DeviceFigures& f) {
          Hierarchy& h = f.hierarchy;
          for (CacheLevel& level : h.levels) {
            level.way_cycles = half(level.way_cycles);
            level.extra_cycles = 0;
          }
          h.memory_way_cycles = half(h.memory_way_cycles);
          h.memory_extra_cycles = 0;
          for (u32* clocks : {&h.dram.tcl, &h.dram.tcwl, &h.dram.trcd, &h.dram.trp}) *clocks = half(*clocks);
        };
    ask("no_launch_overhead", "a launch right behind another of its kind", timing_.launch_cycles > 1).change =
        {[](DeviceFigures& f) { f.core.launch_cycles = 0; }, [](LaunchModel& m) { m.holds_code = true; }};
    ask("instant_starts", fmt::format("{}s go out as soon as there is room", words_.group)).change.device =
        [](DeviceFigures& f) {
          f.core.groups_per_cycle = 64;
          f.core.cycles_per_256_groups = f.core.cycles_per_256_ends = 0;
          f.core.cycles_per_wave = f.core.unit_cycles_per_wave = 0;
        };
    whole_device();
    even_waves();
    even_simds();
    room_filled();
  }

  // Shares of the time after the launch's beginning that a resource's units work: the busiest one, the mean.
  f64 most_worked(const Resource& one) const {
    if (one.busy_cycles.empty() || one.clocks <= 0) return 0;
    return static_cast<f64>(*std::ranges::max_element(one.busy_cycles)) / active_clocks(timing_, one);
  }

  f64 mean_worked(const Resource& one) const {
    if (one.busy_cycles.empty() || one.clocks <= 0) return 0;
    const u64 sum = std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0});
    return static_cast<f64>(sum) / (active_clocks(timing_, one) * static_cast<f64>(one.busy_cycles.size()));
  }

  // The waves' work spread evenly over the time: as many as at most are resident all the time, as far as
  // what they share, and the compute units' parts in the mean, can keep up.
  void even_waves() {
    f64 most = 0;
    for (const OccupancySample& one : timing_.occupancy) {
      if (one.cycles != 0)
        most = std::max(most, static_cast<f64>(one.wave_cycles) / static_cast<f64>(one.cycles));
    }
    Question& made =
        ask("even_waves", fmt::format("the work spread evenly over all {}s", words_.wave), most != 0);
    if (most == 0) return;
    const f64 active = static_cast<f64>(timing_.cycles - timing_.launch_cycles);
    f64 share = static_cast<f64>(timing_.wave_cycles) / (most * std::max(1.0, active));
    for (const Resource& one : timing_.resources) share = std::max(share, mean_worked(one));
    made.formula = timing_.launch_cycles + static_cast<u64>(active * std::min(1.0, share));
  }

  // The same work by as many waves as the device has room for, each doing so much less: a unit that one set
  // of waves leaves idle for a share of the time is left by k sets, each for itself, for the k-th power of
  // it; and no unit works all the time, as requests do not come evenly.
  void room_filled() {
    constexpr f64 most = 0.8;  // docs/advice.md, of limits
    const f64 room = static_cast<f64>(timing_.unit_wave_cycles.size()) * run_.occupancy.waves_per_cu;
    const f64 sets = room / static_cast<f64>(std::max<u64>(1, timing_.waves));
    Question& made =
        ask("room_filled",
            fmt::format("the same work by {:.0f} {}s, which the device has room for", room, words_.wave),
            sets > 1);
    f64 works = 0;
    for (const Resource& one : timing_.resources) works = std::max(works, most_worked(one));
    f64 idle = 1;
    for (f64 set = 1; set <= sets && idle > 1 - most; ++set) idle *= 1 - std::min(1.0, works);
    const f64 together = std::min(most, 1 - idle);
    const f64 active = static_cast<f64>(timing_.cycles - timing_.launch_cycles);
    const f64 share = works >= together ? 1 : std::max(works / together, 1 / sets);
    made.formula = timing_.launch_cycles + static_cast<u64>(active * share);
  }

  // All SIMDs at work as long as they are on the mean: as fast as the one that has most to do works now, as
  // far as everything else can keep up.
  void even_simds() {
    const f64 active = static_cast<f64>(timing_.cycles - timing_.launch_cycles);
    f64 busiest = 0, share = 1, others = 0;
    std::size_t simds = 0;
    for (const Resource& one : timing_.resources) {
      const f64 most = most_worked(one), mean = mean_worked(one);
      others = std::max(others, mean);
      const bool of_waves = one.kind == ResourceKind::arithmetic || one.kind == ResourceKind::issue;
      if (!of_waves || most <= busiest) continue;
      busiest = most;
      share = mean / most;
      simds = one.busy_cycles.size();
    }
    // With fewer waves than SIMDs some have none, however even the waves are.
    Question& made =
        ask("even_simds", "the work spread evenly over all SIMDs", busiest > 0 && timing_.waves >= simds);
    made.formula = timing_.launch_cycles + static_cast<u64>(active * std::min(1.0, std::max(share, others)));
  }

  // What one work-item gathers for its group does not fall apart into what all can do side by side: their
  // parts come together in a tree. Whether it gathers: it leaves its results in local memory, or writes less
  // than half of what it reads.
  bool gathers() const {
    u64 reads = 0, writes = 0, kept = 0;
    for (const u32 i : timing_.per_instruction.present()) {
      const InstructionFigures& one = timing_.per_instruction[i];
      if (!executed_by_few(one.lanes_active, one.issued, run_.program->needs.wave_lanes)) continue;
      const Cost cost = run_.module->code.instructions[i].cost;
      if (cost == Cost::lds_store) kept += one.issued;
      if (cost == Cost::lds_load || cost == Cost::vmem_load) reads += one.issued;
      if (cost == Cost::vmem_store) writes += one.issued;
    }
    return kept != 0 || 2 * writes < reads;
  }

  // The cycles of these trees, one group's behind the other's as far as groups are not side by side. A step
  // writes a part to local memory, waits at a barrier, reads another's and combines both.
  f64 tree_cycles() const {
    constexpr u32 instructions_of_step = 20, least_between = 4;  // docs/advice.md
    const CoreFigures& core = figures_.core;
    // Barriers at which waves wait about as long as they ever do end such a part.
    constexpr f64 long_wait = 0.25;  // of the longest
    const auto mean_wait = [](const InstructionFigures& one) {
      return static_cast<f64>(one.stalls[static_cast<std::size_t>(Stall::barrier)]) /
             static_cast<f64>(std::max<u64>(1, one.issued));
    };
    f64 longest = 0;
    for (const u32 i : timing_.per_instruction.present())
      longest = std::max(longest, mean_wait(timing_.per_instruction[i]));
    u64 arrivals = 0;
    for (const u32 i : timing_.per_instruction.present()) {
      const InstructionFigures& one = timing_.per_instruction[i];
      if (longest > 0 && mean_wait(one) >= long_wait * longest) arrivals += one.issued;
    }
    const f64 trees = static_cast<f64>(arrivals) / static_cast<f64>(std::max<u64>(1, timing_.waves));
    const f64 steps = static_cast<f64>(std::bit_width(run_.range.group_items() - 1));
    const f64 step = 2.0 * core.local_latency + core.barrier_cycles +
                     f64{instructions_of_step} * std::max(core.turn_cycles, least_between);
    const f64 room = static_cast<f64>(core.units) * std::max(1u, run_.occupancy.groups_per_cu);
    const f64 rounds = std::max(1.0, static_cast<f64>(timing_.waves) / run_.occupancy.waves_per_group / room);
    return trees * steps * step * rounds;
  }

  // The work between barriers spread evenly over the waves of a group and over their lanes: nobody waits, and
  // all are done when the mean is.
  void equal_work() {
    const u64 waits = timing_.stalls[static_cast<std::size_t>(Stall::barrier)];
    Question& made =
        ask("equal_work", fmt::format("equal work between barriers for all {}s and lanes", words_.wave),
            waits != 0);
    f64 idle = 0;  // wave-cycles of lanes that take no part where few do
    const std::vector<TimedLine> lines = timed_lines(run_);
    const bool serial = serial_work(run_, lines);
    for (const TimedLine& line : lines) {
      if (!serial) break;
      const f64 taking = line.lane_instructions == 0
                             ? 1
                             : static_cast<f64>(line.lanes) / static_cast<f64>(line.lane_instructions);
      idle +=
          serial_cycles(line, run_.program->needs.wave_lanes) * (1 - taking / run_.program->needs.wave_lanes);
    }
    const f64 active = static_cast<f64>(timing_.cycles - timing_.launch_cycles);
    const f64 share =
        (static_cast<f64>(waits) + idle) / static_cast<f64>(std::max<u64>(1, timing_.wave_cycles));
    const f64 saved = active * share;
    const f64 trees = serial && gathers() ? std::min(saved, tree_cycles()) : 0;
    made.formula = timing_.launch_cycles + static_cast<u64>(active - saved + trees);
  }

  // How many groups are put together to fill waves: so many that they have four waves, where the device then
  // still has two groups for each compute unit, else the fewest; and not more than a group may have.
  JoinedGroups groups_to_join() const {
    constexpr u32 waves_wanted = 4, most_items = 1024;
    JoinedGroups how;
    how.group_items = run_.range.group_items();
    how.wave_lanes = run_.program->needs.wave_lanes;
    how.local_bytes = (run_.local_bytes + 3) & ~3u;
    const auto waves = [&](u32 together) {
      return (how.group_items * together + how.wave_lanes - 1) / how.wave_lanes;
    };
    const auto empty = [&](u32 together) {
      const u32 lanes = waves(together) * how.wave_lanes;
      return static_cast<f64>(lanes - how.group_items * together) / lanes;
    };
    for (u32 n = 2; n * how.group_items <= most_items && n <= run_.range.total_groups(); ++n) {
      const f64 more = empty(how.together) - empty(n);
      const bool few = how.together * how.group_items < waves_wanted * how.wave_lanes &&
                       run_.range.total_groups() / n >= 2 * timing_.unit_wave_cycles.size();
      if (more < 0 || (more == 0 && !few)) continue;
      const Expected<LaunchLimits> limits =
          launch_limits(*run_.machine, run_.program->needs, n * how.group_items, n * how.local_bytes,
                        run_.program->needs.one_unit_a_group);
      if (limits && fits(*limits, waves(n), figures_.core.simds)) how.together = n;
    }
    return how;
  }

  // Work-items of groups that leave lanes of their waves empty, side by side in groups that do not.
  void full_waves() {
    const u32 items = run_.range.group_items();
    const bool empty = items % run_.program->needs.wave_lanes != 0;
    const JoinedGroups how = empty ? groups_to_join() : JoinedGroups{};
    Question& made = ask("full_waves", fmt::format("{}s without empty lanes", words_.wave), how.together > 1);
    made.rewrite = [how](const Recording& r) { return joined(r, how); };
    made.launch = [how](TimedLaunch& launch) {
      const u64 groups = (launch.range.total_groups() + how.together - 1) / how.together;
      const u32 of_group = how.together * how.group_items;
      launch.range.dimensions = 1;
      launch.range.global = {groups * of_group, 1, 1};
      launch.range.local = {of_group, 1, 1};
      launch.local_bytes = how.together * how.local_bytes;
    };
  }

  // The compute units' work spread evenly over all of them, as far as what they share can keep up.
  void whole_device() {
    const std::vector<u64>& units = timing_.unit_wave_cycles;
    const u64 most = units.empty() ? 0 : *std::ranges::max_element(units);
    Question& made =
        ask("whole_device", fmt::format("the work spread evenly over all {}s", words_.unit), most != 0);
    if (most == 0) return;
    const f64 sum = static_cast<f64>(std::accumulate(units.begin(), units.end(), u64{0}));
    f64 share = sum / (static_cast<f64>(most) * static_cast<f64>(units.size()));
    const f64 active = static_cast<f64>(timing_.cycles - timing_.launch_cycles);
    for (const Resource& one : timing_.resources) {
      const bool shared = one.kind == ResourceKind::shared_cache || one.kind == ResourceKind::memory ||
                          one.kind == ResourceKind::atomics || one.kind == ResourceKind::translation;
      if (shared) share = std::max(share, most_worked(one));
    }
    made.formula = timing_.launch_cycles + static_cast<u64>(active * std::min(1.0, share));
  }

  const RunData& run_;
  const TimingResult& timing_;
  const DeviceFigures& figures_;
  const Words& words_;
  InstructionFigures all_;
  std::vector<Question> made_;
};

struct Answer {
  u64 cycles = 0, memory_read_bytes = 0;
};

Expected<Answer> play(const RunData& run, const LaunchRecord& record, const Question& question,
                      const std::function<bool()>& go_on) {
  Recording changed;
  if (question.rewrite) changed = question.rewrite(*record.recording);
  const Recording& recording = question.rewrite ? changed : *record.recording;
  const Expected<std::unique_ptr<RecordedFactory>> source =
      RecordedFactory::make(recording, *run.module, *run.program);
  if (!source) return source.error();
  TimingOptions options;
  if (go_on) options.progress = [&](const RunProgress&) { return go_on(); };
  TimedLaunch launch = record.launch;
  if (question.launch) question.launch(launch);
  const Expected<TimingResult> result =
      time_changed(*run.machine, launch, **source, options, question.change);
  if (!result) return result.error();
  if (result->stopped) return run_stopped();
  return Answer{result->cycles, result->counter("dram.read_bytes")};
}

}  // namespace

Status ask_what_if(RunData& run, const WhatIfWork& work) {
  WhatIfs& all = run.what_if.emplace();
  const TimingResult& timing = run.repeated.first ? *run.repeated.first : *run.timing;
  all.cycles = timing.cycles;
  if (work.record == nullptr || !work.record->recording) {
    all.missing = work.record == nullptr ? "nothing was recorded" : work.record->missing;
    return Success{};
  }
  all.timing_dependent = work.record->recording->timing_dependent;
  const Expected<DeviceFigures> figures = device_figures(*run.machine);
  if (!figures) return figures.error();
  std::vector<Question> questions = Questions(run, timing, *figures).make();
  if (!work.only.empty())
    std::erase_if(questions, [&](const Question& one) {
      return std::ranges::find(work.only, one.name) == work.only.end();
    });
  // Where what waves do depends on when, playing it back may take another time than executing it did; and so
  // it does where launches before left something in the caches.
  all.alone = run.device_launch > 1;
  const bool base = all.timing_dependent || all.alone;
  if (base) questions.emplace_back().name = "as_it_is";

  std::vector<std::optional<Expected<Answer>>> played_answers(questions.size());
  std::vector<std::size_t> played;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].applies && !questions[i].formula) played.push_back(i);
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex telling;
  u64 done = 0;
  const auto answer = [&] {
    for (std::size_t i = next++; i < played.size() && !stop; i = next++) {
      std::optional<Expected<Answer>>& result = played_answers[played[i]];
      result.emplace(play(run, *work.record, questions[played[i]], work.go_on));
      if (!result->ok() || (work.go_on && !work.go_on())) stop = true;
      const std::lock_guard lock(telling);
      if (work.progress) work.progress(++done, played.size());
    }
  };
  std::vector<std::thread> others;
  for (u32 i = 1; i < work.threads && i < played.size(); ++i) others.emplace_back(answer);
  answer();
  for (std::thread& other : others) other.join();
  for (const auto& result : played_answers) {
    if (result && !result->ok()) return result->error();
  }
  if (stop) return run_stopped();

  if (base) {
    all.cycles = (*played_answers.back())->cycles;
    questions.pop_back();
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    WhatIf& made = all.answers.emplace_back();
    made.name = question.name;
    made.title = question.title;
    made.how = !question.applies  ? WhatIf::How::nothing
               : question.formula ? WhatIf::How::formula
                                  : WhatIf::How::played;
    const auto by_formula = [&] {
      return static_cast<u64>(static_cast<f64>(*question.formula) * static_cast<f64>(all.cycles) /
                              static_cast<f64>(std::max<u64>(1, timing.cycles)));
    };
    if (made.how == WhatIf::How::played) {
      made.cycles = (*played_answers[i])->cycles;
      made.memory_read_bytes = (*played_answers[i])->memory_read_bytes;
    } else {
      made.cycles = question.applies ? by_formula() : all.cycles;
    }
  }
  std::ranges::stable_sort(all.answers, [](const WhatIf& a, const WhatIf& b) { return a.cycles < b.cycles; });
  return Success{};
}

}  // namespace lockstep
