// Definedness through packets of two instructions, swizzles and images; runs that go on after violations.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "exec/check/checked_run.h"
#include "exec/functional.h"
#include "exec/image.h"
#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {
namespace {

constexpr u64 buffer_bytes = 256;

ArgumentValue pointer(u64 address) {
  ArgumentValue value;
  value.bytes.resize(8);
  std::memcpy(value.bytes.data(), &address, 8);
  return value;
}

struct Checked {
  std::optional<Diagnostic> error;
  std::vector<u32> out;
};

struct Options {
  const char* target = "gfx900";
  u32 optimisation = 3;
  u32 global = 64, local = 64;
  CheckSelection checks = CheckSelection::all();
  ViolationLog* log = nullptr;
  std::optional<std::vector<u8>> image = std::nullopt;  // r32f, 8 x 8; empty: nobody writes it
  bool as_ptx = false;                                  // by the rules of PTX, not OpenCL C's
  KernelUse use = KernelUse::loads_and_stores;          // of `out`
};

// A kernel over a written buffer `in`, two unwritten ones `raw` and `out`, 64 words each, and perhaps an
// image. Its body begins at line 2.
Checked run(const std::string& body, const Options& options = {}) {
  Checked result;
  CompileRequest request;
  request.path = "kernel.cl";
  request.source = std::string("__kernel void k(__global int* in, __global int* raw, __global int* out") +
                   (options.image ? ", __read_only image2d_t image" : "") + ")\n" + body;
  request.language = SourceLanguage::opencl_c;
  request.target = find_target(options.target);
  request.optimisation = options.optimisation;
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) {
    ADD_FAILURE() << to_string(loaded.error()) << "\n" << body;
    return result;
  }
  if (options.as_ptx) loaded->module->opencl_c = false;
  DeviceMemory memory(u64{64} << 20);
  memory.track_written();
  const u64 in = *memory.allocate(buffer_bytes, 256, "in");
  const u64 raw = *memory.allocate(buffer_bytes, 256, "raw");
  const u64 out = *memory.allocate(buffer_bytes, 256, "out");
  memory.set_use(out, options.use);
  std::vector<u8> contents(buffer_bytes);
  for (u32 i = 0; i < buffer_bytes / 4; ++i) std::memcpy(&contents[4 * i], &i, 4);
  EXPECT_TRUE(memory.write(in, contents).ok());
  std::vector<ArgumentValue> values{pointer(in), pointer(raw), pointer(out)};
  if (options.image) {
    ImageDescription description;
    description.width = description.height = 8;
    description.format = {ChannelOrder::r, ChannelType::single};
    const auto image = make_image(memory, *request.target, description, *options.image, "image");
    if (!image.ok()) {
      ADD_FAILURE() << to_string(image.error());
      return result;
    }
    values.push_back(pointer(image->descriptor));
  }
  NdRange range;
  range.global = {options.global, 1, 1};
  range.local = {options.local, 1, 1};
  auto launch = PreparedLaunch::make(memory, *loaded->module, *find_kernel(*loaded->module, "k").value(),
                                     range, values, 64);
  if (!launch.ok()) {
    ADD_FAILURE() << to_string(launch.error());
    return result;
  }
  CheckedRun checker(**launch, options.checks, options.log);
  FunctionalOptions functional;
  functional.checker = &checker;
  functional.instructions_per_wave = 100'000;
  const auto ran = run_functional(**launch, functional);
  if (!ran.ok()) result.error = ran.error();
  std::vector<u8> bytes(buffer_bytes);
  EXPECT_TRUE(memory.read(out, bytes).ok());
  result.out.resize(buffer_bytes / 4);
  std::memcpy(result.out.data(), bytes.data(), bytes.size());
  return result;
}

void expect_undefined(const Checked& checked, u32 line) {
  ASSERT_TRUE(checked.error) << "not reported";
  EXPECT_EQ(checked.error->code, "uninitialised-value") << to_string(*checked.error);
  EXPECT_EQ(checked.error->place.line, line) << to_string(*checked.error);
}
void expect_clean(const Checked& checked) {
  EXPECT_FALSE(checked.error) << to_string(*checked.error);
}

// x to v100, y to v101, the packet, then `from` to b, on which a branch depends.
std::string packet(const std::string& instruction, const std::string& from) {
  return "{ int i = get_global_id(0) & 63, x = in[i], y = raw[i], b;\n"
         "  __asm volatile(\"v_mov_b32 v100, %1\\n\\tv_mov_b32 v101, %2\\n\\t" +
         instruction + "\\n\\tv_mov_b32 %0, " + from +
         "\" : \"=v\"(b) : \"v\"(x), \"v\"(y) : \"v100\", \"v101\", \"v102\", \"v103\");\n"
         "  if (b > 3)\n"
         "    atomic_inc(in); }";
}

TEST(CheckedPackets, FollowBothHalves) {
  const Options rdna3{"gfx1100", 3, 32, 32};
  const std::string moves = "v_dual_mov_b32 v102, v100 :: v_dual_mov_b32 v103, v101";
  expect_clean(run(packet(moves, "v102"), rdna3));
  expect_undefined(run(packet(moves, "v103"), rdna3), 4);
}

TEST(CheckedPackets, ReadBeforeEitherWrites) {
  const Options rdna3{"gfx1100", 3, 32, 32};
  const std::string exchange = "v_dual_mov_b32 v100, v101 :: v_dual_mov_b32 v101, v100";
  expect_clean(run(packet(exchange, "v101"), rdna3));
  expect_undefined(run(packet(exchange, "v100"), rdna3), 4);
}

// Each result is as defined as the registers that it is made of.
TEST(CheckedPairs, FollowEachHalf) {
  const Options cdna2{"gfx90a"};
  struct Case {
    const char *instruction, *defined, *undefined;
  };
  for (const Case& test : {
           Case{"v_pk_add_f32 v[102:103], v[100:101], v[100:101]", "v102", "v103"},
           Case{"v_pk_mul_f32 v[102:103], v[100:101], 1.0", "v102", "v103"},
           Case{
               "v_pk_fma_f32 v[102:103], v[100:101], v[100:101], v[100:101] op_sel:[1,1,1] op_sel_hi:[0,0,0]",
               "v103", "v102"},
           Case{"v_pk_fma_f32 v[102:103], v[100:101], v[100:101], v[100:101] op_sel_hi:[0,0,1]", "v102",
                "v103"},
           Case{"v_pk_mov_b32 v[102:103], v[100:101], v[100:101] op_sel:[1,0]", "v103", "v102"},
           Case{"v_pk_mov_b32 v[102:103], v[100:101], v[100:101] op_sel:[0,1]", "v102", "v103"},
       }) {
    SCOPED_TRACE(test.instruction);
    expect_clean(run(packet(test.instruction, test.defined), cdna2));
    expect_undefined(run(packet(test.instruction, test.undefined), cdna2), 4);
  }
}

// Odd lanes receive what even ones loaded, which was written; even lanes what nothing wrote.
std::string swizzled(const char* condition) {
  return std::string(
             "{ int i = get_global_id(0); if ((i & 1) == 0) raw[i] = i;\n"
             "  int w = __builtin_amdgcn_ds_swizzle(raw[i], 0x041F);\n"
             "  if (") +
         condition +
         ")\n"
         "    atomic_inc(in); }";
}

TEST(CheckedSwizzle, FollowsThePattern) {
  expect_clean(run(swizzled("(i & 1) != 0 && w > 3")));
  expect_undefined(run(swizzled("(i & 1) == 0 && w > 3")), 4);
}

const char* image_reader =
    "{ int i = get_global_id(0);\n"
    "  float v = read_imagef(image, (int2)(i & 7, i >> 3)).x;\n"
    "  if (v > 2.0f)\n"
    "    atomic_inc(in); }";

TEST(CheckedImages, TexelsThatNothingWrote) {
  Options options;
  options.image = std::vector<u8>(buffer_bytes, 0x41);
  expect_clean(run(image_reader, options));
  options.image = std::vector<u8>();
  expect_undefined(run(image_reader, options), 4);
}

TEST(CheckedPtx, ReportsWithLines) {
  for (const char* target : {"sm_60", "sm_70"}) {
    for (const u32 optimisation : {0u, 3u}) {
      const Options options{target, optimisation};
      const Checked outside =
          run("{ int i = get_global_id(0);\n"
              "  out[i] = in[i == 7 ? 70 : i]; }",
              options);
      ASSERT_TRUE(outside.error);
      EXPECT_EQ(outside.error->code, "out-of-bounds");
      EXPECT_EQ(outside.error->place.line, 3u);
      EXPECT_NE(outside.error->message.find("work-item (7, 0, 0)"), std::string::npos);
      EXPECT_NE(outside.error->message.find("'in'"), std::string::npos);
      expect_undefined(run("{ int i = get_global_id(0);\n"
                           "  int k = raw[i] & 63;\n"
                           "  out[k] = i; }",
                           options),
                       4);
      expect_undefined(run("{ int i = get_global_id(0);\n"
                           "  long4 v = ((__global long4*)raw)[i & 7];\n"
                           "  atomic_add(&in[i], (int)v.z); }",
                           options),
                       4);
      // Branches by predicates, which comparisons and logic carry.
      expect_undefined(run("{ int i = get_global_id(0);\n"
                           "  if (raw[i] > 5)\n"
                           "    atomic_inc(in); }",
                           options),
                       3);
      expect_undefined(run("{ int i = get_global_id(0);\n"
                           "  float v = ((__global float*)raw)[i];\n"
                           "  if (v < 1.0f && i > 3) atomic_inc(in); }",
                           options),
                       4);
    }
  }
}

TEST(CheckedPtx, LeavesWhatIsDefinedAlone) {
  const char* kernels[] = {
      "{ int i = get_global_id(0); __global uchar* r = (__global uchar*)raw; r[4 * i] = i;\n"
      "  if ((raw[i] & 255) > 9) atomic_inc(in); }",
      "{ int i = get_global_id(0); int v = i > 99 ? raw[i] : 4; bool b = raw[i] > 3;\n"
      "  if (v > 3 && (i < 64 || b)) atomic_inc(in); }",
      "{ int i = get_global_id(0); __global uchar* r = (__global uchar*)raw; r[4 * i] = i;\n"
      "  out[raw[i] & 63] = i; }",
      "{ int i = get_global_id(0); __global uchar* r = (__global uchar*)raw; r[4 * i + 3] = i;\n"
      "  out[((uint)raw[i]) >> 24] = i; }",
      "{ int i = get_global_id(0); __global short* r = (__global short*)raw; r[2 * i] = i;\n"
      "  out[(short)raw[i]] = i; }",
      "{ int i = get_global_id(0); out[i] = raw[i]; out[i] = i; out[out[i] ^ 1] = 2; }",
      "{ int i = get_global_id(0), a[4]; a[i & 3] = i; out[a[i & 3]] = i; }",
      "{ int i = get_global_id(0); __local long l[64]; l[i] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[l[63 - i]] = i; }",
      "{ int i = get_global_id(0); float3 v = (float3)(1, 2, i); __local float3 l[64]; l[i] = v;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); float3 w = l[i]; out[(int)w.z] = 1; }",
  };
  for (const char* target : {"sm_60", "sm_70"}) {
    for (const u32 optimisation : {0u, 3u}) {
      for (const char* kernel : kernels) expect_clean(run(kernel, {target, optimisation}));
    }
  }
}

TEST(ViolationLog, RunsGoOn) {
  for (const char* target : {"gfx900", "gfx1030"}) {
    for (const u32 optimisation : {0u, 3u}) {
      ViolationLog log;
      Options options{target, optimisation, 256, 128};
      options.log = &log;
      const Checked checked =
          run("{ int i = get_global_id(0);\n"
              "  if (i == 5) in[70] = 1;\n"
              "  int v = raw[i & 63];\n"
              "  if (v > 1) atomic_inc(in);\n"
              "  in[1] = i;\n"
              "  out[i & 63] = 7; }",
              options);
      expect_clean(checked);
      for (const u32 value : checked.out) EXPECT_EQ(value, 7u);
      std::set<std::string> codes;
      std::set<u32> lines;
      for (const Diagnostic& diagnostic : log.kept()) {
        codes.insert(diagnostic.code);
        lines.insert(diagnostic.place.line);
      }
      EXPECT_EQ(codes, (std::set<std::string>{"data-race", "out-of-bounds", "uninitialised-value"}))
          << target;
      EXPECT_TRUE(lines.contains(3) && lines.contains(5) && lines.contains(6)) << target;
      EXPECT_GE(log.count(), log.kept().size());
    }
  }
}

TEST(ViolationLog, KeepsEachPlaceOnceAndABoundedNumber) {
  ViolationLog log;
  for (u32 i = 0; i < 1000; ++i) {
    if (log.wanted("x", i / 2)) log.keep({"x", {}, "", ""});
  }
  EXPECT_EQ(log.count(), 1000u);
  EXPECT_EQ(log.kept().size(), ViolationLog::most_kept);
}

TEST(CheckSelection, LeavesOutWhatIsNotAsked) {
  const char* body =
      "{ int i = get_global_id(0);\n"
      "  int v = raw[i & 63];\n"
      "  if (v > 1) atomic_inc(in);\n"
      "  in[i == 9 ? 64 : 1] = i; }";
  Options options;
  options.checks = *parse_checks("values");
  EXPECT_EQ(run(body, options).error->code, "uninitialised-value");
  options.checks = *parse_checks("bounds");
  EXPECT_EQ(run(body, options).error->code, "out-of-bounds");
  options.checks = *parse_checks("races");
  EXPECT_EQ(run(body, options).error->code, "data-race");
  options.checks = *parse_checks("barriers");
  expect_clean(run(body, options));
}

// Neighbours of one wave, an instruction apart: in order by the wave's step, not by the language.
TEST(LaneRaces, AreReportedWhenAskedFor) {
  const char* body =
      "{ __local int l[64]; int i = get_local_id(0);\n"
      "  l[i] = i;\n"
      "  out[i] = l[63 - i]; }";
  Options options;
  expect_clean(run(body, options));
  options.checks = *parse_checks("all,lane-races");
  const Checked checked = run(body, options);
  ASSERT_TRUE(checked.error);
  EXPECT_EQ(checked.error->code, "data-race");
  EXPECT_EQ(checked.error->place.line, 4u);
}

// An exchange that finds something else than it expects writes nothing, in whatever order the lanes act.
TEST(LaneRaces, FailedExchangesAreLoads) {
  for (const char* target : {"gfx900", "gfx1030", "gfx90a", "sm_60", "sm_90"}) {
    SCOPED_TRACE(target);
    Options options{target};
    options.checks = *parse_checks("races,lane-races");
    // in[1] is 1: nobody expects it.
    expect_clean(
        run("{ int i = get_local_id(0);\n"
            "  int v = in[1];\n"
            "  out[i] = v + atomic_cmpxchg(in + 1, 100 + i, 5); }",
            options));
    // One does, and the others come from what it leaves.
    const Checked checked =
        run("{ int i = get_local_id(0);\n"
            "  int v = in[1];\n"
            "  out[i] = v + atomic_cmpxchg(in + 1, i, 5); }",
            options);
    ASSERT_TRUE(checked.error);
    EXPECT_EQ(checked.error->code, "data-race") << to_string(*checked.error);
    EXPECT_NE(to_string(*checked.error).find("work-item (1, 0, 0)"), std::string::npos)
        << to_string(*checked.error);
  }
}

TEST(SameValueRaces, AreReportedWhenAskedFor) {
  const char* body = "{ out[0] = 1; }";
  Options options{"gfx900", 3, 256, 64};
  expect_clean(run(body, options));
  options.checks = *parse_checks("same-value-races");
  const Checked checked = run(body, options);
  ASSERT_TRUE(checked.error);
  EXPECT_EQ(checked.error->code, "data-race");
}

void expect_divergent(const Checked& checked, std::set<u32> lines, const char* says) {
  ASSERT_TRUE(checked.error) << "not reported";
  const std::string text = to_string(*checked.error);
  EXPECT_EQ(checked.error->code, "divergent-barrier") << text;
  EXPECT_TRUE(lines.contains(checked.error->place.line)) << text;
  EXPECT_NE(text.find(says), std::string::npos) << text;
}

const char* const some_lanes =
    "{ __local int l[64]; int i = get_local_id(0); l[i] = i;\n"
    "  if (in[i] > 3)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = l[63 - i]; }";
const char* const two_barriers =
    "{ __local int l[64]; int i = get_local_id(0); l[i] = i;\n"
    "  if (in[i] > 3) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = l[63 - i];\n"
    "  } else {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = l[(i + 7) & 63] * 3;\n"
    "  } }";
const char* const early_return =
    "{ __local int l[64]; int i = get_local_id(0); l[i] = i;\n"
    "  if (in[i] == 9) return;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = l[63 - i]; }";

TEST(CheckedBarriers, OfOpenClInDivergenceAreReportedEverywhere) {
  for (const char* target : {"gfx900", "gfx1030", "sm_60", "sm_70", "sm_90"}) {
    for (const u32 optimisation : {0u, 3u}) {
      SCOPED_TRACE(std::string(target) + " -O" + std::to_string(optimisation));
      const Options options{target, optimisation};
      expect_divergent(run(some_lanes, options), {4}, "work-items do not execute this barrier");
      expect_divergent(run(two_barriers, options), {4, 7}, "work-items do not execute this barrier");
      expect_divergent(run(early_return, options), {4}, "1 of the wave's");
    }
  }
}

TEST(CheckedBuffers, AreUsedAsTheHostPromised) {
  const char* const stores = "{ int i = get_global_id(0);\n  out[i] = in[i]; }";
  const char* const loads = "{ int i = get_global_id(0);\n  in[i] += out[i]; }";
  const char* const atomics = "{ int i = get_global_id(0);\n  atomic_inc(out + i); }";
  for (const char* target : {"gfx900", "gfx1030", "sm_60", "sm_90"}) {
    SCOPED_TRACE(target);
    Options options{target};
    options.checks = *parse_checks("bounds");
    const auto expect_refused = [&](const char* body, const char* says) {
      const Checked checked = run(body, options);
      ASSERT_TRUE(checked.error) << body;
      const std::string text = to_string(*checked.error);
      EXPECT_EQ(checked.error->code, "out-of-bounds") << text;
      EXPECT_EQ(checked.error->place.line, 3u) << text;
      EXPECT_NE(text.find(says), std::string::npos) << text;
    };
    for (const char* body : {stores, loads, atomics}) expect_clean(run(body, options));
    options.use = KernelUse::loads;
    expect_clean(run(loads, options));
    expect_refused(stores, "only read");
    expect_refused(atomics, "only read");
    options.use = KernelUse::stores;
    expect_clean(run(stores, options));
    expect_refused(loads, "only write");
    expect_refused(atomics, "only write");
  }
}

// PTX lets work-items that have ended stay away, and lanes come one after the other.
TEST(CheckedBarriers, OfPtxMayBeDivergent) {
  for (const char* target : {"sm_60", "sm_90"}) {
    Options options{target};
    options.as_ptx = true;
    expect_clean(run(early_return, options));
  }
}

TEST(CheckedBarriers, WavesThatWaitAtDifferentOnesAreReported) {
  const char* body =
      "{ __local int l[128]; int i = get_local_id(0); l[i] = i;\n"
      "  if (i < 64) {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    out[i] = l[127 - i];\n"
      "  } else {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    in[i & 63] = l[(i + 7) & 127] * 3;\n"
      "  } }";
  for (const char* target : {"gfx900", "gfx1030", "sm_60", "sm_70"}) {
    SCOPED_TRACE(target);
    Options options{target, 3, 128, 128};
    options.checks = *parse_checks("barriers");
    expect_divergent(run(body, options), {4, 7}, "wait at different barriers");
    options.as_ptx = true;
    expect_clean(run(body, options));
  }
}

// Branches and loops that all work-items of a group take alike, and what stands behind others.
TEST(CheckedBarriers, InUniformControlFlowAreNotReported) {
  const char* body =
      "{ __local int l[128]; int i = get_local_id(0), n = in[3], sum = 0;\n"
      "  for (int k = 0; k < n; ++k) {\n"
      "    if (i & 1) sum += k; else if (i % 5 == k) continue;\n"
      "    sum ^= in[i & 63];\n"
      "  }\n"
      "  for (int k = 0; k < n; ++k) {\n"
      "    l[i] = sum + k;\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    if (n > 2) { sum += l[127 - i]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "    else { sum -= l[(i + 1) & 127]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "  }\n"
      "  if (i < 64) out[i] = sum; }";
  for (const char* target : {"gfx900", "gfx1030", "sm_60", "sm_70", "sm_90"}) {
    for (const u32 optimisation : {0u, 3u}) {
      SCOPED_TRACE(std::string(target) + " -O" + std::to_string(optimisation));
      expect_clean(run(body, {target, optimisation, 128, 128}));
    }
  }
}

}  // namespace
}  // namespace lockstep
