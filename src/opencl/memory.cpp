// OpenCL 3.0, chapters 5.2.1, 5.5: buffers and what all memory objects share.
#include "opencl/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opencl/info.h"
#include "opencl/platform.h"
#include "opencl/types.h"

namespace lockstep::opencl {
namespace {

constexpr cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags pointer_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags host_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

bool at_most_one(cl_mem_flags flags) {
  return (flags & (flags - 1)) == 0;
}

}  // namespace

bool memory_flags_fit(cl_mem_flags flags) {
  return (flags & ~(access_flags | pointer_flags | host_flags)) == 0 && at_most_one(flags & access_flags) &&
         at_most_one(flags & host_flags) &&
         ((flags & CL_MEM_USE_HOST_PTR) == 0 ||
          (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0);
}

bool host_pointer_fits(cl_mem_flags flags, const void* host_ptr) {
  return (host_ptr != nullptr) == ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0);
}

cl_mem_flags inherited_flags(cl_mem_flags flags, cl_mem_flags parent, cl_int& code) {
  constexpr cl_mem_flags access = 7,
                         host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  constexpr cl_mem_flags pointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  const bool bad =
      !memory_flags_fit(flags) || (flags & pointer) != 0 ||
      ((parent & CL_MEM_WRITE_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0) ||
      ((parent & CL_MEM_READ_ONLY) != 0 && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0) ||
      ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (flags & CL_MEM_HOST_READ_ONLY) != 0) ||
      ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (flags & CL_MEM_HOST_WRITE_ONLY) != 0) ||
      ((parent & CL_MEM_HOST_NO_ACCESS) != 0 &&
       (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0);
  if (bad) {
    code = CL_INVALID_VALUE;
    return 0;
  }
  if ((flags & access) == 0) flags |= parent & access;
  if ((flags & host) == 0) flags |= parent & host;
  return flags | (parent & pointer);
}

cl_int allocate_device_memory(_cl_mem& memory) {
  _cl_context& context = *memory.context;
  const std::lock_guard lock(context.mutex);
  if (memory.size > context.memory_limit_bytes - context.memory_used_bytes)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  const Expected<u64> address = context.memory->allocate(memory.size, buffer_alignment_bytes,
                                                         fmt::format("buffer of {} bytes", memory.size));
  if (!address) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if ((memory.flags & CL_MEM_READ_ONLY) != 0) context.memory->set_use(*address, KernelUse::loads);
  if ((memory.flags & CL_MEM_WRITE_ONLY) != 0) context.memory->set_use(*address, KernelUse::stores);
  memory.address = *address;
  memory.bytes = context.memory->view().at(*address);
  memory.owns_memory = true;
  context.memory_used_bytes += memory.size;
  return CL_SUCCESS;
}

void host_wrote(const _cl_mem& memory, u64 offset, u64 bytes) {
  DeviceMemory& device = *memory.context->memory;
  if (device.tracks_written() && bytes != 0) device.mark_written(memory.address + offset, bytes);
  memory.context->timed_devices.host_wrote(memory.address + offset, bytes);
}

void host_read(const _cl_mem& memory, u64 offset, u64 bytes) {
  memory.context->timed_devices.host_read(memory.address + offset, bytes);
}

}  // namespace lockstep::opencl

_cl_mem::~_cl_mem() {
  if (!owns_memory && !image) return;
  const std::lock_guard lock(context->mutex);
  if (image) {
    for (const auto& [target, descriptor] : image->descriptors) context->memory->free(descriptor);
  }
  if (!owns_memory) return;
  context->memory->free(address);
  context->memory_used_bytes -= size;
  // Whose memory it will be next finds nothing of it in caches.
  context->timed_devices.host_wrote(address, size);
}

using namespace lockstep::opencl;
using lockstep::u64;

namespace {

cl_mem make_buffer(cl_context context, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                   size_t size, void* host_ptr, cl_int& code) {
  if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
  if (!memory_flags_fit(flags)) return code = CL_INVALID_VALUE, nullptr;
  u64 most = 0;
  for (const cl_device_id device : context->devices) most = std::max(most, most_bytes_of_buffer(*device));
  if (size == 0 || size > most) return code = CL_INVALID_BUFFER_SIZE, nullptr;
  if (!host_pointer_fits(flags, host_ptr)) return code = CL_INVALID_HOST_PTR, nullptr;
  auto memory = std::make_unique<_cl_mem>();
  memory->context = context;
  memory->properties = std::move(properties);
  // A buffer is for reading and writing when nothing else is said.
  memory->flags = (flags & 7) == 0 ? flags | CL_MEM_READ_WRITE : flags;
  memory->size = size;
  memory->host_ptr = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host_ptr : nullptr;
  code = allocate_device_memory(*memory);
  if (code != CL_SUCCESS) return nullptr;
  if (host_ptr != nullptr) {
    std::memcpy(memory->bytes, host_ptr, size);
    host_wrote(*memory, 0, size);
  }
  return memory.release();
}

}  // namespace

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                      cl_int* errcode_ret) {
  return created<_cl_mem>(
      errcode_ret, [&](cl_int& code) { return make_buffer(context, {}, flags, size, host_ptr, code); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                    cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  return created<_cl_mem>(errcode_ret, [&](cl_int& code) -> cl_mem {
    if (!valid(context)) return code = CL_INVALID_CONTEXT, nullptr;
    // No property is defined for buffers.
    if (properties != nullptr && *properties != 0) return code = CL_INVALID_PROPERTY, nullptr;
    std::vector<cl_mem_properties> list;
    if (properties != nullptr) list.push_back(0);
    return make_buffer(context, std::move(list), flags, size, host_ptr, code);
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void* create,
                         cl_int* errcode_ret) {
  return created<_cl_mem>(errcode_ret, [&](cl_int& code) -> cl_mem {
    if (!valid(buffer) || buffer->type != CL_MEM_OBJECT_BUFFER || buffer->parent)
      return code = CL_INVALID_MEM_OBJECT, nullptr;
    flags = inherited_flags(flags, buffer->flags, code);
    if (code != CL_SUCCESS) return nullptr;
    if (type != CL_BUFFER_CREATE_TYPE_REGION || create == nullptr) return code = CL_INVALID_VALUE, nullptr;
    const auto& region = *static_cast<const cl_buffer_region*>(create);
    if (region.size == 0) return code = CL_INVALID_BUFFER_SIZE, nullptr;
    if (region.origin > buffer->size || region.size > buffer->size - region.origin)
      return code = CL_INVALID_VALUE, nullptr;
    if (region.origin % buffer_alignment_bytes != 0) return code = CL_MISALIGNED_SUB_BUFFER_OFFSET, nullptr;
    auto* made = new _cl_mem;
    made->context = buffer->context;
    made->flags = flags;
    made->size = region.size;
    made->parent = buffer;
    made->origin = region.origin;
    made->address = buffer->address + region.origin;
    made->bytes = buffer->bytes + region.origin;
    if (buffer->host_ptr != nullptr) made->host_ptr = static_cast<char*>(buffer->host_ptr) + region.origin;
    return made;
  });
}

cl_int clRetainMemObject(cl_mem memory) {
  if (!valid(memory)) return CL_INVALID_MEM_OBJECT;
  retain(memory);
  return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem memory) {
  return guarded([&] { return valid(memory) && release(memory) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT; });
}

cl_int clSetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK* notify)(cl_mem, void*),
                                        void* user_data) {
  return guarded([&]() -> cl_int {
    if (!valid(memory)) return CL_INVALID_MEM_OBJECT;
    if (notify == nullptr) return CL_INVALID_VALUE;
    const std::lock_guard lock(memory->mutex);
    memory->destructors.emplace_back(notify, user_data);
    return CL_SUCCESS;
  });
}

cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t size, void* value, size_t* size_ret) {
  return guarded([&]() -> cl_int {
    if (!valid(memory)) return CL_INVALID_MEM_OBJECT;
    const InfoPlace info(size, value, size_ret);
    switch (name) {
      case CL_MEM_TYPE:
        return info.value<cl_mem_object_type>(memory->type);
      case CL_MEM_FLAGS:
        return info.value<cl_mem_flags>(memory->flags);
      case CL_MEM_SIZE:
        return info.value<size_t>(memory->size);
      case CL_MEM_HOST_PTR:
        return info.value<void*>(memory->host_ptr);
      case CL_MEM_MAP_COUNT: {
        const std::lock_guard lock(memory->mutex);
        return info.value<cl_uint>(static_cast<cl_uint>(memory->mappings.size()));
      }
      case CL_MEM_REFERENCE_COUNT:
        return info.value<cl_uint>(memory->references);
      case CL_MEM_CONTEXT:
        return info.value<cl_context>(memory->context.get());
      case CL_MEM_ASSOCIATED_MEMOBJECT:
        return info.value<cl_mem>(memory->parent.get());
      case CL_MEM_OFFSET:
        return info.value<size_t>(memory->origin);
      case CL_MEM_USES_SVM_POINTER:
        return info.value<cl_bool>(CL_FALSE);
      case CL_MEM_PROPERTIES:
        return info.list(memory->properties);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
