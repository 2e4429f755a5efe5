// What one instruction does with registers that are bytes cut by regions (Intel's GPUs), as far as the
// checker of checked runs must know it: which bytes each channel's sources and results are, which bits of the
// flags decide, where a message takes its addresses and data from. The ISA's room describes its instructions
// so; the checker knows no region.
#pragma once
#include <array>

#include "base/types.h"
#include "isa/flow.h"

namespace lockstep {

struct Instruction;
struct Program;
struct StepContext;
struct WaveState;

// A byte's place: first the register file's own, as they lie in the wave's rows, then what the room keeps
// elsewhere (accumulators). Constants have none.
inline constexpr u32 no_byte = ~u32{0};

inline constexpr u32 most_channels_of_bytes = 32;
using BytePlaces = std::array<u32, most_channels_of_bytes>;  // by the instruction's channel

// Sets of places, 32 bytes a bit.
struct ByteUnits {
  static constexpr u32 unit_bytes = 32;
  std::array<u64, 3> word{};

  void add(u32 first, u32 bytes) {
    if (first == no_byte || bytes == 0) return;
    for (u32 unit = first / unit_bytes; unit <= (first + bytes - 1) / unit_bytes && unit < 192; ++unit)
      word[unit / 64] |= u64{1} << (unit % 64);
  }
  bool meets(const ByteUnits& other) const {
    return ((word[0] & other.word[0]) | (word[1] & other.word[1]) | (word[2] & other.word[2])) != 0;
  }
};

// All that an instruction may read and write, wherever an index leads at run time.
struct ByteReach {
  ByteUnits reads, writes;
};

struct NumberForm {
  u8 bytes = 4;
  bool is_signed = false, is_float = false;

  bool operator==(const NumberForm&) const = default;
  u32 bits() const { return 8u * bytes; }
};

// Which channels an instruction works on, and by what.
struct ByteChannels {
  enum class Group : u8 { each, any, all };  // what the predicate asks of a channel's neighbours
  u32 lanes = 0;                             // channels of the instruction
  u32 first = 0;                             // its first one among the wave's
  u32 running = 0;                           // those that run, whatever the predicate says; a bit each
  u32 taken = 0;                             // those among them that the predicate takes
  bool predicated = false, inverse = false;
  Group group = Group::each;
  u8 group_lanes = 1;
  u8 predicate_bit = 0;  // of the flags: the first channel's
  u32 flags_at = no_byte;
  u64 flags = 0;
};

struct ByteSource {
  NumberForm form;
  bool negate = false, absolute = false;
  BytePlaces at;                                  // of each channel's element
  u32 beside_bytes = 0;                           // 0: nothing more
  BytePlaces beside;                              // further bytes, on which all of the element depends
  std::array<u64, most_channels_of_bytes> value;  // what is computed with, in that form
};

struct ByteResult {
  bool exists = false, saturate = false;
  NumberForm form;
  BytePlaces at;
  u32 address_at = no_byte;  // two bytes that say where it goes
};

// An instruction that computes with values, or goes elsewhere. Arrays hold what is said of channels that run.
struct ByteStep {
  ByteStep() {}  // leaves the arrays as they are

  ByteChannels channels;
  bool branches = false;  // whoever is taken goes elsewhere: to what the first source says, if there is one
  bool known = true;      // the values are those that the instruction will see
  // out = flow(sources), in this form.
  NumberForm computes;
  u32 sources = 0;
  std::array<ByteSource, 4> source;
  Flow flow = Flow::any;
  Relation relation = Relation::unknown;  // of Flow::compare
  // Flow::scalar_select: the channels that have the first source; by the predicate, or by what the third
  // source is compared with zero.
  bool selects_by_predicate = false;
  u32 chosen = 0;
  std::array<u64, most_channels_of_bytes> out;
  ByteResult result, second;  // the second is one whole number, on which all sources show in these bits:
  u64 second_bits = 0;
  // Flags: how the result compares with zero, or what the comparison itself gives.
  bool tests = false, compares = false, test_known = true;
  NumberForm tested;
  Relation tested_relation = Relation::unknown;
  u8 condition_bit = 0;
  u32 test_result = 0;
};

// A message's data in the registers: byte b of element e of a lane of the wave lies at
// at + e * row + (lane - first) * slot + b, b < bytes. What lies between `bytes` and `slot` is cleared by
// loads.
struct ByteTransfer {
  u32 at = no_byte;
  u32 elements = 0;
  u32 bytes = 4, slot = 4;
  u32 row = 0;
  u32 first = 0;
};

// A message to memory.
struct ByteMessage {
  ByteMessage() {}

  ByteChannels channels;
  // Parts of the address, for all channels.
  struct Part {
    u32 at = no_byte, bytes = 0;
  };
  std::array<Part, 3> part;
  u32 parts = 0;
  // And for each: elements of these bytes.
  u32 addresses = 0, address_bytes = 4;
  std::array<BytePlaces, 5> address;
  bool blocks = false;                          // one channel, whichever, stands for all
  ByteTransfer response;                        // all of it
  u32 cleared_at = no_byte, cleared_bytes = 0;  // of a response without data
};

// The ISA's part, of those whose registers are so.
struct ByteRegisters {
  u32 places = 0;  // how many there are
  // Those that hold something when a wave begins, beside the registers that first_registers counts.
  u32 set_up_at = 0, set_up_bytes = 0;
  void (*reach)(const Program& program, const Instruction& in, ByteReach& reach);
  // Of the instruction that the wave is about to execute; its program counter is behind it already.
  void (*step)(const WaveState& wave, const Instruction& in, ByteStep& step);
  void (*message)(const WaveState& wave, const Instruction& in, const StepContext& context,
                  ByteMessage& message);
  // What the message's access with this number (from 0) moves; of atomics 0 are their operands, 1 what comes
  // back.
  ByteTransfer (*transfer)(const WaveState& wave, const Instruction& in, u32 number);
};

}  // namespace lockstep
