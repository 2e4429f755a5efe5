#include "base/elf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compile/compile.h"
#include "scratch.h"

namespace lockstep {
namespace {

class ElfTest : public ScratchTest {
 protected:
  std::vector<u8> object(const std::string& text) {
    CompileRequest request;
    request.path = "k.cl";
    request.source = text;
    request.target = find_target("gfx900");
    auto result = compile(request);
    EXPECT_TRUE(result.ok()) << to_string(result.error());
    return result.ok() ? result->object->elf : std::vector<u8>{};
  }
};

// A table of addresses, which only the loader can fill.
constexpr const char* pointers =
    "__constant int a[4] = {1, 2, 3, 4};\n__constant int b[4] = {50, 60, 70, 80};\n"
    "__constant int* __constant table[2] = {a + 1, b + 2};\n"
    "__kernel void k(__global int* p, int i) { p[0] = *table[i]; p[1] = a[i] + b[i]; }\n";

TEST_F(ElfTest, ReadsWhatTheLinkerWrote) {
  const std::vector<u8> bytes = object(pointers);
  auto elf = read_elf(bytes, "k");
  ASSERT_TRUE(elf.ok()) << to_string(elf.error());
  EXPECT_EQ(elf->machine, elf_machine_amdgpu);
  EXPECT_EQ(elf->type, 3);
  EXPECT_EQ(elf->os_abi, 64);
  EXPECT_EQ(elf->abi_version, 3);  // code object version 5
  EXPECT_EQ(elf->flags & 0xff, 0x2cu);
  ASSERT_NE(elf->find_section(".text"), nullptr);
  EXPECT_TRUE(elf->find_section(".text")->executable());
  ASSERT_NE(elf->find_symbol("k"), nullptr);
  EXPECT_TRUE(elf->find_symbol("k")->function());
  EXPECT_EQ(elf->find_symbol("k.kd")->size_bytes, 64u);
  EXPECT_EQ(elf->find_symbol("absent"), nullptr);
  ASSERT_EQ(elf->notes.size(), 1u);
  EXPECT_EQ(elf->notes[0].owner, "AMDGPU");
  EXPECT_EQ(elf->notes[0].type, 32u);
  const std::string metadata(
      bytes.begin() + static_cast<i64>(elf->notes[0].offset),
      bytes.begin() + static_cast<i64>(elf->notes[0].offset + elf->notes[0].size_bytes));
  EXPECT_NE(metadata.find("amdhsa.kernels"), std::string::npos);
}

TEST_F(ElfTest, RelocatesToWhereItIsLoaded) {
  const std::vector<u8> bytes = object(pointers);
  auto elf = read_elf(bytes, "k");
  ASSERT_TRUE(elf.ok());
  auto image = build_image(bytes, *elf, "k");
  ASSERT_TRUE(image.ok()) << to_string(image.error());
  const u64 load_address = 0x7f00'1234'0000;
  ASSERT_TRUE(apply_relocations(*image, *elf, load_address, "k").ok());
  const ElfSymbol* table = elf->find_symbol("table");
  ASSERT_NE(table, nullptr);
  const int expected[2] = {2, 70};
  for (u64 i = 0; i < 2; ++i) {
    u64 pointer = 0;
    std::memcpy(&pointer, image->bytes.data() + (table->value - image->address) + 8 * i, 8);
    ASSERT_GE(pointer, load_address);
    ASSERT_LE(pointer + 4, load_address + image->bytes.size());
    int value = 0;
    std::memcpy(&value, image->bytes.data() + (pointer - load_address), 4);
    EXPECT_EQ(value, expected[i]);
  }
  // The code lies in the image at its symbol's distance.
  const ElfSymbol* kernel = elf->find_symbol("k");
  const auto code = bytes_at(bytes, *elf, kernel->value, kernel->size_bytes);
  ASSERT_EQ(code.size(), kernel->size_bytes);
  EXPECT_EQ(std::memcmp(code.data(), image->bytes.data() + (kernel->value - image->address), code.size()), 0);
  EXPECT_EQ(build_image(bytes, *elf, "k", 64).error().code, "bad-elf");
}

void try_everything(const std::vector<u8>& bytes) {
  auto elf = read_elf(bytes, "damaged");
  if (!elf) {
    EXPECT_EQ(elf.error().code, "bad-elf");
    EXPECT_FALSE(elf.error().message.empty());
    return;
  }
  for (const ElfSymbol& symbol : elf->symbols) (void)bytes_at(bytes, *elf, symbol.value, symbol.size_bytes);
  auto image = build_image(bytes, *elf, "damaged", 1 << 20);
  if (image) (void)apply_relocations(*image, *elf, 0x1000'0000, "damaged");
}

TEST_F(ElfTest, TruncationsAreDiagnosed) {
  const std::vector<u8> whole = object(pointers);
  for (std::size_t size = 0; size < whole.size(); ++size)
    try_everything(std::vector<u8>(whole.begin(), whole.begin() + static_cast<i64>(size)));
  // The section table is the last thing in the file: without its end the file is no object.
  EXPECT_FALSE(read_elf(std::span(whole).first(whole.size() - 1), "cut").ok());
  EXPECT_FALSE(read_elf(std::span(whole).first(10), "cut").ok());
  EXPECT_FALSE(read_elf({}, "empty").ok());
}

TEST_F(ElfTest, DamageNeverCrashes) {
  const std::vector<u8> whole = object(pointers);
  std::mt19937 random(1);
  u64 section_table = 0;
  std::memcpy(&section_table, whole.data() + 0x28, 8);
  for (int round = 0; round < 30'000; ++round) {
    std::vector<u8> damaged = whole;
    const u32 flips = 1 + random() % 3;
    for (u32 i = 0; i < flips; ++i) {
      // Half of the damage goes where the structure is: the headers and the section table.
      u64 at = random() % damaged.size();
      if (random() % 2 == 0)
        at = random() % 2 == 0 ? random() % 0x240
                               : section_table + random() % (damaged.size() - section_table);
      damaged[at] =
          random() % 2 == 0 ? static_cast<u8>(random()) : static_cast<u8>(damaged[at] ^ (1 << random() % 8));
    }
    try_everything(damaged);
  }
}

// A small file must not ask for a large amount of memory: its symbol tables cover the same bytes.
TEST(Elf, TablesUponEachOtherAreRefused) {
  constexpr u16 sections = 1000;
  std::vector<u8> bytes(64 + 64 * sections);
  const auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  put(0, u32{0x464C457F});
  bytes[4] = 2;
  bytes[5] = 1;
  put(0x28, u64{64});
  put(0x3A, u16{64});
  put(0x3C, sections);
  for (u32 i = 0; i < sections; ++i) {
    put(64 + 64 * i + 4, u32{2});              // a symbol table
    put(64 + 64 * i + 32, u64{bytes.size()});  // of the whole file
  }
  const auto elf = read_elf(bytes, "forged.hsaco");
  ASSERT_FALSE(elf.ok());
  EXPECT_EQ(elf.error().code, "bad-elf");
  EXPECT_NE(elf.error().message.find("lie upon each other"), std::string::npos) << to_string(elf.error());
  EXPECT_EQ(elf.error().place.file, "forged.hsaco");
}

}  // namespace
}  // namespace lockstep
