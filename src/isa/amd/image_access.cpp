// Source: "Vega Instruction Set Architecture", chapter "Vector Memory Operations", sections "Image
// Instructions", "Image Resource Descriptor" and "Data Types in VGPRs".
#include "isa/amd/image_access.h"

#include "float/half.h"

namespace lockstep::amd {
namespace {

// Number formats of images beyond those of buffers (gamma-corrected ones) are not known here.
constexpr u32 number_formats = 8, snorm_ogl = 6;

const char* why_refused(const ImageResource& r) {
  switch (r.type) {
    case ImageType::d1:
    case ImageType::d2:
    case ImageType::d3:
    case ImageType::d1_array:
    case ImageType::d2_array:
      break;
    default:
      return "an image that is a cube, has several samples or is of no type that there is";
  }
  if (!r.linear) return "a tiled image: only linear surfaces are modelled";
  if (r.last_level != 0) return "an image of several levels";
  return nullptr;
}

u32 narrowed(u32 value, const TexelFormat& format) {
  return format.integer() ? value & 0xFFFF : f32_to_f16(as_f32(value));
}

u32 widened(u32 value, const TexelFormat& format) {
  if (format.number == NumberFormat::sint) return static_cast<u32>(static_cast<i32>(static_cast<i16>(value)));
  return format.integer() ? value & 0xFFFF : as_u32(f16_to_f32(static_cast<f16>(value)));
}

}  // namespace

ImageResource image_resource(const WaveState& wave, const Instruction& in, ImageLayout layout) {
  ImageWords words;
  for (u32 i = 0; i < words.size(); ++i) words[i] = wave.read_scalar(in.operand[3].index + i);
  return decode(words, layout);
}

bool image_of(const WaveState& wave, const Instruction& in, StepContext& context, ImageLayout layout,
              u32 further, Image& image) {
  if (refused_flags(in, context)) return false;
  if ((in.detail & image_half_descriptor) != 0) {
    refuse(context, "an image descriptor of 128 bits (r128), which does not tell the pitch");
    return false;
  }
  image.resource = image_resource(wave, in, layout);
  const ImageResource& r = image.resource;
  if (const char* why = why_refused(r)) {
    refuse(context, why);
    return false;
  }
  if (r.number_format < number_formats && r.number_format != snorm_ogl)
    image.format = buffer_format(r.data_format, r.number_format);
  image.texel_bytes = image.format.bytes();
  if (image.texel_bytes == 0) {
    refuse(context, "an image whose data format and number format do not go together or are not modelled");
    return false;
  }
  const ImageInstruction how(in);
  const u32 numbers = further + r.dimensions() + (how.array && r.is_array() ? 1 : 0);
  if (address_rows(in) < (how.short_address ? (numbers + 1) / 2 : numbers)) {
    refuse(context, "an image of more dimensions than the instruction has coordinates");
    return false;
  }
  return true;
}

u32 integer_coordinate(const WaveState& wave, const Instruction& in, bool is_short, u32 number, u32 lane) {
  if (!is_short) return wave.row(address_row(in, number))[lane];
  return (wave.row(address_row(in, number / 2))[lane] >> (16 * (number % 2))) & 0xFFFF;
}

f32 float_coordinate(const WaveState& wave, const Instruction& in, bool is_short, u32 number, u32 lane) {
  const u32 bits = integer_coordinate(wave, in, is_short, number, lane);
  return is_short ? f16_to_f32(static_cast<f16>(bits)) : as_f32(bits);
}

u64 texel_addresses(const WaveState& wave, const Instruction& in, const Image& image, bool level,
                    u64* address) {
  const ImageResource& r = image.resource;
  const ImageInstruction how(in);
  const u32 dimensions = r.dimensions();
  const bool layered = how.array && r.is_array();
  const u32 size[3] = {r.width, r.height, r.depth};
  u64 inside = 0;
  memory::for_lanes(wave.exec() & wave.all_lanes(), [&](u32 lane) {
    u32 at[3] = {0, 0, 0};
    bool within = true;
    u32 next = 0;
    for (; next < dimensions; ++next) {
      at[next] = integer_coordinate(wave, in, how.short_address, next, lane);
      within &= at[next] < size[next];
    }
    if (r.is_array()) {
      at[2] = r.first_layer;
      if (layered) {
        const u32 layer = integer_coordinate(wave, in, how.short_address, next++, lane);
        within &= layer < r.layers && layer + r.first_layer < r.layers;
        at[2] += layer;
      }
    }
    if (level) within &= integer_coordinate(wave, in, how.short_address, next, lane) == 0;
    if (!within) return;
    inside |= u64{1} << lane;
    address[lane] = image.address(at[0], at[1], at[2]);
  });
  return inside;
}

bool admit_image(WaveState& wave, const Instruction& in, StepContext& context, const Access& access) {
  if (context.checker != nullptr) {
    context.checker->access(wave, in, access, context);
    if (context.fault.kind != FaultKind::none) return false;
  }
  return memory::check_lanes(access, memory::global_view(context), nullptr, context);
}

Components selected(const Image& image, const Components& value) {
  const u32 one = image.format.integer() ? 1 : std::bit_cast<u32>(1.0f);
  Components out{};
  for (u32 k = 0; k < 4; ++k) {
    const u32 from = image.resource.select[k];
    out[k] = from >= 4 ? value[from - 4] : from == 1 ? one : 0;
  }
  return out;
}

void put_components(WaveState& wave, const Instruction& in, u32 lane, const Components& value,
                    const TexelFormat& format) {
  const ImageInstruction how(in);
  u32 row = in.operand[0].index, count = 0;
  for (u32 k = 0; k < 4; ++k) {
    if ((how.mask >> k & 1) == 0) continue;
    if (!how.halves) {
      wave.row(row + count)[lane] = value[k];
    } else if (how.apart) {
      wave.row(row + count)[lane] = narrowed(value[k], format);
    } else {
      u32& to = wave.row(row + count / 2)[lane];
      const u32 half = narrowed(value[k], format);
      to = count % 2 == 0 ? (to & 0xFFFF0000u) | half : (to & 0xFFFF) | half << 16;
    }
    ++count;
  }
}

Components taken_components(const WaveState& wave, const Instruction& in, u32 lane, const Image& image) {
  const ImageInstruction how(in);
  const u32 row = in.operand[2].index;
  Components given{}, out{};
  u32 count = 0;
  for (u32 k = 0; k < 4; ++k) {
    if ((how.mask >> k & 1) == 0) continue;
    if (!how.halves) {
      given[k] = wave.row(row + count)[lane];
    } else if (how.apart) {
      given[k] = widened(wave.row(row + count)[lane] & 0xFFFF, image.format);
    } else {
      given[k] = widened((wave.row(row + count / 2)[lane] >> (16 * (count % 2))) & 0xFFFF, image.format);
    }
    ++count;
  }
  for (u32 k = 4; k-- > 0;) {
    const u32 to = image.resource.select[k];
    if (to >= 4) out[to - 4] = given[k];
  }
  return out;
}

}  // namespace lockstep::amd
