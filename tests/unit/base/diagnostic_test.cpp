#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include "base/nearest.h"

namespace lockstep {
namespace {

TEST(Diagnostic, ShowsPlaceCodeAndHint) {
  const Diagnostic diagnostic{
      "unknown-key", {"machines/amd/x.toml", 12, 3}, "unknown key 'wavse'", "did you mean 'waves'?"};
  EXPECT_EQ(
      to_string(diagnostic),
      "machines/amd/x.toml:12:3: error: unknown key 'wavse' [unknown-key]\n  hint: did you mean 'waves'?");
}

TEST(Diagnostic, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_string({"missing-file", {}, "no such file", ""}), "error: no such file [missing-file]");
}

TEST(Diagnostic, SaysACompilersPlaceOnce) {
  EXPECT_EQ(to_string({"compile-failed", {"a.cl", 4, 3}, "a.cl:4:3: error: no such name", ""}),
            "a.cl:4:3: error: no such name [compile-failed]");
}

TEST(Nearest, RanksByDistanceAndDropsTheFarOnes) {
  const std::vector<std::string> names{"mi25", "mi250x", "vega64", "h200"};
  EXPECT_EQ(nearest_names("MI52", names), (std::vector<std::string>{"mi25"}));
  EXPECT_EQ(nearest_names("mi250", names), (std::vector<std::string>{"mi25", "mi250x"}));
  // A slip in the first letter is rarer than one behind it.
  EXPECT_EQ(nearest_names("h100", {"p100", "h200"}), (std::vector<std::string>{"h200", "p100"}));
  EXPECT_TRUE(nearest_names("zzzzzz", names).empty());
}

}  // namespace
}  // namespace lockstep
