#include "base/demangle.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using Words = std::vector<std::string>;

TEST(Demangle, FunctionsInTheirParts) {
  const DemangledFunction plain = demangle_function("_Z3sumPKdPdi");
  EXPECT_EQ(plain.whole, "sum(double const*, double*, int)");
  EXPECT_EQ(plain.name, "sum");
  EXPECT_EQ(plain.plain_name, "sum");
  EXPECT_EQ(plain.parameters, (Words{"double const*", "double*", "int"}));

  const DemangledFunction made = demangle_function("_Z4fillIiEvPT_S0_");
  EXPECT_EQ(made.name, "fill<int>");
  EXPECT_EQ(made.plain_name, "fill");
  EXPECT_EQ(made.parameters, (Words{"int*", "int"}));

  const DemangledFunction nested = demangle_function("_ZN12_GLOBAL__N_13runEPFvidE");
  EXPECT_EQ(nested.plain_name, "(anonymous namespace)::run");
  EXPECT_EQ(nested.parameters, (Words{"void (*)(int, double)"}));

  EXPECT_TRUE(demangle_function("_Z1kv").parameters.empty());
  EXPECT_EQ(demangle_function("_Z1kv").name, "k");
}

// Types that the host's library may not know (Debian 12's does not).
TEST(Demangle, FunctionsOfHalves) {
  EXPECT_EQ(demangle_function("_Z2hfPKDF16_S0_PDF16_Pf").name, "hf");
  EXPECT_EQ(demangle_function("_Z2hfPKDF16_S0_PDF16_Pf").parameters.size(), 4u);
  EXPECT_EQ(demangle_function("_Z2bfPDF16b").name, "bf");
}

TEST(Demangle, OtherSymbolsGiveNothing) {
  for (const char* symbol : {"saxpy", "_Z", "_ZTV3Foo", "", "_Z3sum"}) {
    EXPECT_EQ(demangle_function(symbol).name, "") << symbol;
  }
}

}  // namespace
}  // namespace lockstep
