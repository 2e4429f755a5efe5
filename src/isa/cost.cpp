#include "isa/cost.h"

#include <array>

#include "base/assert.h"

namespace lockstep {

std::string_view name(Cost cost) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(Cost::count)> names = {
      "valu_full",
      "valu_half",
      "valu_quarter",
      "valu_f32_fma",
      "valu_packed_f32",
      "valu_convert",
      "valu_division",
      "valu_i64_mad",
      "valu_swap",
      "valu_transcendental",
      "valu_f64_add",
      "valu_f64_mul",
      "valu_f64_transcendental",
      "valu_f64_convert",
      "valu_f16",
      "valu_dot",
      "valu_matrix",
      "valu_cross_lane",
      "salu",
      "smem_load",
      "smem_store",
      "smem_time",
      "vmem_load",
      "vmem_store",
      "vmem_atomic",
      "vmem_image",
      "lds_load",
      "lds_store",
      "lds_atomic",
      "lds_permute",
      "gds",
      "branch",
      "barrier",
      "wait",
      "message",
      "nop",
      "hint",
      "sleep",
      "cache_control",
      "end"};
  LOCKSTEP_ASSERT(cost < Cost::count, "a cost class has a name");
  return names[static_cast<std::size_t>(cost)];
}

}  // namespace lockstep
