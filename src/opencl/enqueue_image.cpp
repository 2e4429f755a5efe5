// OpenCL 3.0, chapters 5.3.3 to 5.3.6: reading, writing, filling, copying and mapping images.
#include <algorithm>
#include <cstring>

#include "opencl/enqueue.h"
#include "opencl/image_format.h"
#include "opencl/memory.h"

using namespace lockstep::opencl;
using lockstep::ImageDescription;
using lockstep::u64;
using lockstep::u8;

namespace {

// A box of texels as the model counts them: x, row, slice or layer.
struct Box {
  std::array<u64, 3> origin, region;
};

// The box of an origin and a region as the API counts them, where a 1D array's layer is the second number.
// Nothing (CL_INVALID_VALUE) when a number is missing, not what the image's type demands, or out of bounds.
std::optional<Box> make_box(const _cl_mem& image, const size_t* origin, const size_t* region) {
  if (origin == nullptr || region == nullptr) return std::nullopt;
  const ImageDescription& d = image.image->object.description;
  Box box{{origin[0], origin[1], origin[2]}, {region[0], region[1], region[2]}};
  if (d.shape == lockstep::ImageShape::d1_array) {
    std::swap(box.origin[1], box.origin[2]);
    std::swap(box.region[1], box.region[2]);
  }
  const std::array<u64, 3> size{d.width, d.rows(), d.slices()};
  for (std::size_t i = 0; i < 3; ++i) {
    if (box.region[i] == 0 || box.origin[i] >= size[i] || box.region[i] > size[i] - box.origin[i])
      return std::nullopt;
  }
  return box;
}

// Where the box's bytes lie in the image.
Rectangle in_image(const _cl_mem& image, const Box& box) {
  const u64 texel = image.image->element_bytes;
  return {{box.region[0] * texel, box.region[1], box.region[2]},
          {box.origin[0] * texel, box.origin[1], box.origin[2]},
          image.image->object.row_pitch,
          image.image->object.slice_pitch};
}

// The box alone, without gaps, `offset` bytes into something.
Rectangle packed(const _cl_mem& image, const Box& box, u64 offset = 0) {
  const u64 row = box.region[0] * image.image->element_bytes;
  return {{row, box.region[1], box.region[2]}, {offset, 0, 0}, row, row * box.region[1]};
}

// The box in host memory with the pitches of clEnqueueReadImage; nothing when a pitch is too small or is
// given where there are no slices.
std::optional<Rectangle> on_host(const _cl_mem& image, const Box& box, u64 row_pitch, u64 slice_pitch) {
  Rectangle made = packed(image, box);
  const ImageDescription& d = image.image->object.description;
  const bool sliced = d.shape == lockstep::ImageShape::d3 || d.shape == lockstep::ImageShape::d2_array ||
                      d.shape == lockstep::ImageShape::d1_array;
  if (row_pitch != 0) {
    if (row_pitch < made.row_pitch) return std::nullopt;
    made.row_pitch = row_pitch;
  }
  made.slice_pitch = made.row_pitch * made.region[1];
  if (slice_pitch != 0) {
    if (!sliced || slice_pitch < made.slice_pitch) return std::nullopt;
    made.slice_pitch = slice_pitch;
  }
  return made;
}

u64 bytes_of(const Rectangle& shape) {
  return shape.region[0] * shape.region[1] * shape.region[2];
}

cl_int check_transfer(cl_command_queue queue, const WaitList& waits, cl_mem image) {
  if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
  return check_image(queue, image);
}

bool same_format(const _cl_mem& a, const _cl_mem& b) {
  return a.image->format.image_channel_order == b.image->format.image_channel_order &&
         a.image->format.image_channel_data_type == b.image->format.image_channel_data_type;
}

}  // namespace

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                          const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr,
                          cl_uint num_waits, const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, image); code != CL_SUCCESS) return code;
    const auto box = make_box(*image, origin, region);
    if (!box || ptr == nullptr) return CL_INVALID_VALUE;
    const auto host = on_host(*image, *box, row_pitch, slice_pitch);
    if (!host) return CL_INVALID_VALUE;
    if (!host_may_read(*image)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(image), device = in_image(*image, *box), host = *host,
                       ptr](_cl_event&) -> cl_int {
      copy_rectangle(static_cast<u8*>(ptr), host, use->bytes, device);
      host_read(*use, 0, use->size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_READ_IMAGE, waits, work, copy_to_host(bytes_of(*host)),
                   blocking != CL_FALSE);
  });
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                           const size_t* region, size_t row_pitch, size_t slice_pitch, const void* ptr,
                           cl_uint num_waits, const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, image); code != CL_SUCCESS) return code;
    const auto box = make_box(*image, origin, region);
    if (!box || ptr == nullptr) return CL_INVALID_VALUE;
    const auto host = on_host(*image, *box, row_pitch, slice_pitch);
    if (!host) return CL_INVALID_VALUE;
    if (!host_may_write(*image)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(image), device = in_image(*image, *box), host = *host,
                       ptr](_cl_event&) -> cl_int {
      copy_rectangle(use->bytes, device, static_cast<const u8*>(ptr), host);
      host_wrote(*use, 0, use->size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_WRITE_IMAGE, waits, work, copy_from_host(bytes_of(*host)),
                   blocking != CL_FALSE);
  });
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                          const size_t* to_origin, const size_t* region, cl_uint num_waits,
                          const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, from); code != CL_SUCCESS) return code;
    if (const cl_int code = check_transfer(queue, waits, to); code != CL_SUCCESS) return code;
    if (!same_format(*from, *to)) return CL_IMAGE_FORMAT_MISMATCH;
    const auto source_box = make_box(*from, from_origin, region);
    const auto target_box = make_box(*to, to_origin, region);
    // Between a 1D array and an image that has rows, one region names layers of one and rows of the other.
    if (!source_box || !target_box || source_box->region != target_box->region) {
      const bool fits =
          source_box && target_box && source_box->region[0] == target_box->region[0] &&
          source_box->region[1] * source_box->region[2] == target_box->region[1] * target_box->region[2] &&
          (source_box->region[1] == 1 || source_box->region[2] == 1) &&
          (target_box->region[1] == 1 || target_box->region[2] == 1);
      if (!fits) return CL_INVALID_VALUE;
    }
    Rectangle source_shape = in_image(*from, *source_box), target_shape = in_image(*to, *target_box);
    if (from->address == to->address) {
      bool meet = true;
      for (std::size_t i = 0; i < 3; ++i) {
        meet = meet && source_box->origin[i] < target_box->origin[i] + target_box->region[i] &&
               target_box->origin[i] < source_box->origin[i] + source_box->region[i];
      }
      if (meet) return CL_MEM_COPY_OVERLAP;
    }
    const auto work = [source = Ref<_cl_mem>(from), target = Ref<_cl_mem>(to), source_shape,
                       target_shape](_cl_event&) -> cl_int {
      // Row by row: both count the same rows, whether they are called rows or layers.
      const u64 rows = source_shape.region[1] * source_shape.region[2];
      const auto at = [](const Rectangle& shape, u64 row) {
        return shape.begin() + row / shape.region[1] * shape.slice_pitch +
               row % shape.region[1] * shape.row_pitch;
      };
      for (u64 row = 0; row < rows; ++row) {
        std::memmove(target->bytes + at(target_shape, row), source->bytes + at(source_shape, row),
                     source_shape.region[0]);
      }
      host_read(*source, 0, source->size);
      host_wrote(*target, 0, target->size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_COPY_IMAGE, waits, work, device_copy(2 * bytes_of(source_shape)));
  });
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer, const size_t* origin,
                                  const size_t* region, size_t offset, cl_uint num_waits,
                                  const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, image); code != CL_SUCCESS) return code;
    if (const cl_int code = check_buffer(queue, buffer); code != CL_SUCCESS) return code;
    if (const cl_int code = check_alignment(buffer); code != CL_SUCCESS) return code;
    const auto box = make_box(*image, origin, region);
    if (!box) return CL_INVALID_VALUE;
    const Rectangle shape = packed(*image, *box, offset);
    if (offset > buffer->size || bytes_of(shape) > buffer->size - offset) return CL_INVALID_VALUE;
    const auto work = [source = Ref<_cl_mem>(image), target = Ref<_cl_mem>(buffer), shape, offset,
                       device = in_image(*image, *box)](_cl_event&) -> cl_int {
      copy_rectangle(target->bytes, shape, source->bytes, device);
      host_read(*source, 0, source->size);
      host_wrote(*target, offset, bytes_of(shape));
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, waits, work, device_copy(2 * bytes_of(shape)));
  });
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image, size_t offset,
                                  const size_t* origin, const size_t* region, cl_uint num_waits,
                                  const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
    if (const cl_int code = check_buffer(queue, buffer); code != CL_SUCCESS) return code;
    if (const cl_int code = check_alignment(buffer); code != CL_SUCCESS) return code;
    if (const cl_int code = check_image(queue, image); code != CL_SUCCESS) return code;
    const auto box = make_box(*image, origin, region);
    if (!box) return CL_INVALID_VALUE;
    const Rectangle shape = packed(*image, *box, offset);
    if (offset > buffer->size || bytes_of(shape) > buffer->size - offset) return CL_INVALID_VALUE;
    const auto work = [source = Ref<_cl_mem>(buffer), target = Ref<_cl_mem>(image), shape, offset,
                       device = in_image(*image, *box)](_cl_event&) -> cl_int {
      copy_rectangle(target->bytes, device, source->bytes, shape);
      host_read(*source, offset, bytes_of(shape));
      host_wrote(*target, 0, target->size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, waits, work, device_copy(2 * bytes_of(shape)));
  });
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void* colour, const size_t* origin,
                          const size_t* region, cl_uint num_waits, const cl_event* wait_list,
                          cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, image); code != CL_SUCCESS) return code;
    const auto box = make_box(*image, origin, region);
    if (!box || colour == nullptr) return CL_INVALID_VALUE;
    const Rectangle device = in_image(*image, *box);
    const auto work = [use = Ref<_cl_mem>(image), device,
                       texel =
                           texel_of(image->image->object.description.format, colour)](_cl_event&) -> cl_int {
      for (u64 z = 0; z < device.region[2]; ++z) {
        for (u64 y = 0; y < device.region[1]; ++y) {
          u8* const row = use->bytes + device.begin() + z * device.slice_pitch + y * device.row_pitch;
          for (u64 at = 0; at < device.region[0]; at += texel.size())
            std::memcpy(row + at, texel.data(), texel.size());
        }
      }
      host_wrote(*use, 0, use->size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_FILL_IMAGE, waits, work, device_copy(bytes_of(device)));
  });
}

namespace {

// The box in the application's own memory (CL_MEM_USE_HOST_PTR), with the pitches that it gave.
Rectangle in_host_ptr(const _cl_mem& image, const Box& box) {
  Rectangle made = in_image(image, box);
  made.row_pitch = image.image->desc.image_row_pitch;
  made.slice_pitch = image.image->desc.image_slice_pitch;
  if (made.slice_pitch == 0) made.slice_pitch = made.row_pitch * image.image->object.description.rows();
  return made;
}

}  // namespace

// As with buffers, a mapped region is device memory itself, or the application's own memory.
void* clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                        const size_t* origin, const size_t* region, size_t* row_pitch, size_t* slice_pitch,
                        cl_uint num_waits, const cl_event* wait_list, cl_event* event, cl_int* errcode_ret) {
  void* mapped = nullptr;
  const cl_int code = guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int wrong = check_transfer(queue, waits, image); wrong != CL_SUCCESS) return wrong;
    const auto box = make_box(*image, origin, region);
    const ImageDescription& d = image->image->object.description;
    const bool sliced = d.shape == lockstep::ImageShape::d3 || d.shape == lockstep::ImageShape::d2_array ||
                        d.shape == lockstep::ImageShape::d1_array;
    if (!box || row_pitch == nullptr || (sliced && slice_pitch == nullptr) || !map_flags_fit(flags))
      return CL_INVALID_VALUE;
    if (!host_access_fits(*image, flags)) return CL_INVALID_OPERATION;
    const bool copied = image->host_ptr != nullptr;
    const Rectangle device = in_image(*image, *box), host = copied ? in_host_ptr(*image, *box) : device;
    u8* const base = copied ? static_cast<u8*>(image->host_ptr) : image->bytes;
    u8* const pointer = base + host.begin();
    const bool invalidates = (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    const bool writes = invalidates || (flags & CL_MAP_WRITE) != 0;
    const auto work = [use = Ref<_cl_mem>(image), device, host, base, copy = copied && !invalidates,
                       invalidates](_cl_event&) -> cl_int {
      if (copy) copy_rectangle(base, host, use->bytes, device);
      if (!invalidates) host_read(*use, 0, use->size);
      return CL_SUCCESS;
    };
    {
      const std::lock_guard lock(image->mutex);
      _cl_mem::Mapping mapping{pointer, 0, bytes_of(device), writes, !invalidates, {}};
      if (copied && writes) {
        mapping.write_back = [device, host, base](_cl_mem& memory) {
          copy_rectangle(memory.bytes, device, base, host);
        };
      }
      image->mappings.push_back(std::move(mapping));
    }
    const cl_int done = enqueue(queue, CL_COMMAND_MAP_IMAGE, waits, work,
                                copy_to_host(invalidates ? 0 : bytes_of(device)), blocking != CL_FALSE);
    if (done == CL_SUCCESS) {
      mapped = pointer;
      *row_pitch = host.row_pitch;
      if (slice_pitch != nullptr) *slice_pitch = sliced ? host.slice_pitch : 0;
    } else {
      const std::lock_guard lock(image->mutex);
      const auto own = std::find_if(image->mappings.begin(), image->mappings.end(),
                                    [&](const auto& each) { return each.pointer == pointer; });
      if (own != image->mappings.end()) image->mappings.erase(own);
    }
    return done;
  });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return mapped;
}
