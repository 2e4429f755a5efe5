// Cost classes: what an instruction asks of a compute unit. The decoder gives each instruction one; a machine
// file says what each costs; timing sees nothing else of an instruction's kind.
#pragma once
#include <string_view>

#include "base/types.h"

namespace lockstep {

enum class Cost : u8 {
  valu_full,            // 32-bit add, logic, shift, f32 multiply-add, moves, compares
  valu_half,            // 64-bit shifts, and on other ISAs what runs at half the full rate
  valu_quarter,         // 32-bit integer multiply
  valu_f32_fma,         // f32 fused multiply-add, where others are not: some GPUs do it at their f64 rate
  valu_packed_f32,      // two f32 operations in a lane's register pairs
  valu_convert,         // between f32 and integers or f16
  valu_division,        // steps of an f32 division: scale, multiply-add, fix-up
  valu_i64_mad,         // 32 x 32 + 64 bits
  valu_swap,            // two results
  valu_transcendental,  // rcp, rsq, sqrt, exp, log, sin, cos
  valu_f64_add,
  valu_f64_mul,  // f64 multiply and multiply-add
  valu_f64_transcendental,
  valu_f64_convert,
  valu_f16,  // scalar or packed 16-bit arithmetic
  valu_dot,
  valu_matrix,      // MFMA, WMMA, mma.sync; the occupied cycles depend on the shape
  valu_cross_lane,  // readlane, writelane
  salu,
  smem_load,
  smem_store,
  smem_time,  // s_memtime and the like: through the scalar cache, without data
  vmem_load,
  vmem_store,
  vmem_atomic,
  vmem_image,  // image reads: through the texture filter
  lds_load,
  lds_store,
  lds_atomic,
  lds_permute,  // ds_swizzle, ds_bpermute: the crossbar without the memory
  gds,
  branch,
  barrier,
  wait,  // s_waitcnt and its successors
  message,
  nop,
  hint,  // priorities, clauses, delays: what the issue logic is told
  sleep,
  cache_control,  // write-backs and invalidations
  end,
  count
};

std::string_view name(Cost cost);

}  // namespace lockstep
