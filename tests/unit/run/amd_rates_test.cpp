// What instructions cost on every timed AMD GPU: a chain of dependent ones and a stream of independent ones,
// of real machine code, in cycles of one wave. The tables state what the sources say, not what the machine
// files do.
#include "amd_assembly.h"

namespace lockstep {
namespace {

using namespace amd_assembly;

// Cycles from one instruction to the next: independent, dependent.
struct Cycles {
  u32 stream = 0, chain = 0;
};

// Rates that differ between GPUs, by class.
struct Rates {
  u32 fma, multiply, wide_mad, convert, transcendental, division;
  u32 f64_add, f64_fma, f64_convert, f64_transcendental, shift64;
};

// GCN and CDNA: cycles that a wave of 64 holds its SIMD; the wave's next instruction follows at once.
// Sources: CLRX "GCN ISA instruction timings"; AMD's OpenCL optimization guide; LLVM SISchedule.td; results
// of clpeak (multiplications on Hawaii, Vega 20, MI100, MI250X).
const std::map<std::string, Rates> gcn = {
    {"w7000", {16, 16, 0, 16, 16, 16, 32, 64, 32, 64, 32}},
    {"r9-285", {16, 16, 16, 16, 16, 16, 32, 64, 32, 64, 32}},
    {"hd7970", {4, 16, 0, 16, 16, 16, 8, 16, 8, 16, 8}},
    {"r9-290x", {4, 8, 8, 8, 8, 16, 16, 32, 16, 32, 16}},
    {"r9-390", {4, 8, 8, 8, 8, 16, 16, 32, 16, 32, 16}},
    {"mi25", {4, 16, 16, 16, 16, 16, 32, 64, 16, 64, 16}},
    {"vega64", {4, 16, 16, 16, 16, 16, 32, 64, 16, 64, 16}},
    {"mi60", {4, 8, 8, 8, 8, 16, 4, 8, 4, 16, 8}},
    {"mi50", {4, 8, 8, 8, 8, 16, 4, 8, 4, 16, 8}},
    {"mi100", {4, 8, 8, 16, 16, 16, 4, 8, 4, 16, 8}},
    {"mi210", {4, 4, 4, 16, 16, 16, 4, 4, 4, 16, 4}},
    {"mi250x", {4, 4, 4, 16, 16, 16, 4, 4, 4, 16, 4}},
    {"mi300x", {4, 4, 4, 16, 16, 16, 4, 4, 4, 16, 4}},
    {"mi300a", {4, 4, 4, 16, 16, 16, 4, 4, 4, 16, 4}},
};

enum class Class {
  full,
  fma,
  multiply,
  wide_mad,
  convert,
  transcendental,
  division,
  f64_add,
  f64_fma,
  f64_convert,
  f64_transcendental,
  shift64,
  scalar,
};

u32 gcn_cycles(const Rates& r, Class what) {
  switch (what) {
    case Class::full:
    case Class::scalar:
      return 4;
    case Class::fma:
      return r.fma;
    case Class::multiply:
      return r.multiply;
    case Class::wide_mad:
      return r.wide_mad;
    case Class::convert:
      return r.convert;
    case Class::transcendental:
      return r.transcendental;
    case Class::division:
      return r.division;
    case Class::f64_add:
      return r.f64_add;
    case Class::f64_fma:
      return r.f64_fma;
    case Class::f64_convert:
      return r.f64_convert;
    case Class::f64_transcendental:
      return r.f64_transcendental;
    case Class::shift64:
      return r.shift64;
  }
  return 0;
}

// RDNA, a wave of 32. Sources: Mesa aco_statistics.cpp; LLVM SISchedule.td (GFX10SpeedModel,
// GFX11SpeedModel); f64 at 1/16 of the f32 rate before RDNA 3, at 1/32 from there on.
Cycles rdna_cycles(bool slow_f64, Class what) {
  switch (what) {
    case Class::full:
    case Class::fma:
    case Class::convert:
    case Class::division:
      return {1, 5};
    case Class::multiply:
    case Class::wide_mad:
      return {4, 8};
    case Class::transcendental:
      return {4, 10};  // a unit beside the ALU takes four cycles for each
    case Class::f64_add:
    case Class::f64_fma:
    case Class::f64_convert:
      return slow_f64 ? Cycles{32, 38} : Cycles{16, 22};
    case Class::f64_transcendental:
      return slow_f64 ? Cycles{32, 40} : Cycles{16, 24};
    case Class::shift64:
      return {2, 6};
    case Class::scalar:
      return {1, 2};
  }
  return {};
}

// {0} and {1}: the result's registers; {2} and {3}: the source's; {4}: a mask's registers; {5}: a scalar
// source.
struct Form {
  const char* name;
  Class what;
  const char* text;
  u32 generations = ~0u;  // bits below
  bool chains = true;
};

enum : u32 {
  g6 = 1 << 0,
  g7 = 1 << 1,
  g8 = 1 << 2,
  g900 = 1 << 3,
  g906 = 1 << 4,
  g908 = 1 << 5,
  g90a = 1 << 6,
  g942 = 1 << 7,
  g10 = 1 << 8,
  g103 = 1 << 9,
  g11 = 1 << 10,
  g12 = 1 << 11,
  g9 = g900 | g906 | g908 | g90a | g942,
  rdna = g10 | g103 | g11 | g12,
};

u32 generation_of(const Target& target) {
  switch (target.major) {
    case 6:
      return g6;
    case 7:
      return g7;
    case 8:
      return g8;
    case 9:
      return target.name == "gfx900"   ? g900
             : target.name == "gfx906" ? g906
             : target.name == "gfx908" ? g908
             : target.name == "gfx90a" ? g90a
                                       : g942;
    case 10:
      return target.minor >= 3 ? g103 : g10;
    case 11:
      return g11;
    default:
      return g12;
  }
}

constexpr Form forms[] = {
    {"f32_add", Class::full, "v_add_f32 v{0}, v{2}, v2"},
    {"f32_mul", Class::full, "v_mul_f32 v{0}, v{2}, v2"},
    {"f32_max_8_bytes", Class::full, "v_max_f32_e64 v{0}, v{2}, -v2"},
    {"f32_fma", Class::fma, "v_fma_f32 v{0}, v{2}, v2, v3"},
    {"and", Class::full, "v_and_b32 v{0}, v{2}, v2"},
    {"shift", Class::full, "v_lshlrev_b32 v{0}, 1, v{2}"},
    {"bit_field", Class::full, "v_bfe_u32 v{0}, v{2}, 3, 5"},
    {"add3", Class::full, "v_add3_u32 v{0}, v{2}, v2, v3", g9 | rdna},
    {"mul24", Class::full, "v_mul_u32_u24 v{0}, v{2}, v2"},
    {"mad24", Class::full, "v_mad_u32_u24 v{0}, v{2}, v2, v3"},
    {"mul_lo", Class::multiply, "v_mul_lo_u32 v{0}, v{2}, v2"},
    {"mul_hi", Class::multiply, "v_mul_hi_u32 v{0}, v{2}, v2"},
    {"mad_u64_u32", Class::wide_mad, "v_mad_u64_u32 v[{0}:{1}], {4}, v{2}, v2, v[{2}:{3}]", ~(g6 | g12)},
    {"mad_co_u64_u32", Class::wide_mad, "v_mad_co_u64_u32 v[{0}:{1}], {4}, v{2}, v2, v[{2}:{3}]", g12},
    {"i32_to_f32", Class::convert, "v_cvt_f32_i32 v{0}, v{2}"},
    {"f32_to_u32", Class::convert, "v_cvt_u32_f32 v{0}, v{2}"},
    {"f32_to_f16", Class::convert, "v_cvt_f16_f32 v{0}, v{2}"},
    {"rcp", Class::transcendental, "v_rcp_f32 v{0}, v{2}"},
    {"sqrt", Class::transcendental, "v_sqrt_f32 v{0}, v{2}"},
    {"exp", Class::transcendental, "v_exp_f32 v{0}, v{2}"},
    {"sin", Class::transcendental, "v_sin_f32 v{0}, v{2}"},
    {"div_fixup", Class::division, "v_div_fixup_f32 v{0}, v{2}, v2, v3"},
    {"f64_add", Class::f64_add, "v_add_f64 v[{0}:{1}], v[{2}:{3}], v[2:3]"},
    {"f64_mul", Class::f64_fma, "v_mul_f64 v[{0}:{1}], v[{2}:{3}], v[2:3]"},
    {"f64_fma", Class::f64_fma, "v_fma_f64 v[{0}:{1}], v[{2}:{3}], v[2:3], v[2:3]"},
    {"f64_compare", Class::f64_add, "v_cmp_lt_f64_e64 {4}, v[{2}:{3}], v[2:3]", ~0u, false},
    {"f64_from_f32", Class::f64_convert, "v_cvt_f64_f32 v[{0}:{1}], v{2}"},
    {"f64_to_f32", Class::f64_convert, "v_cvt_f32_f64 v{0}, v[{2}:{3}]"},
    {"f64_rcp", Class::f64_transcendental, "v_rcp_f64 v[{0}:{1}], v[{2}:{3}]"},
    {"f64_rsq", Class::f64_transcendental, "v_rsq_f64 v[{0}:{1}], v[{2}:{3}]"},
    {"shift64", Class::shift64, "v_lshl_b64 v[{0}:{1}], v[{2}:{3}], 3", g6 | g7},
    {"shift64", Class::shift64, "v_lshlrev_b64 v[{0}:{1}], 3, v[{2}:{3}]", ~(g6 | g7)},
    {"f16_add", Class::full, "v_add_f16 v{0}, v{2}, v2", ~(g6 | g7)},
    {"f16_packed", Class::full, "v_pk_fma_f16 v{0}, v{2}, v2, v3", g9 | rdna},
    {"f32_packed", Class::full, "v_pk_fma_f32 v[{0}:{1}], v[{2}:{3}], v[2:3], v[2:3]", g90a | g942},
    {"dot4", Class::full, "v_dot4_i32_i8 v{0}, v{2}, v2, v3", g906 | g908 | g90a | g942 | g103},
    {"dot4_iu8", Class::full, "v_dot4_i32_iu8 v{0}, v{2}, v2, v3", g11 | g12},
    {"dot2", Class::full, "v_dot2_f32_f16 v{0}, v{2}, v2, v3", g906 | g908 | g90a | g942 | g103 | g11 | g12},
    {"dpp", Class::full, "v_add_f32_dpp v{0}, v{2}, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf",
     ~(g6 | g7)},
    {"sdwa", Class::full,
     "v_mul_f32_sdwa v{0}, v{2}, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
     g8 | g900 | g906 | g908 | g90a | g10 | g103},
    {"compare", Class::full, "v_cmp_lt_f32_e64 {4}, v{2}, v2", ~0u, false},
    {"cndmask", Class::full, "v_cndmask_b32_e64 v{0}, v{2}, v2, {4}"},
    {"readlane", Class::full, "v_readlane_b32 s{5}, v{2}, 3", ~0u, false},
    {"writelane", Class::full, "v_writelane_b32 v{0}, s3, 5", ~0u, false},
    {"permlane", Class::full, "v_permlane16_b32 v{0}, v{2}, s2, s3", rdna},
    {"two_at_once", Class::full, "v_dual_add_f32 v{0}, v{2}, v2 :: v_dual_mul_f32 v{1}, v{3}, v3", g11 | g12},
    {"scalar_and", Class::scalar, "s_and_b32 s{6}, s{7}, s3"},
};

std::string instruction(const Form& form, const Target& target, bool chain, u32 number) {
  const u32 to = chain ? 4 : 16 + 4 * (number % 8), from = 4;
  const std::string mask = target.major >= 10 ? "s22" : "s[22:23]";
  return fmt::format(fmt::runtime(form.text), to, to + 1, from, from + 1, mask, 40 + number % 8,
                     chain ? 20 : 40 + number % 8, 20);
}

class Instructions : public testing::TestWithParam<std::string> {};

// A few forms a program: what a launch is counted in grows with the code.
void check(const std::string& gpu, std::span<const Form* const> some) {
  const auto machine = load_machine(machine_directory(), gpu);
  ASSERT_TRUE(machine.ok());
  const Target& target = *machine->target;
  const u32 generation = generation_of(target);
  std::vector<Kernel> kernels;
  for (const Form* form : some) {
    for (const bool chain : {false, true}) {
      if (chain && !form->chains) continue;
      add_repeated(kernels, target, fmt::format("{}_{}", form->name, chain ? "chain" : "stream"), 64,
                   [&](u32 n) { return instruction(*form, target, chain, n); });
    }
  }
  const auto module = assembled(target, kernels);
  ASSERT_NE(module, nullptr);
  Bench bench(gpu, *module);
  // The argument's line gets into the second level of every die.
  bench.cycles(kernels[0].name, 1, 64);
  for (const Form* form : some) {
    Cycles expected;
    if (generation & rdna) {
      expected = rdna_cycles((generation & (g11 | g12)) != 0, form->what);
    } else {
      expected.stream = expected.chain = gcn_cycles(gcn.at(gpu), form->what);
    }
    EXPECT_DOUBLE_EQ(cost_of_one(bench, std::string(form->name) + "_stream"), expected.stream)
        << gpu << " " << form->text;
    if (form->chains) {
      EXPECT_DOUBLE_EQ(cost_of_one(bench, std::string(form->name) + "_chain"), expected.chain)
          << gpu << " " << form->text;
    }
  }
}

TEST_P(Instructions, CostWhatTheSourcesSay) {
  const auto machine = load_machine(machine_directory(), GetParam());
  ASSERT_TRUE(machine.ok());
  std::vector<const Form*> all;
  for (const Form& form : forms) {
    if ((form.generations & generation_of(*machine->target)) != 0) all.push_back(&form);
  }
  EXPECT_GT(all.size(), 30u);
  constexpr std::size_t at_once = 6;
  for (std::size_t first = 0; first < all.size(); first += at_once)
    check(GetParam(), std::span(all).subspan(first, std::min(at_once, all.size() - first)));
}

INSTANTIATE_TEST_SUITE_P(AllGpus, Instructions,
                         testing::Values("w7000", "hd7970", "r9-290x", "r9-390", "r9-285", "mi25", "vega64",
                                         "mi50", "mi60", "mi100", "mi210", "mi250x", "mi300x", "mi300a",
                                         "rx5700xt", "rx6900xt", "rx7900xtx", "rx9070xt"),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

// The cost of one `text` on a GPU, `waves_per_simd` waves side by side on each SIMD of a compute unit.
f64 cost(const std::string& gpu, const std::string& text, u32 waves_per_simd = 1) {
  const auto machine = load_machine(machine_directory(), gpu);
  if (!machine.ok()) return 0;
  std::vector<Kernel> kernels;
  add_repeated(kernels, *machine->target, "k", 64, [&](u32) { return text; });
  const auto module = assembled(*machine->target, kernels);
  if (module == nullptr) return 0;
  Bench bench(gpu, *module);
  bench.cycles("k_0", 1, 64);
  return cost_of_one(bench, "k", 1, 4 * waves_per_simd * wave_lanes(*machine->target));
}

// Each repetition is a turn: four cycles on GCN and CDNA, one on RDNA.
TEST(Hints, NopsTakeATurnEach) {
  EXPECT_DOUBLE_EQ(cost("mi60", "s_nop 0"), 4);
  EXPECT_DOUBLE_EQ(cost("mi60", "s_nop 3"), 16);
  EXPECT_DOUBLE_EQ(cost("mi210", "s_nop 7"), 32);
  EXPECT_DOUBLE_EQ(cost("rx6900xt", "s_nop 3"), 4);
}

TEST(Hints, DelaysCostNothingWhereTheWaitIsAnyway) {
  const std::string chain = "v_add_f32 v4, v4, v2";
  EXPECT_DOUBLE_EQ(cost("rx7900xtx", chain), 5);
  EXPECT_DOUBLE_EQ(cost("rx7900xtx", "s_delay_alu instid0(VALU_DEP_1)\n  " + chain), 5);
}

// CDNA 3 issues unpacked f32 multiply-adds of two waves in one turn (clpeak reaches AMD's peak without
// packing); the generations before do not.
TEST(CoIssue, MultiplyAddsOfTwoWaves) {
  EXPECT_DOUBLE_EQ(cost("mi300x", "v_fma_f32 v4, v4, v2, v3", 1), 4);
  EXPECT_DOUBLE_EQ(cost("mi300x", "v_fma_f32 v4, v4, v2, v3", 2), 4);
  // Where waves queue, the loop's ends show.
  EXPECT_NEAR(cost("mi300x", "v_fma_f32 v4, v4, v2, v3", 4), 8, 1);
  EXPECT_NEAR(cost("mi300x", "v_mul_u32_u24 v4, v4, v2", 2), 8, 1);
  EXPECT_NEAR(cost("mi210", "v_fma_f32 v4, v4, v2, v3", 2), 8, 1);
}

// Two waves of each SIMD; `younger` is what the second one begins with. Whether it is done before the first.
bool younger_is_first(const std::string& younger) {
  std::string code =
      "  s_load_dwordx2 s[2:3], s[0:1], 0x0\n  v_readfirstlane_b32 s5, v0\n  s_lshr_b32 s5, s5, 8\n"
      "  s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 .Lolder\n  " +
      younger + "\n.Lolder:\n";
  for (u32 i = 0; i < 200; ++i) code += "  v_mul_f32 v4, v4, v4\n";
  code +=
      "  s_memtime s[8:9]\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v2, s8\n  v_lshlrev_b32 v1, 2, v0\n"
      "  global_store_dword v1, v2, s[2:3]\n  s_waitcnt vmcnt(0)\n";
  const auto module = assembled(*find_target("gfx906"), {{"k", code}});
  if (module == nullptr) return false;
  Bench bench("mi60", *module);
  bench.run("k", bench.buffer(), 1, 512);
  const auto ended = [&bench](u32 item) {
    u32 time = 0;
    EXPECT_TRUE(bench.memory().read(bench.buffer() + item * 4, {reinterpret_cast<u8*>(&time), 4}).ok());
    return time;
  };
  return ended(256) < ended(0);
}

TEST(Hints, PriorityGoesBeforeAge) {
  EXPECT_FALSE(younger_is_first("s_nop 0"));
  EXPECT_TRUE(younger_is_first("s_setprio 1"));
  EXPECT_FALSE(younger_is_first("s_setprio 3\n  s_setprio 0"));
}

}  // namespace
}  // namespace lockstep
