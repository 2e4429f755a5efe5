// PTX under the checks.
#include "exec/check/checked_run.h"
#include "exec/printf.h"
#include "functional_launch.h"

namespace lockstep {
namespace {

// Runs kernel `k` of the body, whose argument is a buffer of `words` words, each its number, with 32
// work-items.
std::optional<Diagnostic> check(const std::string& body, u32 words) {
  CompileRequest request;
  request.path = "kernel.ptx";
  request.source =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 buffer)\n{\n" + body +
      "}\n";
  request.language = SourceLanguage::ptx;
  request.target = find_target("sm_80");
  const Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return loaded.error();
  DeviceMemory memory(u64{64} << 20);
  memory.track_written();
  const u64 buffer = *memory.allocate(words * 4, 256, "buffer");
  std::vector<u32> contents(words);
  for (u32 i = 0; i < words; ++i) contents[i] = i;
  EXPECT_TRUE(memory.write(buffer, {reinterpret_cast<const u8*>(contents.data()), words * 4}).ok());
  ArgumentValue argument;
  argument.bytes.resize(8);
  std::memcpy(argument.bytes.data(), &buffer, 8);
  NdRange range;
  range.global = {32, 1, 1};
  range.local = {32, 1, 1};
  auto launch = PreparedLaunch::make(memory, *loaded->module, *find_kernel(*loaded->module, "k").value(),
                                     range, std::span(&argument, 1), 1);
  if (!launch.ok()) return launch.error();
  CheckedRun checker(**launch, CheckSelection::all(), nullptr);
  FunctionalOptions options;
  options.checker = &checker;
  options.instructions_per_wave = 100'000;
  const auto ran = run_functional(**launch, options);
  return ran.ok() ? std::nullopt : std::optional<Diagnostic>(ran.error());
}

// Work-item i copies 16 bytes from 16 i on and asks for `read` of them.
std::string copies(const std::string& read) {
  return ".reg .u64 %d, %o;\n.reg .u32 %t, %s, %n;\n.reg .pred %p;\n.shared .align 16 .b8 to[512];\n"
         "ld.param.u64 %d, [buffer];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %o, %t, 16;\nadd.u64 %d, %d, %o;\n"
         "mov.u32 %s, to;\nshl.b32 %n, %t, 4;\nadd.u32 %s, %s, %n;\n" +
         read + "cp.async.ca.shared.global [%s], [%d], 16, %n;\ncp.async.wait_all;\nret;\n";
}

// A copy touches no more of its source than it reads.
TEST(PtxChecked, ShortCopiesReadNoFurther) {
  // 126 words: the last copy has 8 bytes left.
  const std::string last = "setp.eq.u32 %p, %t, 31;\nselp.u32 %n, 8, 16, %p;\n";
  const auto fits = check(copies(last), 126);
  EXPECT_FALSE(fits) << to_string(*fits);
  const std::string most = "setp.lt.u32 %p, %t, 31;\nselp.u32 %n, 16, 0, %p;\n";
  const auto none = check(copies(most), 124);
  EXPECT_FALSE(none) << to_string(*none);
  const auto beyond = check(copies("mov.u32 %n, 16;\n"), 126);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->code, "out-of-bounds") << to_string(*beyond);
}

// A wave that runs long without an end or a barrier is tried out for whether it can go on: what it prints
// meanwhile is printed once.
TEST(PtxPrintf, TrialsPrintNothing) {
  constexpr u64 buffer_bytes = 65536;
  for (const char* target : {"sm_60", "sm_70", "gfx900"}) {
    CompileRequest request;
    request.path = "kernel.cl";
    request.source =
        "kernel void k(global volatile int* a) {\n"
        "  int x = 0;\n"
        "  for (int i = 0; i < 200000; ++i) {\n"
        "    x += a[0] ^ i;\n"
        "    if (i % 20000 == 0) printf(\"%d\\n\", i);\n"
        "  }\n"
        "  a[1] = x;\n"
        "}\n";
    request.language = SourceLanguage::opencl_c;
    request.target = find_target(target);
    const Expected<LoadedProgram> loaded = load_program(request);
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    DeviceMemory memory(u64{64} << 20);
    const u64 printed = *memory.allocate(buffer_bytes, 4096, "printf buffer");
    ASSERT_TRUE(prepare_printf_buffer(memory, printed, buffer_bytes, {}).ok());
    const u64 buffer = *memory.allocate(256, 256, "buffer");
    ASSERT_TRUE(memory.write(buffer, std::vector<u8>(256)).ok());
    ArgumentValue argument;
    argument.bytes.resize(8);
    std::memcpy(argument.bytes.data(), &buffer, 8);
    const NdRange range;
    auto launch = PreparedLaunch::make(memory, *loaded->module, *find_kernel(*loaded->module, "k").value(),
                                       range, std::span(&argument, 1), 1, printed);
    ASSERT_TRUE(launch.ok()) << to_string(launch.error());
    const auto ran = run_functional(**launch, {});
    ASSERT_TRUE(ran.ok()) << to_string(ran.error());
    std::vector<u8> bytes(buffer_bytes);
    ASSERT_TRUE(memory.read(printed, bytes).ok());
    std::string expected;
    for (u32 i = 0; i < 200000; i += 20000) expected += std::to_string(i) + "\n";
    EXPECT_EQ(printf_text(bytes, loaded->module->printf_formats), expected) << target;
  }
}

}  // namespace
}  // namespace lockstep
