#include "time/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/machine.h"
#include "time/family/timed_family.h"

namespace lockstep {
namespace {

constexpr u32 first_cluster = 1;  // its shard, behind the dispatcher's
constexpr u32 windows_between_counts = 32, windows_between_reports = 1024;
constexpr u32 listed_waves = 8;  // in the message about a launch that cannot go on

Status has_timing(const Machine& machine) {
  if (timed_family(machine) != nullptr && has(machine, "timing.issue.turn_cycles")) return Success{};
  return Diagnostic{"not-timed",
                    {machine.path, 0, 0},
                    fmt::format("the timing of {} is not modelled", machine.id),
                    "it runs without timing (--functional)"};
}

Diagnostic too_many_instructions() {
  return {"instruction-limit",
          {},
          "the launch executed more instructions than its limit allows",
          "an endless loop? raise the limit if the kernel is just long"};
}

// Kinds of shards; levels of caches follow from the nearest on, then channels.
constexpr u8 clusters_kind = 0, dispatcher_kind = 1, translation_kind = 2, first_level_kind = 3;

struct Ways {
  std::vector<WindowPlan::Kind> kinds;
  std::vector<MailWay> ways;
};

constexpr u32 most_cycles = 256;  // of a window: longer ones gain nothing

// Who asks runs before who answers. Ordered accesses are performed by caches' slices, and have been when
// compute units hear of it.
Ways ways_in_turn(const DeviceFigures& figures) {
  const CoreFigures& core = figures.core;
  const Hierarchy& hierarchy = figures.hierarchy;
  Ways all;
  all.kinds = {{0, 0, false}, {1, 0, false}, {1, 0, false}};
  const auto both = [&all](u32 near, u32 far, u32 out, u32 back) {
    all.ways.push_back({near, far, out});
    all.ways.push_back({far, near, back});
  };
  both(clusters_kind, dispatcher_kind, core.wave_end_cycles, core.wave_start_cycles);
  both(clusters_kind, translation_kind, hierarchy.translation.way_cycles, hierarchy.translation.way_cycles);
  u32 near = clusters_kind, kind = first_level_kind, phase = 1;
  for (const CacheLevel& level : hierarchy.levels) {
    all.kinds.push_back({phase++, 0, true});
    both(near, kind, level.way_cycles, level.way_cycles);
    near = kind++;
  }
  all.kinds.push_back({phase, 0, false});
  both(near, kind, hierarchy.memory_way_cycles, hierarchy.memory_way_cycles);
  u32 back = hierarchy.levels[0].way_cycles;
  for (const auto& [miss_cycles, cache] : {std::pair(core.scalar_miss_cycles, core.scalar_cache),
                                           std::pair(core.instruction_miss_cycles, core.instruction_cache)}) {
    const NearWay way = near_way(hierarchy, miss_cycles, cache.line_bytes);
    both(clusters_kind, first_level_kind, way.out, way.back);
    back = std::min(back, way.back);
  }
  for (u32 level = first_level_kind; level < kind; ++level) all.ways.push_back({level, clusters_kind, back});
  return all;
}

// The same with every second kind on the way to memory in one phase, and with channels between phases, where
// that allows windows as long: host threads wait for each other after two phases instead of after one for
// each level, what one of them has more of in one kind it may have less of in another, and who would wait
// runs channels meanwhile.
Ways ways_of(const DeviceFigures& figures) {
  const Ways in_turn = ways_in_turn(figures);
  const u32 longest = longest_windows(in_turn.kinds, in_turn.ways, most_cycles).length;
  Ways in_two = in_turn;
  for (WindowPlan::Kind& kind : in_two.kinds) kind.phase %= 2;
  Ways with_channels_between = in_two;
  with_channels_between.kinds.back().between = true;
  for (const Ways& ways : {with_channels_between, in_two}) {
    if (!plan_windows(ways.kinds, ways.ways, longest).kinds.empty()) return ways;
  }
  return in_turn;
}

}  // namespace

Device::Device(const Machine* machine, const CoreFigures& figures, const Hierarchy& hierarchy)
    : machine_(machine),
      figures_(figures),
      hierarchy_(hierarchy),
      longest_(longest_windows({figures, hierarchy})) {
  const u32 clusters = figures_.clusters();
  map_ = AddressMap(hierarchy_, clusters, first_cluster + clusters);
  dispatcher_ = std::make_unique<Dispatcher>(figures_, first_cluster);
  shards_.push_back(dispatcher_.get());
  for (u32 i = 0; i < clusters; ++i) {
    const u32 units = std::min(figures_.units_per_cluster, figures_.units - i * figures_.units_per_cluster);
    clusters_.push_back(std::make_unique<Cluster>(figures_, hierarchy_, i, units));
    shards_.push_back(clusters_.back().get());
  }
  for (u32 level = 0; level < hierarchy_.levels.size(); ++level) {
    for (u32 i = 0; i < hierarchy_.levels[level].slices; ++i) {
      slices_.push_back(std::make_unique<Slice>(
          hierarchy_, map_, level, i / (hierarchy_.levels[level].slices / hierarchy_.levels[level].groups)));
      shards_.push_back(slices_.back().get());
    }
  }
  for (u32 i = 0; i < hierarchy_.channels; ++i) {
    channels_.push_back(std::make_unique<Channel>(hierarchy_, map_));
    shards_.push_back(channels_.back().get());
  }
  translation_ = std::make_unique<Translation>(hierarchy_);
  shards_.push_back(translation_.get());
  kinds_ = {dispatcher_kind};
  kinds_.insert(kinds_.end(), clusters_.size(), clusters_kind);
  u8 kind = first_level_kind;
  for (const CacheLevel& level : hierarchy_.levels) kinds_.insert(kinds_.end(), level.slices, kind++);
  kinds_.insert(kinds_.end(), channels_.size(), kind);
  kinds_.push_back(translation_kind);
  LOCKSTEP_ASSERT(shards_.size() == map_.end(), "the map numbers the shards as the device does");
}

static Expected<LaunchLimits> limits_of(const Machine& machine, const TimedLaunch& launch,
                                        const TimedProgram& program) {
  KernelNeeds needs = launch.program->needs;
  if (program.vector_registers != 0) needs.vector_registers = program.vector_registers;
  return launch_limits(machine, needs, launch.range.group_items(), launch.local_bytes,
                       needs.one_unit_a_group);
}

Expected<LaunchModel> launch_model(const Machine& machine, const TimedLaunch& launch) {
  Expected<TimedProgram> program = timed_family(machine)->program(machine, launch);
  if (!program) return program.error();
  const Expected<LaunchLimits> limits = limits_of(machine, launch, *program);
  if (!limits) return limits.error();
  return LaunchModel{std::move(*program), *limits};
}

Expected<DeviceFigures> device_figures(const Machine& machine) {
  const Status timed = has_timing(machine);
  if (!timed) return timed.error();
  const u64 clock = run_clock_hz(machine);
  const Expected<CoreFigures> core = timed_family(machine)->figures(machine, clock);
  if (!core) return core.error();
  const Expected<Hierarchy> hierarchy =
      make_hierarchy(machine, clock, core->l1_hit_cycles, core->near_work());
  if (!hierarchy) return hierarchy.error();
  return DeviceFigures{*core, *hierarchy};
}

WindowPlan longest_windows(const DeviceFigures& figures) {
  const Ways all = ways_of(figures);
  return longest_windows(all.kinds, all.ways, most_cycles);
}

u32 Device::longest_window() const {
  return longest_.length;
}

void Device::make_cold() {
  dispatcher_->forget_launches();
  for (const auto& cluster : clusters_) cluster->invalidate();
  for (const auto& slice : slices_) slice->invalidate();
  for (const auto& channel : channels_) channel->close_rows();
  translation_->invalidate();
  held_code_.clear();
}

// Near caches are emptied at a launch's begin, and a cache in front of memory sees what the host does.
template <class Line, class Range>
void Device::host_access(u64 address, u64 bytes, Line one_line, Range all) {
  if (bytes == 0) return;
  std::size_t first = 0;
  for (u32 l = 0; l < hierarchy_.levels.size(); first += hierarchy_.levels[l++].slices) {
    const CacheLevel& level = hierarchy_.levels[l];
    if (level.in_front_of_memory) continue;
    const u64 line_bytes = level.line_bytes;
    const u64 begin = address / line_bytes * line_bytes, end = address + bytes;
    if ((end - begin) / line_bytes < u64{level.size_bytes} * level.slices / level.groups / line_bytes) {
      for (u64 line = begin; line < end; line += line_bytes) {
        for (u32 group = 0; group < level.groups; ++group)
          one_line(static_cast<Slice&>(*shards_[map_.slice(l, line, group)]), line);
      }
    } else {
      for (u32 i = 0; i < level.slices; ++i) all(*slices_[first + i], begin, end);
    }
  }
}

void Device::host_wrote(u64 address, u64 bytes) {
  host_access(
      address, bytes, [](Slice& slice, u64 line) { slice.drop(line); },
      [](Slice& slice, u64 begin, u64 end) { slice.drop(begin, end); });
}

void Device::host_read(u64 address, u64 bytes) {
  host_access(
      address, bytes, [](Slice& slice, u64 line) { slice.write_back_unseen(line); },
      [](Slice& slice, u64 begin, u64 end) { slice.write_back_unseen(begin, end); });
}

DeviceParts Device::parts() const {
  return {&figures_, &hierarchy_, dispatcher_.get(),  clusters_,
          slices_,   channels_,   translation_.get(), per_instruction_};
}

// As an earlier launch leaves the code.
void Device::hold_code(const TimedProgram& program) {
  if (program.ops.empty() || !held_code_.emplace(program.ops[0].address, program.ops.size()).second) return;
  u64 last = never;
  const u64 line_bytes = hierarchy_.levels[hierarchy_.code_level].line_bytes;
  for (const TimedOp& op : program.ops) {
    const u64 address = op.address / line_bytes * line_bytes;
    if (address == last) continue;
    last = address;
    const CacheLevel& level = hierarchy_.levels[hierarchy_.code_level];
    for (u32 group = 0; group < level.groups; ++group) {
      const u32 shard = map_.slice(hierarchy_.code_level, address, group);
      static_cast<Slice*>(shards_[shard])->hold(address);
    }
  }
}

// Programs may lie at one address here, and never do on hardware: what instruction caches keep from launch to
// launch is told apart by what the programs are. Each has a place of its own, beyond all lines of another
// one's.
u64 Device::code_place(const TimedProgram& program) {
  constexpr u64 lines_apart = u64{1} << 40;
  u64 sum = 0xCBF29CE484222325;
  for (const TimedOp& op : program.ops) {
    for (const u64 part :
         {op.address, u64{op.instruction}, u64{op.cycles}, u64{op.flags}, static_cast<u64>(op.cost)})
      sum = (sum ^ part) * 0x100000001B3;
  }
  return code_places_.emplace(sum, code_places_.size() * lines_apart).first->second;
}

u64 Device::instructions() const {
  u64 sum = 0;
  for (const auto& cluster : clusters_) sum += cluster->counts().instructions;
  return sum;
}

Diagnostic Device::deadlock() const {
  std::vector<std::string> waves;
  for (const auto& cluster : clusters_) cluster->list_blocked(waves);
  std::string text;
  for (std::size_t i = 0; i < waves.size() && i < listed_waves; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "; ", waves[i]);
  if (waves.size() > listed_waves) text += fmt::format("; and {} more", waves.size() - listed_waves);
  return {"deadlock",
          {},
          fmt::format("no wave can go on, {} of {} work-groups are done: {}", dispatcher_->groups_done(),
                      dispatcher_->groups(), waves.empty() ? "no wave is resident" : text),
          "a barrier must be reached by all waves of a work-group"};
}

Expected<TimingResult> Device::launch(const TimedLaunch& launch, SourceFactory& sources,
                                      const TimingOptions& options) {
  LOCKSTEP_ASSERT(machine_ != nullptr && launch.program != nullptr, "a launch has a program and a machine");
  const u32 wave_lanes = launch.program->needs.wave_lanes;
  // Text that is timed in place of the program is no part of what the module is.
  const bool named = launch.module != nullptr && !launch.module->hash.empty() && launch.lowered == nullptr;
  if (!named) {
    const Expected<LaunchModel> model = launch_model(*machine_, launch);
    return model ? run(*model, launch, wave_lanes, sources, options) : model.error();
  }
  ProgramName name{launch.module->hash, launch.program->name, launch.code_address};
  auto kept = models_.find(name);
  if (kept == models_.end()) {
    Expected<LaunchModel> model = launch_model(*machine_, launch);
    if (!model) return model.error();
    if (models_.size() == most_models) models_.clear();
    kept = models_.emplace(std::move(name), std::move(*model)).first;
  } else {
    const Expected<LaunchLimits> limits = limits_of(*machine_, launch, kept->second.program);
    if (!limits) return limits.error();
    kept->second.limits = *limits;
  }
  return run(kept->second, launch, wave_lanes, sources, options);
}

Expected<TimingResult> Device::run(const LaunchModel& model, const TimedLaunch& launch, u32 wave_lanes,
                                   SourceFactory& sources, const TimingOptions& options) {
  const LaunchLimits& limits = model.limits;
  const u64 items = launch.range.group_items();
  if (items == 0 || !fits(limits, (items + wave_lanes - 1) / wave_lanes, figures_.simds)) {
    return Diagnostic{"launch-impossible",
                      {},
                      "a work-group of this launch never fits a compute unit",
                      "smaller groups, fewer registers or less local memory"};
  }
  const bool exact = sources.cycle_exact();
  const u32 most = exact ? 1 : options.window_cycles;
  WindowPlan plan = longest_;
  if (most != 0 && most < plan.length) {
    const Ways all = ways_of({figures_, hierarchy_});
    plan = plan_windows(all.kinds, all.ways, most);
  }
  const u32 threads = exact || !sources.parallel() ? 1 : options.threads;

  ClusterContext context;
  context.figures = &figures_;
  context.hierarchy = &hierarchy_;
  context.map = &map_;
  context.program = &model.program;
  context.limits = &limits;
  context.dispatcher = 0;
  context.wave_lanes = wave_lanes;
  context.holds_code = model.holds_code;
  context.code_place = figures_.keeps_code ? code_place(model.program) : 0;
  context.trace = model.trace;
  std::vector<OpHints> hints;
  const Divider by_block(figures_.fetch_block_bytes);
  constexpr std::array<u8, wait_counter_count> no_limit = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  for (const TimedOp& op : model.program.ops) {
    const bool counts = op.most_outstanding != no_limit;
    const bool waits = op.dependences != 0 || op.wait_mask != 0 || counts;
    const bool plain = (op.pipe == Pipe::vector || op.pipe == Pipe::scalar || op.pipe == Pipe::branch) &&
                       op.cost != Cost::branch && op.unit == 0 &&
                       (op.flags & ~(TimedOp::in_clause | TimedOp::ends_clause)) == 0 &&
                       op.write_barrier == TimedOp::no_barrier && op.read_barrier == TimedOp::no_barrier;
    const u64 block = by_block.quotient(op.address);
    hints.push_back({block, static_cast<u8>(by_block.quotient(op.address + op.size - 1) - block),
                     static_cast<u8>((waits ? OpHints::waits : 0) | (counts ? OpHints::counts : 0) |
                                     (plain ? OpHints::plain : 0))});
    for (u32 i = 0; i < op.dependences; ++i)
      context.looks_back = std::max<u32>(context.looks_back, op.dependence[i].distance);
  }
  context.hints = hints.data();
  struct Sources {
    std::vector<std::unique_ptr<Cluster>>& of;
    ~Sources() {
      for (const auto& cluster : of) cluster->end_launch();
    }
  } const until_the_end{clusters_};
  for (const auto& cluster : clusters_) cluster->rest();
  for (const auto& slice : slices_) slice->begin_launch();
  for (const auto& channel : channels_) channel->begin_launch();
  translation_->begin_launch();
  if (options.code_in_second_level) hold_code(model.program);

  // Each launch has its own time, from 0 on.
  Windows windows(shards_, kinds_, plan, threads);
  while (per_instruction_.size() < windows.parts())
    per_instruction_.push_back(std::make_unique<FiguresTable>());
  for (const auto& table : per_instruction_)
    table->begin(model.program.regions.empty() ? model.program.ops.size() : model.program.instructions);
  const u64 first = std::max(1u, figures_.launch_cycles);
  dispatcher_->begin_launch(limits, launch.range, wave_lanes, first);
  windows.wake(0, first);
  const std::function<void(const Perform&)> perform = [this](const Perform& one) {
    clusters_[one.origin]->perform(one.order);
  };
  const auto failed = [this]() -> const Cluster* {
    const Cluster* found = nullptr;
    for (const auto& cluster : clusters_) {
      if (cluster->failed() && (found == nullptr || cluster->failed_at() < found->failed_at()))
        found = cluster.get();
    }
    return found;
  };
  bool stopped = false;
  u64 steps = 0;
  while (const u64 ran = windows.step(perform, windows_between_counts - steps % windows_between_counts)) {
    for (const u32 i : dispatcher_->take_first_uses()) {
      context.per_instruction = per_instruction_[windows.part_of(first_cluster + i)].get();
      clusters_[i]->begin_launch(context, sources.open(i, i * figures_.slots_per_cluster()));
    }
    if (windows.take_alarm()) return failed()->failure();
    steps += ran;
    if (steps % windows_between_counts == 0 && instructions() > options.most_instructions)
      return too_many_instructions();
    if (steps % windows_between_reports != 0) continue;
    if (std::optional<Diagnostic> stuck = sources.deadlock(windows.now(first_cluster), false)) return *stuck;
    if (!options.progress) continue;
    RunProgress progress;
    progress.groups_done = dispatcher_->groups_done();
    progress.groups = dispatcher_->groups();
    progress.instructions = instructions();
    if (!options.progress(progress)) {
      stopped = true;
      break;
    }
  }
  if (stopped) {
    for (const auto& cluster : clusters_) cluster->stop(windows.now(first_cluster));
  } else if (dispatcher_->groups_done() < dispatcher_->groups()) {
    const std::optional<Diagnostic> stuck = sources.deadlock(windows.now(first_cluster), true);
    return stuck ? *stuck : deadlock();
  }
  if (instructions() > options.most_instructions) return too_many_instructions();
  if (model.trace != nullptr) {
    LaunchTrace& trace = *model.trace;
    trace.line_bytes = figures_.l1.line_bytes;
    const u32 near_bytes = model.limits.l1_bytes != 0 ? model.limits.l1_bytes : figures_.l1.size_bytes;
    if (near_bytes != 0) trace.caches.push_back({"near", near_bytes, false});
    for (const CacheLevel& level : hierarchy_.levels)
      trace.caches.push_back({level.name, u64{level.size_bytes} * level.slices, true});
    for (const auto& cluster : clusters_) {
      if (cluster->trace() != nullptr) model.trace->add(*cluster->trace());
    }
  }
  const u64 write_back = stopped ? 0 : clean(plan, threads);
  TimingResult result = collect(parts(), write_back);
  result.stopped = stopped;
  result.host_threads = windows.parts();
  return result;
}

Expected<std::unique_ptr<TimedDevice>> TimedDevice::make(const Machine& machine) {
  const Expected<DeviceFigures> figures = device_figures(machine);
  if (!figures) return figures.error();
  return std::unique_ptr<TimedDevice>(std::make_unique<Device>(&machine, figures->core, figures->hierarchy));
}

Expected<TimingResult> time_launch(const Machine& machine, const TimedLaunch& launch, SourceFactory& sources,
                                   const TimingOptions& options) {
  Expected<std::unique_ptr<TimedDevice>> device = TimedDevice::make(machine);
  if (!device) return device.error();
  return (*device)->launch(launch, sources, options);
}

// What the hardware writes back at a launch's end: begins when the last wave has ended and the last store has
// arrived, in a time of its own. Gives the cycles until the last line has arrived.
u64 Device::clean(const WindowPlan& plan, u32 threads) {
  if (std::ranges::none_of(hierarchy_.levels, &CacheLevel::cleaned_between_launches)) return 0;
  Windows windows(shards_, kinds_, plan, threads);
  for (const auto& slice : slices_) slice->begin_phase();
  for (const auto& channel : channels_) channel->begin_phase();
  for (std::size_t first = 0, l = 0; l < hierarchy_.levels.size(); first += hierarchy_.levels[l++].slices) {
    if (!hierarchy_.levels[l].cleaned_between_launches) continue;
    for (std::size_t i = first; i < first + hierarchy_.levels[l].slices; ++i) {
      if (slices_[i]->clean(0)) windows.wake(map_.first_slice(0) + static_cast<u32>(i), 0);
    }
  }
  while (windows.step([](const Perform&) {}, windows_between_counts)) {
  }
  u64 end = 0;
  for (std::size_t first = 0, l = 0; l < hierarchy_.levels.size(); first += hierarchy_.levels[l++].slices) {
    for (std::size_t i = first; i < first + hierarchy_.levels[l].slices; ++i) {
      if (hierarchy_.levels[l].cleaned_between_launches) end = std::max(end, slices_[i]->written_back_at());
    }
  }
  return end;
}

Status timing_model(const Machine& machine) {
  const Expected<DeviceFigures> figures = device_figures(machine);
  if (!figures) return figures.error();
  return Success{};
}

}  // namespace lockstep
