#include "base/elf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

constexpr u32 section_symtab = 2, section_rela = 4, section_note = 7, section_nobits = 8, section_dynsym = 11;
constexpr u32 segment_load = 1, segment_note = 4;

Diagnostic bad_elf(const std::string& name, std::string message) {
  return Diagnostic{"bad-elf",
                    {name, 0, 0},
                    std::move(message),
                    "the file is truncated or damaged, or is not an ELF64 code object"};
}

// Reads little-endian fields; the caller has checked the range.
template <class T>
T load(std::span<const u8> bytes, u64 offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool inside(std::span<const u8> bytes, u64 offset, u64 size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

// Tables that lie upon each other and names that share their ends would let a small file ask for any amount
// of memory: all that is read of it together stays within a multiple of its size.
struct Budget {
  u64 left = 0;
  bool take(u64 bytes) {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }
};
constexpr u64 readings = 64;  // of each byte, at most

// The string at an offset of a string table; empty when it leaves the table.
std::string string_at(std::span<const u8> bytes, const ElfSection& table, u64 offset) {
  if (table.type == section_nobits || !inside(bytes, table.offset, table.size_bytes) ||
      offset >= table.size_bytes)
    return {};
  const u8* begin = bytes.data() + table.offset + offset;
  const u8* end = bytes.data() + table.offset + table.size_bytes;
  return std::string(begin, std::find(begin, end, u8{0}));
}

Status read_symbols(std::span<const u8> bytes, const ElfFile& elf, const ElfSection& section,
                    const std::string& name, Budget& budget, std::vector<ElfSymbol>& symbols) {
  if (!inside(bytes, section.offset, section.size_bytes))
    return bad_elf(name, fmt::format("the symbol table {} lies outside the file", section.name));
  if (section.link >= elf.sections.size())
    return bad_elf(name, fmt::format("the symbol table {} has no string table", section.name));
  const ElfSection& strings = elf.sections[section.link];
  const u64 count = section.size_bytes / 24;
  if (!budget.take(section.size_bytes)) return bad_elf(name, "its tables lie upon each other");
  symbols.reserve(symbols.size() + count);
  for (u64 i = 0; i < count; ++i) {
    const u64 at = section.offset + 24 * i;
    ElfSymbol symbol;
    symbol.name = string_at(bytes, strings, load<u32>(bytes, at));
    if (!budget.take(symbol.name.size())) return bad_elf(name, "its symbols have names without an end");
    const u8 info = load<u8>(bytes, at + 4);
    symbol.type = info & 15;
    symbol.binding = info >> 4;
    symbol.section = load<u16>(bytes, at + 6);
    symbol.value = load<u64>(bytes, at + 8);
    symbol.size_bytes = load<u64>(bytes, at + 16);
    symbols.push_back(std::move(symbol));
  }
  return Success{};
}

Status read_notes(std::span<const u8> bytes, u64 offset, u64 size, const std::string& name, Budget& budget,
                  std::vector<ElfNote>& notes) {
  if (!inside(bytes, offset, size)) return bad_elf(name, "the notes lie outside the file");
  if (!budget.take(size)) return bad_elf(name, "its tables lie upon each other");
  const u64 end = offset + size;
  while (end - offset >= 12) {
    const u64 owner_bytes = load<u32>(bytes, offset);
    const u64 content_bytes = load<u32>(bytes, offset + 4);
    const u64 owner_at = offset + 12;
    const u64 content_at = owner_at + ((owner_bytes + 3) & ~u64{3});
    const u64 next = content_at + ((content_bytes + 3) & ~u64{3});
    if (content_at > end || content_at + content_bytes > end) return bad_elf(name, "a note is cut off");
    ElfNote note;
    const u8* owner = bytes.data() + owner_at;
    note.owner.assign(owner, std::find(owner, owner + owner_bytes, u8{0}));
    note.type = load<u32>(bytes, offset + 8);
    note.offset = content_at;
    note.size_bytes = content_bytes;
    notes.push_back(std::move(note));
    if (next >= end) break;
    offset = next;
  }
  return Success{};
}

Status read_sections(std::span<const u8> bytes, const std::string& name, Budget& budget, ElfFile& elf) {
  const u64 table = load<u64>(bytes, 0x28);
  const u64 entry_bytes = load<u16>(bytes, 0x3a);
  const u64 count = load<u16>(bytes, 0x3c);
  const u64 names = load<u16>(bytes, 0x3e);
  if (count == 0) return Success{};
  if (entry_bytes != 64 || !inside(bytes, table, 64 * count))
    return bad_elf(name, "the section table lies outside the file");
  std::vector<u32> name_offsets;
  for (u64 i = 0; i < count; ++i) {
    const u64 at = table + 64 * i;
    ElfSection section;
    name_offsets.push_back(load<u32>(bytes, at));
    section.type = load<u32>(bytes, at + 4);
    section.flags = load<u64>(bytes, at + 8);
    section.address = load<u64>(bytes, at + 16);
    section.offset = load<u64>(bytes, at + 24);
    section.size_bytes = load<u64>(bytes, at + 32);
    section.link = load<u32>(bytes, at + 40);
    section.info = load<u32>(bytes, at + 44);
    section.entry_bytes = load<u64>(bytes, at + 56);
    elf.sections.push_back(std::move(section));
  }
  if (names < count)
    for (u64 i = 0; i < count; ++i) {
      elf.sections[i].name = string_at(bytes, elf.sections[names], name_offsets[i]);
      if (!budget.take(elf.sections[i].name.size()))
        return bad_elf(name, "its sections have names without an end");
    }
  return Success{};
}

Status read_segments(std::span<const u8> bytes, const std::string& name, ElfFile& elf) {
  const u64 table = load<u64>(bytes, 0x20);
  const u64 entry_bytes = load<u16>(bytes, 0x36);
  const u64 count = load<u16>(bytes, 0x38);
  if (count == 0) return Success{};
  if (entry_bytes != 56 || !inside(bytes, table, 56 * count))
    return bad_elf(name, "the segment table lies outside the file");
  for (u64 i = 0; i < count; ++i) {
    const u64 at = table + 56 * i;
    ElfSegment segment;
    segment.type = load<u32>(bytes, at);
    segment.flags = load<u32>(bytes, at + 4);
    segment.offset = load<u64>(bytes, at + 8);
    segment.address = load<u64>(bytes, at + 16);
    segment.file_bytes = load<u64>(bytes, at + 32);
    segment.memory_bytes = load<u64>(bytes, at + 40);
    segment.alignment_bytes = load<u64>(bytes, at + 48);
    if (segment.type == segment_load &&
        (!inside(bytes, segment.offset, segment.file_bytes) || segment.memory_bytes < segment.file_bytes))
      return bad_elf(name, fmt::format("segment {} lies outside the file", i));
    elf.segments.push_back(segment);
  }
  return Success{};
}

Status read_relocations(std::span<const u8> bytes, const std::string& name, Budget& budget, ElfFile& elf) {
  for (const ElfSection& section : elf.sections) {
    if (section.type != section_rela || !section.allocated()) continue;
    if (!inside(bytes, section.offset, section.size_bytes))
      return bad_elf(name, fmt::format("the relocations {} lie outside the file", section.name));
    if (!budget.take(section.size_bytes)) return bad_elf(name, "its tables lie upon each other");
    for (u64 at = section.offset; section.offset + section.size_bytes - at >= 24; at += 24) {
      ElfRelocation relocation;
      relocation.address = load<u64>(bytes, at);
      relocation.type = load<u32>(bytes, at + 8);
      relocation.symbol = load<u32>(bytes, at + 12);
      relocation.addend = load<i64>(bytes, at + 16);
      if (relocation.symbol != 0 && relocation.symbol >= elf.dynamic_symbols.size())
        return bad_elf(name, "a relocation names a symbol that does not exist");
      elf.relocations.push_back(relocation);
    }
  }
  return Success{};
}

}  // namespace

const ElfSection* ElfFile::find_section(std::string_view name) const {
  for (const ElfSection& section : sections)
    if (section.name == name) return &section;
  return nullptr;
}

const ElfSymbol* ElfFile::find_symbol(std::string_view name) const {
  for (const ElfSymbol& symbol : symbols)
    if (symbol.name == name) return &symbol;
  return nullptr;
}

bool has_elf_magic(std::span<const u8> bytes) {
  return bytes.size() >= 4 && bytes[0] == 0x7f && bytes[1] == 'E' && bytes[2] == 'L' && bytes[3] == 'F';
}

Expected<ElfFile> read_elf(std::span<const u8> bytes, const std::string& name) {
  if (!has_elf_magic(bytes)) return bad_elf(name, "this is not an ELF file");
  if (bytes.size() < 64) return bad_elf(name, "the ELF header is cut off");
  if (bytes[4] != 2 || bytes[5] != 1) return bad_elf(name, "only ELF64, little-endian, is supported");
  ElfFile elf;
  elf.os_abi = bytes[7];
  elf.abi_version = bytes[8];
  elf.type = load<u16>(bytes, 0x10);
  elf.machine = load<u16>(bytes, 0x12);
  elf.flags = load<u32>(bytes, 0x30);
  Budget budget{readings * bytes.size()};
  if (Status status = read_sections(bytes, name, budget, elf); !status) return status.error();
  if (Status status = read_segments(bytes, name, elf); !status) return status.error();
  for (const ElfSection& section : elf.sections) {
    if (section.type == section_symtab) {
      if (Status status = read_symbols(bytes, elf, section, name, budget, elf.symbols); !status)
        return status.error();
    } else if (section.type == section_dynsym) {
      if (Status status = read_symbols(bytes, elf, section, name, budget, elf.dynamic_symbols); !status)
        return status.error();
    } else if (section.type == section_note) {
      if (Status status = read_notes(bytes, section.offset, section.size_bytes, name, budget, elf.notes);
          !status)
        return status.error();
    }
  }
  if (elf.symbols.empty()) elf.symbols = elf.dynamic_symbols;
  if (elf.sections.empty())
    for (const ElfSegment& segment : elf.segments)
      if (segment.type == segment_note)
        if (Status status = read_notes(bytes, segment.offset, segment.file_bytes, name, budget, elf.notes);
            !status)
          return status.error();
  if (Status status = read_relocations(bytes, name, budget, elf); !status) return status.error();
  return elf;
}

Expected<ElfImage> build_image(std::span<const u8> bytes, const ElfFile& elf, const std::string& name,
                               u64 limit_bytes) {
  u64 low = ~u64{0}, high = 0, alignment = 1;
  for (const ElfSegment& segment : elf.segments) {
    if (segment.type != segment_load || segment.memory_bytes == 0) continue;
    if (segment.address + segment.memory_bytes < segment.address)
      return bad_elf(name, "a segment wraps around the address space");
    if (segment.address < low) {
      low = segment.address;
      alignment = segment.alignment_bytes;
    }
    high = std::max(high, segment.address + segment.memory_bytes);
  }
  if (high == 0) return bad_elf(name, "the object has nothing to load");
  if (alignment > 1 && (alignment & (alignment - 1)) == 0) low &= ~(alignment - 1);
  if (high - low > limit_bytes)
    return bad_elf(
        name, fmt::format("its memory image of {} bytes exceeds the limit of {}", high - low, limit_bytes));
  ElfImage image;
  image.address = low;
  image.bytes.resize(high - low);
  std::vector<std::pair<u64, u64>> taken;
  for (const ElfSegment& segment : elf.segments) {
    if (segment.type != segment_load || segment.memory_bytes == 0) continue;
    const u64 end = segment.address + segment.memory_bytes;
    for (const auto& [from, to] : taken)
      if (segment.address < to && from < end) return bad_elf(name, "two of its segments overlap");
    taken.emplace_back(segment.address, end);
    if (segment.file_bytes == 0) continue;
    if (!inside(bytes, segment.offset, segment.file_bytes))
      return bad_elf(name, "a segment lies outside the file");
    std::memcpy(image.bytes.data() + (segment.address - low), bytes.data() + segment.offset,
                segment.file_bytes);
  }
  return image;
}

Status apply_relocations(ElfImage& image, const ElfFile& elf, u64 load_address, const std::string& name) {
  const u64 slide = load_address - image.address;
  for (const ElfRelocation& relocation : elf.relocations) {
    if (relocation.type == 0) continue;  // R_AMDGPU_NONE
    u64 symbol_address = 0;
    if (relocation.symbol != 0) {
      if (relocation.symbol >= elf.dynamic_symbols.size())
        return bad_elf(name, "a relocation names a symbol that does not exist");
      const ElfSymbol& symbol = elf.dynamic_symbols[relocation.symbol];
      if (symbol.section == 0) {
        constexpr u8 weak = 2;
        if (symbol.binding != weak)
          return Diagnostic{"undefined-symbol",
                            {name, 0, 0},
                            fmt::format("the code object uses '{}', which it does not define", symbol.name),
                            ""};
      } else {
        constexpr u32 absolute = 0xfff1;
        symbol_address = symbol.value + (symbol.section == absolute ? 0 : slide);
      }
    }
    const u64 target = symbol_address + static_cast<u64>(relocation.addend);
    const u64 here = relocation.address + slide;
    u64 value = 0;
    u32 size = 0;
    switch (relocation.type) {
      case 1:
        value = target, size = 4;
        break;  // ABS32_LO
      case 2:
        value = target >> 32, size = 4;
        break;  // ABS32_HI
      case 3:
        value = target, size = 8;
        break;  // ABS64
      case 4:
        value = target - here, size = 4;
        break;  // REL32
      case 5:
        value = target - here, size = 8;
        break;  // REL64
      case 6:
        value = target, size = 4;
        break;  // ABS32
      case 10:
        value = target - here, size = 4;
        break;  // REL32_LO
      case 11:
        value = (target - here) >> 32, size = 4;
        break;  // REL32_HI
      case 13:
        value = slide + static_cast<u64>(relocation.addend), size = 8;
        break;  // RELATIVE64
      default:
        return bad_elf(name, fmt::format("relocation type {} is not known", relocation.type));
    }
    const u64 offset = relocation.address - image.address;
    if (relocation.address < image.address || offset > image.bytes.size() ||
        size > image.bytes.size() - offset)
      return bad_elf(name, "a relocation lies outside the memory image");
    std::memcpy(image.bytes.data() + offset, &value, size);
  }
  return Success{};
}

std::span<const u8> bytes_at(std::span<const u8> bytes, const ElfFile& elf, u64 address, u64 size_bytes) {
  for (const ElfSegment& segment : elf.segments) {
    if (segment.type != segment_load || address < segment.address) continue;
    const u64 offset = address - segment.address;
    if (offset > segment.file_bytes || size_bytes > segment.file_bytes - offset) continue;
    if (!inside(bytes, segment.offset, segment.file_bytes)) continue;
    return bytes.subspan(segment.offset + offset, size_bytes);
  }
  if (!elf.segments.empty()) return {};
  for (const ElfSection& section : elf.sections) {
    if (!section.allocated() || section.type == section_nobits || address < section.address) continue;
    const u64 offset = address - section.address;
    if (offset > section.size_bytes || size_bytes > section.size_bytes - offset) continue;
    if (!inside(bytes, section.offset, section.size_bytes)) continue;
    return bytes.subspan(section.offset + offset, size_bytes);
  }
  return {};
}

}  // namespace lockstep
