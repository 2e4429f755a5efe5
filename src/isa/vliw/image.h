// Images of AMD's VLIW GPUs: what a clause of the texture unit samples and fetches, and typed stores to RATs.
// Source: "Evergreen Family Instruction Set Architecture", chapters "Texture-Fetch Clauses" and "Export and
// Memory-Access Instructions". Resources and samplers are the modelled driver's (isa/image_descriptor.h).
#pragma once
#include "isa/semantic.h"

namespace lockstep::vliw {

// What TEX_SAMPLE and TEX_LD say beside their registers. A swizzle has three bits for each channel: 0 to 3 a
// component, 4 zero, 5 one, 6 nothing.
struct TextureForm {
  u8 resource = 0, sampler = 0;
  u8 normalized = 0;           // a bit for each coordinate that is a fraction of the image's size
  u16 source = 0, result = 0;  // swizzles

  void pack(Instruction& in) const {
    in.detail = u32{resource} | u32{sampler} << 8 | u32{normalized} << 13 | u32{source} << 17;
    in.offset = result;
  }
  static TextureForm unpack(const Instruction& in) {
    return {static_cast<u8>(in.detail), static_cast<u8>((in.detail >> 8) & 31),
            static_cast<u8>((in.detail >> 13) & 15), static_cast<u16>((in.detail >> 17) & 0xFFF),
            static_cast<u16>(in.offset)};
  }
};

// TEX_SAMPLE by coordinates through a sampler, TEX_LD by whole numbers: operand [0] the four rows of the
// result, [1] those of the coordinates.
const Semantic& sample_texture();
const Semantic& fetch_texel();
// STORE_TYPED: operand [1] the four rows of the place, [2] those of the texel; Instruction::detail is the
// target's number.
const Semantic& store_texel();

}  // namespace lockstep::vliw
