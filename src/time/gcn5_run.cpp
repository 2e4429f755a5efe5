// Builds the device and runs a launch on it.
#include <fmt/format.h>

#include <algorithm>

#include "time/gcn5_device.h"
#include "time/gcn5_info.h"

namespace lockstep {
namespace gcn5 {
namespace {

constexpr u64 steps_between_reports = u64{1} << 16;  // of the event queue: some ten milliseconds
constexpr u32 tlb2_ways = 16;       // associativity of the second-level TLB: wide enough not to matter
constexpr u32 atomic_words = 1024;  // addresses per slice whose latest atomic is remembered

std::vector<u32> descending(u32 count) {
  std::vector<u32> numbers(count);
  for (u32 i = 0; i < count; ++i) numbers[i] = count - 1 - i;
  return numbers;
}

u32 log2_of(u32 value) {
  return static_cast<u32>(std::countr_zero(value));
}

}  // namespace

Device::Device(const Gcn5Parameters& parameters, const LaunchLimits& limits, const TimedLaunch& launch,
               WaveSource& source, const TimingOptions& options)
    : p_(parameters),
      limits_(limits),
      launch_(launch),
      source_(source),
      options_(options),
      queue_(parameters.l2_slices + parameters.dram_channels + parameters.compute_units * parameters.simds +
             1),
      info_(launch.code.size()),
      figures_(launch.code.size()),
      waves_(std::size_t{parameters.compute_units} * parameters.simds * parameters.waves_per_simd),
      simds_(std::size_t{parameters.compute_units} * parameters.simds),
      units_(parameters.compute_units),
      slices_(parameters.l2_slices),
      channels_(parameters.dram_channels),
      channel_wake_(parameters.dram_channels, 0),
      tlb2_(parameters.tlb2_entries / tlb2_ways, tlb2_ways),
      dram_clock_(parameters.clock_hertz, parameters.dram_clock_hertz),
      blocked_by_writes_(parameters.l2_slices, 0),
      port_free_(parameters.shader_engines, 0),
      engine_next_(parameters.shader_engines, 0),
      total_groups_(launch.range.total_groups()) {
  line_shift_ = log2_of(p_.l1.line_bytes);
  full_line_ = p_.l1.line_bytes == 64 ? ~u64{0} : (u64{1} << p_.l1.line_bytes) - 1;
  quarters_ = 64 / p_.lanes_per_address_cycle;
  l1_data_cycles_ = p_.l1_hit_cycles - quarters_;
  slice_cycles_ = (p_.l2.line_bytes + p_.l2_bytes_per_cycle - 1) / p_.l2_bytes_per_cycle;
  response_cycles_ = (p_.l2.line_bytes + p_.l2_response_bytes - 1) / p_.l2_response_bytes;
  buffer_blocks_ = p_.buffer_bytes / p_.bytes_per_fetch;
  // Ways are what the unloaded latencies leave beside the work on them; half there, half back.
  const auto split = [this](u32 extra, u32& go, u32& back) {
    const u32 way = extra - slice_cycles_;
    go = way / 2;
    back = way - go;
  };
  split(p_.l2_hit_cycles - quarters_, l2_go_, l2_back_);
  split(p_.smem_miss_cycles, scalar_go_, scalar_back_);
  split(p_.instruction_miss_cycles, instruction_go_, instruction_back_);
  const u64 clocks = p_.dram.trcd + p_.dram.tcl + u64{p_.dram.burst_clocks} * p_.dram.bursts_per_request;
  split(p_.dram_latency_cycles - p_.l2_hit_cycles - static_cast<u32>(dram_clock_.to_core(clocks)) +
            slice_cycles_,
        memory_go_, memory_back_);

  for (u32 i = 0; i < waves_.size(); ++i) {
    Wave& wave = waves_[i];
    wave.handle = i;
    wave.slot = i % p_.waves_per_simd;
    wave.simd = i / p_.waves_per_simd % p_.simds;
    wave.compute_unit = i / p_.waves_per_simd / p_.simds;
  }
  for (ComputeUnit& unit : units_) {
    const u32 ports = (p_.simds + p_.local_simds_per_port - 1) / p_.local_simds_per_port;
    unit.local_ports.resize(ports);
    for (ComputeUnit::LocalPort& port : unit.local_ports)
      port.start.assign(std::max<u32>(1, p_.local_queue / ports), 0);
    unit.vmem_finish.assign(p_.vmem_queue, 0);
    unit.pipe.resize(p_.vmem_queue);
    unit.l1 = CacheTags(p_.l1.sets(), p_.l1.ways);
    unit.tlb = Tlb(p_.tlb_entries);
    unit.misses.resize(p_.l1_misses);
    unit.free_misses = descending(p_.l1_misses);
  }
  const auto shared = [this](std::vector<SharedCache>& caches, const CacheShape& shape, u32 sharing,
                             u32 misses) {
    caches.resize((p_.compute_units + sharing - 1) / sharing);
    for (SharedCache& cache : caches) {
      cache.tags = CacheTags(shape.sets(), shape.ways);
      cache.misses.resize(misses);
      cache.free_misses = descending(misses);
    }
  };
  shared(scalar_caches_, p_.scalar_cache, p_.scalar_units_sharing, p_.smem_misses);
  shared(instruction_caches_, p_.instruction_cache, p_.instruction_units_sharing, p_.instruction_misses);
  for (Slice& slice : slices_) {
    slice.tags = CacheTags(p_.l2.sets() / p_.l2_slices, p_.l2.ways);
    slice.valid.assign(slice.tags.entries(), 0);
    slice.dirty.assign(slice.tags.entries(), 0);
    slice.misses.resize(p_.l2_misses);
    slice.free_misses = descending(p_.l2_misses);
    slice.atomics.resize(atomic_words);
  }
  for (DramChannel& channel : channels_) channel = DramChannel(p_.dram);
}

void Device::message(const Message& message) {
  delivering_ = true;
  switch (static_cast<MessageKind>(message.kind)) {
    case MessageKind::wave_start:
      start_wave(waves_[message.payload]);
      break;
    case MessageKind::l2_request:
      l2_arrive(message.component, message.payload);
      break;
    case MessageKind::l2_fill:
      l2_fill(message.component, message.payload);
      break;
    case MessageKind::vector_return:
      vector_returned(message.payload);
      break;
    case MessageKind::scalar_return:
      scalar_returned(message.payload);
      break;
    case MessageKind::instruction_return:
      instructions_returned(message.payload);
      break;
  }
  delivering_ = false;
}

void Device::run(u32 component) {
  if (failed_) return;
  if (component >= dispatcher_component()) {
    dispatch();
  } else if (component >= simd_component(0)) {
    run_simd(component - simd_component(0));
  } else {
    run_channel(component - p_.l2_slices);
  }
}

void Device::hold_code() {
  for (const InstructionInfo& info : info_) {
    const u64 line = info.address >> line_shift_;
    Slice& slice = slices_[slice_of(line)];
    const u64 index = set_of(line);
    if (slice.tags.find(line, index) != CacheTags::none) continue;
    const u32 entry = slice.tags.victim(index);
    slice.tags.place(entry, line, CacheTags::arrived);
    slice.valid[entry] = full_line_;
  }
}

bool Device::go_on() const {
  if (!options_.progress) return true;
  RunProgress progress;
  progress.groups_done = groups_done_;
  progress.groups = total_groups_;
  progress.instructions = counts_.instructions;
  return options_.progress(progress);
}

// The result in the middle of the run: the waves that are resident have been waiting up to now.
TimingResult Device::stopped() {
  for (Wave& wave : waves_) {
    if (!wave.resident) continue;
    settle(wave, now());
    wave_cycles_ += std::max(wave.since, now()) - wave.began;
    timeline_.end(now());
  }
  last_end_ = std::max(last_end_, now());
  TimingResult partial = result();
  partial.stopped = true;
  return partial;
}

Expected<TimingResult> Device::run() {
  for (std::size_t i = 0; i < info_.size(); ++i) {
    const Status status = describe(launch_.code[i], p_, launch_.code_address, info_[i]);
    if (!status.ok()) return status.error();
  }
  if (options_.code_in_second_level) hold_code();
  queue_.wake(dispatcher_component(), std::max<u32>(1, p_.launch_cycles));
  for (u64 steps = 1; !failed_ && queue_.step(*this); ++steps) {
    if (steps % steps_between_reports == 0 && !go_on()) return stopped();
  }
  if (failed_) return failure_;
  if (groups_done_ != total_groups_) return deadlock();
  return result();
}

}  // namespace gcn5

Expected<TimingResult> time_gcn5(const Gcn5Parameters& parameters, const LaunchLimits& limits,
                                 const TimedLaunch& launch, WaveSource& source,
                                 const TimingOptions& options) {
  const Status status = check_parameters(parameters);
  if (!status.ok()) return status.error();
  const u64 items = launch.range.group_items();
  if (items == 0 || (items + 63) / 64 > u64{limits.waves_per_simd()} * parameters.simds ||
      limits.groups_local == 0 || limits.groups_barriers == 0) {
    return Diagnostic{"launch-impossible",
                      {},
                      "a work-group of this launch never fits a compute unit",
                      "smaller groups, fewer registers or less local memory"};
  }
  gcn5::Device device(parameters, limits, launch, source, options);
  return device.run();
}

}  // namespace lockstep
