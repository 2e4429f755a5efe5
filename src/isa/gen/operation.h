// One decoded instruction of an Intel GPU: what its regions, types and modifiers come to, decoded once. It
// stands beside the Instruction that timing and checks see, which names it by its number
// (Instruction::detail).
#pragma once
#include <array>

#include "float/bits.h"
#include "isa/gen/syntax.h"
#include "isa/step.h"

namespace lockstep::gen {

struct Operation;

inline constexpr u32 most_channels = 32;

// Values of all channels of an instruction, in the type that it computes in.
struct alignas(64) Lanes {
  Lanes() {}  // leaves them as they are
  std::array<u8, most_channels * 8> bytes;
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
};

// An f16's bits, to tell them from integers.
struct Half {
  f16 bits;
};

enum class Where : u8 { none, file, indirect, immediate, accumulator, extended };

// Where channel i of an operand lies: offset + (i / width) * vertical + (i % width) * horizontal.
struct Source {
  Where place = Where::none;
  Type type = Type::none;
  bool negate = false, absolute = false, invert = false, by_row = false;
  u8 address = 0;  // element of a0
  u8 width = 1;
  u16 vertical = 0, horizontal = 0;  // bytes
  i32 offset = 0;  // in the register file, bytes; accumulators: channels; extended: its number
  u64 value = 0;
  i32 mantissa = -1;     // of macros: the extended register that it is read with, -1: none
  bool pointer = false;  // immediates: the loader puts the instruction's own address there

  bool scalar() const { return vertical == 0 && horizontal == 0; }
};

struct Result {
  Where place = Where::none;
  Type type = Type::none;
  bool saturate = false;
  u8 address = 0;
  u16 step = 0;  // from a channel to the next, bytes
  i32 offset = 0;
  i32 mantissa = -1;
};

// How a value is computed: 32 bits where nothing more shows, else 64.
enum class Class : u8 { i32, u32, i64, u64, f16, f32, f64 };

// What an operation computes with, channel by channel.
struct Work {
  Lanes a, b, c, out;
  u32 lanes = 0;
  u32 control = 0;    // cr0
  u32 predicate = 0;  // of selections, a bit for each channel
};

using Fetch = void (*)(const WaveState&, const Source&, u32 lanes, Lanes& to);
using Compute = void (*)(Work&);
// Writes the channels of the mask.
using Commit = void (*)(WaveState&, const Result&, u32 lanes, u32 mask, const Lanes& from, u32 control);
// Which channels' results fulfil the condition.
using Test = u32 (*)(const Lanes& value, u32 lanes);

enum class Group : u8 { each, any, all };  // what a predicate asks of its channel's neighbours

// The conditions of conditional modifiers.
enum class Condition : u8 {
  none,
  equal,
  not_equal,
  greater,
  greater_equal,
  less,
  less_equal,
  unordered,
  early_out
};

// A message, as its descriptors say.
struct Message {
  enum class Kind : u8 {
    none,
    end_of_thread,
    barrier,
    fence,
    untyped_read,
    untyped_write,
    scattered_read,  // bytes, dwords or qwords, each channel its own
    scattered_write,
    block_read,
    block_write,
    atomic,
    scratch_read,
    scratch_write,
    typed_read,
    typed_write,
    sample,
  };
  // What is asked of the sampler.
  enum class Sample : u8 { filtered, filtered_at_level, texel, texel_at_level, size };
  Kind kind = Kind::none;
  bool wide_addresses = false;  // A64
  bool header = false;
  bool returns = false;
  bool by_channel = false;  // scratch: dword i of each register belongs to channel i
  // The descriptor is the first source, and adds surface and sampler to what is known of it here.
  bool in_register = false;
  u8 surface = 0;  // binding table index
  u8 lanes = 8;
  u8 element = 4;        // bytes
  u8 count = 1;          // elements of a channel; blocks: bytes / 16
  u8 mask = 0;           // untyped: components that move
  u8 atomic = 0;         // the operation's number
  u8 registers = 0;      // of the response
  u16 block_offset = 0;  // scratch: registers
  u8 sampler = 0;        // its index in the sampler table
  Sample sample = Sample::filtered;
  u8 first_registers = 0, second_registers = 0;  // of the payload's two parts; typed messages, samplers
};

struct Operation {
  // What runs it, and what of it a value's shape consists of.
  std::array<Fetch, 3> fetch{};
  Compute compute = nullptr;
  Commit commit = nullptr;
  Test test = nullptr;
  std::array<Source, 3> source;
  Result result;
  Class computes = Class::i32;
  u8 sources = 0;
  u8 lanes = 1, first = 0;
  bool every_channel = false;
  bool predicated = false, inverse = false, selects = false;
  u8 predicate_bit = 0;  // of the 64 flag bits: the first channel's
  Group group = Group::each;
  u8 group_lanes = 1;
  Condition condition = Condition::none;
  u8 condition_bit = 0;
  bool reads_accumulator = false, writes_accumulator = false;  // beside its operands
  u32 jump = 0, other_jump = 0;                                // JIP and UIP: instructions
  Message message;
  u8 payload = 0, second_payload = 0;  // registers of a message
  u8 response = 0;
  bool responds = false;
  RunFunction then = nullptr;  // of a kernel's first instruction: what it does itself
};

constexpr u32 channel_mask(u32 lanes) {
  return lanes >= 32 ? ~u32{0} : (u32{1} << lanes) - 1;
}

// The channels that an instruction works on: those that run, its predicate among them. Bit 0 is the
// operation's first channel.
u32 predicate_of(const WaveState& wave, const Operation& operation);
u32 active_of(const WaveState& wave, const Operation& operation);

// For an operand in this type and class; nullptr where there is none.
Fetch find_fetch(const Source& source, Class computes);
Commit find_commit(const Result& result, Class computes);
Test find_test(Condition condition, Class computes);
// Of an operation with this result: integers are tested as their type holds them.
Test find_result_test(Condition condition, Class computes, const Result& result);

// A kernel's first instruction: the dispatcher's work before it.
void run_first(WaveState& wave, const Instruction& in, StepContext& context);
// Of a value's shape: fetch, compute, test, commit.
void run_value(WaveState& wave, const Instruction& in, StepContext& context);

// What the step's shape gives a semantic of a room's own.
const Operation& operation_of(const WaveState& wave, const Instruction& in);

}  // namespace lockstep::gen
