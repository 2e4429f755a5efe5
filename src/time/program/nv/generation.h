// The generations of NVIDIA's GPUs as far as what they issue differs.
#pragma once
#include <charconv>
#include <string_view>

#include "base/types.h"

namespace lockstep::lowering {

enum class Generation : u8 {
  tesla,    // 1.x
  fermi,    // 2.x
  kepler,   // 3.x
  maxwell,  // 5.x and 6.x
  volta     // 7.0 and later
};
constexpr Generation generation_of(u32 capability) {
  return capability < 20   ? Generation::tesla
         : capability < 30 ? Generation::fermi
         : capability < 50 ? Generation::kepler
         : capability < 70 ? Generation::maxwell
                           : Generation::volta;
}

// Of "sm_61": 61; 0 for what is none.
inline u32 capability_of(std::string_view target) {
  u32 number = 0;
  if (target.starts_with("sm_")) std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number;
}

// Whether results of known latency are kept apart by the machine's own scoreboard, and not by what the
// control words say.
constexpr bool has_scoreboard(u32 capability) {
  return capability < 50;
}

// The banks over which the assembler spreads what an instruction reads, since each delivers one register a
// cycle (S4, KEP, MAX; from Volta on HU); 0: it has no reason to, or that is not known of it.
constexpr u32 spread_banks(u32 capability) {
  const Generation generation = generation_of(capability);
  if (capability >= 70) return 2;
  return generation == Generation::kepler || generation == Generation::maxwell ? 4 : 0;
}

// Where instruction `index` of a kernel lies, bytes, and how large one is. Control words stand in front of
// every seven (3.x) or three (5.x, 6.x) instructions; on 1.x about half of the instructions have the short
// form of 4 bytes.
constexpr u64 code_offset(u64 index, u32 capability) {
  switch (generation_of(capability)) {
    case Generation::tesla:
      return 6 * index;
    case Generation::fermi:
      return 8 * index;
    case Generation::kepler:
      return 8 * (index + index / 7 + 1);
    case Generation::maxwell:
      return 8 * (index + index / 3 + 1);
    default:
      return 16 * index;
  }
}
// ATOMS that compares and exchanges: a sum of floats in shared memory goes back to its load until it did.
inline constexpr std::string_view tries_again = ".CAST.SPIN";

constexpr u32 instruction_bytes(u32 capability) {
  return capability < 20 ? 6 : capability < 70 ? 8 : 16;
}

// Where the kernel's arguments begin in constant bank 0; on 1.x in shared memory, which operands read as
// well.
constexpr u64 parameter_base(u32 capability) {
  switch (generation_of(capability)) {
    case Generation::tesla:
      return 0x10;
    case Generation::fermi:
      return 0x20;
    case Generation::kepler:
    case Generation::maxwell:
      return 0x140;
    default:
      return capability >= 90 ? 0x210 : 0x160;
  }
}
// Where the stack's begin stands among the constants (2.x: of bank 1).
constexpr u64 stack_word(u32 capability) {
  switch (generation_of(capability)) {
    case Generation::fermi:
      return 0x100;
    case Generation::kepler:
      return 0x44;
    case Generation::maxwell:
      return 0x20;
    default:
      return 0x28;
  }
}
}  // namespace lockstep::lowering
