// Data formats of typed buffers.
// Source: "Vega Instruction Set Architecture", chapter "Vector Memory Buffer Instructions", tables of data
// and number formats. A format's name lists its components from the highest bits down; X is in the lowest.
#pragma once
#include "isa/texel.h"

namespace lockstep::amd {

// From the fields of a buffer resource or of a typed instruction; bytes() is 0 for what is no format.
TexelFormat buffer_format(u32 data_format, u32 number_format);

// RDNA has one number for both: buffers and images, gfx10 and (`from_rdna3`) gfx11 and later. Sources: "RDNA
// 2" and "RDNA3 Instruction Set Architecture", tables of buffer and image formats; LLVM's assembler writes
// the same numbers (format:[BUF_FMT_...]).
struct SplitFormat {
  u32 data = 0, number = 0;  // 0, 0 for what is no format
};
SplitFormat split_format(u32 unified, bool from_rdna3);
// 0 for what is no format there.
u32 unified_format(u32 data_format, u32 number_format, bool from_rdna3);

}  // namespace lockstep::amd
