#include "exec/device_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

namespace lockstep {
namespace {

u64 resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0, resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<u64>(sysconf(_SC_PAGESIZE)) : 0;
}

TEST(DeviceMemory, GivesAlignedZeroedDisjointMemory) {
  DeviceMemory memory;
  const u64 a = *memory.allocate(100, 1, "a"), b = *memory.allocate(100, 4096, "b"),
            c = *memory.allocate(0, 1, "c");
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(b % 4096, 0u);
  EXPECT_GE(b, a + 100 + 256);
  EXPECT_TRUE(c >= b + 100 || c + 1 <= b);
  EXPECT_TRUE(c >= a + 100 || c + 1 <= a);
  EXPECT_EQ(a, DeviceMemory::first_address);
  std::vector<u8> bytes(100, 0xAA);
  ASSERT_TRUE(memory.read(a, bytes));
  EXPECT_EQ(bytes, std::vector<u8>(100, 0));
}

TEST(DeviceMemory, AddressesFollowFromTheCallsAlone) {
  DeviceMemory one, two;
  for (const u64 bytes : {1u, 5000u, 1u << 22, 77u}) {
    EXPECT_EQ(*one.allocate(bytes, 256, "x"), *two.allocate(bytes, 256, "x"));
  }
}

TEST(DeviceMemory, ReusesFreedMemoryAndClearsIt) {
  DeviceMemory memory;
  const u64 a = *memory.allocate(10000, 256, "a");
  const u64 b = *memory.allocate(300, 256, "b");
  const std::vector<u8> ones(10000, 1);
  ASSERT_TRUE(memory.write(a, ones));
  memory.free(a);
  std::array<u8, 1> one{};
  EXPECT_FALSE(memory.read(a, one));
  const u64 again = *memory.allocate(10000, 256, "again");
  EXPECT_EQ(again, a);
  std::vector<u8> bytes(10000, 9);
  ASSERT_TRUE(memory.read(again, bytes));
  EXPECT_EQ(bytes, std::vector<u8>(10000, 0));
  memory.free(b);
  memory.free(again);
  EXPECT_EQ(memory.allocated_bytes(), 0u);
  EXPECT_EQ(memory.high_water_bytes(), 10300u);
  // Neighbouring holes joined: a larger piece fits where both were.
  EXPECT_EQ(*memory.allocate(14000, 256, "larger"), a);
}

TEST(DeviceMemory, FindsTheAllocationOrTheNearest) {
  DeviceMemory memory;
  EXPECT_FALSE(memory.nearest(5));
  const u64 a = *memory.allocate(100, 256, "first"), b = *memory.allocate(100, 256, "second");
  EXPECT_EQ(memory.find(a + 99, 1)->name, "first");
  EXPECT_FALSE(memory.find(a + 99, 2));
  EXPECT_FALSE(memory.find(a, ~u64{0}));
  EXPECT_EQ(memory.nearest(a + 100)->name, "first");
  EXPECT_EQ(memory.nearest(b - 4)->name, "second");
  EXPECT_EQ(memory.nearest(0)->name, "first");
  EXPECT_EQ(memory.nearest(~u64{0})->name, "second");
}

TEST(DeviceMemory, ReadsWritesFillsAndCopiesWithinBounds) {
  DeviceMemory memory;
  const u64 a = *memory.allocate(10, 256, "ten"), b = *memory.allocate(10, 256, "other");
  const std::array<u8, 3> pattern{1, 2, 3};
  ASSERT_TRUE(memory.fill(a, 10, pattern));
  std::array<u8, 10> bytes{};
  ASSERT_TRUE(memory.read(a, bytes));
  EXPECT_EQ(bytes, (std::array<u8, 10>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1}));
  ASSERT_TRUE(memory.copy(b, a, 10));
  ASSERT_TRUE(memory.read(b, bytes));
  EXPECT_EQ(bytes[9], 1);
  const Status outside = memory.write(a + 8, pattern);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, "outside-allocation");
  EXPECT_FALSE(memory.fill(a, 11, pattern));
  EXPECT_FALSE(memory.copy(b + 1, a, 10));
}

TEST(DeviceMemory, CostsNothingUntilItIsTouched) {
  DeviceMemory memory;
  memory.track_written();
  const u64 before = resident_bytes();
  const Expected<u64> address = memory.allocate(u64{8} << 30, 256, "large");
  if (memory.capacity_bytes() < u64{9} << 30)
    GTEST_SKIP() << "the host grants only " << memory.capacity_bytes() << " bytes";
  ASSERT_TRUE(address);
  const std::array<u8, 4> value{1, 2, 3, 4};
  ASSERT_TRUE(memory.write(*address, value));
  ASSERT_TRUE(memory.write(*address + (u64{8} << 30) - 4, value));
  EXPECT_LT(resident_bytes() - before, u64{16} << 20);
}

TEST(DeviceMemory, GrowsByLaunchesAndSaysWhenItIsFull) {
  DeviceMemory memory(u64{32} << 20);
  EXPECT_EQ(memory.capacity_bytes(), u64{32} << 20);
  EXPECT_FALSE(memory.allocate(u64{33} << 20, 256, "too large"));
  const u64 a = *memory.allocate(u64{20} << 20, 256, "large");
  EXPECT_TRUE(memory.view().contains(a, u64{20} << 20));
  const Expected<u64> refused = memory.allocate(u64{20} << 20, 256, "second");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "out-of-device-memory");
}

TEST(DeviceMemory, FallsBackToWhatTheHostGrants) {
  const u64 limit = u64{4} << 30;
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &old), 0);
  rlimit tight = old;
  tight.rlim_cur = limit;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  {
    DeviceMemory memory;
    EXPECT_GE(memory.capacity_bytes(), u64{256} << 20);
    EXPECT_LT(memory.capacity_bytes(), limit);
    EXPECT_TRUE(memory.allocate(1000, 256, "a"));
  }
  setrlimit(RLIMIT_AS, &old);
}

TEST(DeviceMemory, KnowsWhatWasWritten) {
  DeviceMemory memory;
  const u64 before = *memory.allocate(10, 256, "before");
  EXPECT_EQ(memory.first_unwritten(before, 10), std::nullopt);
  memory.track_written();
  EXPECT_EQ(memory.first_unwritten(before, 10), std::nullopt);  // older than the record: taken as written
  const u64 a = *memory.allocate(1000, 256, "a");
  const std::vector<u8> bytes(100, 1);
  ASSERT_TRUE(memory.write(a + 3, bytes));
  ASSERT_TRUE(memory.write(a + 103, bytes));
  EXPECT_EQ(memory.first_unwritten(a + 3, 200), std::nullopt);
  EXPECT_EQ(memory.first_unwritten(a + 2, 10), a + 2);
  EXPECT_EQ(memory.first_unwritten(a + 3, 500), a + 203);
  EXPECT_EQ(memory.written_mask(a, 8), 0xF8u);
  EXPECT_EQ(memory.written_mask(a + 200, 8), 0x07u);
  memory.mark_written(a + 203, 500);
  EXPECT_EQ(memory.first_unwritten(a + 3, 997), a + 703);
  ASSERT_TRUE(memory.fill(a, 1000, std::span<const u8>(bytes).first(1)));
  EXPECT_EQ(memory.first_unwritten(a, 1000), std::nullopt);
  memory.mark_written(0, 10);  // not device memory: ignored
  memory.free(a);
  const u64 again = *memory.allocate(1000, 256, "again");
  EXPECT_EQ(again, a);
  EXPECT_EQ(memory.first_unwritten(again, 1000), again);
}

TEST(DeviceMemory, ThreadsMarkNeighbouringBytes) {
  DeviceMemory memory;
  const u64 a = *memory.allocate(1 << 16, 256, "a");
  memory.free(a);
  memory.track_written();
  ASSERT_EQ(*memory.allocate(1 << 16, 256, "b"), a);
  std::vector<std::thread> threads;
  for (u64 part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] {
      for (u64 i = part; i < 1 << 16; i += 4) memory.mark_written(a + i, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.first_unwritten(a, 1 << 16), std::nullopt);
}

}  // namespace
}  // namespace lockstep
