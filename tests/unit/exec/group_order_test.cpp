// Which modules run their groups in one fixed order.
#include <gtest/gtest.h>

#include "exec/functional.h"
#include "isa/amd/decode.h"
#include "isa/nv/memory.h"
#include "machine/target.h"

namespace lockstep {
namespace {

GroupOrder order_of(std::initializer_list<const char*> lines, const char* target = "gfx900") {
  Module module;
  for (const char* line : lines) {
    const auto in = amd::decode({line, {}, 0}, *find_target(target));
    EXPECT_TRUE(in) << line;
    if (in) module.code.instructions.push_back(*in);
  }
  return group_order(module);
}

TEST(GroupOrder, SumsOfIntegersCommute) {
  EXPECT_FALSE(order_of({"global_load_dword v2, v[0:1], off", "global_store_dword v[0:1], v2, off"}).fixed());
  EXPECT_FALSE(order_of({"global_atomic_add v[0:1], v2, off", "flat_atomic_sub v[0:1], v2",
                         "buffer_atomic_add v2, v0, s[0:3], 0 offen"})
                   .fixed());
  EXPECT_FALSE(order_of({"s_atomic_add s5, s[2:3], 0x0"}).fixed());
}

TEST(GroupOrder, ReturningAtomicsAreOrdered) {
  EXPECT_TRUE(order_of({"global_atomic_add v3, v[0:1], v2, off glc"}).returning_atomics);
  EXPECT_TRUE(order_of({"s_atomic_add s5, s[2:3], 0x0 glc"}).returning_atomics);
}

TEST(GroupOrder, AtomicsThatDoNotCommuteAreOrderedThoughTheyReturnNothing) {
  for (const char* line : {"global_atomic_swap v[0:1], v2, off", "global_atomic_swap_x2 v[0:1], v[2:3], off",
                           "flat_atomic_cmpswap v[0:1], v[2:3]", "global_atomic_inc v[0:1], v2, off",
                           "buffer_atomic_dec v2, v0, s[0:3], 0 offen", "s_atomic_swap s5, s[2:3], 0x0",
                           "image_atomic_swap v0, v[2:3], s[4:11] dmask:0x1"}) {
    EXPECT_TRUE(order_of({line}).ordered_atomics) << line;
  }
  for (const char* line :
       {"global_atomic_add_f32 v[0:1], v2, off", "global_atomic_pk_add_f16 v[0:1], v2, off",
        "global_atomic_max_f64 v[0:1], v[2:3], off"}) {
    EXPECT_TRUE(order_of({line}, "gfx942").ordered_atomics) << line;
  }
  EXPECT_TRUE(order_of({"global_atomic_fmin v[0:1], v2, off"}, "gfx1030").ordered_atomics);
}

TEST(GroupOrder, AtomicsOfDifferentKindsAreOrdered) {
  EXPECT_FALSE(
      order_of({"global_atomic_umax v[0:1], v2, off", "global_atomic_umax v[0:1], v2, off"}).fixed());
  EXPECT_TRUE(
      order_of({"global_atomic_umax v[0:1], v2, off", "global_atomic_add v[0:1], v2, off"}).several_kinds);
  EXPECT_TRUE(
      order_of({"global_atomic_umax v[0:1], v2, off", "global_atomic_smax v[0:1], v2, off"}).several_kinds);
}

TEST(GroupOrder, LocalMemoryIsItsGroupsOwn) {
  EXPECT_FALSE(order_of({"ds_wrxchg_rtn_b32 v0, v1, v2", "ds_inc_u32 v0, v1", "ds_add_f32 v0, v1",
                         "global_atomic_add v[0:1], v2, off"})
                   .fixed());
}

TEST(GroupOrder, ReductionsOfPtx) {
  const auto order = [](std::string_view operation, Addressing addressing) {
    Module module;
    Instruction in;
    in.meaning = nv::find_atomic(operation);
    in.addressing = addressing;
    module.code.instructions.push_back(in);
    return group_order(module);
  };
  EXPECT_FALSE(order("add.u32", Addressing::global).fixed());
  EXPECT_TRUE(order("inc.u32", Addressing::global).ordered_atomics);
  EXPECT_TRUE(order("dec.u32", Addressing::generic).ordered_atomics);
  EXPECT_TRUE(order("exch.b32", Addressing::generic).ordered_atomics);
  EXPECT_TRUE(order("add.f64", Addressing::global).ordered_atomics);
  EXPECT_FALSE(order("inc.u32", Addressing::local).fixed());
}

}  // namespace
}  // namespace lockstep
