#include "isa/nv/image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/amd/image_coordinates.h"
#include "isa/amd/texel.h"
#include "isa/nv/image_words.h"
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

bool outside(StepContext& context, u32 lane, u64 address, u32 bytes) {
  Fault fault;
  fault.kind = FaultKind::outside_memory;
  fault.bytes = static_cast<u8>(bytes);
  fault.lane = lane;
  fault.address = address;
  context.raise(fault);
  return false;
}

// Descriptors lie in device memory, where a program can write: what says something that no image has is none.
bool describes_image(const ImageWords& words) {
  constexpr u32 most_texels = 1 << 30;  // coordinates are 32-bit integers
  const bool good_bits = words.bits == 8 || words.bits == 16 || words.bits == 32;
  const bool good_size = std::min({words.width, words.height, words.depth}) >= 1 &&
                         std::max({words.width, words.height, words.depth}) <= most_texels;
  return good_bits && good_size && words.channels >= 1 && words.channels <= 4 &&
         words.texel_bytes == words.channels * words.bits / 8 &&
         words.number <= static_cast<u32>(amd::NumberFormat::floating);
}

bool read_image_words(StepContext& context, u32 lane, u64 handle, ImageWords& words) {
  if (!context.global.contains(handle, sizeof(words))) return outside(context, lane, handle, 64);
  std::memcpy(&words, context.global.at(handle), sizeof(words));
  if (describes_image(words)) return true;
  refuse(context, "a texture or surface handle at which no image's descriptor is");
  return false;
}
bool read_sampler(StepContext& context, u32 lane, u64 handle, u32& bits) {
  bits = static_cast<u32>(handle);
  if (handle < sampler_bits::first_address) return true;
  if (!context.global.contains(handle, 4)) return outside(context, lane, handle, 4);
  std::memcpy(&bits, context.global.at(handle), 4);
  return true;
}

// Texels of the lanes, each in a row of its own of `data`. Lanes may name images of different texel sizes:
// those of one size move together.
constexpr u32 most_texel_bytes = 16;
using TexelRows = std::array<u8, 32 * most_texel_bytes>;
bool move_texels(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                 const Row<u64>& address, const std::array<u8, 32>& bytes, u64 lanes, TexelRows& data) {
  while (lanes != 0) {
    const u8 size = bytes[static_cast<u32>(std::countr_zero(lanes))];
    u64 same = 0;
    for_lanes(lanes, [&](u32 lane) { same |= u64{bytes[lane] == size} << lane; });
    lanes &= ~same;
    Places places;
    const Place& place = add_place(places, context, global_view(context), Space::image, kind, size, same);
    std::memcpy(place.access->address.data(), address.data(), 32 * sizeof(u64));
    if (!move_lanes(wave, in, context, places, data.data(), size, most_texel_bytes, size)) return false;
  }
  return true;
}

amd::Clamp clamp_of(u32 bits) {
  switch (bits & sampler_bits::address_mask) {
    case sampler_bits::clamp_to_edge:
      return amd::Clamp::last_texel;
    case sampler_bits::repeat:
      return amd::Clamp::wrap;
    case sampler_bits::mirrored_repeat:
      return amd::Clamp::mirror;
    default:
      return amd::Clamp::border;
  }
}

amd::TexelFormat format_of(const ImageWords& words) {
  amd::TexelFormat format;
  for (u32 i = 0; i < words.channels && i < 4; ++i) format.bits[i] = static_cast<u8>(words.bits);
  format.number = static_cast<amd::NumberFormat>(words.number);
  return format;
}

using Components = std::array<u32, 4>;

Components selected(const ImageWords& words, const Components& value, bool integer) {
  Components result{};
  for (u32 i = 0; i < 4; ++i) {
    const u32 from = (words.select >> (8 * i)) & 0xFF;
    result[i] = from == 0 ? 0 : from == 1 ? (integer ? 1 : as_u32(1.0f)) : value[(from - 4) & 3];
  }
  return result;
}

// What one lane reads: its image and, by dimension, where.
struct LaneRead {
  ImageWords words;
  std::array<amd::TexelPair, 3> axis;
  u32 layer = 0;
  Components sum{};
  std::array<f32, 4> filtered{};
  bool linear = false;
};

struct Texture : ImageMemory {
  static constexpr std::string_view name = "tex";
  static constexpr std::string_view bound =
      "filtered reads: weights of 8 bits, as CUDA's programming guide has them";

  static bool prepare(const WaveState& wave, const ImageForm& form, const u32* source, StepContext& context,
                      u32 lane, LaneRead& read) {
    if (!read_image_words(context, lane, handle_of(wave, source[0], lane), read.words)) return false;
    u32 next = 1, sampler = sampler_bits::clamp_to_edge;
    if (form.sampler && !read_sampler(context, lane, handle_of(wave, source[next++], lane), sampler))
      return false;
    if (is_array(form.geometry))
      read.layer = std::min(wave.row(source[next++])[lane], std::max(read.words.depth, 1u) - 1);
    const u32 size[3] = {read.words.width, read.words.height, read.words.depth};
    read.linear = (sampler & sampler_bits::linear) != 0 && !form.integers;
    for (u32 i = 0; i < dimensions_of(form.geometry); ++i) {
      const u32 bits = wave.row(source[next++])[lane];
      amd::AxisRule rule;
      rule.size = size[i];
      rule.clamp = clamp_of(sampler);
      rule.normalized = (sampler & sampler_bits::normalized) != 0 && !form.integers;
      rule.linear = read.linear;
      rule.truncates = true;
      if (form.integers) {
        // Exactly that texel, brought inside as the sampler says.
        const i64 at = static_cast<i32>(bits);
        const bool inside = at >= 0 && at < size[i];
        read.axis[i].first = inside ? static_cast<i32>(at)
                             : rule.clamp == amd::Clamp::last_texel
                                 ? (at < 0 ? 0 : static_cast<i32>(size[i] - 1))
                                 : -1;
      } else {
        read.axis[i] = amd::texels_at(rule, as_f32(bits));
      }
    }
    return true;
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const ImageForm form = ImageForm::unpack(in.detail);
    const u32* rows = ptx(wave).tables->registers[in.operand[5].value].data();
    const u32* source = rows + form.results;
    const u32 lanes = active(wave), dimensions = dimensions_of(form.geometry);
    std::vector<LaneRead> reads(32);
    bool linear = false;
    for (u32 lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      if (!prepare(wave, form, source, context, lane, reads[lane])) return;
      linear |= reads[lane].linear;
    }
    for (u32 corner = 0; corner < (linear ? 1u << dimensions : 1u); ++corner) {
      Row<u64> address;
      std::array<f32, 32> weight{};
      u64 reached = 0;
      std::array<u8, 32> bytes{};
      for (u32 lane = 0; lane < 32; ++lane) {
        address.lane[lane] = 0;
        if (((lanes >> lane) & 1) == 0) continue;
        const LaneRead& read = reads[lane];
        if (corner != 0 && !read.linear) continue;
        f32 part = 1;
        i32 at[3] = {0, 0, 0};
        for (u32 i = 0; i < dimensions; ++i) {
          const amd::TexelPair& pair = read.axis[i];
          const bool second = ((corner >> i) & 1) != 0;
          at[i] = second ? pair.second : pair.first;
          if (read.linear)
            part *= static_cast<f32>(second ? pair.weight : amd::weight_one - pair.weight) / 256.0f;
        }
        weight[lane] = part;
        if (part == 0 || at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
        const u64 slice = is_array(form.geometry) ? read.layer : static_cast<u64>(at[2]);
        address.lane[lane] = read.words.address() + slice * read.words.slice_pitch() +
                             static_cast<u64>(at[1]) * read.words.row_pitch +
                             static_cast<u64>(at[0]) * read.words.texel_bytes;
        bytes[lane] = static_cast<u8>(std::min(read.words.texel_bytes, most_texel_bytes));
        reached |= u64{1} << lane;
      }
      TexelRows texels{};
      if (!move_texels(wave, in, context, AccessKind::load, address, bytes, reached, texels)) return;
      for (u32 lane = 0; lane < 32; ++lane) {
        if (((lanes >> lane) & 1) == 0 || (corner != 0 && !reads[lane].linear)) continue;
        LaneRead& read = reads[lane];
        const amd::TexelFormat format = format_of(read.words);
        Components value{};
        if (((reached >> lane) & 1) != 0)
          value = amd::unpack_texel(format, texels.data() + std::size_t{lane} * most_texel_bytes);
        value = selected(read.words, value, format.integer());
        if (!read.linear) {
          read.sum = value;
          continue;
        }
        for (u32 i = 0; i < 4; ++i) {
          read.filtered[i] += weight[lane] * as_f32(value[i]);
          read.sum[i] = as_u32(read.filtered[i]);
        }
      }
    }
    if (context.look_only) return;
    for (u32 lane = 0; lane < 32; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      for (u32 i = 0; i < form.results; ++i) wave.row(rows[i])[lane] = reads[lane].sum[i];
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
    std::array<u8, 32> sizes{};
    Row<u64> address;
    u64 reached = 0;
    TexelRows room{};
    for (u32 lane = 0; lane < 32; ++lane) {
      address.lane[lane] = 0;
      if (((lanes >> lane) & 1) == 0) continue;
      ImageWords words;
      if (!read_image_words(context, lane, handle_of(wave, source[0], lane), words)) return;
      const u32 unit = form.formatted ? 1 : words.texel_bytes;  // x counts bytes where nothing is converted
      const u32 bytes = form.formatted ? std::min(words.texel_bytes, most_texel_bytes)
                                       : u32{form.element_bytes} * form.results;
      sizes[lane] = static_cast<u8>(bytes);
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
        outside(context, lane, words.address(), bytes);
        return;
      }
      if (!inside) continue;
      const u64 x = static_cast<u64>(at[0]) * (form.formatted ? words.texel_bytes : 1);
      address.lane[lane] = words.address() + static_cast<u64>(at[2]) * words.slice_pitch() +
                           static_cast<u64>(at[1]) * words.row_pitch + x;
      reached |= u64{1} << lane;
      if constexpr (!Load) {
        u8* to = room.data() + std::size_t{lane} * most_texel_bytes;
        if (form.formatted) {
          Components value{}, stored{};
          for (u32 i = 0; i < form.results; ++i) value[i] = wave.row(data[i])[lane];
          for (u32 i = 0; i < 4; ++i) {  // the selection undone
            const u32 from = (words.select >> (8 * i)) & 0xFF;
            if (from >= 4 && from - 4 < words.channels) stored[from - 4] = value[i];
          }
          amd::pack_texel(format_of(words), stored, to);
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
    if (!move_texels(wave, in, context, kind, address, sizes, reached, room) || context.look_only) return;
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
      ImageWords words;
      if (!read_image_words(context, lane, handle[lane], words)) return;
      // Types and orders as OpenCL numbers them (cl.h).
      constexpr u32 orders[] = {0x10B1, 0x10B0, 0x10BA, 0x10B2, 0x10BB, 0x10B3, 0x10B4, 0x10BC, 0x10B5,
                                0x10B6, 0x10B7, 0x10C3, 0,      0,      0,      0,      0x10B8, 0x10B9};
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
          out.lane[lane] = 0x10D0 + (words.type < 4 ? words.type : words.type - 1);
          break;
        case ImageQuery::order:
          out.lane[lane] = words.order < std::size(orders) ? orders[words.order] : 0;
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
