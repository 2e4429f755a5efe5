// What a kernel's text says of the registers that it may have.
#pragma once
#include "base/types.h"

namespace lockstep::nv {

// 0: not said.
struct RegisterBounds {
  u32 items = 0;      // of a group: .reqntid or .maxntid
  u32 groups = 0;     // that a multiprocessor is to hold at once: .minnctapersm
  u32 registers = 0;  // of a work-item: .maxnreg
};

// Waves and groups that a multiprocessor holds at most. Source: "CUDA C Programming Guide", the technical
// specifications of each compute capability.
u32 most_waves(u32 capability);
u32 most_groups(u32 capability);

// Registers that a work-item can have where a group of so many (0: any) has to fit a multiprocessor:
// compilers keep to that where a kernel states its group's size. Source: "CUDA C Programming Guide", the
// technical specifications of each compute capability.
u32 most_registers(u32 capability, u64 group_items);

// Registers that .maxnreg and .minnctapersm leave a work-item, 0 where neither says any. The assembler keeps
// to them, in local memory if need be, and does not do with fewer for more waves. Groups that a
// multiprocessor cannot hold are ignored, as ptxas of CUDA 13 says that it does; each of four partitions has
// its share of waves and registers (seen of it: 17 waves leave 96, 16 leave 128).
u32 registers_said(u32 capability, const RegisterBounds& bounds);

// Those if there are any, else what a group of the size that the text says leaves.
u32 most_registers(u32 capability, const RegisterBounds& bounds);

}  // namespace lockstep::nv
