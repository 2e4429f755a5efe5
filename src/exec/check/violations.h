// What checked runs found, where they are to go on after a violation: each kind at each place once.
#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep {

class ViolationLog {
 public:
  static constexpr std::size_t most_kept = 64;

  // `instruction` and `other` (a race's earlier access) say where; further ones there are counted alone.
  // Whether it is new.
  bool wanted(const std::string& code, u32 instruction, u32 other = 0) {
    ++count_;
    if (kept_.size() >= most_kept) return false;
    return seen_.insert({code, instruction, other}).second;
  }
  void keep(Diagnostic diagnostic) { kept_.push_back(std::move(diagnostic)); }
  // What another launch of the same program found as well.
  void add(const ViolationLog& other) {
    count_ += other.count_;
    for (const Diagnostic& diagnostic : other.kept_) {
      const auto same = [&](const Diagnostic& one) {
        return one.code == diagnostic.code && one.place == diagnostic.place;
      };
      if (kept_.size() < most_kept && std::ranges::none_of(kept_, same)) kept_.push_back(diagnostic);
    }
  }

  const std::vector<Diagnostic>& kept() const { return kept_; }
  u64 count() const { return count_; }  // of all, kept or not

 private:
  std::set<std::tuple<std::string, u32, u32>> seen_;
  std::vector<Diagnostic> kept_;
  u64 count_ = 0;
};

}  // namespace lockstep
