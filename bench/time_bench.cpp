// Speed of the timing model alone, on synthetic waves: wave-instructions and transactions a second of one
// core's time, with the whole GPU resident, and what a launch of one group costs.
// On several host threads the wall clock counts instead, which needs as many idle processors.
// Usage: time_bench [machine [case [threads]]]
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>

#include "isa/amd/format.h"
#include "machine/machine.h"
#include "support/synthetic.h"
#include "time/core/core_figures.h"
#include "time/device.h"

namespace lockstep {
namespace {

struct Case {
  std::string name;
  SyntheticProgram program;
  u64 groups = 0;
  u32 runs = 1;
};

constexpr u64 input = u64{1} << 32, output = u64{2} << 32;

// Eight multiply-adds and a scalar counter per turn of the loop.
Case arithmetic() {
  Case c{"arithmetic", {}, 64 * 10 * 2};
  const u32 top = c.program.repeat(Cost::valu_full, 8, 8) - 7;
  c.program.add(Cost::salu);
  c.program.add(Cost::salu);
  c.program.loop(top, 100);
  c.program.end();
  return c;
}

u64 item(const SyntheticVisit& visit) {
  return (visit.group * 4 + visit.wave) * 64;
}

// One load and one store of 16 bytes a lane, with the address arithmetic that a compiler emits.
Case copy() {
  Case c{"copy", {}, 64 * 10 * 16};
  c.program.memory(Cost::smem_load, Space::constant, AccessKind::load, 16,
                   [](const SyntheticVisit&, Access& a) {
                     a.lanes = 1;
                     a.address[0] = input - 4096;
                   });
  c.program.valu(6);
  c.program.wait(0xFF, 0);
  c.program.valu(4);
  c.program.load(16, [](const SyntheticVisit& v, Access& a) { strided(a, input + item(v) * 16, 16); });
  c.program.valu(2);
  c.program.wait(0, 0xFF);
  c.program.store(16, [](const SyntheticVisit& v, Access& a) { strided(a, output + item(v) * 16, 16); });
  c.program.end();
  return c;
}

// Each lane loads from a line of its own and stores to one, four times.
template <typename Load>
Case lines_of_lanes(std::string name, u64 groups, Load load) {
  Case c{std::move(name), {}, groups};
  c.program.valu(6);
  const u32 top = c.program.load(4, load);
  c.program.wait(0, 0xFF);
  c.program.valu(2);
  c.program.store(
      4, [](const SyntheticVisit& v, Access& a) { strided(a, output + item(v) * 64 + v.count * 16, 64); });
  c.program.loop(top, 4);
  c.program.end();
  return c;
}

// They lie side by side.
Case uncoalesced() {
  return lines_of_lanes("uncoalesced", 64 * 10, [](const SyntheticVisit& v, Access& a) {
    strided(a, input + item(v) * 64 + v.count * 16, 64);
  });
}

// What neighbouring lanes load lies far apart, so that each line is a request of its own.
Case scattered() {
  constexpr u64 groups = 64 * 4, lines = groups * 4 * 64;
  return lines_of_lanes("scattered", groups, [](const SyntheticVisit& v, Access& a) {
    strided(a, 0, 1);
    for (u32 lane = 0; lane < 64; ++lane)
      a.address[lane] = input + (item(v) + lane) * 37 % lines * 64 + v.count * 16;
  });
}

// What a launch costs beside its waves: one small group each time, on a device of its own.
Case one_group() {
  Case c{"one group", {}, 1, 20};
  c.program.valu(10);
  c.program.load(4, [](const SyntheticVisit& v, Access& a) { strided(a, input + item(v) * 4, 4); });
  c.program.wait(0, 0xFF);
  c.program.end();
  return c;
}

Pipe pipe_of(Cost cost) {
  switch (cost) {
    case Cost::salu:
      return Pipe::scalar;
    case Cost::smem_load:
      return Pipe::scalar_memory;
    case Cost::vmem_load:
    case Cost::vmem_store:
      return Pipe::vector_memory;
    case Cost::branch:
      return Pipe::branch;
    case Cost::wait:
    case Cost::end:
      return Pipe::internal;
    default:
      return Pipe::vector;
  }
}

TimedProgram timed_program(const SyntheticProgram& program) {
  constexpr u32 load = static_cast<u32>(WaitCounter::load), local = static_cast<u32>(WaitCounter::local);
  TimedProgram timed;
  for (const Instruction& in : program.code) {
    TimedOp op;
    op.address = in.address;
    op.size = in.size;
    op.cost = in.cost;
    op.pipe = pipe_of(in.cost);
    op.cycles = op.pipe == Pipe::vector_memory ? 1 : 4;
    if (in.cost == Cost::vmem_store) op.flags |= TimedOp::memory_store;
    if (op.pipe == Pipe::vector_memory) {
      op.counters = 1 << load;
      op.most_outstanding[load] = 62;
    } else if (op.pipe == Pipe::scalar_memory) {
      op.counters = 1 << local;
      op.most_outstanding[local] = 14;
    }
    if (in.cost == Cost::wait) {
      const amd::WaitCounts counts = amd::WaitCounts::unpack(in);
      op.most_outstanding[load] = counts.vector;
      op.most_outstanding[local] = counts.local;
    }
    timed.ops.push_back(op);
  }
  return timed;
}

// Others on the host do not count.
f64 seconds_of_process() {
  return static_cast<f64>(std::clock()) / CLOCKS_PER_SEC;
}

template <typename T>
const T* checked(const Expected<T>& value) {
  if (!value.ok()) fmt::print(stderr, "{}\n", to_string(value.error()));
  return value.ok() ? &*value : nullptr;
}

f64 seconds_by_the_wall() {
  return std::chrono::duration<f64>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int run(const std::string& machine_name, const std::string& only, u32 threads) {
  TimingOptions options;
  options.threads = threads;
  const auto now = threads == 1 ? seconds_of_process : seconds_by_the_wall;
  const auto machine = load_machine(machine_directory(), machine_name);
  if (!checked(machine)) return 1;
  const u64 clock = run_clock_hz(*machine);
  const auto core = core_figures(*machine, clock);
  if (!checked(core)) return 1;
  const auto hierarchy =
      make_hierarchy(*machine, clock, core->l1_hit_cycles, 64 / core->lanes_per_address_cycle);
  if (!checked(hierarchy)) return 1;
  for (auto make : {arithmetic, copy, uncoalesced, scattered, one_group}) {
    const Case c = make();
    if (c.name.find(only) == std::string::npos) continue;
    TimedLaunch launch;
    launch.code = c.program.code;
    launch.range.global = {c.groups * 256, 1, 1};
    launch.range.local = {256, 1, 1};
    const LaunchModel model{timed_program(c.program),
                            {core->slots_per_simd, core->slots_per_simd, core->slots_per_simd, ~0u, 16, 0}};
    const f64 begin = now();
    TimingResult result;
    for (u32 i = 0; i < c.runs; ++i) {
      SyntheticFactory sources(c.program);
      Device device(nullptr, *core, *hierarchy);
      auto one = device.run(model, launch, 64, sources, options);
      if (!checked(one)) return 1;
      result = std::move(*one);
    }
    const f64 seconds = (now() - begin) / c.runs;
    const u64 transactions = result.counter("vector.transactions");
    fmt::print(
        "{:12} {:9} wave-instructions {:8} cycles {:9.3f} ms {:6.2f} M wave-instructions/s {:6.2f} M "
        "transactions/s\n",
        c.name, result.instructions, result.cycles, seconds * 1e3,
        static_cast<f64>(result.instructions) / 1e6 / seconds,
        static_cast<f64>(transactions) / 1e6 / seconds);
  }
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  return lockstep::run(argc > 1 ? argv[1] : "mi25", argc > 2 ? argv[2] : "",
                       argc > 3 ? static_cast<lockstep::u32>(std::stoul(argv[3])) : 1);
}
