#include "time/source/recording.h"

#include <bit>
#include <cstring>

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr u32 has_accesses = 1 << 3, same_masks = 1 << 4;
constexpr u32 lanes_of_instruction = 1 << 7;

void put(std::vector<u8>& out, u64 value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<u8>(value | 0x80));
  out.push_back(static_cast<u8>(value));
}
void put_signed(std::vector<u8>& out, u64 difference) {
  put(out, (difference << 1) ^ (0 - (difference >> 63)));
}
void put_mask(std::vector<u8>& out, u64 mask) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(mask));
  std::memcpy(out.data() + at, &mask, sizeof(mask));
}

u64 take(const u8*& at) {
  u64 value = 0;
  u32 shift = 0;
  for (;; shift += 7) {
    const u8 byte = *at++;
    value |= u64{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
}
u64 take_signed(const u8*& at) {
  const u64 value = take(at);
  return (value >> 1) ^ (0 - (value & 1));
}
u64 take_mask(const u8*& at) {
  u64 mask = 0;
  std::memcpy(&mask, at, sizeof(mask));
  at += sizeof(mask);
  return mask;
}

u64 difference(u32 a, u32 b) {
  return static_cast<u64>(i64{a} - i64{b});
}

}  // namespace

void PieceWriter::write(const Segment& segment, std::vector<u8>& out) {
  bool same = true;
  for (const u64 mask : segment.active) same = same && mask == mask_;
  put(out, static_cast<u32>(segment.end) | (segment.accesses.empty() ? 0 : has_accesses) |
               (same ? same_masks : 0));
  put_signed(out, difference(segment.first, end_));
  put(out, segment.count);
  put_signed(out, difference(segment.next_pc, segment.first + segment.count));
  end_ = segment.next_pc;
  if (!same) {
    for (u32 i = 0; i < segment.count;) {
      const u64 mask = segment.active[i];
      u32 run = 1;
      while (i + run < segment.count && segment.active[i + run] == mask) ++run;
      put(out, run);
      put(out, mask == mask_ ? 0 : 1);
      if (mask != mask_) put_mask(out, mask);
      mask_ = mask;
      i += run;
    }
  }
  if (segment.accesses.empty()) return;
  put(out, segment.accesses.size());
  u32 instruction = 0;
  for (const SegmentAccess& access : segment.accesses) {
    put(out, access.instruction - instruction);
    instruction = access.instruction;
    const bool whole = access.lanes == segment.active[instruction];
    out.push_back(static_cast<u8>(static_cast<u32>(access.space) | static_cast<u32>(access.kind) << 3 |
                                  static_cast<u32>(access.pattern) << 5 |
                                  (whole ? lanes_of_instruction : 0)));
    out.push_back(access.bytes);
    if (!whole) put_mask(out, access.lanes);
    put_signed(out, access.base - base_);
    base_ = access.base;
    if (access.pattern == Pattern::strided) put_signed(out, static_cast<u64>(access.stride));
    if (access.pattern != Pattern::list) continue;
    u64 before = access.base;
    const u32 count = static_cast<u32>(std::popcount(access.lanes));
    for (u32 i = 0; i < count; ++i) {
      const u64 address = segment.addresses[access.list + i];
      put_signed(out, address - before);
      before = address;
    }
  }
}

bool PieceReader::read(Segment& segment) {
  segment.clear();
  if (at_ == end_of_bytes_) return false;
  const u32 head = static_cast<u32>(take(at_));
  segment.end = static_cast<Event>(head & 7);
  segment.first = end_ + static_cast<u32>(take_signed(at_));
  segment.count = static_cast<u32>(take(at_));
  segment.next_pc = segment.first + segment.count + static_cast<u32>(take_signed(at_));
  end_ = segment.next_pc;
  if ((head & same_masks) != 0) {
    segment.active.assign(segment.count, mask_);
  } else {
    while (segment.active.size() < segment.count) {
      const u64 run = take(at_);
      if (take(at_) != 0) mask_ = take_mask(at_);
      segment.active.insert(segment.active.end(), run, mask_);
    }
  }
  if ((head & has_accesses) != 0) {
    u32 instruction = 0;
    for (u64 count = take(at_); count != 0; --count) {
      SegmentAccess& access = segment.accesses.emplace_back();
      instruction += static_cast<u32>(take(at_));
      access.instruction = instruction;
      const u32 shape = *at_++;
      access.space = static_cast<Space>(shape & 7);
      access.kind = static_cast<AccessKind>(shape >> 3 & 3);
      access.pattern = static_cast<Pattern>(shape >> 5 & 3);
      access.bytes = *at_++;
      access.lanes =
          (shape & lanes_of_instruction) != 0 ? segment.active[access.instruction] : take_mask(at_);
      base_ += take_signed(at_);
      access.base = base_;
      if (access.pattern == Pattern::strided) access.stride = static_cast<i64>(take_signed(at_));
      if (access.pattern != Pattern::list) continue;
      access.list = static_cast<u32>(segment.addresses.size());
      u64 address = access.base;
      for (u64 lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
        address += take_signed(at_);
        segment.addresses.push_back(address);
      }
    }
  }
  LOCKSTEP_ASSERT(at_ <= end_of_bytes_, "a wave's pieces end with its bytes");
  return true;
}

}  // namespace lockstep
