// Who touched a memory last: for each byte the last plain write, up to two plain reads and up to two atomics
// that nothing orders. Of each sort its own: an atomic behind a plain store of the same wave says nothing to
// another wave's atomic, which the store races with all the same.
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

// What an access is to others.
enum class Sort : u8 {
  read,
  write,
  atomic_load,  // and compare-exchanges that fail
  atomic,       // writes
  unsure,       // a store that may be an atomic one, which the machine code does not show
};

// The sorts that one races with if nothing orders the two, a bit each.
constexpr u32 bit_of(Sort sort) {
  return 1u << static_cast<u32>(sort);
}
inline constexpr std::array<u32, 5> all_rivals = [] {
  constexpr u32 read = bit_of(Sort::read), write = bit_of(Sort::write), unsure = bit_of(Sort::unsure);
  return std::array<u32, 5>{write | bit_of(Sort::atomic) | unsure, ~0u, write, read | write,
                            read | write | unsure};
}();
constexpr u32 rivals(Sort sort) {
  return all_rivals[static_cast<u32>(sort)];
}
constexpr bool race(Sort a, Sort b) {
  return (rivals(a) & bit_of(b)) != 0;
}
// Whether an access makes an earlier one that comes before it superfluous: what races with the earlier one
// races with it as well.
constexpr bool covers(Sort now, Sort before) {
  return (rivals(before) & ~rivals(now)) == 0;
}

// One access, 12 bytes.
struct Touch {
  u32 wave = 0;  // its number in the launch and 1; 0: nobody
  u32 clock = 0;
  u32 packed = 0;  // the instruction, 24 bits; the lane, 6; two bits of the sort

  static constexpr u32 most_instructions = 1u << 24;

  // Plain reads and writes are told apart by where they are kept.
  static constexpr u32 bits_of(Sort sort) {
    return sort >= Sort::atomic_load ? static_cast<u32>(sort) - 1 : 0;
  }
  static Touch make(const WaveClock& by, u32 instruction, u32 lane, Sort sort) {
    return {by.wave + 1, by.clock, instruction << 8 | lane << 2 | bits_of(sort)};
  }
  bool exists() const { return wave != 0; }
  u32 wave_number() const { return wave - 1; }
  u32 instruction() const { return packed >> 8; }
  u32 lane() const { return (packed >> 2) & 63; }
  // Of one that is kept among the atomics.
  Sort atomic_sort() const { return static_cast<Sort>((packed & 3) + 1); }
  Stamp stamp() const { return {wave - 1, clock}; }
};

struct RaceCell {
  Touch write;
  std::array<Touch, 2> read;
  std::array<Touch, 2> atomic;
};

// One instruction's access to bytes of a line, by one lane or by lanes side by side; 24 bytes. Without
// initial values, so that a page of them is made by clearing memory.
struct LineTouch {
  enum class Kind : u8 { touch, dword_cells, byte_cells };

  u64 bytes;  // of the line, a bit each; none: no touch
  u64 who;    // a Touch's wave, and its clock above
  // From the lowest bit: a Touch's packed, with lane 0; 16 bits, the lane, or of lanes side by side how many
  // bytes of theirs lie before the line; 8 bits, of lanes side by side each one's bytes, 0 for one lane; 4
  // bits, the sort; 4 bits, the kind.
  u64 what;

  static u64 who_of(u32 wave, u32 clock) { return wave | u64{clock} << 32; }
  static u64 what_of(u32 packed, i32 start, u32 lane_bytes, Sort sort, Kind kind = Kind::touch) {
    return packed | u64{static_cast<u16>(start)} << 32 | u64{lane_bytes} << 48 |
           u64{static_cast<u8>(sort)} << 56 | u64{static_cast<u8>(kind)} << 60;
  }
  Kind kind() const { return static_cast<Kind>(what >> 60); }
  Sort sort() const { return static_cast<Sort>((what >> 56) & 15); }
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
    touches[0].what = LineTouch::what_of(0, 0, 0, Sort::read, kind);
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
  // The last unsure store to a byte; nobody's where there is none.
  Touch unsure_at(u64 offset) const;
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
