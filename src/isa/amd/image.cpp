// Image loads, stores, atomics and queries: by integer coordinates, without a sampler.
// Source: "Vega Instruction Set Architecture", chapters "Vector Memory Operations" and "MIMG Instructions".
#include <algorithm>

#include "isa/amd/combine.h"
#include "isa/amd/image_access.h"
#include "isa/amd/memory_rows.h"

namespace lockstep::amd {
namespace {

using memory::for_lanes;

Access& image_access(StepContext& context, AccessKind kind, u32 bytes, u64 lanes) {
  Access& access = memory::next_access(context, 0);
  access.space = Space::image;
  access.kind = kind;
  access.bytes = static_cast<u8>(bytes);
  access.lanes = lanes;
  return access;
}

// Outside of the image, every component that the descriptor takes from memory reads as 0.
void load(WaveState& wave, const Instruction& in, StepContext& context, ImageLayout layout, bool level) {
  Image image;
  if (!image_of(wave, in, context, layout, level ? 1 : 0, image)) return;
  std::array<u64, most_lanes> address;
  const u64 active = wave.exec() & wave.all_lanes();
  const u64 inside = texel_addresses(wave, in, image, level, address.data());
  const memory::View view = memory::global_view(context);
  if (inside != 0) {
    Access& access = image_access(context, AccessKind::load, image.texel_bytes, inside);
    access.address = address;
    if (!admit_image(wave, in, context, access)) return;
  }
  if (context.look_only) return;
  // The coordinates may lie in the result's registers: every lane is read before any is written.
  std::array<Components, most_lanes> texel;
  for_lanes(inside, [&](u32 lane) { texel[lane] = unpack_texel(image.format, view.at(address[lane])); });
  for_lanes(active & ~inside, [&](u32 lane) { texel[lane] = {}; });
  for_lanes(active,
            [&](u32 lane) { put_components(wave, in, lane, selected(image, texel[lane]), image.format); });
}

void store(WaveState& wave, const Instruction& in, StepContext& context, ImageLayout layout, bool level) {
  Image image;
  if (!image_of(wave, in, context, layout, level ? 1 : 0, image)) return;
  std::array<u64, most_lanes> address;
  const u64 inside = texel_addresses(wave, in, image, level, address.data());
  if (inside == 0) return;
  Access& access = image_access(context, AccessKind::store, image.texel_bytes, inside);
  access.address = address;
  if (!admit_image(wave, in, context, access) || context.look_only) return;
  const memory::View view = memory::global_view(context);
  for_lanes(inside, [&](u32 lane) {
    pack_texel(image.format, taken_components(wave, in, lane, image), view.at(address[lane]));
  });
}

// Width, height, depth or layers, and levels, of the level that the address names.
void resource_info(WaveState& wave, const Instruction& in, ImageLayout layout) {
  const ImageResource r = image_resource(wave, in, layout);
  const ImageInstruction how(in);
  TexelFormat integers;
  const u32 levels = r.last_level - r.first_level + 1;
  for_lanes(wave.exec() & wave.all_lanes(), [&](u32 lane) {
    const u32 level = integer_coordinate(wave, in, how.short_address, 0, lane);
    const auto at_level = [&](u32 size) {
      const u32 shift = r.first_level + level;
      return level >= levels ? 0 : std::max(shift < 32 ? size >> shift : 0, 1u);
    };
    const u32 layers = level < levels && r.layers > r.first_layer ? r.layers - r.first_layer : 0;
    const Components value{at_level(r.width), r.dimensions() == 1 ? u32{level < levels} : at_level(r.height),
                           r.is_array() ? layers : at_level(r.depth), levels};
    put_components(wave, in, lane, value, integers);
  });
}

inline constexpr std::string_view load_word = "image load", store_word = "image store",
                                  info_word = "image resource info", atomic_word = "image atomic ",
                                  level_word = ", given level", no_word = "";
template <bool Given>
inline constexpr std::string_view level_name = Given ? level_word : no_word;

struct ImageMemory {
  static constexpr Shape shape = Shape::memory;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
};

template <ImageLayout Layout, bool GivenLevel>
struct ImageLoad : ImageMemory {
  static constexpr std::string_view name =
      memory::Joined<load_word, level_name<GivenLevel>, layout_name<Layout>>::value;
  static constexpr Kind result = Kind::u32;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    load(wave, in, context, Layout, GivenLevel);
  }
};

template <ImageLayout Layout, bool GivenLevel>
struct ImageStore : ImageMemory {
  static constexpr std::string_view name =
      memory::Joined<store_word, level_name<GivenLevel>, layout_name<Layout>>::value;
  static constexpr u8 sources = 1;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    store(wave, in, context, Layout, GivenLevel);
  }
};

template <ImageLayout Layout>
struct ResourceInfo : ImageMemory {
  static constexpr std::string_view name = memory::Joined<info_word, layout_name<Layout>>::value;
  static constexpr Kind result = Kind::u32;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!refused_flags(in, context) && !context.look_only) resource_info(wave, in, Layout);
  }
};

template <ImageLayout Layout>
struct ImageAddress {
  static constexpr std::string_view name = "image";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places) {
    Image image;
    if (!image_of(wave, in, context, Layout, 0, image)) return false;
    if (image.texel_bytes != bytes) {
      refuse(context, "an image atomic on texels of another size than its data");
      return false;
    }
    memory::Place& place =
        memory::add_place(places, context, memory::global_view(context), Space::image, kind, bytes, 0);
    place.access->lanes = texel_addresses(wave, in, image, false, place.access->address.data());
    place.zeroed = wave.exec() & wave.all_lanes() & ~place.access->lanes;
    return true;
  }
};

// The width follows from how many registers hold the data: one value, or two for a compare-and-swap.
template <ImageLayout Layout, class F>
struct ImageAtomic : ImageMemory {
  static constexpr std::string_view name = memory::Joined<atomic_word, F::name, layout_name<Layout>>::value;
  static constexpr Combining combining = F::combining;
  static constexpr u8 sources = 1;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    constexpr u32 values = requires { F::operands; } ? 2 : 1;
    if (in.operand[2].registers == 2 * values) {
      memory::MemoryInstruction<ImageAddress<Layout>, memory::Atomic<F, u64>>::template step<W>(wave, in,
                                                                                                context);
    } else {
      memory::MemoryInstruction<ImageAddress<Layout>, memory::Atomic<F, u32>>::template step<W>(wave, in,
                                                                                                context);
    }
  }
};

template <ImageLayout Layout>
void add_layout(RowList& rows, u32 generations) {
  rows.add("image_load", "", &semantic<ImageLoad<Layout, false>>, Cost::vmem_image, generations);
  rows.add("image_load_mip", "", &semantic<ImageLoad<Layout, true>>, Cost::vmem_image, generations);
  rows.add("image_store", "", &semantic<ImageStore<Layout, false>>, Cost::vmem_store, generations);
  rows.add("image_store_mip", "", &semantic<ImageStore<Layout, true>>, Cost::vmem_store, generations);
  rows.add("image_get_resinfo", "", &semantic<ResourceInfo<Layout>>, Cost::vmem_image, generations);
  const auto atomic = [&]<class F>(F, std::string_view name) {
    rows.add("image_atomic_", name, &semantic<ImageAtomic<Layout, F>>, Cost::vmem_atomic, generations);
  };
  atomic(combine::Swap{}, "swap");
  atomic(combine::CompareSwap{}, "cmpswap");
  const bool typed = generations == gfx12;  // the type is in the name
  atomic(combine::Add{}, typed ? "add_uint" : "add");
  atomic(combine::Sub{}, typed ? "sub_uint" : "sub");
  atomic(combine::SignedMin{}, typed ? "min_int" : "smin");
  atomic(combine::UnsignedMin{}, typed ? "min_uint" : "umin");
  atomic(combine::SignedMax{}, typed ? "max_int" : "smax");
  atomic(combine::UnsignedMax{}, typed ? "max_uint" : "umax");
  atomic(combine::And{}, "and");
  atomic(combine::Or{}, "or");
  atomic(combine::Xor{}, "xor");
  atomic(combine::Increment{}, typed ? "inc_uint" : "inc");
  atomic(combine::Decrement{}, typed ? "dec_uint" : "dec");
}

}  // namespace

std::span<const Row> image_rows() {
  static const RowList list = [] {
    RowList rows;
    add_layout<ImageLayout::gcn5>(rows, gfx9 & ~gfx940);
    add_layout<ImageLayout::gcn1>(rows, gfx6to8);
    add_layout<ImageLayout::rdna1>(rows, gfx10 | gfx103);
    add_layout<ImageLayout::rdna3>(rows, gfx11);
    add_layout<ImageLayout::rdna4>(rows, gfx12);
    add_image_samples(rows);
    return rows;
  }();
  return list.rows();
}

}  // namespace lockstep::amd
