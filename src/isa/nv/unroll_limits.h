// By how much the vendor's assembler unrolls loops, and which: of PTX (tile_loops.cpp), and of what is timed.
#pragma once
#include "base/types.h"

namespace lockstep::nv::unrolling {

inline constexpr u8 turns = 4;
// Instructions of one turn, beyond which a loop is left as it is: 18 are unrolled and 19 not. With loads from
// global memory 46, where accesses count two, and so does what one instruction makes of two (seen for sm_80
// to sm_90 by the arithmetic that fits beside 1 to 16 loads of 4 to 16 bytes, 3 stores, 3 pointers). A load
// of local memory makes room for five, up to 96 in all, where those with an offset count two (by the
// multiply-adds that fit beside 1 to 32 loads, with barriers and without, sm_80 and sm_90).
inline constexpr u32 most_instructions = 18, most_with_loads = 46, room_of_local_load = 5,
                     most_with_local = 96;
// A loop of a constant number of turns is unrolled whole, whichever its test, by how many instructions a turn
// has beside its counting. Seen of ptxas of CUDA 13 for sm_90 by ninety loops of multiply-adds (turns x
// instructions): 256 x 8, 70 x 16, 18 x 32, 13 x 40, 10 x 48 and 8 x 56 are, 400 x 8, 100 x 16, 32 x 32, 16 x
// 40 and 11 x 48 are not. Where all turns have 512 kernels of ordinary code were seen whole, of multiply-adds
// alone not all: 5 x 64 and 2 x 150 are, 8 x 64, 3 x 128 and 2 x 200 are unrolled by less.
// What a turn computes from its counters alone makes room for more: of a turn that computes 3, 6, 12 or 24
// such values 27 x 40, 51, 64 and 92, 64 x 25, 32, 46 and 60, 200 x 13, 17, 22 and 32 other instructions are
// whole, and hardly more. Here each makes room for one and a half, which is too few for the first and for 200
// x 22 too many.
inline constexpr u64 few_in_all = 512, most_by_square = 25'200;

}  // namespace lockstep::nv::unrolling
