// Messages that reach images: the sampler's, and typed reads and writes of the data port. Source: "Skylake
// PRM, volume 7: 3D-Media-GPGPU", "Message Format" and "Parameter Types" of the sampling engine; "Typed
// Surface Read/Write". Surface and sampler states are the modelled driver's (isa/image_descriptor.h).
#include "isa/gen/image.h"

#include <bit>
#include <cstring>

#include "isa/gen/message.h"
#include "isa/gen/message_parts.h"
#include "isa/image_sampling.h"

namespace lockstep::gen {
namespace {

using Sample = Message::Sample;

bool fail(StepContext& context, const char* text) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = text;
  context.raise(fault);
  return false;
}

// An entry of a table behind the cross-thread data; 0 where there is none.
u64 table_entry(const WaveState& wave, const StepContext& context, u32 table, u32 entries, u32 index) {
  const u64 at = gen(wave).arguments_address + table + u64{8} * index;
  u64 value = 0;
  if (index < entries && context.global.contains(at, 8)) std::memcpy(&value, context.global.at(at), 8);
  return value;
}

bool read_surface(const WaveState& wave, const Operation& operation, StepContext& context, Message& message,
                  ImageDescriptor& image) {
  if (!read_descriptor(wave, operation, context, message)) return false;
  const GenProgram& program = *gen(wave).program;
  const u64 address = table_entry(wave, context, program.payload_bytes, program.surfaces, message.surface);
  if (address == 0)
    return fail(context, "a message to a surface that the kernel's binding table does not have");
  return read_image_descriptor(context, operation.first, address, image);
}

// A channel's elements of a payload.
class Payload {
 public:
  Payload(const WaveState& wave, const Operation& operation) : wave_(wave), operation_(operation) {}

  u32 count() const { return payload_elements(operation_); }
  u32 operator()(u32 element, u32 lane) const {
    const PayloadPlace at = place_in_payload(operation_, element, lane);
    u32 value;
    std::memcpy(&value, registers(wave_, at.number) + at.byte, 4);
    return value;
  }

 private:
  const WaveState& wave_;
  const Operation& operation_;
};

// A texel by whole numbers: the coordinates, and where there are layers, the layer behind them.
void look_at(const Payload& payload, u32 lane, bool level, ImageRead& read) {
  const ImageDescriptor& image = read.image;
  const u32 size[3] = {image.width, image.height, image.depth}, count = payload.count();
  // The level is the third of them.
  const auto element = [&](u32 number) {
    const u32 at = level && number >= 2 ? number + 1 : number;
    return at < count ? payload(at, lane) : 0;
  };
  for (u32 i = 0; i < read.dimensions; ++i)
    read.axis[i].first = texel_at(Clamp::border, size[i], static_cast<i32>(element(i)));
  const u32 layer = read.is_array ? element(read.dimensions) : 0;
  read.layer = std::min(layer, image.depth - 1);
  const bool other_level = level && count > 2 && payload(2, lane) != 0;
  if (other_level || (read.is_array && layer >= image.depth)) read.axis[0].first = -1;
}

// By the sampler's rules. `first` is the first coordinate's place.
void sample_at(const Payload& payload, u32 lane, u32 first, u32 sampler, ImageRead& read) {
  const ImageDescriptor& image = read.image;
  const u32 size[3] = {image.width, image.height, image.depth}, count = payload.count();
  const auto element = [&](u32 number) {
    return std::bit_cast<f32>(first + number < count ? payload(first + number, lane) : 0);
  };
  // Integers are not blended.
  read.linear = (sampler & sampler_bits::linear) != 0 && !format_of(image).integer();
  for (u32 i = 0; i < read.dimensions; ++i)
    read.axis[i] = texels_at(axis_rule(sampler, size[i], read.linear), element(i));
  if (read.is_array) read.layer = layer_at(element(read.dimensions), image.depth);
}

// The components that the message's header does not leave out, one behind the other.
void put_result(WaveState& wave, const Operation& operation, u32 lane, const TexelComponents& value) {
  const Message& message = operation.message;
  if (!operation.responds) return;
  const u32 rows = message.lanes / 8u, most = message.registers / rows;
  u32 left_out = 0;
  if (message.header) {
    std::memcpy(&left_out, registers(wave, operation.payload) + 8, 4);
    left_out >>= 12;
  }
  u32 number = 0;
  for (u32 i = 0; i < 4 && number < most; ++i) {
    if (((left_out >> i) & 1) != 0) continue;
    u8* to = registers(wave, operation.response + number++ * rows) + std::size_t{4} * lane;
    std::memcpy(to, &value[i], 4);
  }
}

void run_size(WaveState& wave, const Operation& operation, u32 active, const ImageDescriptor& image) {
  const std::array<u32, 3> size{image.width, image.dimensions() > 1 ? image.height : 0,
                                image.dimensions() > 2 ? image.depth : 0};
  TexelComponents value{size[0], size[1], size[2], 1};  // of one level
  if (image.is_array()) value[image.dimensions()] = image.depth;
  memory::for_lanes(active, [&](u32 lane) { put_result(wave, operation, lane, value); });
}

void run_sample(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  Message message = operation.message;
  const GenProgram& program = *gen(wave).program;
  const u32 active = active_channels(wave, operation);
  ImageDescriptor image;
  if (active == 0 || !read_surface(wave, operation, context, message, image)) return;
  if (message.sample == Sample::size) {
    if (!context.look_only) run_size(wave, operation, active, image);
    return;
  }
  const bool filtered = message.sample == Sample::filtered || message.sample == Sample::filtered_at_level;
  u32 sampler = 0;
  if (filtered) {
    if (message.sampler >= program.sampler_entries) {
      fail(context, "a sampler that the kernel's table of samplers does not have");
      return;
    }
    const u64 entry =
        table_entry(wave, context, program.sampler_table(), program.sampler_entries, message.sampler);
    if (!read_sampler_bits(context, operation.first, entry, sampler)) return;
  }
  const Payload payload(wave, operation);
  std::array<ImageRead, 16> reads;
  memory::for_lanes(active, [&](u32 lane) {
    ImageRead& read = reads[lane];
    read.image = image;
    read.dimensions = image.dimensions();
    read.is_array = image.is_array();
    if (filtered)
      sample_at(payload, lane, message.sample == Sample::filtered ? 0 : 1, sampler, read);
    else
      look_at(payload, lane, message.sample == Sample::texel_at_level, read);
  });
  u32 number = 0;
  const auto move = [&](const TexelPlaces& places, TexelRows& rows) {
    return move_texels<32>(wave, in, context, {AccessKind::load, number++, operation.first}, places, rows);
  };
  if (!read_texels(reads, active, move) || context.look_only) return;
  memory::for_lanes(active, [&](u32 lane) { put_result(wave, operation, lane, reads[lane].result); });
}

void run_typed(WaveState& wave, const Instruction& in, StepContext& context) {
  const Operation& operation = operation_of(wave, in);
  Message message = operation.message;
  const bool loads = message.kind == Message::Kind::typed_read;
  const u32 active = active_channels(wave, operation);
  ImageDescriptor image;
  if (active == 0 || !read_surface(wave, operation, context, message, image)) return;
  const Payload payload(wave, operation);
  const u32 components = static_cast<u32>(std::popcount(message.mask));
  const u32 given = loads ? payload.count() : payload.count() - components;
  const u32 size[3] = {image.width, image.height, image.depth};
  TexelPlaces places;
  TexelRows rows{};
  memory::for_lanes(active, [&](u32 lane) {
    u32 at[3] = {0, 0, 0};
    bool inside = true;
    for (u32 i = 0; i < image.dimensions() + (image.is_array() ? 1 : 0); ++i) {
      const u32 axis = i < image.dimensions() ? i : 2;  // layers lie as slices do
      at[axis] = i < given ? payload(i, lane) : 0;
      inside &= at[axis] < size[axis];
    }
    if (!inside) return;
    places.add(lane, image, at[0], at[1], at[2]);
    if (loads) return;
    TexelComponents value{};
    u32 number = given;
    for (u32 i = 0; i < 4; ++i)
      if (((message.mask >> i) & 1) != 0) value[i] = payload(number++, lane);
    pack_texel(format_of(image), stored_components(image, value),
               rows.data() + std::size_t{lane} * most_texel_bytes);
  });
  const AccessKind kind = loads ? AccessKind::load : AccessKind::store;
  if (!move_texels<32>(wave, in, context, {kind, 0, operation.first}, places, rows)) return;
  if (!loads || context.look_only || !operation.responds) return;
  memory::for_lanes(active, [&](u32 lane) {
    TexelComponents value{};
    if (((places.lanes >> lane) & 1) != 0)
      value = selected_components(
          image, unpack_texel(format_of(image), rows.data() + std::size_t{lane} * most_texel_bytes));
    u32 number = 0;
    for (u32 i = 0; i < 4; ++i) {
      if (((message.mask >> i) & 1) == 0) continue;
      std::memcpy(registers(wave, operation.response + number++) + std::size_t{4} * lane, &value[i], 4);
    }
  });
}

constexpr Semantic image_semantic(std::string_view name, std::string_view bound = {}) {
  Semantic made;
  made.name = name;
  made.bound = bound;
  made.shape = Shape::memory;
  made.flow = Flow::own;
  made.implied = implies::reads_exec;
  return made;
}
constexpr std::string_view weights =
    "filtered reads: weights of 8 bits, as the sampler's subtexels have them";
constexpr Semantic sample = image_semantic("sampler read", weights), texel = image_semantic("texel read"),
                   size = image_semantic("image size"), typed_read = image_semantic("typed read"),
                   typed_write = image_semantic("typed write");

u32 field_value(PayloadField::Kind kind, const ImageDescriptor& image) {
  using Kind = PayloadField::Kind;
  switch (kind) {
    case Kind::image_width:
      return image.width;
    case Kind::image_height:
      return image.height;
    case Kind::image_depth:
      return image.dimensions() == 3 ? image.depth : 1;
    case Kind::image_array:
      return image.is_array() ? image.depth : 1;
    case Kind::image_channel_order:
      return opencl_channel_order(image);
    case Kind::image_channel_type:
      return opencl_channel_type(image);
    default:
      return 0;
  }
}

// As Intel's compute runtime numbers them (SamplerPatchValues).
u32 field_value(PayloadField::Kind kind, u32 sampler) {
  using Kind = PayloadField::Kind;
  const u32 mode = sampler & sampler_bits::address_mask;
  switch (kind) {
    case Kind::sampler_normalized:
      return (sampler & sampler_bits::normalized) != 0 ? 8 : 0;
    case Kind::sampler_address:
      return mode == sampler_bits::clamp             ? 1
             : mode == sampler_bits::clamp_to_edge   ? 2
             : mode == sampler_bits::repeat          ? 3
             : mode == sampler_bits::mirrored_repeat ? 4
                                                     : 0;
    case Kind::sampler_snap:
      return mode == sampler_bits::clamp && (sampler & sampler_bits::linear) == 0 ? ~u32{0} : 0;
    default:
      return 0;
  }
}

}  // namespace

u32 image_elements(const WaveState& wave, const Operation& operation, const StepContext& context) {
  Message message = operation.message;
  StepContext own;  // keeps faults to itself: the message raises them
  own.global = context.global;
  ImageDescriptor image;
  if (message.sample == Sample::size && message.kind == Message::Kind::sample) return 0;
  if (!read_surface(wave, operation, own, message, image)) return 0;
  const u32 coordinates = image.dimensions() + (image.is_array() ? 1 : 0);
  const u32 given = payload_elements(operation), all = (u32{1} << coordinates) - 1;
  u32 used = all;
  if (message.kind == Message::Kind::sample) {
    // The level lies in front of the coordinates, or behind the second of them.
    if (message.sample == Sample::filtered_at_level) used = all << 1 | 1;
    if (message.sample == Sample::texel_at_level) used = (all & 3) | (all & ~u32{3}) << 1 | 4;
  }
  return used & ((u32{1} << std::min(given, 31u)) - 1);
}

void fill_described_fields(WaveState& wave, StepContext& context, u8* cross_thread) {
  const GenProgram& program = *gen(wave).program;
  for (const PayloadField& field : program.fields) {
    const bool image =
        field.kind >= PayloadField::Kind::image_width && field.kind <= PayloadField::Kind::image_channel_type;
    const bool sampler = field.kind >= PayloadField::Kind::sampler_normalized &&
                         field.kind <= PayloadField::Kind::sampler_snap;
    if (!image && !sampler) continue;
    const u64 handle = table_entry(wave, context, program.described_table(),
                                   static_cast<u32>(program.described.size()), field.described);
    u32 value = 0;
    if (image) {
      ImageDescriptor words;
      if (!read_image_descriptor(context, 0, handle, words)) return;
      value = field_value(field.kind, words);
    } else {
      u32 bits = 0;
      if (!read_sampler_bits(context, 0, handle, bits)) return;
      value = field_value(field.kind, bits);
    }
    std::memcpy(cross_thread + field.offset, &value, std::min<std::size_t>(field.bytes, 4));
  }
}

MessageRun image_run_of(const Message& message) {
  switch (message.kind) {
    case Message::Kind::sample:
      return {run_sample,
              message.sample == Sample::size                                                ? &size
              : message.sample == Sample::texel || message.sample == Sample::texel_at_level ? &texel
                                                                                            : &sample,
              Cost::vmem_image, Addressing::image};
    case Message::Kind::typed_read:
      return {run_typed, &typed_read, Cost::vmem_load, Addressing::image};
    case Message::Kind::typed_write:
      return {run_typed, &typed_write, Cost::vmem_store, Addressing::image};
    default:
      return {};
  }
}

}  // namespace lockstep::gen
