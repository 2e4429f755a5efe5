// What the image instructions share: the descriptors and coordinates of an instruction, the addresses of
// texels, and texels to and from registers.
#pragma once
#include "isa/amd/addressing.h"
#include "isa/amd/format.h"
#include "isa/amd/image_resource.h"

namespace lockstep::amd {

struct Image {
  ImageResource resource;
  TexelFormat format;
  u32 texel_bytes = 0;

  u64 address(u32 x, u32 y, u32 z) const {
    return resource.base + z * resource.slice_bytes(texel_bytes) +
           (u64{y} * resource.pitch + x) * texel_bytes;
  }
};

struct ImageInstruction {
  u32 mask = 1;                // components that registers hold
  bool unnormalized = false;   // coordinates count texels whatever the sampler says
  bool array = false;          // the last coordinate is a layer
  bool halves = false;         // components are 16 bits, two in a register
  bool apart = false;          // or one in a register
  bool short_address = false;  // coordinates are 16 bits, two in a register

  explicit ImageInstruction(const Instruction& in) {
    const u32 flags = in.detail;
    mask = flags & 15;
    unnormalized = (flags & image_unnormalized) != 0;
    array = (flags & image_array) != 0;
    halves = (flags & image_halves) != 0;
    apart = (flags & image_apart) != 0;
    short_address = (flags & image_short_address) != 0;
  }
};

// What a layout adds to a meaning's name.
template <ImageLayout Layout>
inline constexpr std::string_view layout_name = Layout == ImageLayout::gcn1    ? " (GCN 1 to 4)"
                                                : Layout == ImageLayout::rdna1 ? " (RDNA 1 and 2)"
                                                : Layout == ImageLayout::rdna3 ? " (RDNA 3)"
                                                : Layout == ImageLayout::rdna4 ? " (RDNA 4)"
                                                                               : "";

// Reads the descriptor. `further` coordinates (a level, derivatives) come beside the image's own. Raises
// FaultKind::not_supported, and returns false, for tiled images, several levels, samples, cubes, formats that
// are not known, and where the instruction has fewer registers than the image needs.
bool image_of(const WaveState& wave, const Instruction& in, StepContext& context, ImageLayout layout,
              u32 further, Image& image);
// The descriptor alone, for instructions that do not reach the texels.
ImageResource image_resource(const WaveState& wave, const Instruction& in, ImageLayout layout);

// The vector register of an address.
inline u32 address_row(const Instruction& in, u32 number) {
  const Operand& address = in.operand[1];
  if ((in.detail & image_scattered) == 0) return address.index + number;
  return static_cast<u32>(address.value >> (8 * number)) & 0xFF;
}

inline u32 address_rows(const Instruction& in) {
  const u32 flags = in.detail;
  return (flags & image_scattered) == 0 ? in.operand[1].registers : flags >> image_scattered_count & 15;
}

// Coordinate `number` of a lane as an integer or as a float.
u32 integer_coordinate(const WaveState& wave, const Instruction& in, bool is_short, u32 number, u32 lane);
f32 float_coordinate(const WaveState& wave, const Instruction& in, bool is_short, u32 number, u32 lane);

// Addresses of the active lanes' texels by integer coordinates; gives the lanes that lie within the image.
// With `level`, the coordinate behind the others must be 0, the only level there is.
u64 texel_addresses(const WaveState& wave, const Instruction& in, const Image& image, bool level,
                    u64* address);

// Shows an access to the checker and checks its bounds; false after a fault.
bool admit_image(WaveState& wave, const Instruction& in, StepContext& context, const Access& access);

// Components in the order of the descriptor's selection, into the registers that the mask names.
using Components = std::array<u32, 4>;
Components selected(const Image& image, const Components& value);
void put_components(WaveState& wave, const Instruction& in, u32 lane, const Components& value,
                    const TexelFormat& format);
// From registers; components without one are 0. The descriptor's selection is undone.
Components taken_components(const WaveState& wave, const Instruction& in, u32 lane, const Image& image);

// Rows of image_sample and its variants.
class RowList;
void add_image_samples(RowList& rows);

}  // namespace lockstep::amd
