// Pointer chases in machine code on every timed AMD GPU: the model gives back the latencies that the
// machine's file states.
#include "amd_assembly.h"

namespace lockstep {
namespace {

using namespace amd_assembly;

// Loads v1 from offset v1 of the buffer whose address is in s[2:3] (s[8:11] before GCN 5). `wide`: for the
// whole device, past all caches that only a part of it shares.
std::string vector_load(const Target& target, bool wide) {
  if (target.major < 9) return "buffer_load_dword v1, v1, s[8:11], 0 offen\n  s_waitcnt vmcnt(0)";
  const std::string bits = !wide                ? ""
                           : target.major == 12 ? " scope:SCOPE_DEV"
                           : target.major == 10 ? " glc dlc"
                           : target.minor == 4  ? " sc1"
                                                : " glc";
  const char* name = target.major >= 11 ? "global_load_b32" : "global_load_dword";
  const char* wait = target.major >= 12 ? "s_wait_loadcnt 0x0" : "s_waitcnt vmcnt(0)";
  return fmt::format("{} v1, v1, s[2:3]{}\n  {}", name, bits, wait);
}
std::string local_load(const Target& target) {
  const char* name = target.major >= 11 ? "ds_load_b32" : "ds_read_b32";
  return fmt::format("{} v2, v2\n  {}", name,
                     target.major >= 12 ? "s_wait_dscnt 0x0" : "s_waitcnt lgkmcnt(0)");
}
std::string scalar_load(const Target& target) {
  const char* name = target.major >= 11 ? "s_load_b64" : "s_load_dwordx2";
  return fmt::format("{} s[6:7], s[6:7], 0x0\n  {}", name,
                     target.major >= 12 ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)");
}

constexpr u32 rounds_at = 0, pointer_at = 256, ring_at = 1 << 20;

// The argument is the buffer's address; the number of rounds is its first word, its word at 256 the address
// of itself.
std::string chase(const Target& target, const std::string& name, const std::string& load, u32 length) {
  const std::string two = target.major >= 11 ? "s_load_b64" : "s_load_dwordx2";
  const std::string one = target.major >= 11 ? "s_load_b32" : "s_load_dword";
  const std::string wait = target.major >= 12 ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)";
  std::string code = fmt::format(
      "  {0} s[2:3], s[0:1], 0x0\n  {2}\n  {1} s32, s[2:3], 0x0\n  {0} s[6:7], s[2:3], {4}\n  {2}\n"
      "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, -1\n  s_mov_b32 s11, 0x27000\n"
      "  v_mov_b32 v1, 0x{3:x}\n  v_mov_b32 v2, 0\n  s_mov_b32 m0, -1\n",
      two, one, wait, ring_at, target.major == 6 || target.major == 7 ? "0x40" : "0x100");
  code += fmt::format(".Lloop_{}:\n", name);
  for (u32 i = 0; i < length; ++i) code += "  " + load + "\n";
  return code +
         fmt::format("  s_add_i32 s32, s32, -1\n  s_cmp_lg_u32 s32, 0\n  s_cbranch_scc1 .Lloop_{}\n", name);
}

class Latencies : public testing::TestWithParam<std::string> {
 protected:
  void write(Bench& bench, u64 offset, u64 value, u32 bytes) {
    EXPECT_TRUE(
        bench.memory().write(bench.buffer() + offset, {reinterpret_cast<const u8*>(&value), bytes}).ok());
  }
  // The ring of offsets that the loads follow.
  void ring(Bench& bench, u32 lines, u32 stride) {
    for (u32 i = 0; i < lines; ++i)
      write(bench, ring_at + u64{i} * stride, ring_at + u64{(i + 1) % lines} * stride, 4);
  }
  u64 time(Bench& bench, const std::string& kernel, u32 rounds) {
    write(bench, rounds_at, rounds, 4);
    return bench.cycles(kernel, bench.buffer());
  }
  // Cycles from one load to the next, when all is as earlier rounds left it.
  f64 steady(Bench& bench, const std::string& kernel, u32 loads) {
    write(bench, rounds_at, 1, 4);
    bench.run(kernel, bench.buffer(), 64, wave_lanes(*bench.machine().target));
    time(bench, kernel, 8);
    const f64 few = static_cast<f64>(time(bench, kernel, 8));
    return (static_cast<f64>(time(bench, kernel, 16)) - few) / (8 * loads);
  }
};

TEST_P(Latencies, AreThoseOfTheFile) {
  const auto machine = load_machine(machine_directory(), GetParam());
  ASSERT_TRUE(machine.ok());
  const Target& target = *machine->target;
  constexpr u32 loads = 16;
  std::vector<Kernel> kernels;
  const auto add = [&](const std::string& name, const std::string& load, u32 length) {
    kernels.push_back({name, chase(target, name, load, length), 16, 1024});
  };
  add("vector", vector_load(target, false), loads);
  add("wide", vector_load(target, true), loads);
  add("local", local_load(target), loads);
  add("scalar", scalar_load(target), loads);
  add("cold_few", vector_load(target, false), 8);
  add("cold_many", vector_load(target, false), 40);
  const auto module = assembled(target, kernels);
  ASSERT_NE(module, nullptr);
  Bench bench(GetParam(), *module);
  write(bench, target.major <= 7 ? 0x100 : pointer_at, bench.buffer() + pointer_at, 8);
  const auto figure = [&](const char* key) { return static_cast<f64>(integer(*machine, key)); };
  // The rest of the turn in which data come, and each load's share of the loop's ends.
  const f64 slack = target.major >= 10 ? 2 : 5;
  const auto expect = [&](const char* what, f64 measured, f64 stated) {
    EXPECT_GE(measured, stated) << what;
    EXPECT_LE(measured, stated + slack) << what;
  };
  // Loads of the address that they read themselves.
  ring(bench, 1, 0);
  expect("L0/L1", steady(bench, "vector", loads), figure("timing.l1.hit_cycles"));
  expect("LDS", steady(bench, "local", loads), figure("timing.lds.latency_cycles"));
  expect("scalar", steady(bench, "scalar", loads), figure("timing.smem.hit_cycles"));
  // More lines of one set than the nearest cache has ways; the caches behind it have them all.
  const u32 ways = static_cast<u32>(integer(*machine, "l1.ways"));
  ring(bench, 2 * ways, static_cast<u32>(integer(*machine, "l1.size_bytes")) / ways);
  const bool arrays = has(*machine, "timing.gl1.hit_cycles") && text(*machine, "timing.l1.next") == "gl1";
  if (arrays) expect("GL1", steady(bench, "vector", loads), figure("timing.gl1.hit_cycles"));
  expect("L2", steady(bench, arrays ? "wide" : "vector", loads), figure("timing.l2.hit_cycles"));
  // Lines that nobody has read, each in a row of its own.
  ring(bench, 64, 65536 + 256);
  std::array<f64, 2> cold;
  for (const u32 many : {0u, 1u}) {
    bench.device().make_cold();
    cold[many] = static_cast<f64>(time(bench, many ? "cold_many" : "cold_few", 1));
  }
  const f64 memory = (cold[1] - cold[0]) / 32, stated = figure("timing.dram.latency_cycles");
  // Refresh, and rows that have to be closed first, come on top of what the file states.
  EXPECT_GE(memory, stated);
  EXPECT_LE(memory, 1.13 * stated);
}

INSTANTIATE_TEST_SUITE_P(AllGpus, Latencies,
                         testing::Values("w7000", "hd7970", "r9-290x", "r9-390", "r9-285", "mi25", "vega64",
                                         "mi50", "mi60", "mi100", "mi210", "mi250x", "mi300x", "mi300a",
                                         "rx5700xt", "rx6900xt", "rx7900xtx", "rx9070xt"),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace lockstep
