#include "compile/code_object_v2.h"

#include <cstring>

namespace lockstep {
namespace {

constexpr u32 section_symtab = 2, section_dynsym = 11;
constexpr u64 symbol_bytes = 24, header_bytes = 256;

u64 load64(std::span<const u8> bytes, u64 offset) {
  u64 value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void store64(std::vector<u8>& bytes, u64 offset, u64 value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

Version2Kernels version2_kernels(std::span<const u8> object, const ElfFile& elf) {
  Version2Kernels result;
  for (const ElfSymbol& symbol : elf.symbols) {
    if (!symbol.version2_kernel()) continue;
    const auto header = bytes_at(object, elf, symbol.value, header_bytes);
    if (header.size() != header_bytes) continue;  // reading the kernel's descriptor reports it
    constexpr u64 entry_offset = 16;              // kernel_code_entry_byte_offset
    result.headers.push_back({symbol.value, symbol.value + load64(header, entry_offset)});
  }
  if (result.headers.empty()) return result;
  result.with_functions.assign(object.begin(), object.end());
  for (const ElfSection& section : elf.sections) {
    if (section.type != section_symtab && section.type != section_dynsym) continue;
    for (u64 at = section.offset; at + symbol_bytes <= section.offset + section.size_bytes;
         at += symbol_bytes) {
      u8& info = result.with_functions[at + 4];
      if ((info & 15) != 10) continue;
      const u64 value = load64(object, at + 8), size = load64(object, at + 16);
      for (const Version2Kernels::Header& header : result.headers) {
        if (header.address != value) continue;
        const u64 before = header.code_address - value;
        info = static_cast<u8>((info & 0xF0) | 2);
        store64(result.with_functions, at + 8, header.code_address);
        store64(result.with_functions, at + 16, size > before ? size - before : 0);
      }
    }
  }
  return result;
}

void Version2Kernels::tidy(Listing& listing) const {
  for (const Header& header : headers) {
    std::erase_if(listing.lines, [&](const ListingLine& line) {
      return line.address >= header.address && line.address < header.code_address;
    });
    for (ListingFunction& function : listing.functions) {
      if (function.address == header.code_address) function.kernel = true;
    }
  }
}

}  // namespace lockstep
