// Who touched a memory last: for each byte the last write and up to two reads behind it that nothing orders.
//
// Most lines of 64 bytes are reached by few instructions, and by lanes side by side: a line keeps four such
// touches, each with the bytes that it concerns. Lines where that is not enough keep a cell for each dword,
// or for each byte where bytes of a dword are reached apart. Pages exist once touched, at most so many at a
// time: then the oldest is forgotten.
#pragma once
#include <array>
#include <bit>
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
  // Of a write: it may be an atomic store, which the machine code does not show.
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

// One instruction's access to bytes of a line, by one lane or by lanes side by side; 24 bytes. Without
// initial values, so that a page of them is made by clearing memory.
struct LineTouch {
  enum class Kind : u8 { read, write, dword_cells, byte_cells };

  u64 bytes;  // of the line, a bit each; none: no touch
  u64 who;    // a Touch's wave, and its clock above
  // From the lowest bit: a Touch's packed, with lane 0; 16 bits, the lane, or of lanes side by side how many
  // bytes of theirs lie before the line; 8 bits, of lanes side by side each one's bytes, 0 for one lane; the
  // kind.
  u64 what;

  static u64 who_of(u32 wave, u32 clock) { return wave | u64{clock} << 32; }
  static u64 what_of(u32 packed, i32 start, u32 lane_bytes, Kind kind) {
    return packed | u64{static_cast<u16>(start)} << 32 | u64{lane_bytes} << 48 |
           u64{static_cast<u8>(kind)} << 56;
  }
  Kind kind() const { return static_cast<Kind>(what >> 56); }
  u32 wave() const { return static_cast<u32>(who); }
  u32 wave_number() const { return wave() - 1; }
  u32 clock() const { return static_cast<u32>(who >> 32); }
  u32 packed() const { return static_cast<u32>(what); }
  Touch at(u32 byte) const {
    const i32 start = static_cast<i16>(what >> 32);
    const u32 lane_bytes = static_cast<u8>(what >> 48);
    const u32 lane = lane_bytes == 0 ? static_cast<u32>(start)
                                     : static_cast<u32>(start + static_cast<i32>(byte)) / lane_bytes;
    return {wave(), clock(), packed() | lane << 2};
  }
};

struct RaceLine {
  static constexpr u32 bytes = 64, dwords = bytes / 4;
  std::array<LineTouch, 4> touches;

  // Of a line with cells the first touch says which.
  bool is_apart() const { return touches[0].kind() >= LineTouch::Kind::dword_cells; }
  u32 cell_bytes() const { return touches[0].kind() == LineTouch::Kind::byte_cells ? 1 : 4; }
  RaceCell* cells() const { return std::bit_cast<RaceCell*>(touches[0].bytes); }
  void set_cells(RaceCell* cells, LineTouch::Kind kind) {
    touches = {};
    touches[0].bytes = std::bit_cast<u64>(cells);
    touches[0].what = LineTouch::what_of(0, 0, 0, kind);
  }
};

class RaceShadow {
 public:
  static constexpr u64 page_bytes = 1024;
  // What a page costs beside the cells of lines that have them.
  static constexpr u64 page_cost_bytes = page_bytes / RaceLine::bytes * sizeof(RaceLine);

  // At most so many bytes of its own, a page at least.
  explicit RaceShadow(u64 most_bytes) : most_bytes_(most_bytes) {}

  // The line of the byte at the offset, which counts from the memory's beginning. Good until the next call.
  RaceLine& line(u64 offset) {
    const u64 number = offset / page_bytes;
    if (number != last_number_ || last_ == nullptr) find(number);
    return (*last_)[offset % page_bytes / RaceLine::bytes];
  }
  // Fetches what line() is going to read, where there is something.
  void prefetch(u64 offset) const {
    const u64 number = offset / page_bytes, chunk = number / chunk_pages;
    if (chunk >= chunks_.size() || chunks_[chunk] == nullptr) return;
    const Page* page = (*chunks_[chunk])[number % chunk_pages];
    if (page == nullptr) return;
    const RaceLine* line = &(*page)[offset % page_bytes / RaceLine::bytes];
    __builtin_prefetch(line, 1);
    __builtin_prefetch(reinterpret_cast<const u8*>(line) + sizeof(RaceLine) - 1, 1);
  }
  // The line gets cells from now on, instead of its touches; by byte at the latest when `reached` names bytes
  // that are no whole dwords.
  void take_apart(RaceLine& line, u64 reached) {
    if (line.is_apart() && (line.cell_bytes() == 1 || is_whole_dwords(reached))) return;
    make_cells(line, reached);
  }
  // The cells of `bytes` bytes at the offset, which lie in one line.
  std::span<RaceCell> cells(u64 offset, u32 bytes);
  // The last write of a byte; nobody's where there is none.
  Touch write_at(u64 offset) const;
  void clear();
  u64 forgotten_pages() const { return forgotten_; }

 private:
  static constexpr u64 chunk_pages = 1024;
  using Page = std::array<RaceLine, page_bytes / RaceLine::bytes>;
  using Chunk = std::array<Page*, chunk_pages>;

  static bool is_whole_dwords(u64 bytes) { return (bytes & 0x1111111111111111) * 15 == bytes; }
  void find(u64 number);
  void make_cells(RaceLine& line, u64 reached);
  RaceCell* new_cells(LineTouch::Kind kind);
  void free_cells(const RaceLine& line);
  Page* new_page();
  void drop(u64 number);
  void make_room();

  u64 most_bytes_;
  u64 bytes_ = 0;
  u64 forgotten_ = 0;
  u64 last_number_ = ~u64{0};
  Page* last_ = nullptr;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::deque<u64> order_;  // page numbers, the oldest first
  // Pages are made many at a time.
  std::vector<std::unique_ptr<Page[]>> slabs_;
  std::size_t slab_pages_ = 0, slab_left_ = 0;
  std::vector<Page*> free_pages_;
  std::vector<std::unique_ptr<RaceCell[]>> cells_;
  std::array<std::vector<RaceCell*>, 2> free_cells_;  // by dword, by byte
};

}  // namespace lockstep::check
