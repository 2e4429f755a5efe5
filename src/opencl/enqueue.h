// What all enqueueing functions share: checks of queue, wait list and memory objects, and submission.
#pragma once
#include <initializer_list>

#include "opencl/types.h"

namespace lockstep::opencl {

struct WaitList {
  cl_uint count;
  const cl_event* events;
  cl_event* result;  // where the application wants the command's event; may be null
};

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_EVENT_WAIT_LIST or CL_INVALID_CONTEXT. Chapter 5 names the same errors
// for every command.
cl_int check_enqueue(cl_command_queue queue, const WaitList& waits);

// CL_INVALID_MEM_OBJECT for what is no buffer; CL_INVALID_CONTEXT for one of another context.
cl_int check_buffer(cl_command_queue queue, cl_mem buffer);
// The same for any memory object.
cl_int check_memory(cl_command_queue queue, cl_mem memory);

// The same for images, and whether the queue's device takes them: CL_INVALID_OPERATION.
cl_int check_image(cl_command_queue queue, cl_mem image);

// What the memory's flags let the host do (5.2.1, CL_MEM_HOST_...).
inline bool host_may_read(const _cl_mem& memory) {
  return (memory.flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}
inline bool host_may_write(const _cl_mem& memory) {
  return (memory.flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}
// Known flags, and no two that exclude each other; and whether the memory's flags allow them.
bool map_flags_fit(cl_map_flags flags);
bool host_access_fits(const _cl_mem& memory, cl_map_flags flags);

// CL_MISALIGNED_SUB_BUFFER_OFFSET when a sub-buffer does not begin where the device wants it.
cl_int check_alignment(cl_mem buffer);

inline Cost copy_from_host(u64 bytes) {
  return {Engine::copy, bytes, 0, 0, {}};
}
inline Cost copy_to_host(u64 bytes) {
  return {Engine::copy_to_host, bytes, 0, 0, {}};
}
inline Cost device_copy(u64 bytes) {
  return {Engine::copy, 0, bytes, 0, {}};
}

// Queues `work`. With `blocking` returns when it is complete: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
// when what it waited for failed, CL_OUT_OF_RESOURCES when an earlier command of the queue did.
cl_int enqueue(cl_command_queue queue, cl_command_type type, const WaitList& waits,
               std::function<cl_int(_cl_event&)> work, const Cost& cost = {}, bool blocking = false,
               Ordering ordering = Ordering::queue);

// What clEnqueue...Rect takes; pitches of 0 are the smallest that fit.
struct Rectangle {
  std::array<u64, 3> region;
  std::array<u64, 3> origin;
  u64 row_pitch, slice_pitch;

  u64 begin() const { return origin[2] * slice_pitch + origin[1] * row_pitch + origin[0]; }
  // One past the last byte.
  u64 end() const {
    return begin() + (region[2] - 1) * slice_pitch + (region[1] - 1) * row_pitch + region[0];
  }
};

// Nothing when an argument is null, a size zero or a pitch too small (CL_INVALID_VALUE).
std::optional<Rectangle> make_rectangle(const size_t* region, const size_t* origin, size_t row_pitch,
                                        size_t slice_pitch);

void copy_rectangle(u8* to, const Rectangle& to_shape, const u8* from, const Rectangle& from_shape);

}  // namespace lockstep::opencl
