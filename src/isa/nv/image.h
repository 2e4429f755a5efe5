// Texture and surface instructions. Source: "Parallel Thread Execution ISA", version 8.5, 9.7.11 (Texture
// Instructions) and 9.7.12 (Surface Instructions).
#pragma once
#include "isa/semantic.h"

namespace lockstep::nv {

enum class Geometry : u8 { d1, d2, d3, a1, a2 };

// Instruction::detail of all of them but the query.
struct ImageForm {
  Geometry geometry = Geometry::d2;
  u8 results = 4;          // or stored registers
  bool sampler = false;    // the table's second source
  bool integers = false;   // coordinates are texels
  bool formatted = false;  // sust.p
  u8 element_bytes = 4;    // of suld and sust
  u8 outside = 0;          // suld, sust: 0 trap, 1 clamp, 2 zero
  u32 pack() const {
    return static_cast<u32>(geometry) | u32{results} << 3 | u32{sampler} << 6 | u32{integers} << 7 |
           u32{formatted} << 8 | u32{element_bytes} << 9 | u32{outside} << 13;
  }
  static ImageForm unpack(u32 p) {
    return {static_cast<Geometry>(p & 7),  static_cast<u8>((p >> 3) & 7), ((p >> 6) & 1) != 0,
            ((p >> 7) & 1) != 0,           ((p >> 8) & 1) != 0,           static_cast<u8>((p >> 9) & 15),
            static_cast<u8>((p >> 13) & 3)};
  }
};
constexpr u32 dimensions_of(Geometry geometry) {
  return geometry == Geometry::d3 ? 3 : geometry == Geometry::d2 || geometry == Geometry::a2 ? 2 : 1;
}
constexpr bool is_array(Geometry geometry) {
  return geometry == Geometry::a1 || geometry == Geometry::a2;
}

// Tables::registers at operand[5].value: results; the image's handle, the sampler's, the layer, coordinates.
const Semantic& read_texture();
const Semantic& load_surface();
const Semantic& store_surface();
enum class ImageQuery : u8 { width, height, depth, type, order, layers, levels, samples };
const Semantic& query_image();  // result [0], handle [1]; detail: an ImageQuery

}  // namespace lockstep::nv
