// Which keys a machine file may have: one table with each key's unit, kind, meaning and readers.
// The reader checks files against it, and docs/machines.md prints it.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/types.h"
#include "machine/target.h"

namespace lockstep {

// What a key's value is.
enum class ValueKind : u8 {
  integer,   // u64
  real,      // f64
  integers,  // a list of u64
  text,
};

// How a sensitivity analysis may move a value and leave a machine that still makes sense.
enum class Step : u8 {
  scale,         // multiply
  power_of_two,  // double or halve: sizes and counts that index hardware
  fixed,         // leave alone
};

// Groups of targets that read the same keys; a target is in one or more (groups_of).
using TargetGroups = u32;
inline constexpr TargetGroups group_gcn = 1;          // GCN 1-5
inline constexpr TargetGroups group_cdna = 2;         // CDNA 2 and 3
inline constexpr TargetGroups group_rdna = 4;         // RDNA
inline constexpr TargetGroups group_vliw = 8;         // Evergreen, Northern Islands
inline constexpr TargetGroups group_nvidia_old = 16;  // compute capability 1.x and 2.x
inline constexpr TargetGroups group_nvidia = 32;      // compute capability 3.0 and up
inline constexpr TargetGroups group_intel = 64;
inline constexpr TargetGroups group_gcn5 = 128;  // gfx900 and gfx906: the keys of the GCN5 timing model
inline constexpr TargetGroups group_all = 255;
inline constexpr TargetGroups group_none = 0;
inline constexpr TargetGroups group_amdgcn = group_gcn | group_cdna | group_rdna | group_gcn5;

struct KeyInfo {
  std::string_view key;   // dotted
  std::string_view unit;  // the unit in which numbers are kept; files may use a multiple (see units_of)
  ValueKind kind;
  Step step;
  TargetGroups allowed;      // targets whose files may have the key
  TargetGroups required;     // targets whose files must have it
  std::string_view meaning;  // one sentence
};

// The whole table, in the order in which machines list their quantities.
std::span<const KeyInfo> schema();

// nullptr when there is no such key.
const KeyInfo* find_key(std::string_view key);

TargetGroups groups_of(const Target& target);

// A unit that a file may write for a key kept in `unit`, and what one of it is worth: {"MHz", 1e6} for "Hz".
struct UnitFactor {
  std::string_view unit;
  u64 factor;
};

// The multiples of `unit` that files may use, `unit` itself (factor 1) first. Bytes have binary multiples
// (KiB, MiB, GiB), everything else decimal ones; "KB" is refused because it is read both ways.
std::span<const UnitFactor> units_of(std::string_view unit);

// The table of all keys as Markdown, as docs/machines.md carries it.
std::string schema_reference();

std::string_view to_string(ValueKind kind);

}  // namespace lockstep
