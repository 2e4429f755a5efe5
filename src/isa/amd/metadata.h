// Code object metadata (MessagePack in the ELF's note): kernels, their needs and arguments.
// Source: LLVM, "User Guide for AMDGPU Backend", Code Object V3 to V5 Metadata.
#pragma once
#include <span>

#include "base/elf.h"
#include "isa/program.h"

namespace lockstep::amd {

// Adds a Program for each kernel, in the object's order. Errors: "bad-metadata".
Status read_metadata(std::span<const u8> object, const ElfFile& elf, const std::string& name, Module& module);

}  // namespace lockstep::amd
