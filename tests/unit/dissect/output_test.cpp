// What is said of a run beside what a device gave.
#include "dissect/output.h"

#include <gtest/gtest.h>

namespace lockstep::dissect {
namespace {

TEST(Deviation, IsOfTheFiguresThatBothHave) {
  Published published;
  published.data = Json::parse(R"({"benchmarks": [{"name": "latency", "figures": [
      {"name": "near", "value": 40}, {"name": "far", "value": 500}, {"name": "none", "value": 0},
      {"name": "refused", "value": null}, {"name": "odd", "value": 9}]}]})");
  SuiteResult result;
  Outcome& outcome = result.outcomes.emplace_back();
  outcome.benchmark = "latency";
  const auto add = [&](const char* name, f64 value, const char* refused = "") {
    Figure& figure = outcome.figures.emplace_back();
    figure.name = name;
    figure.value = value;
    figure.refused = refused;
  };
  EXPECT_FALSE(deviation(result, published));
  add("near", 44);                   // 10 % too much
  add("far", 400);                   // 20 % too little
  add("none", 3);                    // nothing to divide by
  add("refused", 3);                 // the device gave none
  add("odd", 9, "above its bound");  // the model gave none
  add("other", 1);                   // the device does not know it
  const auto off = deviation(result, published);
  ASSERT_TRUE(off);
  EXPECT_EQ(off->figures, 2u);
  EXPECT_NEAR(off->mean_error, 0.15, 1e-9);
  EXPECT_NEAR(off->median_error, 0.2, 1e-9);
  EXPECT_NEAR(off->worst_error, 0.2, 1e-9);
  EXPECT_EQ(off->worst, "latency: far");
}

}  // namespace
}  // namespace lockstep::dissect
