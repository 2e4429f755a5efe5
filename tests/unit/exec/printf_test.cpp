// Records of printf as nobody's compiler writes them.
#include "exec/printf.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

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

}  // namespace
}  // namespace lockstep
