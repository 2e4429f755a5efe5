// C++ symbols as a programmer reads them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct DemangledFunction {
  std::string whole;                    // "void fill<int>(int*, int)"
  std::string name;                     // "fill<int>": no result type, no parameters
  std::string plain_name;               // "fill": no template arguments either
  std::vector<std::string> parameters;  // their types: "int*", "int"
};

// Every field is empty for a symbol that is no mangled C++ function ("_Z...").
DemangledFunction demangle_function(const std::string& symbol);

// A variable's name as its source has it, "scope::name": of a mangled symbol, and without what clang adds to
// those that are static (".static.4f3a"). The symbol itself where it is none of these.
std::string demangle_variable(const std::string& symbol);

}  // namespace lockstep
