#include "run/timed_listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/machine.h"

namespace lockstep {
namespace {

// Waves that go through a listing. They compute nothing, so that each runs by itself.
class ListingSource final : public WaveSource {
 public:
  explicit ListingSource(const TimingListing& listing) : listing_(listing) {
    access_of_.assign(listing.program.instructions.size(), nullptr);
    for (const ListingAccess& access : listing.accesses) access_of_[access.instruction] = &access;
  }

  void begin_group(u64, std::span<const WaveHandle> waves) override {
    for (u32 i = 0; i < waves.size(); ++i) {
      if (waves[i] >= waves_.size()) waves_.resize(waves[i] + 1);
      State& state = waves_[waves[i]];
      state.region = 0;
      state.turns.assign(listing_.loops.size(), 0);
      state.lanes = lanes_of(i);
    }
  }

  const Segment& next(WaveHandle wave) override {
    State& state = waves_[wave];
    const LoweredRegion& region = listing_.program.regions[state.region];
    Segment& segment = state.segment;
    segment.clear();
    segment.first = region.first;
    segment.count = region.count;
    for (u32 i = 0; i < region.count; ++i) {
      const u32 instruction = region.first + i;
      const u64 lanes = listing_.lanes[instruction] & state.lanes;
      segment.active.push_back(lanes);
      const ListingAccess* access = access_of_[instruction];
      if (access == nullptr || lanes == 0) continue;
      const u64 base = access->base + static_cast<u64>(access->each_turn) * turn_of(state, instruction);
      segment.accesses.push_back({i, access->space, access->kind, static_cast<u8>(access->bytes),
                                  Pattern::strided, lanes, base, access->stride, 0});
    }
    instructions_ += region.count;
    go_on(state, region);
    return segment;
  }

  // Nothing is executed when it issues.
  const Segment& execute(WaveHandle wave, const IssuePlace&) override { return waves_[wave].segment; }
  u32 capture(WaveHandle wave, const IssuePlace&, const Segment*& segment) override {
    segment = &waves_[wave].segment;
    return no_index;
  }
  void perform(u32) override {}
  void commit(u32) override {}
  void end_group(u64) override {}
  Diagnostic fault(WaveHandle) override { return {"fault", {}, "listings have no faults", ""}; }
  u64 instructions() const override { return instructions_; }

 private:
  static constexpr u32 no_index = ~u32{0};
  struct State {
    u32 region = 0;
    u64 lanes = 0;
    std::vector<u64> turns;  // by loop: those that are done
    Segment segment;
  };

  u64 lanes_of(u32 wave) const {
    const u32 rest = listing_.group_items - 32 * wave;
    return rest >= 32 ? 0xFFFFFFFF : (u64{1} << rest) - 1;
  }
  u64 turn_of(const State& state, u32 instruction) const {
    // The innermost loop is the shortest.
    u32 best = no_index;
    for (u32 l = 0; l < listing_.loops.size(); ++l) {
      const ListingLoop& loop = listing_.loops[l];
      if (instruction < loop.begin || instruction >= loop.end) continue;
      if (best == no_index || loop.end - loop.begin < listing_.loops[best].end - listing_.loops[best].begin)
        best = l;
    }
    return best == no_index ? 0 : state.turns[best];
  }
  void go_on(State& state, const LoweredRegion& region) {
    Segment& segment = state.segment;
    const u32 end = region.first + region.count;
    const LoweredOpcode last = listing_.program.instructions[end - 1].opcode;
    ++state.region;
    if (state.region == listing_.program.regions.size()) {
      segment.end = Event::end;
    } else if (last == LoweredOpcode::bar) {
      segment.end = Event::barrier;
    }
    // Loops stand in the order in which they end, inner ones first.
    for (u32 l = 0; l < listing_.loops.size(); ++l) {
      const ListingLoop& loop = listing_.loops[l];
      if (loop.end != end) continue;
      if (++state.turns[l] < loop.times) {
        const auto& regions = listing_.program.regions;
        state.region =
            static_cast<u32>(std::find_if(regions.begin(), regions.end(),
                                          [&](const LoweredRegion& r) { return r.first == loop.begin; }) -
                             regions.begin());
        break;
      }
      state.turns[l] = 0;
    }
    segment.next_pc =
        state.region < listing_.program.regions.size() ? listing_.program.regions[state.region].first : end;
  }

  const TimingListing& listing_;
  std::vector<const ListingAccess*> access_of_;
  std::vector<State> waves_;
  u64 instructions_ = 0;
};

struct ListingFactory final : SourceFactory {
  explicit ListingFactory(const TimingListing& l) : listing(l) {}
  std::unique_ptr<WaveSource> open(u32, u32) override { return std::make_unique<ListingSource>(listing); }
  const TimingListing& listing;
};

}  // namespace

Expected<TimingResult> time_listing(const Machine& machine, const TimingListing& listing,
                                    const TimingOptions& options) {
  if (machine.target == nullptr || machine.target->name != listing.program.target) {
    return Diagnostic{
        "bad-listing",
        {listing.program.kernel, 0, 0},
        fmt::format("the listing is of {}, {} has other instructions", listing.program.target, machine.id),
        "take a GPU of that compute capability"};
  }
  const std::vector<Instruction> code(listing.program.instructions.size());
  Program program;
  program.name = listing.program.kernel;
  program.needs.vector_registers = listing.program.registers;
  program.needs.wave_lanes = 32;
  TimedLaunch launch;
  launch.code = code;
  launch.program = &program;
  launch.lowered = &listing.program;
  launch.range.global = {u64{listing.groups} * listing.group_items, 1, 1};
  launch.range.local = {listing.group_items, 1, 1};
  launch.local_bytes = static_cast<u32>(listing.local_bytes);
  ListingFactory sources(listing);
  return time_launch(machine, launch, sources, options);
}

}  // namespace lockstep
