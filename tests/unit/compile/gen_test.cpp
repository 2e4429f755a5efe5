// Intel's compiler: what it makes as one text, and what is refused.
#include "compile/gen.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
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

TEST(Gen, MessagesNameTheUsersLine) {
  if (!has_compiler()) GTEST_SKIP() << "Intel's compiler is not installed";
  const auto made = compile(request_of("\nkernel void a(global int* y) { y[0] = nothing; }\n"));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "compile-failed");
  EXPECT_EQ(made.error().place.file, "folder/two.cl");
  EXPECT_EQ(made.error().place.line, 2u);
  EXPECT_EQ(made.error().message.find("Build failed"), std::string::npos);
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
