// Reads through a sampler. Source: "Vega Instruction Set Architecture", chapter "Vector Memory Operations",
// sections "Image Instructions" and "Image Sampler"; the rules of coordinates and filters in
// image_coordinates.h.
#include <algorithm>

#include "isa/amd/image_access.h"
#include "isa/amd/memory_rows.h"

namespace lockstep::amd {
namespace {

using memory::for_lanes;

// How the level of detail is given; with one level it decides only whether the filter for magnified or for
// minified images is taken.
enum class Level : u8 { derivatives_of_quads, zero, coordinate, bias, derivatives };

constexpr u32 coordinates_before(Level level, u32 dimensions) {
  return level == Level::bias ? 1 : level == Level::derivatives ? 2 * dimensions : 0;
}

SamplerResource sampler_of(const WaveState& wave, const Instruction& in) {
  SamplerWords words;
  for (u32 i = 0; i < words.size(); ++i) words[i] = wave.read_scalar(in.operand[4].index + i);
  return decode(words);
}

Components border_colour(BorderColour colour, const TexelFormat& format) {
  const u32 one = format.integer() ? 1 : std::bit_cast<u32>(1.0f);
  const u32 rgb = colour == BorderColour::opaque_white ? one : 0;
  return {rgb, rgb, rgb, colour == BorderColour::transparent_black ? 0 : one};
}

// What one lane looks at.
struct Footprint {
  TexelPair axis[3];
  u32 layer = 0;
};

struct Sampling {
  Image image;
  SamplerResource sampler;
  ImageInstruction how;
  Level level;
  u32 before = 0;  // coordinates ahead of the image's own
};

Footprint footprint(const WaveState& wave, const Instruction& in, const Sampling& sampling, u32 lane) {
  const ImageResource& r = sampling.image.resource;
  const SamplerResource& s = sampling.sampler;
  const u32 dimensions = r.dimensions();
  const u32 size[3] = {r.width, r.height, r.depth};
  const bool layered = sampling.how.array && r.is_array();
  const auto coordinate = [&](u32 number) {
    return float_coordinate(wave, in, sampling.how.short_address, sampling.before + number, lane);
  };
  bool linear = s.magnify_linear;
  if (sampling.level == Level::coordinate && coordinate(dimensions + (layered ? 1 : 0)) > 0)
    linear = s.minify_linear;
  // Integers are not blended.
  linear = linear && !sampling.image.format.integer();
  Footprint out;
  for (u32 d = 0; d < dimensions; ++d) {
    AxisRule rule;
    rule.size = size[d];
    rule.clamp = s.clamp[d];
    rule.normalized = !s.unnormalized && !sampling.how.unnormalized;
    rule.linear =
        d == 2 && s.depth_filter != 0 ? s.depth_filter == 2 && !sampling.image.format.integer() : linear;
    rule.truncates = s.truncates;
    out.axis[d] = texels_at(rule, coordinate(d));
  }
  if (r.is_array()) {
    out.layer = r.first_layer;
    if (layered)
      out.layer += layer_at(coordinate(dimensions), r.layers - std::min(r.first_layer, r.layers - 1));
  }
  return out;
}

// The second of a pair counts only where it has weight.
u32 weight_of(const TexelPair& pair, u32 which) {
  return which == 1 ? pair.weight : weight_one - pair.weight;
}

// The texels of one row of the image: at most two neighbours a lane, recorded as one access.
class RowReader {
 public:
  RowReader(WaveState& wave, const Instruction& in, StepContext& context, const Sampling& sampling)
      : wave_(wave), in_(in), context_(context), sampling_(sampling), view_(memory::global_view(context)) {
    border_ = border_colour(sampling.sampler.border, sampling.image.format);
  }

  // Reads the lanes' texels of row `j` of their pairs in y and slice `k` of those in z, and hands each to
  // take(lane, weight, texel); the weight counts 1 / 2^24. False after a fault.
  template <class F>
  bool read(const std::array<Footprint, most_lanes>& lanes, u64 active, u32 j, u32 k, F take) {
    const Image& image = sampling_.image;
    const u32 width = image.resource.width;
    u64 reached = 0;
    bool pairs = false;
    for_lanes(active, [&](u32 lane) {
      const Footprint& f = lanes[lane];
      if (row_weight(f, j, k) == 0 || outside(f, j, k)) return;
      const TexelPair& x = f.axis[0];
      if (x.first < 0 && (x.second < 0 || x.weight == 0)) return;
      reached |= u64{1} << lane;
      pairs |= x.weight != 0 && x.first >= 0 && x.second >= 0 && x.first != x.second;
    });
    if (reached != 0) {
      Access& access = memory::next_access(context_, 0);
      access.space = Space::image;
      access.kind = AccessKind::load;
      access.bytes = static_cast<u8>(pairs ? 2 * image.texel_bytes : image.texel_bytes);
      access.lanes = reached;
      for_lanes(reached, [&](u32 lane) {
        const TexelPair& x = lanes[lane].axis[0];
        u32 left = static_cast<u32>(x.first >= 0 ? x.first : x.second);
        if (pairs) {
          if (x.weight != 0 && x.second >= 0 && static_cast<u32>(x.second) + 1 == left) --left;
          // A texel whose partner is elsewhere (the border, the other end of the row) counts with a
          // neighbour.
          left = std::min(left, width - 2);
        }
        access.address[lane] = address(lanes[lane], j, k, left);
      });
      if (!admit_image(wave_, in_, context_, access)) return false;
    }
    bool fine = true;
    for_lanes(active, [&](u32 lane) {
      const Footprint& f = lanes[lane];
      const u32 row = row_weight(f, j, k);
      if (row == 0) return;
      for (u32 i = 0; i < 2; ++i) {
        const u32 weight = weight_of(f.axis[0], i);
        if (weight == 0) continue;
        const i32 x = i == 0 ? f.axis[0].first : f.axis[0].second;
        if (x < 0 || outside(f, j, k)) {
          take(lane, row * weight, border_);
          continue;
        }
        const u64 at = address(f, j, k, static_cast<u32>(x));
        if (!view_.contains(at, image.texel_bytes)) {
          fine = false;
          return;
        }
        take(lane, row * weight, unpack_texel(image.format, view_.at(at)));
      }
    });
    if (!fine) refuse(context_, "an image that begins or ends outside of the memory");
    return fine;
  }

 private:
  static u32 row_weight(const Footprint& f, u32 j, u32 k) {
    return weight_of(f.axis[1], j) * weight_of(f.axis[2], k);
  }
  static i32 index(const TexelPair& pair, u32 which) { return which == 0 ? pair.first : pair.second; }
  static bool outside(const Footprint& f, u32 j, u32 k) {
    return index(f.axis[1], j) < 0 || index(f.axis[2], k) < 0;
  }
  u64 address(const Footprint& f, u32 j, u32 k, u32 x) const {
    const u32 z = sampling_.image.resource.is_array() ? f.layer : static_cast<u32>(index(f.axis[2], k));
    return sampling_.image.address(x, static_cast<u32>(index(f.axis[1], j)), z);
  }

  WaveState& wave_;
  const Instruction& in_;
  StepContext& context_;
  const Sampling& sampling_;
  memory::View view_;
  Components border_;
};

void sample(WaveState& wave, const Instruction& in, StepContext& context, ImageLayout layout, Level level) {
  Sampling sampling{{}, sampler_of(wave, in), ImageInstruction(in), level, 0};
  const u32 dimensions = image_resource(wave, in, layout).dimensions();
  sampling.before = coordinates_before(level, dimensions);
  const u32 further = sampling.before + (level == Level::coordinate ? 1 : 0);
  if (!image_of(wave, in, context, layout, further, sampling.image)) return;
  const SamplerResource& s = sampling.sampler;
  if (s.border == BorderColour::from_table) {
    refuse(context, "a border colour from a table");
    return;
  }
  if (level != Level::zero && level != Level::coordinate && s.magnify_linear != s.minify_linear) {
    refuse(context, "a filter that depends on derivatives");
    return;
  }
  const u64 active = wave.exec() & wave.all_lanes();
  std::array<Footprint, most_lanes> lanes;
  bool second_row = false, second_slice = false, blended = false;
  for_lanes(active, [&](u32 lane) {
    lanes[lane] = footprint(wave, in, sampling, lane);
    const Footprint& f = lanes[lane];
    second_row |= f.axis[1].weight != 0;
    second_slice |= f.axis[2].weight != 0;
    blended |= f.axis[0].weight != 0;
  });
  blended |= second_row || second_slice;
  RowReader reader(wave, in, context, sampling);
  const Image& image = sampling.image;
  if (!blended) {
    std::array<Components, most_lanes> texel;
    const auto take = [&](u32 lane, u32, const Components& value) { texel[lane] = value; };
    if (!reader.read(lanes, active, 0, 0, take) || context.look_only) return;
    for_lanes(active,
              [&](u32 lane) { put_components(wave, in, lane, selected(image, texel[lane]), image.format); });
    return;
  }
  std::array<std::array<f64, 4>, most_lanes> sum{};
  const auto take = [&](u32 lane, u32 weight, const Components& value) {
    for (u32 c = 0; c < 4; ++c) sum[lane][c] += static_cast<f64>(weight) * static_cast<f64>(as_f32(value[c]));
  };
  for (u32 k = 0; k < (second_slice ? 2u : 1u); ++k) {
    for (u32 j = 0; j < (second_row ? 2u : 1u); ++j) {
      if (!reader.read(lanes, active, j, k, take)) return;
    }
  }
  if (context.look_only) return;
  constexpr f64 whole = f64{1} * weight_one * weight_one * weight_one;
  for_lanes(active, [&](u32 lane) {
    Components value;
    for (u32 c = 0; c < 4; ++c) value[c] = as_u32(static_cast<f32>(sum[lane][c] / whole));
    put_components(wave, in, lane, selected(image, value), image.format);
  });
}

inline constexpr std::string_view sample_word = "image sample";
template <Level L>
inline constexpr std::string_view level_name = L == Level::zero          ? ", level 0"
                                               : L == Level::coordinate  ? ", given level"
                                               : L == Level::bias        ? ", biased level"
                                               : L == Level::derivatives ? ", given derivatives"
                                                                         : "";
template <ImageLayout Layout, Level L>
struct Sample {
  static constexpr std::string_view name =
      memory::Joined<sample_word, level_name<L>, layout_name<Layout>>::value;
  static constexpr std::string_view bound =
      "filters weigh texels in steps of 1/256 as the hardware does; how it rounds within a blend is not "
      "published: here once, to f32";
  static constexpr Shape shape = Shape::memory;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    sample(wave, in, context, Layout, L);
  }
};

template <ImageLayout Layout>
void add_samples(RowList& rows, u32 generations) {
  const auto add = [&](std::string_view name, const Semantic* what, u32 which) {
    rows.add("image_sample", name, what, Cost::vmem_image, generations & which);
  };
  add("", &semantic<Sample<Layout, Level::derivatives_of_quads>>, every);
  // gfx90a has no other variant.
  add("_lz", &semantic<Sample<Layout, Level::zero>>, every & ~gfx90a);
  add("_l", &semantic<Sample<Layout, Level::coordinate>>, every & ~gfx90a);
  add("_b", &semantic<Sample<Layout, Level::bias>>, every & ~gfx90a);
  add("_d", &semantic<Sample<Layout, Level::derivatives>>, every & ~gfx90a);
}

}  // namespace

void add_image_samples(RowList& rows) {
  add_samples<ImageLayout::gcn5>(rows, gfx9 & ~gfx940);
  add_samples<ImageLayout::gcn1>(rows, gfx6to8);
  add_samples<ImageLayout::rdna1>(rows, gfx10 | gfx103);
  add_samples<ImageLayout::rdna3>(rows, gfx11);
  add_samples<ImageLayout::rdna4>(rows, gfx12);
}

}  // namespace lockstep::amd
