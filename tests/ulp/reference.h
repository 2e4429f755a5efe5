// The mathematical value of each function, from MPFR, and how far a result is from it.
#pragma once
#include <optional>
#include <vector>

#include "ulp/function.h"

namespace lockstep::ulp {

// A real number (high + low) * 2^exponent with 0.5 <= |high| < 1, or zero (high), infinity or NaN (high).
struct Real {
  f64 high = 0, low = 0;
  i64 exponent = 0;
};

struct Arguments {
  f64 x = 0, y = 0, z = 0;
  i32 n = 0;
};

// The value that OpenCL 1.2 (sections 6.12.2, 7.4 and 7.5) prescribes; integer results too. Nothing where it
// prescribes none.
std::optional<Real> reference(const Function& function, Type type, const Arguments& arguments);
bool has_reference(const Function& function);

// In units in the last place of the type (7.4); infinity where one is NaN, infinite or of the wrong sign of
// zero and the other is not. An infinite result counts as the power of two after the largest number; a finite
// one where the reference rounds to infinity counts by its distance.
f64 error_of(const Function& function, const Real& expected, f64 result, Type type);
// Below the smallest normal number before rounding.
bool subnormal(const Real& value, Type type);
std::string to_string(const Real& value);

}  // namespace lockstep::ulp
