// One decoded instruction: plain data that a semantic's run function and the timing model read. Decoded once
// per program; nothing of the text is looked at again.
#pragma once
#include <array>

#include "base/types.h"
#include "isa/access_policy.h"
#include "isa/cost.h"

namespace lockstep {

struct Instruction;
struct Semantic;
struct StepContext;
struct WaveState;

// Executes one instruction on one wave. The wave's program counter already points behind it.
using RunFunction = void (*)(WaveState&, const Instruction&, StepContext&);

enum class OperandKind : u8 {
  none,
  vector,     // a row of lanes
  scalar,     // one value for the whole wave; on AMD by the hardware's numbering (VCC 106, M0 124, EXEC 126)
  immediate,  // inline constant or literal, already widened to the operand's type
  derived,    // made from the wave's state when it is read: `index` is a Derived
};

// What OperandKind::derived stands for: AMD's SRC_VCCZ, SRC_EXECZ, SRC_SCC and LDS_DIRECT.
enum class Derived : u8 { vcc_is_zero, exec_is_zero, scc, local_word };

// Which part of a 32-bit register an operand is (SDWA's selects; op_sel uses word0 and word1).
enum class Part : u8 { dword, byte0, byte1, byte2, byte3, word0, word1 };

struct Operand {
  // Bits of `modifiers`.
  static constexpr u8 negate = 1, absolute = 2, sign_extend = 4, permuted = 8 /* DPP */;

  OperandKind kind = OperandKind::none;
  u8 registers = 1;  // 32-bit registers that it spans
  u8 modifiers = 0;
  Part part = Part::dword;
  u32 index = 0;  // the first register: vector row or scalar number
  u64 value = 0;  // immediates only

  bool plain() const { return modifiers == 0 && part == Part::dword; }
};

// How a memory instruction's address is made.
enum class Addressing : u8 {
  none,
  global,
  flat,
  scratch,
  buffer,
  typed_buffer,
  local,
  scalar,
  image,
  generic
};

namespace amd {
enum class Format : u8;
}
namespace nv {
enum class Base : u8;
}

// What only AMD's encodings say.
struct AmdFields {
  // Bits of `memory`.
  static constexpr u8 offen = 1 << 0;        // buffer: offset from a vector register
  static constexpr u8 idxen = 1 << 1;        // buffer: index from a vector register
  static constexpr u8 addr64 = 1 << 2;       // buffer: a 64-bit offset from two vector registers (gfx6, gfx7)
  static constexpr u8 tfe = 1 << 3;          // the status of partially resident memory
  static constexpr u8 lds_direct = 1 << 4;   // buffer load straight into local memory
  static constexpr u8 gds = 1 << 5;          // global data share
  static constexpr u8 local_limit = 1 << 6;  // local memory ends at M0 (gfx6 to gfx8)

  u32 lane_control = 0;     // DPP: control, masks and bound control as isa/lane_permutation.h packs them
  u8 packed_select = 0;     // VOP3P: op_sel in bits 3:0, op_sel_hi in bits 6:4
  u8 packed_negate = 0;     // VOP3P: neg_lo in bits 2:0, neg_hi in bits 6:4
  u8 output_scale = 0;      // omod: 0 none, 1 times 2, 2 times 4, 3 divided by 2
  Part result_part = {};    // SDWA dst_sel
  u8 result_unused = 0;     // SDWA dst_unused: 0 zero, 1 sign-extend, 2 preserve
  u8 memory = 0;            // of memory instructions
  amd::Format format = {};  // the encoding family
};

// What only PTX says.
struct NvFields {
  u8 written_operands = 0;          // bit i for operand[i]; the other operands are read
  nv::Base base = {};               // memory: what is added to the address
  nv::Base source_base = {};        // cp.async: the same of the address that is read
  bool call_parameter : 1 = false;  // memory: .param of a function that is called
  bool of_floats : 1 = false;       // the opcode's type is a float's
};

// What every ISA says stands in the record itself, what one alone says in its own part: every field has one
// meaning.
struct Instruction {
  static constexpr std::size_t most_operands = 6;

  // Bits of `flags`.
  static constexpr u16 clamp = 1 << 0;
  static constexpr u16 partial_write =
      1 << 1;  // SDWA destination select or DPP masks: commit takes the slow way
  static constexpr u16 merge_mask = 1 << 2;  // a mask result keeps the bits of inactive lanes (NVIDIA)
  static constexpr u16 returns = 1 << 3;     // an atomic that gives the old value
  static constexpr u16 high_half = 1 << 4;   // the data is the upper half of the register (d16_hi)
  static constexpr u16 also_exec = 1 << 5;   // a mask result goes to EXEC as well (v_cmpx before RDNA)

  RunFunction run = nullptr;
  const Semantic* meaning = nullptr;
  u64 address = 0;  // of the encoding in the module's image, bytes
  u32 target = 0;   // branch target: instruction index
  i32 offset = 0;   // immediate offset of memory instructions, bytes; simm16 of scalar ones
  u32 detail = 0;  // what its kind of instruction alone has (a second offset, a matrix's form), packed as the
                   // ISA's room says: isa/amd/format.h; isa/nv/memory.h, barriers.h, image.h, matrix.h
  u32 line = 0;    // index into the module's source positions; 0 = unknown
  // The scalar or mask register by which lanes execute it: PTX's @p, VLIW's PredicateBit.
  u32 guard_register = 0;
  AmdFields amd;
  NvFields nv;
  u16 flags = 0;
  u8 size = 0;   // of the encoding, bytes
  u8 guard = 0;  // 0 unguarded, 1 lanes whose bit is set, 2 those whose bit is clear
  u8 slots = 1;  // instructions of one packet (VOPD, VLIW group): all read before any writes
  Cost cost = Cost::nop;
  Addressing addressing = Addressing::none;
  AccessPolicy policy;                           // of memory accesses, fences and waits
  std::array<Operand, most_operands> operand{};  // the order is the semantic's; see isa/semantic.h
};
// A step reads one of these, and often nothing else that is new to the host's caches.
static_assert(sizeof(Instruction) <= 168);

}  // namespace lockstep
