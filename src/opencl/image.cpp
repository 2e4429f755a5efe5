// OpenCL 3.0, chapters 5.3.1, 5.3.2, 5.3.7: making images, the formats that there are, queries.
#include <fmt/format.h>

#include <algorithm>

#include "opencl/image_format.h"
#include "opencl/info.h"
#include "opencl/memory.h"
#include "opencl/platform.h"

namespace lockstep::opencl {
namespace {

bool is_image_type(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
         type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

ImageShape shape_of(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
      return ImageShape::d1;
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return ImageShape::d1_buffer;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return ImageShape::d1_array;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return ImageShape::d2_array;
    case CL_MEM_OBJECT_IMAGE3D:
      return ImageShape::d3;
    default:
      return ImageShape::d2;
  }
}

// The first device that has images. All such devices have the same formats and lay texels out alike; their
// limits differ.
cl_device_id image_device(const _cl_context& context) {
  const auto found = std::find_if(context.devices.begin(), context.devices.end(),
                                  [](cl_device_id device) { return has_images(*device); });
  return found == context.devices.end() ? nullptr : *found;
}

// The errors of format and flags, which come before all that the description can have.
cl_int check_format(cl_mem_flags flags, const cl_image_format* format) {
  if (!memory_flags_fit(flags)) return CL_INVALID_VALUE;
  if (format == nullptr || !format_is_valid(*format)) return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  return CL_SUCCESS;
}

// Fills what the model needs to know; the errors of the description's own values.
cl_int describe(const cl_image_desc& desc, const ImageFormat& format, const ImageLimits& most,
                ImageDescription& d) {
  d.shape = shape_of(desc.image_type);
  d.format = format;
  d.width = desc.image_width;
  if (d.shape == ImageShape::d2 || d.shape == ImageShape::d2_array || d.shape == ImageShape::d3)
    d.height = desc.image_height;
  if (d.shape == ImageShape::d3) d.depth = desc.image_depth;
  if (d.shape == ImageShape::d1_array || d.shape == ImageShape::d2_array) d.layers = desc.image_array_size;
  if (desc.num_mip_levels != 0 || desc.num_samples != 0) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (d.width == 0 || d.height == 0 || d.depth == 0 || d.layers == 0) return CL_INVALID_IMAGE_DESCRIPTOR;
  const u64 width = d.shape == ImageShape::d1_buffer ? most.buffer_texels : most.width;
  if (d.width > width || d.height > most.height || d.depth > most.depth || d.layers > most.layers)
    return CL_INVALID_IMAGE_SIZE;
  return CL_SUCCESS;
}

// The pitches of the host's contents: 0, or at least what the rows and slices take.
cl_int check_pitches(const cl_image_desc& desc, bool has_contents, ImageDescription& d) {
  const u64 row = desc.image_row_pitch, slice = desc.image_slice_pitch, texel = texel_bytes(d.format);
  const bool sliced =
      d.shape == ImageShape::d3 || d.shape == ImageShape::d1_array || d.shape == ImageShape::d2_array;
  if (!has_contents) return row == 0 && slice == 0 ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
  if (row != 0 && (row < d.width * texel || row % texel != 0)) return CL_INVALID_IMAGE_DESCRIPTOR;
  d.row_pitch = row;
  if (!sliced) return CL_SUCCESS;
  if (slice != 0 && (slice < d.host_row_pitch() * d.rows() || slice % d.host_row_pitch() != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  d.slice_pitch = slice;
  return CL_SUCCESS;
}

// An image over a buffer: what the buffer must be, and what the image inherits.
cl_int check_parent(const _cl_context& context, cl_mem parent, const cl_image_desc& desc, ImageDescription& d,
                    cl_mem_flags& flags) {
  const bool flat = d.shape == ImageShape::d2;
  if (!flat && d.shape != ImageShape::d1_buffer) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!valid(parent) || parent->context.get() != &context) return CL_INVALID_IMAGE_DESCRIPTOR;
  // Images of images are for pairs of formats, sRGB and RGB or depth and R, of which no GPU here has both.
  if (parent->image) return flat ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : CL_INVALID_IMAGE_DESCRIPTOR;
  const u64 texel = texel_bytes(d.format), row = desc.image_row_pitch;
  if (desc.image_slice_pitch != 0) return CL_INVALID_IMAGE_DESCRIPTOR;
  if (flat) {
    if (row % image_row_alignment != 0) return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (row != 0 && row < d.width * texel) return CL_INVALID_IMAGE_DESCRIPTOR;
    d.row_pitch = row;
    if (d.host_row_pitch() % image_row_alignment != 0) return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  } else if (row != 0) {
    return CL_INVALID_IMAGE_DESCRIPTOR;
  }
  if (d.host_bytes() > parent->size) return CL_INVALID_IMAGE_SIZE;
  cl_int code = CL_SUCCESS;
  flags = inherited_flags(flags, parent->flags, code);
  return code;
}

// Texels and descriptors in device memory.
cl_int allocate_image(_cl_mem& memory, const Target& first, const ImageDescription& d,
                      std::span<const u8> contents) {
  _cl_context& context = *memory.context;
  const std::lock_guard lock(context.mutex);
  ImageState& state = *memory.image;
  const std::string name = fmt::format("image of {} x {} x {}", d.width, d.rows(), d.slices());
  Expected<ImageObject> made = memory.parent
                                   ? make_image_over(*context.memory, first, d, memory.parent->address, name)
                               : d.host_bytes() > context.memory_limit_bytes - context.memory_used_bytes
                                   ? Expected<ImageObject>(Diagnostic{"out-of-device-memory", {}, name, ""})
                                   : make_image(*context.memory, first, d, contents, name);
  if (!made)
    return made.error().code == "out-of-device-memory" ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                       : CL_INVALID_IMAGE_DESCRIPTOR;
  state.object = *made;
  state.object.description.row_pitch = state.object.description.slice_pitch = 0;
  state.descriptors.emplace_back(&first, made->descriptor);
  memory.address = made->address;
  memory.bytes = context.memory->view().at(made->address);
  memory.size = made->bytes;
  memory.owns_memory = !memory.parent;
  if (memory.owns_memory) context.memory_used_bytes += memory.size;
  for (const cl_device_id device : context.devices) {
    const Target* const target = device->machine.target;
    const auto known = std::any_of(state.descriptors.begin(), state.descriptors.end(),
                                   [&](const auto& each) { return each.first == target; });
    if (!has_images(*device) || known) continue;
    const Expected<u64> more = make_image_descriptor(*context.memory, *target, state.object, name);
    // A device whose limits the image exceeds gets none: its kernels cannot be given the image.
    if (!more && more.error().code != "out-of-device-memory") continue;
    if (!more) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    state.descriptors.emplace_back(target, *more);
  }
  return CL_SUCCESS;
}

cl_mem make_image(cl_context context, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                  const cl_image_format* format, const cl_image_desc* desc, void* host_ptr, cl_int& code) {
  if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
  if (code = check_format(flags, format); code != CL_SUCCESS) return nullptr;
  code = CL_INVALID_IMAGE_DESCRIPTOR;
  if (desc == nullptr || !is_image_type(desc->image_type)) return nullptr;
  const cl_mem parent = desc->mem_object;
  if (desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER && parent == nullptr) return nullptr;
  const cl_device_id device = image_device(*context);
  if (device == nullptr) return code = CL_INVALID_OPERATION, nullptr;
  const std::optional<ImageFormat> known = format_of(*format);
  if (!known) return code = CL_IMAGE_FORMAT_NOT_SUPPORTED, nullptr;
  ImageDescription d;
  const Target* target = nullptr;
  for (const cl_device_id each : context->devices) {
    if (target != nullptr || !has_images(*each)) continue;
    d = {};
    code = describe(*desc, *known, image_limits(*each->machine.target), d);
    if (code == CL_SUCCESS) target = each->machine.target;
  }
  if (target == nullptr) return nullptr;
  if (!(parent != nullptr ? host_ptr == nullptr : host_pointer_fits(flags, host_ptr)))
    return code = CL_INVALID_HOST_PTR, nullptr;
  code = parent != nullptr ? check_parent(*context, parent, *desc, d, flags)
                           : check_pitches(*desc, host_ptr != nullptr, d);
  if (code != CL_SUCCESS) return nullptr;
  auto memory = std::make_unique<_cl_mem>();
  memory->context = context;
  memory->type = desc->image_type;
  memory->properties = std::move(properties);
  memory->flags = (flags & 7) == 0 ? flags | CL_MEM_READ_WRITE : flags;
  memory->parent = parent;
  memory->image.emplace();
  memory->image->format = *format;
  memory->image->desc = *desc;
  memory->image->desc.image_row_pitch = d.host_row_pitch();
  memory->image->desc.image_slice_pitch =
      d.shape == ImageShape::d1 || d.shape == ImageShape::d1_buffer || d.shape == ImageShape::d2
          ? 0
          : d.host_slice_pitch();
  memory->image->element_bytes = texel_bytes(*known);
  memory->host_ptr =
      parent != nullptr ? parent->host_ptr : ((flags & CL_MEM_USE_HOST_PTR) != 0 ? host_ptr : nullptr);
  std::span<const u8> contents;
  if (host_ptr != nullptr) contents = {static_cast<const u8*>(host_ptr), d.host_bytes()};
  code = allocate_image(*memory, *target, d, contents);
  return code == CL_SUCCESS ? memory.release() : nullptr;
}

}  // namespace
}  // namespace lockstep::opencl

using namespace lockstep;
using namespace lockstep::opencl;

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* desc, void* host_ptr, cl_int* errcode_ret) {
  return created<_cl_mem>(errcode_ret, [&](cl_int& code) {
    return make_image(context, {}, flags, format, desc, host_ptr, code);
  });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties,
                                   cl_mem_flags flags, const cl_image_format* format,
                                   const cl_image_desc* desc, void* host_ptr, cl_int* errcode_ret) {
  return created<_cl_mem>(errcode_ret, [&](cl_int& code) -> cl_mem {
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    // No property is defined for images.
    if (properties != nullptr && *properties != 0) return code = CL_INVALID_PROPERTY, nullptr;
    std::vector<cl_mem_properties> list;
    if (properties != nullptr) list.push_back(0);
    return make_image(context, std::move(list), flags, format, desc, host_ptr, code);
  });
}

namespace {

// The functions of OpenCL 1.1 call every wrong extent and pitch an image size.
cl_mem make_old_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                      const cl_image_desc& desc, void* host_ptr, cl_int* errcode_ret) {
  cl_int code = CL_SUCCESS;
  const cl_mem made = clCreateImage(context, flags, format, &desc, host_ptr, &code);
  if (code == CL_INVALID_IMAGE_DESCRIPTOR) code = CL_INVALID_IMAGE_SIZE;
  if (errcode_ret != nullptr) *errcode_ret = code;
  return made;
}

}  // namespace

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format, size_t width,
                       size_t height, size_t row_pitch, void* host_ptr, cl_int* errcode_ret) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = row_pitch;
  return make_old_image(context, flags, format, desc, host_ptr, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* format, size_t width,
                       size_t height, size_t depth, size_t row_pitch, size_t slice_pitch, void* host_ptr,
                       cl_int* errcode_ret) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_depth = depth > 1 ? depth : 0;  // one slice is an image of two dimensions (OpenCL 1.1, 5.3.1)
  desc.image_row_pitch = row_pitch;
  desc.image_slice_pitch = slice_pitch;
  return make_old_image(context, flags, format, desc, host_ptr, errcode_ret);
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint num_entries, cl_image_format* formats, cl_uint* num_formats) {
  return guarded([&]() -> cl_int {
    if (!valid(context)) return CL_INVALID_CONTEXT;
    constexpr cl_mem_flags both_ways = CL_MEM_KERNEL_READ_AND_WRITE;
    if (!memory_flags_fit(flags & ~both_ways) || !is_image_type(type) ||
        (num_entries == 0 && formats != nullptr))
      return CL_INVALID_VALUE;
    const cl_device_id device = image_device(*context);
    std::vector<ImageFormat> list;
    // CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS is 0.
    if (device != nullptr && (flags & both_ways) == 0) list = image_formats(*device->machine.target);
    if (formats != nullptr) {
      for (std::size_t i = 0; i < std::min<std::size_t>(num_entries, list.size()); ++i)
        formats[i] = format_of(list[i]);
    }
    if (num_formats != nullptr) *num_formats = static_cast<cl_uint>(list.size());
    return CL_SUCCESS;
  });
}

cl_int clGetImageInfo(cl_mem image, cl_image_info name, size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(image) || !image->image) return CL_INVALID_MEM_OBJECT;
    const ImageState& state = *image->image;
    const ImageDescription& d = state.object.description;
    const bool array = d.shape == ImageShape::d1_array || d.shape == ImageShape::d2_array;
    const bool flat =
        d.shape == ImageShape::d1 || d.shape == ImageShape::d1_buffer || d.shape == ImageShape::d1_array;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_IMAGE_FORMAT:
        return info.value(state.format);
      case CL_IMAGE_ELEMENT_SIZE:
        return info.value<size_t>(state.element_bytes);
      case CL_IMAGE_ROW_PITCH:
        return info.value<size_t>(state.desc.image_row_pitch);
      case CL_IMAGE_SLICE_PITCH:
        return info.value<size_t>(state.desc.image_slice_pitch);
      case CL_IMAGE_WIDTH:
        return info.value<size_t>(d.width);
      case CL_IMAGE_HEIGHT:
        return info.value<size_t>(flat ? 0 : d.height);
      case CL_IMAGE_DEPTH:
        return info.value<size_t>(d.shape == ImageShape::d3 ? d.depth : 0);
      case CL_IMAGE_ARRAY_SIZE:
        return info.value<size_t>(array ? d.layers : 0);
      case CL_IMAGE_BUFFER:
        return info.value<cl_mem>(image->parent.get());
      case CL_IMAGE_NUM_MIP_LEVELS:
      case CL_IMAGE_NUM_SAMPLES:
        return info.value<cl_uint>(0);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
