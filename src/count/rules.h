// By which rules of a machine memory accesses are counted: what its first level takes at once, and its
// local-memory banks.
#pragma once
#include <string>

#include "isa/outcome.h"
#include "machine/machine.h"
#include "time/units/coalescer.h"

namespace lockstep {

enum class Coalescing : u8 {
  groups,       // so many neighbouring lanes at a time: one transaction for each line that they touch
  wide_groups,  // as before; of lanes with more than 4 bytes fewer at a time, so that the bytes stay the same
  segments,     // half a wave at a time: segments of 128 bytes, made smaller where one half is not used
  in_order,     // half a wave at a time: one segment when each lane touches its own word of it, else one each
};

struct CountingRules {
  Coalescing coalescing = Coalescing::groups;
  u32 lanes_at_once = 16;
  u32 line_bytes = 64;         // of a transaction; `segments`, `in_order`: of the largest
  u32 scalar_line_bytes = 64;  // 0: no scalar memory instructions
  u32 banks = 32, local_lanes_at_once = 32;
  bool local_pairs_share = false;  // bank_passes
  u32 wave_lanes = 64;
  // Moving all addresses by so many bytes changes nothing.
  u32 period_bytes() const { return coalescing == Coalescing::in_order ? 2 * line_bytes : line_bytes; }
  // "line of 64 bytes": what a transaction is on this machine.
  std::string transaction() const;
};

// Errors: "missing-figure" where the machine's file lacks one of them.
Expected<CountingRules> counting_rules(const Machine& machine, u32 wave_lanes);

Transactions count_transactions(const CountingRules& rules, const Access& access);

}  // namespace lockstep
