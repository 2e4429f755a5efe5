// Writes a wave's pieces anew, of which some instructions are left out: those that follow each other in the
// code stay together.
#pragma once
#include "time/source/recording.h"

namespace lockstep {

// All of the recording but what its waves did.
inline Recording empty_copy(const Recording& from) {
  Recording made;
  made.version = from.version;
  made.program_hash = from.program_hash;
  made.kernel = from.kernel;
  made.groups = from.groups;
  made.waves_per_group = from.waves_per_group;
  made.waves.resize(from.waves.size());
  made.instructions = from.instructions;
  made.timing_dependent = from.timing_dependent;
  return made;
}

class WaveWriter {
 public:
  explicit WaveWriter(std::vector<u8>& out) : out_(out) {}

  // The instruction `at` of a piece, in which `active` lanes take part.
  void add(const Segment& from, u32 at, u64 active) {
    const u32 instruction = from.first + at;
    if (made_.count != 0 && (closed_ || instruction != made_.first + made_.count)) flush(instruction);
    if (made_.count == 0) made_.first = instruction;
    ++made_.count;
    made_.active.push_back(active);
    for (const SegmentSlowWay& slow : from.slow_ways) {
      if (slow.instruction == at && (slow.lanes & active) != 0)
        made_.slow_ways.push_back({made_.count - 1, slow.lanes & active});
    }
    made_.next_pc = at + 1 == from.count ? from.next_pc : instruction + 1;
    made_.end = at + 1 == from.count ? from.end : Event::none;
  }
  // An access of the instruction added last, of these lanes.
  void add_access(const Segment& from, const SegmentAccess& access, u64 lanes) {
    SegmentAccess& made = made_.accesses.emplace_back(access);
    made.instruction = made_.count - 1;
    made.lanes = lanes;
    if (access.pattern != Pattern::list) return;
    made.list = static_cast<u32>(made_.addresses.size());
    u32 at = access.list;
    for (u64 rest = access.lanes; rest != 0; rest &= rest - 1, ++at) {
      if ((lanes & rest & (0 - rest)) != 0) made_.addresses.push_back(from.addresses[at]);
    }
  }
  // Behind the last instruction of a piece that has been read: a new one begins.
  void end(const Segment&) { closed_ = made_.count != 0; }
  // Behind the last piece.
  void finish() {
    if (made_.count != 0) writer_.write(made_, out_);
    made_.clear();
    closed_ = false;
  }
  // Of the instruction added last; no_instruction where there is none.
  static constexpr u32 no_instruction = ~u32{0};
  u32 last() const { return made_.count == 0 ? no_instruction : made_.first + made_.count - 1; }

 private:
  void flush(u32 next_pc) {
    made_.next_pc = next_pc;
    writer_.write(made_, out_);
    made_.clear();
    closed_ = false;
  }

  std::vector<u8>& out_;
  PieceWriter writer_;
  Segment made_;
  bool closed_ = false;
};

}  // namespace lockstep
