// Order, scope and cache policy by the words of an instruction. Source: "Parallel Thread Execution ISA",
// version 8.5, 9.7.9.1 (Cache Operators), 9.7.9.2 (Cache Eviction Priority Hints), 8.2 (Memory Consistency
// Model: operations, scope), 9.7.12.4 (membar, fence).
#include "isa/nv/policy.h"

#include <algorithm>

namespace lockstep::nv {
namespace {

struct OrderWord {
  std::string_view word;
  Order order;
};
constexpr OrderWord orders[] = {{"relaxed", Order::relaxed}, {"acquire", Order::acquire},
                                {"release", Order::release}, {"acq_rel", Order::acquire_release},
                                {"sc", Order::sequential},   {"volatile", Order::relaxed},
                                {"mmio", Order::relaxed}};

struct ScopeWord {
  std::string_view word;
  Scope scope;
};
constexpr ScopeWord scopes[] = {
    {"cta", Scope::group}, {"cluster", Scope::cluster}, {"gpu", Scope::device}, {"sys", Scope::system}};

struct ReuseWord {
  std::string_view word;
  Reuse reuse;
};
constexpr ReuseWord reuses[] = {{"cs", Reuse::streaming},
                                {"lu", Reuse::last_use},
                                {"L1::evict_first", Reuse::streaming},
                                {"L1::evict_last", Reuse::keep},
                                {"L1::evict_unchanged", Reuse::unchanged},
                                {"L1::no_allocate", Reuse::no_allocate}};

// Words that change neither the order nor what the model's nearer caches do: the default, hints to the second
// level, and who else may see an address.
constexpr std::string_view others[] = {"ca",
                                       "wb",
                                       "weak",
                                       "noftz",
                                       "unified",
                                       "L2::64B",
                                       "L2::128B",
                                       "L2::256B",
                                       "L2::cache_hint",
                                       "L2::evict_last",
                                       "L2::evict_normal",
                                       "L2::evict_first",
                                       "L1::evict_normal"};

template <class Entry, std::size_t N>
const Entry* find(const Entry (&entries)[N], std::string_view word) {
  const auto found = std::find_if(std::begin(entries), std::end(entries),
                                  [&](const Entry& entry) { return entry.word == word; });
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace

bool apply_policy_word(std::string_view word, AccessPolicy& policy) {
  if (const OrderWord* order = find(orders, word)) {
    policy.order = order->order;
    if (word == "volatile" || word == "mmio") {
      policy.flags |= AccessPolicy::is_volatile;
      policy.scope = Scope::system;
    }
  } else if (const ScopeWord* scope = find(scopes, word)) {
    policy.scope = scope->scope;
  } else if (const ReuseWord* reuse = find(reuses, word)) {
    policy.reuse = reuse->reuse;
  } else if (word == "cg") {
    policy.cached = Scope::device;
  } else if (word == "cv" || word == "wt") {
    policy.cached = Scope::system;
  } else if (word == "nc") {
    policy.flags |= AccessPolicy::read_only;
  } else {
    return std::find(std::begin(others), std::end(others), word) != std::end(others);
  }
  return true;
}

AccessPolicy access_policy(std::span<const std::string_view> words, bool atomic) {
  AccessPolicy policy;
  for (const std::string_view word : words) apply_policy_word(word, policy);
  if (atomic && policy.order == Order::weak) {
    policy.order = Order::relaxed;
    if (policy.scope == Scope::wave) policy.scope = Scope::device;
  }
  if (policy.strong()) policy.cached = std::max(policy.cached, policy.scope);
  return policy;
}

AccessPolicy fence_policy(std::span<const std::string_view> words) {
  AccessPolicy policy;
  for (const std::string_view word : words) {
    if (word == "gl") policy.scope = Scope::device;  // membar alone has it
    apply_policy_word(word, policy);
  }
  if (words.empty() || policy.scope == Scope::wave)
    return {};  // fence.proxy and fence.mbarrier_init: other proxies
  if (policy.order == Order::weak)
    policy.order = words[0] == "membar" ? Order::sequential : Order::acquire_release;
  return policy;
}

}  // namespace lockstep::nv
