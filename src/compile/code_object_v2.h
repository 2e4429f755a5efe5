// Code objects of version 2 (ROCm before 2019): a kernel's symbol has a type of its own and stands before an
// amd_kernel_code_t of 256 bytes, which the code follows. LLVM's disassembler refuses such symbols, so it is
// shown a copy of the object in which they are functions that begin at the code. Source: LLVM 14, "User Guide
// for AMDGPU Backend", Code Object V2 Kernel Descriptor (amd_kernel_code_t).
#pragma once
#include <span>
#include <vector>

#include "base/elf.h"
#include "isa/listing.h"

namespace lockstep {

struct Version2Kernels {
  struct Header {
    u64 address = 0;
    u64 code_address = 0;
  };
  std::vector<Header> headers;
  std::vector<u8> with_functions;  // the object with its kernels' symbols changed; empty without kernels

  bool empty() const { return headers.empty(); }
  // Takes the headers, which look like instructions to the disassembler, out of the listing and marks the
  // kernels.
  void tidy(Listing& listing) const;
};

Version2Kernels version2_kernels(std::span<const u8> object, const ElfFile& elf);

}  // namespace lockstep
