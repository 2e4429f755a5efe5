#include "opencl/enqueue.h"

#include <cstring>

#include "opencl/platform.h"

namespace lockstep::opencl {

cl_int check_enqueue(cl_command_queue queue, const WaitList& waits) {
  if (!valid(queue)) return CL_INVALID_COMMAND_QUEUE;
  if ((waits.count == 0) != (waits.events == nullptr)) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < waits.count; ++i) {
    if (!valid(waits.events[i])) return CL_INVALID_EVENT_WAIT_LIST;
  }
  for (cl_uint i = 0; i < waits.count; ++i) {
    if (waits.events[i]->context.get() != queue->context.get()) return CL_INVALID_CONTEXT;
  }
  return CL_SUCCESS;
}

cl_int check_memory(cl_command_queue queue, cl_mem memory) {
  if (!valid(memory)) return CL_INVALID_MEM_OBJECT;
  return memory->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int check_buffer(cl_command_queue queue, cl_mem buffer) {
  if (!valid(buffer) || buffer->type != CL_MEM_OBJECT_BUFFER) return CL_INVALID_MEM_OBJECT;
  return check_memory(queue, buffer);
}

cl_int check_image(cl_command_queue queue, cl_mem image) {
  if (!valid(image) || !image->image) return CL_INVALID_MEM_OBJECT;
  if (const cl_int code = check_memory(queue, image); code != CL_SUCCESS) return code;
  return has_images(*queue->device) ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int check_alignment(cl_mem buffer) {
  return buffer->parent && buffer->origin % buffer_alignment_bytes != 0 ? CL_MISALIGNED_SUB_BUFFER_OFFSET
                                                                        : CL_SUCCESS;
}

cl_int enqueue(cl_command_queue queue, cl_command_type type, const WaitList& waits,
               std::function<cl_int(_cl_event&)> work, const Cost& cost, bool blocking, Ordering ordering) {
  Ref<_cl_event> event(new _cl_event);
  drop(event.get());  // the reference is the application's only when it asks for it
  event->references = 0;
  event->context = queue->context;
  event->queue = queue;
  event->type = type;
  event->work = std::move(work);
  event->cost = cost;
  if (waits.result != nullptr) {
    retain(event.get());
    *waits.result = event.get();
  }
  submit(event, {waits.events, waits.count}, ordering);
  if (!blocking) return CL_SUCCESS;
  const cl_int status = wait_for(*event);
  if (status < 0) {
    if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) take_fault(*queue);
    return status;
  }
  return take_fault(*queue) ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

std::optional<Rectangle> make_rectangle(const size_t* region, const size_t* origin, size_t row_pitch,
                                        size_t slice_pitch) {
  if (region == nullptr || origin == nullptr) return std::nullopt;
  Rectangle made{
      {region[0], region[1], region[2]}, {origin[0], origin[1], origin[2]}, row_pitch, slice_pitch};
  if (made.region[0] == 0 || made.region[1] == 0 || made.region[2] == 0) return std::nullopt;
  if (made.row_pitch == 0) made.row_pitch = made.region[0];
  if (made.row_pitch < made.region[0]) return std::nullopt;
  if (made.slice_pitch == 0) made.slice_pitch = made.region[1] * made.row_pitch;
  if (made.slice_pitch < made.region[1] * made.row_pitch || made.slice_pitch % made.row_pitch != 0)
    return std::nullopt;
  return made;
}

void copy_rectangle(u8* to, const Rectangle& to_shape, const u8* from, const Rectangle& from_shape) {
  for (u64 z = 0; z < to_shape.region[2]; ++z) {
    for (u64 y = 0; y < to_shape.region[1]; ++y) {
      std::memmove(to + to_shape.begin() + z * to_shape.slice_pitch + y * to_shape.row_pitch,
                   from + from_shape.begin() + z * from_shape.slice_pitch + y * from_shape.row_pitch,
                   to_shape.region[0]);
    }
  }
}

}  // namespace lockstep::opencl
