// Time of one memory instruction on a wave of 64 lanes, checks off.
#include <benchmark/benchmark.h>

#include <vector>

#include "isa/amd/addressing.h"
#include "isa/amd/decode.h"

namespace lockstep::amd {
namespace {

constexpr u64 base = 0x0000'1000'0000'0000u;

struct Machine {
  std::vector<u8> memory = std::vector<u8>(1 << 20);
  std::vector<u8> local = std::vector<u8>(1 << 16);
  WaveState wave;
  Outcome outcome;
  StepContext context;

  // v[0:1]: addresses `step` apart from the base; v2: offsets `step` apart.
  explicit Machine(u32 step) {
    wave.allocate(64, 64, 128);
    wave.set_exec(~u64{0});
    wave.local = local;
    wave.private_base = base + (1 << 19);
    wave.private_bytes_per_lane = 256;
    context.global = {memory.data(), base, memory.size()};
    context.outcome = &outcome;
    for (u32 lane = 0; lane < 64; ++lane) {
      wave.row(0)[lane] = static_cast<u32>(base) + lane * step;
      wave.row(1)[lane] = static_cast<u32>(base >> 32);
      wave.row(2)[lane] = lane * step;
    }
    wave.write_scalar64(4, base);
    wave.write_scalar64(0, wave.private_base | u64{1} << 63);
    wave.write_scalar(2, 0xFFFFFFFF);
    wave.write_scalar(3, 3u << 21 | 1u << 23);
  }
};

void run(benchmark::State& state, const char* text, u32 step, u64 exec = ~u64{0}) {
  Machine m(step);
  m.wave.set_exec(exec);
  const std::array<u32, 2> words{};
  const auto in = decode({text, words, 0}, *find_target("gfx900"));
  if (!in) {
    state.SkipWithError(in.error().message.c_str());
    return;
  }
  const RunFunction function = run_function(*in->meaning, 64);
  for (auto _ : state) {
    m.outcome.access_count = 0;
    function(m.wave, *in, m.context);
    benchmark::ClobberMemory();
  }
  if (m.context.fault.kind != FaultKind::none) state.SkipWithError("faulted");
}

BENCHMARK_CAPTURE(run, global_load_dword_coalesced, "global_load_dword v4, v[0:1], off", 4);
BENCHMARK_CAPTURE(run, global_load_dword_saddr_coalesced, "global_load_dword v4, v2, s[4:5]", 4);
BENCHMARK_CAPTURE(run, global_load_dword_uniform, "global_load_dword v4, v[0:1], off", 0);
BENCHMARK_CAPTURE(run, global_load_dword_strided, "global_load_dword v4, v[0:1], off", 260);
BENCHMARK_CAPTURE(run, global_load_dword_half_active, "global_load_dword v4, v[0:1], off", 4,
                  0x5555555555555555u);
BENCHMARK_CAPTURE(run, global_load_dwordx4_coalesced, "global_load_dwordx4 v[4:7], v[0:1], off", 16);
BENCHMARK_CAPTURE(run, global_store_dword_coalesced, "global_store_dword v[0:1], v4, off", 4);
BENCHMARK_CAPTURE(run, global_atomic_add_same, "global_atomic_add v[0:1], v4, off", 0);
BENCHMARK_CAPTURE(run, flat_load_dword_coalesced, "flat_load_dword v4, v[0:1]", 4);
BENCHMARK_CAPTURE(run, private_load, "buffer_load_dword v4, off, s[0:3], 0", 4);
BENCHMARK_CAPTURE(run, ds_read_b32, "ds_read_b32 v4, v2", 4);
BENCHMARK_CAPTURE(run, s_load_dwordx4, "s_load_dwordx4 s[8:11], s[4:5], 0x0", 4);

}  // namespace
}  // namespace lockstep::amd

BENCHMARK_MAIN();
