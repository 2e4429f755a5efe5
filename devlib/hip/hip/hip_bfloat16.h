// HIP's older bfloat16: a structure of the bits (`data`), with a float's arithmetic.
#pragma once
#include <hip/hip_runtime.h>
#include "lockstep/bfloat.h"

struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };
#define LOCKSTEP_MEMBER inline __attribute__((host, device, always_inline, nodebug))
  hip_bfloat16() = default;
  LOCKSTEP_MEMBER explicit hip_bfloat16(float value) : data(lockstep_bfloat16(value).bits) {}
  LOCKSTEP_MEMBER explicit hip_bfloat16(float value, truncate_t) : data(__float2bfloat16_rz(value).bits) {}
  LOCKSTEP_MEMBER static hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
  LOCKSTEP_MEMBER static hip_bfloat16 round_to_bfloat16(float value, truncate_t) { return hip_bfloat16(value, truncate); }
  LOCKSTEP_MEMBER operator float() const { return __builtin_bit_cast(float, (unsigned int)data << 16); }
  LOCKSTEP_MEMBER hip_bfloat16& operator=(float value) { return *this = hip_bfloat16(value); }
#undef LOCKSTEP_MEMBER
};
LOCKSTEP_ALL_BY_FLOAT(hip_bfloat16)
LOCKSTEP_ANY hip_bfloat16 operator-(hip_bfloat16 a) { return hip_bfloat16(-(float)a); }
