// AMD's encoding families, and what the decoder promises the semantics of each about operands.
#pragma once
#include "base/types.h"
#include "isa/instruction.h"

namespace lockstep::amd {

enum class Format : u8 {
  none,
  sop1,
  sop2,
  sopk,
  sopc,
  sopp,
  smem,
  vop1,
  vop2,
  vop3,
  vopc,
  vop3p,
  ds,
  flat,
  global,
  scratch,
  mubuf,
  mtbuf,
  mimg,
  exp,
  vopd
};

// Memory instructions, whatever the order in the text:
//   operand[0]  result: the loaded data, or the old value of a returning atomic
//   operand[1]  address registers: 64-bit vector address (flat, global without scalar base), 32-bit vector
//   offset (global
//               with scalar base, scratch, ds), vaddr of buffers (index then offset), coordinates of images;
//               none where the text says "off"
//   operand[2]  data to store or combine; compare-and-swap: source in the first register(s), comparand behind
//   operand[3]  scalar base: saddr (64 bits), the buffer's or image's resource (128 or 256 bits), sbase of
//   scalar loads;
//               none where absent
//   operand[4]  soffset of buffers and of scalar loads; samplers of images; none where absent
//   operand[5]  second data of ds_write2 and of other instructions with two data operands
//   offset, flags (returns, high_half), amd.memory, policy
// Scalar memory: operand[0] the result or the data to store.
//
// Waits: operand[1] holds the counts as `WaitCounts` packs them. Branches: Instruction::target is the index
// of the target instruction. SOPK and SOPP immediates: Instruction::offset, sign-extended from 16 bits.
//
// Instruction::detail of
//   DS with two places     the second one's offset, bytes
//   typed buffers          the data format in bits 3:0, the number format in 6:4
//   images                 the data mask in bits 3:0 and the bits below
//   MFMA and SWMMAC        CBSZ in bits 2:0, ABID in 6:3, BLGP in 9:7; the index set (RDNA)
//   permlane16 and its like what isa/lane_permutation.h says, which their encodings have in op_sel's place

// Images.
inline constexpr u32 image_unnormalized = 1 << 4, image_array = 1 << 5, image_halves = 1 << 6,
                     image_short_address = 1 << 7, image_half_descriptor = 1 << 8;
// With image_halves: each in a register of its own (gfx8).
inline constexpr u32 image_apart = 1 << 10;
// Coordinates in registers that do not follow each other (RDNA): operand[1] is the first one, its value holds
// the rows of all, a byte each.
inline constexpr u32 image_scattered = 1 << 9, image_scattered_count = 12 /* bits 15:12 */,
                     most_scattered = 8;

// The most operations of each kind that may be outstanding; 0xFF: not waited for. Up to gfx11 one counter
// (lgkm) serves local memory, scalar memory and messages: `local`; and one (vm) loads, samples and, up to
// gfx9, stores.
struct WaitCounts {
  u8 vector = 0xFF;    // vmcnt, loadcnt
  u8 local = 0xFF;     // lgkmcnt, dscnt
  u8 exported = 0xFF;  // expcnt
  u8 stores = 0xFF;    // vscnt, storecnt (RDNA)
  u8 samples = 0xFF;   // samplecnt (gfx12)
  u8 rays = 0xFF;      // bvhcnt (gfx12)
  u8 scalar = 0xFF;    // kmcnt: scalar memory and messages (gfx12)

  void pack(Instruction& into) const {
    into.operand[1].kind = OperandKind::immediate;
    into.operand[1].value = vector | u64{local} << 8 | u64{exported} << 16 | u64{stores} << 24 |
                            u64{samples} << 32 | u64{rays} << 40 | u64{scalar} << 48;
  }
  static WaitCounts unpack(const Instruction& from) {
    const u64 counts = from.operand[1].value;
    const auto count = [&](u32 number) { return static_cast<u8>(counts >> (8 * number)); };
    return {count(0), count(1), count(2), count(3), count(4), count(5), count(6)};
  }
};

}  // namespace lockstep::amd
