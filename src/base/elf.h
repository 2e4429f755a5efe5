// Reading ELF64 little-endian objects: sections, segments, symbols, notes, relocations, and the memory image
// that a loader needs. Every offset and size is checked against the file: a corrupt object gives a Diagnostic
// with code "bad-elf", never a crash. Source: System V gABI, chapters 4 and 5; relocation numbers from LLVM's
// "User Guide for AMDGPU Backend", section ELF Code Object.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

struct ElfSection {
  std::string name;
  u32 type = 0;
  u64 flags = 0;
  u64 address = 0;
  u64 offset = 0;  // in the file
  u64 size_bytes = 0;
  u32 link = 0;
  u32 info = 0;
  u64 entry_bytes = 0;

  bool executable() const { return (flags & 4) != 0; }
  bool allocated() const { return (flags & 2) != 0; }
};

struct ElfSegment {
  u32 type = 0;   // 1 is PT_LOAD
  u32 flags = 0;  // 1 execute, 2 write, 4 read
  u64 offset = 0;
  u64 address = 0;
  u64 file_bytes = 0;
  u64 memory_bytes = 0;
  u64 alignment_bytes = 0;
};

struct ElfSymbol {
  std::string name;
  u64 value = 0;  // address in a linked object, offset in its section in a relocatable one
  u64 size_bytes = 0;
  u32 section = 0;  // 0: undefined; 0xfff1: absolute
  u8 type = 0;      // 1 object, 2 function, 3 section, 10 AMDGPU v2 kernel
  u8 binding = 0;   // 0 local, 1 global, 2 weak

  bool function() const { return type == 2; }
  // Its value is the address of an amd_kernel_code_t, behind which the code begins.
  bool version2_kernel() const { return type == 10; }
};

struct ElfNote {
  std::string owner;  // "AMDGPU"
  u32 type = 0;       // 32: code object metadata as MessagePack
  u64 offset = 0;     // of the contents, in the file
  u64 size_bytes = 0;
};

// A relocation that the loader must apply (from the dynamic tables of a linked object).
struct ElfRelocation {
  u64 address = 0;  // where to write, as a virtual address before loading
  u32 type = 0;     // R_AMDGPU_*: see apply_relocation
  i64 addend = 0;
  u32 symbol = 0;  // into ElfFile::dynamic_symbols; 0: none
};

struct ElfFile {
  u16 type = 0;     // 1 relocatable, 3 shared object
  u16 machine = 0;  // 224 AMDGPU
  u8 os_abi = 0;    // 64 HSA
  u8 abi_version = 0;
  u32 flags = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSegment> segments;
  std::vector<ElfSymbol> symbols;          // .symtab, or .dynsym in a stripped object
  std::vector<ElfSymbol> dynamic_symbols;  // .dynsym
  std::vector<ElfNote> notes;
  std::vector<ElfRelocation> relocations;  // of a linked object

  // nullptr when there is none of this name.
  const ElfSection* find_section(std::string_view name) const;
  const ElfSymbol* find_symbol(std::string_view name) const;
};

inline constexpr u16 elf_machine_amdgpu = 224;
inline constexpr u16 elf_type_relocatable = 1;

bool has_elf_magic(std::span<const u8> bytes);

// `name` is the file's name for diagnostics.
Expected<ElfFile> read_elf(std::span<const u8> bytes, const std::string& name);

// The bytes that memory holds after loading: every PT_LOAD segment at its distance from `address`, gaps and
// the uninitialised tail zero.
struct ElfImage {
  u64 address = 0;  // the lowest virtual address, rounded down to the segment's alignment
  std::vector<u8> bytes;
};

// Errors: "bad-elf" when a segment lies outside the file, segments overlap, or the image exceeds limit_bytes.
Expected<ElfImage> build_image(std::span<const u8> bytes, const ElfFile& elf, const std::string& name,
                               u64 limit_bytes = u64{1} << 30);

// Applies every relocation of the object to an image that is going to be loaded at `load_address` (the
// address that image.address gets). Errors: "bad-elf" for an unknown relocation or one outside the image,
// "undefined-symbol" for a symbol that the object does not define.
Status apply_relocations(ElfImage& image, const ElfFile& elf, u64 load_address, const std::string& name);

// The bytes that the linked object holds at a virtual address, as far as a file-backed PT_LOAD segment (or,
// without segments, an allocated section) covers them; empty when not all of size_bytes are covered.
std::span<const u8> bytes_at(std::span<const u8> bytes, const ElfFile& elf, u64 address, u64 size_bytes);

}  // namespace lockstep
