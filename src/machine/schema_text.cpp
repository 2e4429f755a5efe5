// What keys' units are multiples of, and the table of keys as the documentation has it.
#include <fmt/format.h>

#include <vector>

#include "machine/schema.h"

namespace lockstep {
namespace {

using enum ValueKind;

constexpr UnitFactor hertz_units[] = {{"Hz", 1}, {"kHz", 1000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
constexpr UnitFactor byte_units[] = {{"B", 1}, {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}};
constexpr UnitFactor rate_units[] = {
    {"B/s", 1}, {"MB/s", 1'000'000}, {"GB/s", 1'000'000'000}, {"TB/s", 1'000'000'000'000}};
constexpr UnitFactor flop_units[] = {
    {"FLOP/s", 1}, {"GFLOP/s", 1'000'000'000}, {"TFLOP/s", 1'000'000'000'000}};
constexpr UnitFactor transfer_units[] = {{"T/s", 1}, {"MT/s", 1'000'000}, {"GT/s", 1'000'000'000}};
constexpr UnitFactor time_units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}};

}  // namespace

std::span<const UnitFactor> units_of(std::string_view unit) {
  for (const std::span<const UnitFactor> units :
       {std::span<const UnitFactor>(hertz_units), std::span<const UnitFactor>(byte_units),
        std::span<const UnitFactor>(rate_units), std::span<const UnitFactor>(flop_units),
        std::span<const UnitFactor>(transfer_units), std::span<const UnitFactor>(time_units)}) {
    if (units[0].unit == unit) return units;
  }
  // Units without multiples: one entry, found in the table so that it outlives the call.
  static const auto singles = [] {
    std::vector<UnitFactor> all;
    for (const KeyInfo& info : schema()) all.push_back({info.unit, 1});
    return all;
  }();
  for (const UnitFactor& single : singles) {
    if (single.unit == unit) return {&single, 1};
  }
  return {};
}

std::string_view to_string(ValueKind kind) {
  switch (kind) {
    case integer:
      return "an integer";
    case real:
      return "a number";
    case integers:
      return "a list of integers";
    case text:
      return "a string";
  }
  return "";
}

std::string schema_reference() {
  constexpr std::pair<TargetGroups, std::string_view> names[] = {
      {group_gcn, "GCN"},           {group_cdna, "CDNA"},    {group_rdna, "RDNA"},   {group_vliw, "VLIW"},
      {group_nvidia_old, "CC 1-2"}, {group_nvidia, "CC 3+"}, {group_intel, "Intel"}, {group_gcn5, "GCN5"}};
  const auto list = [&](TargetGroups groups) {
    if ((groups & group_all) == group_all) return std::string("all");
    std::string text;
    for (const auto& [group, name] : names) {
      // GCN5 is a part of GCN: name it only where the rest of GCN is not meant.
      if (group == group_gcn5 && (groups & group_gcn) != 0) continue;
      if ((groups & group) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    }
    return text.empty() ? std::string("-") : text;
  };
  std::string text = "| key | unit | value | may have | must have | meaning |\n|---|---|---|---|---|---|\n";
  for (const KeyInfo& info : schema()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", info.key, info.unit, to_string(info.kind),
                        list(info.allowed), list(info.required), info.meaning);
  }
  return text;
}

}  // namespace lockstep
