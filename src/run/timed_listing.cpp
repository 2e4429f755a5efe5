#include "run/timed_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <fstream>
#include <sstream>

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
      SegmentAccess made{i,
                         access->space,
                         access->kind,
                         static_cast<u8>(access->bytes),
                         Pattern::strided,
                         lanes,
                         base,
                         access->stride,
                         0};
      if (access->together > 1) {
        made.pattern = Pattern::list;
        made.list = static_cast<u32>(segment.addresses.size());
        for (u32 lane = 0; lane < 32; ++lane) {
          if ((lanes >> lane & 1) != 0)
            segment.addresses.push_back(
                base + static_cast<u64>(access->stride * static_cast<i64>(lane / access->together)));
        }
      }
      segment.accesses.push_back(made);
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
  std::deque<State> waves_;  // clusters hold segments while others begin
  u64 instructions_ = 0;
};

struct ListingFactory final : SourceFactory {
  explicit ListingFactory(const TimingListing& l) : listing(l) {}
  std::unique_ptr<WaveSource> open(u32, u32) override { return std::make_unique<ListingSource>(listing); }
  const TimingListing& listing;
};

// The line with the names of values replaced.
std::string with_values(std::string_view line, const std::map<std::string, i64>& values) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    if (!letter(line[at])) {
      out += line[at++];
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && letter(line[end])) ++end;
    const std::string word(line.substr(at, end - at));
    const auto found = values.find(word);
    out += found == values.end() ? word : std::to_string(found->second);
    at = end;
  }
  return out;
}

}  // namespace

Expected<TimingListing> load_listing(const std::string& path, const std::string& named,
                                     const std::map<std::string, i64>& values) {
  std::ifstream in(path);
  if (!in) return Diagnostic{"unreadable-file", {path, 0, 0}, "the file cannot be read", ""};
  // Lines of other listings stay as empty ones, so that errors name the file's.
  std::string text, names;
  bool own = false, any = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, name;
    words >> first >> name;
    if (first == ".timing") {
      own = name == named;
      any |= own;
      names += (names.empty() ? "" : ", ") + name;
    }
    if (own) text += with_values(line, values);
    text += '\n';
  }
  if (!any) {
    return Diagnostic{"bad-listing",
                      {path, 0, 0},
                      fmt::format("there is no listing '{}'", named),
                      names.empty() ? ".timing NAME sm_70 begins one" : fmt::format("one of {}", names)};
  }
  return read_listing(text, path);
}

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
