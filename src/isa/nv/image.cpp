#include "isa/nv/image.h"

#include <algorithm>
#include <cstring>

#include "isa/image_sampling.h"
#include "isa/nv/lanes.h"
#include "isa/nv/memory.h"
#include "isa/nv/splits.h"

namespace lockstep::nv {
namespace {

using namespace memory;
using memory::Place;

struct ImageMemory {
  static constexpr Shape shape = Shape::memory;
};

u64 handle_of(const WaveState& wave, u32 row, u32 lane) {
  return wave.row(row)[lane] | u64{wave.row(row + 1)[lane]} << 32;
}

// Moves texels of the lanes. Lanes may name images of different texel sizes: those of one size move together.
bool move_texels(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                 const TexelPlaces& texels, TexelRows& data) {
  for (u64 lanes = texels.lanes; lanes != 0;) {
    const u8 size = texels.bytes[static_cast<u32>(std::countr_zero(lanes))];
    u64 same = 0;
    for_lanes(lanes, [&](u32 lane) { same |= u64{texels.bytes[lane] == size} << lane; });
    lanes &= ~same;
    Places places;
    const Place& place = add_place(places, context, global_view(context), Space::image, kind, size, same);
    std::memcpy(place.access->address.data(), texels.address.data(), sizeof(texels.address));
    if (!move_lanes(wave, in, context, places, data.data(), size, most_texel_bytes, size)) return false;
  }
  return true;
}

struct Texture : ImageMemory {
  static constexpr std::string_view name = "tex";
  static constexpr std::string_view bound =
      "filtered reads: weights of 8 bits, as CUDA's programming guide has them";

  static bool prepare(const WaveState& wave, const ImageForm& form, const u32* source, StepContext& context,
                      u32 lane, ImageRead& read) {
    if (!read_image_descriptor(context, lane, handle_of(wave, source[0], lane), read.image)) return false;
    u32 next = 1, sampler = sampler_bits::clamp_to_edge;
    if (form.sampler && !read_sampler_bits(context, lane, handle_of(wave, source[next++], lane), sampler))
      return false;
    read.dimensions = dimensions_of(form.geometry);
    read.is_array = is_array(form.geometry);
    if (read.is_array)
      read.layer = std::min(wave.row(source[next++])[lane], std::max(read.image.depth, 1u) - 1);
    const u32 size[3] = {read.image.width, read.image.height, read.image.depth};
    read.linear = (sampler & sampler_bits::linear) != 0 && !form.integers;
    for (u32 i = 0; i < read.dimensions; ++i) {
      const u32 bits = wave.row(source[next++])[lane];
      if (form.integers)
        read.axis[i].first = texel_at(clamp_of(sampler), size[i], static_cast<i32>(bits));
      else
        read.axis[i] = texels_at(axis_rule(sampler, size[i], read.linear), as_f32(bits));
    }
    return true;
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const ImageForm form = ImageForm::unpack(in.detail);
    const u32* rows = ptx(wave).tables->registers[in.operand[5].value].data();
    const u32* source = rows + form.results;
    const u32 lanes = active(wave);
    std::vector<ImageRead> reads(32);
    for (u32 lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1) != 0 && !prepare(wave, form, source, context, lane, reads[lane])) return;
    }
    const auto move = [&](const TexelPlaces& places, TexelRows& texels) {
      return move_texels(wave, in, context, AccessKind::load, places, texels);
    };
    if (!read_texels(reads, lanes, move) || context.look_only) return;
    for (u32 lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      for (u32 i = 0; i < form.results; ++i) wave.row(rows[i])[lane] = reads[lane].result[i];
    }
  }
};

template <bool Load>
struct Surface : ImageMemory {
  static constexpr std::string_view name = Load ? "suld" : "sust";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const ImageForm form = ImageForm::unpack(in.detail);
    const u32* rows = ptx(wave).tables->registers[in.operand[5].value].data();
    const u32* data =
        Load ? rows : rows + 1 + (is_array(form.geometry) ? 1 : 0) + dimensions_of(form.geometry);
    const u32* source = Load ? rows + form.results : rows;
    const u32 lanes = active(wave);
    TexelPlaces places;
    TexelRows room{};
    for (u32 lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      ImageDescriptor words;
      if (!read_image_descriptor(context, lane, handle_of(wave, source[0], lane), words)) return;
      const u32 unit = form.formatted ? 1 : words.texel_bytes;  // x counts bytes where nothing is converted
      const u32 bytes = form.formatted ? std::min(words.texel_bytes, most_texel_bytes)
                                       : u32{form.element_bytes} * form.results;
      places.bytes[lane] = static_cast<u8>(bytes);
      u32 next = 1;
      i64 at[3] = {0, 0, 0};
      const i64 size[3] = {i64{words.width} * unit, words.height, words.depth};
      if (is_array(form.geometry))
        at[2] = std::min(wave.row(source[next++])[lane], std::max(words.depth, 1u) - 1);
      bool inside = true;
      for (u32 i = 0; i < dimensions_of(form.geometry); ++i) {
        at[i] = static_cast<i32>(wave.row(source[next++])[lane]);
        const i64 extent = i == 0 && !form.formatted ? bytes : 1;
        if (at[i] >= 0 && at[i] + extent <= size[i]) continue;
        if (form.outside == 1 && size[i] >= extent) {
          at[i] = std::clamp<i64>(at[i], 0, size[i] - extent);
        } else {
          inside = false;
        }
      }
      if (!inside && form.outside == 0) {
        raise_outside(context, lane, words.address(), bytes);
        return;
      }
      if (!inside) continue;
      const u64 x = static_cast<u64>(at[0]) * (form.formatted ? words.texel_bytes : 1);
      places.address[lane] = words.texel_address(0, static_cast<u64>(at[1]), static_cast<u64>(at[2])) + x;
      places.lanes |= u64{1} << lane;
      if constexpr (!Load) {
        u8* to = room.data() + std::size_t{lane} * most_texel_bytes;
        if (form.formatted) {
          TexelComponents value{};
          for (u32 i = 0; i < form.results; ++i) value[i] = wave.row(data[i])[lane];
          pack_texel(format_of(words), stored_components(words, value), to);
        } else {
          for (u32 i = 0; i < form.results; ++i) {
            u64 value = wave.row(data[i])[lane];
            if (form.element_bytes == 8) value |= u64{wave.row(data[i] + 1)[lane]} << 32;
            std::memcpy(to + i * form.element_bytes, &value, form.element_bytes);
          }
        }
      }
    }
    const AccessKind kind = Load ? AccessKind::load : AccessKind::store;
    if (!move_texels(wave, in, context, kind, places, room) || context.look_only) return;
    if constexpr (Load) {
      for (u32 lane = 0; lane < 32; ++lane) {
        if (((lanes >> lane) & 1) == 0) continue;
        for (u32 i = 0; i < form.results; ++i) {
          u64 value = 0;
          std::memcpy(&value, room.data() + std::size_t{lane} * most_texel_bytes + i * form.element_bytes,
                      form.element_bytes);
          wave.row(data[i])[lane] = static_cast<u32>(value);
          if (form.element_bytes == 8) wave.row(data[i] + 1)[lane] = static_cast<u32>(value >> 32);
        }
      }
    }
  }
};

struct Query : ImageMemory {
  static constexpr std::string_view name = "txq";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Row<u64> room;
    const u64* handle = fetch64<W>(wave, in, in.operand[1], Kind::u64, room);
    Row<u32> out;
    for (u32 lane = 0; lane < 32; ++lane) {
      out.lane[lane] = 0;
      if (((active(wave) >> lane) & 1) == 0) continue;
      ImageDescriptor words;
      if (!read_image_descriptor(context, lane, handle[lane], words)) return;
      switch (static_cast<ImageQuery>(in.detail)) {
        case ImageQuery::width:
          out.lane[lane] = words.width;
          break;
        case ImageQuery::height:
          out.lane[lane] = words.height;
          break;
        case ImageQuery::depth:
        case ImageQuery::layers:
          out.lane[lane] = words.depth;
          break;
        case ImageQuery::type:
          out.lane[lane] = opencl_channel_type(words);
          break;
        case ImageQuery::order:
          out.lane[lane] = opencl_channel_order(words);
          break;
        case ImageQuery::levels:
        case ImageQuery::samples:
          out.lane[lane] = 1;
          break;
      }
    }
    if (!context.look_only) commit32<W>(wave, in, in.operand[0], out.data());
  }
};

}  // namespace

const Semantic& read_texture() {
  return semantic32<Texture>;
}
const Semantic& load_surface() {
  return semantic32<Surface<true>>;
}
const Semantic& store_surface() {
  return semantic32<Surface<false>>;
}
const Semantic& query_image() {
  return semantic32<Query>;
}

}  // namespace lockstep::nv
