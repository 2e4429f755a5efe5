// From a compiled object to a Module: instructions decoded, kernels described.
#pragma once
#include <memory>

#include "base/diagnostic.h"
#include "isa/listing.h"
#include "isa/program.h"

namespace lockstep::amd {

// The fields of a kernel descriptor that a launch needs. Source: LLVM, "User Guide for AMDGPU Backend",
// Kernel Descriptor.
struct KernelDescriptor final : IsaProgram {
  u32 local_bytes = 0;
  u32 private_bytes = 0;
  u32 argument_bytes = 0;
  u64 entry_address = 0;
  u32 resources1 = 0, resources2 = 0, resources3 = 0;
  u32 properties = 0;
  // What a wave has, from `resources1` and `resources3`: registers per lane, and scalar registers that have
  // no name of their own.
  u32 vector_registers = 0, accumulation_registers = 0, scalar_registers = 0;
  // Rows of lanes that a launch makes: of those, as many as the code can reach.
  u32 rows = 0;

  u32 float_mode() const { return (resources1 >> 12) & 0xFF; }
  bool dx10_clamp() const { return ((resources1 >> 21) & 1) != 0; }
  bool ieee_mode() const { return ((resources1 >> 23) & 1) != 0; }
  bool workgroup_processor_mode() const { return ((resources1 >> 29) & 1) != 0; }
  u32 user_scalars() const { return (resources2 >> 1) & 31; }
  bool private_segment() const { return (resources2 & 1) != 0; }
  bool group_id(u32 dimension) const { return ((resources2 >> (7 + dimension)) & 1) != 0; }
  bool group_info() const { return ((resources2 >> 10) & 1) != 0; }
  u32 work_item_id_dimensions() const { return ((resources2 >> 11) & 3) + 1; }
  bool property(u32 bit) const { return ((properties >> bit) & 1) != 0; }
  bool wave32() const { return property(10); }
};

// Decodes every instruction of the object. Errors: "unknown-instruction" and "bad-operand" with the
// instruction's source line (or the listing's name) as place and the kernel in the message; "bad-elf",
// "bad-metadata".
Expected<std::unique_ptr<Module>> load_module(const CompiledObject& object, const Target& target,
                                              const std::string& name);

}  // namespace lockstep::amd
