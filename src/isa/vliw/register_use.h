// The registers of an instruction or packet.
#pragma once
#include "isa/register_use.h"

namespace lockstep {
struct Instruction;
}
namespace lockstep::vliw {

struct RowLayout;

// Of a packet those of all its instructions.
void register_use(const Instruction& in, const RowLayout& layout, RegisterUse& use);

}  // namespace lockstep::vliw
