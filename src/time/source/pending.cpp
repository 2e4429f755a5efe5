#include "time/source/pending.h"

#include <algorithm>
#include <bit>

#include "isa/launch.h"

namespace lockstep {
namespace {

bool overlap(const RegisterRange& a, const RegisterRange& b) {
  return a.file == b.file && a.first < b.first + b.count && b.first < a.first + a.count;
}

}  // namespace

std::size_t words_of(const RegisterRange& range, const PendingResults::Use& use, u32 lanes) {
  if (range.file != RegisterFile::vector) return range.count;
  return std::size_t{range.count} * (use.vector_words != 0 ? use.vector_words : lanes);
}

PendingResults::PendingResults(const Module& module, const Program& program)
    : module_(module), program_(program) {}

const PendingResults::Use& PendingResults::use_of(u32 instruction) {
  if (index_.empty()) index_.resize(module_.code.instructions.size(), 0);
  u32& index = index_[instruction];
  if (index != 0) return uses_[index - 1];
  RegisterUse registers;
  module_.isa->register_use(program_, module_.code.instructions[instruction], registers);
  Use& use = uses_.emplace_back();
  use.indexed = registers.indexed;
  use.vector_words = registers.vector_words;
  use.first_scalar_word = registers.first_scalar_word;
  // What is written comes last, so that undoing an exchange in reverse leaves the new values with it.
  for (const bool written : {false, true}) {
    for (const RegisterRange& range : registers.ranges()) {
      if (range.written != written) continue;
      use.ranges.push_back(range);
      use.words += words_of(range, use, program_.needs.wave_lanes);
    }
  }
  index = static_cast<u32>(uses_.size());
  return use;
}

bool PendingResults::must_wait(const Wave& wave, u32 instruction, u8 bits) {
  if (wave.exclusive != 0 || (bits & advance::after_all) != 0) return true;
  if (wave.writes.empty()) return false;
  const Use& use = use_of(instruction);
  if (use.indexed) return true;
  for (const RegisterRange& range : use.ranges) {
    for (const Wave::Write& write : wave.writes) {
      if (overlap(range, write.range)) return true;
    }
  }
  return false;
}

void PendingResults::add(Wave& wave, u32 token, u32 instruction, bool exclusive) {
  for (const RegisterRange& range : use_of(instruction).ranges) {
    if (range.written) wave.writes.push_back({token, range});
  }
  ++wave.tokens;
  if (exclusive) ++wave.exclusive;
}

void PendingResults::remove(Wave& wave, u32 token, bool exclusive) {
  std::erase_if(wave.writes, [&](const Wave::Write& write) { return write.token == token; });
  --wave.tokens;
  if (exclusive) --wave.exclusive;
}

void PendingResults::Reach::add(const Access& access) {
  if (access.space == Space::local || access.space == Space::private_memory) return;
  for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const u64 address = access.address[static_cast<u32>(std::countr_zero(lanes))];
    begin = std::min(begin, address);
    end = std::max(end, address + access.bytes);
  }
}

PendingResults::Reach reach_of(const Segment& segment, u32 instruction) {
  PendingResults::Reach reach;
  Access lanes;
  for (const SegmentAccess& access : segment.accesses) {
    if (access.instruction != instruction) continue;
    expand(segment, access, lanes);
    reach.add(lanes);
  }
  return reach;
}

OrderedReach ordered_reach(const Segment& segment, u8 bits) {
  OrderedReach reach;
  reach.exclusive = (bits & advance::beyond_registers) != 0;
  for (const SegmentAccess& access : segment.accesses) {
    const bool own = access.space == Space::local || access.space == Space::private_memory;
    (own ? reach.exclusive : reach.others) = true;
  }
  return reach;
}

}  // namespace lockstep
