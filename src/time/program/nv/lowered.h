// A lowered program: what NVIDIA hardware issues for one kernel. PTX, which is what executes here, is no
// machine's own code; the lowering makes of it instructions as the vendor's assembler would, with registers,
// dependences and the control words by which Volta and its successors keep them. It has no values: what
// lanes run and which memory they reach is what the PTX instruction did from which an instruction stems.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "time/program/nv/opcode.h"

namespace lockstep {

// What S2R and its like read.
enum class LoweredSpecial : u8 {
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  lane,
  warp,
  clock,
  clock_high,
  sm,
  lane_mask_eq,
  lane_mask_lt,
  lane_mask_le,
  lane_mask_gt,
  lane_mask_ge,
  other,
  count
};
std::string_view name(LoweredSpecial special);  // "SR_TID.X"

struct LoweredOperand {
  enum class File : u8 {
    none,
    general,            // R0 to R254; index 255 is RZ
    uniform,            // UR0 to UR62; 63 is URZ
    predicate,          // P0 to P6; 7 is PT
    uniform_predicate,  // UP0 to UP6; 7 is UPT
    constant,           // c[bank][value], with a general register `index` added unless that is RZ
    immediate,          // value
    special,            // index: a LoweredSpecial
    barrier,            // B0 to B15: of BSSY and BSYNC
    region,             // index: where a branch goes
  };
  // Bits of `modifiers`.
  static constexpr u8 negate = 1, absolute = 2, complement = 4;  // predicates: complement is "!"
  static constexpr u8 reuse = 8;     // the register stays in the operand cache of its slot
  static constexpr u8 address = 16;  // in brackets, with LoweredInstruction::offset behind the last of them
  static constexpr u8 wide = 32;     // .64: a pair of registers as an address

  static constexpr u32 zero_register = 255, zero_uniform = 63, true_predicate = 7;

  File file = File::none;
  u8 width = 1;  // registers
  u8 modifiers = 0;
  u8 bank = 0;  // of a constant
  u32 index = 0;
  u64 value = 0;

  bool operator==(const LoweredOperand&) const = default;
};

// What the control bits of an instruction's word say.
struct LoweredControl {
  static constexpr u8 no_barrier = 7;
  // Control words have 0 to 15; where the machine has a scoreboard, what a region's last results still take.
  static constexpr u32 most_stall = 63;
  u8 stall = 1;  // cycles until the warp's next instruction may issue
  bool yield = false;
  u8 write_barrier = no_barrier;  // 0 to 5: released when the result is written
  u8 read_barrier = no_barrier;   // 0 to 5: released when the sources have been read
  u8 wait_mask = 0;               // bit i: waits for barrier i

  bool operator==(const LoweredControl&) const = default;
};

struct LoweredInstruction {
  static constexpr std::size_t most_destinations = 3, most_sources = 10;

  LoweredOpcode opcode = LoweredOpcode::nop;
  std::string modifiers;  // behind the mnemonic: ".U32.X"
  LoweredOperand guard;   // File::none: unguarded
  std::array<LoweredOperand, most_destinations> destination{};
  std::array<LoweredOperand, most_sources> source{};
  i32 offset = 0;  // of an address, bytes
  LoweredControl control;
  // The PTX instruction (index in Code::instructions) whose lanes it has.
  u32 from = 0;
  // It carries the memory access of `from`. Of the instructions that stem from one PTX instruction at most
  // one does for each access, `access` says which (Segment::accesses of that instruction, in order).
  bool carries_access = false;
  u8 access = 0;
  // What it moves for a lane, bytes, where it stands for accesses of several PTX instructions of which that
  // of `from` has the lowest address; 0: what that one moves.
  u8 access_bytes = 0;
  // One lane makes the access for all of the warp's, which have the same address: an atomic whose operands
  // have been put together before.
  bool one_lane = false;
  // Issued at every n-th execution of its region only: what unrolling a loop n times leaves of its counting
  // and branching.
  u8 every = 1;
  // Of a routine that the assembler has put in and calls, issued where it is called.
  bool routine = false;
  // A copy on the way out of a loop, for what is taken behind it: it says that both may share a register, and
  // is gone once registers are joined.
  bool on_way_out = false;
  // Guarded, and nobody but what has the same guard takes what it writes. Until the schedule stands.
  bool own_lanes = false;
  // A branch to a routine for rare operands: registers that this takes beside what holds something there.
  u8 routine_registers = 0;
  // The PTX instruction whose operands send lanes there (isa/slow_way.h), which is none of a routine of
  // integers.
  static constexpr u32 no_slow_way = ~u32{0};
  u32 slow_way = no_slow_way;
  // A store or a load of a value for which there is no register: the first of its words among those of a
  // work-item (LoweredProgram::spilled_bytes).
  static constexpr u32 no_word = ~u32{0};
  u32 spill_word = no_word;

  bool operator==(const LoweredInstruction&) const = default;
};

// PTX instructions [first, first + count) in a straight line, which no segment has to be cut in: it ends at a
// block's end, a barrier, a clock read, an ordered access. Lowered instructions [begin, end) stand for it, in
// the order in which they issue; their `from` lies in it.
struct LoweredRegion {
  u32 first = 0, count = 0;
  u32 begin = 0, end = 0;
  // The body of a branch that the assembler would replace by guards: the branch is no instruction. Where all
  // lanes of the warp pass it by, its instructions are issued with no lanes.
  bool predicated = false;
  // A loop's turn, of which so many follow each other in the machine's code: results of memory are waited for
  // in every n-th one.
  u8 unrolled = 1;

  bool operator==(const LoweredRegion&) const = default;
};

// What the core issues with no lanes beside a PTX branch without an instruction of its own. A branch has gone
// one way whole if the segment that follows it begins with the lanes that the branch had.
struct LoweredBranch {
  u32 branch = 0;                 // PTX instruction
  std::vector<u32> if_taken;      // regions, when all lanes take it
  std::vector<u32> if_not_taken;  // when none does

  bool operator==(const LoweredBranch&) const = default;
};

// PTX instructions [first, first + count) within a region that have a guard in place of the branch in front
// of them: lanes, or all of the warp's, pass them by and go on behind them.
struct LoweredGuarded {
  u32 first = 0, count = 0;

  bool operator==(const LoweredGuarded&) const = default;
};

struct LoweredProgram {
  std::string kernel;
  std::string target;                  // "sm_80"
  std::vector<LoweredRegion> regions;  // of the kernel and of what it calls, ascending by `first`
  std::vector<LoweredInstruction> instructions;
  std::vector<LoweredBranch> branches;  // ascending by `branch`
  std::vector<LoweredGuarded> guarded;  // ascending by `first`
  u32 registers = 0;                    // general, per thread, as allocated before rounding to granules
  u32 uniform_registers = 0, predicates = 0;
  u32 spilled_bytes = 0;  // per thread: what did not fit the registers
  // With what is hardly ever executed and is no instruction here: the slow paths of division and the like.
  u64 code_bytes = 0;

  // Size of an instruction's word from Volta on, and so the distance of two addresses.
  static constexpr u32 word_bytes = 16;

  bool operator==(const LoweredProgram&) const = default;
};

// The region that holds the PTX instruction; no_region where it is none of the kernel's.
inline constexpr u32 no_region = ~u32{0};
u32 region_of(const LoweredProgram& program, u32 instruction);

}  // namespace lockstep
