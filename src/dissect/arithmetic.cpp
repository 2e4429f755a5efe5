// Latency and throughput of arithmetic by instruction class.
#include <fmt/format.h>

#include "dissect/suite.h"

namespace lockstep::dissect {
namespace {

enum class Needs : u8 { nothing, half, real64 };

struct Operation {
  std::string_view name;  // OPERATION of arithmetic.cl
  std::string_view cost;  // cost class of AMD's machine files; empty where it takes several instructions
  std::string_view rate;  // the key of a compute unit's results in a cycle; empty where there is none
  Needs needs = Needs::nothing;
  f64 results = 1;  // of a lane by one operation
  std::string_view bytes = "4";
};

constexpr Operation operations[] = {
    {"f32_add", "full", "rate.f32"},
    {"f32_mul", "full", "rate.f32"},
    {"f32_fma", "f32_fma", "rate.f32"},
    {"f32_fma_packed", "", "rate.f32_packed", Needs::nothing, 2},
    {"f64_add", "f64_add", "", Needs::real64},
    {"f64_mul", "f64_fma", "", Needs::real64},
    {"f64_fma", "f64_fma", "rate.f64", Needs::real64},
    {"i32_add", "full", ""},
    {"i32_mul", "quarter", "rate.int_mul"},
    {"i32_mad", "", ""},
    {"i32_mad24", "full", ""},
    {"i32_shift", "full", ""},
    {"convert_f32", "convert", ""},
    {"convert_f64", "f64_convert", "", Needs::real64},
    {"reciprocal", "transcendental", "rate.special"},
    {"rsqrt_f32", "transcendental", "rate.special"},
    {"exp2_f32", "", ""},
    {"sin_f32", "", ""},
    {"f16_add", "f16", "rate.f16", Needs::half},
    {"f16_fma", "f16", "rate.f16", Needs::half},
    {"f16_fma_packed", "f16", "rate.f16", Needs::half, 2},
};

// What an AMD machine file's issue cycles mean for a whole compute unit: results in a cycle.
std::optional<Stated> stated_rate(const Bench& bench, const Operation& operation) {
  const Machine* const machine = bench.machine();
  if (!machine) return std::nullopt;
  const f64 units = bench.traits().units_per_group;
  if (!operation.cost.empty() && operation.needs != Needs::half) {
    const std::string key = fmt::format("timing.valu.issue_cycles.{}", operation.cost);
    if (std::optional<Stated> issue = bench.stated(key)) {
      // GCN's and CDNA's cycles are those of a whole wave of 64; RDNA's of one pass of the SIMD's lanes.
      const f64 lanes = bench.figure_or("timing.issue.turn_cycles", 1) > 1
                            ? 64
                            : number(*machine, "compute.lanes_per_simd");
      f64 cycles = issue->value;
      if (operation.cost == "transcendental")
        cycles = std::max(cycles, bench.figure_or("timing.valu.transcendental_unit_cycles", 0));
      issue->value = units * number(*machine, "compute.simds_per_unit") * lanes / cycles * operation.results;
      return issue;
    }
  }
  if (operation.rate.empty()) return std::nullopt;
  return bench.stated(std::string(operation.rate), units);
}

std::optional<Stated> stated_latency(const Bench& bench, const Operation& operation) {
  if (operation.cost.empty()) return std::nullopt;
  for (const std::string_view table : {"result_cycles", "issue_cycles"}) {
    if (auto stated = bench.stated(fmt::format("timing.valu.{}.{}", table, operation.cost))) return stated;
  }
  return std::nullopt;
}

Status measure(Bench& bench, const Operation& operation) {
  const Traits& traits = bench.traits();
  const Expected<BufferId> out = bench.output(u64{1} << 16);
  if (!out) return out.error();
  const u32 wave = std::max(traits.wave_lanes, 1u);
  f64 lanes_a_cycle = bench.figure_or("compute.simds_per_unit", 0) *
                      bench.figure_or("compute.lanes_per_simd", 0) * traits.units_per_group;
  for (const bool throughput : {false, true}) {
    const u32 group = throughput ? traits.max_group_items : wave;
    const u32 chains = throughput ? 8 : 1;
    const KernelSource source{"arithmetic",
                              throughput ? "throughput" : "latency",
                              {fmt::format("OPERATION={}", operation.name), fmt::format("WAVE={}", wave),
                               fmt::format("GROUP={}", traits.max_group_items)}};
    const Expected<f64> seconds = bench.seconds_per_step(
        source, 2 * chains,
        [&](KernelId kernel, u32 rounds) {
          return Launch{kernel, 1, group, {BufferArgument{*out}, BufferArgument{*out}, rounds}};
        },
        2);
    if (!seconds) return seconds.error();
    const f64 cycles = *seconds * bench.clock_hz();
    Bounds bounds;
    if (throughput) {
      if (lanes_a_cycle > 0) {
        // Compilers pack pairs of f16, and pairs of f32 where there is a rate for them.
        bounds.ceiling = lanes_a_cycle * (operation.results > 1 || operation.needs == Needs::half ||
                                                  bench.figure_or("rate.f32_packed", 0) > 0
                                              ? 2
                                              : 1);
        bounds.ceiling_is = "the results of all lanes";
      }
      bench.add(fmt::format("{} throughput", operation.name), "results/cycle",
                group * operation.results / cycles, bounds, stated_rate(bench, operation));
    } else {
      bounds.floor = 1;
      bounds.floor_is = "one issue";
      bench.add(fmt::format("{} latency", operation.name), "cycles", cycles, bounds,
                stated_latency(bench, operation));
    }
  }
  return Success{};
}

}  // namespace

Status measure_arithmetic(Bench& bench) {
  for (const Operation& operation : operations) {
    if (operation.needs == Needs::half && !bench.traits().half) continue;
    if (operation.needs == Needs::real64 && !bench.traits().real64) continue;
    const Status done = measure(bench, operation);
    if (!done) return done;
  }
  return Success{};
}

}  // namespace lockstep::dissect
