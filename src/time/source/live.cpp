#include "time/source/live.h"

#include <algorithm>

#include "base/assert.h"
#include "isa/program.h"
#include "time/engine/shard.h"

namespace lockstep {
namespace {

// Where the range's registers lie in the rows; null where they are the wave's scalars.
u32* words_in_rows(WaveState& wave, const RegisterRange& range, const PendingResults::Use& use) {
  if (range.file == RegisterFile::vector)
    return use.vector_words != 0 ? wave.row(0) + std::size_t{range.first} * use.vector_words
                                 : wave.row(range.first);
  if (use.first_scalar_word == 0) return nullptr;
  return wave.row(0) + use.first_scalar_word + (range.first - scalar_register::first_free);
}

// Exchanges the registers of a wave with copies that lie one after the other.
void exchange_range(WaveState& wave, const RegisterRange& range, const PendingResults::Use& use,
                    u32* copies) {
  switch (range.file) {
    case RegisterFile::vector:
      std::swap_ranges(copies, copies + words_of(range, use, wave.lanes), words_in_rows(wave, range, use));
      break;
    case RegisterFile::scalar:
      if (u32* const words = words_in_rows(wave, range, use); words != nullptr) {
        std::swap_ranges(copies, copies + range.count, words);
        break;
      }
      for (u32 i = 0; i < range.count; ++i) {
        const u32 value = wave.read_scalar(range.first + i);
        wave.write_scalar(range.first + i, copies[i]);
        copies[i] = value;
      }
      break;
    case RegisterFile::condition: {
      const bool value = wave.scc;
      wave.scc = copies[0] != 0;
      copies[0] = value ? 1 : 0;
      break;
    }
    case RegisterFile::exec:
      break;  // Token::exec
  }
}

}  // namespace

LiveSource::LiveSource(LiveFactory& factory, u32 first_slot)
    : factory_(factory),
      launch_(factory.launch_),
      code_(factory.launch_.module().code.instructions.data()),
      bits_(factory.rules_.bits.data()),
      slow_ways_(factory.rules_.slow_ways.empty() ? nullptr : factory.rules_.slow_ways.data()),
      first_slot_(first_slot),
      context_(make_context(factory.launch_)),
      perform_context_(make_context(factory.launch_)),
      results_(factory.launch_.module(), factory.launch_.program()) {
  context_.checker = factory.checker_;
  context_.outcome = &outcome_;
  factory.sources_.push_back(this);
}

LiveSource::~LiveSource() {
  std::erase(factory_.sources_, this);
}

void LiveSource::begin_group(u64 linear, std::span<const WaveHandle> waves) {
  if (idle_.empty()) idle_.push_back(std::make_unique<ActiveGroup>());
  ActiveGroup& active = *idle_.back();
  groups_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  active.ended = false;
  active.pending = {};
  slots_.clear();
  for (const WaveHandle handle : waves) slots_.push_back(first_slot_ + handle);
  active.group.begin(launch_, linear, slots_);
  if (context_.checker != nullptr) context_.checker->begin(active.group.waves);
  for (u32 i = 0; i < waves.size(); ++i) {
    while (waves[i] >= waves_.size()) {
      waves_.push_back(std::make_unique<Wave>());
      // What most segments need, at once instead of by doubling.
      waves_.back()->segment.active.reserve(32);
      waves_.back()->segment.accesses.reserve(4);
    }
    Wave& wave = *waves_[waves[i]];
    wave.state = &active.group.waves[i];
    wave.group = &active;
    wave.number = i;
    ++wave.generation;
    wave.stopped.reset();
  }
  ++begun_;
  ++progress_;
}

// The program counter is behind the instruction from now on.
inline const Instruction& LiveSource::begin_step(Wave& wave) {
  WaveState& state = *wave.state;
  const u32 at = state.pc;
  const Instruction& instruction = code_[at];
  context_.event = Event::none;
  outcome_.access_count = 0;
  wave.faulted_at = at;
  state.pc = at + 1;
  if (context_.checker != nullptr) [[unlikely]]
    context_.checker->before(state, instruction, context_);
  return instruction;
}

inline void LiveSource::record(Segment& segment, const Instruction& instruction, u64 active) {
  const u32 number = segment.count, slots = instruction.slots;
  segment.count = number + slots;
  for (u32 i = 0; i < slots; ++i) segment.active.push_back(active);
  for (u32 i = 0; i < outcome_.access_count; ++i) add_access(segment, number, outcome_.access[i]);
}

inline void LiveSource::step_ahead(Wave& wave) {
  WaveState& state = *wave.state;
  const u64 active = state.exec();
  u64 slow = 0;  // by what its operands are before it writes its result
  if (slow_ways_ != nullptr && slow_ways_[state.pc] != SlowWay::none)
    slow = slow_lanes(state, code_[state.pc], slow_ways_[state.pc]);
  const Instruction& instruction = begin_step(wave);
  if (context_.event == Event::none) [[likely]] {
    instruction.run(state, instruction, context_);
    ++state.instructions;
    ++instructions_;
  }
  record(wave.segment, instruction, active);
  if (slow != 0) wave.segment.slow_ways.push_back({wave.segment.count - 1, slow});
}

Behind LiveSource::behind(Wave& wave, WaveHandle handle) {
  if (!factory_.rules_.orders_behind_barriers) return Behind::captured_ones;
  // What it would reach is looked at.
  WaveState& state = *wave.state;
  const u32 at = state.pc;
  outcome_.access_count = 0;
  context_.event = Event::none;
  context_.look_only = true;
  state.pc = at + 1;
  code_[at].run(state, code_[at], context_);
  state.pc = at;
  context_.look_only = false;
  const bool fine = context_.event == Event::none;
  context_.event = Event::none;
  context_.fault = {};
  PendingResults::Reach reach;
  for (u32 i = 0; i < outcome_.access_count; ++i) reach.add(outcome_.access[i]);
  return fine && !wave.group->pending.orders(handle, reach) ? Behind::nothing : Behind::committed_ones;
}

const Segment& LiveSource::next(WaveHandle handle) {
  Wave& wave = *waves_[handle];
  WaveState& state = *wave.state;
  Segment& segment = wave.segment;
  segment.clear();
  if (wave.stopped) {
    segment.first = segment.next_pc = state.pc;
    segment.count = 1;
    segment.active.push_back(0);
    segment.end = Event::fault;
    return segment;
  }
  struct Stepper {
    LiveSource& source;
    Wave& wave;
    WaveHandle handle;
    u32 pc() const { return wave.state->pc; }
    u64 active() const { return wave.state->exec(); }
    Behind behind() { return source.behind(wave, handle); }
    bool step() {
      source.step_ahead(wave);
      const Segment& segment = wave.segment;
      return source.context_.event == Event::none && pc() == segment.first + segment.count;
    }
  };
  const bool in_order = wave.group->pending.orders(handle);
  if (run_ahead(segment, results_, wave.pending, in_order, bits_, Stepper{*this, wave, handle})) finish(wave);
  return segment;
}

void LiveSource::prefetch(std::span<const WaveHandle> waves) const {
  const auto near = [](const void* object, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const u8*>(object) + at, 1);
  };
  for (const WaveHandle handle : waves) near(waves_[handle].get(), sizeof(Wave));
  for (const WaveHandle handle : waves) near(waves_[handle]->state, 128);
  for (const WaveHandle handle : waves) near(waves_[handle]->state->isa.get(), 128);
}

void LiveSource::set_place(const IssuePlace& place) {
  context_.now_cycles = place.now_cycles;
  context_.compute_unit = place.compute_unit;
  context_.simd = place.simd;
}

const Segment& LiveSource::execute(WaveHandle handle, const IssuePlace& place) {
  Wave& wave = *waves_[handle];
  Segment& segment = wave.segment;
  LOCKSTEP_ASSERT(segment.at_issue && !segment.ordered, "what is executed at issue waits for that");
  segment.active.clear();
  segment.count = 0;
  set_place(place);
  step_ahead(wave);
  finish(wave);
  return segment;
}

u32 LiveSource::capture(WaveHandle handle, const IssuePlace& place, const Segment*& out) {
  Wave& wave = *waves_[handle];
  WaveState& state = *wave.state;
  Segment& segment = wave.segment;
  LOCKSTEP_ASSERT(segment.at_issue && segment.ordered, "what is captured is an ordered access");
  out = &segment;
  segment.active.clear();
  segment.count = 0;
  set_place(place);
  const u64 active = state.exec();
  const u32 at = state.pc;
  const Instruction& instruction = begin_step(wave);
  // A checker must see accesses in the order in which memory does: in checked runs they are made at once.
  const bool at_once = context_.checker != nullptr;
  if (context_.event == Event::none) {
    context_.look_only = !at_once;
    instruction.run(state, instruction, context_);
    context_.look_only = false;
    ++state.instructions;
    ++instructions_;
  }
  record(segment, instruction, active);
  u32 token = no_index;
  if (context_.event == Event::none && !at_once) {
    const OrderedReach reach = ordered_reach(segment, bits_[at]);
    if (reach.others) {
      token = make_token(handle, at, reach.exclusive);
    } else {
      context_.outcome = nullptr;
      instruction.run(state, instruction, context_);
      context_.outcome = &outcome_;
    }
  }
  finish(wave);
  return token;
}

u32 LiveSource::make_token(WaveHandle handle, u32 instruction, bool exclusive) {
  if (free_tokens_.empty()) {
    free_tokens_.push_back(static_cast<u32>(tokens_.size()));
    tokens_.emplace_back();
  }
  const u32 number = free_tokens_.back();
  free_tokens_.pop_back();
  Token& token = tokens_[number];
  Wave& wave = *waves_[handle];
  const WaveState& state = *wave.state;
  token.group = wave.group;
  token.wave = handle;
  token.number = wave.number;
  token.generation = wave.generation;
  token.instruction = instruction;
  token.mode = state.mode;
  token.exec = state.exec();
  token.exclusive = exclusive;
  token.used = true;
  token.performed = false;
  const PendingResults::Use& use = results_.use_of(instruction);
  LOCKSTEP_ASSERT(!use.indexed, "memory instructions name their registers");
  token.registers.resize(use.words);
  u32* to = token.registers.data();
  for (const RegisterRange& range : use.ranges) {
    switch (range.file) {
      case RegisterFile::vector:
        std::copy_n(words_in_rows(*wave.state, range, use), words_of(range, use, state.lanes), to);
        break;
      case RegisterFile::scalar:
        if (const u32* const words = words_in_rows(*wave.state, range, use); words != nullptr) {
          std::copy_n(words, range.count, to);
          break;
        }
        for (u32 i = 0; i < range.count; ++i) to[i] = state.read_scalar(range.first + i);
        break;
      case RegisterFile::condition:
        to[0] = state.scc ? 1 : 0;
        break;
      case RegisterFile::exec:
        break;  // Token::exec
    }
    to += words_of(range, use, state.lanes);
  }
  results_.add(wave.pending, number, instruction, exclusive);
  wave.group->pending.add(number, handle, reach_of(wave.segment, 0));
  return number;
}

void LiveSource::run_captured(Token& token, StepContext& context) {
  WaveState& state = token.group->group.waves[token.number];
  const PendingResults::Use& use = results_.use_of(token.instruction);
  const u64 exec = state.exec();
  const u32 mode = state.mode, pc = state.pc;
  u32* copies = token.registers.data();
  if (exec != token.exec) state.set_exec(token.exec);
  for (const RegisterRange& range : use.ranges) {
    exchange_range(state, range, use, copies);
    copies += words_of(range, use, state.lanes);
  }
  state.mode = token.mode;
  state.pc = token.instruction + 1;
  context.event = Event::none;
  const Instruction& instruction = code_[token.instruction];
  instruction.run(state, instruction, context);
  state.mode = mode;
  state.pc = pc;
  for (auto range = use.ranges.rbegin(); range != use.ranges.rend(); ++range) {
    copies -= words_of(*range, use, state.lanes);
    exchange_range(state, *range, use, copies);
  }
  if (exec != state.exec()) state.set_exec(exec);
}

void LiveSource::perform(u32 number) {
  Token& token = tokens_[number];
  LOCKSTEP_ASSERT(token.used && !token.performed, "an ordered access is performed once");
  token.performed = true;
  run_captured(token, perform_context_);
  if (perform_context_.event != Event::fault) return;
  // Descriptors in memory that changed between capture and now, say.
  Diagnostic fault = describe_fault(launch_, token.group->group.waves[token.number], token.instruction,
                                    perform_context_.fault);
  perform_context_.fault = {};
  Wave& wave = *waves_[token.wave];
  if (wave.generation == token.generation) {
    wave.stopped = std::make_unique<Diagnostic>(std::move(fault));
  } else if (!late_fault_) {
    late_fault_ = std::move(fault);
  }
}

void LiveSource::exchange_results(Token& token) {
  WaveState& state = *waves_[token.wave]->state;
  u32* copies = token.registers.data();
  const PendingResults::Use& use = results_.use_of(token.instruction);
  for (const RegisterRange& range : use.ranges) {
    if (range.written) exchange_range(state, range, use, copies);
    copies += words_of(range, use, state.lanes);
  }
}

void LiveSource::commit(u32 number) {
  Token& token = tokens_[number];
  LOCKSTEP_ASSERT(token.used && token.performed,
                  "an ordered access is performed before its result is written");
  Wave& wave = *waves_[token.wave];
  if (wave.generation == token.generation) {
    exchange_results(token);
    PendingResults::remove(wave.pending, number, token.exclusive);
  }
  token.used = false;
  free_tokens_.push_back(number);
  ActiveGroup& group = *token.group;
  group.pending.remove(number);
  if (group.pending.empty() && group.ended) recycle(group);
}

void LiveSource::stop(Wave& wave, Diagnostic diagnostic) {
  wave.stopped = std::make_unique<Diagnostic>(std::move(diagnostic));
  wave.segment.end = Event::fault;
}

std::vector<Group*> LiveSource::active_groups() {
  std::vector<Group*> groups;
  for (const auto& active : groups_) {
    if (!active->ended) groups.push_back(&active->group);
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group* a, const Group* b) { return a->id.linear < b->id.linear; });
  return groups;
}

void LiveSource::finish(Wave& wave) {
  WaveState& state = *wave.state;
  wave.segment.next_pc = state.pc;
  wave.segment.end = context_.event;
  if (context_.event == Event::fault) {
    stop(wave, describe_fault(launch_, state, wave.faulted_at, context_.fault, context_.checker));
    context_.fault = {};
    return;
  }
  if (state.instructions > factory_.most_instructions_) {
    // Of this cluster alone: the others are at work.
    const std::vector<Group*> groups = active_groups();
    return stop(wave,
                endless_loop(launch_, state, factory_.most_instructions_,
                             std::vector<const Group*>(groups.begin(), groups.end()), context_.checker));
  }
  if (context_.event == Event::end) return end_wave(wave);
  if (context_.event != Event::barrier) return;
  wave.group->group.arrive(wave.number);
  if (factory_.rules_.orders_behind_barriers) wave.group->pending.come_to_barrier();
  come_to_barrier(wave);
}

void LiveSource::end_wave(Wave& wave) {
  wave.group->group.end(wave.number);
  ++progress_;
  ++wave.generation;
  wave.pending.clear();
  come_to_barrier(wave);
}

// A wave has come to its group's barrier or ended: whether the others may go on.
void LiveSource::come_to_barrier(Wave& wave) {
  Group& group = wave.group->group;
  if (!group.barrier_complete()) return;
  StepChecker* checker = context_.checker;
  if (checker != nullptr && group.at_barrier < group.waves.size()) {
    Diagnostic uneven = uneven_barrier(launch_, group, checker);
    if (!checker->uneven_barrier(group.waves, uneven)) return stop(wave, std::move(uneven));
  }
  if (checker != nullptr) {
    std::optional<Diagnostic> different = different_barriers(launch_, group, checker);
    if (different && !checker->uneven_barrier(group.waves, *different))
      return stop(wave, std::move(*different));
  }
  group.release_barrier();
  if (checker != nullptr) checker->barrier(group.waves);
  ++progress_;
}

void LiveSource::end_group(u64 linear) {
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& active) {
    return !active->ended && active->group.id.linear == linear;
  });
  LOCKSTEP_ASSERT(found != groups_.end(), "a group that ends has begun");
  ActiveGroup& active = **found;
  if (context_.checker != nullptr) context_.checker->end(active.group.waves);
  active.ended = true;
  if (active.pending.empty()) recycle(active);
}

void LiveSource::recycle(ActiveGroup& group) {
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const auto& active) { return active.get() == &group; });
  idle_.push_back(std::move(*found));
  *found = std::move(groups_.back());
  groups_.pop_back();
}

Diagnostic LiveSource::fault(WaveHandle handle) {
  const Wave& wave = *waves_[handle];
  LOCKSTEP_ASSERT(wave.stopped != nullptr, "a wave that is asked for its fault has one");
  return *wave.stopped;
}

LiveFactory::LiveFactory(const PreparedLaunch& launch, StepChecker* checker, u64 most_instructions)
    : launch_(launch),
      checker_(checker),
      most_instructions_(most_instructions),
      rules_(advance_rules(launch.module())) {}

std::unique_ptr<WaveSource> LiveFactory::open(u32, u32 first_slot) {
  return std::make_unique<LiveSource>(*this, first_slot);
}

}  // namespace lockstep
