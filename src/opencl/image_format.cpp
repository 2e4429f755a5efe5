#include "opencl/image_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "float/convert.h"
#include "float/half.h"

namespace lockstep::opencl {
namespace {

struct OrderNumber {
  cl_channel_order number;
  ChannelOrder order;
};
constexpr OrderNumber orders[] = {
    {CL_R, ChannelOrder::r},
    {CL_A, ChannelOrder::a},
    {CL_RG, ChannelOrder::rg},
    {CL_RA, ChannelOrder::ra},
    {CL_RGBA, ChannelOrder::rgba},
    {CL_BGRA, ChannelOrder::bgra},
    {CL_INTENSITY, ChannelOrder::intensity},
    {CL_LUMINANCE, ChannelOrder::luminance},
};

struct TypeNumber {
  cl_channel_type number;
  ChannelType type;
};
constexpr TypeNumber types[] = {
    {CL_SNORM_INT8, ChannelType::snorm8},         {CL_SNORM_INT16, ChannelType::snorm16},
    {CL_UNORM_INT8, ChannelType::unorm8},         {CL_UNORM_INT16, ChannelType::unorm16},
    {CL_SIGNED_INT8, ChannelType::signed8},       {CL_SIGNED_INT16, ChannelType::signed16},
    {CL_SIGNED_INT32, ChannelType::signed32},     {CL_UNSIGNED_INT8, ChannelType::unsigned8},
    {CL_UNSIGNED_INT16, ChannelType::unsigned16}, {CL_UNSIGNED_INT32, ChannelType::unsigned32},
    {CL_HALF_FLOAT, ChannelType::half},           {CL_FLOAT, ChannelType::single},
};

bool among(cl_uint value, std::initializer_list<cl_uint> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

template <class T>
void put(std::vector<u8>& texel, T value) {
  const std::size_t at = texel.size();
  texel.resize(at + sizeof(T));
  std::memcpy(texel.data() + at, &value, sizeof(T));
}

// NaN gives 0, what is outside of the range its end.
template <class I>
I fraction(float value, float least) {
  const float clamped = std::isnan(value) ? 0.0f : std::clamp(value, least, 1.0f);
  return float_to_int<I, Round::nearest_even>(clamped * static_cast<float>(std::numeric_limits<I>::max()));
}

template <class I, class Wide>
I saturated(Wide value) {
  return static_cast<I>(
      std::clamp<Wide>(value, std::numeric_limits<I>::min(), std::numeric_limits<I>::max()));
}

void put_channel(std::vector<u8>& texel, ChannelType type, const u8* word) {
  u32 bits = 0;
  std::memcpy(&bits, word, 4);
  const float real = as_f32(bits);
  const i32 integer = static_cast<i32>(bits);
  switch (type) {
    case ChannelType::snorm8:
      return put(texel, fraction<i8>(real, -1.0f));
    case ChannelType::snorm16:
      return put(texel, fraction<i16>(real, -1.0f));
    case ChannelType::unorm8:
      return put(texel, fraction<u8>(real, 0.0f));
    case ChannelType::unorm16:
      return put(texel, fraction<u16>(real, 0.0f));
    case ChannelType::signed8:
      return put(texel, saturated<i8>(integer));
    case ChannelType::signed16:
      return put(texel, saturated<i16>(integer));
    case ChannelType::unsigned8:
      return put(texel, saturated<u8>(bits));
    case ChannelType::unsigned16:
      return put(texel, saturated<u16>(bits));
    case ChannelType::half:
      return put(texel, f32_to_f16(real));
    case ChannelType::signed32:
    case ChannelType::unsigned32:
    case ChannelType::single:
      return put(texel, bits);
  }
}

}  // namespace

bool format_is_valid(const cl_image_format& format) {
  const cl_channel_order order = format.image_channel_order;
  const cl_channel_type type = format.image_channel_data_type;
  const bool packed = among(type, {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010});
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_RG:
    case CL_RA:
    case CL_RGBA:
    case CL_Rx:
    case CL_RGx:
      if (order == CL_RGBA && type == CL_UNORM_INT_101010_2) return true;
      return std::any_of(std::begin(types), std::end(types),
                         [&](const TypeNumber& each) { return each.number == type; });
    case CL_INTENSITY:
    case CL_LUMINANCE:
      return among(type,
                   {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT});
    case CL_DEPTH:
      return among(type, {CL_UNORM_INT16, CL_FLOAT});
    case CL_RGB:
    case CL_RGBx:
      return packed;
    case CL_ARGB:
    case CL_BGRA:
    case CL_ABGR:
      return among(type, {CL_UNORM_INT8, CL_SNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8});
    case CL_sRGB:
    case CL_sRGBx:
    case CL_sRGBA:
    case CL_sBGRA:
      return type == CL_UNORM_INT8;
    default:
      return false;
  }
}

std::optional<ImageFormat> format_of(const cl_image_format& format) {
  for (const OrderNumber& order : orders) {
    if (order.number != format.image_channel_order) continue;
    for (const TypeNumber& type : types) {
      if (type.number == format.image_channel_data_type) {
        const ImageFormat made{order.order, type.type};
        if (texel_bytes(made) != 0) return made;
      }
    }
  }
  return std::nullopt;
}

cl_image_format format_of(const ImageFormat& format) {
  cl_image_format made{};
  for (const OrderNumber& order : orders) {
    if (order.order == format.order) made.image_channel_order = order.number;
  }
  for (const TypeNumber& type : types) {
    if (type.type == format.type) made.image_channel_data_type = type.number;
  }
  return made;
}

std::vector<u8> texel_of(const ImageFormat& format, const void* colour) {
  constexpr u8 red = 0, green = 1, blue = 2, alpha = 3;
  std::vector<u8> channels;  // in memory's order
  switch (format.order) {
    case ChannelOrder::r:
    case ChannelOrder::intensity:
    case ChannelOrder::luminance:
      channels = {red};
      break;
    case ChannelOrder::a:
      channels = {alpha};
      break;
    case ChannelOrder::rg:
      channels = {red, green};
      break;
    case ChannelOrder::ra:
      channels = {red, alpha};
      break;
    case ChannelOrder::rgba:
      channels = {red, green, blue, alpha};
      break;
    case ChannelOrder::bgra:
      channels = {blue, green, red, alpha};
      break;
  }
  std::vector<u8> texel;
  for (const u8 channel : channels)
    put_channel(texel, format.type, static_cast<const u8*>(colour) + 4 * channel);
  return texel;
}

}  // namespace lockstep::opencl
