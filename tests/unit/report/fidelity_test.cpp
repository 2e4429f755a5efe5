#include "report/fidelity.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Semantic semantic(std::string_view name, std::string_view bound) {
  Semantic made;
  made.name = name;
  made.bound = bound;
  return made;
}

TEST(Fidelity, CountsByKindMeaningAndLine) {
  const Semantic exact = semantic("add", ""), rough = semantic("exp_f32", "1 ulp (a manual)");
  Inspection inspection;
  InspectedFunction kernel{"_Z1kPf", true, {}};
  kernel.instructions = {{"v_add_f32 v0, v1, v2", "v_add_f32", {&exact}, "", "a.cl", 3},
                         {"v_exp_f32 v0, v1", "v_exp_f32", {&rough}, "", "a.cl", 4},
                         {"v_exp_f32 v1, v1", "v_exp_f32", {&rough}, "", "a.cl", 4},
                         {"v_dual_add v0", "v_dual_add", {&exact, &rough}, "", "a.cl", 7},
                         {"v_strange v0", "v_strange", {}, "unknown instruction 'v_strange'", "a.cl", 9}};
  InspectedFunction helper{"helper", false, {{"s_nop", "s_nop", {&exact}, "", "", 0}}};
  InspectedFunction other{"other", true, {{"s_nop", "s_nop", {&exact}, "", "", 0}}};
  inspection.functions = {kernel, helper, other};
  const Json data = fidelity_json(inspection, "_Z1kPf", "k");
  EXPECT_EQ(data["kernel"], "k");
  EXPECT_EQ(data["symbol"], "_Z1kPf");
  EXPECT_EQ(data["functions"], Json({"helper"}));
  EXPECT_EQ(data["instructions"], 6);
  EXPECT_EQ(data["exact"], 2);
  EXPECT_EQ(data["approximated"], 3);
  EXPECT_EQ(data["unknown"], 1);
  ASSERT_EQ(data["approximations"].size(), 1u);
  const Json& entry = data["approximations"][0];
  EXPECT_EQ(entry["meaning"], "exp_f32");
  EXPECT_EQ(entry["bound"], "1 ulp (a manual)");
  EXPECT_EQ(entry["count"], 3);
  EXPECT_EQ(
      entry["lines"],
      Json::parse(R"([{"file": "a.cl", "line": 4, "count": 2}, {"file": "a.cl", "line": 7, "count": 1}])"));
  EXPECT_EQ(data["unknowns"][0]["mnemonic"], "v_strange");
  EXPECT_EQ(data["unknowns"][0]["lines"][0]["line"], 9);
  const std::string text = fidelity_text(data);
  EXPECT_NE(text.find("a.cl:4 (2), 7"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown instruction 'v_strange'"), std::string::npos) << text;
}

// Of two kernels one calls `first`, which calls `second`; nobody names `by_address`.
TEST(Fidelity, CountsTheFunctionsThatTheKernelMayCall) {
  const Semantic exact = semantic("add", "");
  const auto code = [&](const char* text) {
    return std::vector<InspectedInstruction>{{text, "call", {&exact}, "", "", 0}};
  };
  Inspection inspection;
  inspection.functions = {{"calls", true, code("s_add_u32 s4, s4, first@rel32@lo+4")},
                          {"alone", true, code("s_nop 0")},
                          {"first", false, code("call.uni (retval0), second, ( param0 )")},
                          {"second", false, code("s_add_u32 s4, s4, first_of_all")},
                          {"by_address", false, code("s_add_u32 s4, s4, by_address@rel32@lo+4")}};
  EXPECT_EQ(fidelity_json(inspection, "calls", "calls")["functions"],
            Json({"by_address", "first", "second"}));
  EXPECT_EQ(fidelity_json(inspection, "calls", "calls")["instructions"], 4);
  EXPECT_EQ(fidelity_json(inspection, "alone", "alone")["functions"], Json({"by_address"}));
}

}  // namespace
}  // namespace lockstep
