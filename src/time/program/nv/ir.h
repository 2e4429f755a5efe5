// The values of a PTX function between its instructions and the hardware's: each made once, by a node, in the
// blocks of the control-flow graph. Values are counted in 32-bit registers, as the hardware holds them.
#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "isa/nv/operation.h"
#include "isa/program.h"
#include "time/program/nv/register_levels.h"

namespace lockstep::lowering {

inline constexpr u32 none = ~u32{0};
inline constexpr u64 module_constants = u64{1} << 32;

enum class Op : u8 {
  // Without sources.
  constant,   // value
  parameter,  // value: offset in the kernel's arguments, bytes; from module_constants on in the module's
              // constants
  bank,       // a word of the launch's constants: value is a BankWord
  special,    // value: a LoweredSpecial
  symbol,     // an address known when the module is loaded
  frame,      // where the function's private memory begins
  undefined,
  // What joins values.
  phi,
  pack,  // two registers from two values
  // Integers. bits: 16, 32 or 64.
  add,
  mul,
  mul_high,
  mul_wide,
  and_,
  or_,
  xor_,
  shl,
  shr,
  funnel,  // shf: low, high, by
  min,
  max,
  abs,
  bfe,
  bfi,
  prmt,
  popc,
  clz,
  bfind,
  brev,
  div,
  rem,
  reciprocal,  // of an integer, for the divisions by it: their third source
  extend,      // of `value` bits, signed or not, to 32 bits
  zext,        // 32 to 64 bits
  sext,
  // Predicates too.
  select,   // first, second, predicate
  compare,  // value: a Compare; a third source is a predicate to combine with
  // Made by fusing.
  mad,       // first * second + third
  mad_wide,  // with a 64-bit third
  mad_high,
  add3,
  lop3,       // value: how many of its inputs count as they are; the table is not kept
  shift_add,  // (first << value) + second: LEA
  high_add,   // (first >> value) + second, the shift unsigned: LEA.HI
  // Floats. bits: 16, 32, 64; packed: two halves.
  fadd,
  fmul,
  ffma,
  fmin,
  fmax,
  fmove,  // a move that flushes, negates or takes the absolute value where no consumer does
  fdiv,
  fsqrt,
  frcp,
  math,     // transcendental approximations, by operation
  convert,  // between types, by operation
  // Others.
  move,  // takes a register of its own (a copy for a phi, a constant that no operand takes)
  vote,
  shuffle,
  match,
  reduce,
  matrix,
  other,  // by operation
  // Effects, in order.
  load,
  store,
  atomic,
  copy_async,
  fence,
  barrier,
  clock,
  call,
  call_value,  // what memory of the frame passes to and from a call
  texture,
  print,
  branch,
  exit,
  trap,
  sleep,
  warp_sync,
  nothing,
};

enum class BankWord : u8 {
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  offset_x,
  offset_y,
  offset_z,
  other
};

using Compare = nv::Comparison;

// Registers [part, part + count) of a node's value. Predicates: part 0; a second predicate result: part 8.
struct Ref {
  static constexpr u8 negate = 1, absolute = 2, complement = 4;
  static constexpr u8 upper = 32;  // of a word: the half that arithmetic of 16 bits takes
  static constexpr u8 second = 8;
  u32 node = none;
  u8 part = 0, count = 1;
  u8 modifiers = 0;
  bool operator==(const Ref&) const = default;
  auto operator<=>(const Ref&) const = default;
  Ref plain() const { return {node, part, count, 0}; }
};

struct Node {
  Op op = Op::undefined;
  u8 width = 1;  // 32-bit registers of the result; 0: none, or a predicate
  u8 bits = 32;
  bool predicate = false;  // the result is one
  bool is_signed = false;
  bool real = false;    // floating point
  bool packed = false;  // two halves of 16 bits
  bool dead = false;
  bool effect = false;
  bool uniform = false;  // the same in all lanes, and made by the uniform datapath
  bool second = false;   // has a second, predicate result that is used
  bool fused = false;    // the addresses that it is make it themselves
  u8 every = 1;          // made in every n-th turn of its loop only; 0: in none
  u8 element_bytes = 0;  // of loads and stores: of what lies in a register; 0: of none that is known
  u8 joined_bytes = 0;   // what an access that several of PTX have become moves for a lane
  u64 value = 0;
  nv::Operation operation;            // of the PTX opcode
  const Semantic* meaning = nullptr;  // its
  std::vector<Ref> in;
  Ref guard;  // of the instruction; what it leaves is then in.back()
  const Instruction* ptx = nullptr;
  u32 from = 0, block = 0;
};

struct Block {
  u32 first = 0, end = 0;  // PTX instructions
  std::vector<u32> next, before;
  std::vector<u32> nodes;  // in order, phis first
  u32 dominator = none;
  u32 loop = none;  // innermost
  u32 depth = 0;
  bool reached = false;
};

struct Loop {
  u32 header = 0, parent = none, depth = 1;
  u32 preheader = none;  // the one block before it, if there is one that leads nowhere else
  std::vector<u32> blocks;
};

struct Function {
  const Module* module = nullptr;
  u32 first = 0, end = 0;  // PTX instructions
  bool kernel = false;
  u32 capability = 0;        // 75
  u32 most_registers = 255;  // that a work-item can have beside RZ
  Residency residency;
  std::deque<Node> nodes;     // references stay good while nodes are added
  std::vector<Block> blocks;  // in the order of PTX
  std::vector<u32> order;     // reverse post-order
  std::vector<u32> block_of;  // by instruction, from `first` on
  std::vector<Loop> loops;

  Node& at(const Ref& ref) { return nodes[ref.node]; }
  const Node& at(const Ref& ref) const { return nodes[ref.node]; }
  u32 add(Node node) {
    nodes.push_back(std::move(node));
    return static_cast<u32>(nodes.size() - 1);
  }
};

// Values of one function's instructions [first, end).
Function build(const Module& module, const Program& program, u32 first, u32 end, bool kernel);

// Folds constants, moves and what PTX spells out and hardware has for nothing; narrows; merges equal values;
// drops what nobody uses.
void simplify(Function& function);
// Moves what does not change in a loop in front of it.
void hoist(Function& function);
// Moves into a loop what it alone takes and ptxas of CUDA 13 makes in each turn rather than keep it:
// comparisons with constants, and indices in bytes, which the addition that takes one shifts by itself (LEA).
void sink(Function& function);
// Marks products of which 16 bits matter, and drops masks that nobody needs then.
void halve_products(Function& function);
// Makes one access of neighbouring ones, where alignment allows.
void join_accesses(Function& function);
// Makes divisions products with reciprocals that are values of their own.
void share_reciprocals(Function& function);
// Marks what the uniform datapath makes.
void choose_uniform(Function& function);
// Puts together what one instruction does.
void fuse(Function& function);
// Makes values again, in loops and behind them, that hold registers all the way; whether there were any.
bool make_again(Function& function);

std::vector<u32> use_counts(const Function& function);
void drop_dead(Function& function);
// Puts a node at the end of a block, in front of what ends it.
void append(Function& function, u32 block, u32 number);
// Whether the node may be made anywhere where its sources are known.
bool is_pure(const Node& node);
void find_dominators(Function& function);
void find_loops(Function& function);
bool dominates(const Function& function, u32 above, u32 below);
// Whether the upper half of a register with 16 bits is known to extend them.
bool extended(const Function& function, const Ref& ref, u32 depth = 0);
bool constant_of(const Function& function, const Ref& ref, u64& value);

}  // namespace lockstep::lowering
