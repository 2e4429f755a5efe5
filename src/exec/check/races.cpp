#include "exec/check/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/check/race_step.h"
#include "exec/check/shadow.h"
#include "exec/group.h"
#include "isa/memory_shapes.h"

namespace lockstep {

using check::Sort;
using check::SyncPlace;
using check::SyncPlaces;
using check::Touch;
using check::WaveClock;

namespace {

// What an instruction does to the order of accesses and the stack of calls.
constexpr u8 waits = 1;       // for all earlier stores of its wave
constexpr u8 coherent = 2;    // a load or store that is atomic, or volatile
constexpr u8 syncs_wave = 4;  // orders the work-items of a wave
constexpr u8 calls = 8, returns = 16;
constexpr u8 has_no_line = 32;
constexpr u8 counts_threads = 64;  // a barrier that is not the runner's (PTX)

constexpr u64 most_local_shadow_bytes = u64{4} << 20;
// Clocks that one instruction may read before it counts as knowing everything.
constexpr std::size_t most_stamps_read = std::size_t{1} << 18;

u8 marks_of(const Instruction& in) {
  u8 marks = 0;
  const Role role = in.meaning != nullptr ? in.meaning->role : Role::none;
  if (role == Role::call) marks |= calls;
  if (role == Role::jump) marks |= returns;
  if (role == Role::counted_barrier) marks |= counts_threads;
  if (in.policy.has(AccessPolicy::waits_for_stores)) marks |= waits;
  if (in.policy.has(AccessPolicy::joins_lanes)) marks |= syncs_wave;
  const bool loads_or_stores = in.meaning == nullptr || in.meaning->combining == Combining::none;
  if (loads_or_stores && in.addressing != Addressing::none && in.policy.strong()) marks |= coherent;
  return marks;
}

// Whether the instruction may read atomically, by which it comes behind others.
bool may_acquire(const Instruction& in, u8 marks) {
  if ((marks & coherent) != 0) return true;
  const bool plain = in.cost == Cost::vmem_load || in.cost == Cost::lds_load || in.cost == Cost::smem_load;
  const bool returns = in.operand[0].kind != OperandKind::none || (in.flags & Instruction::returns) != 0;
  return !plain && in.addressing != Addressing::none && returns;
}

}  // namespace

RaceChecker::RaceChecker(const PreparedLaunch& launch, const CheckSelection& selection, ViolationLog* log,
                         u64 most_shadow_bytes)
    : launch_(launch),
      selection_(selection),
      log_(log),
      code_(launch.module().code.instructions.data()),
      global_(most_shadow_bytes),
      base_(DeviceMemory::first_address),
      ptx_(launch.module().target->vendor == Vendor::nvidia) {
  const Code& code = launch.module().code;
  marks_.reserve(code.instructions.size());
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    marks_.push_back(marks_of(code.instructions[i]));
    if (code.position(static_cast<u32>(i)).line == 0) marks_.back() |= has_no_line;
    acquires_ = acquires_ || may_acquire(code.instructions[i], marks_.back());
  }
  const u64 printf_buffer = launch.state().printf_buffer_address;
  const auto buffer = launch.memory().find(printf_buffer, 1);
  if (printf_buffer != 0 && buffer) {
    ignored_begin_ = buffer->address;
    ignored_end_ = buffer->address + buffer->bytes;
  }
  if (!selection_.bounds) return;
  const u64 given[] = {launch.state().arguments_address, launch.state().dispatch_packet_address};
  for (u32 i = 0; i < 2; ++i) {
    const auto allocation = launch.memory().find(given[i], 1);
    if (allocation) loaded_[i] = {allocation->address, allocation->bytes};
  }
}

RaceChecker::Group& RaceChecker::group_of(u32 group) {
  if (last_ != nullptr && last_number_ == group) return *last_;
  last_ = groups_.at(group).get();
  last_number_ = group;
  return *last_;
}

void RaceChecker::begin(std::span<WaveState> waves) {
  std::unique_ptr<Group> group;
  if (idle_.empty()) {
    group = std::make_unique<Group>(most_local_shadow_bytes);
  } else {
    group = std::move(idle_.back());
    idle_.pop_back();
  }
  const u32 count = static_cast<u32>(waves.size());
  group->waves.assign(count, {});
  for (u32 i = 0; i < count; ++i) {
    WaveClock& clock = group->waves[i];
    clock.first = waves[0].group * count;
    clock.wave = clock.first + i;
    clock.known.assign(count, 0);
  }
  group->local.clear();
  group->local_places.clear();
  group->counted_barriers = {};
  groups_[waves[0].group] = std::move(group);
  last_ = nullptr;
}

void RaceChecker::barrier(std::span<WaveState> waves) {
  check::meet(group_of(waves[0].group).waves);
}

void RaceChecker::end(std::span<WaveState> waves) {
  const auto found = groups_.find(waves[0].group);
  if (found == groups_.end()) return;
  idle_.push_back(std::move(found->second));
  groups_.erase(found);
  last_ = nullptr;
}

void RaceChecker::before(WaveState& wave, const Instruction& instruction, StepContext&) {
  accesses_ = 0;
  const u8 marks = marks_[static_cast<std::size_t>(&instruction - code_)];
  if ((marks & ~(coherent | has_no_line)) == 0) return;
  WaveClock& clock = group_of(wave.group).waves[wave.index_in_group];
  if ((marks & waits) != 0) clock.waited = true;
  if ((marks & syncs_wave) != 0) clock.barrier_clock = ++clock.clock;
  if ((marks & counts_threads) != 0) {
    // Each look at such a barrier, the last one of which finds that all have come.
    SyncPlace& place = group_of(wave.group).counted_barriers;
    clock.acquire(place);
    clock.release(place);
    clock.barrier_clock = ++clock.clock;
  }
  if ((marks & calls) != 0 && clock.calls.size() < check::most_calls)
    clock.calls.push_back(static_cast<u32>(&instruction - code_));
  if ((marks & returns) != 0 && !clock.calls.empty()) clock.calls.pop_back();
}

u32 RaceChecker::place(const WaveState& wave, u32 instruction) const {
  if ((marks_[instruction] & has_no_line) == 0) return instruction;
  const auto group = groups_.find(wave.group);
  if (group == groups_.end()) return instruction;
  const std::vector<u32>& made = group->second->waves[wave.index_in_group].calls;
  const auto shown =
      std::find_if(made.rbegin(), made.rend(), [&](u32 call) { return (marks_[call] & has_no_line) == 0; });
  return shown != made.rend() ? *shown : instruction;
}

void RaceChecker::access(WaveState& wave, const Instruction& instruction, const Access& access,
                         StepContext& context) {
  ++accesses_;
  if (context.fault.kind != FaultKind::none || access.space == Space::private_memory) return;
  const bool is_scalar = instruction.addressing == Addressing::scalar && !ptx_;
  const u64 lanes = is_scalar ? access.lanes : access.lanes & wave.valid_lanes;
  if (lanes == 0) return;
  const bool local = access.space == Space::local;
  if (!local) {
    const u64 first = access.address[std::countr_zero(lanes)];
    if (first - ignored_begin_ < ignored_end_ - ignored_begin_) return;
    for (const auto& [begin, bytes] : loaded_) {
      if (first - begin < bytes && access.kind == AccessKind::load) return;
    }
  }
  u32 index = static_cast<u32>(&instruction - code_);
  const bool is_coherent = (marks_[index] & coherent) != 0;
  if ((marks_[index] & has_no_line) != 0) index = place(wave, index);
  Group& group = group_of(wave.group);
  WaveClock& clock = group.waves[wave.index_in_group];
  const bool read_modify_write =
      access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
  const bool atomic = read_modify_write || is_coherent, writes = access.kind != AccessKind::load;
  const bool unsure = writes && !atomic && !local && !ptx_ && clock.waited;
  const u64 failing =
      read_modify_write ? check::failing_exchanges(wave, instruction, access, lanes, context) : 0;
  const auto touch = [&](Sort sort, u64 which) {
    if (which == 0) return;
    Step step{wave,
              instruction,
              access,
              context,
              group,
              clock,
              local ? group.local : global_,
              local ? group.local_places : places_,
              local ? 0 : base_,
              index,
              sort,
              local,
              which,
              check::in_a_row(access, which),
              Touch::make(clock, index, 0, sort)};
    touch_sort(step);
  };
  touch(Sort::atomic_load, failing);
  touch(unsure   ? Sort::unsure
        : writes ? (atomic ? Sort::atomic : Sort::write)
                 : (atomic ? Sort::atomic_load : Sort::read),
        lanes & ~failing);
  if (!local && writes) clock.waited = false;
}

// An access of one sort. What an atomic reads from another orders what those did elsewhere; a plain access to
// the place itself, the counter's initial value say, it must come behind by other means: it might have come
// first.
void RaceChecker::touch_sort(Step& step) {
  const AccessKind kind = step.access.kind;
  if (kind == AccessKind::store && !step.in_row) find_double_stores(step);
  touch_lanes(step);
  if (step.atomic() && (kind == AccessKind::atomic_return || kind == AccessKind::load)) {
    LOCKSTEP_ASSERT(acquires_, "an instruction that acquires was seen when the checker was made");
    synchronise(step, true);
  }
  if (step.sort == Sort::atomic) {
    if (acquires_) synchronise(step, false);
    ++step.clock.clock;
  }
}

// Through each place that the lanes reach.
void RaceChecker::synchronise(Step& step, bool acquires) {
  u64 last = ~u64{0};
  std::size_t read = 0;
  check::for_lanes(step.lanes, [&](u32 lane) {
    const u64 address = step.access.address[lane];
    if (address == last) return;
    last = address;
    if (!acquires) {
      step.clock.release(step.places.at(address));
      return;
    }
    if (const SyncPlace* place = step.places.find(address); place != nullptr) {
      read += place->released.size();
      if (read > most_stamps_read) step.clock.everything = true;
      step.clock.acquire(*place);
    }
  });
  if (acquires) acquire_unsure_stores(step);
}

// Stores that may have been atomic release what their wave knew. It is gone on since, which counts as known
// too; of a group that has ended everything counts as known.
void RaceChecker::acquire_unsure_stores(Step& step) {
  u64 last = ~u64{0};
  check::for_lanes(step.lanes, [&](u32 lane) {
    const u64 address = step.access.address[lane];
    const u64 size = step.local ? step.wave.local.size() : step.context.global.size;
    const u64 offset = (address - step.base) & ~u64{3};
    if (address == last || offset >= size) return;
    last = address;
    const Touch write = step.shadow.unsure_at(offset);
    if (!write.exists() || step.clock.behind(write.stamp())) return;
    const u32 count = static_cast<u32>(step.clock.known.size());
    const u32 group = write.wave_number() / count;
    SyncPlace place;
    const auto found = groups_.find(group);
    if (found == groups_.end()) {
      for (u32 i = 0; i < count; ++i) place.released.push_back({group * count + i, ~u32{0}});
    } else {
      found->second->waves[write.wave_number() % count].release(place);
    }
    step.clock.acquire(place);
  });
}

// Lanes that store to one address: a race where the values differ.
void RaceChecker::find_double_stores(Step& step) {
  const Access& access = step.access;
  const u64* address = access.address.data();
  u64 highest = 0;
  bool ascending = true;
  check::for_lanes(step.lanes, [&](u32 lane) {
    ascending = ascending && address[lane] >= highest;
    highest = address[lane] + access.bytes;
  });
  if (ascending) return;
  std::array<u8, 128> slots{};  // lane and 1
  u64 same = 0;
  check::for_lanes(step.lanes, [&](u32 lane) {
    u32 at = static_cast<u32>((address[lane] >> 2) * 0x9E3779B1u >> 8) & 127;
    while (slots[at] != 0 && address[slots[at] - 1u] != address[lane]) at = (at + 1) & 127;
    if (slots[at] == 0) {
      slots[at] = static_cast<u8>(lane + 1);
      return;
    }
    const u32 other = slots[at] - 1u;
    std::array<u8, 64> mine{}, its{};
    const bool known = check::stored_value(step.wave, step.in, access, accesses_ - 1, lane, ptx_, mine) &&
                       check::stored_value(step.wave, step.in, access, accesses_ - 1, other, ptx_, its);
    if (!selection_.same_value_races && (!known || mine == its)) {
      same |= u64{1} << lane;
    } else if (!step.reported) {
      report(step, lane, Touch::make(step.clock, step.index, other, step.sort), step.sort);
    }
  });
  step.lanes &= ~same;
}

// Whether a store writes what is there already.
bool RaceChecker::stores_same(const Step& step, u32 lane) const {
  if (step.access.kind != AccessKind::store || selection_.same_value_races) return false;
  std::array<u8, 64> value{};
  if (!check::stored_value(step.wave, step.in, step.access, accesses_ - 1, lane, ptx_, value)) return true;
  const u64 address = step.access.address[lane];
  const u8* memory = step.local ? step.wave.local.data() + address : step.context.global.at(address);
  return std::memcmp(memory, value.data(), step.access.bytes) == 0;
}

std::string RaceChecker::describe(const Touch& touch, Sort sort) const {
  const Code& code = launch_.module().code;
  const u32 count = launch_.state().waves_per_group;
  const u32 group = touch.wave_number() / count;
  const SourcePosition position = code.position(touch.instruction());
  std::string where = "in code without source lines";
  if (position.line != 0) where = fmt::format("at {}:{}", code.files[position.file], position.line);
  const char* what = sort == Sort::atomic        ? "an atomic"
                     : sort == Sort::atomic_load ? "an atomic load"
                     : sort == Sort::read        ? "a load"
                                                 : "a store";
  return fmt::format("{} by {} {}", what,
                     work_item_text(launch_, group, touch.wave_number() % count, touch.lane()), where);
}

void RaceChecker::report(Step& step, u32 lane, const Touch& before, Sort before_sort) {
  if (step.reported) return;
  step.reported = true;
  const bool one_instruction = before.wave_number() == step.clock.wave &&
                               before.instruction() == step.index && before.clock == step.clock.clock;
  const bool before_atomic = before_sort == Sort::atomic || before_sort == Sort::atomic_load;
  const bool before_wrote = before_sort != Sort::read && before_sort != Sort::atomic_load;
  const char* kind = before_atomic != step.atomic()  ? "an atomic beside a plain access"
                     : before_wrote && step.writes() ? "write/write"
                                                     : "read/write";
  std::string note = fmt::format("conflicts with {}", describe(before, before_sort));
  if (one_instruction && before_wrote) {
    note += "\n  two work-items of a wave store different values to one place at the same time";
  } else if (before.wave_number() == step.clock.wave) {
    note += "\n  both are of one wave, and no barrier is between";
  } else if (before.wave_number() / step.clock.known.size() == step.clock.wave / step.clock.known.size()) {
    note += "\n  both are of one work-group, and no barrier or atomic orders them";
  } else {
    note += "\n  no atomics order the two work-groups there";
  }
  Fault fault;
  fault.kind = FaultKind::data_race;
  fault.access = step.access.kind;
  fault.space = step.access.space;
  fault.bytes = step.access.bytes;
  fault.lane = lane;
  fault.address = step.access.address[lane];
  fault.text = kind;
  if (log_ == nullptr) {
    step.context.raise(fault);
    note_ = std::move(note);
    return;
  }
  if (!log_->wanted("data-race", std::min(step.index, before.instruction()),
                    std::max(step.index, before.instruction())))
    return;
  note_ = std::move(note);
  log_->keep(describe_fault(launch_, step.wave, static_cast<u32>(&step.in - code_), fault, this));
}

}  // namespace lockstep
