// Texels of an image for the lanes of an instruction: which ones each lane looks at, and what it gets of
// them, filtered or not. The ISA's room says where the lanes look and moves the bytes.
#pragma once
#include <bit>
#include <cstring>
#include <span>

#include "isa/image_descriptor.h"
#include "isa/memory_shapes.h"

namespace lockstep {

// What one lane reads: its image and, by dimension, where.
struct ImageRead {
  ImageDescriptor image;
  std::array<TexelPair, 3> axis;
  u32 dimensions = 2;  // the layer is not among them
  bool is_array = false;
  bool linear = false;
  u32 layer = 0;
  TexelComponents result{};
  std::array<f32, 4> filtered{};
};

inline constexpr u32 most_texel_bytes = 16;

// Addresses of texels by lane, of which an instruction has at most `Lanes`.
template <u32 Lanes>
struct TexelPlacesOf {
  static constexpr u32 most = Lanes;
  std::array<u64, most> address{};
  std::array<u8, most> bytes{};
  u64 lanes = 0;  // those that reach a texel

  void add(u32 lane, const ImageDescriptor& image, u64 x, u64 y, u64 z) {
    address[lane] = image.texel_address(x, y, z);
    bytes[lane] = static_cast<u8>(std::min(image.texel_bytes, most_texel_bytes));
    lanes |= u64{1} << lane;
  }
};
// Contents of texels, each lane's in a row of its own.
template <u32 Lanes>
using TexelRowsOf = std::array<u8, std::size_t{Lanes} * most_texel_bytes>;
using TexelPlaces = TexelPlacesOf<32>;
using TexelRows = TexelRowsOf<32>;

// An instruction's access to texels: the number of the access, and the wave's lane that is the first of those
// by which texels are numbered.
struct TexelAccess {
  AccessKind kind = AccessKind::load;
  u32 number = 0, first_lane = 0;
};

// Moves texels, all of one size, between memory and rows; false after a fault.
template <u32 Lanes>
bool move_texels(WaveState& wave, const Instruction& in, StepContext& context, const TexelAccess& how,
                 const TexelPlacesOf<Lanes>& places, TexelRowsOf<Lanes>& rows) {
  if (places.lanes == 0) return true;
  Access& access = memory::next_access(context, how.number % 4);
  access.space = Space::image;
  access.kind = how.kind;
  access.bytes = places.bytes[static_cast<u32>(std::countr_zero(places.lanes))];
  access.lanes = places.lanes << how.first_lane;
  memory::for_lanes(places.lanes,
                    [&](u32 lane) { access.address[how.first_lane + lane] = places.address[lane]; });
  const memory::View view = memory::global_view(context);
  if (context.checker != nullptr) context.checker->access(wave, in, access, context);
  if (context.fault.kind != FaultKind::none || !memory::check_lanes(access, view, nullptr, context))
    return false;
  if (context.look_only) return true;
  memory::for_lanes(places.lanes, [&](u32 lane) {
    u8 *row = rows.data() + std::size_t{lane} * most_texel_bytes, *texel = view.at(places.address[lane]);
    if (how.kind == AccessKind::load)
      std::memcpy(row, texel, access.bytes);
    else
      std::memcpy(texel, row, access.bytes);
  });
  return true;
}

// Exactly that texel, brought inside as the addressing mode says: -1 is outside.
inline i32 texel_at(Clamp clamp, u32 size, i64 at) {
  if (at >= 0 && at < size) return static_cast<i32>(at);
  return clamp == Clamp::last_texel ? (at < 0 ? 0 : static_cast<i32>(size - 1)) : -1;
}

// Reads what the lanes look at into their results. `move(places, rows)` fetches texels and is false after a
// fault, and so is this.
template <u32 Lanes = 32, class F>
bool read_texels(std::span<ImageRead> reads, u64 lanes, F move) {
  u32 corners = 1;
  memory::for_lanes(lanes, [&](u32 lane) {
    if (reads[lane].linear) corners = std::max(corners, 1u << reads[lane].dimensions);
  });
  for (u32 corner = 0; corner < corners; ++corner) {
    TexelPlacesOf<Lanes> places;
    std::array<f32, Lanes> weight{};
    const auto takes_part = [&](u32 lane) {
      return corner == 0 || (reads[lane].linear && corner >> reads[lane].dimensions == 0);
    };
    memory::for_lanes(lanes, [&](u32 lane) {
      const ImageRead& read = reads[lane];
      if (!takes_part(lane)) return;
      f32 part = 1;
      i32 at[3] = {0, 0, 0};
      for (u32 i = 0; i < read.dimensions; ++i) {
        const TexelPair& pair = read.axis[i];
        const bool second = ((corner >> i) & 1) != 0;
        at[i] = second ? pair.second : pair.first;
        if (read.linear) part *= static_cast<f32>(second ? pair.weight : weight_one - pair.weight) / 256.0f;
      }
      weight[lane] = part;
      if (part == 0 || at[0] < 0 || at[1] < 0 || at[2] < 0) return;
      places.add(lane, read.image, static_cast<u64>(at[0]), static_cast<u64>(at[1]),
                 read.is_array ? read.layer : static_cast<u64>(at[2]));
    });
    TexelRowsOf<Lanes> rows{};
    if (!move(places, rows)) return false;
    memory::for_lanes(lanes, [&](u32 lane) {
      if (!takes_part(lane)) return;
      ImageRead& read = reads[lane];
      TexelComponents value{};
      if (((places.lanes >> lane) & 1) != 0)
        value = unpack_texel(format_of(read.image), rows.data() + std::size_t{lane} * most_texel_bytes);
      value = selected_components(read.image, value);
      if (!read.linear) {
        read.result = value;
        return;
      }
      for (u32 i = 0; i < 4; ++i) {
        read.filtered[i] += weight[lane] * std::bit_cast<f32>(value[i]);
        read.result[i] = std::bit_cast<u32>(read.filtered[i]);
      }
    });
  }
  return true;
}

}  // namespace lockstep
