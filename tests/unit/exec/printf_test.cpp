// Records of printf as nobody's compiler writes them.
#include "exec/printf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "isa/printf_records.h"

namespace lockstep {
namespace {

// The text of one record whose argument's bytes end with the buffer: what reads further reads beyond it.
std::string text_of(const std::string& format, const std::vector<u8>& argument) {
  std::vector<u8> buffer(printf_header_bytes + 4);
  const u32 used = static_cast<u32>(4 + argument.size()), number = 1;
  std::memcpy(buffer.data(), &used, 4);
  std::memcpy(buffer.data() + printf_header_bytes, &number, 4);
  buffer.insert(buffer.end(), argument.begin(), argument.end());
  buffer.shrink_to_fit();
  return printf_text(buffer, std::vector<std::string>{format});
}

TEST(Printf, ArgumentsOfOddSizes) {
  EXPECT_EQ(text_of("1:1:0:%d|%c", {}), std::string("0|%c"));
  EXPECT_EQ(text_of("1:1:3:%d", {0xFE, 0xFF, 0xFF}), "-2");
  EXPECT_EQ(text_of("1:1:3:%u", {1, 0, 1}), "65537");
  EXPECT_EQ(text_of("1:1:5:%d", {0, 0, 0, 0, 1}), "4294967296");
}

TEST(Printf, WidthsThatNobodyReads) {
  EXPECT_EQ(text_of("1:1:4:%2000000000d", {7, 0, 0, 0}), "%2000000000d");
  EXPECT_EQ(text_of("1:1:4:%.2000000000d", {7, 0, 0, 0}), "%.2000000000d");
  EXPECT_EQ(text_of("1:1:4:%5d", {7, 0, 0, 0}), "    7");
}

// One record as AMD's lowering lays it out: `words` are stored, and the record is as long as its format says.
std::string record_text(const std::string& format, const std::vector<u32>& words, u32 record_words) {
  constexpr u64 bytes = 4096;
  DeviceMemory memory(u64{1} << 20);
  const u64 address = *memory.allocate(bytes, 256, "printf");
  const std::vector<std::string> formats{format};
  EXPECT_TRUE(prepare_printf_buffer(memory, address, bytes, formats).ok());
  std::vector<u8> buffer(bytes);
  EXPECT_TRUE(memory.read(address, buffer).ok());
  const u32 used = 4 * (1 + record_words), number = 1;
  u32 size = 0;
  std::memcpy(&size, buffer.data() + 4, 4);
  EXPECT_EQ(size, bytes);
  std::memcpy(buffer.data(), &used, 4);
  std::memcpy(buffer.data() + printf_header_bytes, &number, 4);
  std::memcpy(buffer.data() + printf_header_bytes + 4, words.data(), 4 * words.size());
  return printf_text(buffer, formats);
}

u32 letters(const char (&text)[5]) {
  u32 word;
  std::memcpy(&word, text, 4);
  return word;
}

TEST(Printf, TextsWithoutTheirZero) {
  const u32 abcd = letters("abcd"), efgh = letters("efgh"), e = 'e';
  // A text of 4 or 8 letters: the word that its size counts for the zero is not there.
  EXPECT_EQ(record_text("1:2:8:4:%s %c", {abcd, 'c'}, 3), "abcd c");
  EXPECT_EQ(record_text("1:2:12:4:%s %d", {abcd, efgh, 0}, 4), "abcdefgh 0");
  EXPECT_EQ(record_text("1:1:8:%s.", {abcd}, 2), "abcd.");
  // One of 5 letters, whose last word could as well be the next argument of one of 4.
  EXPECT_EQ(record_text("1:2:8:4:%s %d", {abcd, e, 7}, 3), "abcde 7");
  EXPECT_EQ(record_text("1:3:8:4:4:%s %d %d", {abcd, e, 7}, 4), "abcd 101 7");
  // Which of two lacks it: what stands before its end tells.
  EXPECT_EQ(record_text("1:3:8:8:4:%s %s %d", {abcd, efgh, e, 1}, 5), "abcd efghe 1");
  EXPECT_EQ(record_text("1:3:8:8:4:%s %s %d", {abcd, e, efgh, 1}, 5), "abcde efgh 1");
  EXPECT_EQ(record_text("1:3:8:8:4:%s %s %d", {abcd, efgh, e}, 5), "abcd efgh 101");
  EXPECT_EQ(record_text("1:3:8:8:4:%s %s %d", {abcd, e, efgh, e, 1}, 5), "abcde efghe 1");
  // Older compilers stored a zero word.
  EXPECT_EQ(record_text("1:2:8:4:%s %d", {abcd, 0, 7}, 3), "abcd 7");
  // A number of 8 bytes printed as a text, whatever it holds, moves nothing.
  EXPECT_EQ(record_text("1:2:8:4:%.3s %d", {abcd, efgh, 7}, 3), "abc 7");
}

// Records with the addresses of their texts, as Intel's compiler leaves them.
TEST(Printf, TypedRecordsNameTextsInMemory) {
  DeviceMemory memory(u64{1} << 20);
  const u64 buffer = *memory.allocate(256, 256, "printf"), texts = *memory.allocate(64, 64, "texts");
  const std::string text("%d %5.2f|%s|%v2d\n\0abc", 21);
  ASSERT_TRUE(memory.write(texts, {reinterpret_cast<const u8*>(text.data()), text.size()}).ok());
  const std::vector<std::string> formats{std::string(printf_typed_format)};
  ASSERT_TRUE(prepare_printf_buffer(memory, buffer, 256, formats).ok());
  std::vector<u8> bytes(256);
  ASSERT_TRUE(memory.read(buffer, bytes).ok());
  u32 used = 0;
  std::memcpy(&used, bytes.data(), 4);
  EXPECT_EQ(used, 4u);
  const auto put = [&](auto value) {
    std::memcpy(bytes.data() + used, &value, sizeof(value));
    used += sizeof(value);
  };
  put(texts);
  put(u32{3}), put(u32{0xFFFFFFFE});
  put(u32{8}), put(1.5);
  put(u32{5}), put(texts + 18);
  put(u32{11}), put(u32{2}), put(u32{7}), put(u32{9});
  const u32 whole = used;
  std::memcpy(bytes.data(), &whole, 4);
  EXPECT_EQ(printf_text(bytes, formats, memory.view()), "-2  1.50|abc|7,9\n");
  // A record that is cut off, and one whose format lies nowhere, are left out.
  const u32 cut = whole - 4;
  std::memcpy(bytes.data(), &cut, 4);
  EXPECT_EQ(printf_text(bytes, formats, memory.view()), "");
  const u64 nowhere = 16;
  std::memcpy(bytes.data() + 4, &nowhere, 8);
  std::memcpy(bytes.data(), &whole, 4);
  EXPECT_EQ(printf_text(bytes, formats, memory.view()), "");
}

}  // namespace
}  // namespace lockstep
