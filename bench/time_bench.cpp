// Speed of the timing model alone, on synthetic waves: wave-instructions and transactions a second of one
// core's time, with the whole GPU resident. Usage: time_bench [machine]
#include <fmt/format.h>

#include <ctime>
#include <string>

#include "machine/machine.h"
#include "time/synthetic_source.h"
#include "time/timing.h"

namespace lockstep {
namespace {

struct Case {
  std::string name;
  SyntheticProgram program;
  u64 groups = 0;
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

// One load and one store of 4 bytes a lane, with the address arithmetic that a compiler emits.
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
  c.program.load(4, [](const SyntheticVisit& v, Access& a) { strided(a, input + item(v) * 4, 4); });
  c.program.valu(2);
  c.program.wait(0, 0xFF);
  c.program.store(4, [](const SyntheticVisit& v, Access& a) { strided(a, output + item(v) * 4, 4); });
  c.program.end();
  return c;
}

// Each lane loads from a line of its own.
Case uncoalesced() {
  Case c{"uncoalesced", {}, 64 * 10 * 4};
  c.program.valu(6);
  c.program.load(4, [](const SyntheticVisit& v, Access& a) { strided(a, input + item(v) * 128, 128); });
  c.program.wait(0, 0xFF);
  c.program.valu(2);
  c.program.store(4, [](const SyntheticVisit& v, Access& a) { strided(a, output + item(v) * 4, 4); });
  c.program.end();
  return c;
}

int run(const std::string& machine_name) {
  const auto machine = load_machine(machine_directory(), machine_name);
  if (!machine.ok()) {
    fmt::print(stderr, "{}\n", to_string(machine.error()));
    return 1;
  }
  for (auto make : {arithmetic, copy, uncoalesced}) {
    const Case c = make();
    SyntheticSource source(c.program);
    TimedLaunch launch;
    launch.code = c.program.code;
    launch.range.global = {c.groups * 256, 1, 1};
    launch.range.local = {256, 1, 1};
    KernelNeeds needs;
    needs.vector_registers = 24;
    needs.scalar_registers = 16;
    const std::clock_t begin = std::clock();  // of this process: others on the host do not count
    const auto result = time_launch(*machine, needs, 0, launch, source);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (!result.ok()) {
      fmt::print(stderr, "{}\n", to_string(result.error()));
      return 1;
    }
    const u64 transactions = result->counter("vector.transactions");
    fmt::print(
        "{:12} {:9} wave-instructions {:8} cycles {:6.2f} M wave-instructions/s {:6.2f} M transactions/s\n",
        c.name, result->instructions, result->cycles,
        static_cast<double>(result->instructions) / 1e6 / seconds,
        static_cast<double>(transactions) / 1e6 / seconds);
  }
  return 0;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  return lockstep::run(argc > 1 ? argv[1] : "mi25");
}
