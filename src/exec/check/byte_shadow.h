// What is known of registers that are bytes (isa/byte_step.h): which of their bits nobody wrote.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "exec/check/origin.h"
#include "isa/byte_step.h"

namespace lockstep::check {

struct ByteShadow {
  std::vector<u8> bits;  // undefined ones, by place
  ByteUnits units;       // those that may have some
  // Where they came from, by dword; empty while all are of places that nothing wrote.
  std::vector<Origin> origins;

  void begin(u32 places) {
    bits.assign(places, 0xFF);
    origins.clear();
    units = {};
    units.add(0, places);
  }
  void define(u32 at, u32 count) { std::fill_n(bits.begin() + at, count, u8{0}); }

  // Up to eight bytes.
  u64 read(u32 at, u32 count) const {
    u64 undefined = 0;
    if (at != no_byte) std::memcpy(&undefined, bits.data() + at, count);
    return undefined;
  }
  void write(u32 at, u32 count, u64 undefined, const Origin& origin) {
    if (at == no_byte) return;
    std::memcpy(bits.data() + at, &undefined, count);
    if (undefined == 0) return;
    units.add(at, count);
    if (origins.empty()) {
      if (origin.instruction == Origin::unwritten) return;
      origins.resize(bits.size() / 4 + 1);
    }
    for (u32 dword = at / 4; dword <= (at + count - 1) / 4; ++dword) origins[dword] = origin;
  }
  // The same, and where undefined bits that are there already came from stays as it is known.
  void write_again(u32 at, u32 count, u64 undefined) {
    std::memcpy(bits.data() + at, &undefined, count);
    if (undefined != 0) units.add(at, count);
  }
  // Of the first undefined byte there.
  Origin origin(u32 at, u32 count) const {
    for (u32 i = at; i < at + count && !origins.empty(); ++i)
      if (bits[i] != 0) return origins[i / 4];
    return {};
  }

  // Of the units that an instruction may have written those that have undefined bits no more.
  void settle(const ByteUnits& written) {
    for (u32 word = 0; word < units.word.size(); ++word) {
      for (u64 rest = units.word[word] & written.word[word]; rest != 0; rest &= rest - 1) {
        const u32 bit = static_cast<u32>(std::countr_zero(rest));
        const std::size_t begin = std::size_t{ByteUnits::unit_bytes} * (64 * word + bit);
        if (begin >= bits.size()) continue;
        const std::size_t end = std::min(begin + ByteUnits::unit_bytes, bits.size());
        const auto undefined = [](u8 byte) { return byte != 0; };
        if (std::none_of(bits.begin() + static_cast<std::ptrdiff_t>(begin),
                         bits.begin() + static_cast<std::ptrdiff_t>(end), undefined))
          units.word[word] &= ~(u64{1} << bit);
      }
    }
  }
};

}  // namespace lockstep::check
