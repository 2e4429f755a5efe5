// What the waves of one launch did, to be timed again with other figures and without executing anything. Kept
// in memory only.
//
// The bytes of a wave are pieces, one for each segment that the recorder saw, in order; numbers are
// little-endian base 128 (7 bits a byte, the highest bit says that more follow), signed ones zigzag:
//   head        bits 2:0 Event, bit 3: accesses follow, bit 4: the masks are all the one before, bit 5:
//               slow ways follow
//   first       signed, less the end of the piece before (where that led, its next_pc)
//   count       instructions
//   next_pc     signed, less first + count
//   masks       unless bit 4 of head: runs of (instructions, mask); a mask is 0 for the one before the run,
//   else
//               1 and 8 bytes
//   accesses    if bit 3 of head: how many, then each:
//     instruction   less that of the access before
//     shape         bits 2:0 Space, 4:3 AccessKind, 6:5 Pattern, 7: the lanes are the instruction's
//     bytes         one byte
//     lanes         unless bit 7 of shape: 8 bytes
//     base          signed, less the base of the access before (of the wave)
//     stride        strided: signed
//     addresses     list: the least one, signed, less base; one byte, bits 1:0 w, 7:2 s; each less the least,
//                   shifted right by s, little-endian, in 1 << w bytes
//   slow ways   if bit 5 of head: how many, then each: instruction, less that of the one before; lanes, 8
//   bytes
#pragma once
#include <string>
#include <vector>

#include "base/types.h"
#include "time/source/segment.h"

namespace lockstep {

struct Recording {
  static constexpr u32 current_version = 3;
  u32 version = current_version;
  std::string program_hash;  // Module::hash
  std::string kernel;
  u64 groups = 0;
  u32 waves_per_group = 0;
  std::vector<std::vector<u8>> waves;  // by group * waves_per_group + wave
  u64 bytes = 0;
  u64 instructions = 0;
  // What waves did may depend on when: a clock, or what an ordered access found, reached an address or the
  // control flow, or the order of accesses shows in what they left for others to read. With other figures the
  // launch must be executed again.
  bool timing_dependent = false;
};

// Appends pieces to a wave's bytes.
class PieceWriter {
 public:
  void write(const Segment& segment, std::vector<u8>& out);

 private:
  void write(const Segment& segment, u8*& at);

  u32 end_ = 0;
  u64 mask_ = 0, base_ = 0;
};

// Reads them back.
class PieceReader {
 public:
  PieceReader() = default;
  explicit PieceReader(const std::vector<u8>& bytes) : at_(bytes.data()), end_of_bytes_(at_ + bytes.size()) {}
  // False at the end. `segment` is cleared before.
  bool read(Segment& segment);

 private:
  const u8* at_ = nullptr;
  const u8* end_of_bytes_ = nullptr;
  u32 end_ = 0;
  u64 mask_ = 0, base_ = 0;
};

}  // namespace lockstep
