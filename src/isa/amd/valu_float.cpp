// f32 arithmetic of the vector ALU.
// Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3.
#include <cmath>

#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct AddF32 {
  static constexpr std::string_view name = "add_f32";
  static f32 apply(f32 a, f32 b) { return a + b; }
};

struct MulF32 {
  static constexpr std::string_view name = "mul_f32";
  static f32 apply(f32 a, f32 b) { return a * b; }
};

struct FmaF32 {
  static constexpr std::string_view name = "fma_f32";
  static f32 apply(f32 a, f32 b, f32 c) { return std::fma(a, b, c); }
};

}  // namespace

std::span<const Row> valu_float_rows() {
  static constexpr Row rows[] = {
      {"v_add_f32", &semantic<AddF32>, Cost::valu_full},
      {"v_mul_f32", &semantic<MulF32>, Cost::valu_full},
      {"v_fma_f32", &semantic<FmaF32>, Cost::valu_full},
  };
  return rows;
}

}  // namespace lockstep::amd
