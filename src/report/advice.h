// What would help a timed launch: rules that join what bounds it (verdict.h), the evidence, with what the
// launch would cost without that (what-if), the gain. docs/advice.md has a paragraph for each rule.
#pragma once
#include "report/verdict.h"

namespace lockstep {

struct Advice {
  std::string_view rule;      // stable; the anchor of its paragraph in docs/advice.md
  std::string title, action;  // in words
  std::string evidence;
  std::string_view question;  // whose answer the gain is
  f64 saved_share = 0;        // of the launch's time
  u64 cycles = 0;             // that are left
  std::optional<SourceLine> at;
};

// A rule says nothing of what saves less than this share of the time.
inline constexpr f64 least_gain = 0.05;

// The questions whose answers the rules need for what was found: others need not be asked.
std::vector<std::string> advice_questions(const RunData& run);

// The largest gain first; empty where no question was answered.
std::vector<Advice> advise(const RunData& run);

}  // namespace lockstep
