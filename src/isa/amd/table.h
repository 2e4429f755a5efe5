// The AMD instruction tables: one row per mnemonic (suffixes _e32, _e64, _dpp, _sdwa taken off) and set of
// generations in which it means the same. Chapters (valu_*.cpp, salu.cpp, memory_*.cpp, ...) hold the
// semantics and their rows; table.cpp joins them.
#pragma once
#include <span>
#include <string_view>

#include "isa/cost.h"
#include "isa/semantic.h"
#include "machine/target.h"

namespace lockstep::amd {

// A set of generations, for a row's validity.
enum Generation : u32 {
  gfx6 = 1 << 0,    // GCN 1
  gfx7 = 1 << 1,    // GCN 2
  gfx8 = 1 << 2,    // GCN 3 and 4
  gfx900 = 1 << 3,  // GCN 5
  gfx906 = 1 << 4,  // GCN 5 with dot products
  gfx908 = 1 << 5,  // CDNA 1
  gfx90a = 1 << 6,  // CDNA 2
  gfx940 = 1 << 7,  // CDNA 3
  gfx10 = 1 << 8,   // RDNA 1
  gfx103 = 1 << 9,  // RDNA 2
  gfx11 = 1 << 10,  // RDNA 3
  gfx12 = 1 << 11,  // RDNA 4
  gfx9 = gfx900 | gfx906 | gfx908 | gfx90a | gfx940,
  cdna = gfx908 | gfx90a | gfx940,
  rdna = gfx10 | gfx103 | gfx11 | gfx12,
  gfx6to8 = gfx6 | gfx7 | gfx8,
  gfx8to9 = gfx8 | gfx9,
  gfx6to9 = gfx6to8 | gfx9,
  gfx8up = gfx8to9 | rdna,
  gfx9up = gfx9 | rdna,
  every = 0xFFF,
};

// The bit of a target; 0 for a target that is not AMD GCN or later.
u32 generation_of(const Target& target);

// Bits of Row::flags: what the text leaves unsaid.
inline constexpr u32 implicit_vcc_source = 1 << 0;  // the last source is VCC and not written (v_div_fmas)
inline constexpr u32 accumulates = 1 << 1;  // the result register is the last source too (v_mac, v_fmac)
inline constexpr u32 writes_exec = 1 << 2;  // v_cmpx before RDNA: writes EXEC beside its mask result
inline constexpr u32 only_exec = 1 << 3;    // v_cmpx from RDNA on: EXEC is the only result
inline constexpr u32 no_operands_in_text = 1 << 4;
inline constexpr u32 scalar_result =
    1 << 5;  // a VALU instruction whose result is a scalar register (v_readlane)
inline constexpr u32 literal_before_last = 1 << 6;  // v_madmk: the constant stands second
inline constexpr u32 keeps_high_half = 1 << 7;      // a 16-bit result that leaves bits 31:16 as they are

inline constexpr u32 writes_byte = 1 << 8;  // a result of one byte, of which byte_sel or op_sel says where

struct Row {
  std::string_view mnemonic;
  const Semantic* meaning;
  Cost cost;
  u32 generations = every;
  u32 flags = 0;
};

// The row for a mnemonic, null if this generation has none.
const Row* find_row(std::string_view mnemonic, u32 generation);

// All rows, chapter by chapter.
std::span<const Row> all_rows();

// The chapters. Each is defined in the file of its name.
std::span<const Row>
valu_integer_rows();                     // 16- and 32-bit integer, logic, shifts, bit fields, moves, cndmask
std::span<const Row> valu_float_rows();  // f32
std::span<const Row> valu_wide_rows();   // 64-bit integer and f64
std::span<const Row> valu_half_rows();   // f16, i16, packed
std::span<const Row> valu_convert_rows();  // conversions
std::span<const Row> valu_compare_rows();  // v_cmp, v_cmpx, v_cmp_class
std::span<const Row> valu_matrix_rows();   // products of matrices: mfma, wmma
std::span<const Row> cross_lane_rows();    // readlane, writelane, mbcnt, permutes, swizzles
std::span<const Row> salu_rows();
std::span<const Row> control_rows();  // branches, waits, barriers, messages, s_getreg, s_endpgm
std::span<const Row> scalar_memory_rows();
std::span<const Row> vector_memory_rows();  // global, flat, scratch, buffer: loads and stores
std::span<const Row> atomic_rows();         // global, flat and buffer atomics
std::span<const Row> local_memory_rows();   // ds_*
std::span<const Row> image_rows();

}  // namespace lockstep::amd
