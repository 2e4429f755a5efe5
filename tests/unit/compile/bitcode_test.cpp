#include "compile/bitcode.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "scratch.h"

namespace lockstep {
namespace {

class BitcodeTest : public ScratchTest {
 protected:
  CompileRequest request(const std::string& text, const char* target) {
    CompileRequest made;
    made.path = "program.cl";
    made.source = text;
    made.language = SourceLanguage::opencl_c;
    made.target = find_target(target);
    return made;
  }
};

constexpr const char* with_header =
    "#include \"inc/twice.h\"\n"
    "__kernel void k(__global int* p) { p[0] = twice(p[0]); int unused; }\n";

TEST_F(BitcodeTest, ModulesAndTheirLinkComeFromTheCacheTheSecondTime) {
  for (const char* target : {"gfx900", "sm_70"}) {
    CompileRequest made = request(with_header, target);
    made.options = {"-Wunused-variable"};
    const std::vector<Header> headers = {{"inc/twice.h", "int twice(int);\n"}};
    const auto first = compile_to_bitcode(made, headers), second = compile_to_bitcode(made, headers);
    ASSERT_TRUE(first.ok()) << to_string(first.error());
    ASSERT_TRUE(second.ok());
    EXPECT_FALSE(first->from_cache);
    EXPECT_TRUE(second->from_cache);
    EXPECT_EQ(first->bytes, second->bytes);
    EXPECT_NE(first->log.find("unused variable"), std::string::npos) << first->log;
    EXPECT_EQ(first->log, second->log);

    const auto body = compile_to_bitcode(request("int twice(int x) { return 2 * x; }", target), {});
    ASSERT_TRUE(body.ok());
    EXPECT_FALSE(body->from_cache);
    const auto linked = link_bitcode(made, {first->bytes, body->bytes});
    const auto again = link_bitcode(made, {first->bytes, body->bytes});
    ASSERT_TRUE(linked.ok()) << to_string(linked.error());
    EXPECT_FALSE(linked->from_cache);
    EXPECT_TRUE(again->from_cache);
    EXPECT_EQ(linked->bytes, again->bytes);
    EXPECT_FALSE(link_bitcode(made, {body->bytes, first->bytes})->from_cache);
  }
}

TEST_F(BitcodeTest, AnotherHeaderIsCompiledAnew) {
  CompileRequest made = request(with_header, "gfx900");
  ASSERT_TRUE(compile_to_bitcode(made, {{"inc/twice.h", "int twice(int);\n"}}).ok());
  EXPECT_FALSE(compile_to_bitcode(made, {{"inc/twice.h", "long twice(long);\n"}})->from_cache);
  // A program of the same text is something else than a module.
  made.source = "__kernel void k(__global int* p) { p[0] = 1; }";
  ASSERT_TRUE(compile_to_bitcode(made, {}).ok());
  EXPECT_FALSE(compile(made)->from_cache);
  made.use_cache = false;
  EXPECT_FALSE(compile_to_bitcode(made, {})->from_cache);
}

TEST_F(BitcodeTest, ErrorsNameTheHeaderAndNotATemporaryFile) {
  const auto made =
      compile_to_bitcode(request("#include \"inc/wrong.h\"\n", "gfx900"), {{"inc/wrong.h", "int x = ;\n"}});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().place.file, "inc/wrong.h");
  EXPECT_EQ(made.error().message.find("/lockstep-"), std::string::npos) << made.error().message;
}

}  // namespace
}  // namespace lockstep
