// What the coherence bits of memory instructions ask for. LLVM's "User Guide for AMDGPU Backend", chapters
// "Memory Model gfx6-gfx9", "gfx90A", "gfx942", "gfx10-gfx11" and "gfx12", says which bits stand for which
// scope; the bits themselves are in the ISA manuals ("Memory Scopes and Temporal Hints" from RDNA 4 on).
#include "isa/amd/decode.h"
#include "isa/amd/text.h"

namespace lockstep::amd {
namespace {

bool is_store(Cost cost) {
  return cost == Cost::vmem_store || cost == Cost::lds_store || cost == Cost::smem_store;
}

void strong(AccessPolicy& policy, Scope scope) {
  policy.order = Order::relaxed;
  policy.scope = policy.cached = scope;
}

// A temporal hint of gfx12: TH_LOAD_NT, TH_STORE_RT_NT, TH_ATOMIC_CASCADE_NT, ... Of a hint for two caches
// the nearer one's counts.
Reuse temporal_hint(std::string_view hint) {
  const auto ends = [&](std::string_view word) { return hint.ends_with(word); };
  if (ends("_BYPASS")) return Reuse::no_allocate;
  if (ends("_LU")) return Reuse::last_use;
  const auto has = [&](std::string_view word) { return hint.find(word) != std::string_view::npos; };
  if (has("_RT_")) return Reuse::normal;
  if (has("_NT")) return Reuse::streaming;
  return has("_HT") ? Reuse::keep : Reuse::normal;
}

AccessPolicy gfx12_policy(const Text& text, bool atomic) {
  AccessPolicy policy;
  const auto scope = text.modifier("scope");
  if (scope) {
    strong(policy, *scope == "SCOPE_SYS"   ? Scope::system
                   : *scope == "SCOPE_DEV" ? Scope::device
                                           : Scope::group);
  } else if (atomic) {
    strong(policy, Scope::group);
  }
  if (const auto hint = text.modifier("th")) policy.reuse = temporal_hint(*hint);
  return policy;
}

// sc0: work-group, sc1: agent, both: system; of an atomic sc0 asks for the old value.
AccessPolicy gfx940_policy(const Text& text, bool atomic) {
  AccessPolicy policy;
  const bool sc0 = text.has("sc0"), sc1 = text.has("sc1");
  if (atomic) {
    strong(policy, sc1 ? Scope::system : Scope::device);
  } else if (sc0 || sc1) {
    strong(policy, sc0 && sc1 ? Scope::system : sc1 ? Scope::device : Scope::group);
  }
  if (text.has("nt")) policy.reuse = Reuse::streaming;
  return policy;
}

// slc says that data is used once. On loads glc passes by the nearest cache, dlc on gfx10 the shader array's
// as well. With slc both only say how a line is replaced, as on stores.
AccessPolicy cache_bits_policy(const Text& text, u32 major, bool atomic, bool store) {
  AccessPolicy policy;
  const bool glc = text.has("glc"), streaming = text.has("slc");
  if (streaming) policy.reuse = Reuse::streaming;
  if (atomic) {
    strong(policy, Scope::device);
  } else if (!store && glc) {
    const Scope scope = major == 10 && !text.has("dlc") ? Scope::group : Scope::device;
    if (!streaming) strong(policy, scope);
    policy.cached = scope;
  } else if (major == 11 && text.has("dlc") && !streaming) {
    policy.reuse = Reuse::no_allocate;
  }
  return policy;
}

}  // namespace

AccessPolicy access_policy(const Text& text, const Row& row, const Target& target) {
  AccessPolicy policy;
  const bool local =
      row.cost == Cost::lds_load || row.cost == Cost::lds_store || row.cost == Cost::lds_atomic;
  if (local || row.cost == Cost::lds_permute || row.cost == Cost::gds) {
    // Local memory has one copy: every access sees the others, and the atomics alone say that they mean to.
    if (row.cost == Cost::lds_atomic) strong(policy, Scope::group);
    if (row.cost == Cost::gds) strong(policy, Scope::device);
    return policy;
  }
  if (row.cost == Cost::cache_control || row.cost == Cost::smem_time) return policy;
  const bool atomic =
      row.cost == Cost::vmem_atomic || text.mnemonic.find("_atomic_") != std::string_view::npos;
  if (target.major >= 12) return gfx12_policy(text, atomic);
  if (target.major == 9 && target.minor == 4) return gfx940_policy(text, atomic);
  policy = cache_bits_policy(text, target.major, atomic, is_store(row.cost));
  // The constant cache is no way to see other work-items' stores, whatever its instructions' bits are.
  if (row.cost == Cost::smem_load) {
    policy.order = Order::weak;
    policy.scope = Scope::wave;
  }
  return policy;
}

}  // namespace lockstep::amd
