#include "time/source/recorded.h"

#include <bit>

#include "base/assert.h"
#include "time/engine/shard.h"

namespace lockstep {

RecordedFactory::RecordedFactory(const Recording& recording, const Module& module, const Program& program)
    : recording_(recording), module_(module), program_(program), rules_(advance_rules(module)) {}

Expected<std::unique_ptr<RecordedFactory>> RecordedFactory::make(const Recording& recording,
                                                                 const Module& module,
                                                                 const Program& program) {
  const auto wrong = [](const std::string& what) {
    return Diagnostic{"wrong-recording", {}, what, "record the launch again"};
  };
  if (recording.version != Recording::current_version)
    return wrong("the recording is of version " + std::to_string(recording.version) + ", not " +
                 std::to_string(Recording::current_version));
  if (recording.program_hash != module.hash) return wrong("the recording is of another program");
  if (recording.kernel != program.name)
    return wrong("the recording is of kernel '" + recording.kernel + "', not '" + program.name + "'");
  return std::unique_ptr<RecordedFactory>(new RecordedFactory(recording, module, program));
}

std::unique_ptr<WaveSource> RecordedFactory::open(u32, u32) {
  return std::make_unique<RecordedSource>(*this);
}

RecordedSource::RecordedSource(const RecordedFactory& factory)
    : factory_(factory),
      code_(factory.module_.code.instructions.data()),
      results_(factory.module_, factory.program_) {}

void RecordedSource::begin_group(u64 group, std::span<const WaveHandle> waves) {
  const Recording& recording = factory_.recording_;
  LOCKSTEP_ASSERT(waves.size() == recording.waves_per_group && group < recording.groups,
                  "groups are the recorded launch's");
  const auto shared = std::make_shared<PendingResults::Group>();
  for (u32 i = 0; i < waves.size(); ++i) {
    while (waves[i] >= waves_.size()) waves_.push_back(std::make_unique<Wave>());
    Wave& wave = *waves_[waves[i]];
    wave.reader = PieceReader(recording.waves[group * recording.waves_per_group + i]);
    wave.reader.read(wave.piece);
    wave.at = wave.access = 0;
    ++wave.generation;
    wave.pending.clear();
    wave.group = shared;
  }
}

// Moves the wave's next instruction into its segment.
bool RecordedSource::step(Wave& wave) {
  Segment& piece = wave.piece;
  Segment& segment = wave.segment;
  const u32 slots = code_[piece.first + wave.at].slots;
  for (u32 i = 0; i < slots; ++i) {
    for (; wave.access < piece.accesses.size() && piece.accesses[wave.access].instruction == wave.at;
         ++wave.access) {
      SegmentAccess& access = segment.accesses.emplace_back(piece.accesses[wave.access]);
      access.instruction = segment.count;
      if (access.pattern != Pattern::list) continue;
      const u32 from = access.list;
      access.list = static_cast<u32>(segment.addresses.size());
      const auto first = piece.addresses.begin() + from;
      segment.addresses.insert(segment.addresses.end(), first, first + std::popcount(access.lanes));
    }
    for (const SegmentSlowWay& slow : piece.slow_ways) {
      if (slow.instruction == wave.at) segment.slow_ways.push_back({segment.count, slow.lanes});
    }
    segment.active.push_back(piece.active[wave.at++]);
    ++segment.count;
  }
  ++instructions_;
  segment.next_pc = piece.first + wave.at;
  if (wave.at < piece.count) return true;
  segment.next_pc = piece.next_pc;
  segment.end = piece.end;
  if (segment.end == Event::barrier && factory_.rules_.orders_behind_barriers) wave.group->come_to_barrier();
  const u32 behind = segment.first + segment.count;
  wave.at = wave.access = 0;
  const bool more = wave.reader.read(wave.piece);
  if (segment.end == Event::end) {
    LOCKSTEP_ASSERT(!more, "a recorded wave ends once");
    ++wave.generation;
    wave.pending.clear();
  }
  return segment.end == Event::none && segment.next_pc == behind;
}

const Segment& RecordedSource::next(WaveHandle handle) {
  Wave& wave = *waves_[handle];
  wave.segment.clear();
  struct Stepper {
    RecordedSource& source;
    Wave& wave;
    WaveHandle handle;
    u32 pc() const { return wave.piece.first + wave.at; }
    u64 active() const { return wave.piece.active[wave.at]; }
    Behind behind() const {
      if (!source.factory_.rules_.orders_behind_barriers) return Behind::captured_ones;
      return wave.group->orders(handle, reach_of(wave.piece, wave.at)) ? Behind::committed_ones
                                                                       : Behind::nothing;
    }
    bool step() { return source.step(wave); }
  };
  run_ahead(wave.segment, results_, wave.pending, wave.group->orders(handle), factory_.rules_.bits.data(),
            Stepper{*this, wave, handle});
  return wave.segment;
}

const Segment& RecordedSource::at_issue(WaveHandle handle) {
  Wave& wave = *waves_[handle];
  wave.segment.active.clear();
  wave.segment.count = 0;
  step(wave);
  return wave.segment;
}

const Segment& RecordedSource::execute(WaveHandle wave, const IssuePlace&) {
  return at_issue(wave);
}

u32 RecordedSource::capture(WaveHandle handle, const IssuePlace&, const Segment*& segment) {
  segment = &at_issue(handle);
  const u32 instruction = segment->first;
  const OrderedReach reach = ordered_reach(*segment, factory_.rules_.bits[instruction]);
  if (!reach.others) return no_index;
  if (free_tokens_.empty()) {
    free_tokens_.push_back(static_cast<u32>(tokens_.size()));
    tokens_.emplace_back();
  }
  const u32 token = free_tokens_.back();
  free_tokens_.pop_back();
  Wave& wave = *waves_[handle];
  tokens_[token] = {handle, wave.generation, reach.exclusive, wave.group};
  wave.group->add(token, handle, reach_of(*segment, 0));
  results_.add(wave.pending, token, instruction, reach.exclusive);
  return token;
}

void RecordedSource::commit(u32 token) {
  Token& done = tokens_[token];
  Wave& wave = *waves_[done.wave];
  if (wave.generation == done.generation) PendingResults::remove(wave.pending, token, done.exclusive);
  done.group->remove(token);
  done.group = nullptr;
  free_tokens_.push_back(token);
}

Diagnostic RecordedSource::fault(WaveHandle) {
  return {"fault", {}, "the program did something that its machine does not allow", ""};
}

}  // namespace lockstep
