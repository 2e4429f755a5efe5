#include "isa/nv/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/nv/statements.h"

namespace lockstep::nv {
namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr u32 most_required = 20;  // by any statement: what a GPU of that capability need not be asked

constexpr std::string_view generic_addresses = "generic addresses";

Requirement of_atomic(const Statement& s) {
  const bool wide = has(s, "u64") || has(s, "s64") || has(s, "b64");
  if (has(s, "f32")) return {20, "float atomics"};
  if (has(s, "shared"))
    return wide ? Requirement{20, "64-bit local atomics"} : Requirement{12, "local atomics"};
  if (has(s, "global"))
    return wide ? Requirement{12, "64-bit global atomics"} : Requirement{11, "global atomics"};
  return {20, generic_addresses};
}

Requirement of_float(const Statement& s) {
  const std::string_view what = s.words[0];
  if (what == "fma") return {20, "fused multiply-add of floats"};
  if (one_of(what, {"div", "sqrt", "rcp"}) && has(s, "rn"))
    return {20, "correctly rounded division and roots of floats"};
  if (has(s, "rp") || has(s, "rm")) return {20, "rounding of floats up and down"};
  const bool computes = one_of(what, {"add", "sub", "mul", "mad", "min", "max", "div", "sqrt", "rcp", "rsqrt",
                                      "ex2", "lg2", "sin", "cos"});
  if (computes && !has(s, "ftz")) return {20, "subnormal floats"};
  return {};
}

}  // namespace

std::optional<Requirement> requirement(const Statement& s) {
  if (s.words.empty()) return std::nullopt;
  const std::string_view what = s.words[0];
  Requirement needs;
  if (one_of(what, {"atom", "red"})) {
    needs = of_atomic(s);
  } else if (one_of(what, {"ld", "st"})) {
    const bool named = has(s, "global") || has(s, "shared") || has(s, "shared::cta") || has(s, "local") ||
                       has(s, "param") || has(s, "const");
    if (!named) needs = {20, generic_addresses};
  } else if (what == "vote") {
    needs = has(s, "ballot") ? Requirement{20, "ballots of a warp"} : Requirement{12, "votes of a warp"};
  } else if (one_of(what, {"popc", "clz", "brev", "bfe", "bfi", "bfind", "prmt"})) {
    needs = {20, "bit-field instructions"};
  } else if (one_of(what, {"suld", "sust", "sured"})) {
    needs = {20, "surfaces"};
  } else if (what == "tex" && (has(s, "a1d") || has(s, "a2d"))) {
    needs = {20, "arrays of images"};
  } else if (what == "bar" && (has(s, "red") || has(s, "arrive"))) {
    needs = {20, "barriers that reduce or do not wait"};
  } else if (has(s, "f32") && !has(s, "f64")) {
    needs = of_float(s);
  }
  if (has(s, "f64") && needs.capability < 13) needs = {13, "double precision"};
  if (needs.capability == 10) return std::nullopt;
  return needs;
}

std::vector<LackedFeature> lacked_features(const ModuleTree& tree, const std::vector<u32>& functions,
                                           const Target& target, const std::string& name) {
  if (target.compute_capability() >= most_required) return {};
  std::map<std::string_view, LackedFeature> found;
  for (const u32 function : functions) {
    for (const Statement& statement : tree.functions[function].body) {
      const auto needs = requirement(statement);
      if (!needs || needs->capability <= target.compute_capability()) continue;
      LackedFeature& feature = found[needs->feature];
      if (feature.instructions++ != 0) continue;
      const TextPosition position = tree.positions[statement.position];
      const auto file = tree.files.find(position.file);
      const bool known = statement.position != 0 && file != tree.files.end();
      feature.name = needs->feature;
      feature.since = fmt::format("sm_{}", needs->capability);
      feature.first_at = known ? fmt::format("{}:{}", file->second, position.line)
                               : fmt::format("{}:{}", name, statement.line);
    }
  }
  std::vector<LackedFeature> list;
  for (auto& [key, feature] : found) list.push_back(std::move(feature));
  return list;
}

}  // namespace lockstep::nv
