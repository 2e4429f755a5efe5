// OpenCL 3.0, chapter 5.2.2 to 5.2.4: reading, writing, copying and filling buffers.
#include <cstring>

#include "opencl/enqueue.h"
#include "opencl/memory.h"

using namespace lockstep::opencl;
using lockstep::u64;
using lockstep::u8;

namespace {

bool inside(const _cl_mem& memory, u64 offset, u64 bytes) {
  return offset <= memory.size && bytes <= memory.size - offset;
}

bool inside(const _cl_mem& memory, const Rectangle& shape) {
  // In 128 bits: the application chooses every factor.
  using Wide = unsigned __int128;
  const Wide end = (Wide{shape.origin[2]} + shape.region[2] - 1) * shape.slice_pitch +
                   (Wide{shape.origin[1]} + shape.region[1] - 1) * shape.row_pitch + shape.origin[0] +
                   shape.region[0];
  return end <= memory.size;
}

cl_int check_transfer(cl_command_queue queue, const WaitList& waits, cl_mem buffer) {
  if (const cl_int code = check_enqueue(queue, waits); code != CL_SUCCESS) return code;
  if (const cl_int code = check_buffer(queue, buffer); code != CL_SUCCESS) return code;
  return check_alignment(buffer);
}

u64 bytes_of(const Rectangle& shape) {
  return shape.region[0] * shape.region[1] * shape.region[2];
}

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* ptr, cl_uint num_waits, const cl_event* wait_list,
                           cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, buffer); code != CL_SUCCESS) return code;
    if (!inside(*buffer, offset, size) || ptr == nullptr || size == 0) return CL_INVALID_VALUE;
    if (!host_may_read(*buffer)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(buffer), offset, size, ptr](_cl_event&) -> cl_int {
      std::memcpy(ptr, use->bytes + offset, size);
      host_read(*use, offset, size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_READ_BUFFER, waits, work, copy_to_host(size), blocking != CL_FALSE);
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* ptr, cl_uint num_waits, const cl_event* wait_list,
                            cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, buffer); code != CL_SUCCESS) return code;
    if (!inside(*buffer, offset, size) || ptr == nullptr || size == 0) return CL_INVALID_VALUE;
    if (!host_may_write(*buffer)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(buffer), offset, size, ptr](_cl_event&) -> cl_int {
      std::memcpy(use->bytes + offset, ptr, size);
      host_wrote(*use, offset, size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_WRITE_BUFFER, waits, work, copy_from_host(size), blocking != CL_FALSE);
  });
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                               size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                               void* ptr, cl_uint num_waits, const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, buffer); code != CL_SUCCESS) return code;
    const auto device = make_rectangle(region, buffer_origin, buffer_row, buffer_slice);
    const auto host = make_rectangle(region, host_origin, host_row, host_slice);
    if (!device || !host || ptr == nullptr || !inside(*buffer, *device)) return CL_INVALID_VALUE;
    if (!host_may_read(*buffer)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(buffer), device, host, ptr](_cl_event&) -> cl_int {
      copy_rectangle(static_cast<u8*>(ptr), *host, use->bytes, *device);
      host_read(*use, device->begin(), device->end() - device->begin());
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_READ_BUFFER_RECT, waits, work, copy_to_host(bytes_of(*device)),
                   blocking != CL_FALSE);
  });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                const void* ptr, cl_uint num_waits, const cl_event* wait_list,
                                cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, buffer); code != CL_SUCCESS) return code;
    const auto device = make_rectangle(region, buffer_origin, buffer_row, buffer_slice);
    const auto host = make_rectangle(region, host_origin, host_row, host_slice);
    if (!device || !host || ptr == nullptr || !inside(*buffer, *device)) return CL_INVALID_VALUE;
    if (!host_may_write(*buffer)) return CL_INVALID_OPERATION;
    const auto work = [use = Ref<_cl_mem>(buffer), device, host, ptr](_cl_event&) -> cl_int {
      copy_rectangle(use->bytes, *device, static_cast<const u8*>(ptr), *host);
      host_wrote(*use, device->begin(), device->end() - device->begin());
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_WRITE_BUFFER_RECT, waits, work, copy_from_host(bytes_of(*device)),
                   blocking != CL_FALSE);
  });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint num_waits, const cl_event* wait_list,
                           cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, from); code != CL_SUCCESS) return code;
    if (const cl_int code = check_transfer(queue, waits, to); code != CL_SUCCESS) return code;
    if (size == 0 || !inside(*from, from_offset, size) || !inside(*to, to_offset, size))
      return CL_INVALID_VALUE;
    // One buffer, or sub-buffers of one: device addresses tell.
    const u64 a = from->address + from_offset, b = to->address + to_offset;
    if (a < b + size && b < a + size) return CL_MEM_COPY_OVERLAP;
    const auto work = [source = Ref<_cl_mem>(from), target = Ref<_cl_mem>(to), from_offset, to_offset,
                       size](_cl_event&) -> cl_int {
      std::memcpy(target->bytes + to_offset, source->bytes + from_offset, size);
      host_read(*source, from_offset, size);
      host_wrote(*target, to_offset, size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_COPY_BUFFER, waits, work, device_copy(2 * size));
  });
}

namespace {

// Whether two boxes of one memory share a byte. Boxes of different pitches are taken as overlapping when
// their spans do, as the specification's check_copy_overlap (appendix) does.
bool overlap(u64 a_base, const Rectangle& a, u64 b_base, const Rectangle& b) {
  const u64 a_begin = a_base + a.begin(), a_end = a_base + a.end();
  const u64 b_begin = b_base + b.begin(), b_end = b_base + b.end();
  if (a_end <= b_begin || b_end <= a_begin) return false;
  if (a_base != b_base || a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
  const auto meet = [&](int i) {
    return a.origin[i] < b.origin[i] + b.region[i] && b.origin[i] < a.origin[i] + a.region[i];
  };
  // Rows that run beyond the pitch wrap into the next one; then the spans decide.
  if (a.origin[0] + a.region[0] > a.row_pitch || b.origin[0] + b.region[0] > b.row_pitch) return true;
  if (a.row_pitch * (a.origin[1] + a.region[1]) > a.slice_pitch ||
      b.row_pitch * (b.origin[1] + b.region[1]) > b.slice_pitch)
    return true;
  return meet(0) && meet(1) && meet(2);
}

}  // namespace

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                               const size_t* to_origin, const size_t* region, size_t from_row,
                               size_t from_slice, size_t to_row, size_t to_slice, cl_uint num_waits,
                               const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, from); code != CL_SUCCESS) return code;
    if (const cl_int code = check_transfer(queue, waits, to); code != CL_SUCCESS) return code;
    const auto source_shape = make_rectangle(region, from_origin, from_row, from_slice);
    const auto target_shape = make_rectangle(region, to_origin, to_row, to_slice);
    if (!source_shape || !target_shape || !inside(*from, *source_shape) || !inside(*to, *target_shape))
      return CL_INVALID_VALUE;
    // Within one buffer both pitches must agree.
    if (from == to && (source_shape->row_pitch != target_shape->row_pitch ||
                       source_shape->slice_pitch != target_shape->slice_pitch))
      return CL_INVALID_VALUE;
    if (overlap(from->address, *source_shape, to->address, *target_shape)) return CL_MEM_COPY_OVERLAP;
    const auto work = [source = Ref<_cl_mem>(from), target = Ref<_cl_mem>(to), source_shape,
                       target_shape](_cl_event&) -> cl_int {
      copy_rectangle(target->bytes, *target_shape, source->bytes, *source_shape);
      host_read(*source, source_shape->begin(), source_shape->end() - source_shape->begin());
      host_wrote(*target, target_shape->begin(), target_shape->end() - target_shape->begin());
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_COPY_BUFFER_RECT, waits, work, device_copy(2 * bytes_of(*source_shape)));
  });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern, size_t pattern_size,
                           size_t offset, size_t size, cl_uint num_waits, const cl_event* wait_list,
                           cl_event* event) {
  return guarded([&]() -> cl_int {
    const WaitList waits{num_waits, wait_list, event};
    if (const cl_int code = check_transfer(queue, waits, buffer); code != CL_SUCCESS) return code;
    const bool power = pattern_size != 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0;
    if (!inside(*buffer, offset, size) || pattern == nullptr || !power || offset % pattern_size != 0 ||
        size % pattern_size != 0)
      return CL_INVALID_VALUE;
    std::vector<u8> value(static_cast<const u8*>(pattern), static_cast<const u8*>(pattern) + pattern_size);
    const auto work = [use = Ref<_cl_mem>(buffer), value, offset, size](_cl_event&) -> cl_int {
      u8* const to = use->bytes + offset;
      for (u64 at = 0; at < size; at += value.size()) std::memcpy(to + at, value.data(), value.size());
      host_wrote(*use, offset, size);
      return CL_SUCCESS;
    };
    return enqueue(queue, CL_COMMAND_FILL_BUFFER, waits, work, device_copy(size));
  });
}
