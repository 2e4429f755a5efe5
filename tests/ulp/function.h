// The table of measured functions (functions.txt) and the three floating-point types.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::ulp {

enum class Type : u8 { f64, f32, f16 };

struct Format {
  Type type;
  const char* name;  // OpenCL C's
  u32 bytes;
  i32 precision;    // bits, the hidden one included
  i32 most, least;  // exponents e of 2^e <= |x| for the largest and the smallest normal number
};
const Format& format_of(Type type);

struct Function {
  std::string name, arguments, expression, options;
  bool integer = false;  // the result
  // ULP: by type; infinity is implementation-defined, nothing where the type has no such function.
  std::optional<f64> bound[3];
};

Expected<std::vector<Function>> read_functions(std::string_view text, const std::string& name);

// Values of a type are kept as f64, which holds all of them.
f64 rounded(f64 value, Type type);  // to nearest even
void store(f64 value, Type type, u8* to);
f64 load(Type type, const u8* from);
bool subnormal(f64 value, Type type);

}  // namespace lockstep::ulp
