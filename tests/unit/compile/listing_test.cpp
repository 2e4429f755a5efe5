// The listing against the linked object, with LLVM's disassembler as the second opinion.
#include <gtest/gtest.h>

#include "base/elf.h"
#include "compile/compile.h"
#include "scratch.h"

namespace lockstep {
namespace {

struct Source {
  const char* name;
  const char* text;
};

constexpr Source corpus[] = {
    {"add", "__kernel void k(__global int* a, __global int* b) { int i = get_global_id(0); a[i] += b[i]; }"},
    {"loop",
     "__kernel void k(__global int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[i] * i; a[0] = "
     "s; }"},
    {"nested",
     "__kernel void k(__global int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) for (int j = i; j < "
     "a[i]; ++j) {\n"
     "if (a[j] == 7) break; if (a[j] & 1) continue; s += a[j]; } a[get_global_id(0)] = s; }"},
    {"switch",
     "__kernel void k(__global int* a) { int i = get_global_id(0); switch (a[i]) { case 0: a[i] = 4; break; "
     "case 1:\n"
     "a[i] = 9; break; case 2: a[i] += 3; case 17: a[i] *= 5; break; default: a[i] = -1; } }"},
    {"local",
     "__kernel void k(__global float* a, __local float* t) { int l = get_local_id(0); t[l] = "
     "a[get_global_id(0)];\n"
     "barrier(CLK_LOCAL_MEM_FENCE); for (int s = 32; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s];\n"
     "barrier(CLK_LOCAL_MEM_FENCE); } if (l == 0) a[get_group_id(0)] = t[0]; }"},
    {"private",
     "__kernel void k(__global int* a, int n) { int p[32]; for (int i = 0; i < 32; ++i) p[i] = a[i];\n"
     "for (int i = 0; i < n; ++i) p[a[i] & 31] += p[(a[i] >> 5) & 31]; a[get_global_id(0)] = p[n & 31]; }"},
    {"double",
     "__kernel void k(__global double* a) { int i = get_global_id(0); a[i] = a[i] / sqrt(a[i + 1]) + "
     "sin(a[i]); }"},
    {"math",
     "__kernel void k(__global float* a) { int i = get_global_id(0); a[i] = pow(a[i], 2.5f) + exp(a[i]) + "
     "tgamma(a[i]); }"},
    {"vector",
     "__kernel void k(__global float4* a, __global char16* c) { int i = get_global_id(0); a[i] = a[i].wzyx * "
     "a[i + 1];\n"
     "c[i] = convert_char16_sat(convert_short16(c[i]) * (short16)(3)); }"},
    {"atomic",
     "__kernel void k(__global int* a, __local int* t) { atomic_add(a, atomic_inc(t)); atomic_cmpxchg(a + 1, "
     "3, 4);\n"
     "a[5] = atomic_max(a + 2, t[0]); }"},
    {"call",
     "__attribute__((noinline)) int f(int a, int b) { while (b--) a = a * 31 + (a >> 3); return a; }\n"
     "__kernel void k(__global int* a) { int i = get_global_id(0); a[i] = f(a[i], i) + f(i, 3); }\n"
     "__kernel void k2(__global int* a) { a[0] = f(a[1], a[2]); }"},
    {"constant",
     "__constant int table[64] = {1, 2, 3, 4}; __constant int other[4] = {9, 8, 7, 6};\n"
     "__kernel void k(__global int* a) { int i = get_global_id(0); a[i] = table[i & 63] + other[a[i] & 3]; "
     "}"},
    {"printf", "__kernel void k(__global int* a) { printf(\"%d %s %f\\n\", a[0], \"x\", 1.5f); }"},
};

bool relocated(std::string_view text) {
  return text.find('@') != std::string_view::npos;
}

// Blanks and the order of equal spellings apart, both tools print the same text.
std::string packed(std::string_view text) {
  std::string made;
  for (const char c : text)
    if (c != ' ' && c != '\t') made += c;
  return made;
}

class ListingTest : public ScratchTest {
 protected:
  CompiledObject compiled(const std::string& name, const std::string& text, const char* target, u32 level) {
    CompileRequest request;
    request.path = write(name, text);
    request.target = find_target(target);
    request.optimisation = level;
    auto result = compile(request);
    EXPECT_TRUE(result.ok()) << name << " -O" << level << " " << target << ": " << to_string(result.error());
    return result.ok() ? std::move(*result->object) : CompiledObject{};
  }

  // Every instruction's words are the object's bytes, and every function is covered without a gap.
  static void check_bytes(const CompiledObject& object) {
    auto elf = read_elf(object.elf, "object");
    ASSERT_TRUE(elf.ok()) << to_string(elf.error());
    const Listing& listing = object.listing;
    for (const ListingLine& line : listing.lines) {
      const auto bytes = bytes_at(object.elf, *elf, line.address, line.size_bytes);
      ASSERT_EQ(bytes.size(), line.size_bytes);
      for (u32 i = 0; i < line.size_bytes; ++i)
        ASSERT_EQ(bytes[i], static_cast<u8>(line.words[i / 4] >> (8 * (i % 4)))) << listing.text(line);
    }
    ASSERT_FALSE(listing.functions.empty());
    for (const ListingFunction& function : listing.functions) {
      const ElfSymbol* symbol = elf->find_symbol(function.name);
      ASSERT_NE(symbol, nullptr);
      EXPECT_EQ(symbol->value, function.address);
      EXPECT_EQ(elf->find_symbol(function.name + ".kd") != nullptr, function.kernel);
      u64 at = function.address;
      while (const ListingLine* line = listing.find_line(at)) {
        at += line->size_bytes;
        if (at >= function.address + function.size_bytes) break;
      }
      EXPECT_EQ(at, function.address + function.size_bytes) << function.name;
    }
    for (const ListingLabel& label : listing.labels) EXPECT_EQ(listing.find_label(label.name), &label);
  }
};

TEST_F(ListingTest, CodeObjectGivesTheSameListingAsItsSource) {
  for (const Source& source : corpus)
    for (const u32 level : {0u, 3u}) {
      SCOPED_TRACE(std::string(source.name) + " -O" + std::to_string(level));
      const CompiledObject object = compiled(std::string(source.name) + ".cl", source.text, "gfx900", level);
      check_bytes(object);
      const std::string bytes(object.elf.begin(), object.elf.end());
      const CompiledObject again = compiled("object.co", bytes, "gfx900", level);
      check_bytes(again);
      EXPECT_EQ(again.elf, object.elf);
      EXPECT_EQ(again.listing.functions, object.listing.functions);
      ASSERT_EQ(again.listing.lines.size(), object.listing.lines.size());
      u32 lines = 0;
      for (std::size_t i = 0; i < object.listing.lines.size(); ++i) {
        const ListingLine& a = object.listing.lines[i];
        const ListingLine& b = again.listing.lines[i];
        const std::string_view text = object.listing.text(a);
        ASSERT_EQ(a.address, b.address) << text;
        ASSERT_EQ(a.size_bytes, b.size_bytes) << text;
        ASSERT_EQ(a.words, b.words) << text;
        if (!relocated(text)) {
          ASSERT_EQ(packed(text), packed(again.listing.text(b)));
        }
        // DWARF's line table says what the assembly's .loc said.
        if (a.line != 0) {
          ASSERT_EQ(a.line, b.line) << text;
          ++lines;
        }
      }
      EXPECT_GT(lines, 10u);
    }
}

TEST_F(ListingTest, EveryAmdTargetAtBothEndsOfOptimisation) {
  for (const Target& target : all_targets()) {
    if (target.isa != IsaFamily::amdgcn) continue;
    for (const char* name : {"math", "call"})
      for (const u32 level : {0u, 3u})
        for (const Source& source : corpus)
          if (std::string_view(source.name) == name) {
            SCOPED_TRACE(std::string(target.name) + " " + name + " -O" + std::to_string(level));
            check_bytes(compiled(std::string(name) + ".cl", source.text, target.name.data(), level));
          }
  }
}

TEST_F(ListingTest, BranchesNameLabelsAtTheirTargets) {
  const CompiledObject object = compiled("nested.cl", corpus[2].text, "gfx900", 3);
  u32 branches = 0;
  for (const ListingLine& line : object.listing.lines) {
    const std::string_view text = object.listing.text(line);
    if (!text.starts_with("s_cbranch") && !text.starts_with("s_branch")) continue;
    const ListingLabel* label = object.listing.find_label(text.substr(text.rfind(' ') + 1));
    ASSERT_NE(label, nullptr) << text;
    // SOPP: simm16 counts words from the next instruction (Vega ISA, 12.5).
    const i16 words = static_cast<i16>(line.words[0] & 0xffff);
    EXPECT_EQ(label->address, line.address + 4 + static_cast<u64>(i64{4} * words));
    EXPECT_NE(object.listing.find_line(label->address), nullptr);
    ++branches;
  }
  EXPECT_GT(branches, 3u);
}

TEST_F(ListingTest, HandWrittenAssemblyHasItsOwnLines) {
  const CompiledObject object = compiled("hand.s",
                                         "first:\n"
                                         "  s_nop 1\n"
                                         "  .p2align 4\n"
                                         "again:\n"
                                         "  v_mov_b32 v0, 0x12345678\n"
                                         "  s_branch again\n"
                                         "  .long 0x01020304, 5\n"
                                         "last: s_endpgm\n"
                                         ".section .text.other,\"ax\",@progbits\n"
                                         ".globl other\n"
                                         ".protected other\n"
                                         ".type other,@function\n"
                                         "other: s_endpgm\n"
                                         ".size other, .-other\n",
                                         "gfx900", 3);
  const Listing& listing = object.listing;
  struct Line {
    u64 offset;
    u32 size_bytes;
    u32 line;
    const char* text;
  };
  // s_nop fills up to the alignment and runs; the two words of data are no instructions.
  const Line expected[] = {{0, 4, 2, "s_nop 1"},
                           {4, 4, 2, "s_nop 0"},
                           {8, 4, 2, "s_nop 0"},
                           {12, 4, 2, "s_nop 0"},
                           {16, 8, 5, "v_mov_b32_e32 v0, 0x12345678"},
                           {24, 4, 6, "s_branch again"},
                           {36, 4, 8, "s_endpgm"},
                           {40, 4, 13, "s_endpgm"}};
  ASSERT_EQ(listing.lines.size(), std::size(expected));
  const u64 base = listing.find_label("first")->address;
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(listing.lines[i].address, base + expected[i].offset);
    EXPECT_EQ(listing.lines[i].size_bytes, expected[i].size_bytes);
    EXPECT_EQ(listing.lines[i].line, expected[i].line);
    EXPECT_EQ(listing.text(listing.lines[i]), expected[i].text);
  }
  EXPECT_EQ(listing.lines[4].words[1], 0x12345678u);
  EXPECT_EQ(listing.find_label("again")->address, base + 16);
  EXPECT_EQ(listing.find_label("last")->address, base + 36);
  EXPECT_EQ(listing.find_label("absent"), nullptr);
}

TEST_F(ListingTest, TheAssemblersOwnNoOperationsAreListed) {
  // gfx1010 cannot branch by 0x3f words: its assembler puts an s_nop after such a branch, in no text.
  std::string text = "f:\n  s_branch end\n";
  for (int i = 0; i < 63; ++i) text += "  v_nop\n";
  text += "end:\n  s_endpgm\n";
  EXPECT_EQ(compiled("branch.s", text, "gfx1030", 3).listing.lines.size(), 65u);
  const CompiledObject object = compiled("branch.s", text, "gfx1010", 3);
  ASSERT_EQ(object.listing.lines.size(), 66u);
  EXPECT_EQ(object.listing.text(object.listing.lines[1]), "s_nop 0");
  EXPECT_EQ(object.listing.find_label("end")->address, object.listing.lines[65].address);
}

TEST_F(ListingTest, AssemblyErrorsHaveTheUsersPlace) {
  CompileRequest request;
  request.path = write("bad.s", "s_nop 0\nv_bogus v1\n");
  request.target = find_target("gfx900");
  auto result = compile(request);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().place, (Place{request.path, 2, 1}));
  request.source = "s_nop 0\n\nv_bogus v1\n";
  request.path = "memory.s";
  auto in_memory = compile(request);
  ASSERT_FALSE(in_memory.ok());
  EXPECT_EQ(in_memory.error().place, (Place{"memory.s", 3, 1}));
  EXPECT_EQ(in_memory.error().code, "compile-failed");
}

TEST_F(ListingTest, AnObjectForAnotherTargetIsRefused) {
  const CompiledObject object = compiled("add.cl", corpus[0].text, "gfx906", 3);
  CompileRequest request;
  request.path = "object.co";
  request.source = std::string(object.elf.begin(), object.elf.end());
  request.target = find_target("gfx900");
  auto result = compile(request);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "wrong-target");
  EXPECT_NE(result.error().message.find("gfx906"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
