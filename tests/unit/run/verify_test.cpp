// What a program is asked before anything of it runs, and what keeps a run within bounds where only the run
// can tell: kernels in assembly and PTX, as somebody writes them who means no good.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "functional_launch.h"
#include "isa/gen/module.h"
#include "isa/vliw/module.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

struct Kernel {
  std::string name = "k";
  std::string code = {};
  u32 vector = 4, scalar = 16;
  std::string descriptor = {};  // further directives
  std::string arguments = {};   // entries of .args
  u32 argument_bytes = 16;
  std::string metadata = {};  // further entries of the kernel
};

std::string entry_of(const Kernel& kernel) {
  std::string text = fmt::format(
      "  - .name: {0}\n    .symbol: {0}.kd\n    .kernarg_segment_size: {1}\n    .kernarg_segment_align: 8\n"
      "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n"
      "    .sgpr_count: {2}\n    .vgpr_count: {3}\n",
      kernel.name, kernel.argument_bytes, kernel.scalar, kernel.vector);
  if (kernel.metadata.find(".max_flat_workgroup_size") == std::string::npos)
    text += "    .max_flat_workgroup_size: 256\n";
  text += kernel.metadata;
  return text + (kernel.arguments.empty() ? "" : "    .args:\n" + kernel.arguments);
}

std::string assembly(const std::string& target, const std::vector<Kernel>& kernels) {
  std::string text = fmt::format(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.text\n", target);
  for (const Kernel& kernel : kernels) {
    text += fmt::format(
        ".globl {0}\n.p2align 8\n.type {0},@function\n{0}:\n{1}.Lend_{0}:\n.size {0}, .Lend_{0}-{0}\n",
        kernel.name, kernel.code);
  }
  text += ".rodata\n";
  for (const Kernel& kernel : kernels) {
    text += fmt::format(
        ".p2align 6\n.amdhsa_kernel {}\n  .amdhsa_next_free_vgpr {}\n  .amdhsa_next_free_sgpr {}\n"
        "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_kernarg_size {}\n{}.end_amdhsa_kernel\n",
        kernel.name, kernel.vector, kernel.scalar, kernel.argument_bytes, kernel.descriptor);
  }
  text += ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n";
  for (const Kernel& kernel : kernels) text += entry_of(kernel);
  return text + "...\n.end_amdgpu_metadata\n";
}

CompileRequest request_of(const std::string& target, const std::vector<Kernel>& kernels) {
  CompileRequest request;
  request.path = "verify.s";
  request.source = assembly(target, kernels);
  request.language = SourceLanguage::assembly;
  request.target = find_target(target);
  return request;
}

// The diagnostic of loading; empty if it loads.
std::string refusal(const std::string& target, const std::vector<Kernel>& kernels) {
  const Expected<LoadedProgram> loaded = load_program(request_of(target, kernels));
  return loaded.ok() ? std::string() : to_string(loaded.error());
}
std::string refused_code(const std::string& target, const std::string& code, u32 vector = 4) {
  return refusal(target, {{.code = code, .vector = vector}});
}

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

// Runs one wave of the kernel and gives what goes wrong.
std::string fault(const CompileRequest& request, const std::string& kernel = "k", u32 items = 64) {
  const Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return to_string(loaded.error());
  const Expected<const Program*> program = find_kernel(*loaded->module, kernel);
  if (!program.ok()) return to_string(program.error());
  DeviceMemory memory(u64{1} << 24);
  NdRange range;
  range.global[0] = range.local[0] = items;
  const std::vector<ArgumentValue> values((*program)->explicit_parameters(),
                                          ArgumentValue{std::vector<u8>(8), 0});
  const auto launch = PreparedLaunch::make(memory, *loaded->module, **program, range, values, 1);
  if (!launch.ok()) return to_string(launch.error());
  const auto done = run_functional(**launch, {});
  return done.ok() ? std::string() : to_string(done.error());
}

TEST(Verify, VectorRegistersBeyondTheKernels) {
  const std::string said = refused_code("gfx900", "  v_mov_b32 v255, 1\n  s_endpgm\n");
  expect_within(said, "register-range");
  expect_within(said, "register v255 does not exist: the kernel has 4 vector registers, v0 to v3");
  expect_within(said, "kernel 'k'");
  expect_within(said, "v_mov_b32");
  expect_within(said, ".amdhsa_next_free_vgpr");
  EXPECT_EQ(refused_code("gfx900", "  v_mov_b32 v3, 1\n  s_endpgm\n"), "");
  // Registers come in granules: the hardware has what the descriptor says, rounded up.
  EXPECT_EQ(refused_code("gfx900", "  v_mov_b32 v7, 1\n  s_endpgm\n", 5), "");
  EXPECT_NE(refused_code("gfx900", "  v_mov_b32 v8, 1\n  s_endpgm\n", 5), "");
}

TEST(Verify, SecondAndImpliedRegisters) {
  for (const char* code : {"global_load_dwordx4 v[1:4], v[0:1], off", "ds_read2_b64 v[1:4], v0",
                           "v_mad_u64_u32 v[3:4], vcc, v0, v1, 0", "v_lshlrev_b64 v[3:4], 1, v[0:1]",
                           "global_store_dwordx3 v[0:1], v[2:4], off", "ds_write2_b64 v0, v[1:2], v[3:4]",
                           "v_cmp_eq_u64 vcc, v[3:4], 0", "v_add_f64 v[0:1], v[0:1], v[3:4]"}) {
    expect_within(refused_code("gfx900", fmt::format("  {}\n  s_endpgm\n", code)),
                  "register v4 does not exist");
  }
  expect_within(refused_code("gfx1100", "  v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v9, v2\n  s_endpgm\n"),
                "register v9 does not exist");
}

TEST(Verify, MatrixAndAccumulationRegisters) {
  const std::string mfma = "  v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\n  s_endpgm\n";
  expect_within(refused_code("gfx908", mfma), "accumulation");
  EXPECT_EQ(refused_code("gfx908", mfma, 32), "");
  const Kernel split{.code = "  v_accvgpr_write_b32 a3, 1\n  v_accvgpr_write_b32 a4, 1\n  s_endpgm\n",
                     .vector = 16,
                     .descriptor = "  .amdhsa_accum_offset 12\n"};
  expect_within(refusal("gfx90a", {split}),
                "register a4 does not exist: the kernel has 4 accumulation registers");
  Kernel architectural = split;
  architectural.code = "  v_mov_b32 v12, 1\n  s_endpgm\n";
  expect_within(refusal("gfx90a", {architectural}), "register v12 does not exist");
  const Kernel blocks{.code = "  v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15] cbsz:3 abid:1\n  s_endpgm\n",
                      .vector = 32};
  expect_within(refusal("gfx908", {blocks}), "4 blocks");
  Kernel abid = blocks;
  abid.code = "  v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15] cbsz:1 abid:2\n  s_endpgm\n";
  expect_within(refusal("gfx908", {abid}), "4 blocks");
}

// CDNA 2 and later have one file for both kinds, and .vgpr_count counts both; CDNA 1 has two.
TEST(Verify, AccumulatorsAreCountedOnce) {
  const auto needs = [](const char* target, u32 vector, u32 accumulation) {
    const Kernel kernel{.code = "  s_endpgm\n",
                        .vector = vector,
                        .descriptor = std::string(target) == "gfx90a" ? "  .amdhsa_accum_offset 64\n" : "",
                        .metadata = fmt::format("    .agpr_count: {}\n", accumulation)};
    const Expected<LoadedProgram> loaded = load_program(request_of(target, {kernel}));
    EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : to_string(loaded.error()));
    return loaded.ok() ? loaded->module->programs.front().needs : KernelNeeds{};
  };
  const auto mi250x = load_machine(machine_directory(), "mi250x"),
             mi100 = load_machine(machine_directory(), "mi100");
  ASSERT_TRUE(mi250x.ok() && mi100.ok());
  const OccupancyInput both = occupancy_input(needs("gfx90a", 256, 192), 64, 0);
  EXPECT_EQ(both.vector_registers, 64u);
  EXPECT_EQ(both.accumulator_registers, 192u);
  const Expected<Occupancy> waves = evaluate_occupancy(occupancy_rules(*mi250x), both);
  ASSERT_TRUE(waves.ok());
  EXPECT_EQ(waves->waves_per_cu, 8u) << "two of each SIMD's 512";
  EXPECT_TRUE(
      evaluate_occupancy(occupancy_rules(*mi250x), occupancy_input(needs("gfx90a", 512, 256), 64, 0)).ok());
  const Expected<Occupancy> apart =
      evaluate_occupancy(occupancy_rules(*mi100), occupancy_input(needs("gfx908", 128, 128), 64, 0));
  ASSERT_TRUE(apart.ok());
  EXPECT_EQ(apart->waves_per_cu, 8u);
}

TEST(Verify, ScalarRegisters) {
  expect_within(refusal("gfx900", {{.code = "  s_mov_b32 s40, 1\n  s_endpgm\n", .scalar = 16}}),
                "register s40 does not exist");
  expect_within(
      refusal("gfx900", {{.code = "  s_load_dwordx16 s[24:39], s[0:1], 0\n  s_endpgm\n", .scalar = 16}}),
      "register s39 does not exist");
  EXPECT_EQ(refusal("gfx900", {{.code = "  s_mov_b64 vcc, s[0:1]\n  s_mov_b32 m0, 1\n  s_endpgm\n"}}), "");
  // RDNA gives every wave all of them.
  EXPECT_EQ(refusal("gfx1030", {{.code = "  s_mov_b32 s105, 1\n  s_endpgm\n"}}), "");
}

TEST(Verify, CalledFunctionsCountForTheirCallers) {
  const std::string calls =
      "  s_getpc_b64 s[4:5]\n  s_add_u32 s4, s4, f@rel32@lo+4\n  s_addc_u32 s5, s5, f@rel32@hi+12\n"
      "  s_swappc_b64 s[30:31], s[4:5]\n  s_endpgm\n"
      "f:\n  v_mov_b32 v40, 1\n  s_setpc_b64 s[30:31]\n";
  expect_within(refusal("gfx900", {{.code = calls, .scalar = 32}}), "register v40 does not exist");
  EXPECT_EQ(refusal("gfx900", {{.code = calls, .vector = 41, .scalar = 32}}), "");
  // A call by an address that only the run knows harms nobody.
  const std::string unknown =
      "  s_getpc_b64 s[4:5]\n  s_mov_b32 s6, 12\n  s_add_u32 s4, s4, s6\n  s_swappc_b64 s[30:31], s[4:5]\n"
      "  v_mov_b32 v40, 1\n  s_endpgm\n";
  EXPECT_EQ(fault(request_of("gfx900", {{.code = unknown, .vector = 41, .scalar = 32}})), "");
  const std::string into_another =
      "  s_getpc_b64 s[4:5]\n  s_mov_b32 s6, 252\n  s_add_u32 s4, s4, s6\n  s_addc_u32 s5, s5, 0\n"
      "  s_setpc_b64 s[4:5]\n";
  EXPECT_EQ(
      fault(request_of("gfx900", {{.name = "a", .code = into_another},
                                  {.name = "b", .code = "  v_mov_b32 v200, 1\n  s_endpgm\n", .vector = 201}}),
            "a"),
      "");
}

TEST(Verify, ControlPastTheEndFaults) {
  for (const char* code : {"  s_nop 0\n", "  v_mov_b32 v0, 1\n"}) {
    const std::string said = fault(request_of("gfx900", {{.code = code}}));
    expect_within(said, "past-end");
    expect_within(said, "kernel 'k'");
    expect_within(said, "s_endpgm");
  }
  // Data within the code are no instructions.
  expect_within(fault(request_of(
                    "gfx1100", {{.code = "  s_nop 0\n  v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2\n"}})),
                "past-end");
}

// Timing meets the end where execution does: in every wave, or in the only one that comes there.
TEST(Verify, ControlPastTheEndFaultsWhenTimed) {
  const Expected<Machine> machine = load_machine(machine_directory(), "mi25");
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  struct Case {
    const char* code;
    u32 line;  // the last instruction's: the code begins in line 7
    u32 groups;
    const char* where;
  };
  for (const Case& test :
       {Case{"  s_nop 0\n", 7, 1, "work-item (0, 0, 0), local (0, 0, 0), group (0, 0, 0)"},
        Case{"  v_mov_b32 v0, 1\n  s_nop 0\n", 8, 1, "work-item (0, 0, 0), local (0, 0, 0), group (0, 0, 0)"},
        Case{"  s_cmp_eq_u32 s2, 5\n  s_cbranch_scc1 .Lpast\n  s_endpgm\n.Lpast:\n  s_nop 0\n", 11, 16,
             "work-item (320, 0, 0), local (0, 0, 0), group (5, 0, 0)"}}) {
    SCOPED_TRACE(test.code);
    const Expected<LoadedProgram> loaded = load_program(request_of("gfx900", {{.code = test.code}}));
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    std::string executed;
    for (const bool timed : {false, true}) {
      DeviceMemory memory;
      NdRange range;
      range.global = {64 * test.groups, 1, 1};
      range.local = {64, 1, 1};
      SimulationOptions options;
      options.timed = timed;
      const Expected<RunData> run =
          execute(memory, *machine, *loaded->module, **find_kernel(*loaded->module, "k"), range, {}, options);
      ASSERT_TRUE(run.ok()) << to_string(run.error());
      ASSERT_TRUE(run->failed) << (timed ? "timed" : "not timed");
      EXPECT_FALSE(run->stopped);
      EXPECT_EQ(run->failed->code, "past-end");
      EXPECT_EQ(run->failed->place.file, "verify.s");
      EXPECT_EQ(run->failed->place.line, test.line);
      const std::string said = to_string(*run->failed);
      expect_within(said, "control ran past 0x");
      expect_within(said, std::string("kernel 'k', ") + test.where);
      expect_within(said, "a kernel ends with s_endpgm");
      if (!timed) executed = said;
      EXPECT_EQ(said, executed);
    }
  }
}

// Behind the last kernel nothing lies, behind another one the next: the same holds on all ISAs whose text
// names what follows.
TEST(Verify, ControlPastTheEndFaultsOnVliwAndGen9) {
  const std::string gen =
      "//@lockstep gen 1\n//@lockstep info kernels:\n//@lockstep info   - name: k\n"
      "//@lockstep info     execution_env:\n//@lockstep info       grf_count: 128\n"
      "//@lockstep info       simd_size: 8\n//@lockstep kernel k\n";
  const std::string vliw =
      "\t.section\t.AMDGPU.config\n\t.long\t166100\n\t.long\t4\n\t.text\n\t.type\tk,@function\nk:\n";
  const std::string other = "\t.type\tother,@function\nother:\n\tNOP\n\tCF_END\n";
  struct Case {
    const char* gpu;
    std::string text;
    const char* hint;
  };
  const std::string end_of_thread = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  for (const Case& test :
       {Case{"hd530",
             gen + "/* [0000] */ jmpi (1|M0) L32\n/* [0010] */ " + end_of_thread +
                 "/* [0020] */ (f0.0) jmpi (1|M0) L16\n",
             "a thread ends with a message that says EOT"},
        Case{
            "hd5870",
            vliw + "\tLOOP_START_DX10 @3\n\tLOOP_BREAK @2\n\tJUMP @5 POP:0\n\tEND_LOOP @1\n\tCF_END\n\tNOP\n",
            "ends with CF_END"},
        Case{"hd6970",
             vliw +
                 "\tLOOP_START_DX10 @3\n\tLOOP_BREAK @2\n\tJUMP @5 POP:0\n\tEND_LOOP @1\n\tCF_END\n\tNOP\n" +
                 other,
             "ends with CF_END"}}) {
    SCOPED_TRACE(test.gpu);
    const Expected<Machine> machine = load_machine(machine_directory(), test.gpu);
    ASSERT_TRUE(machine.ok()) << to_string(machine.error());
    const auto module = machine->target->isa == IsaFamily::gen
                            ? gen::load_module(test.text, *machine->target, "k.s")
                            : vliw::load_module(test.text, *machine->target, "k.s");
    ASSERT_TRUE(module.ok()) << to_string(module.error());
    for (const bool timed : {false, true}) {
      DeviceMemory memory;
      NdRange range;
      range.global = {8, 1, 1};
      range.local = {8, 1, 1};
      SimulationOptions options;
      options.timed = timed;
      const Expected<RunData> run =
          execute(memory, *machine, **module, **find_kernel(**module, "k"), range, {}, options);
      ASSERT_TRUE(run.ok()) << to_string(run.error());
      ASSERT_TRUE(run->failed) << (timed ? "timed" : "not timed");
      EXPECT_EQ(run->failed->code, "past-end");
      const std::string said = to_string(*run->failed);
      expect_within(said, "control ran past 0x");
      expect_within(said, "kernel 'k', work-item (0, 0, 0)");
      expect_within(said, test.hint);
    }
  }
}

TEST(Verify, BranchesLeadToInstructions) {
  expect_within(refused_code("gfx900", "  s_branch .Lend_k\n"), "bad-jump");
  expect_within(refused_code("gfx900", "  s_branch 1\n  v_mov_b32 v0, 0x12345678\n  s_endpgm\n"), "bad-jump");
  expect_within(refused_code("gfx900", "  s_cbranch_scc1 1\n  s_nop 0\n"), "bad-jump");
}

TEST(Verify, EachKernelHasItsOwnWaveWidth) {
  // Stores how many lanes a mask of all ones has, and EXEC's upper half.
  const std::string store =
      "  s_load_dwordx2 s[4:5], s[0:1], 0\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v1, 0\n"
      "  v_mov_b32 v2, -1\n  v_mbcnt_lo_u32_b32 v2, -1, 0\n  v_mbcnt_hi_u32_b32 v2, -1, v2\n  v_lshlrev_b32 "
      "v3, 2, v0\n"
      "  global_store_dword v3, v2, s[4:5]\n  s_endpgm\n";
  const std::string argument =
      "      - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n"
      "        .address_space: global\n";
  const std::vector<Kernel> kernels = {
      {.name = "narrow",
       .code = store,
       .descriptor = "  .amdhsa_wavefront_size32 1\n",
       .arguments = argument},
      {.name = "wide", .code = store, .descriptor = "  .amdhsa_wavefront_size32 0\n", .arguments = argument}};
  for (const bool wide_first : {false, true}) {
    FunctionalLaunch launch(
        request_of("gfx1030", wide_first ? std::vector<Kernel>{kernels[1], kernels[0]} : kernels));
    ASSERT_TRUE(launch.loaded());
    EXPECT_EQ(launch.module().find("narrow")->needs.wave_lanes, 32u);
    EXPECT_EQ(launch.module().find("wide")->needs.wave_lanes, 64u);
    for (const auto& [kernel, lanes] : {std::pair("narrow", 32u), std::pair("wide", 64u)}) {
      const u64 out = launch.buffer(std::vector<u32>(128, 999));
      launch.pass(out);
      ASSERT_TRUE(launch.run(kernel, 128, 128));
      const std::vector<u32> got = launch.read<u32>(out, 128);
      for (u32 i = 0; i < 128; ++i) EXPECT_EQ(got[i], i % lanes) << kernel << " " << i;
    }
  }
}

std::string argument(u32 offset, u32 size, const std::string& kind) {
  return fmt::format("      - .offset: {}\n        .size: {}\n        .value_kind: {}\n", offset, size, kind);
}
std::string refused_arguments(const std::string& arguments, u32 bytes = 64) {
  return refusal("gfx900", {{.code = "  s_endpgm\n", .arguments = arguments, .argument_bytes = bytes}});
}

TEST(Verify, ArgumentsAreWhatTheyMayBe) {
  EXPECT_EQ(refused_arguments(argument(0, 8, "global_buffer") + argument(8, 8, "hidden_global_offset_x")),
            "");
  expect_within(refused_arguments(argument(0, 4096, "hidden_global_offset_x"), 8192), "has 4096 bytes");
  // What LLVM's assembler refuses, somebody else writes.
  for (const char* kind : {"hidden_global_offset_w", "hidden_global_offset__", "hidden_global_offset_\x7F"}) {
    CompileRequest request = request_of("gfx900", {{.code = "  s_endpgm\n",
                                                    .arguments = argument(0, 8, "hidden_global_offset_x"),
                                                    .argument_bytes = 64}});
    const Expected<CompileResult> compiled = compile(request);
    ASSERT_TRUE(compiled.ok());
    std::string object(compiled->object->elf.begin(), compiled->object->elf.end());
    const std::string known = "hidden_global_offset_x";
    ASSERT_NE(object.find(known), std::string::npos);
    object.replace(object.find(known), known.size(), kind);
    request.language = SourceLanguage::code_object;
    request.source = object;
    const Expected<LoadedProgram> loaded = load_program(request);
    ASSERT_FALSE(loaded.ok());
    expect_within(to_string(loaded.error()), "is of no kind that is known");
  }
  expect_within(refused_arguments(argument(60, 8, "global_buffer")),
                "ends at byte 68 of an argument segment of 64");
  expect_within(refused_arguments(argument(4294967292, 8, "global_buffer")), "ends at byte");
  expect_within(refused_arguments(argument(0, 8, "global_buffer") + argument(4, 8, "global_buffer")),
                "overlap");
  expect_within(refused_arguments(argument(0, 4, "global_buffer")), "has 4 bytes, where its kind has 8");
  expect_within(refused_arguments(argument(0, 8, "dynamic_shared_pointer")),
                "has 8 bytes, where its kind has 4");
  expect_within(refusal("gfx900", {{.code = "  s_endpgm\n", .argument_bytes = 1u << 30}}),
                "bytes of its arguments");
  expect_within(
      refusal("gfx900", {{.code = "  s_endpgm\n", .metadata = "    .max_flat_workgroup_size: 4000000000\n"}}),
      "work-items of a group");
}

TEST(Verify, KernelsOfOneName) {
  std::string twice = assembly("gfx900", {{.code = "  s_endpgm\n"}});
  const std::string entry = entry_of({});
  const std::size_t at = twice.find(entry);
  ASSERT_NE(at, std::string::npos);
  twice.insert(at, entry);
  CompileRequest request = request_of("gfx900", {});
  request.source = twice;
  const Expected<LoadedProgram> loaded = load_program(request);
  ASSERT_FALSE(loaded.ok());
  expect_within(loaded.error().message, "kernel 'k' is there twice");
}

// ---- PTX ----
CompileRequest ptx(const std::string& body, const std::string& before = "") {
  CompileRequest request;
  request.path = "verify.ptx";
  request.source = ".version 8.0\n.target sm_80\n.address_size 64\n" + before +
                   ".visible .entry k(.param .u64 p)\n{\n  .reg .b32 %r<8>;\n  .reg .b64 %rd<8>;\n"
                   "  .reg .f32 %f<8>;\n  .reg .pred %p<4>;\n" +
                   body + "  ret;\n}\n";
  request.language = SourceLanguage::ptx;
  request.target = find_target("sm_80");
  return request;
}

TEST(Verify, PtxCallsOnlyWhatItsPrototypeAllows) {
  const std::string functions =
      ".func big(.param .b32 a, .param .b32 b)\n{\n  .reg .b32 %r<200>;\n  ld.param.u32 %r1, [a];\n" +
      [] {
        std::string text;
        for (u32 i = 2; i < 150; ++i) text += fmt::format("  add.u32 %r{}, %r1, {};\n", i, i);
        for (u32 i = 2; i < 150; ++i) text += fmt::format("  st.local.u32 [{}], %r{};\n", 4 * (i % 4), i);
        return text;
      }() +
      "  ret;\n}\n";
  const std::string call = "  mov.u64 %rd1, big;\n  P: .callprototype _ ();\n  call %rd1, P;\n";
  expect_within(fault(ptx(call, functions), "k", 32), "bad-jump");
}

TEST(Verify, ForgedPtxImages) {
  // The handle points at the kernel's own bytes.
  const auto read = [](const std::vector<u32>& words) {
    std::string initial;
    for (const u32 word : words) initial += fmt::format("{}{}", initial.empty() ? "" : ", ", word);
    return fault(
        ptx("  mov.u64 %rd1, words;\n  mov.u32 %r1, 0;\n"
            "  suld.b.2d.v4.b32.zero {%r2, %r3, %r4, %r5}, [%rd1, {%r1, %r1}];\n"
            "  txq.width.b32 %r6, [%rd1];\n  tex.2d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1, %r1}];\n",
            fmt::format(".global .align 64 .b32 words[16] = {{{}}};\n", initial)),
        "k", 32);
  };
  // width, height, depth, row pitch, ..., bits, channels, number, select, texel's bytes
  const std::vector<u32> good = {0, 2, 4, 4, 1, 64, 64, 0, 8, 5, 32, 4, 4, 0x07060504, 16, 0};
  EXPECT_EQ(read(good).find("handle"), std::string::npos);
  for (const auto& [word, value] : std::vector<std::pair<u32, u32>>{{14, 0},
                                                                    {14, 255},
                                                                    {10, 0},
                                                                    {10, 255},
                                                                    {11, 0},
                                                                    {11, 200},
                                                                    {12, 99},
                                                                    {2, 0},
                                                                    {3, 0},
                                                                    {4, 0},
                                                                    {2, ~0u}}) {
    std::vector<u32> forged = good;
    forged[word] = value;
    expect_within(read(forged), "at which no image's descriptor is");
  }
}

TEST(Verify, WidePtxElementsHoldAnAddress) {
  const Expected<LoadedProgram> loaded =
      load_program(ptx("", ".global .b32 x;\n.global .align 16 .b128 y[2] = {x, x};\n"));
  ASSERT_TRUE(loaded.ok());
  const Expected<std::vector<u8>> image = loaded->module->image_at(0x1000);
  ASSERT_TRUE(image.ok());
}

}  // namespace
}  // namespace lockstep
