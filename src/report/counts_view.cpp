// A functional run's report: what stands out, the counters with their meaning, and every line.
#include <fmt/format.h>

#include "report/counted_lines.h"
#include "report/counters.h"
#include "report/view.h"

namespace lockstep {
namespace {

constexpr std::size_t most_remarks = 6, most_counted_lines = 10;

struct CountColumn {
  std::string_view key, unit, meaning;
};
constexpr CountColumn count_columns[] = {
    {"instructions", "instructions", "wave-instructions issued"},
    {"lanes_active", "lanes", "active lanes of these, summed, of scalar instructions too"},
    {"lane_instructions", "instructions", "of the instructions those in which lanes take part"},
    {"lane_instructions_active", "lanes", "active lanes of these, summed"},
    {"parted", "times", "instructions behind which some lanes of a wave went on alone"},
    {"branches_taken", "instructions", "branches that were taken"},
    {"accesses", "accesses", "accesses of waves to global, private and image memory"},
    {"transactions", "transactions", "lines, sectors or segments that these touched"},
    {"ideal_transactions", "transactions", "the fewest that could hold the same bytes"},
    {"load_bytes", "bytes", "bytes that lanes loaded from there"},
    {"store_bytes", "bytes", "bytes that lanes stored there or gave to atomics"},
    {"private_accesses", "accesses", "of these accesses, those to private memory"},
    {"private_transactions", "transactions", "of these transactions, those to private memory"},
    {"private_bytes", "bytes", "of these bytes, those of private memory"},
    {"constant_accesses", "accesses", "scalar loads, and accesses to constants"},
    {"constant_transactions", "transactions", "lines that they touched, or different addresses"},
    {"constant_bytes", "bytes", "bytes of these"},
    {"local_accesses", "accesses", "accesses of waves to local memory"},
    {"local_passes", "passes", "passes of the local-memory banks for them"},
    {"ideal_local_passes", "passes", "those without conflicts"},
    {"local_bytes", "bytes", "bytes that lanes moved from and to local memory"},
    {"atomics", "lanes", "lanes that performed an atomic"},
    {"most_same_in_wave", "lanes", "the most of one wave's atomic at one address"},
    {"most_same", "lanes", "the most of the launch, of one instruction, at one address of global memory"},
    {"work", "", "instructions, transactions and passes, each as one: by which lines are sorted"},
};

void add_counts(Json& row, const CountedLine& line) {
  const InstructionCounts& counts = line.counts;
  const SpaceCounts vector = line.vector_memory();
  const SpaceCounts &own = counts.of(Space::private_memory), &constant = counts.of(Space::constant),
                    &local = counts.of(Space::local);
  const u64 values[] = {counts.issued,
                        counts.lanes_active,
                        line.lane_instructions,
                        line.lanes,
                        counts.parted,
                        counts.branches_taken,
                        vector.accesses,
                        vector.transactions,
                        vector.ideal_transactions,
                        vector.load_bytes,
                        vector.store_bytes,
                        own.accesses,
                        own.transactions,
                        own.bytes(),
                        constant.accesses,
                        constant.transactions,
                        constant.bytes(),
                        local.accesses,
                        local.transactions,
                        local.ideal_transactions,
                        local.bytes(),
                        counts.atomic_lanes,
                        counts.most_same_in_wave,
                        counts.most_same,
                        line.work()};
  static_assert(std::size(values) == std::size(count_columns));
  for (std::size_t i = 0; i < std::size(count_columns); ++i)
    row[std::string(count_columns[i].key)] = values[i];
  // The instructions in which lanes take part, by how many did.
  row["active_lanes"] = Json::object();
  for (std::size_t lanes = 0; lanes < line.active_lanes.size(); ++lanes) {
    if (line.active_lanes[lanes] != 0) row["active_lanes"][std::to_string(lanes)] = line.active_lanes[lanes];
  }
}

Json place_of(const RunData& run, const SourceLine& at) {
  return {{"file", file_of(run.module->code, at)}, {"line", at.line}};
}

Json collect_counts(const RunData& run) {
  if (!run.counts || run.timing) return nullptr;
  const LaunchCounts& counts = *run.counts;
  Json data;
  data["transaction"] = counts.rules.transaction();
  data["stands_out"] = Json::array();
  for (const Remark& remark : remarks(run, counted_lines(run))) {
    Json row = place_of(run, remark.at);
    row["kind"] = remark.kind;
    row["text"] = remark.text;
    row["excess_work"] = remark.excess;
    row["share_of_work"] = remark.share;
    data["stands_out"].push_back(std::move(row));
  }
  data["active_lanes"] = Json::array();  // vector instructions by lanes that took part, from 0 on
  for (u32 lanes = 0; lanes <= run.program->needs.wave_lanes; ++lanes)
    data["active_lanes"].push_back(counts.active_lanes[lanes]);
  return data;
}

std::string counts_view_text(const Json& data) {
  std::string out = heading("What stands out (share of the work: instructions, transactions, passes)");
  std::size_t shown = 0;
  for (const Json& row : data["stands_out"]) {
    if (++shown > most_remarks) break;
    out += fmt::format("  {:>7}  {}\n", percent(row["share_of_work"].get<f64>(), 1),
                       row["text"].get<std::string>());
  }
  if (shown == 0)
    out += fmt::format("  nothing: no line has {:.0f} % of the work to spare\n", 100 * remark_share);
  if (data["stands_out"].size() > most_remarks)
    out += fmt::format("  and {} more: see the JSON report\n", data["stands_out"].size() - most_remarks);
  return out;
}

Json collect_counted_lines(const RunData& run) {
  if (!run.counts || run.timing) return nullptr;
  const Code& code = run.module->code;
  Json data;
  data["work"] = work(run.counts->total);
  data["wave_lanes"] = run.program->needs.wave_lanes;
  data["transaction"] = run.counts->rules.transaction();
  for (const CountColumn& column : count_columns)
    data["columns"][std::string(column.key)] = {{"unit", column.unit}, {"meaning", column.meaning}};
  data["lines"] = Json::array();
  for (const CountedLine& line : counted_lines(run)) {
    Json row = place_of(run, line.at);
    row["text"] = text_of(run, line.at);
    add_counts(row, line);
    data["lines"].push_back(std::move(row));
  }
  data["instructions"] = Json::array();
  for (std::size_t i = 0; i < run.counts->per_instruction.size(); ++i) {
    CountedLine one;
    one.counts = run.counts->per_instruction[i];
    if (one.counts.issued == 0) continue;
    one.at = source_line(code, i);
    if (counts_lanes(code.instructions[i].cost)) {
      one.lane_instructions = one.counts.issued;
      one.lanes = one.counts.lanes_active;
    }
    const auto histogram = run.counts->lanes_by_instruction.find(static_cast<u32>(i));
    if (histogram != run.counts->lanes_by_instruction.end()) one.active_lanes = histogram->second;
    Json row = {{"index", i},
                {"address", code.instructions[i].address},
                {"text", i < code.text.size() ? code.text[i] : ""}};
    row.update(place_of(run, one.at));
    row["class"] = name(code.instructions[i].cost);
    add_counts(row, one);
    data["instructions"].push_back(std::move(row));
  }
  return data;
}

// "32 / 4", where something was accessed.
std::string of_ideal(const Json& row, const char* made, const char* ideal) {
  const u64 ideal_count = row[ideal].get<u64>();
  return ideal_count == 0 ? "" : fmt::format("{} / {}", row[made].get<u64>(), ideal_count);
}

std::string counted_lines_text(const Json& data) {
  std::string out = heading(fmt::format("The source lines with the most work (a transaction is a {})",
                                        data["transaction"].get<std::string>()));
  out += fmt::format("  {:>7}  {:<24} {:>12} {:>6}  {:>20} {:>20}  source\n", "work", "line", "instructions",
                     "lanes", "transactions / ideal", "local passes / ideal");
  std::size_t shown = 0;
  for (const Json& row : data["lines"]) {
    if (++shown > most_counted_lines) break;
    const f64 lanes = row["lane_instructions"].get<f64>();
    std::string line = fmt::format(
        "  {:>7}  {:<24} {:>12} {:>6}  {:>20} {:>20}  {}",
        percent(row["work"].get<f64>(), data["work"].get<f64>()),
        place_text(row["file"].get<std::string>(), row["line"].get<u32>()), row["instructions"].get<u64>(),
        lanes > 0 ? fmt::format("{:.1f}", row["lane_instructions_active"].get<f64>() / lanes) : "",
        of_ideal(row, "transactions", "ideal_transactions"),
        of_ideal(row, "local_passes", "ideal_local_passes"), row["text"].get<std::string>());
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  if (data["lines"].size() > most_counted_lines)
    out += fmt::format("  and {} other lines: the JSON report has all, and every instruction\n",
                       data["lines"].size() - most_counted_lines);
  return out;
}

}  // namespace

View counts_view() {
  return {"counts", collect_counts, counts_view_text};
}

// In the place, and with the keys, of a timed run's lines.
View counted_lines_view() {
  return {"lines", collect_counted_lines, counted_lines_text};
}

}  // namespace lockstep
