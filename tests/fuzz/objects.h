// Code objects as seeds for several kinds.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isa/listing.h"
#include "isa/program.h"
#include "machine/machine.h"

namespace lockstep::fuzz {

// Code objects of versions 2 to 5 (tests/data/objects), with what the disassembler makes of them.
const std::vector<CompiledObject>& objects();

// Decodes the object and, with `run`, steps each of its kernels for a while with small buffers. What is wrong
// with the way it was refused.
std::optional<std::string> load(const CompiledObject& object, bool run);

// A kernel's launch with small buffers of zeros, for a while; what it says or does not say is its own affair.
// `timed_on`: also timed, and checked, on this GPU.
void run_kernel(const Module& module, const Program& program, const Machine* timed_on = nullptr);

}  // namespace lockstep::fuzz
