#include "machine/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/environment.h"
#include "base/installation.h"

namespace lockstep {
namespace {

const Quantity& stated(const Machine& machine, std::string_view key) {
  const Quantity* quantity = find_quantity(machine, key);
  LOCKSTEP_ASSERT(quantity != nullptr, "a machine was asked for a key that it does not state");
  return *quantity;
}

}  // namespace

std::string machine_directory() {
  if (const char* chosen = environment("LOCKSTEP_MACHINES")) return chosen;
  if (auto installed = installed_folder("machines", "sources.toml")) return *installed;
  return LOCKSTEP_SOURCE_DIR "/machines";
}

const Quantity* find_quantity(const Machine& machine, std::string_view key) {
  for (const Quantity& quantity : machine.quantities) {
    if (quantity.info->key == key) return &quantity;
  }
  return nullptr;
}

bool has(const Machine& machine, std::string_view key) {
  return find_quantity(machine, key) != nullptr;
}

f64 number(const Machine& machine, std::string_view key) {
  const Quantity& quantity = stated(machine, key);
  LOCKSTEP_ASSERT(quantity.info->kind == ValueKind::integer || quantity.info->kind == ValueKind::real,
                  "number() of a key that is no number");
  return quantity.real;
}

u64 integer(const Machine& machine, std::string_view key) {
  const Quantity& quantity = stated(machine, key);
  LOCKSTEP_ASSERT(quantity.info->kind == ValueKind::integer, "integer() of a key that is no integer");
  return quantity.integer;
}

u64 integer_or(const Machine& machine, std::string_view key, u64 otherwise) {
  const Quantity* quantity = find_quantity(machine, key);
  if (quantity == nullptr) return otherwise;
  LOCKSTEP_ASSERT(quantity->info->kind == ValueKind::integer, "integer_or() of a key that is no integer");
  return quantity->integer;
}

const std::vector<u64>& integers(const Machine& machine, std::string_view key) {
  const Quantity& quantity = stated(machine, key);
  LOCKSTEP_ASSERT(quantity.info->kind == ValueKind::integers, "integers() of a key that is no list");
  return quantity.integers;
}

std::string_view text(const Machine& machine, std::string_view key) {
  const Quantity& quantity = stated(machine, key);
  LOCKSTEP_ASSERT(quantity.info->kind == ValueKind::text, "text() of a key that is no text");
  return quantity.text;
}

u64 own_clock_hz(const Machine& machine) {
  // Where the arithmetic units have a clock of their own, cycles are its.
  const u64 stated = integer_or(machine, "clock.shader_hz", integer(machine, "clock.boost_hz"));
  return integer_or(machine, "clock.sustained_hz", stated);
}

u64 run_clock_hz(const Machine& machine) {
  return machine.chosen_clock_hz != 0 ? machine.chosen_clock_hz : own_clock_hz(machine);
}

Expected<Machine> with_clock(const Machine& machine, u64 clock_hz) {
  const u64 own = own_clock_hz(machine);
  if (clock_hz < own / 10 || clock_hz > own * 2) {
    const auto shown = [](u64 hz) {
      return hz < 1'000'000 ? fmt::format("{} Hz", hz) : fmt::format("{:g} MHz", static_cast<f64>(hz) * 1e-6);
    };
    return Diagnostic{
        "bad-clock",
        {},
        fmt::format("{} cannot be modelled at {}", machine.name, shown(clock_hz)),
        fmt::format("its own clock is {}; from a tenth of that to twice as much goes", shown(own))};
  }
  Machine changed = machine;
  changed.chosen_clock_hz = clock_hz;
  const f64 ratio = static_cast<f64>(clock_hz) / static_cast<f64>(run_clock_hz(machine));
  const auto find = [&](std::string_view key) -> Quantity* {
    const Quantity* stated = find_quantity(machine, key);
    return stated == nullptr
               ? nullptr
               : &changed.quantities[static_cast<std::size_t>(stated - machine.quantities.data())];
  };
  // Cycles of the time that a latency has beyond what the clock drives.
  const auto keep_time = [&](std::string_view key, std::string_view within) {
    Quantity* const quantity = find(key);
    if (quantity == nullptr) return;
    const u64 driven = std::min(quantity->integer, within.empty() ? 0 : integer_or(machine, within, 0));
    quantity->integer =
        driven + static_cast<u64>(std::llround(static_cast<f64>(quantity->integer - driven) * ratio));
    quantity->real = static_cast<f64>(quantity->integer);
  };
  // What is delivered a second.
  const auto keep_rate = [&](std::string_view key) {
    Quantity* const quantity = find(key);
    if (quantity == nullptr) return;
    quantity->integer =
        std::max<u64>(1, static_cast<u64>(std::llround(static_cast<f64>(quantity->integer) / ratio)));
    quantity->real = static_cast<f64>(quantity->integer);
  };
  keep_time("timing.mall.hit_cycles", "timing.l2.hit_cycles");
  keep_time("timing.dram.latency_cycles", "timing.l2.hit_cycles");
  // The way to a second level's other half is part of the mean that memory's latency is.
  keep_time("timing.l2.far_cycles", "");
  keep_time("timing.tlb.walk_cycles", "");
  keep_rate("last_level.bytes_per_cycle_per_slice");
  keep_rate("timing.mall.write_bytes_per_cycle");
  return changed;
}

std::vector<const Quantity*> assumed_quantities(const Machine& machine, std::string_view prefix) {
  std::vector<const Quantity*> assumed;
  for (const Quantity& quantity : machine.quantities) {
    if (quantity.confidence == Confidence::assumed && quantity.info->key.starts_with(prefix))
      assumed.push_back(&quantity);
  }
  return assumed;
}

Machine with_scaled(const Machine& machine, std::string_view key, f64 factor) {
  LOCKSTEP_ASSERT(factor > 0, "with_scaled() takes a positive factor");
  Machine changed = machine;
  const std::size_t index = static_cast<std::size_t>(&stated(machine, key) - machine.quantities.data());
  Quantity& quantity = changed.quantities[index];
  const auto apply = [&](u64 value) -> u64 {
    if (value == 0) return 0;
    if (quantity.info->step == Step::power_of_two)
      return factor > 1 ? value * 2 : std::max<u64>(1, value / 2);
    const u64 scaled = static_cast<u64>(std::llround(static_cast<f64>(value) * factor));
    // Small counts would round back to themselves: move by one, so that the question is asked at all.
    if (scaled == value) return factor > 1 ? value + 1 : std::max<u64>(1, value - 1);
    return std::max<u64>(1, scaled);
  };
  if (quantity.info->step == Step::fixed || factor == 1) return changed;
  switch (quantity.info->kind) {
    case ValueKind::integer:
      quantity.integer = apply(quantity.integer);
      quantity.real = static_cast<f64>(quantity.integer);
      break;
    case ValueKind::real:
      quantity.real *= factor;
      break;
    case ValueKind::integers:
      for (u64& value : quantity.integers) value = apply(value);
      break;
    case ValueKind::text:
      return changed;
  }
  const Quantity& before = machine.quantities[index];
  if (quantity.real == before.real && quantity.integers == before.integers) return changed;
  changed.changes.push_back(fmt::format("{} * {}", key, factor));
  return changed;
}

std::string_view to_string(Confidence confidence) {
  switch (confidence) {
    case Confidence::measured:
      return "measured";
    case Confidence::documented:
      return "documented";
    case Confidence::database:
      return "database";
    case Confidence::assumed:
      return "assumed";
  }
  return "";
}

std::string to_string(const Quantity& quantity) {
  switch (quantity.info->kind) {
    case ValueKind::integer:
      return fmt::format("{} {}", quantity.integer, quantity.info->unit);
    case ValueKind::real:
      return fmt::format("{} {}", quantity.real, quantity.info->unit);
    case ValueKind::integers:
      return fmt::format("{} {}", fmt::join(quantity.integers, ", "), quantity.info->unit);
    case ValueKind::text:
      return quantity.text;
  }
  return "";
}

}  // namespace lockstep
