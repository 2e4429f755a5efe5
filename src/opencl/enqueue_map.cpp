// OpenCL 3.0, chapters 5.2.4, 5.5.2, 5.5.4: mapping, unmapping, migrating.
#include <algorithm>
#include <cstring>

#include "opencl/enqueue.h"
#include "opencl/memory.h"

namespace lockstep::opencl {
namespace {

constexpr cl_map_flags reading = CL_MAP_READ, writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

}  // namespace

bool map_flags_fit(cl_map_flags flags) {
  if ((flags & ~(reading | writing)) != 0) return false;
  return (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0;
}

bool host_access_fits(const _cl_mem& memory, cl_map_flags flags) {
  const bool reads = (flags & reading) != 0, writes = (flags & writing) != 0;
  if (reads && (memory.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0) return false;
  return !writes || (memory.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

}  // namespace lockstep::opencl

using namespace lockstep::opencl;
using lockstep::u64;
using lockstep::u8;

// The device's memory is the host's: a mapped region is the memory itself, except where the application gave
// its own (CL_MEM_USE_HOST_PTR), which then holds a copy.
void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint num_waits, const cl_event* wait_list,
                         cl_event* event, cl_int* errcode_ret) {
  void* mapped = nullptr;
  const cl_int code = guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int wrong = check_enqueue(queue, waits); wrong != CL_SUCCESS) return wrong;
    if (const cl_int wrong = check_buffer(queue, buffer); wrong != CL_SUCCESS) return wrong;
    if (const cl_int wrong = check_alignment(buffer); wrong != CL_SUCCESS) return wrong;
    if (size == 0 || offset > buffer->size || size > buffer->size - offset || !map_flags_fit(flags))
      return CL_INVALID_VALUE;
    if (!host_access_fits(*buffer, flags)) return CL_INVALID_OPERATION;
    const bool copied = buffer->host_ptr != nullptr;
    u8* const pointer = (copied ? static_cast<u8*>(buffer->host_ptr) : buffer->bytes) + offset;
    const auto work = [use = Ref<_cl_mem>(buffer), offset, size, pointer, copied,
                       keeps = (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0](_cl_event&) -> cl_int {
      if (copied && keeps) std::memcpy(pointer, use->bytes + offset, size);
      if (keeps) host_read(*use, offset, size);
      return CL_SUCCESS;
    };
    {
      const std::lock_guard lock(buffer->mutex);
      _cl_mem::Mapping mapping{pointer, offset, size, (flags & writing) != 0, (flags & reading) != 0, {}};
      if (copied && mapping.writes) {
        mapping.write_back = [pointer, offset, size](_cl_mem& memory) {
          std::memcpy(memory.bytes + offset, pointer, size);
        };
      }
      buffer->mappings.push_back(std::move(mapping));
    }
    const cl_int done =
        enqueue(queue, CL_COMMAND_MAP_BUFFER, waits, work,
                copy_to_host((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0 ? 0 : size), blocking != CL_FALSE);
    if (done == CL_SUCCESS) {
      mapped = pointer;
    } else {
      const std::lock_guard lock(buffer->mutex);
      const auto own = std::find_if(buffer->mappings.begin(), buffer->mappings.end(),
                                    [&](const auto& each) { return each.pointer == pointer; });
      if (own != buffer->mappings.end()) buffer->mappings.erase(own);
    }
    return done;
  });
  if (errcode_ret != nullptr) *errcode_ret = code;
  return mapped;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void* pointer, cl_uint num_waits,
                               const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
    if (const cl_int code = check_memory(queue, memory); code != CL_SUCCESS) return code;
    _cl_mem::Mapping mapping{};
    {
      const std::lock_guard lock(memory->mutex);
      const auto found = std::find_if(memory->mappings.begin(), memory->mappings.end(),
                                      [&](const auto& each) { return each.pointer == pointer; });
      if (pointer == nullptr || found == memory->mappings.end()) return CL_INVALID_VALUE;
      mapping = *found;
      memory->mappings.erase(found);
    }
    const auto work = [use = Ref<_cl_mem>(memory), mapping](_cl_event&) -> cl_int {
      if (mapping.write_back) mapping.write_back(*use);
      if (mapping.writes)
        host_wrote(*use, use->image ? 0 : mapping.offset, use->image ? use->size : mapping.bytes);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_UNMAP_MEM_OBJECT, waits, work,
                   copy_from_host(mapping.writes ? mapping.bytes : 0));
  });
}

// All devices of a context share one memory: there is nothing to move.
cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                  cl_mem_migration_flags flags, cl_uint num_waits, const cl_event* wait_list,
                                  cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
    constexpr cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (count == 0 || objects == nullptr || (flags & ~known) != 0) return CL_INVALID_VALUE;
    std::vector<Ref<_cl_mem>> uses;
    for (cl_uint i = 0; i < count; ++i) {
      if (const cl_int code = check_memory(queue, objects[i]); code != CL_SUCCESS) return code;
      uses.emplace_back(objects[i]);
    }
    return enqueue(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, waits,
                   [uses](_cl_event&) -> cl_int { return CL_SUCCESS; });
  });
}
