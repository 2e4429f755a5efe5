// The values of an instruction case: what a register holds, lane by lane, as a reviewer writes it.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::cases {

struct Value {
  enum class Kind : u8 {
    exact,     // `bits`
    lane,      // the lane's number plus `bits`
    any_nan,   // after: any NaN of the format
    near,      // after: at most `tolerance` steps of the format from `bits`
    keep,      // after: as before
    anything,  // after: not compared
  };
  enum class Format : u8 { integer, f16, f32, f64 };
  Kind kind = Kind::exact;
  Format format = Format::integer;
  u32 tolerance = 0;
  u64 bits = 0;
};

// "7 0x10 -1 f32:1.5 f64:0.1 f16:2 f16:1|2 f32:nan f32:0.1~1 lane lane+5 keep any 3*9": a list of lanes;
// "3*9" stands for 9 9 9. `f16:1|2` is a register with halves 1 (low) and 2 (high).
// Errors: "bad-value".
Expected<std::vector<Value>> parse_values(std::string_view text);

// Whether a register of `bytes` bytes in this lane is what the value asks for.
bool matches(const Value& value, u64 actual, u64 before, u32 lane, u32 bytes);

// The register contents that a value of `before` stands for.
u64 contents(const Value& value, u32 lane, u32 bytes);

}  // namespace lockstep::cases
