// Checked runs of small OpenCL kernels: each kind of violation is reported with its line, work-item and
// group, and correct programs that handle unwritten bytes are not.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "compile/toolchain.h"
#include "exec/check/checker.h"
#include "exec/functional.h"
#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {
namespace {

// A kernel over one written buffer `in`, one unwritten buffer `raw` and one unwritten buffer `out`, 256 bytes
// each, with 128 work-items in groups of 64.
struct KernelRun {
  bool faulted = false;
  Diagnostic diagnostic;
  std::vector<u8> out;
};

constexpr u64 buffer_bytes = 256;

ArgumentValue pointer(u64 address) {
  ArgumentValue value;
  value.bytes.resize(8);
  std::memcpy(value.bytes.data(), &address, 8);
  return value;
}

KernelRun run_kernel(const std::string& body, u32 optimisation, u32 local_size = 64,
                     const char* target = "gfx900") {
  KernelRun run;
  CompileRequest request;
  request.path = "kernel.cl";
  // The body begins at line 2.
  request.source = "__kernel void k(__global int* in, __global int* raw, __global int* out, int n)\n" + body;
  request.language = SourceLanguage::opencl_c;
  request.target = find_target(target);
  request.optimisation = optimisation;
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) {
    ADD_FAILURE() << to_string(loaded.error()) << "\n" << body;
    return run;
  }
  const Program& program = *find_kernel(*loaded->module, "k").value();
  DeviceMemory memory(u64{64} << 20);
  memory.track_written();
  const u64 in = *memory.allocate(buffer_bytes, 256, "in");
  const u64 raw = *memory.allocate(buffer_bytes, 256, "raw");
  const u64 out = *memory.allocate(buffer_bytes, 256, "out");
  std::vector<u8> contents(buffer_bytes);
  for (u32 i = 0; i < buffer_bytes / 4; ++i) std::memcpy(&contents[4 * i], &i, 4);
  EXPECT_TRUE(memory.write(in, contents).ok());
  std::vector<ArgumentValue> values{pointer(in), pointer(raw), pointer(out)};
  values.push_back({{64, 0, 0, 0}, 0});
  NdRange range;
  range.global = {2 * local_size, 1, 1};
  range.local = {local_size, 1, 1};
  auto launch = PreparedLaunch::make(memory, *loaded->module, program, range, values, 2);
  if (!launch.ok()) {
    ADD_FAILURE() << to_string(launch.error());
    return run;
  }
  RunChecker checker(**launch);
  FunctionalOptions options;
  options.checker = &checker;
  options.instructions_per_wave = 100'000;
  const Expected<FunctionalResult> result = run_functional(**launch, options);
  if (!result.ok()) {
    run.faulted = true;
    run.diagnostic = result.error();
  }
  run.out.resize(buffer_bytes);
  EXPECT_TRUE(memory.read(out, run.out).ok());
  return run;
}

struct Violation {
  const char* name;
  const char* body;
  const char* code;
  u32 line;
  std::vector<const char*> says;
  u32 local_size = 64;
};

class Violations : public testing::TestWithParam<Violation> {};

TEST_P(Violations, IsReportedAtEveryOptimisation) {
  const Violation& expected = GetParam();
  for (const u32 optimisation : {0u, 3u}) {
    const KernelRun run = run_kernel(expected.body, optimisation, expected.local_size);
    ASSERT_TRUE(run.faulted) << "-O" << optimisation << ": not reported";
    const std::string text = to_string(run.diagnostic);
    EXPECT_EQ(run.diagnostic.code, expected.code) << "-O" << optimisation << ": " << text;
    EXPECT_EQ(run.diagnostic.place.line, expected.line) << "-O" << optimisation << ": " << text;
    EXPECT_NE(text.find("kernel 'k'"), std::string::npos) << text;
    for (const char* words : expected.says) {
      EXPECT_NE(text.find(words), std::string::npos)
          << "-O" << optimisation << ": '" << words << "' is missing in\n"
          << text;
    }
  }
}

// As IsReportedAtEveryOptimisation, where registers are bytes.
TEST_P(Violations, IsReportedOnGen9) {
  if (!find_tool(Tool::ocloc).ok() || !find_tool(Tool::iga).ok()) GTEST_SKIP() << "no Intel compiler";
  const Violation& expected = GetParam();
  for (const u32 optimisation : {0u, 3u}) {
    const KernelRun run = run_kernel(expected.body, optimisation, expected.local_size, "gen9");
    ASSERT_TRUE(run.faulted) << "-O" << optimisation << ": not reported";
    const std::string text = to_string(run.diagnostic);
    EXPECT_EQ(run.diagnostic.code, expected.code) << "-O" << optimisation << ": " << text;
    EXPECT_EQ(run.diagnostic.place.line, expected.line) << "-O" << optimisation << ": " << text;
  }
}

const Violation violations[] = {
    {"LoadBehindABuffer",
     "{ int i = get_global_id(0);\n"
     "  int v = in[i < 100 ? i & 63 : i];\n"
     "  out[i & 63] = v; }",
     "out-of-bounds",
     3,
     {"work-item (100, 0, 0)", "group (1, 0, 0)", "local (36, 0, 0)", "load of 4 bytes",
      "112 bytes before 'raw' (256 bytes"}},
    {"StoreBehindABuffer",
     "{ int i = get_global_id(0);\n"
     "  out[i == 127 ? 64 : i & 31] = in[0]; }",
     "out-of-bounds",
     3,
     {"work-item (127, 0, 0)", "group (1, 0, 0)", "store of 4 bytes", "0 bytes behind the end of 'out'"}},
    {"StoreBeforeABuffer",
     "{ int i = get_global_id(0);\n"
     "  in[(i & 31) - (i == 5 ? 6 : 0)] = i; }",
     "out-of-bounds",
     3,
     {"work-item (5, 0, 0)", "group (0, 0, 0)", "4 bytes before 'in'"}},
    {"StraddlingAnEnd",
     "{ int i = get_global_id(0);\n"
     "  vstore2((int2)(i, i), 0, out + (i == 3 ? 63 : 0)); }",
     "out-of-bounds",
     3,
     {"work-item (3, 0, 0)", "it begins in 'out' at byte 252 of 256"}},
    {"NullPointer",
     "{ __global int* p = (__global int*)0;\n"
     "  if (get_global_id(0) == 70)\n"
     "    *(volatile __global int*)p = 1; }",
     "out-of-bounds",
     4,
     {"work-item (70, 0, 0)", "store of 4 bytes at 0x0"}},
    {"AtomicBehindABuffer",
     "{ int i = get_global_id(0);\n"
     "  atomic_add(&in[i & 63 | (i == 9 ? 64 : 0)], 1); }",
     "out-of-bounds",
     3,
     {"work-item (9, 0, 0)", "atomic of 4 bytes"}},
    {"LocalStoreOutside",
     "{ __local int l[64]; int i = get_global_id(0);\n"
     "  l[in[i & 63] == 7 ? 70 : i & 63] = i;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[i & 63] = l[i & 63]; }",
     "out-of-bounds",
     3,
     {"work-item (7, 0, 0)", "local store of 4 bytes at offset 0x118", "256 bytes of local memory"}},
    {"PrivateStoreOutside",
     "{ volatile int a[4]; int i = get_global_id(0); a[0] = 1;\n"
     "  a[in[i & 63] == 12 ? 4000 : i & 3] = i;\n"
     "  out[i & 63] = a[0]; }",
     "out-of-bounds",
     3,
     {"work-item (12, 0, 0)", "private store of 4 bytes"}},
    {"MisalignedAtomic",
     "{ int i = get_global_id(0);\n"
     "  atomic_add((volatile __global int*)((__global char*)in + (i == 2 ? 2 : 0)), 1); }",
     "misaligned-access",
     3,
     {"work-item (2, 0, 0)"}},
    {"BranchOnUnwrittenBuffer",
     "{ int i = get_global_id(0);\n"
     "  int v = raw[i & 63];\n"
     "  if (v > 3)\n"
     "    out[i & 63] = atomic_inc(in); }",
     "uninitialised-value",
     4,
     {"work-item (0, 0, 0)", "group (0, 0, 0)", "loaded at kernel.cl:3 from 'raw', byte 0"}},
    {"UniformBranchOnUnwrittenBuffer",
     "{ int v = raw[5];\n"
     "  if (v == 3)\n"
     "    atomic_inc(in); }",
     "uninitialised-value",
     3,
     {"from 'raw', byte 20"}},
    {"LoopOnUnwrittenBuffer",
     "{ int i = get_global_id(0), s = 0;\n"
     "  int n2 = raw[i & 63] & 15;\n"
     "  for (int j = 0; j < n2; ++j) s += in[(i + j) & 63];\n"
     "  out[i & 63] = s; }",
     "uninitialised-value",
     4,
     {"from 'raw'"}},
    {"AddressFromUnwrittenBuffer",
     "{ int i = get_global_id(0);\n"
     "  int k = raw[i & 63] & 63;\n"
     "  out[k] = i; }",
     "uninitialised-value",
     4,
     {"the address of a store", "loaded at kernel.cl:3 from 'raw', byte 0"}},
    {"LocalAddressFromUnwrittenBuffer",
     "{ __local int l[64]; int i = get_global_id(0); l[i & 63] = i;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE); int k = raw[i & 63] & 63;\n"
     "  out[i & 63] = l[k]; }",
     "uninitialised-value",
     4,
     {"the address of a load", "from 'raw', byte 0"}},
    {"AtomicOperandFromUnwrittenBuffer",
     "{ int i = get_global_id(0);\n"
     "  int k = raw[i & 63];\n"
     "  atomic_xor(&in[i & 63], k); }",
     "uninitialised-value",
     4,
     {"takes an operand that nothing wrote", "from 'raw', byte 0"}},
    {"AtomicOnUnwrittenBuffer",
     "{ int i = get_global_id(0);\n"
     "  atomic_xor(&raw[i & 63], i); }",
     "uninitialised-value",
     3,
     {"changes memory that nothing wrote"}},
    {"BranchOnUnwrittenLocalMemory",
     "{ __local int l[64]; int i = get_global_id(0);\n"
     "  if ((i & 63) < 60) l[i & 63] = i;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (l[63 - (i & 63)] > 5)\n"
     "    atomic_inc(in); }",
     "uninitialised-value",
     5,
     {"byte 252 of local memory"}},
    {"BranchOnUnwrittenVariable",
     "{ volatile int a[8]; int i = get_global_id(0); a[0] = 0;\n"
     "  a[in[i & 63] & 3] = i;\n"
     "  if (a[(in[i & 63] & 3) + 4] == 9)\n"
     "    atomic_inc(in); }",
     "uninitialised-value",
     4,
     {"private memory that nothing wrote"}},
    {"BranchOnComputedUnwrittenValue",
     "{ int i = get_global_id(0);\n"
     "  float v = fabs((float)raw[i & 63]) * 2.0f + 1.0f;\n"
     "  if (v > (float)in[0])\n"
     "    atomic_inc(in); }",
     "uninitialised-value",
     4,
     {"from 'raw'"}},
    {"BarrierInDivergence",
     "{ __local int l[64]; int i = get_global_id(0); l[i & 63] = i;\n"
     "  if (in[i & 63] > 3)\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[i & 63] = l[63 - (i & 63)]; }",
     "divergent-barrier",
     4,
     {"a barrier in divergent control flow", "4 of the wave's 64 work-items", "work-item (0, 0, 0)"}},
    {"BarrierThatOneWaveLeavesOut",
     "{ int i = get_local_id(0);\n"
     "  if (in[i >> 6] == 0)\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[i & 63] = i; }",
     "barrier-not-reached",
     4,
     {"1 of the group's 2 waves"},
     128},
    {"EndlessLoop",
     "{ volatile __global int* p = in;\n"
     "  while (p[0] == 0)\n"
     "    ;\n"
     "  out[0] = 1; }",
     "endless-loop",
     3,
     {"100000 instructions"}},
};

INSTANTIATE_TEST_SUITE_P(Checker, Violations, testing::ValuesIn(violations),
                         [](const auto& info) { return std::string(info.param.name); });

// Stores to what a program may not write.
TEST(Checker, StoreIntoTheArguments) {
  const char* body =
      "{ __global int* p = (__global int*)(ulong)__builtin_amdgcn_kernarg_segment_ptr();\n"
      "  *(volatile __global int*)p = 1; }";
  for (const u32 optimisation : {0u, 3u}) {
    const KernelRun run = run_kernel(body, optimisation);
    ASSERT_TRUE(run.faulted);
    EXPECT_EQ(run.diagnostic.code, "out-of-bounds");
    EXPECT_NE(to_string(run.diagnostic).find("may not write"), std::string::npos)
        << to_string(run.diagnostic);
  }
}

void PrintTo(const Violation& violation, std::ostream* out) {
  *out << violation.name;
}

struct Clean {
  const char* name;
  const char* body;
  u32 least_optimisation = 0;  // on Gen9
};
void PrintTo(const Clean& clean, std::ostream* out) {
  *out << clean.name;
}
class CleanKernels : public testing::TestWithParam<Clean> {};

TEST_P(CleanKernels, IsNotReported) {
  for (const u32 optimisation : {0u, 1u, 3u}) {
    const KernelRun run = run_kernel(GetParam().body, optimisation);
    EXPECT_FALSE(run.faulted) << "-O" << optimisation << ": " << to_string(run.diagnostic);
  }
}

TEST_P(CleanKernels, IsNotReportedOnGen9) {
  if (!find_tool(Tool::ocloc).ok() || !find_tool(Tool::iga).ok()) GTEST_SKIP() << "no Intel compiler";
  for (const u32 optimisation : {0u, 1u, 3u}) {
    if (optimisation < GetParam().least_optimisation) continue;
    const KernelRun run = run_kernel(GetParam().body, optimisation, 64, "gen9");
    EXPECT_FALSE(run.faulted) << "-O" << optimisation << ": " << to_string(run.diagnostic);
  }
}

const Clean clean_kernels[] = {
    {"CopyOfUnwrittenBytes", "{ int i = get_global_id(0) & 63; out[i] = raw[i]; }"},
    {"ArithmeticOnUnwrittenBytes", "{ int i = get_global_id(0) & 63; out[i] = raw[i] * 3 + in[i]; }"},
    {"FloatArithmeticOnUnwrittenBytes",
     "{ int i = get_global_id(0) & 63; out[i] = (int)((float)raw[i] * 8.0f + 1.0f); }"},
    {"MaskedByte",
     "{ int i = get_global_id(0) & 63; __global uchar* r = (__global uchar*)raw; r[4 * i] = i;\n"
     "  int v = raw[i] & 255; if (v > 31) out[i] = v; else out[i] = -v; }"},
    {"ShiftedByte",
     "{ int i = get_global_id(0) & 63; __global uchar* r = (__global uchar*)raw; r[4 * i + 3] = i;\n"
     "  uint v = ((uint)raw[i]) >> 24; if (v > 31) out[i] = v; else out[i] = 7; }"},
    {"MiddleByte",
     "{ int i = get_global_id(0) & 63; __global uchar* r = (__global uchar*)raw; r[4 * i + 1] = i;\n"
     "  uint v = (((uint)raw[i]) >> 8) & 255; if (v > 31) out[i] = v; else out[i] = in[v]; }"},
    {"ByteToFloat",
     "{ int i = get_global_id(0) & 63; __global uchar* r = (__global uchar*)raw; r[4 * i + 2] = i;\n"
     "  float v = (float)((((uint)raw[i]) >> 16) & 255); if (v > 31.0f) out[i] = (int)v; else out[i] = 7; }"},
    {"SignedShorts",
     "{ int i = get_global_id(0) & 63; __global char* r = (__global char*)raw; r[4 * i] = i - 9;\n"
     "  r[4 * i + 1] = i < 9 ? -1 : 0; int v = (short)raw[i]; if (v < 0) out[i] = v; else out[i] = in[v]; }"},
    {"BitField",
     "{ int i = get_global_id(0) & 63; int v = (raw[i] & ~0xf8) | ((i << 3) & 0xf8);\n"
     "  int field = (v >> 3) & 31; if (field > 15) out[i] = field; else out[i] = in[field]; }"},
    {"BitFieldInGlobalMemory",
     "{ int i = get_global_id(0) & 63; raw[i] = (raw[i] & ~0xf8) | ((i << 3) & 0xf8);\n"
     "  if ((raw[i] & 0xf8) > 15 * 8) out[i] = 1; else out[i] = in[(raw[i] & 0xf8) >> 3]; }"},
    {"PaddedStruct",
     "{ struct { char a; int b; } s, t; int i = get_global_id(0) & 63; s.a = i; s.b = i * 3; t = s;\n"
     "  if (t.a > 20) out[i] = t.b; else out[i] = in[t.b & 63]; }"},
    {"Float3",
     "{ float3 v = (float3)(1, 2, 3); int i = get_global_id(0) & 63; __global float3* r = (__global "
     "float3*)raw;\n"
     "  r[i & 15] = v; float3 w = r[i & 15]; if (w.x + w.z > (float)i) out[i] = 1; else out[i] = 2; }"},
    {"HalfInitialisedArray",
     "{ int a[8]; int i = get_global_id(0) & 63; for (int j = 0; j < 4; ++j) a[j] = in[(i + j) & 63];\n"
     "  int s = 0; for (int j = 0; j < 4; ++j) if (a[j] > 3) s += a[j]; out[i] = s; }"},
    {"DynamicArray",
     "{ int a[8]; int i = get_global_id(0) & 63; for (int j = 0; j < 8; ++j) a[j] = in[(i + j) & 63];\n"
     "  if (a[i & 7] > 30) out[i] = a[(i + 3) & 7]; else out[i] = in[a[i & 3] & 63]; }"},
    {"SelectedNotUsed",
     "{ int i = get_global_id(0) & 63; int v = (i & 1) ? raw[i] : in[i]; if ((i & 1) == 0 && v > 4) out[i] = "
     "v;\n"
     "  else out[i] = 1; }"},
    {"SelectThenBranch",
     "{ int i = get_global_id(0) & 63; int v = raw[i]; v = (i >= 0) ? in[i] : v; if (v > 9) out[i] = 1;\n"
     "  else out[i] = 2; }"},
    {"TimesZero", "{ int i = get_global_id(0) & 63; int v = raw[i] & 0; out[i] = in[v]; }"},
    {"XorItself",
     "{ int i = get_global_id(0) & 63; volatile int v; int a = v; int b = a ^ a; if (b == 0) out[i] = in[b]; "
     "}",
     1},  // Intel's compiler loads the variable twice without optimisation
    {"LocalMemory",
     "{ __local int l[64]; int i = get_local_id(0); l[i] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (l[63 - i] > 10) out[i] = l[i ^ 1]; else out[i] = in[l[i]]; }"},
    {"LocalReduction",
     "{ __local int l[64]; int i = get_local_id(0); l[i] = in[i];\n"
     "  for (int s = 32; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (i < s) l[i] += l[i + s]; }\n"
     "  if (i == 0) out[get_group_id(0)] = l[0]; }"},
    {"LocalAtomics",
     "{ __local int c[4]; int i = get_local_id(0); if (i < 4) c[i] = 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  int k = atomic_inc(&c[i & 3]); barrier(CLK_LOCAL_MEM_FENCE); out[k] = c[i & 3]; }"},
    {"AtomicExchangeInitialises",
     "{ int i = get_global_id(0); if (i < 64) { atomic_xchg(&raw[i], i); if (raw[i] == 3) out[i] = 1; } }"},
    {"AtomicCounterGivesPlaces", "{ int k = atomic_inc(&in[0]); if (k < 64) out[k] = k; }"},
    {"ByteLocalMemory",
     "{ __local uchar l[64]; int i = get_local_id(0); l[i] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (l[63 - i] > 10) out[i] = l[i ^ 1]; else out[i] = in[l[i]]; }"},
    {"UnalignedDwords",
     "{ int i = get_global_id(0) & 31; typedef int __attribute__((aligned(1))) loose;\n"
     "  __global loose* p = (__global loose*)((__global char*)in + i + 1); out[i] = *p; }"},
    {"UnalignedLocal",
     "{ __local int l[65]; int i = get_local_id(0); l[i] = i; if (i == 0) l[64] = 0;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE); typedef int __attribute__((aligned(2))) loose;\n"
     "  __local loose* p = (__local loose*)((__local char*)l + 2 * i); out[i] = *p; }"},
    {"ShortCircuit",
     "{ int i = get_global_id(0); if (i < 60 && in[i & 63] > 3 && (i & 1)) out[i & 63] = 1; }"},
    {"NestedLoops",
     "{ int i = get_global_id(0) & 63; int s = 0; for (int j = 0; j < (in[i] & 7); ++j) {\n"
     "  if (in[(i + j) & 63] & 1) continue; for (int k = j; k < 8; ++k) { if (in[k] > 5) break; s += k; } }\n"
     "  out[i] = s; }"},
    {"Switch",
     "{ int i = get_global_id(0) & 63; int r; switch (in[i] % 5) { case 0: r = 1; break; case 1: r = i; "
     "break;\n"
     "  case 3: r = in[i ^ 1]; break; default: r = 9; } if (r > 4) out[i] = r; else out[i] = in[r]; }"},
    {"ConstantTable",
     "{ const int t[8] = {3, 1, 4, 1, 5, 9, 2, 6}; int i = get_global_id(0) & 63;\n"
     "  if (t[in[i] & 7] > 3) out[i] = t[i & 7]; else out[i] = in[t[i & 7]]; }"},
    {"LongDivision",
     "{ int i = get_global_id(0) & 63; long a = in[i] * 1000003L; long b = a / (in[(i + 1) & 63] + 7);\n"
     "  if (b > 100) out[i] = (int)b; else out[i] = in[b & 63]; }"},
    {"CharsPacked",
     "{ int i = get_global_id(0) & 15; uchar4 v = ((__global uchar4*)in)[i]; v += (uchar4)(1, 2, 3, 4);\n"
     "  if (v.y > v.x) out[i] = v.z; else out[i] = v.w; }"},
    {"Function",
     "{ int i = get_global_id(0) & 63; int x = in[i]; for (int j = 0; j < 3; ++j) x = max(x - 5, mul24(x, 3) "
     "& 63);\n"
     "  if (popcount(x) > 2) out[i] = clz(x); else out[i] = in[x & 63]; }"},
    {"Vectors",
     "{ int i = get_global_id(0) & 15; int4 v = vload4(i, in); int4 w = v > (int4)(9) ? v : -v;\n"
     "  if (any(w > (int4)(20))) vstore4(w.wzyx, i, out); else vstore4(w, i, out); }"},
    {"UnwrittenStoredThenOverwritten",
     "{ int i = get_global_id(0) & 63; out[i] = raw[i]; out[i] = in[i]; if (out[i] > 5) raw[i] = 1; }"},
};

INSTANTIATE_TEST_SUITE_P(Checker, CleanKernels, testing::ValuesIn(clean_kernels),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lockstep
