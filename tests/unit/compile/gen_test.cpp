// Intel's compiler: what it makes as one text, and what is refused.
#include "compile/gen.h"

#include <gtest/gtest.h>

#include <cstring>

#include "compile/compile.h"
#include "compile/gen_spirv.h"
#include "machine/target.h"

namespace lockstep {
namespace {

bool has_compiler() {
  return find_tool(Tool::ocloc).ok() && find_tool(Tool::iga).ok();
}

CompileRequest request_of(const std::string& source) {
  CompileRequest request;
  request.path = "folder/two.cl";
  request.source = source;
  request.target = find_target("gen9");
  request.use_cache = false;
  return request;
}

TEST(Gen, SeveralKernelsHaveTheirLines) {
  if (!has_compiler()) GTEST_SKIP() << "Intel's compiler is not installed";
  const auto made =
      compile(request_of("kernel void a(global int* y) { y[get_global_id(0)]--; }\n"
                         "\n"
                         "kernel void b(global int* y) { y[get_global_id(0)]++; }\n"));
  ASSERT_TRUE(made.ok()) << to_string(made.error());
  const std::string& text = made->ptx->ptx;
  EXPECT_NE(text.find("folder/two.cl"), text.npos);
  const std::size_t first = text.find("//@lockstep kernel a\n"), second = text.find("//@lockstep kernel b\n");
  ASSERT_NE(first, text.npos);
  ASSERT_NE(second, text.npos);
  const std::string of_a = text.substr(first, second - first), of_b = text.substr(second);
  EXPECT_NE(of_a.find("//@lockstep line 1 1 "), of_a.npos) << of_a;
  EXPECT_NE(of_b.find("//@lockstep line 1 3 "), of_b.npos) << of_b;
}

// The words of a module: header, then instructions of (opcode, operands).
std::string spirv_of(const std::vector<std::vector<u32>>& instructions, u32 bound) {
  std::vector<u32> words{0x07230203, 0x00010000, 0, bound, 0};
  for (const std::vector<u32>& one : instructions) {
    words.push_back(static_cast<u32>(one.size()) << 16 | one[0]);
    words.insert(words.end(), one.begin() + 1, one.end());
  }
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

TEST(Gen, NegatedVectorsAreTakenApart) {
  constexpr u32 type_float = 22, type_vector = 23, construct = 80, extract = 81, negate = 127;
  const std::vector<std::vector<u32>> types{{type_float, 1, 32}, {type_vector, 2, 1, 2}};
  const auto with = [&](std::vector<std::vector<u32>> more) {
    more.insert(more.begin(), types.begin(), types.end());
    return more;
  };
  std::string scalar = spirv_of(with({{negate, 1, 4, 3}}), 5);
  const std::string before = scalar;
  EXPECT_FALSE(negate_by_component(scalar));
  EXPECT_EQ(scalar, before);
  std::string vector = spirv_of(with({{negate, 2, 4, 3}}), 5);
  EXPECT_TRUE(negate_by_component(vector));
  EXPECT_EQ(vector, spirv_of(with({{extract, 1, 5, 3, 0},
                                   {negate, 1, 6, 5},
                                   {extract, 1, 7, 3, 1},
                                   {negate, 1, 8, 7},
                                   {construct, 2, 4, 6, 8}}),
                             9));
  for (std::size_t bytes = 0; bytes < before.size(); ++bytes) {
    std::string cut = before.substr(0, bytes);
    EXPECT_FALSE(negate_by_component(cut)) << bytes;
  }
}

TEST(Gen, FunctionsOfSeveralKernelsStandBehindThem) {
  if (!has_compiler()) GTEST_SKIP() << "Intel's compiler is not installed";
  CompileRequest request = request_of(
      "int twice(int x) { return x * 2; }\n"
      "kernel void a(global int* y) { y[get_global_id(0)] = twice(y[0]); }\n"
      "kernel void b(global int* y) { y[get_global_id(0)] = twice(y[1]); }\n");
  request.optimisation = 0;
  const auto made = compile(request);
  ASSERT_TRUE(made.ok()) << to_string(made.error());
  const std::string& text = made->ptx->ptx;
  EXPECT_NE(text.find("//@lockstep functions "), text.npos);
  EXPECT_NE(text.find("//@lockstep symbol twice .text."), text.npos);
  EXPECT_EQ(text.find("//@lockstep kernel Intel_Symbol"), text.npos);
}

TEST(Gen, MessagesNameTheUsersLine) {
  if (!has_compiler()) GTEST_SKIP() << "Intel's compiler is not installed";
  const auto made = compile(request_of("\nkernel void a(global int* y) { y[0] = nothing; }\n"));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "compile-failed");
  EXPECT_EQ(made.error().place.file, "folder/two.cl");
  EXPECT_EQ(made.error().place.line, 2u);
  EXPECT_EQ(made.error().message.find("Build failed"), std::string::npos);
}

TEST(Gen, EveryVersionOfOpenClC) {
  if (!has_compiler()) GTEST_SKIP() << "Intel's compiler is not installed";
  for (const char* version : {"CL1.1", "CL1.2", "CL2.0", "CL3.0"}) {
    const std::string number = std::string() + version[2] + version[4] + "0";
    CompileRequest request = request_of("#if __OPENCL_C_VERSION__ != " + number +
                                        "\n#error another version\n#endif\n"
                                        "kernel void a(global int* y) { y[get_global_id(0)] = 1; }\n");
    request.options = {std::string("-cl-std=") + version, "-Werror"};
    const auto made = compile(request);
    EXPECT_TRUE(made.ok()) << version << "\n" << to_string(made.error());
  }
}

TEST(Gen, OptionsThatItDoesNotTake) {
  CompileRequest request = request_of("kernel void a(global int* y) { y[0] = 1; }");
  request.options = {"-include", "x.h"};
  EXPECT_EQ(compile_gen(request, SourceLanguage::opencl_c, *request.source).error().code, "bad-option");
  request.options = {"-DNAME=a b"};
  EXPECT_EQ(compile_gen(request, SourceLanguage::opencl_c, *request.source).error().code, "bad-option");
}

// An ELF file with one section of this name.
std::string object_with(const std::string& section) {
  std::string bytes(64, '\0');
  const auto put = [&](std::size_t at, u64 value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
  };
  bytes.replace(0, 8,
                std::string("\x7f"
                            "ELF\x02\x01\x01\0",
                            8));
  const std::string names = std::string(1, '\0') + section + '\0';
  put(16, 1, 2), put(18, 205, 2), put(20, 1, 4);
  put(40, 64 + names.size(), 8);  // section headers
  put(52, 64, 2), put(58, 64, 2), put(60, 2, 2), put(62, 1, 2);
  bytes += names;
  const std::size_t headers = bytes.size();
  bytes.resize(headers + 128, '\0');
  put(headers + 64, 1, 4), put(headers + 68, 3, 4);
  put(headers + 64 + 24, 64, 8), put(headers + 64 + 32, names.size(), 8);
  return bytes;
}

TEST(Gen, OlderObjectsAreRefusedByName) {
  CompileRequest request = request_of(object_with("Intel(R) OpenCL Device Binary"));
  request.language = SourceLanguage::code_object;
  const auto made = compile(request);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "unsupported-object");
  EXPECT_NE(made.error().message.find("patch tokens"), std::string::npos) << made.error().message;
  request.source = object_with(".text.other");
  const auto other = compile(request);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find(".ze_info"), std::string::npos) << other.error().message;
}

}  // namespace
}  // namespace lockstep
