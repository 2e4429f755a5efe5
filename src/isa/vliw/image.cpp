#include "isa/vliw/image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/image_sampling.h"
#include "isa/shapes.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

constexpr u32 lanes_of_wave = 64;
using Texels = TexelPlacesOf<lanes_of_wave>;
using TexelBytes = TexelRowsOf<lanes_of_wave>;

u64 active_lanes(const WaveState& wave) {
  return wave.exec() & wave.all_lanes();
}

bool fail(StepContext& context, const char* text) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = text;
  context.raise(fault);
  return false;
}

// What the number is bound to: a parameter's word or a sampler's bits.
bool bound_word(const WaveState& wave, StepContext& context, const std::vector<Binding>& bindings, u32 number,
                u32& word) {
  const auto found = std::find_if(bindings.begin(), bindings.end(),
                                  [&](const Binding& one) { return one.number == number; });
  if (found == bindings.end())
    return fail(context,
                "an image or a sampler whose number is bound to nothing (@lockstep image, sampler, target)");
  word = found->value;
  if (found->is_value) return true;
  const u64 at = vliw(wave).arguments_address + found->value;
  if (!context.global.contains(at, 4)) return raise_outside(context, 0, at, 4);
  std::memcpy(&word, context.global.at(at), 4);
  return true;
}

u64 address_of(const StepContext& context, u32 pointer) {
  return context.global.base - pointer_base + pointer;
}

bool read_image(const WaveState& wave, StepContext& context, const std::vector<Binding>& bindings, u32 number,
                ImageDescriptor& image) {
  u32 pointer = 0;
  return bound_word(wave, context, bindings, number, pointer) &&
         read_image_descriptor(context, static_cast<u32>(std::countr_zero(active_lanes(wave))),
                               address_of(context, pointer), image);
}

constexpr std::string_view weights =
    "filtered reads: weights of 8 bits, as the sampler's subtexels have them";

template <bool Samples>
struct Texture {
  static constexpr std::string_view name = Samples ? "texture sample" : "texel fetch";
  static constexpr std::string_view bound = Samples ? weights : std::string_view();
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied = implies::reads_exec;

  // By the instruction's word which coordinates are fractions, by the sampler's bits all else.
  static void look(const WaveState& wave, const TextureForm& form, const u32* const* source, u32 sampler,
                   u32 lane, ImageRead& read) {
    (void)wave;
    const ImageDescriptor& image = read.image;
    const u32 size[3] = {image.width, image.height, image.depth};
    const auto coordinate = [&](u32 i) {
      const u32 select = (form.source >> (3 * i)) & 7;
      return select < 4 ? source[select][lane] : select == 5 ? std::bit_cast<u32>(1.0f) : 0;
    };
    read.dimensions = image.dimensions();
    read.is_array = image.is_array();
    if constexpr (Samples) {
      // Integers are not blended.
      read.linear = (sampler & sampler_bits::linear) != 0 && !format_of(image).integer();
      for (u32 i = 0; i < read.dimensions; ++i) {
        AxisRule rule = axis_rule(sampler, size[i], read.linear);
        rule.normalized = ((form.normalized >> i) & 1) != 0;
        read.axis[i] = texels_at(rule, std::bit_cast<f32>(coordinate(i)));
      }
      if (read.is_array) read.layer = layer_at(std::bit_cast<f32>(coordinate(read.dimensions)), image.depth);
    } else {
      for (u32 i = 0; i < read.dimensions; ++i)
        read.axis[i].first = texel_at(Clamp::border, size[i], static_cast<i32>(coordinate(i)));
      if (read.is_array) {
        const i32 layer = static_cast<i32>(coordinate(read.dimensions));
        read.layer = static_cast<u32>(std::clamp<i64>(layer, 0, i64{image.depth} - 1));
      }
    }
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const TextureForm form = TextureForm::unpack(in);
    const VliwProgram& program = *vliw(wave).program;
    const u64 active = active_lanes(wave);
    if (active == 0) return;
    ImageDescriptor image;
    if (!read_image(wave, context, program.images, form.resource, image)) return;
    u32 sampler = 0;
    if constexpr (Samples) {
      if (!bound_word(wave, context, program.samplers, form.sampler, sampler)) return;
      const u64 handle = sampler < sampler_bits::first_address ? sampler : address_of(context, sampler);
      if (!read_sampler_bits(context, 0, handle, sampler)) return;
    }
    const u32* source[4];
    for (u32 i = 0; i < 4; ++i) source[i] = wave.row(in.operand[1].index + i);
    std::array<ImageRead, lanes_of_wave> reads;
    memory::for_lanes(active, [&](u32 lane) {
      reads[lane].image = image;
      look(wave, form, source, sampler, lane, reads[lane]);
    });
    u32 number = 0;
    const auto move = [&](const Texels& texels, TexelBytes& rows) {
      return move_texels<lanes_of_wave>(wave, in, context, {AccessKind::load, number++}, texels, rows);
    };
    if (!read_texels<lanes_of_wave>(reads, active, move) || context.look_only) return;
    for (u32 i = 0; i < 4; ++i) {
      const u32 select = (form.result >> (3 * i)) & 7;
      if (select == 6) continue;
      u32* row = wave.row(in.operand[0].index + i);
      memory::for_lanes(active, [&](u32 lane) {
        row[lane] = select < 4 ? reads[lane].result[select] : select == 5 ? std::bit_cast<u32>(1.0f) : 0;
      });
    }
  }
};

struct TypedStore {
  static constexpr std::string_view name = "typed store";
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied = implies::reads_exec;

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const u64 active = active_lanes(wave);
    ImageDescriptor image;
    if (active == 0 || !read_image(wave, context, vliw(wave).program->targets, in.detail, image)) return;
    const u32 size[3] = {image.width, image.height, image.depth};
    Texels texels;
    TexelBytes rows{};
    memory::for_lanes(active, [&](u32 lane) {
      u32 at[3] = {0, 0, 0};
      bool inside = true;
      for (u32 i = 0; i < image.dimensions() + (image.is_array() ? 1 : 0); ++i) {
        const u32 axis = i < image.dimensions() ? i : 2;  // layers lie as slices do
        at[axis] = wave.row(in.operand[1].index + i)[lane];
        inside &= at[axis] < size[axis];
      }
      if (!inside) return;
      texels.add(lane, image, at[0], at[1], at[2]);
      TexelComponents value{};
      for (u32 i = 0; i < 4; ++i) value[i] = wave.row(in.operand[2].index + i)[lane];
      pack_texel(format_of(image), stored_components(image, value),
                 rows.data() + std::size_t{lane} * most_texel_bytes);
    });
    move_texels<lanes_of_wave>(wave, in, context, {AccessKind::store}, texels, rows);
  }
};

}  // namespace

const Semantic& sample_texture() {
  return semantic<Texture<true>>;
}
const Semantic& fetch_texel() {
  return semantic<Texture<false>>;
}
const Semantic& store_texel() {
  return semantic<TypedStore>;
}

}  // namespace lockstep::vliw
