// Who touched a memory last: for each dword, or each byte where bytes of a dword are reached apart, the last
// write and up to two reads behind it that nothing orders. Pages exist once touched, at most so many at a
// time: then the oldest is forgotten.
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "exec/check/clock.h"

namespace lockstep::check {

// One access, 12 bytes.
struct Touch {
  u32 wave = 0;  // its number in the launch and 1; 0: nobody
  u32 clock = 0;
  u32 packed = 0;  // the instruction, 24 bits; the lane, 6; two flags

  static constexpr u32 atomic = 1;
  // Of a write: it may be an atomic store, which the machine code does not show. Of a read: several lanes.
  static constexpr u32 unsure = 2;
  static constexpr u32 most_instructions = 1u << 24;

  static Touch make(const WaveClock& by, u32 instruction, u32 lane, u32 flags) {
    return {by.wave + 1, by.clock, instruction << 8 | lane << 2 | flags};
  }
  bool exists() const { return wave != 0; }
  u32 wave_number() const { return wave - 1; }
  u32 instruction() const { return packed >> 8; }
  u32 lane() const { return (packed >> 2) & 63; }
  bool has(u32 flag) const { return (packed & flag) != 0; }
  Stamp stamp() const { return {wave - 1, clock}; }
};

struct RaceCell {
  Touch write;
  std::array<Touch, 2> read;
};

class RaceShadow {
 public:
  static constexpr u64 page_bytes = 1024;

  // At most so many bytes of its own, a page at least.
  explicit RaceShadow(u64 most_bytes) : most_bytes_(most_bytes) {}

  // The cells of one page, for bytes [offset, offset + bytes) of it: one for each dword or for each byte.
  struct Page {
    std::vector<RaceCell> cells;
    bool by_byte() const { return cells.size() == page_bytes; }
  };
  // Offsets count from the memory's beginning.
  Page& page(u64 offset) {
    const u64 number = offset / page_bytes;
    if (number == last_number_ && last_ != nullptr) return *last_;
    return find(number);
  }
  // The cells of `bytes` bytes at the offset, which lie in one page; the page goes over to bytes where they
  // are no whole dwords.
  std::span<RaceCell> cells(u64 offset, u32 bytes) {
    Page& at = page(offset);
    const u64 within = offset % page_bytes;
    if (!at.by_byte()) {
      if (((within | bytes) & 3) == 0) return std::span(at.cells).subspan(within / 4, bytes / 4);
      split(at);
    }
    return std::span(at.cells).subspan(within, bytes);
  }
  void clear();
  u64 forgotten_pages() const { return forgotten_; }

 private:
  static constexpr u64 chunk_pages = 1024;
  using Chunk = std::array<std::unique_ptr<Page>, chunk_pages>;

  Page& find(u64 number);
  void split(Page& page);
  void make_room();

  u64 most_bytes_;
  u64 bytes_ = 0;
  u64 forgotten_ = 0;
  u64 last_number_ = ~u64{0};
  Page* last_ = nullptr;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::deque<u64> order_;  // page numbers, the oldest first
};

}  // namespace lockstep::check
