// Typed buffers: buffer_load_format and its like take the format from the resource, tbuffer_ from the
// instruction. Source: "Vega Instruction Set Architecture", chapter "Vector Memory Buffer Instructions".
#include "isa/amd/buffer_format.h"

#include "float/half.h"
#include "isa/amd/texel.h"

namespace lockstep::amd {
namespace {

using memory::for_lanes;

// Of a component in registers; `apart` are halves with a register each.
enum class Width : u8 { full, half, high_half, apart };

struct Format {
  TexelFormat texel;
  std::array<u8, 4> select{4, 5, 6, 7};
};

// Of a typed instruction: Instruction::detail holds the data format in bits 3:0 and the number format in
// bits 6:4.
bool format_of(const Instruction& in, const BufferResource& resource, bool typed, StepContext& context,
               Format& format) {
  const u32 fields = in.detail;
  if (typed) {
    format.texel = buffer_format(fields & 15, (fields >> 4) & 7);
  } else {
    format.texel = buffer_format(resource.data_format, resource.number_format);
    format.select = resource.select;
  }
  if (format.texel.bytes() != 0) return true;
  refuse(context, "a buffer whose data format and number format do not go together");
  return false;
}

// A component as a half: of a float its value, of an integer its low bits.
u32 narrowed(u32 value, const TexelFormat& format) {
  return format.integer() ? value & 0xFFFF : f32_to_f16(as_f32(value));
}
u32 widened(u32 value, const TexelFormat& format) {
  if (format.number == NumberFormat::sint) return static_cast<u32>(static_cast<i32>(static_cast<i16>(value)));
  return format.integer() ? value & 0xFFFF : as_u32(f16_to_f32(static_cast<f16>(value)));
}

inline constexpr std::string_view load_word = "buffer load typed x", store_word = "buffer store typed x";
inline constexpr std::string_view half_word = " halves", high_word = " high half",
                                  apart_word = " halves apart", instruction_word = ", own format",
                                  no_word = "";
inline constexpr std::string_view digits[] = {"0", "1", "2", "3", "4"};
template <int N>
inline constexpr std::string_view digit = digits[N];
template <Width H>
inline constexpr std::string_view width_name = H == Width::full    ? no_word
                                               : H == Width::half  ? half_word
                                               : H == Width::apart ? apart_word
                                                                   : high_word;
template <bool Typed>
inline constexpr std::string_view typed_name = Typed ? instruction_word : no_word;

// What a typed instruction moves.
struct Form {
  u32 components;
  Width width;
  bool typed;
  ResourceLayout layout;
};

// The instruction's lanes; null where nothing is to be moved.
template <int W>
const memory::Place* format_place(WaveState& wave, const Instruction& in, StepContext& context,
                                  AccessKind kind, const Form& form, Format& format, memory::Places& places) {
  const BufferResource resource = buffer_resource(wave, in.operand[3].index, form.layout);
  if (!format_of(in, resource, form.typed, context, format)) return nullptr;
  const u8 bytes = static_cast<u8>(format.texel.bytes());
  if (!buffer_places<W>(wave, in, context, kind, bytes, resource, true, places)) return nullptr;
  memory::admit<W>(wave, in, context, places.place[0]);
  return memory::moves(context) ? &places.place[0] : nullptr;
}

// One lane's components become registers from `row` on.
void put_components(WaveState& wave, u32 row, u32 lane, const std::array<u32, 4>& value, const Form& form,
                    const TexelFormat& format) {
  switch (form.width) {
    case Width::full:
      for (u32 k = 0; k < form.components; ++k) wave.row(row + k)[lane] = value[k];
      break;
    case Width::apart:
      for (u32 k = 0; k < form.components; ++k) wave.row(row + k)[lane] = narrowed(value[k], format);
      break;
    case Width::high_half: {
      u32& to = wave.row(row)[lane];
      to = (to & 0xFFFF) | narrowed(value[0], format) << 16;
      break;
    }
    case Width::half:
      for (u32 k = 0; k < form.components; k += 2) {
        u32& to = wave.row(row + k / 2)[lane];
        const u32 high = k + 1 < form.components ? narrowed(value[k + 1], format) << 16 : to & 0xFFFF0000u;
        to = narrowed(value[k], format) | high;
      }
      break;
  }
}

u32 component(const WaveState& wave, u32 row, u32 lane, u32 k, Width width, const TexelFormat& format) {
  switch (width) {
    case Width::full:
      return wave.row(row + k)[lane];
    case Width::apart:
      return widened(wave.row(row + k)[lane] & 0xFFFF, format);
    default: {
      const u32 shift = width == Width::high_half || k % 2 == 1 ? 16 : 0;
      return widened((wave.row(row + k / 2)[lane] >> shift) & 0xFFFF, format);
    }
  }
}

template <int W>
void load_components(WaveState& wave, const Instruction& in, StepContext& context, const Form& form) {
  Format format;
  memory::Places places;
  const memory::Place* place = format_place<W>(wave, in, context, AccessKind::load, form, format, places);
  if (place == nullptr) return;
  const u32 one = format.texel.integer() ? 1 : std::bit_cast<u32>(1.0f);
  const auto selected = [&](const std::array<u32, 4>& value) {
    std::array<u32, 4> out{};
    for (u32 k = 0; k < 4; ++k) {
      const u32 from = format.select[k];
      out[k] = from >= 4 ? value[from - 4] : from == 1 ? one : 0;
    }
    return out;
  };
  const u32 row = in.operand[0].index;
  for_lanes(place->access->lanes, [&](u32 lane) {
    std::array<u8, 16> room{};
    memory::read_lane(place->view, place->access->address[lane], room.data(), format.texel.bytes());
    put_components(wave, row, lane, selected(unpack_texel(format.texel, room.data())), form, format.texel);
  });
  for_lanes(place->zeroed,
            [&](u32 lane) { put_components(wave, row, lane, selected({}), form, format.texel); });
}

template <int W>
void store_components(WaveState& wave, const Instruction& in, StepContext& context, const Form& form) {
  Format format;
  memory::Places places;
  const memory::Place* place = format_place<W>(wave, in, context, AccessKind::store, form, format, places);
  if (place == nullptr) return;
  for_lanes(place->access->lanes, [&](u32 lane) {
    std::array<u32, 4> value{};
    for (u32 k = 0; k < form.components; ++k)
      value[k] = component(wave, in.operand[2].index, lane, k, form.width, format.texel);
    std::array<u8, 16> room{};
    pack_texel(format.texel, value, room.data());
    memory::write_lane(place->view, place->access->address[lane], room.data(), format.texel.bytes());
  });
}

template <int N, Width H, bool Typed, ResourceLayout Layout>
struct FormatLoad {
  static constexpr std::string_view name =
      memory::Joined<load_word, digit<N>, width_name<H>, typed_name<Typed>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr u16 implied =
      implies::reads_exec |
      (H == Width::high_half || (H == Width::half && N % 2 == 1) ? implies::reads_result : 0);
  static constexpr MemoryData memory_data = {.high_half = H == Width::high_half};
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    load_components<W>(wave, in, context, {N, H, Typed, Layout});
  }
};

template <int N, Width H, bool Typed, ResourceLayout Layout>
struct FormatStore {
  static constexpr std::string_view name =
      memory::Joined<store_word, digit<N>, width_name<H>, typed_name<Typed>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr MemoryData memory_data = {.high_half = H == Width::high_half};
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{};

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    store_components<W>(wave, in, context, {N, H, Typed, Layout});
  }
};

template <int N, ResourceLayout Layout>
void add_components(RowList& rows, const std::string& letters, u32 generations) {
  constexpr Width full = Width::full, half = Width::half, high = Width::high_half;
  const auto load = [&](const std::string& name, const Semantic* what, u32 which) {
    rows.add(name, letters, what, Cost::vmem_load, generations & which);
  };
  const auto store = [&](const std::string& name, const Semantic* what, u32 which) {
    rows.add(name, letters, what, Cost::vmem_store, generations & which);
  };
  load("buffer_load_format_", &semantic<FormatLoad<N, full, false, Layout>>, every);
  store("buffer_store_format_", &semantic<FormatStore<N, full, false, Layout>>, every);
  load("tbuffer_load_format_", &semantic<FormatLoad<N, full, true, Layout>>, every);
  store("tbuffer_store_format_", &semantic<FormatStore<N, full, true, Layout>>, every);
  // gfx8 keeps each half in a register of its own.
  constexpr Width apart = Width::apart;
  load("buffer_load_format_d16_", &semantic<FormatLoad<N, apart, false, Layout>>, gfx8);
  load("tbuffer_load_format_d16_", &semantic<FormatLoad<N, apart, true, Layout>>, gfx8);
  store("buffer_store_format_d16_", &semantic<FormatStore<N, apart, false, Layout>>, gfx8);
  store("tbuffer_store_format_d16_", &semantic<FormatStore<N, apart, true, Layout>>, gfx8);
  const u32 gfx9_and_10 = gfx9 | gfx10 | gfx103, from_gfx11 = gfx11 | gfx12;
  load("buffer_load_format_d16_", &semantic<FormatLoad<N, half, false, Layout>>, gfx9_and_10);
  load("buffer_load_d16_format_", &semantic<FormatLoad<N, half, false, Layout>>, from_gfx11);
  load("tbuffer_load_format_d16_", &semantic<FormatLoad<N, half, true, Layout>>, gfx9_and_10);
  load("tbuffer_load_d16_format_", &semantic<FormatLoad<N, half, true, Layout>>, from_gfx11);
  store("buffer_store_format_d16_", &semantic<FormatStore<N, half, false, Layout>>, gfx9_and_10);
  store("buffer_store_d16_format_", &semantic<FormatStore<N, half, false, Layout>>, from_gfx11);
  store("tbuffer_store_format_d16_", &semantic<FormatStore<N, half, true, Layout>>, gfx9_and_10);
  store("tbuffer_store_d16_format_", &semantic<FormatStore<N, half, true, Layout>>, from_gfx11);
  if constexpr (N == 1) {
    load("buffer_load_format_d16_hi_", &semantic<FormatLoad<1, high, false, Layout>>, gfx9_and_10);
    store("buffer_store_format_d16_hi_", &semantic<FormatStore<1, high, false, Layout>>, gfx9_and_10);
    load("buffer_load_d16_hi_format_", &semantic<FormatLoad<1, high, false, Layout>>, from_gfx11);
    store("buffer_store_d16_hi_format_", &semantic<FormatStore<1, high, false, Layout>>, from_gfx11);
  }
}

template <ResourceLayout Layout>
void add_layout(RowList& rows, u32 generations) {
  add_components<1, Layout>(rows, "x", generations);
  add_components<2, Layout>(rows, "xy", generations);
  add_components<3, Layout>(rows, "xyz", generations);
  add_components<4, Layout>(rows, "xyzw", generations);
}

}  // namespace

void add_buffer_formats(RowList& rows) {
  add_layout<ResourceLayout::gcn5>(rows, gfx9);
  add_layout<ResourceLayout::gcn3>(rows, gfx8);
  add_layout<ResourceLayout::gcn1>(rows, gfx6 | gfx7);
  add_layout<ResourceLayout::rdna>(rows, gfx10 | gfx103);
  add_layout<ResourceLayout::rdna3>(rows, gfx11 | gfx12);
}

}  // namespace lockstep::amd
