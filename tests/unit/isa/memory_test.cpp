// Memory instructions on a wave of 64 lanes (and of 32 where it matters): what they move, which addresses
// they record, and which faults they raise. Expected values come from the addresses themselves.
#include <gtest/gtest.h>

#include "isa/amd/addressing.h"
#include "isa/amd/decode.h"
#include "isa/amd/table.h"

namespace lockstep::amd {
namespace {

constexpr u64 base = 0x0000'1000'0000'0000u;

struct Machine {
  std::vector<u8> memory = std::vector<u8>(1 << 16);
  std::vector<u8> local = std::vector<u8>(4096);
  WaveState wave;
  Outcome outcome;
  StepContext context;

  explicit Machine(u32 lanes = 64) {
    wave.allocate(lanes, 64, 128);
    wave.valid_lanes = wave.all_lanes();
    wave.set_exec(wave.all_lanes());
    wave.local = local;
    wave.private_base = base + 0x4000;
    wave.private_bytes_per_lane = 64;
    context.global = {memory.data(), base, memory.size()};
    context.outcome = &outcome;
    for (std::size_t i = 0; i < memory.size(); i += 4) set(i, static_cast<u32>(i / 4));
  }

  void set(u64 offset, u32 value) { std::memcpy(memory.data() + offset, &value, 4); }
  u32 get(u64 offset) const {
    u32 value;
    std::memcpy(&value, memory.data() + offset, 4);
    return value;
  }
  u32 get_local(u64 offset) const {
    u32 value;
    std::memcpy(&value, local.data() + offset, 4);
    return value;
  }
  // v[row:row+1] = address + lane * step
  void addresses(u32 row, u64 address, u64 step) {
    for (u32 lane = 0; lane < wave.lanes; ++lane) {
      wave.row(row)[lane] = static_cast<u32>(address + lane * step);
      wave.row(row + 1)[lane] = static_cast<u32>((address + lane * step) >> 32);
    }
  }
  void fill(u32 row, u32 first, u32 step) {
    for (u32 lane = 0; lane < wave.lanes; ++lane) wave.row(row)[lane] = first + lane * step;
  }
  // A private (scratch) buffer resource as the HSA ABI makes it, in s[0:3].
  void private_resource() {
    wave.write_scalar(0, static_cast<u32>(wave.private_base));
    wave.write_scalar(1, static_cast<u32>(wave.private_base >> 32) | 1u << 31);
    wave.write_scalar(2, 0xFFFFFFFF);
    wave.write_scalar(3, 3u << 21 | 1u << 23);
  }

  FaultKind run(std::string_view text, u32 word = 0, std::string_view target = "gfx900") {
    const std::array<u32, 2> words{word, 0};
    const Target* found = find_target(target);
    EXPECT_NE(found, nullptr);
    const auto decoded = decode({text, words, 0}, *found);
    EXPECT_TRUE(decoded) << (decoded ? "" : decoded.error().message);
    if (!decoded) return FaultKind::not_supported;
    outcome = {};
    context.fault = {};
    context.event = Event::none;
    run_function(*decoded->meaning, wave.lanes)(wave, *decoded, context);
    return context.fault.kind;
  }
};

TEST(GlobalMemory, LoadsConsecutiveUniformAndScattered) {
  Machine m;
  m.addresses(0, base + 0x100, 4);
  ASSERT_EQ(m.run("global_load_dword v2, v[0:1], off offset:16"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(2)[lane], 0x110 / 4 + lane);
  EXPECT_EQ(m.outcome.access_count, 1);
  EXPECT_EQ(m.outcome.access[0].address[5], base + 0x110 + 20);
  EXPECT_EQ(m.outcome.access[0].bytes, 4);
  EXPECT_EQ(m.outcome.access[0].lanes, ~u64{0});
  m.addresses(0, base + 0x200, 0);
  ASSERT_EQ(m.run("global_load_dwordx2 v[2:3], v[0:1], off"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(m.wave.row(2)[lane], 0x80u);
    EXPECT_EQ(m.wave.row(3)[lane], 0x81u);
  }
  m.addresses(0, base + 0x1000, 20);
  m.wave.set_exec(0xF0F0F0F0F0F0F0F1);
  ASSERT_EQ(m.run("global_load_dwordx4 v[4:7], v[0:1], off offset:-16"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) {
    const bool active = ((0xF0F0F0F0F0F0F0F1 >> lane) & 1) != 0;
    for (u32 k = 0; k < 4; ++k) {
      EXPECT_EQ(m.wave.row(4 + k)[lane], active ? (0x1000 - 16 + lane * 20) / 4 + k : 0);
    }
  }
}

TEST(GlobalMemory, LoadsEveryWidthOfConsecutiveLanes) {
  Machine m;
  m.addresses(0, base + 0x80, 12);
  ASSERT_EQ(m.run("global_load_dwordx3 v[2:4], v[0:1], off"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) {
    for (u32 k = 0; k < 3; ++k) EXPECT_EQ(m.wave.row(2 + k)[lane], 0x20 + lane * 3 + k);
  }
  for (u32 i = 0; i < 64; ++i) m.memory[i] = static_cast<u8>(0xC0 + i);
  m.addresses(0, base, 1);
  m.wave.row(5)[7] = 0xAAAABBBB;
  ASSERT_EQ(m.run("global_load_sbyte v2, v[0:1], off"), FaultKind::none);
  ASSERT_EQ(m.run("global_load_ubyte v3, v[0:1], off"), FaultKind::none);
  ASSERT_EQ(m.run("global_load_ubyte_d16_hi v5, v[0:1], off"), FaultKind::none);
  EXPECT_EQ(m.wave.row(2)[7], 0xFFFFFFC7u);
  EXPECT_EQ(m.wave.row(3)[7], 0xC7u);
  EXPECT_EQ(m.wave.row(5)[7], 0x00C7BBBBu);
  m.wave.row(5)[7] = 0xAAAABBBB;
  ASSERT_EQ(m.run("global_load_sbyte_d16 v5, v[0:1], off"), FaultKind::none);
  EXPECT_EQ(m.wave.row(5)[7], 0xAAAAFFC7u);
}

TEST(GlobalMemory, StoresUnderTheMaskAndFromTheUpperHalf) {
  Machine m;
  m.wave.set_exec(0x5);
  m.wave.write_scalar64(4, base + 0x300);
  m.fill(0, 0, 4);
  m.fill(1, 0xABCD0000, 1);
  ASSERT_EQ(m.run("global_store_dword v0, v1, s[4:5]"), FaultKind::none);
  EXPECT_EQ(m.get(0x300), 0xABCD0000u);
  EXPECT_EQ(m.get(0x304), 0x304u / 4);
  EXPECT_EQ(m.get(0x308), 0xABCD0002u);
  ASSERT_EQ(m.run("global_store_short_d16_hi v0, v1, s[4:5] offset:64"), FaultKind::none);
  EXPECT_EQ(m.get(0x340), 0x340u / 4 >> 16 << 16 | 0xABCDu);
  m.wave.set_exec(m.wave.all_lanes());
  m.fill(0, 0, 8);
  m.fill(2, 100, 1);
  ASSERT_EQ(m.run("global_store_dwordx2 v0, v[1:2], s[4:5]"), FaultKind::none);
  EXPECT_EQ(m.get(0x300 + 63 * 8), 0xABCD0000u + 63);
  EXPECT_EQ(m.get(0x300 + 63 * 8 + 4), 163u);
}

TEST(GlobalMemory, FaultsNameTheLaneAndLeaveRegistersAlone) {
  Machine m;
  m.addresses(0, base + (1 << 16) - 63 * 4 + 2, 4);  // lane 63 straddles the end
  m.fill(2, 7, 0);
  EXPECT_EQ(m.run("global_load_dword v2, v[0:1], off"), FaultKind::outside_memory);
  EXPECT_EQ(m.context.fault.lane, 62u);
  EXPECT_EQ(m.context.fault.address, base + (1 << 16) - 2);
  EXPECT_EQ(m.context.event, Event::fault);
  EXPECT_EQ(m.wave.row(2)[0], 7u);
  m.wave.set_exec(m.wave.exec() >> 2);  // without the two lanes
  EXPECT_EQ(m.run("global_load_dword v2, v[0:1], off"), FaultKind::none);
  m.wave.set_exec(0);
  m.addresses(0, 0, 0);
  EXPECT_EQ(m.run("global_load_dword v2, v[0:1], off"), FaultKind::none);
}

TEST(FlatMemory, ReachesEachMemoryByItsAperture) {
  Machine m;
  m.addresses(0, base, 4);
  for (u32 lane = 0; lane < 64; ++lane) {
    if (lane % 3 == 1) {
      m.wave.row(1)[lane] = shared_aperture_base >> 32;
      m.wave.row(0)[lane] = lane * 8;
    } else if (lane % 3 == 2) {
      m.wave.row(1)[lane] = private_aperture_base >> 32;
      m.wave.row(0)[lane] = 16;
    }
  }
  m.fill(2, 1000, 1);
  ASSERT_EQ(m.run("flat_store_dword v[0:1], v2"), FaultKind::none);
  EXPECT_EQ(m.get(3 * 4), 1003u);
  EXPECT_EQ(m.get_local(4 * 8), 1004u);
  EXPECT_EQ(m.get(0x4000 + 4 * 256 + 5 * 4), 1005u);
  m.fill(3, 0, 0);
  ASSERT_EQ(m.run("flat_load_dword v3, v[0:1]"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(3)[lane], 1000 + lane);
}

TEST(PrivateMemory, InterleavesLanesByDwords) {
  Machine m;
  m.private_resource();
  m.fill(2, 500, 1);
  m.fill(3, 600, 1);
  ASSERT_EQ(m.run("buffer_store_dword v2, off, s[0:3], 0 offset:8"), FaultKind::none);
  EXPECT_EQ(m.outcome.access[0].space, Space::private_memory);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.get(0x4000 + 2 * 256 + lane * 4), 500 + lane);
  ASSERT_EQ(m.run("scratch_load_dword v4, off, off offset:8"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(4)[lane], 500 + lane);
  ASSERT_EQ(m.run("buffer_store_dwordx2 v[2:3], off, s[0:3], 0 offset:12"), FaultKind::none);
  EXPECT_EQ(m.get(0x4000 + 3 * 256 + 9 * 4), 509u);
  EXPECT_EQ(m.get(0x4000 + 4 * 256 + 9 * 4), 609u);
  // A function's frame: the scalar offset counts bytes of the whole wave.
  m.wave.write_scalar(32, 16 * 64);
  m.fill(5, 4, 0);
  ASSERT_EQ(m.run("buffer_store_dword v2, v5, s[0:3], s32 offen"), FaultKind::none);
  EXPECT_EQ(m.get(0x4000 + 5 * 256 + 9 * 4), 509u);
  // Unaligned: the bytes of one lane lie in two of its dwords.
  m.fill(5, 30, 0);
  ASSERT_EQ(m.run("scratch_store_dword v5, v2, off"), FaultKind::none);
  EXPECT_EQ(m.get(0x4000 + 7 * 256 + 3 * 4) >> 16, 503u);
  m.fill(6, 0, 0);
  ASSERT_EQ(m.run("scratch_load_dword v6, v5, off"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(6)[lane], 500 + lane);
  EXPECT_EQ(m.run("scratch_load_dword v6, off, off offset:64"), FaultKind::outside_private);
  EXPECT_EQ(m.run("scratch_load_dwordx2 v[6:7], off, off offset:60"), FaultKind::outside_private);
  EXPECT_EQ(m.run("buffer_load_dword v6, off, s[0:3], 0 offset:64"), FaultKind::outside_private);
}

TEST(BufferMemory, ChecksRangesByDwordAndByRecord) {
  Machine m;
  const u64 at = base + 0x800;
  m.wave.write_scalar(4, static_cast<u32>(at));
  m.wave.write_scalar(5, static_cast<u32>(at >> 32) | 8u << 16);  // stride 8
  m.wave.write_scalar(6, 8 * 10 - 4);                             // bytes: nine and a half records
  m.wave.write_scalar(7, 0);
  m.fill(0, 0, 1);
  m.fill(2, 77, 0);
  m.fill(3, 77, 0);
  ASSERT_EQ(m.run("buffer_load_dwordx2 v[2:3], v0, s[4:7], 0 idxen"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(m.wave.row(2)[lane], lane < 10 ? 0x200 + lane * 2 : 0) << lane;
    EXPECT_EQ(m.wave.row(3)[lane], lane < 9 ? 0x201 + lane * 2 : 0) << lane;
  }
  ASSERT_EQ(m.run("buffer_store_dword v0, v0, s[4:7], 0 idxen offset:4"), FaultKind::none);
  EXPECT_EQ(m.get(0x800 + 8 * 8 + 4), 8u);
  EXPECT_EQ(m.get(0x800 + 9 * 8 + 4), 0x213u);  // dropped
  // Swizzled with stride 16, index stride 8: record i's dword j lies at (i/8*16 + j*4)*8 + i%8*4.
  for (u32 i = 0; i < 0x1000; i += 4) m.set(i, i / 4);
  m.wave.write_scalar(5, static_cast<u32>(at >> 32) | 16u << 16 | 1u << 31);
  m.wave.write_scalar(6, 20);  // records
  ASSERT_EQ(m.run("buffer_load_dword v2, v0, s[4:7], 0 idxen offset:4"), FaultKind::none);
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(m.wave.row(2)[i], i < 20 ? 0x200 + ((i / 8 * 16 + 4) * 8 + i % 8 * 4) / 4 : 0) << i;
  }
}

TEST(ScalarMemory, LoadsManyDwordsAndStores) {
  Machine m;
  m.wave.write_scalar64(8, base + 0x400);
  m.wave.write_scalar(10, 0x20);
  ASSERT_EQ(m.run("s_load_dwordx4 s[12:15], s[8:9], 0x10"), FaultKind::none);
  for (u32 k = 0; k < 4; ++k) EXPECT_EQ(m.wave.read_scalar(12 + k), 0x104 + k);
  EXPECT_EQ(m.outcome.access[0].bytes, 16);
  EXPECT_EQ(m.outcome.access[0].lanes, 1u);
  EXPECT_EQ(m.outcome.access[0].space, Space::constant);
  ASSERT_EQ(m.run("s_load_dwordx2 s[12:13], s[8:9], s10"), FaultKind::none);
  EXPECT_EQ(m.wave.read_scalar(13), 0x109u);
  ASSERT_EQ(m.run("s_store_dword s10, s[8:9], 0x0"), FaultKind::none);
  EXPECT_EQ(m.get(0x400), 0x20u);
  EXPECT_EQ(m.run("s_load_dword s12, s[12:13], 0x0"), FaultKind::outside_memory);
  m.wave.write_scalar(11, 0);
  m.wave.write_scalar(8, static_cast<u32>(base + 0x400));
  m.wave.write_scalar(10, 8);  // bytes
  ASSERT_EQ(m.run("s_buffer_load_dwordx4 s[12:15], s[8:11], 0x0"), FaultKind::none);
  EXPECT_EQ(m.wave.read_scalar(13), 0x101u);
  EXPECT_EQ(m.wave.read_scalar(14), 0u);
  m.context.now_cycles = 12345678901;
  ASSERT_EQ(m.run("s_memtime s[12:13]"), FaultKind::none);
  EXPECT_EQ(m.wave.read_scalar64(12), 12345678901u);
}

TEST(LocalMemory, PairsStridesAndBounds) {
  Machine m;
  m.fill(0, 0, 8);
  m.fill(1, 10, 1);
  m.fill(2, 90, 1);
  ASSERT_EQ(m.run("ds_write2_b32 v0, v1, v2 offset1:1", 0x0100), FaultKind::none);
  EXPECT_EQ(m.get_local(5 * 8), 15u);
  EXPECT_EQ(m.get_local(5 * 8 + 4), 95u);
  EXPECT_EQ(m.outcome.access_count, 2);
  ASSERT_EQ(m.run("ds_read2_b32 v[4:5], v0 offset1:1", 0x0100), FaultKind::none);
  EXPECT_EQ(m.wave.row(4)[63], 73u);
  EXPECT_EQ(m.wave.row(5)[63], 153u);
  m.context.outcome = nullptr;
  m.fill(4, 0, 0);
  m.fill(5, 0, 0);
  ASSERT_EQ(m.run("ds_read2_b32 v[4:5], v0 offset1:1", 0x0100), FaultKind::none);
  EXPECT_EQ(m.wave.row(4)[63], 73u);
  EXPECT_EQ(m.wave.row(5)[63], 153u);
  m.context.outcome = &m.outcome;
  ASSERT_EQ(m.run("ds_read_b64 v[6:7], v0"), FaultKind::none);
  EXPECT_EQ(m.wave.row(7)[3], 93u);
  m.fill(0, 4096 - 4 * 63, 4);
  EXPECT_EQ(m.run("ds_write_b32 v0, v1"), FaultKind::outside_local);
  EXPECT_EQ(m.context.fault.lane, 63u);
}

TEST(Atomics, ActInLaneOrderAndReturnWhatWasThere) {
  Machine m;
  m.addresses(0, base + 0x40, 0);
  m.set(0x40, 100);
  m.fill(2, 1, 1);
  ASSERT_EQ(m.run("global_atomic_add v3, v[0:1], v2, off glc"), FaultKind::none);
  EXPECT_EQ(m.outcome.access[0].kind, AccessKind::atomic_return);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(3)[lane], 100 + lane * (lane + 1) / 2);
  EXPECT_EQ(m.get(0x40), 100u + 64 * 65 / 2);
  ASSERT_EQ(m.run("global_atomic_umax v[0:1], v2, off"), FaultKind::none);
  EXPECT_EQ(m.outcome.access[0].kind, AccessKind::atomic);
  m.set(0x40, 5);
  m.fill(4, 9, 0);
  m.fill(5, 5, 0);
  ASSERT_EQ(m.run("flat_atomic_cmpswap v3, v[0:1], v[4:5] glc"), FaultKind::none);
  EXPECT_EQ(m.wave.row(3)[0], 5u);
  EXPECT_EQ(m.wave.row(3)[1], 9u);
  EXPECT_EQ(m.get(0x40), 9u);
  m.fill(6, 0, 0);
  m.fill(2, 2, 0);
  std::memset(m.local.data(), 0, 8);
  ASSERT_EQ(m.run("ds_inc_rtn_u32 v3, v6, v2"), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(3)[lane], lane % 3);
  m.addresses(0, base + 0x42, 0);
  EXPECT_EQ(m.run("global_atomic_add v[0:1], v2, off"), FaultKind::misaligned);
}

TEST(Swizzles, FollowTheirPatterns) {
  Machine m;
  m.fill(1, 0, 1);
  ASSERT_EQ(m.run("ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,1)", 0x041F), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(2)[lane], lane ^ 1);
  ASSERT_EQ(m.run("ds_swizzle_b32 v2, v1 offset:swizzle(QUAD_PERM,3,2,1,0)", 0x801B), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(2)[lane], (lane & ~3u) | (3 - lane % 4));
  ASSERT_EQ(m.run("ds_swizzle_b32 v2, v1 offset:0xc020", 0xC020), FaultKind::none);
  for (u32 lane = 0; lane < 64; ++lane) EXPECT_EQ(m.wave.row(2)[lane], (lane & 32) | ((lane + 1) & 31));
  m.wave.set_exec(~u64{1});
  m.fill(3, 0, 0);
  ASSERT_EQ(m.run("ds_bpermute_b32 v2, v3, v1"), FaultKind::none);
  EXPECT_EQ(m.wave.row(2)[5], 0u);  // lane 0 is not active
  m.fill(3, 20, 0);
  ASSERT_EQ(m.run("ds_bpermute_b32 v2, v3, v1"), FaultKind::none);
  EXPECT_EQ(m.wave.row(2)[63], 5u);
  ASSERT_EQ(m.run("ds_permute_b32 v2, v3, v1"), FaultKind::none);
  EXPECT_EQ(m.wave.row(2)[5], 63u);
  EXPECT_EQ(m.wave.row(2)[6], 0u);
}

TEST(WaveOf32, LoadsHalfAsManyLanes) {
  Machine m(32);
  m.addresses(0, base + 0x100, 4);
  ASSERT_EQ(m.run("global_load_dword v2, v[0:1], off", 0, "gfx1030"), FaultKind::none);
  EXPECT_EQ(m.wave.row(2)[31], 0x40u + 31);
  EXPECT_EQ(m.outcome.access[0].lanes, 0xFFFFFFFFu);
}

TEST(Refusals, AreByName) {
  Machine m;
  EXPECT_EQ(m.run("ds_read_b32 v0, v1 gds"), FaultKind::not_supported);
  EXPECT_NE(std::string_view(m.context.fault.text), "");
}

}  // namespace
}  // namespace lockstep::amd
