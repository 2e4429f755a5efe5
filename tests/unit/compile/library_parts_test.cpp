#include "compile/library_parts.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "compile/devlib.h"
#include "compile/prebuilt.h"
#include "compile/toolchain.h"
#include "scratch.h"

namespace lockstep {
namespace {

class LibraryPartsTest : public ScratchTest {
 protected:
  void TearDown() override {
    ::unsetenv("LOCKSTEP_AMD_DEVICE_LIBS");
    ScratchTest::TearDown();
  }
};

using Parts = std::vector<std::string_view>;

const std::map<std::string, std::string> names = {
    {"sin", "other"}, {"convert_int4", "convert"}, {"vload4", "memory"}, {"get_global_id", "core"}};

TEST(LibraryParts, AreNeededForTheNamesInTheText) {
  EXPECT_EQ(parts_needed("kernel void k(global int* p) { p[get_global_id(0)] = sinus; }", names),
            Parts{"core"});
  EXPECT_EQ(parts_needed("y = sin(x);", names), (Parts{"other", "core"}));
  EXPECT_EQ(parts_needed("y = si\\\nn(x);", names), (Parts{"other", "core"}));
  EXPECT_EQ(parts_needed("-DF=vload4", names), (Parts{"memory", "core"}));
  EXPECT_EQ(parts_needed("convert_int4(v)", names), (Parts{"other", "convert", "core"}));
}

TEST(LibraryParts, AreAllNeededWhenTheTextDoesNotTell) {
  for (const char* text :
       {"#include \"f.h\"", "s##in", "s%:%:in",
        "s?"
        "?=?"
        "?=in",
        "\\u0073in", "asm(\"\")", "__asm__(\"\")", "float _Z3sinf(float);", "#im\\\nport <f.h>"})
    EXPECT_EQ(parts_needed(text, names), std::nullopt) << text;
}

TEST(LibraryParts, KnowTheirFunctions) {
  for (const char* name :
       {"get_global_id", "barrier", "atomic_add", "atom_cmpxchg", "work_group_barrier", ""})
    EXPECT_EQ(library_part_of(name), "core") << name;
  for (const char* name : {"vload_half", "vstorea_half4_rtz", "shuffle2", "async_work_group_copy"})
    EXPECT_EQ(library_part_of(name), "memory") << name;
  EXPECT_EQ(library_part_of("convert_uchar16_sat_rte"), "convert");
  for (const char* name : {"sqrt", "get_image_width", "select", "work_group_all", "sub_group_reduce_add"})
    EXPECT_EQ(library_part_of(name), "other") << name;
}

// Each family keeps its own of two files with one name.
TEST(Prebuilt, HasEveryPartOfTheDeviceLibrary) {
  for (const auto& parts :
       {amd_devlib_parts(*find_target("gfx600")), nvptx_devlib_parts(SourceLanguage::cuda)}) {
    ASSERT_TRUE(parts.ok()) << to_string(parts.error());
    for (const DevlibPart& part : *parts)
      EXPECT_TRUE(find_prebuilt(devlib_file_name(part)).has_value())
          << part.source << ": ninja device_libraries makes it";
  }
}

// A copy of the library is one that nothing was prebuilt for: it is linked whole.
TEST_F(LibraryPartsTest, GiveTheSameCodeAsTheWholeLibrary) {
  const auto installed = find_amd_device_libraries();
  ASSERT_TRUE(installed.ok());
  const std::string library = *installed + "/opencl.bc";
  for (const std::string& file : library_part_files(library))
    ASSERT_TRUE(find_prebuilt(file).has_value()) << file << ": ninja device_libraries makes it";
  const std::string copy = directory + "/bitcode";
  std::filesystem::copy(*installed, copy);
  const std::pair<const char*, std::size_t> sources[] = {
      {"kernel void k(global int* p) { p[get_global_id(0)] = get_local_size(1); }", 1},
      {"kernel void k(global float* p) { p[0] = sin(p[1]) + pow(p[2], p[3]) + select(p[4], p[5], (int)p[6]); "
       "}",
       2},
      {"kernel void k(global float4* p) { p[0] = convert_float4(convert_uchar4_sat_rte(p[1])); }", 3},
      {"kernel void k(global int* p, global half* h) {\n"
       "  float4 v = vload_half4(1, h); vstore_half4_rtz(v, 0, h); vstore4(shuffle(vload4(1, p), (uint4)(3, "
       "2, 1, 0)), 0, p);\n"
       "}",
       2},
      {"kernel void k(local int* l, global int* p) {\n"
       "  event_t e = async_work_group_copy(l, p, 64, 0); wait_group_events(1, &e); atomic_add(p, l[0]);\n"
       "  barrier(CLK_LOCAL_MEM_FENCE); p[1] = atomic_cmpxchg(p, 1, 2); }",
       2},
      {"constant sampler_t s = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;\n"
       "kernel void k(read_only image2d_t i, write_only image2d_t o) {\n"
       "  write_imagef(o, (int2)(0, get_image_width(i)), read_imagef(i, s, (float2)(0.5f, 1.5f)));\n"
       "}",
       2},
      {"kernel void k(global int* p) { printf(\"%d\\n\", p[0]); }", 1},
  };
  for (const char* target : {"gfx900", "gfx1030"}) {
    for (const auto& [text, count] : sources) {
      EXPECT_EQ(library_files(library, text, {"-cl-std=CL1.2", "-cl-mad-enable"}).size(), count) << text;
      CompileRequest request;
      request.path = write("k.cl", text);
      request.target = find_target(target);
      request.use_cache = false;
      ::unsetenv("LOCKSTEP_AMD_DEVICE_LIBS");
      const auto parts = compile(request);
      ::setenv("LOCKSTEP_AMD_DEVICE_LIBS", copy.c_str(), 1);
      const auto whole = compile(request);
      ASSERT_TRUE(parts.ok()) << to_string(parts.error());
      ASSERT_TRUE(whole.ok()) << to_string(whole.error());
      EXPECT_EQ(*parts->object, *whole->object) << target << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace lockstep
