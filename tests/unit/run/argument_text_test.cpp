// Arguments as users write them, the kernel's parameters they are fitted to, and a launch's sizes.
#include "run/argument_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>

#include "corpus/npy.h"
#include "run/argument_types.h"
#include "run/launch_arguments.h"
#include "run/range.h"
#include "run/structure_text.h"

namespace lockstep {
namespace {

Parameter value(const char* name, const char* type, u32 bytes) {
  Parameter parameter;
  parameter.name = name;
  parameter.type_name = type;
  parameter.bytes = bytes;
  return parameter;
}

Parameter pointer(const char* name, const char* type) {
  Parameter parameter = value(name, type, 8);
  parameter.kind = ParameterKind::global_pointer;
  return parameter;
}

Expected<std::vector<LaunchArgument>> place(const std::vector<Parameter>& parameters,
                                            const std::vector<std::string>& texts) {
  Program program;
  program.name = "k";
  program.parameters = parameters;
  std::vector<ArgumentText> given;
  for (const std::string& text : texts) {
    Expected<ArgumentText> argument = parse_argument_text(text);
    if (!argument) return argument.error();
    given.push_back(std::move(*argument));
  }
  return place_arguments(program, given);
}

// The bytes of the one value, as an integer.
u64 bits(const Parameter& parameter, const std::string& text) {
  const auto placed = place({parameter}, {text});
  EXPECT_TRUE(placed) << text << ": " << (placed ? "" : to_string(placed.error()));
  u64 result = 0;
  if (placed && (*placed)[0].bytes.size() <= 8)
    std::memcpy(&result, (*placed)[0].bytes.data(), (*placed)[0].bytes.size());
  return result;
}

std::string refusal(const Parameter& parameter, const std::string& text) {
  const auto placed = place({parameter}, {text});
  return placed ? "" : to_string(placed.error());
}

TEST(Arguments, TakeTheTypeFromTheKernel) {
  EXPECT_EQ(bits(value("a", "float", 4), "a=2.5"), std::bit_cast<u32>(2.5f));
  EXPECT_EQ(bits(value("a", ".f64", 8), "a=2.5"), std::bit_cast<u64>(2.5));
  EXPECT_EQ(bits(value("a", "unsigned int", 4), "a=4294967295"), 0xFFFFFFFFu);
  EXPECT_EQ(bits(value("a", "int", 4), "a=0xFFFFFFFF"), 0xFFFFFFFFu);
  EXPECT_EQ(bits(value("a", "long", 8), "a=-9223372036854775808"), u64{1} << 63);
  EXPECT_EQ(bits(value("a", "size_t", 8), "a=18446744073709551615"), ~u64{0});
  EXPECT_EQ(bits(value("a", "int", 4), "a=1e3"), 1000u);
  EXPECT_EQ(bits(value("a", "bool", 1), "a=true"), 1u);
  EXPECT_EQ(bits(value("a", "short2", 4), "a=1,-1"), 0xFFFF0001u);
  EXPECT_EQ(bits(value("a", "HIP_vector_type<short, 2u>", 4), "a=1,2"), 0x00020001u);
  EXPECT_EQ(bits(value("a", "", 4), "a=uint:7"), 7u);
  EXPECT_EQ(bits(value("a", "real_t", 8), "a=double:1"), std::bit_cast<u64>(1.0));
  EXPECT_EQ(bits(value("n", "size_t", 8), "n=size_t:5"), 5u);
}

TEST(Arguments, RefuseWhatDoesNotFit) {
  EXPECT_NE(refusal(value("a", "float", 4), "a=int:2").find("another type than int"), std::string::npos);
  EXPECT_NE(refusal(value("n", "int", 4), "n=float:2").find("--arg n=VALUE"), std::string::npos);
  EXPECT_NE(refusal(value("n", "int", 4), "n=99999999999").find("does not fit an int"), std::string::npos);
  EXPECT_NE(refusal(value("n", "int", 4), "n=int:99999999999").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("n", "int", 4), "n=uint:4294967295").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("n", "uchar", 1), "n=-1").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("n", "char", 1), "n=-129").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("n", "ulong", 8), "n=18446744073709551616").find("does not fit"),
            std::string::npos);
  EXPECT_NE(refusal(value("n", "int", 4), "n=2.5").find("no integer"), std::string::npos);
  EXPECT_NE(refusal(value("h", "half", 2), "h=70000").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("f", "float", 4), "f=1e50").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal(value("n", "long", 8), "n=int:1").find("another type"), std::string::npos);
  EXPECT_NE(refusal(value("v", "float4", 16), "v=1,2").find("takes 4 values, not 2"), std::string::npos);
  EXPECT_NE(refusal(value("a", "float", 4), "a=[4]:ramp").find("a value, not a buffer"), std::string::npos);
  EXPECT_NE(refusal(pointer("x", "float*"), "x=5").find("x=float[COUNT]:random"), std::string::npos);
  EXPECT_NE(refusal(pointer("x", "float*"), "x=double[4]").find("other elements than double"),
            std::string::npos);
  EXPECT_NE(refusal(pointer("x", "uchar*"), "x=uchar[4]:fill(300)").find("300 does not fit"),
            std::string::npos);
  EXPECT_NE(refusal(pointer("x", "int*"), "x=[4]:fill(2.5)").find("no integer"), std::string::npos);
  EXPECT_NE(refusal(pointer("x", "int*"), "x=[2]:values(1,2,3)").find("3 values are more"),
            std::string::npos);
  EXPECT_NE(refusal(pointer("x", "void*"), "x=[4]").find("not known here"), std::string::npos);
  const auto twice = place({value("n", "int", 4)}, {"n=1", "n=2"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(to_string(twice.error()), "--arg n=2: error: 'n' is given twice [wrong-arguments]");
  const auto missing = place({value("n", "int", 4), pointer("x", "float4*")}, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "parameters 'n' (int), 'x' (float4*) of kernel 'k' have no --arg");
  EXPECT_EQ(missing.error().hint, "--arg n=VALUE --arg x=float4[COUNT]:random");
}

TEST(Arguments, BuffersInEveryForm) {
  const auto placed = place({pointer("a", "float*"), pointer("b", "float const*"), pointer("c", "foo*"),
                             pointer("d", "int*"), pointer("e", "uint*"), pointer("f", "float4*")},
                            {"a=[8]:ramp(1,2)", "b=null", "c=bytes[4]:0a0b0c0d", "d=int[0]",
                             "e=int[3]:values(1,-2)", "f=float[8]:random"});
  ASSERT_TRUE(placed) << to_string(placed.error());
  EXPECT_EQ((*placed)[0].argument.count, 8u);
  EXPECT_EQ((*placed)[0].argument.type.scalar, corpus::Scalar::f32);
  EXPECT_TRUE((*placed)[1].null_pointer);
  EXPECT_EQ((*placed)[2].bytes, (std::vector<u8>{10, 11, 12, 13}));
  EXPECT_EQ((*placed)[3].argument.bytes(), 0u);
  EXPECT_EQ(corpus::initial_contents((*placed)[4].argument),
            (std::vector<u8>{1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0}));
}

TEST(Arguments, StructuresAreLaidOutAsInC) {
  EXPECT_EQ(*structure_bytes("{char:1,int:2}"), (std::vector<u8>{1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(*structure_bytes("{short[2]:(1,2), {uchar:3, uchar:4}}"), (std::vector<u8>{1, 0, 2, 0, 3, 4}));
  EXPECT_EQ(structure_bytes("{float3:(1,2,3),char:1}")->size(), 32u);
  EXPECT_EQ(structure_bytes("{int:1,null}")->size(), 16u);
  for (const char* text : {"{", "{}", "{int}", "{int:}", "{int:1", "{int:1}x", "{foo:1}", "{int[0]:1}",
                           "{int2:1}", "{int:99999999999}", "{char[5000]:(1)}"})
    EXPECT_FALSE(structure_bytes(text)) << text;
  EXPECT_FALSE(structure_bytes(std::string(100, '{')));
  const auto placed = place({value("s", "point", 8)}, {"s={char:1,int:2}"});
  ASSERT_TRUE(placed) << to_string(placed.error());
  EXPECT_EQ((*placed)[0].bytes.size(), 8u);
  EXPECT_NE(refusal(value("s", "point", 12), "s=bytes:0102").find("has 12 bytes, not 2"), std::string::npos);
}

TEST(Arguments, TextsThatAreNone) {
  for (const char* text : {"",
                           "n",
                           "=1",
                           "n=",
                           "n=int",
                           "n=int:",
                           "n=int:x",
                           "n=float[",
                           "n=float[x]",
                           "n=float[]",
                           "n=float[4",
                           "n=float[4]ramp",
                           "n=float[4]:rmap",
                           "n=float[4]:ramp(1)",
                           "n=float[4]:fill",
                           "n=float[4]:fill(1",
                           "n=float[4]:random(1)",
                           "n=float[4]:random(min=1)",
                           "n=float[4]:random(min=2,max=1)",
                           "n=float[4]:values()",
                           "n=foo:1",
                           "n=foo[4]",
                           "n=float5:1",
                           "n=float4:1,2,3",
                           "n=float[-1]",
                           "n=float[99999999999999999999]",
                           "n=float[4]:@",
                           "n=@",
                           "n=random",
                           "n=local",
                           "n=float[0]:local",
                           "n=sampler:",
                           "n=sampler:normalized,repeat,cubic",
                           "n=image2d:rgba8",
                           "n=image2d:rgba8[4]",
                           "n=image2d:rgba9[4,4]",
                           "n=image9d:rgba8[4]",
                           "n=image2d:rgba8[0,4]",
                           "n=image2d:rgba8[4,99999999999]",
                           "n=bytes:0",
                           "n=bytes:0g",
                           "n=bytes[2]:010203",
                           "n=1,,2",
                           "a b=1",
                           "n=float[4]:special(1)",
                           "n=float[4]:bits(max=1)",
                           "n={int:1}}"}) {
    const auto argument = parse_argument_text(text);
    ASSERT_FALSE(argument) << text;
    EXPECT_EQ(argument.error().code, "bad-argument") << text;
    EXPECT_EQ(argument.error().place.file, std::string("--arg ") + text);
    EXPECT_FALSE(argument.error().message.empty());
  }
}

class NpyFile : public testing::Test {
 protected:
  std::string write(const std::string& header, const std::string& data, int version = 1) {
    path_ = testing::TempDir() + "lockstep_npy_" + std::to_string(++count_) + ".npy";
    std::ofstream out(path_, std::ios::binary);
    out << "\x93NUMPY" << static_cast<char>(version) << '\0';
    const std::size_t length = header.size();
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out << static_cast<char>(length >> (8 * i) & 255);
    out << header << data;
    return path_;
  }
  std::string path_;
  int count_ = 0;
};

TEST_F(NpyFile, AnyValidHeaderIsRead) {
  const std::string eight(32, '\0');
  for (const int version : {1, 2, 3}) {
    for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }\n",
                               "{\"shape\":(2, 4),\"fortran_order\":False,\"descr\":\"<f4\"}",
                               "{'shape': (8L,), 'descr': '=f4', 'fortran_order': True}   \n"}) {
      const auto array = corpus::read_npy(write(header, eight, version));
      ASSERT_TRUE(array) << header << to_string(array.error());
      EXPECT_EQ(array->scalar, corpus::Scalar::f32);
      EXPECT_EQ(array->count(), 8u);
    }
  }
  const auto placed = place({pointer("x", "float*")}, {"x=@" + path_});
  ASSERT_TRUE(placed) << to_string(placed.error());
  EXPECT_EQ((*placed)[0].argument.count, 8u);
  EXPECT_EQ(corpus::npy_header(corpus::Scalar::i64, {3}).size() % 64, 0u);
}

TEST_F(NpyFile, ErrorsSayWhatTheFileHolds) {
  write("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", std::string(32, '\0'));
  EXPECT_NE(refusal(pointer("x", "float*"), "x=@" + path_)
                .find("the file holds doubles of shape (2, 2), 'x' takes floats"),
            std::string::npos);
  EXPECT_NE(
      refusal(pointer("x", "double*"), "x=double[5]:@" + path_).find("shape (2, 2), 'x' takes 5 elements"),
      std::string::npos);
  const auto error = [&](const std::string& header, std::size_t bytes) {
    const auto array = corpus::read_npy(write(header, std::string(bytes, '\0')));
    return array ? "" : array.error().message;
  };
  EXPECT_NE(error("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4).find("big-endian"),
            std::string::npos);
  EXPECT_NE(error("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16).find("Fortran"),
            std::string::npos);
  EXPECT_NE(error("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", 16).find("'<U4'"),
            std::string::npos);
  EXPECT_NE(error("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4).find("records"),
            std::string::npos);
  EXPECT_NE(error("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8).find("8 bytes of data"),
            std::string::npos);
  EXPECT_NE(error("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,99999999999), }", 8)
                .find("more than can be counted"),
            std::string::npos);
  for (const char* header : {"", "{", "{}", "{'descr'", "{'descr': '<f4', 'shape': (1,), }", "[]",
                             "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': 1, }"})
    EXPECT_FALSE(error(header, 4).empty()) << header;
  const auto missing = place({pointer("x", "float*")}, {"x=@no_such.npy"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "no-such-file");
}

// Texts and headers with random characters changed: whatever comes out, no one ends the process. The seed is
// fixed, so a finding comes back.
std::string mutate(std::string text, std::mt19937& random) {
  constexpr std::string_view likely = "=:[](){}@,.'0123456789-+x ";
  for (u32 changes = random() % 4 + 1; changes != 0; --changes) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const char c = random() % 4 == 0 ? static_cast<char>(random() % 256) : likely[random() % likely.size()];
    switch (random() % 4) {
      case 0:
        text.insert(at, 1, c);
        break;
      case 1:
        if (!text.empty()) text.erase(at, random() % 4 + 1);
        break;
      case 2:
        text.insert(at, text.substr(0, random() % 16));
        break;
      default:
        if (!text.empty()) text[at] = c;
    }
  }
  return text;
}

TEST(Arguments, MutatedTextsEndInAValueOrADiagnostic) {
  const std::vector<std::string> texts = {"a=2.5",
                                          "v=1,2,3,4",
                                          "n=int:42",
                                          "s={int:1,float4:(1,2,3,4),{char[3]:(1,2,3)}}",
                                          "s=bytes:0a0b",
                                          "x=float[16]:ramp(1,2)",
                                          "x=[16]:random(seed=1,min=0,max=2)",
                                          "x=bytes[4]:0a0b0c0d",
                                          "x=null",
                                          "t=float[256]:local",
                                          "p=image2d:rgba8[4,4]:values(1,2,3)",
                                          "s=sampler:normalized,repeat,linear"};
  const std::vector<Parameter> parameters = {value("n", "int", 4), value("v", "float4", 16),
                                             pointer("x", "float*"), value("s", "point", 8),
                                             value("a", "", 8)};
  std::mt19937 random(1);
  u32 good = 0;
  for (u32 i = 0; i < 50000; ++i) {
    const auto argument = parse_argument_text(mutate(texts[random() % texts.size()], random));
    if (!argument) continue;
    for (Parameter parameter : parameters) {
      parameter.name = argument->name;
      Program program;
      program.parameters = {parameter};
      if (!argument->file.empty()) continue;
      good += place_arguments(program, {*argument}) ? 1 : 0;
    }
  }
  EXPECT_GT(good, 100u);
}

TEST_F(NpyFile, MutatedFilesEndInAnArrayOrADiagnostic) {
  const std::string whole = corpus::npy_header(corpus::Scalar::f32, {2, 4}) + std::string(32, '\0');
  std::mt19937 random(1);
  u32 good = 0;
  for (u32 i = 0; i < 50000; ++i) good += corpus::parse_npy("mutated.npy", mutate(whole, random)) ? 1 : 0;
  EXPECT_GT(good, 100u);
}

TEST(Range, SizesAreCheckedBeforeAnythingRuns) {
  const auto refused = [](const RangeText& text) {
    const auto range = parse_range(text);
    return range ? "" : range.error().message;
  };
  EXPECT_NE(refused({"0", "", "", ""}).find("zero"), std::string::npos);
  EXPECT_NE(refused({"64", "", "0", ""}).find("zero"), std::string::npos);
  EXPECT_NE(refused({"12x", "", "", ""}).find("one to three numbers"), std::string::npos);
  EXPECT_NE(refused({"1,2,3,4", "", "", ""}).find("one to three numbers"), std::string::npos);
  EXPECT_NE(refused({"-1", "", "", ""}).find("one to three numbers"), std::string::npos);
  EXPECT_NE(refused({"99999999999999999999", "", "", ""}).find("64 bits"), std::string::npos);
  EXPECT_NE(refused({"4294967296,4294967296", "", "1,1", ""}).find("more work-items"), std::string::npos);
  EXPECT_NE(refused({"64", "", "4294967297", ""}).find("no GPU"), std::string::npos);
  EXPECT_NE(refused({"64,64", "", "8", ""}).find("2 dimensions"), std::string::npos);
  EXPECT_NE(refused({"64", "", "8", "1,2"}).find("1 dimension"), std::string::npos);
  EXPECT_NE(refused({"64", "1", "", ""}).find("both"), std::string::npos);
  EXPECT_NE(refused({"", "", "", ""}).find("missing"), std::string::npos);
  EXPECT_NE(refused({"", "4", "", ""}).find("size of a group"), std::string::npos);
  const auto grid = parse_range({"", "4,2", "64,2", ""});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->global, (std::array<u64, 3>{256, 4, 1}));
}

// The same group for every door.
TEST(Range, AGroupThatIsLeftOutIsChosen) {
  Program program;
  program.needs.wave_lanes = 64;
  const auto chosen = [&](const std::string& global, u64 most = 1024) {
    const auto range = parse_range({global, "", "", ""});
    EXPECT_EQ(range->local[0], 0u);
    return choose_group(*range, program, most);
  };
  using Group = std::array<u32, 3>;
  EXPECT_EQ(chosen("1048576"), (Group{256, 1, 1}));
  EXPECT_EQ(chosen("1048576", 128), (Group{128, 1, 1}));
  EXPECT_EQ(chosen("192"), (Group{192, 1, 1}));
  EXPECT_EQ(chosen("320"), (Group{64, 1, 1}));  // whole waves rather than 160
  EXPECT_EQ(chosen("100"), (Group{100, 1, 1}));
  EXPECT_EQ(chosen("64,64"), (Group{64, 4, 1}));
  program.needs.required_group = {8, 8, 2};
  EXPECT_EQ(chosen("64,64,64"), (Group{8, 8, 2}));
}

}  // namespace
}  // namespace lockstep
