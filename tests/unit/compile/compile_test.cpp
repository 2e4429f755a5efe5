#include "compile/compile.h"

#include <gtest/gtest.h>

#include <chrono>

#include "compile/cache.h"
#include "scratch.h"

namespace lockstep {
namespace {

constexpr const char* saxpy =
    "__kernel void saxpy(__global const float* x, __global float* y, float a) {\n"
    "  int i = get_global_id(0);\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n";

class CompileTest : public ScratchTest {
 protected:
  CompileRequest request(const std::string& name, const std::string& text, const char* target = "gfx900") {
    CompileRequest made;
    made.path = write(name, text);
    made.target = find_target(target);
    return made;
  }
};

// The instruction's literal or inline constant that a kernel stores, as text.
bool stores(const CompileResult& result, std::string_view constant) {
  for (const ListingLine& line : result.object->listing.lines)
    if (result.object->listing.text(line).ends_with(constant)) return true;
  return false;
}

TEST_F(CompileTest, SecondTimeComesFromTheCacheAndIsEqual) {
  const CompileRequest made = request("saxpy.cl", saxpy);
  auto first = compile(made);
  ASSERT_TRUE(first.ok()) << to_string(first.error());
  EXPECT_FALSE(first->from_cache);
  const auto begin = std::chrono::steady_clock::now();
  auto second = compile(made);
  const auto taken = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(*first->object, *second->object);
  EXPECT_LT(taken, std::chrono::milliseconds(20));
  ASSERT_EQ(first->object->listing.functions.size(), 1u);
  EXPECT_EQ(first->object->listing.functions[0].name, "saxpy");
  EXPECT_TRUE(first->object->listing.functions[0].kernel);
  EXPECT_EQ(first->object->listing.files, std::vector<std::string>{made.path});
}

TEST_F(CompileTest, EverythingThatMattersIsInTheKey) {
  CompileRequest made = request("k.cl", "__kernel void k(__global int* p) { p[0] = N; }");
  made.defines = {"N=12345"};
  ASSERT_TRUE(compile(made).ok());
  made.defines = {"N=54321"};
  auto other = compile(made);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->from_cache);
  EXPECT_TRUE(stores(*other, "0xd431"));  // 54321
  made.optimisation = 0;
  EXPECT_FALSE(compile(made)->from_cache);
  made.target = find_target("gfx1030");
  EXPECT_FALSE(compile(made)->from_cache);
  made.options = {"-cl-fast-relaxed-math"};
  EXPECT_FALSE(compile(made)->from_cache);
  EXPECT_TRUE(compile(made)->from_cache);
  made.use_cache = false;
  EXPECT_FALSE(compile(made)->from_cache);
}

TEST_F(CompileTest, AnEditedIncludeIsCompiledAnew) {
  write("inner.h", "#define N 12345\n");
  write("outer.h", "#include \"inner.h\"\n");
  const CompileRequest made =
      request("k.cl", "#inc\\\nlude \"outer.h\"\n__kernel void k(__global int* p) { p[0] = N; }\n");
  auto first = compile(made);
  ASSERT_TRUE(first.ok()) << to_string(first.error());
  EXPECT_TRUE(stores(*first, "0x3039"));  // 12345
  EXPECT_TRUE(compile(made)->from_cache);
  write("inner.h", "#define N 54321\n");
  auto edited = compile(made);
  ASSERT_TRUE(edited.ok());
  EXPECT_FALSE(edited->from_cache);
  EXPECT_TRUE(stores(*edited, "0xd431"));
  // A file that appears earlier in the search order counts too, and so does what __has_include finds.
  CompileRequest searching =
      request("s.cl",
              "#include <found.h>\n#if __has_include(<extra.h>)\n#define N 54321\n#endif\n"
              "__kernel void k(__global int* p) { p[0] = N; }\n");
  std::filesystem::create_directory(directory + "/first");
  std::filesystem::create_directory(directory + "/second");
  searching.options = {"-I", directory + "/first", "-I" + directory + "/second"};
  write("second/found.h", "#ifndef N\n#define N 12345\n#endif\n");
  EXPECT_TRUE(stores(*compile(searching), "0x3039"));
  write("first/found.h", "#define N 1234567\n");
  EXPECT_TRUE(stores(*compile(searching), "0x12d687"));
  write("first/found.h", "");
  write("second/extra.h", "");
  EXPECT_TRUE(stores(*compile(searching), "0xd431"));
}

TEST_F(CompileTest, ADamagedCacheEntryIsCompiledAnew) {
  const CompileRequest made = request("saxpy.cl", saxpy);
  auto first = compile(made);
  ASSERT_TRUE(first.ok());
  std::size_t damaged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory + "/cache"))
    if (entry.is_regular_file()) {
      std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
      ++damaged;
    }
  EXPECT_GE(damaged, 1u);  // the kernel, and the device library where it is not prebuilt
  auto again = compile(made);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->from_cache);
  EXPECT_EQ(*again->object, *first->object);
  EXPECT_TRUE(compile(made)->from_cache);
}

TEST_F(CompileTest, CompilerErrorsArriveUnchangedWithTheirPlace) {
  const CompileRequest made = request("bad.cl", "__kernel void k(__global int* p) {\n  p[0] = nothing;\n}\n");
  auto result = compile(made);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "compile-failed");
  EXPECT_EQ(result.error().place, (Place{made.path, 2, 10}));
  EXPECT_EQ(result.error().message,
            made.path +
                ":2:10: error: use of undeclared identifier 'nothing'\n    2 |   p[0] = nothing;\n"
                "      |          ^\n1 error generated.");
  CompileRequest memory = made;
  memory.path = "host string.cl";
  memory.source = "\n\n#error no \\ \"luck\"\n";
  auto in_memory = compile(memory);
  ASSERT_FALSE(in_memory.ok());
  EXPECT_EQ(in_memory.error().place, (Place{"host string.cl", 3, 2}));
}

TEST_F(CompileTest, WarningsAreKept) {
  const CompileRequest made =
      request("w.cl", "#warning careful\n__kernel void k(__global int* p) { p[0] = 1; }\n");
  for (const bool cached : {false, true}) {
    auto result = compile(made);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->from_cache, cached);
    EXPECT_EQ(result->log(), made.path +
                                 ":1:2: warning: careful [-W#warnings]\n    1 | #warning careful\n"
                                 "      |  ^\n1 warning generated.\n");
  }
}

TEST_F(CompileTest, UndefinedFunctionsAreNamed) {
  const CompileRequest made =
      request("u.cl", "int missing(int);\n__kernel void k(__global int* p) {\n  p[0] = missing(1);\n}");
  auto result = compile(made);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "compile-failed");
  EXPECT_EQ(result.error().place, (Place{made.path, 3, 0}));
  EXPECT_NE(result.error().message.find("undefined hidden symbol: missing"), std::string::npos)
      << result.error().message;
}

TEST_F(CompileTest, BadRequestsAreDiagnosed) {
  CompileRequest made = request("k.cl", saxpy);
  made.path = directory + "/absent.cl";
  EXPECT_EQ(compile(made).error().code, "no-such-file");
  made.path = directory;
  EXPECT_EQ(compile(made).error().code, "no-such-file");
  EXPECT_EQ(compile(request("k.txt", saxpy)).error().code, "unknown-language");
  EXPECT_EQ(compile(request("kernel", saxpy)).error().code, "unknown-language");
  EXPECT_EQ(compile(request("k.co", saxpy)).error().code, "bad-elf");
  EXPECT_EQ(compile(request("k.co",
                            "\x7f"
                            "ELF but no more"))
                .error()
                .code,
            "bad-elf");
  EXPECT_EQ(compile(request("k.hsaco", "__CLANG_OFFLOAD_BUNDLE__....")).error().code, "bad-bundle");
  EXPECT_EQ(compile(request("k.ptx", ".version 6.0")).error().code, "unsupported-language");
  EXPECT_EQ(compile(request("k.s", "s_endpgm", "sm_70")).error().code, "unsupported-language");
  EXPECT_EQ(compile(request("k.cl", saxpy, "no such target")).error().code, "unsupported-target");
  CompileRequest unknown = request("k.cl", saxpy);
  unknown.options = {"-cl-no-such-option"};
  auto refused = compile(unknown);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("-cl-no-such-option"), std::string::npos);
}

TEST_F(CompileTest, TimeAndMemoryAreBounded) {
  // A macro bomb: 10^9 additions.
  std::string bomb = "#define A0(x) x x x x x x x x x x\n";
  for (int i = 1; i < 9; ++i)
    bomb += "#define A" + std::to_string(i) + "(x) A" + std::to_string(i - 1) + "(x x x x x x x x x x)\n";
  bomb += "__kernel void k(__global int* p) { p[0] = 0 A8(+ 1); }\n";
  CompileRequest made = request("bomb.cl", bomb);
  made.time_limit_ms = 300;
  auto slow = compile(made);
  ASSERT_FALSE(slow.ok());
  EXPECT_EQ(slow.error().code, "compile-timeout");
  made.time_limit_ms = 60'000;
  made.memory_limit_bytes = u64{512} << 20;
  auto large = compile(made);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, "compile-out-of-memory") << to_string(large.error());
}

TEST_F(CompileTest, MissingToolNamesItsPackage) {
  const CompileRequest made = request("k.cl", saxpy);
  ::setenv("LOCKSTEP_CLANG", "/no/such/clang", 1);
  auto result = compile(made);
  ::unsetenv("LOCKSTEP_CLANG");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "tool-missing");
  const std::string path = std::getenv("PATH");
  ::setenv("LOCKSTEP_AMD_DEVICE_LIBS", directory.c_str(), 1);
  auto library = compile(made);
  ::unsetenv("LOCKSTEP_AMD_DEVICE_LIBS");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, "device-library-missing");
  EXPECT_NE(library.error().hint.find("rocm-device-libs"), std::string::npos);
}

TEST_F(CompileTest, WhatTheTargetLacksIsNamedWithItsLine) {
  // MI300 has no image instructions.
  auto result = compile(request("image.cl",
                                "__kernel void k(__write_only image2d_t b) {\n"
                                "  write_imagef(b, (int2)(get_global_id(0), 0), (float4)(1));\n}\n",
                                "gfx942"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "unsupported-by-target");
  EXPECT_EQ(result.error().place.line, 2u);
  EXPECT_NE(result.error().message.find("image_store"), std::string::npos);
}

TEST_F(CompileTest, PrintfGoesThroughTheBuffer) {
  for (const u32 level : {0u, 3u}) {
    CompileRequest made = request("p.cl", "__kernel void k(int a) { printf(\"%d\\n\", a); }");
    made.optimisation = level;
    auto result = compile(made);
    ASSERT_TRUE(result.ok()) << to_string(result.error());
    const std::string elf(result->object->elf.begin(), result->object->elf.end());
    // The metadata's amdhsa.printf: id 1, one argument of 4 bytes, the format.
    EXPECT_NE(elf.find("1:1:4:%d\\n"), std::string::npos);
    EXPECT_NE(elf.find("hidden_printf_buffer"), std::string::npos);
  }
}

TEST_F(CompileTest, NvidiaTargetsGivePtx) {
  for (const char* target : {"sm_13", "sm_20", "sm_70", "sm_90"}) {
    auto result = compile(request("saxpy.cl", saxpy, target));
    ASSERT_TRUE(result.ok()) << to_string(result.error());
    ASSERT_TRUE(result->ptx.has_value());
    EXPECT_NE(result->ptx->ptx.find(".entry saxpy("), std::string::npos);
    EXPECT_NE(
        result->ptx->ptx.find(std::string(".target ") + std::string(find_target(target)->compiler_target)),
        std::string::npos);
    EXPECT_EQ(result->ptx->target, target);
    EXPECT_EQ(result->log(), "");
    EXPECT_TRUE(compile(request("saxpy.cl", saxpy, target))->from_cache);
  }
  auto text = compile(request("given.ptx", ".version 6.0\n", "sm_70"));
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->ptx->ptx, ".version 6.0\n");
}

}  // namespace
}  // namespace lockstep
