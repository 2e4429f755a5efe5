// How far a wave may be executed ahead of its issue: which instructions depend on when they issue, and which
// on the order among waves.
#pragma once
#include <vector>

#include "isa/program.h"
#include "isa/slow_way.h"

namespace lockstep {

// Bits by instruction.
namespace advance {
inline constexpr u8 branch = 1;   // ends a straight line
inline constexpr u8 timed = 2;    // gives something that depends on when and where it issues
inline constexpr u8 ordered = 4;  // an access whose place among other waves' accesses shows
inline constexpr u8 shared = 8;   // may reach memory that other groups reach
inline constexpr u8 waits = 16;   // a wait that the model makes: ends a straight line behind ordered accesses
inline constexpr u8 after_all = 32;          // comes after the wave's ordered accesses, without such a wait
inline constexpr u8 pure_load = 64;          // ordered, and only reads
inline constexpr u8 beyond_registers = 128;  // leaves more than registers and the memory that it reports
}  // namespace advance

struct AdvanceRules {
  std::vector<u8> bits;  // by instruction index
  // By instruction, where some operands take a slow way; empty where those of no instruction do.
  std::vector<SlowWay> slow_ways;
  // There are ordered accesses that only read: they see other waves' plain stores.
  bool reads_others_stores = false;
  // A barrier of the group does not wait for its waves' ordered accesses: what reaches where they do waits
  // behind it, as it does behind the wave's own.
  bool orders_behind_barriers = false;
};

const AdvanceRules& advance_rules(const Module& module);

}  // namespace lockstep
