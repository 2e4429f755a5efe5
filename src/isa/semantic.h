// A semantic is what an instruction does, keyed by meaning: one definition serves every mnemonic, encoding,
// generation and vendor that means the same. It is a shape times a scalar function; isa/shapes.h makes one
// from the other.
#pragma once
#include <array>
#include <string_view>

#include "base/types.h"
#include "isa/flow.h"
#include "isa/instruction.h"

namespace lockstep {

// The type of a source or result, as far as the decoder (constants, register counts) and the checker need it.
enum class Kind : u8 { none, u16, i16, f16, u32, i32, f32, u64, i64, f64, mask, packed16, condition };

constexpr u32 registers_of(Kind kind, u32 wave_lanes) {
  switch (kind) {
    case Kind::none:
    case Kind::condition:
      return 0;
    case Kind::u64:
    case Kind::i64:
    case Kind::f64:
      return 2;
    case Kind::mask:
      return wave_lanes == 64 ? 2 : 1;
    default:
      return 1;
  }
}

enum class Shape : u8 { lanewise, scalar, packed, memory, cross_lane, control, custom };

// What an atomic does to memory, as far as the order of several shows in what they leave there: those of one
// kind commute with each other, those of different kinds do not, and `ordered` ones not even with themselves.
// Increments and decrements are ordered, because their limits may differ; sums of floats, because they round.
// Exchanges do not commute either; they are told apart because they do not depend on all of what was there.
enum class Combining : u8 {
  none,  // no atomic
  ordered,
  sum,
  saturating_difference,
  conjunction,
  disjunction,
  exclusive_or,
  signed_min,
  signed_max,
  unsigned_min,
  unsigned_max,
  exchange,
  compare_exchange,  // the first operand is what is expected, the second what is written where it is there
  exchange_compare,  // the other way round
};

// Bits of Semantic::implied: registers that a meaning reaches beside what its operands say.
namespace implies {
inline constexpr u16 reads_exec = 1 << 0, writes_exec = 1 << 1;
inline constexpr u16 reads_vcc = 1 << 2;
inline constexpr u16 reads_condition = 1 << 3, writes_condition = 1 << 4;  // AMD's SCC
inline constexpr u16 reads_m0 = 1 << 5, writes_m0 = 1 << 6;
inline constexpr u16 reads_result =
    1 << 7;  // operand[0] is read, too: the result is merged with it or added to it
inline constexpr u16 keeps_result = 1 << 8;   // operand[0] is not written: data to store
inline constexpr u16 writes_source = 1 << 9;  // operand[1] is written, too: swaps
inline constexpr u16 indexed = 1 << 10;       // registers are chosen by M0 when it runs
inline constexpr u16 frame = 1 << 11;         // NVIDIA: reads where the function's frame lies
inline constexpr u16 moves_frame = 1 << 12;   // NVIDIA: writes it
}  // namespace implies

constexpr bool commutes(Combining combining) {
  return combining != Combining::ordered && combining < Combining::exchange;
}

struct Semantic {
  std::string_view name;
  Shape shape = Shape::custom;
  RunFunction run32 = nullptr;  // for waves of 32 lanes
  RunFunction run64 = nullptr;
  Flow flow = Flow::any;
  std::string_view bound;  // empty: exact; else the error bound of the approximation and its source
  // Operand layout of lanewise, packed and scalar shapes: operand[0] is the result, operand[1..4] are the
  // sources, in the manual's order; operand[4] is the mask result if there is one beside the result (carry
  // out, div_scale).
  Kind result = Kind::none;
  bool mask_result = false;
  Combining combining = Combining::none;
  bool sets_condition = false;  // writes the scalar condition code, beside its result or alone
  u8 sources = 0;
  std::array<Kind, 4> source{};
  u16 implied = 0;
  // For checked runs; isa/flow.h says what they mean.
  Role role = Role::none;
  Relation relation = Relation::unknown;
  bool cancels = false;               // a value and itself give a constant
  bool condition_is_nonzero = false;  // the condition code says whether the result has a bit
  bool extend_signed = false;
  u8 extend_bits = 0;
  Division division = Division::none;
  u8 reach = 0;  // of permutations: lanes that reach each other; 0: the whole wave
  MemoryData memory;
};

inline RunFunction run_function(const Semantic& semantic, u32 lanes) {
  return lanes == 32 ? semantic.run32 : semantic.run64;
}

}  // namespace lockstep
