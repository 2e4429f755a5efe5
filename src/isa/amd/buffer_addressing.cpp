// Buffer addresses. Source: "Vega Instruction Set Architecture", chapter "Vector Memory Buffer Instructions",
// sections "Buffer Addressing" and "Range checking" and the table of the buffer resource constant; the
// layouts of older generations from "Graphics Core Next 3 Instruction Set Architecture", same chapter.
#include <algorithm>

#include "isa/amd/addressing.h"
#include "isa/amd/texel.h"

namespace lockstep::amd {

BufferResource buffer_resource(const WaveState& wave, u32 scalar, ResourceLayout layout) {
  const u32 word0 = wave.read_scalar(scalar), word1 = wave.read_scalar(scalar + 1),
            word3 = wave.read_scalar(scalar + 3);
  BufferResource resource;
  resource.base = word0 | u64{word1 & 0xFFFF} << 32;
  resource.stride = (word1 >> 16) & 0x3FFF;
  resource.swizzle = (word1 >> 31) != 0;
  resource.records = wave.read_scalar(scalar + 2);
  for (u32 i = 0; i < 4; ++i) resource.select[i] = static_cast<u8>((word3 >> (3 * i)) & 7);
  resource.number_format = (word3 >> 12) & 7;
  resource.data_format = (word3 >> 15) & 15;
  resource.index_stride = 8u << ((word3 >> 21) & 3);
  resource.add_thread_id = ((word3 >> 23) & 1) != 0;
  if (layout == ResourceLayout::rdna || layout == ResourceLayout::rdna3) {
    // One format number in bits 18:12 (17:12); OOB_SELECT in 29:28: 0 and 1 check records, 3 bytes (2 only
    // asks whether there are any: bytes are the stricter reading). Without a stride everything is raw.
    const bool rdna3 = layout == ResourceLayout::rdna3;
    const SplitFormat format = split_format((word3 >> 12) & (rdna3 ? 0x3F : 0x7F), rdna3);
    resource.number_format = format.number;
    resource.data_format = format.data;
    resource.structured = resource.stride != 0 && ((word3 >> 28) & 3) < 2;
    return resource;
  }
  if (layout == ResourceLayout::gcn1 || layout == ResourceLayout::gcn3)
    resource.element_bytes = 2u << ((word3 >> 19) & 3);
  if (layout != ResourceLayout::gcn1 && resource.add_thread_id) {
    resource.stride |= resource.data_format << 14;
    resource.data_format = 0;
  }
  resource.structured = resource.stride != 0 && resource.swizzle;
  return resource;
}

template <int W>
bool buffer_places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                   const BufferResource& resource, bool all_or_nothing, memory::Places& places) {
  if (refused_flags(in, context)) return false;
  const Operand& scalar = in.operand[4];
  const u32 scalar_offset = scalar.kind == OperandKind::none ? 0 : scalar_value32(wave, scalar);
  const u64 active = wave.exec() & wave.all_lanes();
  const u64 uniform = resource.base + scalar_offset;

  // Index and offset by lane.
  Row<u32> index, offset;
  u32 next = in.operand[1].index;
  const bool from_index = (in.amd.memory & AmdFields::idxen) != 0,
             from_offset = (in.amd.memory & AmdFields::offen) != 0;
  const u32* index_row = from_index ? wave.row(next++) : nullptr;
  const u32* offset_row = from_offset ? wave.row(next) : nullptr;
  // 64-bit offsets (gfx6, gfx7): how those generations reach global memory without flat instructions.
  const bool wide = (in.amd.memory & AmdFields::addr64) != 0;
  const u32* wide_row = wide ? wave.row(in.operand[1].index) : nullptr;
  const u32* wide_high_row = wide ? wave.row(in.operand[1].index + 1) : nullptr;
  const u32 thread_step = resource.add_thread_id ? 1 : 0;
  const u32 fixed = static_cast<u32>(in.offset);
  for (u32 lane = 0; lane < W; ++lane) {
    index.lane[lane] = (from_index ? index_row[lane] : 0) + thread_step * lane;
    offset.lane[lane] = (from_offset ? offset_row[lane] : 0) + fixed;
  }

  // The wave's private memory is reached through a swizzled buffer that adds the lane's number.
  const u64 private_size = wave.private_bytes_per_lane * wave.lanes;
  const bool own = !wide && resource.swizzle && resource.add_thread_id && private_size != 0 &&
                   uniform - wave.private_base <= private_size;
  memory::View view = own ? memory::private_view(wave, context) : memory::global_view(context);
  if (resource.swizzle && !wide) {
    view.dword_stride = resource.element_bytes == 4 ? u64{4} * resource.index_stride : 4;
  }
  memory::Place& place =
      add_place(places, context, view, own ? Space::private_memory : Space::global, kind, bytes, active);
  u64* address = place.access->address.data();

  if (wide) {
    constexpr u64 address_mask = (u64{1} << 48) - 1;  // compilers put negative offsets into the base
    for (int lane = 0; lane < W; ++lane) {
      address[lane] = (uniform + fixed + (wide_row[lane] | u64{wide_high_row[lane]} << 32)) & address_mask;
    }
  } else if (!resource.swizzle) {
    for (int lane = 0; lane < W; ++lane) {
      address[lane] = uniform + u64{index.lane[lane]} * resource.stride + offset.lane[lane];
    }
  } else {
    const u32 index_shift = static_cast<u32>(std::countr_zero(resource.index_stride));
    const u32 element_shift = static_cast<u32>(std::countr_zero(resource.element_bytes));
    const u32 index_mask = resource.index_stride - 1, element_mask = resource.element_bytes - 1;
    for (int lane = 0; lane < W; ++lane) {
      const u64 index_high = index.lane[lane] >> index_shift, index_low = index.lane[lane] & index_mask;
      const u64 offset_high = offset.lane[lane] >> element_shift,
                offset_low = offset.lane[lane] & element_mask;
      address[lane] = uniform +
                      ((index_high * resource.stride + (offset_high << element_shift)) << index_shift) +
                      (index_low << element_shift) + offset_low;
    }
    if (resource.element_bytes != 4) {
      u64 straddles = 0;
      memory::for_lanes(active, [&](u32 lane) {
        straddles |= (offset.lane[lane] & element_mask) + bytes > resource.element_bytes ? 1 : 0;
      });
      if (straddles != 0) {
        refuse(context,
               "an access that straddles elements of a swizzled buffer whose elements are not dwords");
        return false;
      }
    }
  }

  // Range check: by bytes where the buffer is raw, by records where it is structured.
  if (wide) {
    // A 64-bit address is not checked.
  } else if (resource.structured) {
    u64 outside = 0;
    memory::for_lanes(active,
                      [&](u32 lane) { outside |= u64{index.lane[lane] >= resource.records} << lane; });
    place.zeroed = outside;
  } else {
    const u64 limit = resource.records > scalar_offset ? resource.records - scalar_offset : 0;
    u64 worst = 0;
    Row<u64> linear;
    for (int lane = 0; lane < W; ++lane) {
      linear.lane[lane] = u64{resource.swizzle ? 0 : index.lane[lane]} * resource.stride + offset.lane[lane];
      worst = std::max(worst, linear.lane[lane]);
    }
    if (worst + bytes > limit) {
      const u64 unit = all_or_nothing ? bytes : std::min<u64>(bytes, 4);
      u64 outside = 0;
      bool partial = false;
      memory::for_lanes(active, [&](u32 lane) {
        const u64 first = linear.lane[lane];
        const u64 units = first >= limit ? 0 : std::min<u64>((limit - first) / unit, bytes / unit);
        places.whole_dwords[lane] = static_cast<u8>(units);
        if (units == 0) outside |= u64{1} << lane;
        if (units != 0 && units != bytes / unit) partial = true;
      });
      place.zeroed = outside;
      if (partial) place.whole_dwords = places.whole_dwords.data();
    }
  }
  place.access->lanes = active & ~place.zeroed;
  return true;
}

template bool buffer_places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                const BufferResource&, bool, memory::Places&);
template bool buffer_places<64>(WaveState&, const Instruction&, StepContext&, AccessKind, u8,
                                const BufferResource&, bool, memory::Places&);

}  // namespace lockstep::amd
