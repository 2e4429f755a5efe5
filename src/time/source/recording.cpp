#include "time/source/recording.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr u32 has_accesses = 1 << 3, same_masks = 1 << 4, has_slow_ways = 1 << 5;
constexpr u32 lanes_of_instruction = 1 << 7;

constexpr std::size_t most_of_number = 10;

void put(u8*& at, u64 value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<u8>(value | 0x80);
  *at++ = static_cast<u8>(value);
}
void put_signed(u8*& at, u64 difference) {
  put(at, (difference << 1) ^ (0 - (difference >> 63)));
}
void put_mask(u8*& at, u64 mask) {
  std::memcpy(at, &mask, sizeof(mask));
  at += sizeof(mask);
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

template <class T>
void put_offsets(u8*& at, std::span<const u64> addresses, u64 least, u32 shift) {
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const T offset = static_cast<T>((addresses[i] - least) >> shift);
    std::memcpy(at + i * sizeof(T), &offset, sizeof(T));
  }
  at += addresses.size() * sizeof(T);
}
template <class T>
void take_offsets(const u8*& at, std::span<u64> addresses, u64 least, u32 shift) {
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    T offset = 0;
    std::memcpy(&offset, at + i * sizeof(T), sizeof(T));
    addresses[i] = least + (u64{offset} << shift);
  }
  at += addresses.size() * sizeof(T);
}

// All of one width: addresses that follow no pattern have no short differences either, and which are is a
// branch that the host cannot foresee.
void put_list(u8*& at, const SegmentAccess& access, const Segment& segment) {
  const std::span<const u64> addresses(segment.addresses.data() + access.list,
                                       static_cast<std::size_t>(std::popcount(access.lanes)));
  u64 least = ~u64{0};
  for (const u64 address : addresses) least = std::min(least, address);
  u64 bits = 0;
  for (const u64 address : addresses) bits |= address - least;
  const u32 shift = bits == 0 ? 0 : static_cast<u32>(std::countr_zero(bits));
  const u32 used = static_cast<u32>(std::bit_width(bits >> shift));
  const u32 width = used <= 8 ? 0 : used <= 16 ? 1 : used <= 32 ? 2 : 3;
  put_signed(at, least - access.base);
  *at++ = static_cast<u8>(shift << 2 | width);
  switch (width) {
    case 0:
      return put_offsets<u8>(at, addresses, least, shift);
    case 1:
      return put_offsets<u16>(at, addresses, least, shift);
    case 2:
      return put_offsets<u32>(at, addresses, least, shift);
    default:
      return put_offsets<u64>(at, addresses, least, shift);
  }
}

void take_list(const u8*& at, SegmentAccess& access, Segment& segment) {
  access.list = static_cast<u32>(segment.addresses.size());
  segment.addresses.resize(access.list + static_cast<std::size_t>(std::popcount(access.lanes)));
  const std::span<u64> addresses = std::span(segment.addresses).subspan(access.list);
  const u64 least = access.base + take_signed(at);
  const u32 form = *at++, shift = form >> 2;
  switch (form & 3) {
    case 0:
      return take_offsets<u8>(at, addresses, least, shift);
    case 1:
      return take_offsets<u16>(at, addresses, least, shift);
    case 2:
      return take_offsets<u32>(at, addresses, least, shift);
    default:
      return take_offsets<u64>(at, addresses, least, shift);
  }
}

// Of a piece.
std::size_t most_bytes(const Segment& segment) {
  constexpr std::size_t head = 6 * most_of_number, run = 2 * most_of_number + sizeof(u64),
                        access = 4 * most_of_number + 3 + sizeof(u64);
  return head + segment.count * run + segment.accesses.size() * access +
         segment.addresses.size() * sizeof(u64) + segment.slow_ways.size() * (most_of_number + sizeof(u64));
}

u64 difference(u32 a, u32 b) {
  return static_cast<u64>(i64{a} - i64{b});
}

}  // namespace

void PieceWriter::write(const Segment& segment, std::vector<u8>& out) {
  // First where there is room for the longest, so that no number asks whether it fits, and what is there is
  // in the host's nearest cache.
  std::array<u8, 2048> near;
  std::vector<u8> far;
  u8* room = near.data();
  if (const std::size_t most = most_bytes(segment); most > near.size()) {
    far.resize(most);
    room = far.data();
  }
  u8* at = room;
  write(segment, at);
  out.insert(out.end(), room, at);
}

void PieceWriter::write(const Segment& segment, u8*& at) {
  bool same = true;
  for (const u64 mask : segment.active) same = same && mask == mask_;
  put(at, static_cast<u32>(segment.end) | (segment.accesses.empty() ? 0 : has_accesses) |
              (same ? same_masks : 0) | (segment.slow_ways.empty() ? 0 : has_slow_ways));
  put_signed(at, difference(segment.first, end_));
  put(at, segment.count);
  put_signed(at, difference(segment.next_pc, segment.first + segment.count));
  end_ = segment.next_pc;
  if (!same) {
    for (u32 i = 0; i < segment.count;) {
      const u64 mask = segment.active[i];
      u32 run = 1;
      while (i + run < segment.count && segment.active[i + run] == mask) ++run;
      put(at, run);
      put(at, mask == mask_ ? 0 : 1);
      if (mask != mask_) put_mask(at, mask);
      mask_ = mask;
      i += run;
    }
  }
  u32 instruction = 0;
  if (!segment.accesses.empty()) put(at, segment.accesses.size());
  for (const SegmentAccess& access : segment.accesses) {
    put(at, access.instruction - instruction);
    instruction = access.instruction;
    const bool whole = access.lanes == segment.active[instruction];
    *at++ = static_cast<u8>(static_cast<u32>(access.space) | static_cast<u32>(access.kind) << 3 |
                            static_cast<u32>(access.pattern) << 5 | (whole ? lanes_of_instruction : 0));
    *at++ = access.bytes;
    if (!whole) put_mask(at, access.lanes);
    put_signed(at, access.base - base_);
    base_ = access.base;
    if (access.pattern == Pattern::strided) put_signed(at, static_cast<u64>(access.stride));
    if (access.pattern == Pattern::list) put_list(at, access, segment);
  }
  if (segment.slow_ways.empty()) return;
  put(at, segment.slow_ways.size());
  instruction = 0;
  for (const SegmentSlowWay& slow : segment.slow_ways) {
    put(at, slow.instruction - instruction);
    instruction = slow.instruction;
    put_mask(at, slow.lanes);
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
      if (access.pattern == Pattern::list) take_list(at_, access, segment);
    }
  }
  if ((head & has_slow_ways) != 0) {
    u32 instruction = 0;
    for (u64 count = take(at_); count != 0; --count) {
      instruction += static_cast<u32>(take(at_));
      segment.slow_ways.push_back({instruction, take_mask(at_)});
    }
  }
  LOCKSTEP_ASSERT(at_ <= end_of_bytes_, "a wave's pieces end with its bytes");
  return true;
}

}  // namespace lockstep
