// Moves whose source is not a register or constant.
#pragma once
#include "isa/semantic.h"

namespace lockstep::nv {

// Values that a step finds out.
enum class Special : u8 { clock, clock_high, smid, active_mask };

const Semantic& special_value();  // operand[1]: immediate, a Special
// operand[1]: immediate, an address from the Base (memory.h) that operand[2] says: image, arguments or
// dynamic.
const Semantic& image_address();
const Semantic& frame_address();  // operand[1]: immediate, offset in the function's frame
// Sources operand[1] to [4].
const Semantic& pack(u32 part_bytes, u32 parts);
// Results operand[0], [2], [3], [4].
const Semantic& unpack(u32 part_bytes, u32 parts);

}  // namespace lockstep::nv
