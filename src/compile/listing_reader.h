// From the assembler's and the disassembler's text to a Listing.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/elf.h"
#include "isa/listing.h"

namespace lockstep {

// Reads what `llvm-mc -show-encoding` prints for a whole assembly file, and places it in the object that was
// linked from the same file (assembled with --save-temp-labels, so that every label is in its symbol table).
// Every encoding must equal the object's bytes, except where the assembler left a fix-up to the linker.
// `name` is the program's name for diagnostics.
// Errors: "listing-mismatch" when text and object do not belong together.
Expected<Listing> read_assembler_listing(std::string_view text, std::span<const u8> object,
                                         const ElfFile& elf, const std::string& name);

// Reads what `llvm-objdump -d -l` prints for a linked object. Branch targets become labels: a symbol where
// one lies there, else ".Lpc_<hex address>". Errors: "listing-mismatch", and "cannot-disassemble" for bytes
// that the disassembler does not know.
Expected<Listing> read_disassembly(std::string_view text, std::span<const u8> object, const ElfFile& elf,
                                   const std::string& name);

inline Diagnostic listing_mismatch(const std::string& name, std::string message) {
  return {"listing-mismatch", {name, 0, 0}, std::move(message), ""};
}

}  // namespace lockstep
