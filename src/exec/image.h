// Images and samplers in device memory as a modelled GPU sees them: texels in the GPU's own layout and the
// descriptors that kernels are handed. Sources: the descriptor words in isa/amd/image_resource.h; what
// follows them (channel type, order and width in dwords 8 to 10) is what rocm-device-libs' get_image_*
// functions read, in the numbering of the "HSA Runtime Specification" (hsa_ext_image_channel_type_t,
// _order_t).
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "exec/device_memory.h"
#include "machine/target.h"

namespace lockstep {

enum class ImageShape : u8 { d1, d1_buffer, d1_array, d2, d2_array, d3 };

// The numbers are those of HSA, which descriptors hold.
enum class ChannelOrder : u8 {
  a = 0,
  r = 1,
  rg = 3,
  ra = 5,
  rgba = 8,
  bgra = 9,
  intensity = 16,
  luminance = 17
};
enum class ChannelType : u8 {
  snorm8 = 0,
  snorm16 = 1,
  unorm8 = 2,
  unorm16 = 3,
  signed8 = 8,
  signed16 = 9,
  signed32 = 10,
  unsigned8 = 11,
  unsigned16 = 12,
  unsigned32 = 13,
  half = 14,
  single = 15
};

struct ImageFormat {
  ChannelOrder order = ChannelOrder::rgba;
  ChannelType type = ChannelType::unorm8;
};

// Bytes of a texel; 0 for an order and type that do not go together (OpenCL 1.2, table 5.6 and 5.7).
u32 texel_bytes(const ImageFormat& format);

// The largest images, texels and layers. 0 where the target has no images.
struct ImageLimits {
  u32 width = 0, height = 0, depth = 0, layers = 0;
  u32 buffer_texels = 0;
};
ImageLimits image_limits(const Target& target);
// Bytes: rows of images in device memory begin at multiples of this, and so do images over a buffer.
inline constexpr u64 image_row_alignment = 256;
// The formats that make_image takes for this target, in a fixed order.
std::vector<ImageFormat> image_formats(const Target& target);

struct ImageDescription {
  ImageShape shape = ImageShape::d2;
  u64 width = 1, height = 1, depth = 1;  // texels
  u64 layers = 1;                        // of arrays
  // Of the host's contents, bytes: from row to row, and from slice or layer to the next; 0 is without gaps.
  u64 row_pitch = 0, slice_pitch = 0;
  ImageFormat format;

  u64 rows() const {
    return shape == ImageShape::d2 || shape == ImageShape::d2_array || shape == ImageShape::d3 ? height : 1;
  }
  u64 slices() const {
    if (shape == ImageShape::d3) return depth;
    return shape == ImageShape::d1_array || shape == ImageShape::d2_array ? layers : 1;
  }
  u64 host_row_pitch() const { return row_pitch != 0 ? row_pitch : width * texel_bytes(format); }
  u64 host_slice_pitch() const { return slice_pitch != 0 ? slice_pitch : host_row_pitch() * rows(); }
  // Of the contents that the pitches describe.
  u64 host_bytes() const {
    return (slices() - 1) * host_slice_pitch() + (rows() - 1) * host_row_pitch() +
           width * texel_bytes(format);
  }
};

// An image that lies in device memory. Plain data: freed by free_image.
struct ImageObject {
  ImageDescription description;
  u64 descriptor = 0;                  // device address: the kernel argument
  u64 address = 0;                     // of the first texel
  u64 bytes = 0;                       // of all texels, gaps between rows included
  u64 row_pitch = 0, slice_pitch = 0;  // bytes, in device memory
  bool owns_texels = true;             // false over a buffer's memory

  u64 texel_address(u64 x, u64 y, u64 z) const {
    return address + z * slice_pitch + y * row_pitch + x * texel_bytes(description.format);
  }
};

// Takes device memory for the texels and the descriptor, and fills the texels from `contents` (zero where
// empty). `name` is for messages. Errors: "unsupported-image" for a target without images, a format or size
// that it does not take, "wrong-contents" when `contents` is shorter than the pitches say,
// "out-of-device-memory".
Expected<ImageObject> make_image(DeviceMemory& memory, const Target& target,
                                 const ImageDescription& description, std::span<const u8> contents,
                                 const std::string& name);
// The same over memory that is there already, as clCreateImage makes images of a buffer: of shape d1_buffer,
// or d2 with the description's row pitch (a multiple of image_row_alignment). Errors: also
// "unsupported-image" for any other shape, address or pitch.
Expected<ImageObject> make_image_over(DeviceMemory& memory, const Target& target,
                                      const ImageDescription& description, u64 address,
                                      const std::string& name);
void free_image(DeviceMemory& memory, const ImageObject& image);

// One more descriptor of the image for another target, whose kernels are handed it; freed by
// DeviceMemory::free. Errors: those of make_image.
Expected<u64> make_image_descriptor(DeviceMemory& memory, const Target& target, const ImageObject& image,
                                    const std::string& name);

// A box of texels: origin and extent by x, y (rows) and z (slices; the layer of a 1D array is in z too).
struct ImageRegion {
  std::array<u64, 3> origin{0, 0, 0};
  std::array<u64, 3> extent{1, 1, 1};
};
ImageRegion whole(const ImageDescription& description);
// Texels to and from host memory with the given pitches. Errors: "wrong-region" for a region outside of the
// image, "wrong-contents" for too few bytes.
Status write_region(DeviceMemory& memory, const ImageObject& image, const ImageRegion& region,
                    std::span<const u8> from, u64 row_pitch, u64 slice_pitch);
Status read_region(const DeviceMemory& memory, const ImageObject& image, const ImageRegion& region,
                   std::span<u8> to, u64 row_pitch, u64 slice_pitch);
// All texels in the description's pitches.
Expected<std::vector<u8>> read_image(const DeviceMemory& memory, const ImageObject& image);

enum class AddressingMode : u8 { none, clamp_to_edge, clamp, repeat, mirrored_repeat };

struct SamplerDescription {
  bool normalized = false;
  AddressingMode addressing = AddressingMode::none;
  bool linear = false;
};

// The device address of a sampler's descriptor: the kernel argument; freed by DeviceMemory::free. Errors:
// "unsupported-image", "out-of-device-memory".
Expected<u64> make_sampler(DeviceMemory& memory, const Target& target, const SamplerDescription& description,
                           const std::string& name);

}  // namespace lockstep
