// How long one instruction takes on a wave of 64 lanes: the semantic's own run function on registers in
// cache, every lane active.
#include <benchmark/benchmark.h>

#include "isa/amd/table.h"
#include "isa/step.h"

namespace lockstep {
namespace {

struct Setup {
  WaveState wave;
  StepContext context;
  Instruction instruction;
};

// Values that stay in the normal range: bits of floats between 1 and 4, as f32, f64's upper half and f16
// pairs.
void fill(WaveState& wave) {
  for (u32 row = 0; row < 16; ++row) {
    for (u32 lane = 0; lane < wave.lanes; ++lane) {
      const u32 noise = (row * 64 + lane) * 2654435761u;
      wave.row(row)[lane] =
          row % 2 == 0 ? 0x3F800000u | (noise & 0x00FF03FFu) | 0x3C00u : 0x3FF00000u | (noise & 0xFFFFFu);
    }
  }
}

bool prepare(Setup& setup, const char* mnemonic, u32 mode) {
  const amd::Row* row = amd::find_row(mnemonic, amd::gfx900);
  if (row == nullptr) return false;
  setup.wave.allocate(64, 64, 128);
  setup.wave.set_exec(~u64{0});
  setup.wave.mode = mode;
  fill(setup.wave);
  Instruction& in = setup.instruction;
  in.meaning = row->meaning;
  in.run = run_function(*row->meaning, 64);
  in.amd.packed_select = 0x70;
  const u32 result_registers = registers_of(row->meaning->result, 64);
  in.operand[0] = {OperandKind::vector, static_cast<u8>(result_registers), 0, Part::dword, 32, 0};
  for (u32 i = 0; i < row->meaning->sources; ++i) {
    const u32 registers = registers_of(row->meaning->source[i], 64);
    in.operand[1 + i] = {OperandKind::vector, static_cast<u8>(registers), 0, Part::dword, 4 * i, 0};
  }
  return true;
}

void run(benchmark::State& state, const char* mnemonic, u32 mode) {
  Setup setup;
  if (!prepare(setup, mnemonic, mode)) {
    state.SkipWithError("no such instruction");
    return;
  }
  for (auto _ : state) {
    setup.instruction.run(setup.wave, setup.instruction, setup.context);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}

constexpr const char* mnemonics[] = {
    "v_add_f32",     "v_mul_f32",     "v_fma_f32",     "v_mac_f32",       "v_max_f32",        "v_med3_f32",
    "v_rcp_f32",     "v_rsq_f32",     "v_sqrt_f32",    "v_exp_f32",       "v_log_f32",        "v_sin_f32",
    "v_floor_f32",   "v_fract_f32",   "v_ldexp_f32",   "v_div_fixup_f32", "v_cvt_f32_i32",    "v_cvt_f32_u32",
    "v_cvt_i32_f32", "v_cvt_u32_f32", "v_cvt_f32_f16", "v_cvt_f16_f32",   "v_cvt_f32_ubyte0", "v_add_f64",
    "v_fma_f64",     "v_rcp_f64",     "v_max_f64",     "v_cvt_f32_f64",   "v_add_f16",        "v_mul_f16",
    "v_fma_f16",     "v_mad_f16",     "v_pk_add_f16",  "v_pk_fma_f16",    "v_pk_mad_u16",     "v_lshlrev_b64",
    "v_mad_u64_u32"};

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
  for (const char* mnemonic : lockstep::mnemonics) {
    benchmark::RegisterBenchmark(mnemonic, lockstep::run, mnemonic, lockstep::WaveState::ieee_mode_bits);
  }
  for (const char* mnemonic : {"v_add_f32", "v_fma_f32", "v_exp_f32"}) {
    benchmark::RegisterBenchmark((std::string(mnemonic) + "/denormals_flushed").c_str(), lockstep::run,
                                 mnemonic, 0xC0u);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
