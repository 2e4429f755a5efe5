// Order, scope and cache policy as instructions of every generation spell them.
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "isa/amd/decode.h"
#include "isa/amd/format.h"
#include "isa/nv/policy.h"
#include "machine/target.h"

namespace lockstep {

static std::ostream& operator<<(std::ostream& out, const AccessPolicy& policy) {
  return out << "order " << int(policy.order) << ", scope " << int(policy.scope) << ", cached "
             << int(policy.cached) << ", reuse " << int(policy.reuse) << ", flags " << int(policy.flags);
}

namespace {

constexpr AccessPolicy plain{};

AccessPolicy strong(Scope scope, Order order = Order::relaxed) {
  return {order, scope, scope, Reuse::normal, 0};
}
AccessPolicy reused(Reuse reuse, AccessPolicy policy = {}) {
  policy.reuse = reuse;
  return policy;
}
AccessPolicy cached(Scope scope, AccessPolicy policy = {}) {
  policy.cached = scope;
  return policy;
}

Instruction decoded(const char* target, const char* text) {
  const auto in = amd::decode({text, {}, 0}, *find_target(target));
  EXPECT_TRUE(in) << target << ": " << text;
  return in ? *in : Instruction{};
}

TEST(AccessPolicy, OfAmdInstructions) {
  struct Case {
    const char* target;
    const char* text;
    AccessPolicy policy;
  };
  const std::vector<Case> cases = {
      {"gfx900", "global_load_dword v1, v[2:3], off", plain},
      {"gfx900", "global_load_dword v1, v[2:3], off glc", strong(Scope::device)},
      {"gfx900", "global_load_dword v1, v[2:3], off glc slc",
       cached(Scope::device, reused(Reuse::streaming))},
      {"gfx900", "global_store_dword v[2:3], v1, off glc slc", reused(Reuse::streaming)},
      {"gfx900", "global_atomic_add v1, v[2:3], v4, off glc", strong(Scope::device)},
      {"gfx900", "s_load_dword s4, s[2:3], 0x0 glc", cached(Scope::device)},
      {"gfx600", "buffer_load_dword v1, off, s[0:3], 0 glc", strong(Scope::device)},
      {"gfx900", "ds_add_u32 v1, v2", strong(Scope::group)},
      {"gfx900", "ds_read_b32 v1, v2", plain},
      {"gfx942", "global_load_dword v1, v[2:3], off sc0", strong(Scope::group)},
      {"gfx942", "global_load_dword v1, v[2:3], off sc1", strong(Scope::device)},
      {"gfx942", "global_store_dword v[2:3], v1, off sc0 sc1", strong(Scope::system)},
      {"gfx942", "global_load_dword v1, v[2:3], off nt", reused(Reuse::streaming)},
      {"gfx942", "global_atomic_add v1, v[2:3], v4, off sc0", strong(Scope::device)},
      {"gfx942", "global_atomic_add v[2:3], v4, off sc1", strong(Scope::system)},
      {"gfx1030", "global_load_dword v1, v[2:3], off glc", strong(Scope::group)},
      {"gfx1030", "global_load_dword v1, v[2:3], off glc dlc", strong(Scope::device)},
      {"gfx1030", "global_load_dword v1, v[2:3], off slc", reused(Reuse::streaming)},
      {"gfx1100", "global_load_b32 v1, v[2:3], off glc", strong(Scope::device)},
      {"gfx1100", "global_load_b32 v1, v[2:3], off dlc", reused(Reuse::no_allocate)},
      {"gfx1201", "global_load_b32 v1, v[2:3], off", plain},
      {"gfx1201", "global_load_b32 v1, v[2:3], off scope:SCOPE_SE", strong(Scope::group)},
      {"gfx1201", "global_load_b32 v1, v[2:3], off scope:SCOPE_DEV", strong(Scope::device)},
      {"gfx1201", "global_store_b32 v[2:3], v1, off scope:SCOPE_SYS", strong(Scope::system)},
      {"gfx1201", "global_load_b32 v1, v[2:3], off th:TH_LOAD_NT", reused(Reuse::streaming)},
      {"gfx1201", "global_load_b32 v1, v[2:3], off th:TH_LOAD_HT", reused(Reuse::keep)},
      {"gfx1201", "global_load_b32 v1, v[2:3], off th:TH_LOAD_LU", reused(Reuse::last_use)},
      {"gfx1201", "global_store_b32 v[2:3], v1, off th:TH_STORE_NT_RT", reused(Reuse::streaming)},
      {"gfx1201", "global_store_b32 v[2:3], v1, off th:TH_STORE_RT_NT", plain},
      {"gfx1201", "global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_RETURN scope:SCOPE_DEV",
       strong(Scope::device)},
  };
  for (const Case& c : cases)
    EXPECT_EQ(decoded(c.target, c.text).policy, c.policy) << c.target << ": " << c.text;
}

TEST(AccessPolicy, OldValueIsAskedForByAWordOfItsOwn) {
  const auto returns = [](const char* target, const char* text) {
    return (decoded(target, text).flags & Instruction::returns) != 0;
  };
  EXPECT_TRUE(returns("gfx900", "global_atomic_add v1, v[2:3], v4, off glc"));
  EXPECT_FALSE(returns("gfx900", "global_atomic_add v[2:3], v4, off"));
  EXPECT_TRUE(returns("gfx900", "s_atomic_add s4, s[2:3], 0x0 glc"));
  EXPECT_FALSE(returns("gfx900", "s_atomic_add s4, s[2:3], 0x0"));
  EXPECT_TRUE(returns("gfx942", "global_atomic_add v1, v[2:3], v4, off sc0 sc1"));
  EXPECT_FALSE(returns("gfx942", "global_atomic_add v[2:3], v4, off sc1"));
  EXPECT_FALSE(returns("gfx900", "global_load_dword v1, v[2:3], off glc"));
  EXPECT_FALSE(returns("gfx1201", "global_load_b32 v1, v[2:3], off th:TH_LOAD_NT"));
  EXPECT_TRUE(returns("gfx1201", "global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_NT_RETURN"));
  EXPECT_FALSE(returns("gfx1201", "global_atomic_add_u32 v[2:3], v4, off th:TH_ATOMIC_NT"));
  EXPECT_TRUE(returns("gfx900", "ds_add_rtn_u32 v1, v2, v3"));
  EXPECT_FALSE(returns("gfx900", "ds_add_u32 v2, v3"));
}

TEST(AccessPolicy, WaitsForStoresAreKnown) {
  const auto waits = [](const char* target, const char* text, u32 word) {
    const std::array<u32, 1> words{word};
    const auto in = amd::decode({text, words, 0}, *find_target(target));
    EXPECT_TRUE(in) << text;
    return in && in->policy.has(AccessPolicy::waits_for_stores);
  };
  EXPECT_TRUE(waits("gfx900", "s_waitcnt vmcnt(0)", 0xBF8C0F70));
  EXPECT_FALSE(waits("gfx900", "s_waitcnt vmcnt(1)", 0xBF8C0F71));
  EXPECT_FALSE(waits("gfx900", "s_waitcnt lgkmcnt(0)", 0xBF8CC07F));
  EXPECT_FALSE(waits("gfx1030", "s_waitcnt vmcnt(0)", 0xBF8C3F70));
  EXPECT_TRUE(waits("gfx1030", "s_waitcnt_vscnt null, 0x0", 0xBBFD0000));
  EXPECT_FALSE(waits("gfx1030", "s_waitcnt_vscnt null, 0x1", 0xBBFD0001));
  EXPECT_TRUE(waits("gfx1201", "s_wait_storecnt 0x0", 0xBFC10000));
  EXPECT_TRUE(waits("gfx1201", "s_wait_storecnt_dscnt 0x0", 0xBFC90000));
  EXPECT_FALSE(waits("gfx1201", "s_wait_loadcnt 0x0", 0xBFC00000));
}

TEST(AccessPolicy, CountersOfGfx12StandApart) {
  const auto counts = [](const char* text, u32 word) {
    const std::array<u32, 1> words{word};
    return amd::WaitCounts::unpack(*amd::decode({text, words, 0}, *find_target("gfx1201")));
  };
  EXPECT_EQ(counts("s_wait_samplecnt 0x2", 0xBFC20002).samples, 2);
  EXPECT_EQ(counts("s_wait_samplecnt 0x2", 0xBFC20002).vector, 0xFF);
  EXPECT_EQ(counts("s_wait_bvhcnt 0x3", 0xBFC30003).rays, 3);
  EXPECT_EQ(counts("s_wait_kmcnt 0x0", 0xBFC70000).scalar, 0);
  EXPECT_EQ(counts("s_wait_kmcnt 0x0", 0xBFC70000).local, 0xFF);
  EXPECT_EQ(counts("s_wait_dscnt 0x1", 0xBFC60001).local, 1);
}

std::vector<std::string_view> words(std::string_view opcode) {
  std::vector<std::string_view> list;
  while (!opcode.empty()) {
    const std::size_t dot = std::min(opcode.find('.'), opcode.size());
    list.push_back(opcode.substr(0, dot));
    opcode.remove_prefix(std::min(dot + 1, opcode.size()));
  }
  return list;
}

TEST(AccessPolicy, OfPtxInstructions) {
  const auto access = [](const char* opcode) { return nv::access_policy(words(opcode), false); };
  const auto atomic = [](const char* opcode) { return nv::access_policy(words(opcode), true); };
  EXPECT_EQ(access("ld.global.u32"), plain);
  EXPECT_EQ(access("ld.global.weak.u32"), plain);
  EXPECT_EQ(access("ld.global.ca.u32"), plain);
  EXPECT_EQ(access("ld.global.cg.u32"), cached(Scope::device));
  EXPECT_EQ(access("ld.global.cv.u32"), cached(Scope::system));
  EXPECT_EQ(access("st.global.wt.u32"), cached(Scope::system));
  EXPECT_EQ(access("ld.global.cs.u32"), reused(Reuse::streaming));
  EXPECT_EQ(access("ld.global.lu.u32"), reused(Reuse::last_use));
  EXPECT_EQ(access("ld.global.nc.L1::no_allocate.v4.f32"),
            (AccessPolicy{.reuse = Reuse::no_allocate, .flags = AccessPolicy::read_only}));
  EXPECT_EQ(access("ld.volatile.global.u32"), (AccessPolicy{Order::relaxed, Scope::system, Scope::system,
                                                            Reuse::normal, AccessPolicy::is_volatile}));
  EXPECT_EQ(access("ld.relaxed.gpu.global.u32"), strong(Scope::device));
  EXPECT_EQ(access("ld.acquire.cta.shared.u32"), strong(Scope::group, Order::acquire));
  EXPECT_EQ(access("st.release.sys.global.u32"), strong(Scope::system, Order::release));
  EXPECT_EQ(atomic("atom.global.add.u32"), strong(Scope::device));
  EXPECT_EQ(atomic("atom.acq_rel.sys.global.cas.b32"), strong(Scope::system, Order::acquire_release));
  EXPECT_EQ(atomic("red.release.cta.shared.add.u32"), strong(Scope::group, Order::release));
}

TEST(AccessPolicy, OfPtxFences) {
  const auto fence = [](const char* opcode) { return nv::fence_policy(words(opcode)); };
  const auto expected = [](Order order, Scope scope) { return AccessPolicy{.order = order, .scope = scope}; };
  EXPECT_EQ(fence("membar.cta"), expected(Order::sequential, Scope::group));
  EXPECT_EQ(fence("membar.gl"), expected(Order::sequential, Scope::device));
  EXPECT_EQ(fence("membar.sys"), expected(Order::sequential, Scope::system));
  EXPECT_EQ(fence("fence.acq_rel.gpu"), expected(Order::acquire_release, Scope::device));
  EXPECT_EQ(fence("fence.gpu"), expected(Order::acquire_release, Scope::device));
  EXPECT_EQ(fence("fence.sc.cluster"), expected(Order::sequential, Scope::cluster));
  EXPECT_EQ(fence("fence.proxy.async"), plain);
}

}  // namespace
}  // namespace lockstep
