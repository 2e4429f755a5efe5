#include "isa/nv/least_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep::nv {
namespace {

// An instruction of one of `names` with one of `words`, and one of `also`, needs `capability`. Lists are
// separated by blanks; an empty one asks nothing.
struct Need {
  u32 capability;
  std::string_view names, words, also;
};

// Source: "Parallel Thread Execution ISA", version 8.8, the "Target ISA Notes" of each instruction: 9.7.1
// (integers), 9.7.2 (extended precision), 9.7.3 (floats), 9.7.4 (halves), 9.7.6 (comparison), 9.7.8 (logic
// and shifts), 9.7.9 (data movement and conversion), 9.7.13 (synchronization and communication), 9.7.14
// (matrices), 9.7.19 (miscellaneous). Matrices by shape and type: lower_matrix.cpp. cvt's types:
// of_conversion.
constexpr Need needs[] = {
    // Integers, bits.
    {30, "fns", "", ""},
    {32, "shf", "", ""},
    {50, "lop3", "", ""},
    {61, "dp4a dp2a", "", ""},
    {70, "bmsk szext", "", ""},
    {90, "add min max", "u16x2 s16x2", ""},
    {90, "min max", "relu", "s32"},
    // Halves and approximations.
    {53, "add sub mul fma neg abs setp set", "f16 f16x2", ""},
    {75, "ex2 tanh", "f16 f16x2", ""},
    {75, "tanh", "f32", ""},
    {80, "fma neg abs min max", "bf16 bf16x2", ""},
    {80, "min max", "f16 f16x2 NaN", ""},
    {80, "fma", "relu", ""},
    {86, "min max", "xorsign", ""},
    {90, "add sub mul setp set ex2 tanh", "bf16 bf16x2", ""},
    {90, "fma", "oob", ""},
    // Conversions of addresses, packing.
    {30, "isspacep cvta", "shared::cta", ""},
    {70, "isspacep cvta", "param param::entry", ""},
    {90, "isspacep cvta", "shared::cluster", ""},
    {72, "cvt", "pack", ""},
    {75, "cvt", "pack", "u4 s4 u2 s2"},
    {70, "mov", "b128", ""},
    // Memory.
    {30, "ld st atom red", "shared::cta", ""},
    {32, "ld", "nc", ""},
    {70, "ld st", "weak relaxed acquire release mmio cta gpu sys b128", ""},
    {70, "ld st", "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate", ""},
    {75, "ld", "L2::64B L2::128B", ""},
    {80, "ld", "L2::256B", ""},
    {80, "ld st atom red", "L2::cache_hint", ""},
    {90, "ld st atom red fence", "cluster shared::cluster", ""},
    {90, "ld", "unified", ""},
    {100, "ld st", "L2::evict_normal L2::evict_first L2::evict_last v8", ""},
    {32, "atom red", "and or xor min max", "b64 u64 s64"},
    {60, "atom red", "f64 f16x2 cta gpu sys", ""},
    {70, "atom red", "relaxed acquire release acq_rel f16 b16", ""},
    {90, "atom red", "bf16 bf16x2 v2 v4 v8 b128", ""},
    {80, "cp applypriority discard createpolicy", "", ""},
    {80, "prefetch", "L2::evict_last L2::evict_normal", ""},
    {90, "prefetch", "tensormap", ""},
    // Lanes, barriers, order.
    {30, "shfl activemask barrier", "", ""},
    {30, "vote", "sync", ""},
    {30, "bar", "warp", ""},
    {70, "match nanosleep fence", "", ""},
    {70, "membar", "proxy", ""},
    {80, "redux", "", ""},
    {90, "elect griddepcontrol setmaxnreg", "", ""},
    {90, "fence", "async async.global tensormap::generic mbarrier_init", ""},
    // Matrices.
    {75, "ldmatrix movmatrix", "", ""},
    {90, "stmatrix", "", ""},
};

struct SpecialNeed {
  u32 capability;
  std::string_view name;
};
// The same, chapter 10.
constexpr SpecialNeed special_needs[] = {
    {30, "%globaltimer"}, {30, "%globaltimer_lo"}, {30, "%globaltimer_hi"}, {90, "%aggr_smem_size"}};

bool listed(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}
bool any_listed(std::string_view list, const std::vector<std::string_view>& words) {
  return list.empty() ||
         std::ranges::any_of(words, [&](const std::string_view word) { return listed(list, word); });
}

// The manual, 9.7.9.21 (cvt).
u32 of_conversion(const std::vector<std::string_view>& words) {
  if (words.size() < 3 || words[1] == "pack") return 0;
  const std::string_view to = words[words.size() - 2], from = words.back();
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  if (listed("e4m3x2 e5m2x2", to) || listed("e4m3x2 e5m2x2", from)) return 89;
  const bool nearest = has("rn") || has("rz");
  if ((from == "bf16" && (to != "f32" || has("ftz"))) || (to == "bf16" && from != "f32") ||
      (to == "tf32" && nearest))
    return 90;
  return has("relu") || from == "bf16" || listed("f16x2 bf16 bf16x2 tf32", to) ? 80 : 0;
}

}  // namespace

u32 lacked_target(const Statement& statement, u32 has) {
  const std::vector<std::string_view>& words = statement.words;
  if (words.empty()) return 0;
  u32 needed = words[0] == "cvt" ? of_conversion(words) : 0;
  for (const Need& need : needs) {
    if (need.capability <= std::max(has, needed)) continue;
    if (listed(need.names, words[0]) && any_listed(need.words, words) && any_listed(need.also, words))
      needed = need.capability;
  }
  return needed > has ? needed : 0;
}

u32 special_target(std::string_view name) {
  for (const SpecialNeed& need : special_needs) {
    if (name == need.name) return need.capability;
  }
  return 0;
}

std::optional<u32> capability_named(std::string_view target) {
  if (!target.starts_with("sm_")) return std::nullopt;
  target.remove_prefix(3);
  u32 capability = 0;
  const auto [end, problem] = std::from_chars(target.data(), target.data() + target.size(), capability);
  if (problem != std::errc{} || capability < 10 || capability > 999) return std::nullopt;
  target.remove_prefix(static_cast<std::size_t>(end - target.data()));
  // sm_90a: for this architecture; sm_100f: for its family.
  if (!target.empty() && target != "a" && target != "f") return std::nullopt;
  return capability;
}

Status check_target(const ModuleTree& tree, const Target& target, std::string_view text,
                    const std::string& name) {
  const std::optional<u32> asked = capability_named(tree.target);
  const auto refuse = [&](std::string message, std::string hint) {
    Diagnostic diagnostic = bad_ptx(text, name, tree.target_line, std::move(message));
    diagnostic.hint = std::move(hint);
    return diagnostic;
  };
  if (!asked) {
    return refuse(fmt::format("'{}' is no target", tree.target),
                  "a .target is sm_ and the compute capability, such as sm_70");
  }
  // Compilers have no PTX for the GPUs before Fermi: these execute what is made for their successor.
  const Target* compiled = find_target(target.compiler_target);
  const u32 has =
      std::max(target.compute_capability(), compiled == nullptr ? 0 : compiled->compute_capability());
  if (*asked > has) {
    return refuse(
        fmt::format("the PTX is for {}, the target is {}", tree.target, target.name),
        fmt::format("PTX runs on the target that it names and on later ones: make it for {}, or take a "
                    "GPU of {} ('lockstep gpus')",
                    target.compiler_target, tree.target));
  }
  if (tree.target.ends_with('a') && *asked != has) {
    return refuse(fmt::format("the PTX is for {}, the target is {}", tree.target, target.name),
                  "PTX of a target with an 'a' runs on that architecture alone, not on later ones");
  }
  return Success{};
}

}  // namespace lockstep::nv
