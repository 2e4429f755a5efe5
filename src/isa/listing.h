// A listing: machine code as text with the address, size and bytes of every instruction, its source line and
// the labels. compile/ makes it (from the compiler's assembly or from a disassembled code object),
// src/isa/amd reads it into a Program. Plain data: nothing here knows an ISA.
//
// Addresses are virtual addresses of the linked ELF object (not file offsets; the load address is not added).
// Encodings are the linked ELF's bytes: relocations that the linker resolved (`symbol@rel32@lo+4`, branch
// targets) are already in them. A text operand of the form `symbol@...` therefore has its value in the
// instruction's last word.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace lockstep {

struct ListingLine {
  static constexpr u32 no_file = ~u32{0};

  u64 address = 0;
  std::array<u32, 5> words{};  // little-endian words of the encoding; those past size_bytes are 0
  u32 size_bytes = 0;          // 4 to 20
  u32 text_offset = 0;         // into Listing::texts
  u32 text_bytes = 0;
  u32 file = no_file;  // into Listing::files
  u32 line = 0;        // 0: the compiler names no line for this instruction
  u32 column = 0;

  bool operator==(const ListingLine&) const = default;
};

struct ListingLabel {
  std::string name;
  u64 address = 0;

  bool operator==(const ListingLabel&) const = default;
};

struct ListingFunction {
  std::string name;
  u64 address = 0;
  u64 size_bytes = 0;
  bool kernel = false;  // has a kernel descriptor "<name>.kd"

  bool operator==(const ListingFunction&) const = default;
};

struct Listing {
  std::vector<std::string> files;    // as the user wrote the path
  std::string texts;                 // all instruction texts, one after the other
  std::vector<ListingLine> lines;    // by rising address; gaps are data or padding that is never executed
  std::vector<ListingLabel> labels;  // by name; each name once; code labels and function names
  std::vector<ListingFunction> functions;  // by address

  // Mnemonic and operands, blanks trimmed, no comment: "v_add_u32_e32 v0, s6, v0".
  std::string_view text(const ListingLine& line) const {
    return std::string_view(texts).substr(line.text_offset, line.text_bytes);
  }
  // nullptr when no label has this name.
  const ListingLabel* find_label(std::string_view name) const {
    const auto at = std::lower_bound(
        labels.begin(), labels.end(), name,
        [](const ListingLabel& label, std::string_view wanted) { return label.name < wanted; });
    return at != labels.end() && at->name == name ? &*at : nullptr;
  }
  // The instruction that starts at this address; nullptr when none does.
  const ListingLine* find_line(u64 address) const {
    const auto at =
        std::lower_bound(lines.begin(), lines.end(), address,
                         [](const ListingLine& line, u64 wanted) { return line.address < wanted; });
    return at != lines.end() && at->address == address ? &*at : nullptr;
  }

  bool operator==(const Listing&) const = default;
};

// One compiled program: every kernel of a source file for one target.
struct CompiledObject {
  std::string target;  // "gfx900"
  Listing listing;
  std::vector<u8> elf;  // the linked, loadable code object (base/elf.h reads it)
  std::string log;      // the compiler's warnings, unchanged; empty when there were none
  std::vector<std::string> unset_constants = {};  // compile/unset_constants.h

  bool operator==(const CompiledObject&) const = default;
};

}  // namespace lockstep
