#include "report/counted_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

// Below this part of a wave's lanes the idle ones are worth a word.
constexpr f64 busy_lanes = 0.75;
// Atomics of a launch on one address from which on they are worth a word: a wave's worth of turns.
constexpr u64 many_atomics = 256;

f64 ratio(u64 part, u64 whole) {
  return whole == 0 ? 0 : static_cast<f64>(part) / static_cast<f64>(whole);
}

// "4", "4.5"
std::string mean(u64 sum, u64 count) {
  return fmt::format("{:.3g}", ratio(sum, count));
}

constexpr std::array<std::string_view, 3> statement_kinds = {"a load", "a store", "an atomic"};

std::size_t kind_of(const Instruction& in, const SpaceCounts& counts) {
  if (in.cost == Cost::vmem_atomic || in.cost == Cost::lds_atomic) return 2;
  return counts.store_bytes == 0 ? 0 : 1;
}

class Remarks {
 public:
  Remarks(const RunData& run, u64 work) : run_(run), work_(work) {}

  void line(const CountedLine& line) {
    const std::string place = line.at.line == 0
                                  ? "instructions without a line"
                                  : fmt::format("line {}", line.at.line) + in_other_file(line.at);
    const InstructionCounts& counts = line.counts;
    for (std::size_t kind = 0; kind < statement_kinds.size(); ++kind) {
      waste("coalescing", line, line.global[kind], place, "transactions", statement_kinds[kind]);
      waste("coalescing", line, line.image[kind], place, "transactions",
            fmt::format("{} of an image", statement_kinds[kind]));
      waste("bank_conflicts", line, line.local[kind], place, "passes of local memory", statement_kinds[kind]);
    }
    const SpaceCounts& own = counts.of(Space::private_memory);
    if (own.accesses != 0)
      add("private_memory", line, own.transactions + own.accesses,
          fmt::format("{}: {} accesses to private memory ({} bytes): variables that are spilled, or indexed "
                      "at run time",
                      place, own.accesses, own.bytes()));
    const u32 width = run_.program->needs.wave_lanes;
    const f64 busy = ratio(line.lanes, line.lane_instructions * width);
    if (line.lane_instructions != 0 && busy < busy_lanes)
      add("idle_lanes", line, static_cast<u64>((1 - busy) * static_cast<f64>(line.lane_instructions)),
          fmt::format("{}: {:.0f} % of the lanes idle ({} of {} active in {} instructions)", place,
                      100 * (1 - busy), mean(line.lanes, line.lane_instructions), width,
                      line.lane_instructions));
    if (counts.most_same >= many_atomics)
      add("hot_atomic", line, counts.most_same,
          fmt::format("{}: {} of {} atomics go to one address ({} of one wave), one after the other", place,
                      counts.most_same, counts.atomic_lanes, counts.most_same_in_wave));
  }

  std::vector<Remark> take() {
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Remark& a, const Remark& b) { return a.excess > b.excess; });
    return std::move(all_);
  }

 private:
  std::string in_other_file(const SourceLine& at) const {
    const std::string file = file_of(run_.module->code, at);
    return run_.source_file.empty() || same_file(file, run_.source_file) ? "" : fmt::format(" of {}", file);
  }

  // More transactions or passes than the bytes need.
  void waste(std::string kind, const CountedLine& line, const SpaceCounts& counts, const std::string& place,
             std::string_view what, std::string_view access) {
    if (counts.transactions <= counts.ideal_transactions) return;
    add(std::move(kind), line, counts.transactions - counts.ideal_transactions,
        fmt::format("{}: {} {} for {} where {} would do", place, mean(counts.transactions, counts.accesses),
                    what, access, mean(counts.ideal_transactions, counts.accesses)));
  }

  void add(std::string kind, const CountedLine& line, u64 excess, std::string text) {
    const f64 share = ratio(excess, work_);
    if (share < remark_share) return;
    all_.push_back({std::move(kind), std::move(text), line.at, excess, share});
  }

  const RunData& run_;
  u64 work_;
  std::vector<Remark> all_;
};

}  // namespace

u64 work(const InstructionCounts& counts) {
  u64 sum = counts.issued;
  for (const SpaceCounts& space : counts.spaces) sum += space.transactions;
  return sum;
}

u64 CountedLine::work() const {
  return lockstep::work(counts);
}

SpaceCounts CountedLine::vector_memory() const {
  SpaceCounts sum = counts.of(Space::global);
  sum += counts.of(Space::private_memory);
  sum += counts.of(Space::image);
  return sum;
}

std::vector<CountedLine> counted_lines(const RunData& run) {
  const Code& code = run.module->code;
  std::map<SourceLine, CountedLine> lines;
  for (std::size_t i = 0; i < run.counts->per_instruction.size(); ++i) {
    const InstructionCounts& counts = run.counts->per_instruction[i];
    if (counts.issued == 0) continue;
    const SourceLine at = source_line(code, i);
    CountedLine& line = lines[at];
    line.at = at;
    line.counts += counts;
    const auto add = [&](std::array<SpaceCounts, 3>& kinds_of_space, Space space) {
      kinds_of_space[kind_of(code.instructions[i], counts.of(space))] += counts.of(space);
    };
    add(line.global, Space::global);
    add(line.image, Space::image);
    add(line.local, Space::local);
    if (!counts_lanes(code.instructions[i].cost)) continue;
    line.lane_instructions += counts.issued;
    line.lanes += counts.lanes_active;
    const auto histogram = run.counts->lanes_by_instruction.find(static_cast<u32>(i));
    if (histogram == run.counts->lanes_by_instruction.end()) continue;
    for (std::size_t lanes = 0; lanes < line.active_lanes.size(); ++lanes)
      line.active_lanes[lanes] += histogram->second[lanes];
  }
  std::vector<CountedLine> ranked;
  for (auto& [at, line] : lines) ranked.push_back(std::move(line));
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const CountedLine& a, const CountedLine& b) { return a.work() > b.work(); });
  return ranked;
}

std::vector<Remark> remarks(const RunData& run, const std::vector<CountedLine>& lines) {
  Remarks made(run, work(run.counts->total));
  for (const CountedLine& line : lines) made.line(line);
  return made.take();
}

}  // namespace lockstep
